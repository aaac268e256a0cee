# SPDX-License-Identifier: BSD-2-Clause
"""`stiction check`: is this robot what you think it is?"""

from __future__ import annotations

import click

from .common import example, json_option, print_json


@click.command(epilog=example("stiction check robot.urdf --package-dir ~/ros/src", "stiction check starleth --json"))
@click.argument("what", metavar="FILE|ROBOT")
@click.option(
    "--package-dir",
    "package_dirs",
    multiple=True,
    metavar="DIR",
    help="a folder in which package:// is looked up; may be repeated",
)
@click.option("--fixed", is_flag=True, help="weld the base to the world")
@click.option(
    "--self-collision", is_flag=True, help="links of the robot are meant to touch each other: overlaps are warnings"
)
@click.option("--all", "everything", is_flag=True, help="print every finding, not only the first few of a kind")
@json_option
def check(
    what: str, package_dirs: tuple[str, ...], fixed: bool, self_collision: bool, everything: bool, as_json: bool
) -> int:
    """Look over a robot from a URDF, SDF or MJCF file, or by name: masses, inertias, limits, axes, collision shapes, meshes.

    Prints what is wrong with a suggestion for each, what will be simulated, and what was changed. Exit code 0 if there is neither
    an error nor a warning, 1 if there is, 2 if the file cannot be read."""
    from .. import check as checks

    checked = checks.robot(what, package_dirs=package_dirs, fixed=fixed, self_collision=self_collision)
    if as_json:
        print_json(checked.as_dict())
    else:
        click.echo(checked.text(everything))
    return 0 if checked.ok else 1
