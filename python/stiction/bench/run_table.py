# SPDX-License-Identifier: BSD-2-Clause
"""The table of some runs. One list of columns feeds the terminal and the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..output.tables import number, text_table
from .measure import Run

Column = tuple[str, Callable[[Run], str], str]

RUN_COLUMNS: list[Column] = [
    ("", lambda r: r.label, ""),
    ("slip [mm]", lambda r: number(1e3 * r.slip), "distance that all loaded contacts slid, added up"),
    ("penetration [mm]", lambda r: number(1e3 * r.penetration), "deepest overlap of two bodies"),
    (
        "energy error [J]",
        lambda r: number(r.energy_error),
        "energy that normal forces exchanged although a rigid contact exchanges none (worst contact of each step, added up)",
    ),
    (
        "NCP residual [N]",
        lambda r: number(r.ncp),
        "largest distance from exact Coulomb friction, measured from outside by the same judge for every law",
    ),
    ("iterations", lambda r: number(r.iterations), "of the solver, mean per step"),
    ("unaccepted", lambda r: str(r.unaccepted), "steps that the judge did not accept under the law's own rules"),
    (
        "us/step",
        lambda r: number(r.microseconds),
        "CPU time of one step (median of repeated runs, no Python in between)",
    ),
]


def run_table(runs: Sequence[Run]) -> str:
    """The table of runs with the meaning of every column under it."""
    header = [name for name, _, _ in RUN_COLUMNS]
    table = text_table(header, [[show(run) for _, show, _ in RUN_COLUMNS] for run in runs])
    meanings = [f"  {name:18}{meaning}" for name, _, meaning in RUN_COLUMNS if meaning]
    return "\n".join([table, "", *meanings])
