# SPDX-License-Identifier: BSD-2-Clause
"""`stiction view`: the viewer in the browser, or a page without one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import stiction as st

from .common import (
    Sentence,
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

if TYPE_CHECKING:
    from ..viewer import Source, Viewer

RECORDINGS = (".mcap",)
POLICIES = (".json",)


@click.command()
@click.argument("what", metavar="SCENE|ROBOT|FILE|RECORDING|POLICY")
@law_option
@solver_option
@stepper_option
@dt_option
@click.option("--compare", multiple=True, metavar="LAW", help="the same under another law beside it; may be repeated")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="a physical parameter of the scene")
@height_option
@keyframe_option
@click.option("--port", default=8080, show_default=True, help="port of the page; 0 is any free one")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="address to listen at; 0.0.0.0 lets other machines in"
)
@click.option(
    "--export", "page", type=click.Path(dir_okay=False, path_type=Path), help="write one offline HTML page and stop"
)
@duration_option
@click.option("--paused", is_flag=True, help="wait for the button Play")
def view(
    what: str, law: str, solver: str, stepper: str, dt: float | None, compare: tuple[str, ...], settings: tuple[str, ...],
    height: float | None, keyframe: str | None, port: int, host: str, page: Path | None, duration: float | None, paused: bool,
) -> None:  # fmt: skip
    """Look at a scene, a robot, a URDF, SDF or MJCF file, a recording or a run of a policy in the browser.

    \b
    stiction view anymal_stand --compare convex
    stiction view robot.urdf --height 0.5 --law anchored
    stiction view scene.xml --keyframe home
    stiction view policy.json --duration 10
    stiction view kapla --export kapla.html --duration 3
    """
    shown: st.Simulator | Source
    if Path(what).suffix in RECORDINGS:
        shown = _recording(what)
    elif Path(what).suffix in POLICIES:
        shown = _policy(what, duration)
    else:
        method = dict(law=law, solver=solver, stepper=stepper, dt=dt, **parameters(settings))
        shown = simulator(what, height, keyframe, **method)
    is_urdf = what.lower().endswith(".urdf")
    viewer = st.view(
        shown,
        compare=compare,
        visuals=what if is_urdf else None,
        host=host,
        port=0 if page else port,
        title=Path(what).name,
    )
    if page is not None:
        _write_page(viewer, page, duration, shown)
        return
    click.echo(f"{viewer.url}   (Ctrl-C ends)")
    if not paused:
        viewer.play()
    from ..viewer.launch import wait_for_interrupt

    wait_for_interrupt(viewer)


def _write_page(viewer: Viewer, page: Path, duration: float | None, shown: st.Simulator | Source) -> None:
    usual = shown.duration if isinstance(shown, st.Simulator) else 0.0
    with viewer:
        viewer.run(duration or usual or 2.0)
        text = viewer.export()
    partial = page.with_name(page.name + ".part")
    partial.write_text(text, encoding="utf-8")
    partial.replace(page)
    click.echo(f"{page}: {len(text) / 1e6:.1f} MB, opens offline; plots and widgets stay behind")


def _policy(path: str, duration: float | None) -> Source:
    """An episode of a policy of stiction.learn, in the environment that it names."""
    from ..learn import replay

    return replay(path, 20.0 if duration is None else duration)


def _recording(path: str) -> Source:
    """The reader of recordings offers what the viewer wants: a Source."""
    try:
        from ..recording import source  # type: ignore[attr-defined,import-not-found,unused-ignore]
    except ImportError:
        raise Sentence(f"cannot read the recording '{path}': this build has no reader of recordings") from None
    found: Source = source(path)
    return found
