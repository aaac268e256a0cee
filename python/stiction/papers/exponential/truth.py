# SPDX-License-Identifier: BSD-2-Clause
"""One common ground truth for all methods: exponential midpoint at <= 1/128 ms, cross-checked by Runge-Kutta at the same step.

At every control instant the full state is saved: configuration, velocity, anchors, slip flags. Every method starts each control
step from there (`restore(blob, other_stepper=True)`) with the same torques; forces are computed anew, never added up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._core import InvalidInput
from ..study import NOT_MADE
from .methods import METHODS, Method
from .tasks import Task

Array = NDArray[np.float64]
STEP = 1.0 / 128.0  # [ms]
QUICK_STEP = 1.0 / 32.0


@dataclass(frozen=True)
class Truth:
    task: Task
    law_options: Mapping[str, Any]
    substeps: int
    blobs: list[bytes]  # at the start of every control step
    torques: Array  # (steps, ntau)
    q: Array  # (steps, nq), at the end of every control step
    v: Array
    switched: NDArray[np.bool_]  # a contact opened or closed in the control step


def substeps_for(task: Task, step: float) -> int:
    """The smallest power of two that makes sub-steps of at most `step` milliseconds."""
    n = 1
    while 1e3 * task.period / n > step * (1.0 + 1e-12):
        n *= 2
    return n


def make_truth(task: Task, step: float = STEP, steps: int | None = None, law_options: Mapping[str, Any] | None = None,
               approximant: str = "1/2") -> Truth:  # fmt: skip
    """Runs the task with the fine method and keeps all that the others need."""
    n, options = substeps_for(task, step), dict(law_options or {})
    # switch_refinement with nothing smaller to go to: only counts the steps at whose end other contacts are active
    settings = {"approximant": approximant, "switch_refinement": True, "smallest_step": 1.0}
    fine = Method("truth", "truth", "exponential_midpoint", settings)
    sim = task.simulator(fine, n, options)
    torque = task.begin(sim)
    blobs, torques, q, v, switched = [], [], [], [], []
    for k in range(task.steps if steps is None else min(steps, task.steps)):
        blobs.append(sim.save())
        torques.append(torque(sim, k))
        report = sim.step(torques[-1], n=n)
        if report.status != "converged":
            raise InvalidInput(f"{task.name}: the ground truth fails at {k * task.period:.3f} s: {report.status}")
        q.append(sim.q.copy())
        v.append(sim.v.copy())
        switched.append(report.switches > 0)
    return Truth(task, options, n, blobs, np.array(torques), np.array(q), np.array(v), np.array(switched))


@dataclass(frozen=True)
class Errors:
    """Local errors of one method at one step: one number per control step, infinite where it failed."""

    method: Method
    step: float  # [ms]
    values: Array
    switched: NDArray[np.bool_]  # contacts change in the control step, in the truth or with this method
    unaccepted: int  # steps whose Newton iteration did not converge
    exact_solves: int  # contact problems of automatic order that needed the exact exponential
    parts: float  # per sub-step, with switch refinement: accepted ones and those made again

    @property
    def mean(self) -> float:
        return float(self.values.mean())

    @property
    def median(self) -> float:
        return self._quantile(0.5)

    @property
    def high(self) -> float:
        """95 % of the control steps are better."""
        return self._quantile(0.95)

    @property
    def max(self) -> float:
        return float(self.values.max())

    @property
    def smooth_mean(self) -> float:
        """Mean over the control steps without a switch."""
        return float(self.values[~self.switched].mean()) if not self.switched.all() else float("nan")

    def _quantile(self, part: float) -> float:
        ordered = np.sort(self.values)
        i = part * (len(ordered) - 1)
        low, high = ordered[int(np.floor(i))], ordered[int(np.ceil(i))]
        return float(low if low == high else low + (i - np.floor(i)) * (high - low))


def local_errors(truth: Truth, method: Method, substeps: int, every: int = 1) -> Errors:
    """‖x_truth(t_i) ⊖ x̂(t_i)‖∞, x̂ started at x_truth(t_{i-1}) with its contact state; over base, joints and velocities."""
    task = truth.task
    sim = task.simulator(method, substeps, truth.law_options)
    values, switched, unaccepted, exact, parts = [], [], 0, 0, 0
    chosen = range(0, len(truth.blobs), every)
    for i in chosen:
        sim.restore(truth.blobs[i], other_stepper=True)
        before = _inside(sim, task.legged.feet)
        report = sim.step(truth.torques[i], n=substeps)
        if report.status in NOT_MADE:
            values.append(np.inf)
            switched.append(True)
            continue
        error = max(np.abs(sim.difference(sim.q, truth.q[i])).max(), np.abs(truth.v[i] - sim.v).max())
        values.append(float(error))
        switched.append(bool(truth.switched[i]) or before != _inside(sim, task.legged.feet))
        unaccepted += report.unaccepted
        exact += report.exact_solves
        # every halving throws one attempt away: leaves and inner nodes of a binary tree
        parts += 2 * report.substeps - substeps
    total = substeps * len(chosen)
    return Errors(
        method, 1e3 * task.period / substeps, np.array(values), np.array(switched), unaccepted, exact, parts / total
    )


def _inside(sim: Any, feet: tuple[str, ...]) -> list[bool]:
    """Which feet are in the floor z <= 0."""
    return [bool(sim.frame_pose(foot)[0][2] <= 0.0) for foot in feet]


def cross_check(truth: Truth, every: int = 1) -> Errors:
    """The truth against Runge-Kutta at the same step."""
    return local_errors(truth, METHODS["rk4"], truth.substeps, every)
