# SPDX-License-Identifier: BSD-2-Clause
"""What the commands share: errors in one sentence, options that several of them take."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import click

import stiction as st

from ..output.suggest import unknown_name


class Sentence(click.ClickException):
    """An error of the user, told in one sentence."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        click.echo(f"stiction: {self.format_message()}", err=True)


class Commands(click.Group):
    """A group whose unknown commands are answered with a close one."""

    def resolve_command(self, context: click.Context, words: list[str]) -> Any:
        if words and self.get_command(context, words[0]) is None and not words[0].startswith("-"):
            raise unknown_name("command", words[0], self.list_commands(context))
        return super().resolve_command(context, words)


EXIT_CODES = """\b
Exit codes:
  0    done
  1    a bar, a row or a check failed; a problem was not solved
  2    bad input, told in one sentence
  130  ended by Ctrl-C; no file is left half written"""


def example(*lines: str) -> str:
    """The end of a command's help."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)


def print_json(value: Any) -> None:
    click.echo(json.dumps(value, indent=2, allow_nan=True))


def names(kind: str) -> list[str]:
    return [entry.name for entry in st.catalog()[kind]]


def split(text: str | None, default: list[str]) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()] if text else default


FLOORS = ("half_space", "heightfield")


def has_floor(world: st.World) -> bool:
    """Whether a static plane or height field is in it: the file is a whole scene."""
    return any(geom["body"] < 0 and geom["kind"] in FLOORS for geom in world.describe()["geoms"])


def robot_world(what: str, height: float | None, keyframe: str | None) -> st.World:
    """A robot on the ground. An MJCF file that has a floor is taken as it is; a keyframe says by itself how high the robot is."""
    path, _ = st.robots.find(what)
    if path.suffix.lower() not in (".urdf", ".sdf"):
        world = st.World()
        st.robots.add(what, world, position=(0.0, 0.0, height or 0.0))
        if has_floor(world):
            return world
    world = st.World()
    world.add_ground(mu=0.8)
    usual = 1.0 if keyframe is None else 0.0
    st.robots.add(what, world, position=(0.0, 0.0, usual if height is None else height))
    return world


def simulator(what: str, height: float | None = None, keyframe: str | None = None, **settings: Any) -> st.Simulator:
    """A scene by name, or a robot on the ground: by its name, or that of a URDF, SDF or MJCF file."""
    if what in names("scenes"):
        if keyframe is not None:
            raise Sentence(f"--keyframe is for MJCF files; '{what}' is a scene and has a start of its own")
        return st.scene(what, **settings)
    if not st.robots.is_file(what) and what not in (robots := st.robots.list()):
        raise unknown_name("scene or robot", what, [*names("scenes"), *robots])
    world = robot_world(what, height, keyframe)
    keywords = ("law", "solver", "stepper", "dt", "law_options", "solver_options", "stepper_options")
    extra = sorted(set(settings) - set(keywords))
    if extra:
        raise Sentence(f"'{extra[0]}' is a parameter of scenes; '{what}' is a robot and has none (say --height)")
    sim = st.Simulator(world, **{key: value for key, value in settings.items() if value is not None})
    if keyframe is not None:
        set_keyframe(sim, what, keyframe)
    return sim


def set_keyframe(sim: st.Simulator, what: str, name: str) -> None:
    known = [key for robot in sim.robots for key in robot.keyframes]
    if not known:
        raise Sentence(f"'{what}' has no keyframes; leave --keyframe out")
    if name not in known:
        raise Sentence(f"unknown keyframe '{name}'; '{what}' has {', '.join(known)}")
    sim.set_keyframe(name)


law_option = click.option("--law", default="coulomb", show_default=True, help="contact law (stiction list laws)")
solver_option = click.option("--solver", default="auto", show_default=True, help="solver (stiction list solvers)")
stepper_option = click.option(
    "--stepper",
    default="auto",
    show_default=True,
    help="stepper (stiction list steppers); auto is the usual one of the law",
)
dt_option = click.option("--dt", type=float, help="step [s]; that of the scene or the MJCF file by default")
keyframe_option = click.option("--keyframe", metavar="NAME", help="start of an MJCF file: one of its keyframes")
height_option = click.option(
    "--height",
    type=float,
    help="height at which a ROBOT or FILE is put [m]; 1 by default, 0 with a keyframe or if an MJCF file has a floor",
)
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
