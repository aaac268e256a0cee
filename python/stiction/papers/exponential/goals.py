# SPDX-License-Identifier: BSD-2-Clause
"""Where the paper can be beaten: one approximant for speed and accuracy, second order, refinement at switches, automatic order."""

from __future__ import annotations

from collections.abc import Sequence

from .. import rows
from ..rows import Row, own_record
from ..study import Section
from .accuracy import Results
from .methods import METHODS
from .published import GOALS, TASKS, Goal
from .tasks import Task
from .truth import Errors

GOAL = own_record("a goal past the paper")
TEXT = (
    "At the control period (squat 40, jump 10, trot 2 ms). Gains: mean error of the exponential step over that of midpoint for "
    "squat, medians for jump and trot. More steps: all attempts count, also those that were made again. Refinement uses the "
    "midpoint with automatic order at tolerance 1e-4; plain [1/2] is printed beside it. "
    "Automatic order has tolerance 1e-3: where the errors themselves are smaller (median of our own jump) it need not agree with exact."
)


def _known(goal: Goal, task: Task) -> float | None:
    """What was measured before, on the motion of the paper."""
    return goal.measured.get(task.name) if task.published else None


def _approximant_rows(task: Task, at: dict[str, Errors], own: str) -> list[Row]:
    goal, ratio = GOALS["median of [1/2] over exact"], at["1/2"].median / at["exact"].median
    out = [
        rows.at_most(
            f"median error of [1/2] over exact, {task.name}{own}",
            ratio,
            goal.bound[task.name],
            None,
            _known(goal, task),
            against=GOAL,
        )
    ]
    goal, statistic = GOALS["gain of midpoint"], "mean" if task.name == "squat" else "median"
    gain = getattr(at["1/2"], statistic) / getattr(at["midpoint 1/2"], statistic)
    label = f"gain of midpoint [1/2], {statistic} error, {task.name}{own}"
    if task.published:
        out.append(rows.at_least(label, gain, goal.bound[task.name], None, _known(goal, task), against=GOAL))
    else:
        out.append(rows.told(label, gain))
    return out


def _refined_rows(task: Task, at: dict[str, Errors], own: str) -> list[Row]:
    error, steps = GOALS["refined mean"], GOALS["refined steps"]
    refined = at["refined"]
    labels = (
        f"mean error, {task.name}{own}, {METHODS['refined'].label}",
        f"more steps by refinement, {task.name}{own}",
    )
    if not task.published:
        return [rows.told(labels[0], refined.mean), rows.told(labels[1], refined.parts - 1.0)]
    out = [rows.at_most(labels[0], refined.mean, error.bound[task.name], None, _known(error, task), against=GOAL),
           rows.at_most(labels[1], refined.parts - 1.0, steps.bound[task.name], None, _known(steps, task), against=GOAL)]  # fmt: skip
    for name in ("refined 1/2", "plain refined"):
        if name in at:
            out.append(rows.told(f"mean error, {task.name}, {METHODS[name].label}", at[name].mean))
    return out


def _automatic_rows(task: Task, at: dict[str, Errors], own: str) -> list[Row]:
    error, share = GOALS["automatic order, error"].bound[task.name], GOALS["automatic order, share"]
    auto, exact = at["auto"], at["exact"]
    out = []
    for statistic in ("mean", "median"):
        name, off = (
            f"automatic order, {statistic} error off exact, {task.name}{own}",
            abs(getattr(auto, statistic) / getattr(exact, statistic) - 1.0),
        )
        out.append(rows.at_most(name, off, error, against=GOAL) if task.published else rows.told(name, off))
    accepted = 1.0 - auto.exact_solves / len(auto.values)
    label = f"automatic order, share of [1/2], {task.name}{own}"
    out.append(rows.at_least(label, accepted, share.bound[task.name], None, _known(share, task), against=GOAL))
    return out


def section(measured: Sequence[tuple[Task, Results]]) -> Section:
    own = "" if measured[0][0].published else " (motions of our own)"
    out = Section(f"Past the paper: one setting, second order, switches, automatic order{own}", TEXT)
    for task, found in measured:
        at = {name: errors for (name, step), errors in found.items() if step == TASKS[task.name][0]}
        own = "" if task.published else ", own motion"
        out.rows += _approximant_rows(task, at, own)
        if task.name != "squat":
            out.rows += _refined_rows(task, at, own)
        out.rows += _automatic_rows(task, at, own)
    return out
