# SPDX-License-Identifier: BSD-2-Clause
"""`stiction solve`: one problem file, one solver, what the judge says."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import stiction as st

from .. import problems
from ..output import tables
from ..output.files import whole_file


@dataclass(frozen=True)
class Question:
    """How the problems are to be solved."""

    solver: str = "auto"
    law: str | None = None
    facets: int = 4
    angle: float = 0.0
    tolerance: float = 1e-8
    time_limit: float | None = None
    options: dict[str, Any] = field(default_factory=dict)
    history: bool = False
    condense: bool = False


@dataclass(frozen=True)
class Answer:
    """What came of it."""

    loaded: problems.Loaded
    impulse: np.ndarray
    report: st.Report
    seconds: float
    solver: str
    diagnosis: st.Diagnosis | None = None

    @property
    def solved(self) -> bool:
        """Whether the judge accepted."""
        return self.report.status == "converged"

    def summary(self) -> dict[str, Any]:
        """For JSON. The LCP error is there for LCP files only, a diagnosis for problems that are not solved."""
        report, error = self.report, self.loaded.lcp_error(self.impulse)
        return {
            "file": os.path.basename(self.loaded.path), "format": self.loaded.format, "contacts": self.loaded.contacts,
            "law": self.loaded.problem.law, "solver": self.solver, "status": report.status, "iterations": report.iterations,
            "path": report.path, "b3": report.own.b3, "b4": report.own.b4, "ncp_b3": report.ncp.b3,
            **({} if error is None else {"lcp_error": error}), "seconds": self.seconds,
            **({} if self.diagnosis is None else {"diagnosis": self.diagnosis.to_dict()}),
        }  # fmt: skip

    def history(self) -> dict[str, Any]:
        """The residual at every iteration, by column."""
        samples: Any = self.report.history
        columns = {} if samples is None else {name: samples[name].tolist() for name in samples.dtype.names}
        head = {key: self.summary()[key] for key in ("file", "law", "solver", "status")}
        return {**head, "history": columns}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Impulse and velocity as an .npz file, contact rows (T1, T2, N)."""
        problem = self.loaded.problem
        name = os.fspath(path)
        with whole_file(name if name.endswith(".npz") else name + ".npz") as part:
            np.savez(part, impulse=self.impulse, velocity=problem.multiply(self.impulse) + problem.g)


def solve(file: str, ask: Question) -> Answer:
    """Read and solve one file; bad input and a solver that does not take the problem are refused with a sentence."""
    loaded = problems.load(file, ask.law, ask.solver, ask.facets, ask.angle, ask.condense)
    begin = time.perf_counter()
    impulse, report = st.solve(
        loaded.problem,
        solver=ask.solver,
        tolerance=ask.tolerance,
        time_limit=ask.time_limit,
        history=ask.history,
        **ask.options,
    )
    seconds = time.perf_counter() - begin
    why = None if report.status == "converged" else st.diagnose(loaded.problem, impulse, tolerance=ask.tolerance)
    return Answer(loaded, impulse, report, seconds, ask.solver, why)


def table(answers: Sequence[Answer]) -> str:
    """One line per file, what the columns mean, and why files were not solved."""
    rows = [answer.summary() for answer in answers]
    with_lcp = any("lcp_error" in row for row in rows)
    header = ["", "contacts", "status", "iterations", "B3", "B4", *(["LCP error"] if with_lcp else []), "ms", "path"]
    lines = [
        [r["file"], str(r["contacts"]), r["status"], str(r["iterations"]), tables.number(r["b3"]), tables.number(r["b4"]),
         *([tables.number(r.get("lcp_error", float("nan")))] if with_lcp else []), tables.number(1e3 * r["seconds"]), r["path"]]
        for r in rows
    ]  # fmt: skip
    text = (
        tables.text_table(header, lines)
        + "\n\n  B3, B4: relative errors found by the judge, natural map and De Saxce's triple"
    )
    if with_lcp:
        text += "\n  LCP error: largest |min(z, M z + q)|, relative to max(1, |q|); contacts of an LCP are its rows"
    return text + "".join(
        f"\n\n{a.summary()['file']}: {a.diagnosis.sentence}" for a in answers if a.diagnosis is not None
    )
