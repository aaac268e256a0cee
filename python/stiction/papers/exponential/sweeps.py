# SPDX-License-Identifier: BSD-2-Clause
"""Fig. 4: errors on the trot by stiffness (ζ = 0.5) and by damping ratio (K = 1e5 N/m), B = 2ζ√K (for one kilogram)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from ...output.tables import number
from .. import rows
from ..rows import Row
from ..rows import published as paper
from ..study import Section, Table
from .methods import METHODS
from .published import STIFFNESS, SWEEP_DAMPING, SWEEP_MEASURED, SWEEP_SPREAD, SWEEP_STEPS, SWEEP_STIFFNESS
from .tasks import NEEDS, Task
from .truth import Errors, local_errors, make_truth

TRUTH = 1.0 / 64.0  # [ms], as in the paper
QUICK_TRUTH = 1.0 / 16.0
UNSOLVED = 0.02  # share of Newton searches that may fail where a contact switches
TEXT = (
    "Mean local error (median in brackets) on the trot: exponential and implicit Euler at 2 ms, explicit Euler at 0.5 ms; one truth "
    "per stiffness. [1/1] is the setting of the paper. Measured before: own truth per method, [1/1] also for its truth."
)


@dataclass
class Sweep:
    """Errors by method along one parameter."""

    name: str  # stiffness, damping
    values: list[float]
    errors: dict[str, list[Errors]] = field(default_factory=dict)


def measure(task: Task, name: str, values: list[float], truth_step: float, steps: int | None = None) -> Sweep:
    out = Sweep(name, values)
    for value in values:
        stiffness, ratio = (value, 0.5) if name == "stiffness" else (STIFFNESS, value)
        options = {"stiffness": stiffness, "damping": 2.0 * ratio * math.sqrt(stiffness)}
        truth = make_truth(task, truth_step, steps, options, approximant="2/3")
        for method, step in SWEEP_STEPS.items():
            if METHODS[method].available:
                out.errors.setdefault(method, []).append(local_errors(truth, METHODS[method], task.substeps(step)))
    return out


def spread(errors: list[Errors]) -> float:
    """Largest mean over smallest."""
    means = [e.mean for e in errors]
    return max(means) / min(means)


def _table(task: Task, sweep: Sweep, compare: bool) -> Table:
    lines = []
    reference = SWEEP_STIFFNESS if sweep.name == "stiffness" else SWEEP_DAMPING
    for method, errors in sweep.errors.items():
        label = f"{METHODS[method].label}, {SWEEP_STEPS[method]:g} ms"
        lines.append([label, *(f"{_show(e.mean)} ({_show(e.median)})" for e in errors)])
        known = SWEEP_MEASURED[sweep.name].get(method)
        if known and compare:
            at = dict(zip(reference, known, strict=True))
            lines.append(
                [
                    "  measured before",
                    *(number(x) if (x := at.get(value)) is not None else "-" for value in sweep.values),
                ]
            )
    title = "stiffness K [N/m], ζ = 0.5" if sweep.name == "stiffness" else "damping ratio ζ, K = 1e5 N/m"
    return Table(f"trot ({task.source}): {title}", ["", *(number(v, 2) for v in sweep.values)], lines)


def _show(x: float) -> str:
    return number(x, 2) if x < 1e4 else "fails"


def _claims(sweeps: list[Sweep], own: str) -> list[Row]:
    """Sentences about Fig. 4."""
    figure, stiffness = paper("Fig. 4"), sweeps[0]
    explicit, implicit, expo = (stiffness.errors[name] for name in ("euler", "implicit", "1/1"))
    out = [
        rows.at_least(
            f"explicit Euler: error at the stiffest over the softest contact{own}",
            explicit[-1].mean / explicit[0].mean,
            100.0,
            "highly affected",
            against=figure,
        ),
        _implicit(implicit[-1], expo[-1], own, len(sweeps) == 1),
    ]
    if len(sweeps) > 1:
        damping = sweeps[1].errors
        out += [rows.at_most(f"exponential [1/1]: largest over smallest mean error, ζ 0.2 to 1{own}", spread(damping["1/1"]), 1.5, "consistent",
                             against=figure),
                rows.at_least(f"explicit Euler: largest over smallest mean error, ζ 0.2 to 1{own}", spread(damping["euler"]), 5.0, "highly affected",
                              against=figure)]  # fmt: skip
    return out


def _implicit(implicit: Errors, expo: Errors, own: str, part: bool) -> Row:
    """ "Larger errors for very stiff contacts (K >= 1e6)": ours stay small where every step solves its own equations."""
    label = f"implicit over exponential [1/1], mean error at K = 1e8{own}"
    if part:  # the start of a motion has too few switches for a mean
        return rows.told(label, implicit.mean / expo.mean, "larger than 1 above 1e6")
    row = rows.at_least(label, implicit.mean / expo.mean, 1.0, "larger than 1", against=paper("Fig. 4"))
    lost = implicit.unaccepted / len(implicit.values)
    solved = rows.at_most(
        "", lost, UNSOLVED, measured=0.0, against=rows.closed_form("the equations of implicit Euler are solved")
    )
    reason = f"with exact derivatives of slip and open contacts all but {100.0 * lost:.1f} % of the Newton searches end, and the error stays small"
    return rows.differs(row, solved, reason)


def section(task: Task, quick: bool, missing: bool) -> tuple[Section, list[Sweep]]:
    out = Section("Stiffness and damping (Fig. 4)", TEXT)
    stiffness = [SWEEP_STIFFNESS[i] for i in (0, 4, 10)] if quick else SWEEP_STIFFNESS
    sweeps = [measure(task, "stiffness", stiffness, QUICK_TRUTH if quick else TRUTH, 400 if quick else None)]
    if not quick:
        sweeps.append(measure(task, "damping", SWEEP_DAMPING, TRUTH))
    compare = task.published and not quick  # a part of the motion has other means
    out.tables = [_table(task, sweep, compare) for sweep in sweeps]
    own = "" if task.published else ", own motion"
    own += ", first 0.8 s" if quick else ""
    for method in ("1/1", "1/2"):
        known = [x for x in SWEEP_MEASURED["stiffness"].get(method, []) if x is not None]
        before = max(known) / min(known) if known and compare else None
        out.rows.append(rows.at_most(f"largest over smallest mean error, K 1e3 to 1e8, {METHODS[method].label} 2 ms{own}",
                                     spread(sweeps[0].errors[method]), SWEEP_SPREAD, "consistent", before, against=paper("Fig. 4")))  # fmt: skip
    out.rows += _claims(sweeps, own)
    if missing:
        out.rows.append(rows.skipped("largest over smallest mean error, K 1e3 to 1e8, published trot", NEEDS))
    return out, sweeps
