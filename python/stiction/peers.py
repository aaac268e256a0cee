# SPDX-License-Identifier: BSD-2-Clause
"""`stiction bench --peers`: the same scene in stiction and in MuJoCo, alternating in one process.

What is timed: CPU time of the calling thread, n steps per call, no Python between the steps on either side. Ours:
Simulator.step(n) of the scene, and mj_step(nstep=n), where the targets rest; Simulator.step(target=array) and mujoco.rollout,
both along the same ready-made targets, where they move. Building, restarting and measuring accuracy are not
timed. The 99.9 % quantile comes from single steps called from Python on both sides (about 1 us of each is the call).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

import stiction as st

from . import peers_mujoco as mj
from .progress import each
from .suggest import unknown_name
from .tables import number, text_table

Echo = Callable[[str], None] | None


class Engine(Protocol):
    """One engine in one scene."""

    name: str

    def advance(self, steps: int) -> None: ...  # timed
    def restart(self) -> None: ...
    def qpos(self) -> np.ndarray: ...  # in MuJoCo's order: one ruler for all


class Ours:
    """Simulator.step(n), or along `targets` (steps, joints). With `episode` the scene starts anew every so many steps."""

    def __init__(
        self, make: Callable[[], st.Simulator], model: Any | None = None, episode: int = 0,
        targets: np.ndarray | None = None,
    ) -> None:  # fmt: skip
        self.name, self.sim, self.model, self.episode = "stiction", make(), model, episode
        self.targets = targets
        self.start = self.sim.save()
        self.unaccepted = self.steps = 0
        self.residual = 0.0  # largest NCP residual [N]

    def advance(self, steps: int) -> None:
        length = self.episode or steps
        for _ in range(steps // length):
            if self.episode:
                self.sim.restore(self.start)
            at = 0 if self.episode or self.targets is None else self.steps % len(self.targets)
            report = self.sim.step(n=length) if self.targets is None else self.sim.step(target=self.targets[at : at + length])
            self.unaccepted += report.unaccepted
            self.steps += report.steps
            self.residual = max(self.residual, report.ncp.natural)

    def restart(self) -> None:
        self.sim.restore(self.start)

    def qpos(self) -> np.ndarray:
        return mj.to_qpos(self.sim, self.model) if self.model is not None else np.array(self.sim.q)


class MuJoCo:
    """mj_step(nstep=n), or mujoco.rollout along `targets` (steps, actuators)."""

    def __init__(
        self, name: str, model: Any, qpos: np.ndarray | None = None, targets: np.ndarray | None = None, episode: int = 0
    ) -> None:
        self.mujoco = mj.load()
        self.name, self.model, self.targets, self.episode = name, model, targets, episode
        self.data = self.mujoco.MjData(model)
        self.begin = model.qpos0.copy() if qpos is None else qpos
        self.restart()

    def restart(self) -> None:
        self.mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:] = self.begin
        if self.model.nu:
            self.data.ctrl[:] = [self.data.joint(self.model.actuator(i).name).qpos[0] for i in range(self.model.nu)]
        self.step_number = 0

    def _state(self) -> np.ndarray:
        kind = self.mujoco.mjtState.mjSTATE_FULLPHYSICS
        state = np.empty(self.mujoco.mj_stateSize(self.model, kind))
        self.mujoco.mj_getState(self.model, self.data, state, kind)
        return state

    def advance(self, steps: int) -> None:
        if self.targets is None:
            self.mujoco.mj_step(self.model, self.data, nstep=steps)
            return
        if self.episode:
            count = steps // self.episode
            self.restart()
            states, control = np.tile(self._state(), (count, 1)), np.tile(self.targets[: self.episode], (count, 1, 1))
            self.mujoco.rollout.rollout(self.model, self.data, states, control)
            return
        control = self.targets[self.step_number : self.step_number + steps][None]
        warm = self.data.qacc_warmstart.copy()[None]
        self.mujoco.rollout.rollout(self.model, self.data, self._state()[None], control, initial_warmstart=warm)
        self.step_number += steps

    def single_step(self) -> None:
        if self.targets is not None:
            self.data.ctrl[:] = self.targets[self.step_number % len(self.targets)]
            self.step_number += 1
        self.mujoco.mj_step(self.model, self.data)

    def qpos(self) -> np.ndarray:
        return self.data.qpos.copy()


@dataclass
class Race:
    """Times of alternating runs [us per step], and positions of the feet after each."""

    engines: Sequence[Any]
    times: dict[str, list[float]] = field(default_factory=dict)
    places: dict[str, list[np.ndarray]] = field(default_factory=dict)

    def run(
        self, rounds: int, steps: int, look: Callable[[np.ndarray], np.ndarray] | None = None, restart: bool = False
    ) -> None:
        for _ in range(rounds):
            for engine in self.engines:
                if restart:
                    engine.restart()
                begin = time.thread_time_ns()
                engine.advance(steps)
                self.times.setdefault(engine.name, []).append((time.thread_time_ns() - begin) / steps / 1e3)
                if look is not None:
                    self.places.setdefault(engine.name, []).append(look(engine.qpos()))

    def ratio(self, peer: str) -> np.ndarray:
        """Peer's time over ours, one per alternation: above 1 we are faster."""
        return np.array(self.times[peer]) / np.array(self.times[self.engines[0].name])


def quantile(engine: Any, steps: int, share: float = 0.999) -> float:
    """Of the time of single steps [us]."""
    one = engine.single_step if isinstance(engine, MuJoCo) else engine.sim.step
    times = np.empty(steps)
    for i in range(steps):
        begin = time.thread_time_ns()
        one()
        times[i] = time.thread_time_ns() - begin
    return float(np.quantile(times, share)) / 1e3


def _feet(model: Any) -> Callable[[np.ndarray], np.ndarray]:
    """Horizontal positions of the four feet at a qpos, by MuJoCo's kinematics for every engine."""
    mujoco = mj.load()
    data = mujoco.MjData(model)
    feet = [i for i in range(model.ngeom) if model.geom_type[i] == mujoco.mjtGeom.mjGEOM_SPHERE]

    def look(qpos: np.ndarray) -> np.ndarray:
        data.qpos[:] = qpos
        mujoco.mj_kinematics(model, data)
        return data.geom_xpos[feet, :2].copy()

    return look


def _row(scene: str, race: Race, engine: Any, extra: dict[str, Any]) -> dict[str, Any]:
    times = np.array(race.times[engine.name])
    ratios = race.ratio(engine.name)
    return {
        "scene": scene, "engine": engine.name, "us_per_step": float(np.median(times)),
        "ratio": float(np.median(ratios)), "ratio_quartiles": [float(x) for x in np.quantile(ratios, [0.25, 0.75])],
        "ratio_range": [float(ratios.min()), float(ratios.max())], "alternations": len(times),
        "us_of_each": [round(float(t), 3) for t in times], **extra,
    }  # fmt: skip


_GAINS = {"static": (40.0, 1.0), "moving": (40.0, 1.0), "hopping": (100.0, 2.0), "fallen": (40.0, 1.0)}


def scene_targets(kind: str, steps: int) -> np.ndarray:
    """What the scene's drive asks for at each step; it does not depend on the state."""
    sim = st.scene("anymal_stand", targets=kind)
    out = np.empty((steps, sim.ntau))
    start = sim.save()
    for i in range(steps):
        if i % 200 == 0:  # the robot's own motion does not matter here: keep it well
            moment = sim.time
            sim.restore(start)
            sim.time = moment
        sim.step()
        out[i] = sim.pd_target
    return out


def anymal(kind: str, quick: bool = False) -> list[dict[str, Any]]:
    """ANYmal under PD at dt 5 ms: 250 s in 20 alternations against two settings of MuJoCo."""
    rounds, steps = (2, 200) if quick else (20, 2400)
    make = lambda: st.scene("anymal_stand", targets=kind)  # noqa: E731
    sim = make()
    kp, kd = _GAINS[kind]
    models = {name: mj.anymal(name, sim.dt, kp, kd) for name in ("noslip10", "impratio100")}
    ruler = models["noslip10"]
    episode = 200 if kind == "hopping" else 0
    targets = None if kind == "static" else scene_targets(kind, episode or rounds * steps)
    theirs = None if targets is None else targets[:, mj.joint_order(sim, ruler)]
    start = mj.to_qpos(sim, ruler)
    ours = Ours(make, ruler, episode, targets)
    peers = [MuJoCo(f"mujoco {name}", model, start, theirs, episode) for name, model in models.items()]
    race = Race([ours, *peers])
    race.run(rounds, steps, _feet(ruler))
    rows = []
    for engine in race.engines:
        places = np.array(race.places[engine.name])
        later = places[len(places) // 5 :]  # from 50 s on
        extra: dict[str, Any] = {"steps": rounds * steps, "height_m": float(engine.qpos()[2])}
        if kind == "static":
            extra["slip_m"] = float(np.linalg.norm(later - later[0], axis=-1).max())
        if engine is ours:
            extra |= {"unaccepted": ours.unaccepted, "ncp_residual_N": ours.residual}
        extra["us_999"] = quantile(engine, 200 if quick else 5000)
        rows.append(_row(f"anymal {kind}", race, engine, extra))
    return rows


def _overlap(centres: np.ndarray, radius: float) -> float:
    """Sum over pairs and floor of squared depths [m^2]."""
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=-1)[np.triu_indices(len(centres), 1)]
    return float((np.maximum(0, 2 * radius - apart) ** 2).sum() + (np.maximum(0, radius - centres[:, 2]) ** 2).sum())


def pile(dt: float, quick: bool = False) -> list[dict[str, Any]]:
    """216 frictionless spheres fall for 10 s: 15 alternations of whole runs against MuJoCo with CG."""
    radius, mass = 0.1, 10.0
    make = lambda: st.scene("pile", dt=dt)  # noqa: E731
    sim = make()
    centres = np.asarray(sim.q).reshape(-1, 7)[:, :3].copy()
    model = mj.pile("cg", dt, centres, radius, mass)
    race = Race([Ours(make), MuJoCo("mujoco cg", model)])
    total = 10 if quick else round(10.0 / dt)
    race.run(2 if quick else 15, total, restart=True)
    rows = []
    every = max(1, round(0.01 / dt))  # the metric is a mean over steps: sample it every 10 ms
    for engine in race.engines:
        engine.restart()
        depth = []
        for _ in range(total // every):
            engine.advance(every)
            depth.append(_overlap(engine.qpos().reshape(-1, 7)[:, :3], radius))
        extra: dict[str, Any] = {"steps": total, "overlap_m2": float(np.mean(depth))}
        if isinstance(engine, Ours):
            extra |= {"unaccepted": engine.unaccepted, "ncp_residual_N": engine.residual, "made": engine.steps}
        rows.append(_row(f"pile dt {1e3 * dt:g} ms", race, engine, extra))
    return rows


SCENES: dict[str, Callable[[bool], list[dict[str, Any]]]] = {
    "static": lambda quick: anymal("static", quick),
    "moving": lambda quick: anymal("moving", quick),
    "hopping": lambda quick: anymal("hopping", quick),
    "fallen": lambda quick: anymal("fallen", quick),
    "pile": lambda quick: pile(1e-2, quick),
    "pile_1ms": lambda quick: pile(1e-3, quick),
}


def _cells(row: dict[str, Any]) -> list[str]:
    low, high = row["ratio_quartiles"]
    return [
        row["scene"], row["engine"], number(row["us_per_step"]),
        f"{row['ratio']:.2f}" if row["engine"] != "stiction" else "1",
        f"{low:.2f} .. {high:.2f}" if row["engine"] != "stiction" else "",
        number(1e3 * row["slip_m"]) if "slip_m" in row else "-",
        number(row["overlap_m2"]) if "overlap_m2" in row else "-",
        f"{row['unaccepted']} of {row.get('made', row['steps'])}" if "unaccepted" in row else "-",
        number(row["ncp_residual_N"]) if "ncp_residual_N" in row else "-",
        number(row["us_999"]) if "us_999" in row else "-",
    ]  # fmt: skip


_HEADER = [
    "scene", "engine", "us/step", "ratio", "quartiles", "slip [mm]", "overlap [m2]", "unaccepted", "NCP residual [N]", "99.9 % [us]",
]  # fmt: skip

_NOTES = """
  us/step           CPU time of one step, median of all alternations; n steps per call, no Python in between
  ratio, quartiles  time of the peer over ours in the same alternation (above 1: we are faster), median and middle half
  slip              largest horizontal displacement of a foot from 50 s to 250 s (standing only)
  overlap           mean over time of the sum of squared overlaps of all pairs and the floor
  unaccepted        steps that the judge did not accept; peers have no judge
  NCP residual      largest distance of our forces from exact Coulomb friction
  99.9 %            of single steps called from Python, about 1 us of it the call
  Simulator.step(n) and mj_step(nstep=n); moving: Simulator.step(target=array) and mujoco.rollout, the same ready-made targets"""


def run(scene: str | None = None, quick: bool = False, echo: Echo = None) -> list[dict[str, Any]]:
    """Race all scenes, or one of static, moving, hopping, fallen, pile, pile_1ms."""
    if scene is not None and scene not in SCENES:
        raise unknown_name("peers scene", scene, SCENES)
    version = mj.load().__version__
    rows: list[dict[str, Any]] = []
    for name in each([scene] if scene else list(SCENES), "bench --peers", unit="scene", ticking=True):
        rows += SCENES[name](quick)
    if echo is not None:
        echo(f"stiction {st.__version__} beside MuJoCo {version}, one thread, alternating in one process\n")
        echo(text_table(_HEADER, [_cells(row) for row in rows]))
        echo(_NOTES)
    return rows
