# SPDX-License-Identifier: BSD-2-Clause
"""Runs solvers on problem files for performance profiles: every run in a process of its own (worker.py)."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from ... import problems
from ..._core import InvalidInput
from ...catalog import catalog
from ...output.suggest import unknown_name
from .records import Record

SHORT_LIMIT = 0.2  # of the run that stands in for a skipped one [s]


class _Worker:
    """A process that forks one child per run; single thread."""

    def __init__(self) -> None:
        one = {key: "1" for key in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "stiction.bench.profiles.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, **one},
        )  # fmt: skip

    def run(self, job: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError("profiles: the worker process ended")
        return json.loads(answer)

    def __enter__(self) -> _Worker:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


def _names(loaded: Sequence[problems.Loaded]) -> list[str]:
    """Stems, or whole paths where stems are not unique."""
    stems = [p.name for p in loaded]
    return [p.path if stems.count(stem) > 1 else stem for p, stem in zip(loaded, stems, strict=True)]


def _duplicates(loaded: Sequence[problems.Loaded], names: Sequence[str]) -> list[str]:
    """For every problem the name of an earlier one that is the same, or nothing."""
    seen: list[tuple[np.ndarray, str]] = []
    out = []
    for problem, name in zip(loaded, names, strict=True):
        sketch = problems.sketch(problem.problem)
        twin = next((n for s, n in seen if problems.same(s, sketch)), "")
        if not twin:
            seen.append((sketch, name))
        out.append(twin)
    return out


def solvers_of(law: str) -> list[str]:
    """All solvers of a friction law, in the order of the catalog."""
    return [entry.name for entry in catalog()["solvers"] if law in entry.laws]


def check_solvers(solvers: Iterable[str]) -> None:
    """Refuse unknown names before anything is run."""
    known = [entry.name for entry in catalog()["solvers"]]
    for name in solvers:
        if name not in known:
            raise unknown_name("solver", name, known)


def run(
    files: Sequence[str], solvers: Sequence[str] | None = None, law: str = "coulomb", tolerances: Sequence[float] = (1e-4, 1e-6, 1e-8),
    limit: float = 10.0, repeats: int = 5, options: dict[str, Any] | None = None, facets: int = 4, angle: float = 0.0,
    progress: Callable[[Record], None] | None = None, skip_after_limit: bool = False, budgets: Sequence[float] = (),
    histories: bool = True,
) -> list[Record]:  # fmt: skip
    """Run every solver on every problem at every tolerance, each run in its own process, from a cold start.

    Parameters
    ----------
    files
        Problem files (problems.load).
    solvers
        Names; None for all that solve the law.
    limit
        Seconds that one run may take; a run that does not end by itself is killed a quarter later.
    repeats
        A solved run is timed so often; the median counts.
    options
        Further options that all the solvers take.
    progress
        Called with every record.
    skip_after_limit
        A solver that ran into the limit is not run to tighter tolerances; its record says "skipped" and counts as a failure.
    budgets
        Time limits [s] whose result is judged apart (Record.budgets), at the tightest tolerance.
    histories
        Solve once more at the tightest tolerance for the residual over time (Record.residual_at, time_to).
    """
    chosen = list(solvers) if solvers is not None else solvers_of(law)
    check_solvers(chosen)
    goals = sorted(set(map(float, tolerances)), reverse=True)
    if not files or not chosen or not goals:
        raise InvalidInput("profiles: nothing to run; files, solvers and tolerances must not be empty")
    if not all(0.0 < t < 1.0 for t in goals) or not 0.0 < limit < math.inf or repeats < 1:
        raise InvalidInput(f"profiles: tolerances {goals} must be in ]0, 1[, limit {limit} > 0, repeats {repeats} >= 1")
    loaded = [problems.load(file, law, chosen[0], facets, angle) for file in files]
    names = _names(loaded)
    twins = _duplicates(loaded, names)
    sizes = [p.contacts for p in loaded]
    del loaded
    records: list[Record] = []
    with _Worker() as worker:
        for file, name, twin, contacts in zip(files, names, twins, sizes, strict=True):
            for solver in chosen:
                limited_at = 0.0
                for tolerance in goals:
                    last = tolerance == goals[-1]
                    job = {
                        "file": os.path.abspath(file), "law": law, "facets": facets, "angle": angle, "solver": solver, "tolerance": tolerance,
                        "limit": limit, "repeats": repeats, "options": options or {}, "goals": goals if last and histories else [],
                        "budgets": list(budgets) if last else [],
                    }  # fmt: skip
                    base = Record(name, contacts, solver, law, tolerance, limit, "", duplicate_of=twin)
                    records.append(
                        _skipped(base, worker, job, limited_at) if limited_at else _record(base, worker.run(job))
                    )
                    if skip_after_limit and not limited_at and not records[-1].solved and _ran_out(records[-1]):
                        limited_at = tolerance
                    if progress is not None:
                        progress(records[-1])
    return records


def _record(base: Record, answer: dict[str, Any]) -> Record:
    values = {**asdict(base), **{k: v for k, v in answer.items() if v is not None}}
    if values["solved"]:
        values["seconds"] = (
            min(values["seconds"], values["spent"]) if answer.get("seconds") is None else answer["seconds"]
        )
    return Record(**values)


def _ran_out(record: Record) -> bool:
    """Whether the run ended because of its limit, not because the solver gave up."""
    return record.status == "killed" or 0.95 * record.limit <= record.spent < math.inf


def _skipped(base: Record, worker: _Worker, job: dict[str, Any], limited_at: float) -> Record:
    """A record that counts as a failure. What is reached within milliseconds is still asked for, by a short run."""
    answer = (
        worker.run({**job, "limit": min(job["limit"], SHORT_LIMIT), "repeats": 1})
        if job["goals"] or job["budgets"]
        else {}
    )
    found = _record(base, {k: v for k, v in answer.items() if k in ("residual_at", "budgets")})
    return replace(
        found,
        status="skipped",
        reason=f"{base.solver} ran into its limit of {base.limit:g} s at tolerance {limited_at:g}",
    )
