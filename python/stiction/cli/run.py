# SPDX-License-Identifier: BSD-2-Clause
"""`stiction run`: a scene or a robot, and how it went."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..bench.measure import measure
from ..bench.run_table import run_table
from .common import (
    dt_option,
    duration_option,
    example,
    height_option,
    json_option,
    keyframe_option,
    law_option,
    parameters,
    print_json,
    simulator,
    solver_option,
    stepper_option,
)
from .recordings import video_options, watching


@click.command(
    epilog=example(
        "stiction run cube_slide --law pyramid --set angle=0.4 --duration 1",
        "stiction run robot.urdf --height 0.5 --json",
        "stiction run scene.xml --keyframe home --duration 5",
    )
)
@click.argument("what", metavar="SCENE|ROBOT|FILE")
@law_option
@solver_option
@stepper_option
@dt_option
@duration_option
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="a physical parameter of the scene")
@height_option
@keyframe_option
@click.option("--record", metavar="OUT.mcap", help="record every step; see stiction replay, log and plot")
@video_options
@json_option
def run(
    what: str, law: str, solver: str, stepper: str, dt: float | None, duration: float | None, settings: tuple[str, ...],
    height: float | None, keyframe: str | None, record: str | None, as_json: bool, **video: Any,
) -> None:  # fmt: skip
    """Run a scene, or drop a robot, by its name or that of a URDF, SDF or MJCF file on the ground, and say how it went.

    An MJCF file that has a floor is run as it is, at its own time step.
    """
    method = dict(law=law, stepper=stepper, dt=dt, **parameters(settings))
    make = lambda: simulator(what, height, keyframe, solver=solver, **method)
    sim = make()
    judged = lambda: simulator(what, height, keyframe, law_options=dict(judge=True), **method)
    watch = watching(record, **video)
    result = measure(make, duration, Path(what).name, judged=judged if law == "anchored" else None, watch=watch)
    if as_json:
        print_json(result.summary())
        return
    click.echo(
        f"{what}: {result.steps} steps of {1e3 * sim.dt:g} ms, {result.status}, up to {result.contacts} contacts\n"
    )
    click.echo(run_table([result]))
    for path in filter(None, (record, video["video"])):
        click.echo(f"\nwritten: {path}")
