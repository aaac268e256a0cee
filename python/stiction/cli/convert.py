# SPDX-License-Identifier: BSD-2-Clause
"""`stiction convert`: robots and scenes as MJCF files."""

from __future__ import annotations

import warnings

import click

import stiction as st

from .common import example, json_option, names, print_json


@click.command(
    epilog=example("stiction convert robot.urdf robot.xml", "stiction convert starleth starleth.xml --fixed --json")
)
@click.argument("what", metavar="FILE|ROBOT|SCENE")
@click.argument("out", metavar="OUT.xml")
@click.option(
    "--package-dir",
    "package_dirs",
    multiple=True,
    metavar="DIR",
    help="a folder in which package:// is looked up; may be repeated",
)
@click.option("--fixed", is_flag=True, help="weld the base to the world")
@json_option
def convert(what: str, out: str, package_dirs: tuple[str, ...], fixed: bool, as_json: bool) -> None:
    """Write a robot (URDF, SDF, MJCF or a name) or a scene as an MJCF file, with its meshes beside it.

    What MJCF cannot say is printed, with the names that it concerns."""
    if what in names("scenes"):
        world = st._core.scene_world(what, {})
    else:
        world = st.World()
        st.robots.add(what, world, package_dirs=package_dirs, fixed=fixed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        told = world.save_mjcf(out)
    if as_json:
        print_json({"file": out, "bodies": len(world.bodies), "warnings": [*world.warnings, *told]})
        return
    for line in [*world.warnings, *told]:
        click.echo(f"warning: {line}", err=True)
    click.echo(f"{out}: {len(world.bodies)} moving bodies")


__all__ = ["convert"]
