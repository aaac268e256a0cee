# SPDX-License-Identifier: BSD-2-Clause
"""`stiction compare --problems`: solvers on problem files, what is printed and written of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..._core import InvalidInput
from ..machine import machine
from . import records as profiles
from . import run as profile_run
from . import tables as profile_tables
from .records import Record

TOLERANCES, LIMIT, REPEATS = (1e-4, 1e-6, 1e-8), 10.0, 5


@dataclass(frozen=True)
class Comparison:
    """All runs; those of solvers that took part; why the others did not."""

    records: list[Record]
    kept: list[Record]
    refused: list[str]
    pairwise: bool = False

    def text(self) -> str:
        """For the terminal."""
        tables = [table.text() for table in profile_tables.all_tables(self.kept, self.pairwise)]
        return "\n".join([*tables, *(f"not run: {line}" for line in self.refused)])

    def summary(self) -> dict[str, Any]:
        """For JSON."""
        tables = profile_tables.all_tables(self.kept, self.pairwise)[1:]
        return {
            "machine": machine(), "records": [r.summary() for r in self.records],
            "tables": [{"title": t.title, "header": t.header, "rows": t.rows} for t in tables], "refused": self.refused,
        }  # fmt: skip

    def write_report(self, path: str | os.PathLike[str]) -> None:
        """An HTML page with plots."""
        from . import report as profile_report

        profile_report.write(path, self.kept, self.refused, self.pairwise)


def compare(
    files: Sequence[str], solvers: Sequence[str] | None = None, law: str | None = None, tolerances: Sequence[float] = (),
    limit: float | None = None, repeats: int | None = None, options: dict[str, Any] | None = None, merge: Sequence[str] = (),
    pairwise: bool = False, progress: Callable[[Record], None] | None = None,
) -> Comparison:  # fmt: skip
    """Run what is asked for, beside the records of earlier runs. What is not given has the defaults above."""
    earlier = [profiles.load(path) for path in merge]
    law = law or "coulomb"
    runs = profile_run.run(
        files, solvers or None, law, tolerances or TOLERANCES, LIMIT if limit is None else limit,
        REPEATS if repeats is None else repeats, options, progress=progress,
    )  # fmt: skip
    records = profiles.merge(*earlier, runs)
    kept, refused = profile_tables.ran(records)
    if not kept:
        raise InvalidInput(refused[0])
    return Comparison(records, kept, refused, pairwise)
