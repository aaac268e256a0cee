# SPDX-License-Identifier: BSD-2-Clause
"""Grids of runs and rollouts over many processes, on this machine or on a Ray cluster (extra `cluster`).

    from stiction import cluster

    sweep = cluster.Sweep("cube_slide", values={"mu": cluster.values("0.2:1.0:9")}, laws=["coulomb", "convex"], seeds=100)
    cluster.run(sweep, "cube.sqlite", workers=8)              # stiction sweep cube_slide --set mu=0.2:1.0:9 …
    for row in cluster.rows("cube.sqlite"):
        print(row["mu"], row["law"], row["status"])

    data = cluster.collect(policy, batch, workers=4, steps=100)

Every finished run is a row in a table on disk at once. Workers and nodes may die: what they were at is done again, and the table is the
same as if nothing had happened, but for the columns `seconds` and `worker`.
"""

from .collecting import collect
from .grid import Job, Sweep, values
from .sweeping import run
from .table import digest, rows

__all__ = ["Job", "Sweep", "collect", "digest", "rows", "run", "values"]
