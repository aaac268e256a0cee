# SPDX-License-Identifier: BSD-2-Clause
"""The command `stiction`. Every error is one sentence and exit code 2."""

from __future__ import annotations

import sys
from pathlib import Path

import click

import stiction as st

from . import cli_compare, cli_problems, tables
from .cli_common import (
    Sentence,
    dt_option,
    duration_option,
    json_option,
    law_option,
    parameters,
    print_json,
    simulator,
    solver_option,
    stepper_option,
)
from .measure import measure


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(st.__version__, prog_name="stiction")
def cli() -> None:
    """Contact simulation for robots: many contact laws, solvers and steppers, judged by one outside measure."""


@cli.command()
def version() -> None:
    """Print the version."""
    click.echo(f"stiction {st.__version__}")


for _command in (cli_compare.demo, cli_compare.compare, cli_problems.solve, cli_problems.generate, cli_problems.export):
    cli.add_command(_command)


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


@cli.command()
@click.argument("what", metavar="SCENE|ROBOT|FILE")
@law_option
@solver_option
@stepper_option
@dt_option
@duration_option
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="a physical parameter of the scene")
@click.option("--height", type=float, help="height from which a ROBOT or FILE is dropped [m]; 1 by default")
@json_option
def run(
    what: str, law: str, solver: str, stepper: str, dt: float | None, duration: float | None, settings: tuple[str, ...],
    height: float | None, as_json: bool,
) -> None:  # fmt: skip
    """Run a scene, or drop a robot, by its name or that of a URDF, SDF or MJCF file on the ground, and say how it went."""
    extra = parameters(settings)
    make = lambda: simulator(what, height, law=law, solver=solver, stepper=stepper, dt=dt, **extra)  # noqa: E731
    sim = make()
    result = measure(make, duration, Path(what).name)
    if as_json:
        print_json(result.summary())
        return
    click.echo(f"{what}: {result.steps} steps of {1e3 * sim.dt:g} ms, {result.status}, up to {result.contacts} contacts\n")
    click.echo(tables.run_table([result]))


@cli.command()
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
