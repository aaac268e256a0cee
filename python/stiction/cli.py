# SPDX-License-Identifier: BSD-2-Clause
"""The command `stiction`. Every error is one sentence and exit code 2."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

import stiction as st

from . import cli_check, cli_compare, cli_problems, cli_recordings, cli_reproduce, cli_view, tables
from .cli_common import (
    EXIT_CODES,
    Commands,
    Sentence,
    dt_option,
    duration_option,
    example,
    json_option,
    law_option,
    parameters,
    print_json,
    simulator,
    solver_option,
    stepper_option,
)
from .cli_recordings import video_options
from .measure import measure
from .suggest import unknown_name


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "show_default": True}, epilog=EXIT_CODES)
@click.version_option(st.__version__, prog_name="stiction")
def cli() -> None:
    """Contact simulation for robots: many contact laws, solvers and steppers, judged by one outside measure."""


@cli.command(epilog=example("stiction version --json"))
@json_option
def version(as_json: bool) -> None:
    """Print the version."""
    if as_json:
        print_json({"stiction": st.__version__, "python": sys.version.split()[0], "compiler": st._core.compiler})
    else:
        click.echo(f"stiction {st.__version__}")


for _command in (
    cli_compare.demo, cli_compare.compare, cli_problems.solve, cli_problems.generate, cli_problems.export, cli_reproduce.reproduce,
    cli_recordings.replay, cli_recordings.log, cli_recordings.plot,
    cli_view.view,
    cli_check.check,
):  # fmt: skip
    cli.add_command(_command)


KINDS = ["laws", "solvers", "steppers", "scenes", "robots"]


@cli.command(name="list", epilog=example("stiction list solvers", "stiction list robots --json"))
@click.argument("kind", required=False)
@json_option
def list_(kind: str | None, as_json: bool) -> None:
    """What there is: laws, solvers, steppers, scenes, robots; with their options if one KIND is named."""
    if kind is not None and kind not in KINDS:
        raise unknown_name("list", kind, KINDS)
    chosen, everything = KINDS if kind is None else [kind], st.catalog()
    if as_json:
        paths = {name: str(path) for name, path in st.robots.paths().items()}
        print_json({k: paths if k == "robots" else [asdict(entry) for entry in everything[k]] for k in chosen})
        return
    for k in chosen:
        click.echo(f"{k}:")
        if k == "robots":
            click.echo("  " + "\n  ".join(st.robots.list() or ["none found"]))
            continue
        for entry in everything[k]:
            click.echo(f"  {entry.name:22}{entry.summary}")
            if kind is not None:
                _describe(entry)


def _describe(entry: st.Entry) -> None:
    details = {"solves": ", ".join(entry.laws), "truth": entry.truth, "reference": entry.references, "fails": entry.failure_modes}
    for key, value in details.items():
        if value:
            click.echo(f"      {key}: {value}")
    for option in entry.options:
        click.echo(f"      {option.name} = {option.default}: {option.doc}")


@cli.command(epilog=example("stiction run cube_slide --law pyramid --set angle=0.4 --duration 1", "stiction run robot.urdf --height 0.5 --json"))
@click.argument("what", metavar="SCENE|ROBOT|FILE")
@law_option
@solver_option
@stepper_option
@dt_option
@duration_option
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="a physical parameter of the scene")
@click.option("--height", type=float, help="height from which a ROBOT or FILE is dropped [m]; 1 by default")
@click.option("--record", metavar="OUT.mcap", help="record every step; see stiction replay, log and plot")
@video_options
@json_option
def run(
    what: str, law: str, solver: str, stepper: str, dt: float | None, duration: float | None, settings: tuple[str, ...],
    height: float | None, record: str | None, as_json: bool, **video: Any,
) -> None:  # fmt: skip
    """Run a scene, or drop a robot, by its name or that of a URDF, SDF or MJCF file on the ground, and say how it went."""
    extra = parameters(settings)
    make = lambda: simulator(what, height, law=law, solver=solver, stepper=stepper, dt=dt, **extra)  # noqa: E731
    sim = make()
    judged = lambda: simulator(what, height, law=law, law_options=dict(judge=True), stepper=stepper, dt=dt, **extra)  # noqa: E731
    watch = cli_recordings.watching(record, **video)
    result = measure(make, duration, Path(what).name, judged=judged if law == "anchored" else None, watch=watch)
    if as_json:
        print_json(result.summary())
        return
    click.echo(f"{what}: {result.steps} steps of {1e3 * sim.dt:g} ms, {result.status}, up to {result.contacts} contacts\n")
    click.echo(tables.run_table([result]))
    for path in filter(None, (record, video["video"])):
        click.echo(f"\nwritten: {path}")


@cli.command(epilog=example("stiction bench pile --quick", "stiction bench static --peers --json"))
@click.argument("scene", required=False)
@click.option("--peers", is_flag=True, help="beside MuJoCo, alternating in this process")
@click.option("--quick", is_flag=True, help="few and short runs: shows that it works, measures nothing")
@json_option
def bench(scene: str | None, peers: bool, quick: bool, as_json: bool) -> None:
    """Steps per second beside accuracy, contacts and iterations; --peers prints ratios to MuJoCo with their spread."""
    from . import bench as benches

    if peers:
        from . import peers as versus

        results = versus.run(scene, quick=quick, echo=None if as_json else click.echo)
    else:
        results = benches.run(scene, quick=quick, echo=None if as_json else click.echo)
    if as_json:
        print_json({"machine": benches.machine(), "results": results})


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
