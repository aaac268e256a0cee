# SPDX-License-Identifier: BSD-2-Clause
"""`stiction ros2`: a running simulation on the topics of ROS 2."""

from __future__ import annotations

import click

from .common import (
    dt_option,
    duration_option,
    height_option,
    keyframe_option,
    law_option,
    parameters,
    simulator,
    solver_option,
    stepper_option,
)


@click.command()
@click.argument("what", metavar="SCENE|ROBOT|FILE")
@law_option
@solver_option
@stepper_option
@dt_option
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="a physical parameter of the scene")
@height_option
@keyframe_option
@click.option("--rate", default=50.0, show_default=True, help="moments per second of simulated time")
@click.option("--speed", default=1.0, show_default=True, help="simulated seconds per second; 0: as fast as it goes")
@duration_option
def ros2(
    what: str, law: str, solver: str, stepper: str, dt: float | None, settings: tuple[str, ...], height: float | None,
    keyframe: str | None, rate: float, speed: float, duration: float | None,
) -> None:  # fmt: skip
    """Simulate, and publish /tf, /joint_states, /contact_wrenches, /contact_forces, /shapes and /clock to ROS 2.

    \b
    stiction ros2 anymal_stand
    stiction ros2 robot.urdf --height 0.5 --law anchored --rate 100
    """
    from ..recording.ros_live import RosNode, publish

    sim = simulator(what, height, keyframe, law=law, solver=solver, stepper=stepper, dt=dt, **parameters(settings))
    with RosNode() as node:
        click.echo(f"publishing {what} (Ctrl-C ends); in RViz the fixed frame is `world`")
        sent = publish(sim, node, duration=duration, rate=rate, speed=speed, going=node.going)
    click.echo(f"{sent} moments, {sim.time:.3f} s")
