# SPDX-License-Identifier: BSD-2-Clause
"""The fault of the published accuracy harness, emulated: what it did to explicit Euler.

There, each reset to the truth *adds* the contact forces Jᵀf to a stored torque that is never set to zero, and the scripts reset
twice per control step: the first Euler step after it feels the contact force twice. (Twice, not three times: that is what
agrees with all the numbers measured with the fault.) Only explicit Euler and the first stage of Runge-Kutta use that torque;
exponential and implicit Euler compute their own. The extra force is applied here where it acted: at the contact points, during
the first sub-step of every control step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import rows
from ..rows import EARLIER
from ..study import Section
from .methods import METHODS
from .published import HARNESS_CLEAN, HARNESS_FAULT, HARNESS_TOLERANCE
from .tasks import NEEDS
from .truth import Truth, local_errors

EXTRA = 1.0  # forces too many in the first sub-step
TEXT = (
    "The published harness added contact forces at each of two resets per control step, so that the first sub-step of explicit "
    "Euler felt the contact force twice. Emulated here by wrenches at the contact points in that sub-step; our own restore "
    "replaces the whole contact state and cannot add up. Exponential and implicit Euler and the stability table were not touched by it."
)


def faulty_error(truth: Truth, substeps: int, extra: float = EXTRA) -> float:
    """Mean local error of explicit Euler whose first sub-step feels 1 + extra times the contact force."""
    task = truth.task
    sim = task.simulator(METHODS["euler"], substeps, truth.law_options)
    robot = sim.robots[0]
    errors = []
    for i, blob in enumerate(truth.blobs):
        sim.restore(blob, other_stepper=True)
        sim.step(truth.torques[i])  # only for the forces of its pass
        points: Any = sim.anchors()
        sim.restore(blob, other_stepper=True)
        for point in points:
            ours = int(point["body_b"]) if int(point["body_b"]) >= robot.base else int(point["body_a"])
            sim.apply_wrench(ours, extra * point["force"], point=point["point"])
        sim.step(truth.torques[i])
        sim.step(truth.torques[i], n=substeps - 1)
        errors.append(max(np.abs(sim.difference(sim.q, truth.q[i])).max(), np.abs(truth.v[i] - sim.v).max()))
    return float(np.mean(errors))


def section(truths: Sequence[Truth]) -> Section:
    """truths: of the paper's motions on its robot; none without data."""
    out = Section("The fault of the published harness", TEXT)
    at = {truth.task.name: truth for truth in truths}
    for (task, step), (clean, faulty) in HARNESS_FAULT.items():
        name = f"mean error, {task} {step:.3g} ms, Euler explicit, "
        if task not in at:
            if not at:
                out.rows.append(rows.skipped(name + "with the fault", NEEDS, None, faulty))
            continue
        truth, n = at[task], at[task].task.substeps(step)
        ours = local_errors(truth, METHODS["euler"], n).mean
        if task == "squat":
            out.rows.append(rows.at_most(name + "as it is", ours, HARNESS_CLEAN, None, clean, against=EARLIER))
        else:
            out.rows.append(rows.close(name + "as it is", None, clean, ours, HARNESS_TOLERANCE, against=EARLIER))
        out.rows.append(
            rows.close(
                name + "with the fault", None, faulty, faulty_error(truth, n), HARNESS_TOLERANCE, against=EARLIER
            )
        )
    return out
