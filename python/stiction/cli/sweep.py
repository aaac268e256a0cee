# SPDX-License-Identifier: BSD-2-Clause
"""`stiction sweep`: a grid of runs into one table."""

from __future__ import annotations

from pathlib import Path

import click

from ..output.tables import text_table
from .common import Sentence, example, json_option, print_json, split


@click.command(
    epilog=example(
        "stiction sweep cube_slide --set mu=0.2:1.0:9 --laws coulomb,convex --seeds 100",
        "stiction sweep script.py --set gain=1,2,5 --seeds 20 --out gains.sqlite --workers 8",
        "stiction sweep cube_slide --set mu=0.2:1.0:9 --ray auto --resume",
    )
)
@click.argument("what", metavar="SCENE|SCRIPT.py")
@click.option(
    "--set",
    "assignments",
    multiple=True,
    metavar="NAME=VALUES",
    help="values of a parameter: first:last:number, or a list with commas; may be repeated",
)
@click.option("--laws", help="laws to try, with commas; the usual one by default")
@click.option("--solvers", help="solvers to try, with commas; auto by default")
@click.option("--steppers", help="steppers to try, with commas; that of the law by default")
@click.option("--seeds", type=int, default=0, show_default=True, help="runs per point of the grid, seeds 0 and up")
@click.option(
    "--noise",
    type=float,
    default=0.01,
    show_default=True,
    help="disturbance of start velocities by a seed, for scenes without a seed of their own [m/s, rad/s]",
)
@click.option("--dt", type=float, help="step [s]; that of the scene by default")
@click.option("--duration", type=float, help="simulated time [s]; the scene's own by default")
@click.option("--workers", type=int, help="processes; as many as there are processors by default")
@click.option("--ray", metavar="ADDRESS|local", help="run on a Ray cluster instead of own processes")
@click.option("--resume", is_flag=True, help="go on with the table that is there: run only what is missing")
@click.option("--out", metavar="TABLE", help="the table, a SQLite file; NAME-sweep.sqlite by default")
@json_option
def sweep(
    what: str, assignments: tuple[str, ...], laws: str | None, solvers: str | None, steppers: str | None, seeds: int,
    noise: float, dt: float | None, duration: float | None, workers: int | None, ray: str | None, resume: bool,
    out: str | None, as_json: bool,
) -> int:  # fmt: skip
    """Run a grid: every combination of values, laws, solvers, steppers and seeds, on all processors or on a Ray cluster.

    A script has a function run(**parameters) that gives a dict of numbers and texts. Each finished run is a row of the table at once: a
    sweep that was killed goes on with --resume, and its table is the same as that of one that was not. Exit code 1 if a run failed."""
    from .. import cluster

    grid = cluster.Sweep(
        what, _values(assignments), split(laws, []), split(solvers, []), split(steppers, []), seeds, dt, duration, noise
    )
    grid.check()
    path = out or f"{Path(what).stem}-sweep.sqlite"
    summary = cluster.run(grid, path, workers=workers, ray=ray, resume=resume)
    rows = cluster.rows(path)
    counted = {state: sum(row["status"] == state for row in rows) for state in sorted({row["status"] for row in rows})}
    bad = sum(counted.get(state, 0) for state in ("error", "lost"))
    if as_json:
        told = {
            "table": path,
            "runs": summary.runs,
            "found": summary.found,
            "status": counted,
            "replaced_workers": summary.replaced,
        }
        print_json({**told, "digest": cluster.digest(path)})
        return 1 if bad else 0
    click.echo(text_table(["status", "runs"], [[state, str(number)] for state, number in counted.items()]))
    more = f", {summary.found} of them were there" if summary.found else ""
    dead = f", {summary.replaced} workers died and were replaced" if summary.replaced else ""
    click.echo(f"{path}: {len(rows)} runs{more}{dead}; digest {cluster.digest(path)}")
    for row in [row for row in rows if row["status"] in ("error", "lost")][:3]:
        click.echo(f"run {row['run']}: {row['message']}", err=True)
    return 1 if bad else 0


def _values(assignments: tuple[str, ...]) -> dict[str, list[object]]:
    from ..cluster import values

    out: dict[str, list[object]] = {}
    for text in assignments:
        name, equals, listed = text.partition("=")
        if not equals or not (found := values(listed)):
            raise Sentence(f"--set needs name=values, got '{text}'")
        if name in out:
            raise Sentence(f"--set {name} stands twice; give all of its values at once")
        out[name] = found
    return out
