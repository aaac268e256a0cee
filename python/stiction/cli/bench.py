# SPDX-License-Identifier: BSD-2-Clause
"""`stiction bench`: how fast, beside how accurate."""

from __future__ import annotations

import click

from .common import example, json_option, print_json, simulator


@click.command(
    epilog=example(
        "stiction bench pile --quick", "stiction bench static --peers --json", "stiction bench robot.xml --profile"
    )
)
@click.argument("scene", required=False)
@click.option("--peers", is_flag=True, help="beside MuJoCo, alternating in this process")
@click.option("--profile", is_flag=True, help="time per stage of a step")
@click.option("--quick", is_flag=True, help="few and short runs: shows that it works, measures nothing")
@json_option
def bench(scene: str | None, peers: bool, profile: bool, quick: bool, as_json: bool) -> None:
    """Steps per second beside accuracy, contacts and iterations; --peers prints ratios to MuJoCo with their spread."""
    from ..bench import peers as versus
    from ..bench import scenes
    from ..bench.machine import machine

    if peers and profile:
        raise click.UsageError("--peers and --profile are two measurements; take one")
    if profile:
        results = scenes.profile(scene, simulator, quick=quick, echo=None if as_json else click.echo)
    elif peers:
        results = versus.run(scene, quick=quick, echo=None if as_json else click.echo)
    else:
        results = scenes.run(scene, quick=quick, echo=None if as_json else click.echo)
    if as_json:
        print_json({"machine": machine(), "results": results})
