# SPDX-License-Identifier: BSD-2-Clause
"""`stiction version` and `stiction list`."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

import click

import stiction as st

from ..output.extras import packages
from ..output.suggest import unknown_name
from .common import example, json_option, print_json

KINDS = ["laws", "solvers", "steppers", "scenes", "robots", "extras"]


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
    """What there is: laws, solvers, steppers, scenes, robots, extras; with their options if one KIND is named."""
    if kind is not None and kind not in KINDS:
        raise unknown_name("list", kind, KINDS)
    chosen, everything = KINDS if kind is None else [kind], st.catalog()
    if as_json:
        print_json(
            {k: _found(k) if k in ("robots", "extras") else [asdict(entry) for entry in everything[k]] for k in chosen}
        )
        return
    for k in chosen:
        click.echo(f"{k}:")
        if k == "robots":
            click.echo("  " + "\n  ".join(st.robots.list() or ["none found"]))
            continue
        if k == "extras":
            _list_extras()
            continue
        for entry in everything[k]:
            click.echo(f"  {entry.name:22}{entry.summary}")
            if kind is not None:
                _describe(entry)


def _found(kind: str) -> dict[str, Any]:
    """Robots and their files; extras and the packages that they ask for."""
    if kind == "robots":
        return {name: str(path) for name, path in st.robots.paths().items()}
    return {extra: [wanted for wanted, _ in wants] for extra, wants in packages().items()}


def _list_extras() -> None:
    for extra, wants in packages().items():
        state = (
            "installed"
            if all(there for _, there in wants)
            else "pip install " + " ".join(f"'{w}'" for w, t in wants if not t)
        )
        click.echo(f"  {extra:22}{state}")


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
