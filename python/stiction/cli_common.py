# SPDX-License-Identifier: BSD-2-Clause
"""What the commands share: errors in one sentence, options that several of them take."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import click

import stiction as st


class Sentence(click.ClickException):
    """An error of the user, told in one sentence."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        click.echo(f"stiction: {self.format_message()}", err=True)


def print_json(value: Any) -> None:
    click.echo(json.dumps(value, indent=2, allow_nan=True))


def names(kind: str) -> list[str]:
    return [entry.name for entry in st.catalog()[kind]]


def split(text: str | None, default: list[str]) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()] if text else default


def simulator(what: str, height: float | None = None, **settings: Any) -> st.Simulator:
    """A scene by name, or a robot dropped on the ground: by its name, or that of a URDF, SDF or MJCF file."""
    ending = what.lower().rsplit(".", 1)[-1]
    is_file = "." in what and ending in ("urdf", "sdf", "xml", "mjcf")
    if not is_file and (what in names("scenes") or what not in st.robots.paths()):
        return st.scene(what, **settings)
    world = st.World()
    world.add_ground(mu=0.8)
    position = (0.0, 0.0, 1.0 if height is None else height)
    if is_file:
        add = {"urdf": world.add_urdf, "sdf": world.add_sdf}.get(ending, world.add_mjcf)
        add(what, position=position)
    else:
        st.robots.load(what, world, position=position)
    settings = {key: value for key, value in settings.items() if value is not None}
    return st.Simulator(world, **settings)


law_option = click.option("--law", default="coulomb", show_default=True, help="contact law (stiction list laws)")
solver_option = click.option("--solver", default="auto", show_default=True, help="solver (stiction list solvers)")
stepper_option = click.option("--stepper", default="semi_implicit", show_default=True, help="stepper (stiction list steppers)")
dt_option = click.option("--dt", type=float, help="step [s]; the scene's own by default")
duration_option = click.option("--duration", type=float, help="simulated time [s]; the scene's own by default")
json_option = click.option("--json", "as_json", is_flag=True, help="print JSON instead of a table")


def parameters(words: Iterable[str], flag: str = "--set") -> dict[str, Any]:
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
