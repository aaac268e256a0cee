# SPDX-License-Identifier: BSD-2-Clause
"""Solo-12 under model predictive control on flat and on bumpy ground, under every law (Figs. 18, 19)."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import stiction as st
from stiction import control

from ...output.tables import number
from .. import rows
from ..rows import Row, own_record, published
from ..study import Section, Table

STEP = 1e-3  # of the engine and of the tracking [s]
SPEED = 0.3  # asked for [m/s]
FLAT_MU, BUMPY_MU = 0.9, 0.3
BUMPS = 0.05  # from the lowest to the highest point [m]
SHORTEST, LONGEST, WAVES = 0.4, 1.2, 6  # wavelengths [m]
MOST_TORQUE = 2.7  # of the motors [N m]
WEIGHT = 24.5  # of Solo-12 [N]
MORE = 1.5
START = 1.0  # the speed is reached [s]
FALLEN = 0.1  # base above the ground [m]
SEEDS = 5
CASES = (("coulomb", "admm"), ("coulomb", "pgs"), ("convex", "admm"), ("pyramid", "dantzig"), ("raisim", "bisection"))
GRID, CORNER, SIZE = 0.025, (-1.0, -2.0), (8.0, 4.0)  # of the height field [m]
TEXT = (
    "Solo-12 trots by control.MpcTrot: footholds by Raibert's rule, forces by a convex centroidal program over .32 s (ProxSuite) every 10 ms, "
    "inverse dynamics at 1 kHz, torques within 2.7 N m. It does not see the ground. Asked for: .3 m/s. Flat: μ = .9. Bumpy: μ = .3, six sine "
    "waves of .4 to 1.2 m, 50 mm from the lowest to the highest point. A seed draws waves and noise of the start. The paper's own controller and "
    "ground are not published; its findings are: one motion under all laws on flat ground, laws that part on bumps. Speeds are means from 1 s on; "
    "NCP is the natural map of exact Coulomb friction. Times are those of steps, with Python around them, and are not judged."
)


@dataclass(frozen=True)
class SoloWalk:
    law: str
    solver: str
    height: float  # of the bumps [m]
    seed: int
    x: np.ndarray  # (n, 3) base, up to the fall if there is one [m]
    residual: np.ndarray  # (n,) [N]
    iterations: np.ndarray
    unaccepted: int
    microseconds: float
    fell: bool

    @property
    def label(self) -> str:
        return f"{self.law}, {self.solver}"

    @property
    def speed(self) -> float:
        """Forward, once it has been reached [m/s]; 0 if the robot fell before."""
        first = round(START / STEP)
        return (
            float((self.x[-1, 0] - self.x[first, 0]) / (STEP * (len(self.x) - 1 - first)))
            if len(self.x) > first + 1
            else 0.0
        )

    @property
    def kept(self) -> bool:
        """On its feet, and within 20 % of the speed."""
        return not self.fell and abs(self.speed / SPEED - 1.0) <= 0.2


def here() -> str:
    """What is missing, if anything."""
    if "solo12" not in st.robots.paths():
        return "the robot solo12 (extra robots)"
    return "" if importlib.util.find_spec("proxsuite") else "ProxSuite (extra control)"


def ground(seed: int, height: float) -> np.ndarray:
    """Sums of sine waves in all directions, from 0 to `height`; rows along y as add_heightfield wants them."""
    draw = np.random.default_rng(seed)
    x = CORNER[0] + GRID * np.arange(round(SIZE[0] / GRID) + 1)
    y = CORNER[1] + GRID * np.arange(round(SIZE[1] / GRID) + 1)
    Y, X = np.meshgrid(y, x, indexing="ij")
    heights = np.zeros_like(X)
    for _ in range(WAVES):
        length = draw.uniform(SHORTEST, LONGEST)
        turn, phase = draw.uniform(0.0, 2.0 * np.pi, 2)
        heights += length * np.sin(2.0 * np.pi / length * (np.cos(turn) * X + np.sin(turn) * Y) + phase)
    heights -= heights.min()
    return np.asarray(heights * (height / heights.max()))


def begin(law: str, solver: str, height: float, seed: int) -> tuple[st.Simulator, control.MpcTrot]:
    """The robot on the ground, with a little noise in its velocities, and its controller."""
    mu = BUMPY_MU if height > 0.0 else FLAT_MU
    legged, level = control.solo_world(mu=mu, stiffness=None, damping=None), 0.0
    heights = ground(seed, height)
    if height > 0.0:
        middle = (CORNER[0] + 0.5 * SIZE[0], CORNER[1] + 0.5 * SIZE[1], 0.0)
        legged.world.add_heightfield(heights, SIZE, position=middle, mu=mu)
    sim = legged.simulator(law=law, solver=solver, dt=STEP, stepper="semi_implicit")
    if height > 0.0:
        feet = np.array([sim.frame_pose(foot)[0] for foot in legged.feet])
        at = np.rint((feet[:, :2] - CORNER) / GRID).astype(int)
        under = heights[at[:, 1], at[:, 0]]
        sim.q[2] += under.max() + 2e-3
        level = float(under.mean())
    sim.v[:] = np.random.default_rng(seed + 100).normal(0.0, 0.02, sim.nv)
    gains = control.MpcTrotGains(speed=SPEED, most_torque=MOST_TORQUE)
    options = control.CentroidalOptions(mu=min(0.6, 0.7 * mu))
    return sim, control.MpcTrot(sim, legged.feet, legged.points, gains=gains, options=options, ground=level)


def walk(law: str, solver: str, duration: float, height: float = 0.0, seed: int = 0) -> SoloWalk:
    sim, walker = begin(law, solver, height, seed)
    x, residual, iterations, unaccepted, seconds = [], [], [], 0, 0.0
    steps = round(duration / STEP)
    for k in range(steps):
        tau, began = walker.torque(sim, k * STEP), time.perf_counter()
        report = sim.step(tau)
        seconds += time.perf_counter() - began
        x.append(sim.q[:3].copy())
        residual.append(report.ncp.natural)
        iterations.append(report.iterations)
        unaccepted += report.unaccepted
        if not sim.q[2] - walker.ground()[0] > FALLEN:
            break
    return SoloWalk(law, solver, height, seed, np.array(x), np.array(residual), np.array(iterations), unaccepted,
                    1e6 * seconds / len(x), len(x) < steps)  # fmt: skip


@dataclass(frozen=True)
class SoloWalks:
    flat: list[SoloWalk]  # a walk per case
    bumpy: list[SoloWalk]
    seeds: list[SoloWalk]  # coulomb, admm, on both, seed after seed


def walks(quick: bool) -> SoloWalks:
    duration, long, seeds = (3.0, 3.0, 1) if quick else (5.0, 10.0, SEEDS)
    cases = CASES[::2] if quick else CASES
    flat, bumpy = ([walk(law, solver, duration, height) for law, solver in cases] for height in (0.0, BUMPS))
    if quick:
        return SoloWalks(flat, bumpy, [flat[0], bumpy[0]])
    return SoloWalks(
        flat, bumpy, [walk(*CASES[0], long, height, seed) for height in (0.0, BUMPS) for seed in range(seeds)]
    )


def section(quick: bool) -> Section:
    missing = here()
    if missing:
        return Section(
            "Solo-12 under model predictive control (Figs. 18 and 19)", TEXT, [rows.skipped("Solo-12 walks", missing)]
        )
    return judge(walks(quick))


def judge(found: SoloWalks) -> Section:
    tables = [
        _table("Flat", found.flat),
        _table(f"Bumpy, {1e3 * BUMPS:g} mm", found.bumpy),
        _table("coulomb, admm, every seed", found.seeds),
    ]
    judged = [*_seeds(found.seeds), *_alike(found.flat), *_more_on_bumps(found.flat, found.bumpy)]
    return Section("Solo-12 under model predictive control (Figs. 18 and 19)", TEXT, judged, tables)


def _table(title: str, found: Sequence[SoloWalk]) -> Table:
    lines = [[w.label, f"{1e3 * w.height:g}", str(w.seed), f"{w.x[-1, 0]:.3f}", f"{w.speed:.4f}", f"{1e3 * w.x[-1, 1]:.1f}",
              number(float(w.residual.mean())), number(float(w.residual.max())), f"{w.iterations.mean():.1f}", str(w.unaccepted),
              number(w.microseconds), "fell" if w.fell else ""] for w in found]  # fmt: skip
    header = ["law, solver", "bumps [mm]", "seed", "distance [m]", "speed [m/s]", "aside [mm]", "mean NCP [N]", "worst NCP [N]",
              "iterations/step", "unaccepted", "step [µs]", ""]  # fmt: skip
    return Table(f"{title}, {len(found[0].x)} steps of 1 ms", header, lines)


def _seeds(found: Sequence[SoloWalk]) -> list[Row]:
    out = []
    for title, some in (
        ("flat", [w for w in found if w.height == 0.0]),
        ("bumpy", [w for w in found if w.height > 0.0]),
    ):
        kept = sum(w.kept for w in some)
        out.append(rows.judged(f"Solo-12, {title}: coulomb walks on, within 20 % of the speed", f"{kept} of {len(some)}", kept == len(some), "all",
                               against=own_record("a bar of this project")))  # fmt: skip
        out.append(rows.at_most(f"Solo-12, {title}: coulomb, admm: steps not accepted", float(sum(w.unaccepted for w in some)), 0.0,
                                against=own_record("every step is solved")))  # fmt: skip
    return out


def _apart(first: SoloWalk, other: SoloWalk) -> float:
    """How far two walks are from each other at the end [mm]."""
    n = min(len(first.x), len(other.x)) - 1
    return 1e3 * float(np.linalg.norm(other.x[n] - first.x[n]))


def _alike(flat: Sequence[SoloWalk]) -> list[Row]:
    speeds = [w.speed for w in flat]
    return [rows.at_most("Solo-12, flat: spread of the speed between laws, relative", (max(speeds) - min(speeds)) / SPEED, 0.02, "one motion",
                         against=published("Fig. 18"))]  # fmt: skip


def _off(w: SoloWalk) -> float:
    """Convex: share of the steps off exact Coulomb friction by more than 1 % of the weight. Its mean is that of a few touchdowns. Others:
    the mean residual [N]."""
    return float((w.residual > 0.01 * WEIGHT).mean()) if w.law == "convex" else float(w.residual.mean())


def _more_on_bumps(flat: Sequence[SoloWalk], bumpy: Sequence[SoloWalk]) -> list[Row]:
    """What the paper says of bumps. The judged rows fail for walks on flat ground in the place of those on bumps."""
    out = []
    for on_flat, on_bumps in zip(flat, bumpy, strict=True):
        if on_bumps.law == "coulomb":
            continue
        what = "share of steps off Coulomb's law" if on_bumps.law == "convex" else "mean NCP"
        ratio = _off(on_bumps) / max(_off(on_flat), 1e-12)
        out.append(
            rows.at_least(
                f"Solo-12, {on_bumps.label}: {what}, bumpy over flat",
                ratio,
                MORE,
                "further off",
                against=published("Fig. 19"),
            )
        )
        out.append(rows.told(f"Solo-12, bumpy: {on_bumps.label}: from coulomb, admm at the end [mm]", _apart(bumpy[0], on_bumps),
                             reason="the paper's motions part; here forces are kept inside the cone and feet hardly slip"))  # fmt: skip
    return out
