# SPDX-License-Identifier: BSD-2-Clause
"""The tables of `stiction compare --problems`. One list of them feeds the terminal and the report."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...output.tables import number, text_table
from . import records as profiles
from .records import LARGE, Record

RATIOS = (1.0, 2.0, 10.0, math.inf)


@dataclass(frozen=True)
class Table:
    """A table with its heading and what its columns mean."""

    title: str
    header: list[str]
    rows: list[list[str]]
    meaning: str

    def text(self) -> str:
        """For the terminal."""
        note = textwrap.fill(self.meaning, 118, initial_indent="  ", subsequent_indent="  ")
        return f"{self.title}\n\n{text_table(self.header, self.rows)}\n" + (f"\n{note}\n" if note else "")


def _solvers(records: Sequence[Record]) -> list[str]:
    return list(dict.fromkeys(r.solver for r in records))


def _tolerances(records: Sequence[Record]) -> list[float]:
    return sorted({r.tolerance for r in records}, reverse=True)


def power(x: float) -> str:
    """1e-4, 2.5e-6: one way to write tolerances."""
    return np.format_float_scientific(x, trim="-", exp_digits=1)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def ran(records: Sequence[Record]) -> tuple[list[Record], list[str]]:
    """Records of solvers that took at least one problem, and the sentences of those that refused all."""
    kept, refused = [], []
    for solver in _solvers(records):
        own = [r for r in records if r.solver == solver]
        if all(r.status == "refused" for r in own):
            refused.append(own[0].reason)
        else:
            kept += own
    return kept, refused


def problem_table(records: Sequence[Record]) -> Table:
    """Every run: how it ended, what the judge found, what it cost."""
    with_lcp = any(math.isfinite(r.lcp) for r in records)
    header = [
        "problem",
        "contacts",
        "solver",
        "tolerance",
        "solved",
        "status",
        "B3",
        "B4",
        *(["LCP error"] if with_lcp else []),
        "iterations",
        "ms",
    ]
    rows = []
    for r in records:
        twin = f" (= {r.duplicate_of})" if r.duplicate_of else ""
        cost = (
            number(1e3 * r.seconds) if r.solved else (f"> {number(1e3 * r.spent)}" if math.isfinite(r.spent) else "-")
        )
        rows.append([
            r.problem + twin, str(r.contacts), r.solver, power(r.tolerance), "yes" if r.solved else "no", r.status, number(r.b3), number(r.b4),
            *([number(r.lcp)] if with_lcp else []), str(r.iterations), cost,
        ])  # fmt: skip
    return Table(
        "Every run", header, rows,
        "solved: the judge, which no solver feeds, finds B3 <= tolerance and B4 <= 30 tolerances (200 for gen_* files). "
        "status is the solver's own word. ms: solver alone, median of the repeats; after '>' what was spent in vain. "
        "(= name): the same problem again, counted once below. 'contacts' of an LCP are its rows.",
    )  # fmt: skip


def share_table(records: Sequence[Record]) -> Table:
    """How many problems each solver solves at each tolerance."""
    tolerances = _tolerances(records)
    groups = [("", profiles.counted(records)), (f", n>={LARGE}", profiles.counted(records, LARGE))]
    groups = [g for g in groups if g[1]]
    header = ["solver", *(power(t) + label for label, _ in groups for t in tolerances)]
    rows = []
    for solver in _solvers(records):
        row = [solver]
        for _, group in groups:
            for t in tolerances:
                own = [r.solved for r in group if r.solver == solver and r.tolerance == t]
                row.append(f"{sum(own)} of {len(own)} ({_percent(sum(own) / max(1, len(own)))})")
        rows.append(row)
    return Table(
        "Share solved against tolerance", header, rows,
        f"Problems solved, of all problems, also those that nobody solves. n>={LARGE}: only problems of {LARGE} contacts or more.",
    )  # fmt: skip


def profile_table(records: Sequence[Record], tolerance: float) -> Table:
    """rho at a few ratios, for all problems and for the large ones (small ones dominate counts)."""
    at = [r for r in records if r.tolerance == tolerance]
    counted = [("", profiles.counted(at)), (f", n>={LARGE}", profiles.counted(at, LARGE))]
    groups = [(label, profiles.ratios(group)) for label, group in counted if group]
    counts = [len(next(iter(ratios.values()))) for _, ratios in groups]
    header = ["solver", *(f"rho({T:g}){label}" for label, _ in groups for T in RATIOS)]
    rows = [
        [solver, *(_percent(profiles.rho(ratios[solver], T)) for _, ratios in groups for T in RATIOS)]
        for solver in _solvers(at)
    ]
    sizes = " and ".join(f"{count} problems{label}" for (label, _), count in zip(groups, counts, strict=True))
    return Table(
        f"Performance profile to {power(tolerance)}, limit {at[0].limit:g} s, {at[0].start} start", header, rows,
        f"rho(T): share of {sizes}, that the solver solves within T times the time of the fastest solver on that problem; "
        "rho(1) are its wins, rho(inf) what it solves at all. The fastest depends on who takes part: "
        "'a beats b' needs the pairwise table (--pairwise).",
    )  # fmt: skip


def history_table(records: Sequence[Record]) -> Table:
    """What is reached after fixed times, and when residuals are reached."""
    own = [r for r in profiles.counted(records) if r.tolerance == _tolerances(records)[-1]]
    budgets = sorted({t for r in own for t in r.residual_at}, key=float)
    goals = sorted({t for r in own for t in r.time_to}, key=float, reverse=True)
    header = [
        "solver",
        *(f"B3 at {1e3 * float(t):g} ms" for t in budgets),
        *(f"ms to {power(float(g))}" for g in goals),
    ]
    rows = []
    for solver in _solvers(records):
        mine = [r for r in own if r.solver == solver]
        reached = [profiles.median([r.residual_at.get(t, 1.0) for r in mine]) for t in budgets]
        when = [1e3 * profiles.median([r.time_to.get(g) for r in mine]) for g in goals]
        rows.append([solver, *map(number, reached), *("never" if math.isinf(x) else number(x) for x in when)])
    return Table(
        "Residual at fixed time, and time to residual (medians over all problems)", header, rows,
        "from the history of the run to the tightest tolerance: best B3 of any iterate so far (1 if there is none yet), and solver time until "
        "B3 and B4 meet a tolerance for the first time. 'never': on more than half of the problems. The judge's time is left out.",
    )  # fmt: skip


def pairwise_table(records: Sequence[Record], tolerance: float) -> Table:
    """Who beats whom, one pair at a time."""
    at = profiles.counted([r for r in records if r.tolerance == tolerance])
    rows = [
        [f"{a} / {b}", number(ratio), str(both), str(only_a), str(only_b)]
        for (a, b), (ratio, both, only_a, only_b) in profiles.pairwise(at).items()
    ]
    return Table(
        f"Pairwise, to {power(tolerance)}", ["pair", "median time ratio", "both solved", "only the first", "only the second"], rows,
        "time of the first over the time of the second where both solved (below 1: the first is faster); it says nothing about the "
        "problems that only one of them solves, hence the counts beside it.",
    )  # fmt: skip


def all_tables(records: Sequence[Record], pairwise: bool = False) -> list[Table]:
    """In the order of print: every run, then what it comes to."""
    tolerances = _tolerances(records)
    out = [problem_table(records), share_table(records)]
    if any(r.residual_at for r in records):
        out.append(history_table(records))
    out += [profile_table(records, t) for t in tolerances if profiles.counted([r for r in records if r.tolerance == t])]
    if pairwise:
        out += [pairwise_table(records, t) for t in tolerances]
    return out
