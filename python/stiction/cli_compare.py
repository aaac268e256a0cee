# SPDX-License-Identifier: BSD-2-Clause
"""`stiction demo` and `stiction compare`."""

from __future__ import annotations

import sys
from typing import Any

import click

import stiction as st

from . import tables
from .cli_common import Sentence, dt_option, duration_option, json_option, names, parameters, print_json, simulator, split
from .measure import Run, measure


@click.command()
@click.option("--output", default="report.html", show_default=True, help="where the report goes")
@click.option("--quick", is_flag=True, help="a shorter run")
@json_option
def demo(output: str, quick: bool, as_json: bool) -> None:
    """StarlETH is pushed under every contact law: a table, and a report that opens offline."""
    from . import report

    what = (
        "StarlETH, a quadruped of 26.8 kg, stands on the ground (friction coefficient 0.5), held by joint PD. "
        "Half a second after the start its trunk is pushed sideways with 140 N for 0.2 s. "
        "The same robot, push and step of time run under every contact law."
    )
    runs, _ = _compare("starleth_push", names("laws"), ["auto"], 1.0 if quick else None, repeats=1 if quick else 5)
    report.write(output, "stiction demo: one robot, every contact law", what, runs)
    if as_json:
        print_json([run.summary() for run in runs])
        return
    click.echo(what + "\n")
    click.echo(tables.run_table(runs))
    click.echo(f"\nPlots over time: {output} (opens in a browser, offline)")


def _compare(
    scene: str, laws: list[str], solvers: list[str], duration: float | None, repeats: int = 5, **settings: Any
) -> tuple[list[Run], list[str]]:
    """Runs of every law with every solver; combinations that make no sense are told, not run."""
    runs, refused = [], []
    for unknown in set(laws) - set(names("laws")):
        st.scene(scene, law=unknown)  # says what is known
    for law in laws:
        for solver in solvers:
            try:
                simulator(scene, law=law, solver=solver, **settings)
            except st.InvalidInput as error:
                if len(laws) * len(solvers) == 1 or "solves" not in str(error):
                    raise
                refused.append(str(error))
                continue
            label = law if len(solvers) == 1 else f"{law} {solver}"
            make = lambda law=law, solver=solver: simulator(scene, law=law, solver=solver, **settings)  # noqa: E731
            runs.append(measure(make, duration, label, repeats))
    return runs, refused


@click.command()
@click.argument("what", nargs=-1, required=True, metavar="SCENE | --problems FILE...")
@click.option("--problems", is_flag=True, help="compare solvers on problem FILES instead of a scene")
@click.option("--laws", help="scene: names, separated by commas; all by default")
@click.option("--law", help="problems: friction law; coulomb by default")
@click.option("--solvers", help="names, separated by commas; scene: auto by default, problems: all that solve the law")
@click.option("--stepper", help="scene: stepper; semi_implicit by default")
@dt_option
@duration_option
@click.option("--tolerances", help="problems: separated by commas; 1e-4,1e-6,1e-8 by default")
@click.option("--time-limit", type=float, help="problems: seconds allowed per run; 10 by default")
@click.option("--repeats", type=int, help="problems: how often a solved run is timed; 5 by default")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="problems: an option that all the solvers take")
@click.option("--pairwise", is_flag=True, help="problems: also the ratios of every pair of solvers")
@click.option("--records", help="problems: also write every run to this JSON file")
@click.option("--merge", multiple=True, metavar="RECORDS", help="problems: take in the runs of an earlier --records")
@click.option("--report", "report_path", help="also write an HTML report with plots")
@json_option
def compare(what: tuple[str, ...], problems: bool, report_path: str | None, as_json: bool, **given: Any) -> None:
    """Run SCENE under several laws and solvers, or solvers on problem files, and tabulate the errors of each."""
    scene_only, problems_only = ("laws", "stepper", "dt", "duration"), ("law", "tolerances", "time_limit", "repeats", "options", "pairwise", "records", "merge")
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
    scene: str, report_path: str | None, as_json: bool, laws: str | None, solvers: str | None, stepper: str | None,
    dt: float | None, duration: float | None,
) -> None:  # fmt: skip
    runs, refused = _compare(
        scene, split(laws, names("laws")), split(solvers, ["auto"]), duration, stepper=stepper or "semi_implicit", dt=dt
    )
    if report_path:
        from . import report

        entry = next(e for e in st.catalog()["scenes"] if e.name == scene)
        report.write(report_path, f"stiction compare {scene}", f"{entry.summary}. Known: {entry.truth}.", runs, refused)
    if as_json:
        print_json({"runs": [run.summary() for run in runs], "refused": refused})
        return
    click.echo(tables.run_table(runs))
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
    from . import compare_problems, profiles

    progress = (lambda r: click.echo(f"{r.problem}  {r.solver}  {r.tolerance:g}  {r.status}", err=True)) if sys.stderr.isatty() else None
    result = compare_problems.compare(
        files, split(solvers, []), law, _numbers(tolerances), time_limit, repeats, parameters(options, "--option"), merge, pairwise, progress
    )
    if records:
        profiles.save(records, result.records)
    if report_path:
        result.write_report(report_path)
    if as_json:
        print_json(result.summary())
    else:
        click.echo(result.text())
