# SPDX-License-Identifier: BSD-2-Clause
"""Contact forces: the linear prediction of one exponential step (Fig. 5) and traces of normal forces (Fig. 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._core import Simulator
from ...output.tables import number
from .. import rows
from ..rows import Row, closed_form
from ..rows import published as paper
from ..study import Section, Table
from .methods import METHODS, Method
from .published import DAMPING
from .tasks import Task

Array = NDArray[np.float64]
HORIZON, POINTS = 0.020, 64  # of the prediction [s, -]
IMPACTS = (0.0, 0.1)  # downward velocity of the base [m/s]
FINE = 512  # steps of the simulation over the horizon
TRACE = 0.60  # of the trot [s]
OWN_TRACE = 1.2  # our own trot begins later
LANDING = 64  # steps of 1/32 ms per control step, for the force of a foot that lands
TEXT = (
    "Prediction: at the start of the squat, over 20 ms at 64 instants, all normal forces by the linear model of one exponential step "
    "(K = 1e5 N/m, B = 300 N s/m, torques held), against a simulation with 512 steps; the base moves down at 0 or 0.1 m/s. Error: "
    "‖predicted − simulated‖ / ‖simulated‖ over instants and feet. The paper shows curves only, made with B = 100, μ = 1000 and another robot.\n"
    "Traces: normal force of the front right foot over the first {trace:g} s of the trot, each method in closed loop; below, around its touchdown."
)


@dataclass(frozen=True)
class Prediction:
    impact: float  # [m/s]
    times: Array  # [s]
    predicted: Array  # (times, feet) normal forces [N]
    simulated: Array

    def error(self, until: float = HORIZON) -> float:
        """Relative L2 error over the horizon up to `until`."""
        part = self.times <= until * (1.0 + 1e-9)
        difference = self.predicted[part] - self.simulated[part]
        return float(np.linalg.norm(difference) / np.linalg.norm(self.simulated[part]))


@dataclass(frozen=True)
class Trace:
    method: Method
    label: str
    times: Array  # [s]
    force: Array  # [N]
    height: Array  # of the foot [m]

    def landings(self) -> tuple[Array, Array]:
        """Force in the first step of every contact, and the speed at which the foot came, by its heights alone."""
        first = np.flatnonzero((self.force[2:] > 0.0) & (self.height[1:-1] > 0.0)) + 2
        step = self.times[1] - self.times[0]
        return self.force[first], (self.height[first - 1] - self.height[first]) / step


def predict(task: Task, impact: float) -> Prediction:
    """One horizon from the start of the squat."""
    fine = Method("fine", "fine", "exponential_midpoint", {"switch_refinement": False})
    sim = task.simulator(fine, round(task.period / HORIZON * FINE))
    torque = task.begin(sim)(sim, 0)
    sim.v[2] = -impact
    times = HORIZON * np.arange(1, POINTS + 1) / POINTS
    predicted = np.asarray(sim.predict_forces(times, torque))[:, :, 2]
    simulated = np.empty_like(predicted)
    for k in range(POINTS):
        sim.step(torque, n=FINE // POINTS)
        ahead = sim.save()
        sim.step(torque)  # its pass has the forces at the instant
        simulated[k] = _normal(sim, task, predicted.shape[1])
        sim.restore(ahead)
    return Prediction(impact, times, predicted, simulated)


def _normal(sim: Simulator, task: Task, count: int) -> Array:
    """Normal forces at the start of the last step; feet that do not touch have none."""
    out = np.zeros(count)
    points: Any = sim.anchors()
    for record in points:
        out[task.legged.points.index(max(int(record["geom_a"]), int(record["geom_b"])))] = abs(record["force"][2])
    return out


def trace(task: Task, method: Method, substeps: int, seconds: float = TRACE) -> Trace:
    """Normal force of the last foot (front right) in closed loop, at every step."""
    sim = task.simulator(method, substeps)
    torque = task.begin(sim)
    foot = len(task.legged.feet) - 1
    times, force, height = [], [], []
    for k in range(round(seconds / task.period)):
        tau = torque(sim, k)
        for i in range(substeps):
            times.append(k * task.period + i * sim.dt)
            height.append(sim.frame_pose(task.legged.feet[foot])[0][2])
            sim.step(tau)
            force.append(_normal(sim, task, len(task.legged.feet))[foot])
    return Trace(
        method,
        f"{method.label}, {1e3 * task.period / substeps:.4g} ms",
        np.array(times),
        np.array(force),
        np.array(height),
    )


def landing_rows(run: Trace) -> list[Row]:
    """Fig. 6: the jump of the force when a foot lands is that of the damper, B times its speed."""
    jump, speed = run.landings()
    hardest = int(np.argmax(jump)) if len(jump) else 0
    ratio = float(jump[hardest] / (DAMPING * speed[hardest])) if len(jump) else float("nan")
    between = np.abs(np.diff(run.force))[(run.force[:-1] > 0.0) & (run.force[1:] > 0.0)]
    return [
        rows.near("force of the foot that lands hardest over B times its speed", 1.0, 1.0, ratio, 0.05, against=closed_form("a damper: B v")),
        rows.at_least("that jump over the median change of the force from step to step", float(jump.max(initial=0.0) / np.median(between)), 10.0,
                      "a finite jump", against=paper("Fig. 6")),
    ]  # fmt: skip


def section(squat: Task, trot: Task, quick: bool) -> tuple[Section, Sequence[Prediction], Sequence[Trace]]:
    out = Section("Contact forces (Figs. 5 and 6)", TEXT.format(trace=TRACE))
    predictions = [predict(squat, impact) for impact in IMPACTS]
    lines = []
    for p in predictions:
        out.rows.append(
            rows.at_most(f"predicted normal forces over 20 ms, relative L2 error, impact {p.impact:g} m/s", p.error(), 0.05, "accurate",
                         against=rows.published("Fig. 5"))
        )  # fmt: skip
        lines.append([f"{p.impact:g} m/s", *(number(p.error(t)) for t in (0.002, 0.005, 0.01, 0.02))])
    out.tables.append(
        Table("Relative L2 error of the prediction", ["impact", "first 2 ms", "5 ms", "10 ms", "20 ms"], lines)
    )
    seconds = 0.3 if quick and trot.published else TRACE if trot.published else OWN_TRACE
    out.rows += landing_rows(trace(trot, METHODS["midpoint exact"], LANDING, seconds))
    if quick:
        return out, predictions, []
    runs = [("midpoint exact", 64), ("1/2", 1), ("midpoint 1/2", 1), ("euler", 16), ("implicit", 1)]
    return out, predictions, [trace(trot, METHODS[name], n) for name, n in runs if METHODS[name].available]
