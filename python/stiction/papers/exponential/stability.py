# SPDX-License-Identifier: BSD-2-Clause
"""Table II: the largest step with which a motion stays bounded, without resets.

Bounded: finite, and |v| at control instants never above three times the largest rate of the reference. (The paper's criterion,
‖v‖ <= 1e5, calls a robot stable that flails at 1000 rad/s.) Steps are halved from the control period on; the first that is
bounded counts. implicit_euler: Newton failures are counted, not hidden.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...output.tables import number
from .. import rows
from ..rows import EARLIER, Row, own_record
from ..rows import published as paper
from ..study import NOT_MADE, Section, Table
from .methods import METHODS, Method
from .published import AS_STABLE, STABLE
from .tasks import NEEDS, Task

HALVINGS = 10
SHOWN = ("exact", "1/2", "2/3", "midpoint 1/2", "midpoint exact", "1/1", "2/2", "3/3", "euler", "euler semi", "euler classic",
         "rk4", "implicit")  # fmt: skip
QUICK = ("exact", "1/2", "midpoint 1/2", "1/1", "euler", "implicit")
OWN = ("exact", "1/2", "midpoint 1/2", "1/1", "euler", "rk4", "implicit")  # on motions of our own
QUICK_OWN = ("1/2", "midpoint 1/2")
TEXT = (
    "Largest stable step in ms. Bounded means: finite, and |v| at control instants at most three times the largest rate of the "
    "reference (squat 5, jump 108, trot 38 rad/s); no step refused; no resets. The paper's own criterion is ‖v‖ <= 1e5.\n"
    "The low diagonal approximants [1/1], [2/2], [3/3] are what the paper times; they are A-stable but not L-stable and lose the "
    "stability that it reports for the whole exponential. [1/2] keeps it for one complex solve and is the default."
)


@dataclass(frozen=True)
class Run:
    """How a motion went with one method and step."""

    stable: bool
    steps: int  # control steps made
    largest: float  # |v| at control instants
    height: float  # of the base at the end [m]
    unaccepted: int


def run(task: Task, method: Method, substeps: int, steps: int | None = None) -> Run:
    """The motion in closed loop until it ends or leaves its bounds."""
    sim = task.simulator(method, substeps)
    torque = task.begin(sim)
    largest, unaccepted, steps = 0.0, 0, task.stability_steps if steps is None else steps
    for k in range(steps):
        report = sim.step(torque(sim, k), n=substeps)
        unaccepted += report.unaccepted
        largest = max(largest, float(np.abs(sim.v).max()))
        if report.status in NOT_MADE or not largest <= task.bound:
            return Run(False, k + 1, largest, float(sim.q[2]), unaccepted)
    return Run(True, steps, largest, float(sim.q[2]), unaccepted)


def largest_step(task: Task, method: Method, halvings: int = HALVINGS) -> tuple[float, Run]:
    """The largest stable step [ms] among period/2^k, and its run; NaN if none is."""
    last = Run(False, 0, float("nan"), float("nan"), 0)
    for k in range(halvings):
        last = run(task, method, 2**k)
        if last.stable:
            return 1e3 * task.period / 2**k, last
    return float("nan"), last


def _row(task: Task, method: Method, ours: float) -> Row | None:
    """Held against paper and measurement where there is one; motions of our own have to bear their whole control period."""
    name = f"stable step [ms], {task.name}, {method.label}"
    if not task.published:
        if method.name not in AS_STABLE:
            return None
        return rows.at_least(
            name + ", own motion", ours, 1e3 * task.period, against=own_record("the whole control period")
        )
    if method.name not in STABLE:
        return None
    published, measured = STABLE[method.name][task.name]
    against = EARLIER if published is None else paper("Table II")
    if method.name in AS_STABLE:
        return rows.at_least(name, ours, 1e3 * task.period, published, measured, against=against)
    return rows.within_halving(name, published, measured, ours, against=against)


def section(tasks: list[Task], quick: bool, missing: bool) -> Section:
    own = not tasks[0].published
    out = Section("Stability (Table II)" + (", motions of our own" if own else ""), TEXT)
    lines = []
    for name in {(False, False): SHOWN, (True, False): QUICK, (False, True): OWN, (True, True): QUICK_OWN}[quick, own]:
        method = METHODS[name]
        line = [method.label]
        for task in tasks:
            if not method.available:
                line.append("-")
                if task.published:
                    out.rows.append(
                        _skipped(task.name, method, f"the stepper {method.stepper}, which this build lacks")
                    )
                continue
            step, last = largest_step(task, method)
            line.append(
                f"{number(step)} ({number(last.largest)}"
                + (f", {last.unaccepted} failures)" if last.unaccepted else ")")
            )
            row = _row(task, method, step)
            if row is not None:
                out.rows.append(row)
        lines.append(line)
    title = f"{tasks[0].legged.model}: largest stable step [ms] (largest |v| with it)"
    out.tables.append(Table(title, ["", *(task.name for task in tasks)], lines))
    if missing:
        out.rows += [
            _skipped(task, METHODS[m], NEEDS) for task in ("squat", "jump", "trot") for m in ("exact", "1/2", "euler")
        ]
    return out


def _skipped(task: str, method: Method, needs: str) -> Row:
    published, measured = STABLE[method.name][task]
    return rows.skipped(f"stable step [ms], {task}, {method.label}", needs, published, measured)
