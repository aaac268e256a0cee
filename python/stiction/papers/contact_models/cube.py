# SPDX-License-Identifier: BSD-2-Clause
"""Runs of the sliding and the dragged cube, recorded at the ends of steps; and the same cube written out by hand.

By hand: four to eight corner points, a free body and `st.solve`, without the engine's simulator. It serves twice: as an oracle of the engine, and
because its detection margin is fixed, while the engine's grows with speed and so hides what a fixed one does to the convex law.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import stiction as st

from ...rotations import rotation_of_vector, skew
from .published import CORNER, EDGE, GRAVITY, MASS, MU, STEP

REST = 0.5 * EDGE + CORNER  # height of the centre at rest [m]
FAITHFUL = dict(baumgarte=1e-4, dead_band=0.0)  # the drift correction of the paper's code; no dead band
CORNERS = 0.5 * EDGE * np.array([(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)])


@dataclass(frozen=True)
class CubeRun:
    """Rows: ends of steps. `side` is the largest force across the motion of a contact [N], `signorini` what normal forces exchange [W]."""

    law: str
    solver: str
    dt: float
    t: np.ndarray
    x: np.ndarray  # (n, 3) centre, from its start [m]
    speed: np.ndarray
    energy: np.ndarray  # kinetic, and potential above rest [J]
    side: np.ndarray
    signorini: np.ndarray
    iterations: int = 0
    unaccepted: int = 0

    @property
    def lift(self) -> float:
        return float(self.x[:, 2].max())

    @property
    def stop(self) -> float:
        """Last time with a speed above 1e-3 m/s."""
        return float(self.t[np.flatnonzero(self.speed > 1e-3)[-1]])

    @property
    def slip(self) -> float:
        """First time with a speed above 1e-3 m/s."""
        return float(self.t[np.argmax(self.speed > 1e-3)])

    def at(self, time: float) -> int:
        return round(time / self.dt) - 1


def slide(
    law: str,
    degrees: float = 0.0,
    solver: str = "auto",
    duration: float = 0.3,
    law_options: dict[str, Any] | None = None,
    **options: Any,
) -> CubeRun:
    """A cube with 1 m/s on the floor; degrees: of its velocity from the first axis of the pyramid."""
    return _record("cube_slide", law, solver, STEP, duration, law_options or {}, options, angle=np.radians(degrees))


def drag(
    law: str, solver: str = "auto", dt: float = STEP, law_options: dict[str, Any] | None = None, **options: Any
) -> CubeRun:
    """A cube that is pulled with 20 N/s for 1 s."""
    return _record("cube_drag", law, solver, dt, 1.0, law_options or {}, options)


def _record(scene: str, law: str, solver: str, dt: float, duration: float, law_options: dict[str, Any], options: dict[str, Any],
            **scene_options: Any) -> CubeRun:  # fmt: skip
    sim = st.scene(scene, law=law, solver=solver, dt=dt, law_options=FAITHFUL | law_options, solver_options={"max_iterations": 10000} | options,
                   **scene_options)  # fmt: skip
    steps, start = round(duration / dt), sim.q[:3].copy()
    x, numbers = np.zeros((steps, 3)), np.zeros((steps, 4))
    iterations = unaccepted = 0
    for i in range(steps):
        report = sim.step()
        x[i] = sim.q[:3] - start
        forces = np.asarray(sim.contacts())["force"]
        side = float(np.abs(forces[:, 1]).max()) if len(forces) else 0.0
        numbers[i] = (
            np.linalg.norm(sim.v[:3]),
            sim.energy().kinetic + MASS * GRAVITY * x[i, 2],
            side,
            report.ncp.signorini_power,
        )
        iterations, unaccepted = iterations + report.iterations, unaccepted + report.unaccepted
    speed, energy, side_force, signorini = numbers.T
    return CubeRun(
        law, solver, dt, dt * np.arange(1, steps + 1), x, speed, energy, side_force, signorini, iterations, unaccepted
    )


def by_hand(
    law: str, solver: str, margin: float, *, speed: float = 0.0, rate: float = 0.0, duration: float = 1.0
) -> CubeRun:
    """Semi-implicit steps of STEP seconds of a cube that starts with `speed` and is pulled with `rate` newtons per second along x."""
    steps, weights = round(duration / STEP), 1.0 / np.array([MASS] * 3 + [MASS * EDGE**2 / 6.0] * 3)
    centre, turn, v = np.array([0.0, 0.0, REST]), np.eye(3), np.array([speed, 0.0, 0.0, 0.0, 0.0, 0.0])
    x, numbers, memory = np.zeros((steps, 3)), np.zeros((steps, 4)), np.zeros((len(CORNERS), 3))
    for i in range(steps):
        v = v + STEP * np.array([rate * i * STEP / MASS, 0.0, -GRAVITY, 0.0, 0.0, 0.0])
        levers = CORNERS @ turn.T
        gap = centre[2] + levers[:, 2] - CORNER
        near, old = np.flatnonzero(gap < margin), memory
        memory = np.zeros_like(memory)
        if len(near):
            J = np.vstack([_jacobian(levers[k] - (0.0, 0.0, CORNER + 0.5 * gap[k])) for k in near])
            g = J @ v
            g[2::3] += np.where(gap[near] >= 0.0, 1.0, FAITHFUL["baumgarte"]) * gap[near] / STEP
            problem = st.ContactProblem(J * weights @ J.T, g, mu=np.full(len(near), MU), law=law, dt=STEP)
            impulse, report = st.solve(problem, solver, warm_start=old[near].ravel(), max_iterations=10000)
            v = v + weights * (J.T @ impulse)
            memory[near], numbers[i, 3] = impulse.reshape(-1, 3), report.ncp.signorini_power
        centre, turn = centre + STEP * v[:3], rotation_of_vector(STEP * v[3:]) @ turn
        x[i] = centre - (0.0, 0.0, REST)
        numbers[i, :3] = (
            np.linalg.norm(v[:3]),
            0.5 * float(v @ (v / weights)) + MASS * GRAVITY * x[i, 2],
            np.abs(memory[:, 1]).max() / STEP,
        )
    return CubeRun(law, solver, STEP, STEP * np.arange(1, steps + 1), x, *numbers.T)


def _jacobian(lever: np.ndarray) -> np.ndarray:
    return np.hstack([np.eye(3), -skew(lever)])


def braked(t: np.ndarray, speed: float = 1.0) -> np.ndarray:
    """Speed of the sliding cube in closed form."""
    return np.asarray(np.maximum(0.0, speed - MU * GRAVITY * t))


def dragged(t: float, rate: float = 20.0) -> tuple[float, float, float]:
    """Onset of slip, way and speed at t of the dragged cube in closed form."""
    onset = MU * MASS * GRAVITY / rate
    s = max(0.0, t - onset)
    return onset, rate * s**3 / (6.0 * MASS), rate * s**2 / (2.0 * MASS)
