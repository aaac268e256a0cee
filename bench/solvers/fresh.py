# SPDX-License-Identifier: BSD-2-Clause
"""`auto` on freshly generated problems: new ones at every run, judged from outside, failures kept as files.

    python bench/solvers/fresh.py --count 2000 --adversarial 1000 --infeasible 200 --jobs 2 --output out/fresh

physical      st.generate.sample: B3 <= tolerance and B4 <= 30 tolerances is asked for on all of them
adversarial   random matrices, rank deficient, condition to 1e6
infeasible    a linear program proves that no solution exists; the solver must say so, with finite impulses

Every solve has a process of its own (stiction.bench.profiles.worker). Writes OUTPUT/fresh.json (machine, commit, seed, every problem that was
not solved, a summary per family) and OUTPUT/failures/NAME.hdf5.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

import sets
import stiction as st
from stiction import problems
from stiction.bench.profiles import worker as profile_worker
from stiction.bench.profiles.tables import Table
from stiction.output.tables import number

INFEASIBLE = "infeasible"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2000, help="physical problems")
    parser.add_argument("--adversarial", type=int, default=1000)
    parser.add_argument("--infeasible", type=int, default=200)
    parser.add_argument("--max-contacts", type=int, default=2000)
    parser.add_argument("--solver", default="auto")
    parser.add_argument("--tolerance", type=float, default=1e-8)
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds per problem")
    parser.add_argument("--jobs", type=int, default=1, help="processes side by side")
    parser.add_argument("--seed", type=int, help="a new one by default")
    parser.add_argument("--output", type=Path, default=Path("out/fresh"))
    return parser.parse_args()


def make(kind: str, seed: int, index: int, largest: int) -> tuple[str, str, st.ContactProblem]:
    """Name, family and problem number `index` of a kind."""
    if kind == "physical":
        item = st.generate.item(seed, index, largest)
        return item.name, item.family, item.problem
    maker = st.generate.adversarial if kind == "adversarial" else st.generate.infeasible
    return f"{kind}_{seed}_{index}", kind, maker(seed=(seed + index) % (1 << 31))


def attempt(task: tuple[str, int, int, int, str, float, float, str]) -> dict[str, Any]:
    """One problem, made, solved in a child, judged there; saved if it failed."""
    kind, seed, index, largest, solver, tolerance, limit, folder = task
    name, family, problem = make(kind, seed, index, largest)
    loaded = problems.Loaded(name, "generated", problem)
    job = {"solver": solver, "tolerance": tolerance, "limit": limit, "repeats": 0, "options": {}, "goals": []}
    answer = profile_worker.run_forked(loaded, job)
    row: dict[str, Any] = {
        "name": name,
        "kind": kind,
        "family": family,
        "seed": seed,
        "index": index,
        "contacts": problem.contacts,
        "storage": problem.storage,
    }
    keys = ("status", "solved", "b3", "b4", "spent", "iterations", "path", "reason")
    row |= {key: answer.get(key) for key in keys if answer.get(key) is not None}
    accepted = row.get("b3", math.inf) <= tolerance and row.get("b4", math.inf) <= problems.b4_factor(name) * tolerance
    row["good"] = row["status"] == INFEASIBLE if kind == INFEASIBLE else accepted
    if not row["good"]:
        row["file"] = keep(Path(folder), name, problem)
    return row


def keep(folder: Path, name: str, problem: st.ContactProblem) -> str | None:
    """The problem as a file, if the format has a place for its blocks."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        sets.save(folder / f"{name}.hdf5", problem, name)
    except st.InvalidInput:
        return None
    return f"{name}.hdf5"


def tasks(ask: argparse.Namespace) -> Iterator[tuple[str, int, int, int, str, float, float, str]]:
    counts = {"physical": ask.count, "adversarial": ask.adversarial, INFEASIBLE: ask.infeasible}
    for kind, count in counts.items():
        for index in range(count):
            yield (
                kind,
                ask.seed,
                index,
                ask.max_contacts,
                ask.solver,
                ask.tolerance,
                ask.time_limit,
                str(ask.output / "failures"),
            )


def summary(rows: list[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    """Counts and times per family or kind."""
    out = []
    for value in dict.fromkeys(r[key] for r in rows):
        own = [r for r in rows if r[key] == value]
        spent = np.array([r.get("spent", math.inf) for r in own])
        finite = spent[np.isfinite(spent)]
        out.append({
            key: value, "problems": len(own), "good": sum(r["good"] for r in own), "most_contacts": max(r["contacts"] for r in own),
            "median_ms": 1e3 * float(np.median(finite)) if finite.size else None,
            "p99_ms": 1e3 * float(np.quantile(finite, 0.99)) if finite.size else None,
            "longest_ms": 1e3 * float(finite.max()) if finite.size else None,
        })  # fmt: skip
    return out


def table(rows: list[dict[str, Any]], key: str, title: str) -> Table:
    lines = [
        [r[key], str(r["problems"]), str(r["good"]), f"{100 * r['good'] / r['problems']:.2f} %", str(r["most_contacts"]),
         *(number(math.nan if r[k] is None else r[k]) for k in ("median_ms", "p99_ms", "longest_ms"))]
        for r in summary(rows, key)
    ]  # fmt: skip
    return Table(
        title, [key, "problems", "good", "share", "most contacts", "median ms", "p99 ms", "longest ms"], lines,
        "good: the outside judge accepts at the tolerance; infeasible problems: the status says so. ms: wall time of "
        "one cold solve in a new process.",
    )  # fmt: skip


def main() -> int:
    ask = arguments()
    ask.seed = sets.new_seed() if ask.seed is None else ask.seed
    ask.output.mkdir(parents=True, exist_ok=True)
    print(f"seed {ask.seed}, {ask.solver}, tolerance {ask.tolerance:g}", flush=True)
    begin, rows = time.monotonic(), []
    with ProcessPoolExecutor(ask.jobs) as pool:
        for row in pool.map(attempt, tasks(ask), chunksize=4):
            rows.append(row)
            if not row["good"]:
                print(json.dumps(row), flush=True)
    store = {
        "machine": sets.machine(), "seed": ask.seed, "solver": ask.solver, "tolerance": ask.tolerance, "limit": ask.time_limit,
        "jobs": ask.jobs, "max_contacts": ask.max_contacts, "seconds": time.monotonic() - begin, "kinds": summary(rows, "kind"),
        "families": summary(rows, "family"), "failures": [r for r in rows if not r["good"]],
    }  # fmt: skip
    (ask.output / "fresh.json").write_text(json.dumps(store, indent=1))
    print(table(rows, "family", f"Families, seed {ask.seed}").text())
    print(table(rows, "kind", "Kinds").text())
    return 0 if all(r["good"] for r in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
