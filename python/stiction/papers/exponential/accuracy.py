# SPDX-License-Identifier: BSD-2-Clause
"""Local errors of every method and step against one common truth (Figs. 2 and 3): mean, median, 95 %, largest, without switches."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from ...output.tables import number
from .. import rows
from ..rows import EARLIER, Row, independent, own_record
from ..rows import published as paper
from ..study import Section, Table
from .methods import METHODS
from .published import ERROR_TOLERANCE, ERRORS, MEANS, RECORDED, TASKS
from .tasks import NAMES, NEEDS, Task
from .truth import QUICK_STEP, STEP, Errors, Truth, cross_check, local_errors, make_truth

Results = dict[tuple[str, float], Errors]  # by method and step [ms]

HALVINGS = {"squat": 8, "jump": 6, "trot": 4}  # 0.156, 0.156 and 0.125 ms; Euler goes three further
EVERYWHERE = (
    "exact",
    "1/2",
    "1/1",
    "midpoint 1/2",
    "midpoint exact",
    "rk4",
    "implicit",
    "euler",
    "euler semi",
    "euler classic",
)
SOME = {"2/3": 2, "2/2": 2, "3/3": 2, "auto": 0, "refined": 0, "refined 1/2": 0, "plain refined": 0}  # further halvings
QUICK = ("exact", "1/2", "2/3", "1/1", "2/2", "3/3", "auto", "midpoint 1/2", "midpoint exact", "refined", "implicit")
OWN = ("exact", "1/2", "1/1", "auto", "midpoint 1/2", "midpoint exact", "refined", "implicit")
TRUTH_MEDIAN, TRUTH_MEAN = 1e-6, 1e-3  # how well the two fine methods have to agree
TEXT = (
    "Local error: every control step starts from the truth, with its anchors and slip flags, and is compared at its end; largest "
    "component over base, joints and velocities. One truth for all methods (exponential midpoint at 1/{fraction} ms or finer, checked "
    "by Runge-Kutta at the same step); the paper compares each method with its own.\n"
    "Means of jump and trot come from the few control steps in which a contact opens or closes; medians tell of the method. "
    "The published Figs. 2 to 4 are not quoted for explicit Euler and Runge-Kutta: the harness added contact forces at every reset "
    "(section on its fault)."
)
OWN_TEXT = "\nMotions of our own: what stands under measured was recorded by this program when they were made, and guards against change."


def measure(task: Task, quick: bool) -> tuple[Truth, Errors, Results]:
    """Truth, its cross-check, and all errors of a task."""
    truth = make_truth(task, QUICK_STEP if quick else STEP)
    check = cross_check(truth, every=10 if quick else 5)
    found: Results = {}
    for name, halvings in _plan(task, quick).items():
        if METHODS[name].available:
            for k in range(halvings + 1):
                errors = local_errors(truth, METHODS[name], 2**k)
                found[name, errors.step] = errors
    return truth, check, found


def _plan(task: Task, quick: bool) -> dict[str, int]:
    if quick or not task.published:
        return dict.fromkeys(QUICK if task.published else OWN, 0)
    most = HALVINGS[task.name]
    plan = {name: most + (3 if name.startswith("euler") else 0) for name in EVERYWHERE}
    for name, halvings in SOME.items():
        plan[name] = 3 if halvings and task.name == "jump" else halvings
    return plan


def _rows(task: Task, found: Results, quick: bool) -> list[Row]:
    known = ERRORS if task.published else RECORDED.get(task.legged.model, {})
    if task.name not in known:
        return []
    (statistic, methods), own = known[task.name], "" if task.published else ", own motion"
    out = []
    for name, values in methods.items():
        for step, measured in values.items():
            if quick and step != TASKS[task.name][0]:
                continue
            label = f"{statistic} error, {task.name} {step:.4g} ms, {METHODS[name].label}{own}"
            if (name, step) in found:
                ours = getattr(found[name, step], statistic)
                against = EARLIER if task.published else own_record("when the motion was made")
                out.append(rows.close(label, None, measured, ours, ERROR_TOLERANCE[task.name], against=against))
            elif not METHODS[name].available:
                out.append(
                    rows.skipped(label, f"the stepper {METHODS[name].stepper}, which this build lacks", None, measured)
                )
            else:
                out.append(rows.missing(label, against=EARLIER, measured=measured))
    return out


def _claims(task: Task, found: Results) -> list[Row]:
    """What the paper says of Fig. 3, on medians: its means are those of the few steps in which contacts switch."""
    figure = paper("Fig. 3")
    period = TASKS[task.name][0]
    fine = 5.0 if task.name == "squat" else period
    like = found["implicit", fine].median / found["exact", fine].median
    wide = max(e.mean for (name, _), e in found.items() if name == "euler")
    kept = max(e.mean for (name, _), e in found.items() if name == "exact")
    return [
        rows.within_factor(f"implicit Euler over exponential, median error, {task.name} {fine:g} ms", 1.0, None, like, 1.5, against=figure),
        rows.at_least(f"explicit Euler over exponential, largest mean error of all steps, {task.name}", wide / kept, 10.0, "sudden increase",
                      against=paper("Figs. 2 and 3")),
    ]  # fmt: skip


def _means(task: Task, found: Results) -> Table:
    """Methods by steps; in brackets what was measured before, where each method had its own truth. One step alone makes no line."""
    steps = sorted({step for _, step in found}, reverse=True)
    lines = []
    for name, count in Counter(name for name, _ in found).items():
        if count == 1:
            continue
        line = [METHODS[name].label]
        for step in steps:
            known = MEANS.get(task.name, {}).get(name, {}).get(step) if task.published else None
            here = found.get((name, step))
            line.append((_show(here.mean) + (f" ({number(known)})" if known else "")) if here else "")
        lines.append(line)
    return Table(f"{task.name} ({task.source}): mean error by step [ms]; in brackets: measured before, own truth per method",
                 ["", *(f"{step:.4g}" for step in steps)], lines)  # fmt: skip


def _show(x: float) -> str:
    return "fails" if not math.isfinite(x) or x > 1e6 else number(x)


def statistics(task: Task, found: Results) -> Table:
    """All numbers of rule 5 (mean, median, 95 %, max, mean without switches) at the control period."""
    period = TASKS[task.name][0]
    header = ["", "mean", "median", "95 %", "max", "mean without switches", "switches", "failures"]
    lines = [[METHODS[name].label, *map(_show, (e.mean, e.median, e.high, e.max, e.smooth_mean)), str(int(e.switched.sum())), str(e.unaccepted)]
             for (name, step), e in found.items() if step == period]  # fmt: skip
    return Table(f"{task.name} ({task.source}): errors at {period:g} ms over {len(next(iter(found.values())).values)} control steps",
                 header, lines)  # fmt: skip


def section(measured: Sequence[tuple[Task, Truth, Errors, Results]], quick: bool, missing: bool) -> Section:
    own = "" if measured[0][0].published else ", motions of our own"
    text = TEXT.format(fraction=round(1.0 / (QUICK_STEP if quick else STEP)))
    out = Section(f"Accuracy (Figs. 2 and 3){own}", text + (OWN_TEXT if own else ""))
    for task, _, check, found in measured:
        own = "" if task.published else ", own motion"
        out.rows.append(
            rows.at_most(
                f"truth against Runge-Kutta, median, {task.name}{own}",
                check.median,
                TRUTH_MEDIAN,
                against=independent("Runge-Kutta at the same step"),
            )
        )
        if not quick:
            out.rows.append(
                rows.at_most(
                    f"truth against Runge-Kutta, mean, {task.name}{own}",
                    check.mean,
                    TRUTH_MEAN,
                    against=independent("Runge-Kutta at the same step"),
                )
            )
        out.tables.append(statistics(task, found))
        if not quick and task.published:
            out.tables.append(_means(task, found))
        out.rows += _rows(task, found, quick)
        if not quick and task.published:
            out.rows += _claims(task, found)
    if missing:
        for name in NAMES:
            statistic, methods = ERRORS[name]
            period = TASKS[name][0]
            out.rows += [rows.skipped(f"{statistic} error, {name} {period:g} ms, {METHODS[m].label}", NEEDS, None, methods[m][period])
                         for m in ("exact", "1/2")]  # fmt: skip
    return out
