# SPDX-License-Identifier: BSD-2-Clause
"""`stiction version` and `stiction list`."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click

import stiction as st

from ..output.suggest import unknown_name
from .common import example, json_option, print_json

KINDS = ["laws", "solvers", "steppers", "scenes", "robots"]


@click.command(epilog=example("stiction version --json"))
@json_option
def version(as_json: bool) -> None:
    """Print the version."""
    if as_json:
        print_json({"stiction": st.__version__, "python": sys.version.split()[0], "compiler": st._core.compiler})
    else:
        click.echo(f"stiction {st.__version__}")


@click.command(name="list", epilog=example("stiction list solvers", "stiction list robots --json"))
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
    details = {
        "solves": ", ".join(entry.laws),
        "truth": entry.truth,
        "reference": entry.references,
        "fails": entry.failure_modes,
    }
    for key, value in details.items():
        if value:
            click.echo(f"      {key}: {value}")
    for option in entry.options:
        click.echo(f"      {option.name} = {option.default}: {option.doc}")
