# SPDX-License-Identifier: BSD-2-Clause
"""A trotting quadruped on flat and on bumpy ground under every law (S7, S8; Figs. 18, 19)."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

import stiction as st
from stiction import control

from ...output.tables import number
from .. import rows
from ..rows import Row, own_record
from ..study import Section, Table
from .measures import agrees

CONTROL = 2.5e-3  # step and control period [s]
FLAT_MU, BUMPY_MU, ROUGHNESS = 0.9, 0.3, 0.03  # [-] [-] [m]
START = 1.0  # the gait has begun [s]
FALLEN = 0.25  # height of the trunk [m]
CASES = (("coulomb", "admm"), ("coulomb", "pgs"), ("convex", "admm"), ("pyramid", "dantzig"), ("raisim", "bisection"))
TEXT = (
    "StarlETH trots under its virtual-model controller, which knows only flat ground; the paper drives Solo-12 by a model predictive controller "
    "that is not ours to ship. Flat: μ = .9. Bumpy: μ = .3 and the height function of the paper's code, sin(30x)/5 + cos(30y²)/20 + sin(50xy)/10, "
    "times a roughness of 30 mm instead of 100 mm: this controller is blind and falls on more. The paper's findings: on flat ground every law "
    "gives the same motion; on bumpy ground motions part, convex and raisim leave exact Coulomb friction wherever feet slip, and pgs does not "
    "always converge. Times are those of steps, with Python around them, and are not judged."
)


@dataclass(frozen=True)
class Walk:
    """Rows: steps, up to the fall if there is one."""

    law: str
    solver: str
    x: np.ndarray  # (n, 3) trunk [m]
    residual: np.ndarray  # natural map of exact Coulomb friction [N]
    iterations: np.ndarray
    statuses: set[str]
    unaccepted: int
    microseconds: float
    fell: bool

    @property
    def label(self) -> str:
        return f"{self.law}, {self.solver}"

    @property
    def velocity(self) -> float:
        """Mean forward velocity once the gait has begun [m/s]."""
        start = round(START / CONTROL)
        return float((self.x[-1, 0] - self.x[start, 0]) / (CONTROL * (len(self.x) - 1 - start)))


def terrain() -> np.ndarray:
    """Heights above the lowest point on a grid of 20 mm over x from -1 to 3 m, y from -1 to 1 m; rows along y as add_heightfield wants them."""
    y, x = np.meshgrid(np.linspace(-1.0, 1.0, 101), np.linspace(-1.0, 3.0, 201), indexing="ij")
    heights = ROUGHNESS * (np.sin(30.0 * x) / 5.0 + np.cos(30.0 * y**2) / 20.0 + np.sin(50.0 * x * y) / 10.0)
    return np.asarray(heights - heights.min())


def walk(law: str, solver: str, duration: float, bumpy: bool) -> Walk:
    legged = control.starleth_world(mu=BUMPY_MU if bumpy else FLAT_MU)
    heights = terrain() if bumpy else np.zeros((1, 1))
    if bumpy:
        legged.world.add_heightfield(heights, (4.0, 2.0), position=(1.0, 0.0, 0.0), mu=BUMPY_MU)
    sim: st.Simulator = legged.simulator(law=law, solver=solver, dt=CONTROL, stepper="semi_implicit")
    sim.q[2] += heights.max() + (1e-3 if bumpy else 0.0)
    walker = control.starleth_control(legged)
    x, residual, iterations, statuses, unaccepted, seconds = [], [], [], set(), 0, 0.0
    for k in range(round(duration / CONTROL)):
        q, v = sim.minimal_state()
        seen = q - np.eye(len(q))[2] * heights.mean()  # the controller believes in a floor at the mean height
        if not seen[2] > FALLEN:
            break
        tau, began = walker.torque(seen, v, k * CONTROL), time.perf_counter()
        report = sim.step(tau)
        seconds += time.perf_counter() - began
        x.append(q[:3].copy())
        residual.append(report.ncp.natural)
        iterations.append(report.iterations)
        statuses.add(report.status)
        unaccepted += report.unaccepted
    return Walk(law, solver, np.array(x), np.array(residual), np.array(iterations), statuses, unaccepted, 1e6 * seconds / len(x),
                len(x) < round(duration / CONTROL))  # fmt: skip


def walks(duration: float, bumpy: bool) -> list[Walk]:
    return [walk(law, solver, duration, bumpy) for law, solver in CASES]


def section(flat: list[Walk], bumpy: list[Walk]) -> Section:
    tables = [_table("Flat", flat), _table("Bumpy", bumpy)]
    return Section("Trotting quadruped (Figs. 18 and 19: not reproduced)", TEXT, [*_flat(flat), *_bumpy(bumpy)], tables)


def _table(title: str, found: list[Walk]) -> Table:
    lines = [[w.label, f"{w.velocity:.4f}", f"{1e3 * w.x[-1, 1]:.1f}", number(float(w.residual.mean())), number(float(w.residual.max())),
              f"{w.iterations.mean():.1f}", str(w.unaccepted), number(w.microseconds), "fell" if w.fell else ""] for w in found]  # fmt: skip
    header = [
        "law, solver",
        "forward [m/s]",
        "aside [mm]",
        "mean NCP [N]",
        "worst NCP [N]",
        "iterations/step",
        "unaccepted",
        "step [µs]",
        "",
    ]
    return Table(f"{title}, {len(found[0].x)} steps of 2.5 ms", header, lines)


def _flat(found: list[Walk]) -> list[Row]:
    speeds, up = [w.velocity for w in found], sum(not w.fell for w in found)
    return [
        agrees(
            "flat: still trotting", f"{up} of {len(found)}", up == len(found), "all", against=own_record("all laws")
        ),
        rows.at_most(
            "flat: spread of the forward velocity between laws, relative",
            (max(speeds) - min(speeds)) / float(np.mean(speeds)),
            0.05,
            against=own_record("one motion under all laws"),
        ),
        rows.at_most(
            "flat: steps not accepted, all laws",
            float(sum(w.unaccepted for w in found)),
            0.0,
            against=own_record("every step is solved"),
        ),
    ]


def _bumpy(found: list[Walk]) -> list[Row]:
    """Fig. 19 is not reproduced: without its controller nothing here is held against it."""
    admm, *others = found
    up = sum(not w.fell for w in found)
    out = [
        rows.told("bumpy: still trotting", f"{up} of {len(found)}", reason="Fig. 19 is not reproduced"),
        rows.at_most(
            "bumpy: coulomb, admm: steps not accepted",
            float(admm.unaccepted),
            0.0,
            against=own_record("every step is solved"),
        ),
    ]
    for w in others:
        if w.law in ("convex", "raisim"):
            worst = float(w.residual.max() / admm.residual.max())
            out.append(rows.told(f"bumpy: {w.label}: worst NCP residual over that of coulomb, admm", worst))
        away = 1e3 * float(np.linalg.norm(w.x[-1] - admm.x[-1]))
        out.append(rows.told(f"bumpy: {w.label}: distance from coulomb, admm at the end [mm]", away))
        out.append(rows.told(f"bumpy: {w.label}: steps not accepted", float(w.unaccepted)))
    return out
