# SPDX-License-Identifier: BSD-2-Clause
"""The command `stiction`. Every error is one sentence and exit code 2."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

import stiction as st

from . import tables
from .measure import Run, measure


class Sentence(click.ClickException):
    """An error of the user, told in one sentence."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        click.echo(f"stiction: {self.format_message()}", err=True)


def _print_json(value: Any) -> None:
    click.echo(json.dumps(value, indent=2, allow_nan=True))


def _names(kind: str) -> list[str]:
    return [entry.name for entry in st.catalog()[kind]]


def _split(text: str | None, default: list[str]) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()] if text else default


def _simulator(what: str, height: float | None = None, **settings: Any) -> st.Simulator:
    """A scene by name, or a URDF dropped on the ground."""
    if not what.lower().endswith((".urdf", ".sdf", ".xml", ".mjcf")):
        return st.scene(what, **settings)
    world = st.World()
    world.add_ground(mu=0.8)
    add = {"urdf": world.add_urdf, "sdf": world.add_sdf}.get(what.lower().rsplit(".", 1)[1], world.add_mjcf)
    add(what, position=(0.0, 0.0, 1.0 if height is None else height))
    settings = {key: value for key, value in settings.items() if value is not None}
    return st.Simulator(world, **settings)


_law = click.option("--law", default="coulomb", show_default=True, help="contact law (stiction list laws)")
_solver = click.option("--solver", default="auto", show_default=True, help="solver (stiction list solvers)")
_stepper = click.option("--stepper", default="semi_implicit", show_default=True, help="stepper (stiction list steppers)")
_dt = click.option("--dt", type=float, help="step [s]; the scene's own by default")
_duration = click.option("--duration", type=float, help="simulated time [s]; the scene's own by default")
_json = click.option("--json", "as_json", is_flag=True, help="print JSON instead of a table")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(st.__version__, prog_name="stiction")
def cli() -> None:
    """Contact simulation for robots: many contact laws, solvers and steppers, judged by one outside measure."""


@cli.command()
def version() -> None:
    """Print the version."""
    click.echo(f"stiction {st.__version__}")


@cli.command()
@click.option("--output", default="report.html", show_default=True, help="where the report goes")
@click.option("--quick", is_flag=True, help="a shorter run")
@_json
def demo(output: str, quick: bool, as_json: bool) -> None:
    """StarlETH is pushed under every contact law: a table, and a report that opens offline."""
    from . import report

    what = (
        "StarlETH, a quadruped of 26.8 kg, stands on the ground (friction coefficient 0.5), held by joint PD. "
        "Half a second after the start its trunk is pushed sideways with 140 N for 0.2 s. "
        "The same robot, push and step of time run under every contact law."
    )
    runs, _ = _compare("starleth_push", _names("laws"), ["auto"], 1.0 if quick else None, repeats=1 if quick else 5)
    report.write(output, "stiction demo: one robot, every contact law", what, runs)
    if as_json:
        _print_json([run.summary() for run in runs])
        return
    click.echo(what + "\n")
    click.echo(tables.run_table(runs))
    click.echo(f"\nPlots over time: {output} (opens in a browser, offline)")


def _compare(
    scene: str, laws: list[str], solvers: list[str], duration: float | None, repeats: int = 5, **settings: Any
) -> tuple[list[Run], list[str]]:
    """Runs of every law with every solver; combinations that make no sense are told, not run."""
    runs, refused = [], []
    for unknown in set(laws) - set(_names("laws")):
        st.scene(scene, law=unknown)  # says what is known
    for law in laws:
        for solver in solvers:
            try:
                _simulator(scene, law=law, solver=solver, **settings)
            except st.InvalidInput as error:
                if len(laws) * len(solvers) == 1 or "solves" not in str(error):
                    raise
                refused.append(str(error))
                continue
            label = law if len(solvers) == 1 else f"{law} {solver}"
            make = lambda law=law, solver=solver: _simulator(scene, law=law, solver=solver, **settings)  # noqa: E731
            runs.append(measure(make, duration, label, repeats))
    return runs, refused


@cli.command()
@click.argument("what", nargs=-1, required=True, metavar="SCENE | --problems FILE...")
@click.option("--problems", is_flag=True, help="compare solvers on problem FILES instead of a scene")
@click.option("--laws", help="scene: names, separated by commas; all by default")
@click.option("--law", help="problems: friction law; coulomb by default")
@click.option("--solvers", help="names, separated by commas; scene: auto by default, problems: all that solve the law")
@click.option("--stepper", help="scene: stepper; semi_implicit by default")
@_dt
@_duration
@click.option("--tolerances", help="problems: separated by commas; 1e-4,1e-6,1e-8 by default")
@click.option("--time-limit", type=float, help="problems: seconds allowed per run; 10 by default")
@click.option("--repeats", type=int, help="problems: how often a solved run is timed; 5 by default")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="problems: an option that all the solvers take")
@click.option("--pairwise", is_flag=True, help="problems: also the ratios of every pair of solvers")
@click.option("--records", help="problems: also write every run to this JSON file")
@click.option("--merge", multiple=True, metavar="RECORDS", help="problems: take in the runs of an earlier --records")
@click.option("--report", "report_path", help="also write an HTML report with plots")
@_json
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
        scene, _split(laws, _names("laws")), _split(solvers, ["auto"]), duration, stepper=stepper or "semi_implicit", dt=dt
    )
    if report_path:
        from . import report

        entry = next(e for e in st.catalog()["scenes"] if e.name == scene)
        report.write(report_path, f"stiction compare {scene}", f"{entry.summary}. Known: {entry.truth}.", runs, refused)
    if as_json:
        _print_json({"runs": [run.summary() for run in runs], "refused": refused})
        return
    click.echo(tables.run_table(runs))
    for line in refused:
        click.echo(f"not run: {line}")


def _numbers(text: str | None) -> list[float]:
    try:
        return [float(word) for word in _split(text, [])]
    except ValueError:
        raise Sentence(f"--tolerances needs numbers separated by commas, got '{text}'") from None


def _compare_problems(
    files: tuple[str, ...], report_path: str | None, as_json: bool, solvers: str | None, law: str | None, tolerances: str | None,
    time_limit: float | None, repeats: int | None, options: tuple[str, ...], pairwise: bool, records: str | None, merge: tuple[str, ...],
) -> None:  # fmt: skip
    from . import compare_problems, profiles

    progress = (lambda r: click.echo(f"{r.problem}  {r.solver}  {r.tolerance:g}  {r.status}", err=True)) if sys.stderr.isatty() else None
    result = compare_problems.compare(
        files, _split(solvers, []), law, _numbers(tolerances), time_limit, repeats, _parameters(options, "--option"), merge, pairwise, progress
    )
    if records:
        profiles.save(records, result.records)
    if report_path:
        result.write_report(report_path)
    if as_json:
        _print_json(result.summary())
    else:
        click.echo(result.text())


@cli.command(name="list")
@click.argument("kind", required=False)
def list_(kind: str | None) -> None:
    """What there is: laws, solvers, steppers, scenes, robots."""
    kinds = ["laws", "solvers", "steppers", "scenes", "robots"]
    if kind is not None and kind not in kinds:
        raise Sentence(f"unknown list '{kind}'. Known: {' '.join(kinds)}")
    everything = st.catalog()
    for k in kinds if kind is None else [kind]:
        click.echo(f"{k}:")
        if k == "robots":
            click.echo("  " + "\n  ".join(st.robots.list() or ["none found"]))
            continue
        for entry in everything[k]:
            click.echo(f"  {entry.name:16}{entry.summary}")
            if kind is not None:
                _describe(entry)


def _describe(entry: st.Entry) -> None:
    details = {"solves": ", ".join(entry.laws), "truth": entry.truth, "reference": entry.references, "fails": entry.failure_modes}
    for key, value in details.items():
        if value:
            click.echo(f"      {key}: {value}")
    for option in entry.options:
        click.echo(f"      {option.name} = {option.default}: {option.doc}")


def _parameters(words: Iterable[str], flag: str = "--set") -> dict[str, Any]:
    """name=value pairs; numbers and booleans are understood."""
    out: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise Sentence(f"{flag} needs name=value, got '{word}'")
        try:
            out[name] = json.loads(value)
        except json.JSONDecodeError:
            out[name] = value
    return out


@cli.command()
@click.argument("what", metavar="SCENE|FILE")
@_law
@_solver
@_stepper
@_dt
@_duration
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="a physical parameter of the scene")
@click.option("--height", type=float, help="height from which a FILE is dropped [m]; 1 by default")
@_json
def run(
    what: str, law: str, solver: str, stepper: str, dt: float | None, duration: float | None, settings: tuple[str, ...],
    height: float | None, as_json: bool,
) -> None:  # fmt: skip
    """Run a scene, or drop the robot of a URDF, SDF or MJCF file on the ground, and say how it went."""
    extra = _parameters(settings)
    make = lambda: _simulator(what, height, law=law, solver=solver, stepper=stepper, dt=dt, **extra)  # noqa: E731
    sim = make()
    result = measure(make, duration, Path(what).name)
    if as_json:
        _print_json(result.summary())
        return
    click.echo(f"{what}: {result.steps} steps of {1e3 * sim.dt:g} ms, {result.status}, up to {result.contacts} contacts\n")
    click.echo(tables.run_table([result]))


@cli.command()
@click.argument("files", nargs=-1, required=True)
@_solver
@click.option("--law", help="friction law under which the problems are solved; coulomb by default, meaningless for an LCP")
@click.option("--facets", type=int, default=4, show_default=True, help="sides of the pyramid law; more than 4 need lemke")
@click.option("--angle", type=float, default=0.0, show_default=True, help="turn of the pyramid about the normal [rad]")
@click.option("--tolerance", type=float, default=1e-8, show_default=True, help="relative tolerance of the judge")
@click.option("--time-limit", type=float, help="seconds allowed per problem")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="an option of the solver (stiction list solvers)")
@click.option("--history", "history_path", help="write the residual at every iteration to this JSON file")
@click.option("--output", help="write impulse and velocity of the one problem to this .npz file")
@_json
def solve(
    files: tuple[str, ...], solver: str, law: str | None, facets: int, angle: float, tolerance: float, time_limit: float | None,
    options: tuple[str, ...], history_path: str | None, output: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Solve problems from FCLIB (.hdf5), Siconos (.dat) and LCP (.npz) files. Exits with 1 if one is not solved."""
    from . import problem_files

    if output and len(files) != 1:
        raise Sentence(f"--output takes the result of one problem, got {len(files)} files")
    extra = _parameters(options, "--option")
    if (facets, angle) != (4, 0.0) and law != "pyramid":
        raise Sentence("--facets and --angle need --law pyramid")
    ask = problem_files.Question(solver, law, facets, angle, tolerance, time_limit, extra, bool(history_path))
    answers = [problem_files.solve(file, ask) for file in files]
    if history_path:
        with open(history_path, "w", encoding="utf-8") as file:
            json.dump([answer.history() for answer in answers], file)
    if output:
        answers[0].save(output)
    if as_json:
        _print_json([answer.summary() for answer in answers])
    else:
        click.echo(problem_files.table(answers))
    if any(not answer.solved for answer in answers):
        sys.exit(1)


@cli.command()
@click.argument("scene", required=False)
@click.option("--peers", is_flag=True, help="beside MuJoCo, alternating in this process")
@click.option("--quick", is_flag=True, help="few and short runs: shows that it works, measures nothing")
@_json
def bench(scene: str | None, peers: bool, quick: bool, as_json: bool) -> None:
    """Steps per second beside accuracy, contacts and iterations; --peers prints ratios to MuJoCo with their spread."""
    from . import bench as benches

    if peers:
        from . import peers as versus

        results = versus.run(scene, quick=quick, echo=None if as_json else click.echo)
    else:
        results = benches.run(scene, quick=quick, echo=None if as_json else click.echo)
    if as_json:
        _print_json({"machine": benches.machine(), "results": results})


def main() -> None:
    """Entry point: bad input and missing extras end in one sentence."""
    try:
        code = cli.main(standalone_mode=False)
    except click.ClickException as error:
        if isinstance(error, Sentence):
            error.show()
        else:
            click.echo(f"stiction: {error.format_message()}", err=True)
        sys.exit(2)
    except click.exceptions.Abort:
        sys.exit(130)
    except (st.InvalidInput, ImportError, OSError) as error:
        click.echo(f"stiction: {error}", err=True)
        sys.exit(2)
    sys.exit(code if isinstance(code, int) else 0)


__all__ = ["cli", "main"]

if __name__ == "__main__":
    main()
