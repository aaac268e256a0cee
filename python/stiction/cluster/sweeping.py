# SPDX-License-Identifier: BSD-2-Clause
"""A sweep from its grid to its table."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..output.arguments import named
from ..output.progress import Progress
from .grid import Job, Sweep
from .job import column, make_row
from .local import LocalPool, Lost
from .on_ray import RayPool
from .table import Table

Pool = LocalPool | RayPool


@dataclass
class Summary:
    """What a sweep did."""

    path: str
    runs: int  # of the grid
    found: int  # of them, in the table already
    status: dict[str, int] = field(default_factory=dict)  # of those made now
    replaced: int = 0  # workers that died


def pool_for(function: Callable[[Any], Any], workers: int | None, ray: str | None) -> Pool:
    """Processes of this machine, as many as it has processors, or a Ray cluster."""
    if ray is not None:
        return RayPool(function, ray, workers)
    return LocalPool(function, workers if workers is not None else len(os.sched_getaffinity(0)))


@named
def run(
    sweep: Sweep,
    out: str | os.PathLike[str],
    *,
    workers: int | None = None,
    ray: str | None = None,
    resume: bool = False,
) -> Summary:
    """Run a grid; a row is in the table as soon as its run is finished.

    Parameters
    ----------
    sweep
        The grid.
    out
        The table, a SQLite file.
    workers
        Processes; as many as there are processors by default.
    ray
        Address of a Ray cluster, or "local" for one on this machine; processes of our own by default.
    resume
        Go on with a table that is there: only what is missing is run.

    Returns
    -------
    Summary
    """
    sweep.check()
    with Table(out, sweep, resume) as table, Progress("sweep", sweep.size, "run", ticking=True) as bar:
        summary = Summary(os.fspath(out), sweep.size, len(table.done))
        missing = [(job.number, job) for job in sweep.jobs() if job.number not in table.done]
        jobs = dict(missing)
        status: Counter[str] = Counter()
        bar.at(summary.found)
        if missing:
            pool = pool_for(make_row, workers, ray)
            for number, row in pool.run(missing):
                row = _lost_row(jobs[number], row) if isinstance(row, Lost) else row
                table.add(row)
                status[row["status"]] += 1
                bar.advance()
            summary.replaced = pool.replaced
        summary.status = dict(sorted(status.items()))
    return summary


def _lost_row(job: Job, lost: Lost) -> dict[str, Any]:
    row: dict[str, Any] = {"run": job.number, "seed": job.seed, "status": "lost", "message": str(lost)}
    return row | {column(name): value for name, value in job.parameters.items()}
