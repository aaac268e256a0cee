# SPDX-License-Identifier: BSD-2-Clause
"""`stiction demo` and `stiction compare`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Any

import click

import stiction as st

from ..bench.film_strip import FilmStrip
from ..bench.measure import Run, measure
from ..bench.run_table import run_table
from ..bench.work_precision import FACTORS, Point, work_precision
from ..output.extras import has
from ..output.progress import Progress
from .common import (
    Sentence,
    dt_option,
    duration_option,
    example,
    json_option,
    names,
    parameters,
    print_json,
    simulator,
    split,
)


@click.command(epilog=example("stiction demo --output report.html", "stiction demo --quick --json"))
@click.option("--output", default="report.html", show_default=True, help="where the report goes")
@click.option("--quick", is_flag=True, help="a shorter run")
@json_option
def demo(output: str, quick: bool, as_json: bool) -> None:
    """StarlETH is pushed under every contact law: a table, and a report that opens offline."""
    from ..bench import run_report as report

    what = (
        "StarlETH, a quadruped of 26.8 kg, stands on the ground (friction coefficient 0.5), held by joint PD. "
        "Half a second after the start its trunk is pushed sideways with 140 N for 0.2 s. "
        "The same robot, push and step of time run under every contact law."
    )
    strips: list[FilmStrip] | None = [] if has("matplotlib") else None
    runs, _ = _compare(
        "starleth_push", names("laws"), ["auto"], 1.0 if quick else None, repeats=1 if quick else 5, strips=strips
    )
    if strips is not None:
        report.write(output, "stiction demo: one robot, every contact law", what, runs, strips=strips)
    if as_json:
        print_json([run.summary() for run in runs])
        return
    click.echo(what + "\n")
    click.echo(run_table(runs))
    if strips is not None:
        click.echo(f"\nThe robot under each law, and plots over time: {output} (opens in a browser, offline)")
    else:
        click.echo("\nA report with pictures and plots needs the extra `report`: pip install 'stiction[report]'")


def _compare(
    scene: str, laws: list[str], solvers: list[str], duration: float | None, repeats: int = 5, steppers: Sequence[str] = ("auto",),
    work: list[Point] | None = None, strips: list[FilmStrip] | None = None, **settings: Any,
) -> tuple[list[Run], list[str]]:  # fmt: skip
    """Runs of every law with every solver and stepper; combinations that make no sense are told, not run. Fills `work` and `strips` if given."""
    runs, refused = [], []
    for unknown in set(laws) - set(names("laws")):
        st.scene(scene, law=unknown)  # says what is known
    every = list(itertools.product(laws, solvers, steppers))
    with Progress("compare", len(every) * (1 if work is None else 1 + len(FACTORS)), "run") as bar:
        for law, solver, stepper in every:
            triple: dict[str, Any] = dict(law=law, solver=solver, stepper=stepper)
            try:
                sim = simulator(scene, **triple, **settings)
            except st.InvalidInput as error:
                if len(every) == 1 or not re.search("solves|does not step|needs no solver", str(error)):
                    raise
                refused.append(str(error))
                continue
            label = " ".join(
                w for w, many in zip(triple.values(), (True, len(solvers) > 1, len(steppers) > 1), strict=True) if many
            )
            make = lambda triple=triple: simulator(scene, **triple, **settings)
            judged = lambda triple=triple: simulator(scene, **triple, law_options=dict(judge=True), **settings)
            watch = None
            if strips is not None:
                strips.append(FilmStrip(sim, duration or sim.duration or 1.0, label))
                watch = lambda _, strip=strips[-1]: strip
            runs.append(measure(make, duration, label, repeats, judged if law == "anchored" else None, watch))
            bar.advance(note=label)
            if work is not None:
                at = lambda dt, triple=triple: simulator(scene, **triple, **{**settings, "dt": dt})
                work += work_precision(at, sim.dt, duration or sim.duration or 1.0, label, bar=bar)
    return runs, refused


@click.command(epilog=example(
    "stiction compare cube_slide --laws coulomb,pyramid --report report.html", "stiction compare --problems a.hdf5 b.hdf5 --solvers nsgs,admm --json"
))  # fmt: skip
@click.argument("what", nargs=-1, required=True, metavar="SCENE | --problems FILE...")
@click.option("--problems", is_flag=True, help="compare solvers on problem FILES instead of a scene")
@click.option("--laws", help="scene: names, separated by commas; all by default")
@click.option("--law", help="problems: friction law; coulomb by default")
@click.option("--solvers", help="names, separated by commas; scene: auto by default, problems: all that solve the law")
@click.option("--steppers", "--stepper", help="scene: names, separated by commas; the usual one of each law by default")
@dt_option
@duration_option
@click.option("--tolerances", help="problems: separated by commas; 1e-4,1e-6,1e-8 by default")
@click.option("--time-limit", type=float, help="problems: seconds allowed per run; 10 by default")
@click.option("--repeats", type=int, help="problems: how often a solved run is timed; 5 by default")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="problems: an option that all the solvers take"
)
@click.option("--pairwise", is_flag=True, help="problems: also the ratios of every pair of solvers")
@click.option("--records", help="problems: also write every run to this JSON file")
@click.option("--merge", multiple=True, metavar="RECORDS", help="problems: take in the runs of an earlier --records")
@click.option("--report", "report_path", help="also write an HTML report with tables and plots; opens offline")
@click.option(
    "--no-work",
    is_flag=True,
    help="scene: leave error against work out of the report (it runs everything again with other steps)",
)
@json_option
def compare(what: tuple[str, ...], problems: bool, report_path: str | None, as_json: bool, **given: Any) -> None:
    """Run SCENE under several laws and solvers, or solvers on problem files, and tabulate the errors of each."""
    scene_only, problems_only = (
        ("laws", "steppers", "dt", "duration", "no_work"),
        ("law", "tolerances", "time_limit", "repeats", "options", "pairwise", "records", "merge"),
    )
    for name in scene_only if problems else problems_only:
        if given[name]:
            flag = "--option" if name == "options" else "--" + name.replace("_", "-")
            raise Sentence(f"{flag} {'is for scenes, not for --problems' if problems else 'needs --problems'}")
    if problems:
        _compare_problems(what, report_path, as_json, **{key: given[key] for key in ("solvers", *problems_only)})
        return
    if len(what) != 1:
        raise Sentence(f"compare takes one scene, got {len(what)}; for problem files say --problems")
    _compare_scene(what[0], report_path, as_json, **{key: given[key] for key in ("solvers", *scene_only)})


def _compare_scene(
    scene: str, report_path: str | None, as_json: bool, laws: str | None, solvers: str | None, steppers: str | None,
    dt: float | None, duration: float | None, no_work: bool,
) -> None:  # fmt: skip
    work: list[Point] | None = [] if report_path and not no_work else None
    strips: list[FilmStrip] | None = [] if report_path else None
    runs, refused = _compare(
        scene,
        split(laws, names("laws")),
        split(solvers, ["auto"]),
        duration,
        steppers=split(steppers, ["auto"]),
        work=work,
        strips=strips,
        dt=dt,
    )
    if report_path:
        from ..bench import run_report as report

        known = [f"{e.summary}. Known: {e.truth}." for e in st.catalog()["scenes"] if e.name == scene]
        what = known[0] if known else f"{scene}, dropped on the ground."
        report.write(report_path, f"stiction compare {scene}", what, runs, refused, work or (), strips or ())
    if as_json:
        print_json(
            {
                "runs": [run.summary() for run in runs],
                "refused": refused,
                "work_precision": [point.summary() for point in work or ()],
            }
        )
        return
    click.echo(run_table(runs))
    if report_path:
        click.echo(f"\nPlots: {report_path} (opens in a browser, offline)")
    for line in refused:
        click.echo(f"not run: {line}")


def _numbers(text: str | None) -> list[float]:
    try:
        return [float(word) for word in split(text, [])]
    except ValueError:
        raise Sentence(f"--tolerances needs numbers separated by commas, got '{text}'") from None


def _compare_problems(
    files: tuple[str, ...], report_path: str | None, as_json: bool, solvers: str | None, law: str | None, tolerances: str | None,
    time_limit: float | None, repeats: int | None, options: tuple[str, ...], pairwise: bool, records: str | None, merge: tuple[str, ...],
) -> None:  # fmt: skip
    from ..bench.profiles import compare as compare_problems
    from ..bench.profiles import records as profiles

    with Progress("compare", unit="run", ticking=True) as bar:
        result = compare_problems.compare(
            files, split(solvers, []), law, _numbers(tolerances), time_limit, repeats, parameters(options, "--option"), merge, pairwise,
            lambda r: bar.advance(note=f"{r.problem} {r.solver} {r.tolerance:g} {r.status}"),
        )  # fmt: skip
    if records:
        profiles.save(records, result.records)
    if report_path:
        result.write_report(report_path)
    if as_json:
        print_json(result.summary())
    else:
        click.echo(result.text())
