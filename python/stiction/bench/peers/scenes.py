# SPDX-License-Identifier: BSD-2-Clause
"""The scenes of the race: a quadruped under four kinds of targets, and a pile of spheres."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import stiction as st

from . import mujoco_models as mj
from .engines import MuJoCo, Ours
from .race import Race, quantile, result

_GAINS = {"static": (40.0, 1.0), "moving": (40.0, 1.0), "hopping": (100.0, 2.0), "fallen": (40.0, 1.0)}


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
    """ANYmal under PD at dt 5 ms: 250 s in 20 alternations against three settings of MuJoCo."""
    rounds, steps = (2, 200) if quick else (20, 2400)
    make = lambda: st.scene("anymal_stand", targets=kind)
    sim = make()
    kp, kd = _GAINS[kind]
    models = {name: mj.anymal(name, sim.dt, kp, kd) for name in ("noslip10", "impratio100", "default")}
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
        rows.append(result(f"anymal {kind}", race, engine, extra))
    return rows


def _overlap(centres: np.ndarray, radius: float) -> float:
    """Sum over pairs and floor of squared depths [m^2]."""
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=-1)[np.triu_indices(len(centres), 1)]
    return float((np.maximum(0, 2 * radius - apart) ** 2).sum() + (np.maximum(0, radius - centres[:, 2]) ** 2).sum())


def pile(dt: float, quick: bool = False) -> list[dict[str, Any]]:
    """216 frictionless spheres fall for 10 s: 15 alternations of whole runs against MuJoCo with CG."""
    radius, mass = 0.1, 10.0
    make = lambda: st.scene("pile", dt=dt)
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
        rows.append(result(f"pile dt {1e3 * dt:g} ms", race, engine, extra))
    return rows


SCENES: dict[str, Callable[[bool], list[dict[str, Any]]]] = {
    "static": lambda quick: anymal("static", quick),
    "moving": lambda quick: anymal("moving", quick),
    "hopping": lambda quick: anymal("hopping", quick),
    "fallen": lambda quick: anymal("fallen", quick),
    "pile": lambda quick: pile(1e-2, quick),
    "pile_1ms": lambda quick: pile(1e-3, quick),
}
