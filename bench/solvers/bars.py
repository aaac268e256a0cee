# SPDX-License-Identifier: BSD-2-Clause
"""What `auto` is held to, as tables from records of stiction.bench.profiles.run.

A  every shared problem, cold, at 1e-8 and 1e-12: B3 <= tolerance, B4 <= 30 tolerances (200 for gen_*)
C  time to 1e-8 never more than twice that of the fastest single method on the same problem, except below 0.1 ms
G  a budget of 0.1, 1, 10 ms: kept within 20 %, finite impulses, a status that says so, a residual that falls with the budget
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from stiction import problems
from stiction.bench.profiles import records as profiles
from stiction.bench.profiles.records import Record
from stiction.bench.profiles.tables import Table, power
from stiction.output.tables import number

DRIVER = "auto"
SLOWEST, EXEMPT = 2.0, 1e-4  # ratio to the fastest; time below which it does not matter [s]
OVERRUN = 1.2
NOISE = 1.5  # by so much may a residual grow with the budget: iterates are not monotone, round-off is no progress


def reached(records: Sequence[Record]) -> Table:
    """Bar A: what auto reaches on every problem."""
    rows = []
    tolerances = sorted({r.tolerance for r in records}, reverse=True)
    for r in sorted((r for r in records if r.solver == DRIVER), key=lambda r: (-r.tolerance, r.contacts, r.problem)):
        twin = f" (= {r.duplicate_of})" if r.duplicate_of else ""
        allowed = problems.b4_factor(r.problem) * r.tolerance
        rows.append([
            r.problem + twin, str(r.contacts), power(r.tolerance), "yes" if r.solved else "NO", r.status, number(r.b3), number(r.b4),
            number(r.b4 / allowed), number(1e3 * (r.seconds if r.solved else r.spent)), number(r.megabytes), str(r.iterations), r.path,
        ])  # fmt: skip
    count = [
        f"{sum(r.solved for r in records if r.tolerance == t)} of {sum(r.tolerance == t for r in records)} at {power(t)}"
        for t in tolerances
    ]
    return Table(
        f"A: auto, cold, limit {records[0].limit:g} s: " + ", ".join(count),
        ["problem", "contacts", "tolerance", "solved", "status", "B3", "B4", "B4/allowed", "ms", "MB", "iterations", "path"], rows,
        "solved: the outside judge finds B3 <= tolerance and B4 <= 30 tolerances (200 for gen_*). ms: CPU time of the solver alone; of a "
        "failure what was spent. MB: the largest memory of the process.",
    )  # fmt: skip


def against_best(records: Sequence[Record], tolerance: float) -> list[dict[str, Any]]:
    """Bar C, one row per problem: auto's time, the fastest single method and its time, whether the bar is exceeded."""
    rows = []
    at = profiles.counted([r for r in records if r.tolerance == tolerance])
    for name in dict.fromkeys(r.problem for r in at):
        own = {r.solver: r for r in at if r.problem == name}
        auto = own.get(DRIVER)
        if auto is None:
            continue
        others = [r for r in own.values() if r.solver != DRIVER and r.solved]
        best = min(others, key=lambda r: r.seconds, default=None)
        ratio = auto.seconds / best.seconds if best is not None and auto.solved else None
        exceeds = (ratio is not None and ratio > SLOWEST and auto.seconds > EXEMPT) or (
            best is not None and not auto.solved
        )
        rows.append({
            "problem": name, "contacts": auto.contacts, "auto": auto.seconds if auto.solved else None, "path": auto.path,
            "best": best.seconds if best else None, "solver": best.solver if best else None, "ratio": ratio, "exceeds": exceeds,
        })  # fmt: skip
    return rows


def best_table(rows: Sequence[dict[str, Any]], tolerance: float) -> Table:
    """The rows of `against_best`, worst first."""
    order = sorted(rows, key=lambda r: -(math.inf if r["auto"] is None else r["ratio"] or 0.0))
    milliseconds = lambda x: "never" if x is None else number(1e3 * x)
    lines = [
        [r["problem"], str(r["contacts"]), milliseconds(r["auto"]), r["solver"] or "nobody", milliseconds(r["best"]),
         "-" if r["ratio"] is None else number(r["ratio"]), "NO" if r["exceeds"] else "yes", r["path"]]
        for r in order
    ]  # fmt: skip
    exempt = sum(r["ratio"] is not None and r["ratio"] > SLOWEST and not r["exceeds"] for r in rows)
    return Table(
        f"C: auto against the fastest single method, to {power(tolerance)}: within {SLOWEST:g} on "
        f"{sum(not r['exceeds'] for r in rows)} of {len(rows)}, {exempt} of them only because below {1e3 * EXEMPT:g} ms",
        ["problem", "contacts", "auto ms", "fastest", "its ms", "ratio", "within", "path of auto"], lines,
        "one thread, cold, CPU time, median of the repeats. The fastest of all others is known only afterwards; auto has to find it.",
    )  # fmt: skip


def budget_rows(records: Sequence[Record]) -> list[dict[str, Any]]:
    """Bar G, one row per problem and budget."""
    rows = []
    for r in records:
        if r.solver != DRIVER or not r.budgets:
            continue
        before = math.inf
        for key in sorted(r.budgets, key=float):
            found, budget = r.budgets[key], float(key)
            b3 = math.inf if found["b3"] is None else found["b3"]
            rows.append({
                "problem": r.problem, "contacts": r.contacts, "budget": budget, **found, "share": found["used"] / budget,
                "kept": found["used"] <= OVERRUN * budget, "monotone": b3 <= max(NOISE * before, r.tolerance),
                "honest": found["status"] in ("converged", "max_iterations", "stalled") and found["finite"],
            })  # fmt: skip
            before = min(before, b3)
    return rows


def budget_table(rows: Sequence[dict[str, Any]]) -> Table:
    """The rows of `budget_rows`, then their sums."""
    mark = lambda good: "yes" if good else "NO"
    lines = [
        [r["problem"], str(r["contacts"]), f"{1e3 * r['budget']:g}", number(r["share"]), mark(r["kept"]), r["status"],
         number(math.nan if r["b3"] is None else r["b3"]), mark(r["monotone"]), mark(r["honest"]), r["path"]]
        for r in sorted(rows, key=lambda r: (r["kept"], r["contacts"], r["problem"], r["budget"]))
    ]  # fmt: skip
    count = {key: sum(r[key] for r in rows) for key in ("kept", "monotone", "honest")}
    return Table(
        f"G: budgets: kept {count['kept']}, monotone {count['monotone']}, defined status and finite {count['honest']}, of {len(rows)}",
        ["problem", "contacts", "budget ms", "used/budget", "kept", "status", "B3", "monotone", "defined", "path"], lines,
        f"used: the longest CPU time of nine solves by a solver that has seen the problem. kept: at most {OVERRUN:g} budgets. monotone: B3 not above "
        f"{NOISE:g} times that of the smaller budget (or within the tolerance). A problem solved within the budget is `converged`.",
    )  # fmt: skip
