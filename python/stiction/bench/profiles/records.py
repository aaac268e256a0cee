# SPDX-License-Identifier: BSD-2-Clause
"""Performance profiles (Dolan and More 2002): many solvers on many problem files, judged from outside.

    t(p, s)   time of solver s on problem p to the tolerance; infinite on failure, time-out, or if the judge disagrees
    ratio     t(p, s) / min over s of t(p, s)
    rho_s(T)  share of ALL problems with ratio <= T: rho(1) are the wins, rho(inf) the problems solved

A record carries its tolerance, its limit, its law and its start; records that differ in them are never mixed.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import numpy as np

from ..._core import InvalidInput
from ...output.files import write_text

LARGE = 20  # contacts from which a problem is also reported apart: small ones dominate counts


@dataclass(frozen=True)
class Record:
    """One solver on one problem at one tolerance."""

    problem: str
    contacts: int
    solver: str
    law: str
    tolerance: float
    limit: float  # [s]
    status: str  # of the solver; or killed, crashed, refused, skipped
    start: str = "cold"
    solved: bool = False  # what the outside judge says
    seconds: float = math.inf  # median over the repeats, of the solver alone; infinite unless solved
    spent: float = math.inf  # of the one run that was judged [s], solved or not
    repeats: int = 0
    iterations: int = 0
    megabytes: float = math.nan  # largest memory of the process that solved, the problem included
    b3: float = math.nan
    b4: float = math.nan
    ncp_b3: float = math.nan  # under exact Coulomb: what the model costs
    lcp: float = math.nan  # LCP files only
    path: str = ""  # stages taken
    reason: str = ""  # of a refusal
    duplicate_of: str = ""  # the same problem under another name: counted once
    residual_at: dict[str, float] = field(default_factory=dict)  # best B3 after so many seconds
    time_to: dict[str, float | None] = field(default_factory=dict)  # seconds to B3 and B4 of a tolerance
    budgets: dict[str, dict[str, Any]] = field(default_factory=dict)  # what a time limit of so many seconds gives back

    def summary(self) -> dict[str, Any]:
        """For JSON, which knows no infinity: what is not finite is null."""
        return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in asdict(self).items()}

    @staticmethod
    def from_summary(values: dict[str, Any]) -> Record:
        """The record again."""
        lost = {"seconds": math.inf, "spent": math.inf}
        known = {f.name for f in fields(Record)}
        if set(values) - known or {"problem", "solver", "tolerance", "limit"} - set(values):
            raise InvalidInput("profiles: this is not a record of `stiction compare --problems`")
        found: dict[str, Any] = {k: lost.get(k, math.nan) if v is None else v for k, v in values.items()}
        return Record(**found)


def save(path: str | os.PathLike[str], records: Sequence[Record]) -> None:
    """Write records as JSON."""
    write_text(path, json.dumps({"records": [r.summary() for r in records]}, indent=1, allow_nan=False))


def load(path: str | os.PathLike[str]) -> list[Record]:
    """Read records that `save` wrote."""
    try:
        with open(path, encoding="utf-8") as file:
            return [Record.from_summary(r) for r in json.load(file)["records"]]
    except (KeyError, TypeError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(f"profiles: '{os.fspath(path)}' holds no records") from error


def refuse_mixture(records: Sequence[Record]) -> None:
    """Times to different tolerances, under different limits, laws or starts say nothing about each other."""
    for key, unit in (("tolerance", ""), ("limit", " s"), ("law", ""), ("start", "")):
        found = sorted({getattr(r, key) for r in records})
        if len(found) > 1:
            raise InvalidInput(
                f"profiles: records of {key} {' and '.join(f'{x:g}{unit}' if unit or key == 'tolerance' else x for x in found)} cannot be mixed"
            )


def merge(*parts: Sequence[Record]) -> list[Record]:
    """Records of several runs in one list; those of other limits, laws or starts are refused, as are repetitions."""
    records = [r for part in parts for r in part]
    tolerances = [{r.tolerance for r in part} for part in parts if part]
    if any(t != tolerances[0] for t in tolerances):
        raise InvalidInput(
            f"profiles: records of tolerances {sorted(tolerances[0])} and {sorted(set().union(*tolerances) - tolerances[0])} cannot be mixed"
        )
    for tolerance in tolerances[0] if tolerances else ():
        refuse_mixture([r for r in records if r.tolerance == tolerance])
    keys = [(r.problem, r.solver, r.tolerance) for r in records]
    twice = next((k for k in keys if keys.count(k) > 1), None)
    if twice:
        raise InvalidInput(f"profiles: {twice[1]} on {twice[0]} is there twice")
    return records


def counted(records: Iterable[Record], smallest: int = 0) -> list[Record]:
    """Without duplicates, and only problems of at least so many contacts."""
    return [r for r in records if not r.duplicate_of and r.contacts >= smallest]


def ratios(records: Sequence[Record]) -> dict[str, np.ndarray]:
    """For every solver its ratio to the fastest on every problem, sorted; infinite where it failed.

    A problem without a record of a solver counts as failed: it stays in the denominator.
    """
    refuse_mixture(records)
    rows = sorted({r.problem for r in records})
    solvers = list(dict.fromkeys(r.solver for r in records))
    times = np.full((len(rows), len(solvers)), math.inf)
    for r in records:
        if r.solved:
            times[rows.index(r.problem), solvers.index(r.solver)] = r.seconds
    fastest = times.min(axis=1, keepdims=True, initial=math.inf)
    with np.errstate(invalid="ignore"):
        out = np.where(np.isfinite(times), times / fastest, math.inf)
    return {solver: np.sort(out[:, k]) for k, solver in enumerate(solvers)}


def rho(sorted_ratios: np.ndarray, T: float) -> float:
    """Share of all problems with ratio <= T; T = inf gives the share solved."""
    solved = sorted_ratios[np.isfinite(sorted_ratios)]
    return float(np.count_nonzero(solved <= T) / max(1, sorted_ratios.size))


def pairwise(records: Sequence[Record]) -> dict[tuple[str, str], tuple[float, int, int, int]]:
    """For every pair (a, b): median of t_a / t_b where both solved, number of such problems, only a, only b solved.

    Removing one solver changes the minimum and with it every curve: "a beats b" needs this, not the profile.
    """
    refuse_mixture(records)
    times = {(r.solver, r.problem): r.seconds for r in records if r.solved}
    solvers, rows = list(dict.fromkeys(r.solver for r in records)), sorted({r.problem for r in records})
    out = {}
    for i, a in enumerate(solvers):
        for b in solvers[i + 1 :]:
            both = [times[a, p] / times[b, p] for p in rows if (a, p) in times and (b, p) in times]
            only = [sum((x, p) in times and (y, p) not in times for p in rows) for x, y in ((a, b), (b, a))]
            out[a, b] = (float(np.median(both)) if both else math.nan, len(both), only[0], only[1])
    return out


def median(values: Iterable[float | None]) -> float:
    """Median in which what was never reached is infinite."""
    numbers = sorted(math.inf if v is None else v for v in values)
    return numbers[(len(numbers) - 1) // 2] if numbers else math.nan
