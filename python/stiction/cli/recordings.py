# SPDX-License-Identifier: BSD-2-Clause
"""`stiction replay`, `stiction log recover|info|export`, `stiction plot`, and the options of `run` that record and film."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import click

import stiction as st

from ..bench.measure import Watch
from ..output.progress import Progress
from .common import Commands, Sentence, example, json_option, print_json, split

_file = click.argument("file", metavar="RECORDING")


def video_options(command: Any) -> Any:
    """--video and what belongs to it."""
    for option in (
        click.option(
            "--speed", type=float, default=1.0, show_default=True, help="of the film; 0.1 is ten times slower than life"
        ),
        click.option("--fps", type=float, default=30.0, show_default=True, help="pictures of the film per second"),
        click.option("--size", default="960x540", show_default=True, help="of the film, in pixels"),
        click.option(
            "--camera",
            default="-55,18,1",
            show_default=True,
            metavar="AZIMUTH,ELEVATION,ZOOM",
            help="of the film, angles in degrees",
        ),
        click.option(
            "--video",
            metavar="OUT.mp4|gif|png",
            help="draw a film; mp4 needs the extra `video`, png gives one file per picture",
        ),
    ):
        command = option(command)
    return command


def _video_settings(size: str, camera: str, fps: float, speed: float) -> dict[str, Any]:
    try:
        width, height = (int(word) for word in size.split("x"))
    except ValueError:
        raise Sentence(f"--size is '{size}', expected WIDTHxHEIGHT, e.g. 960x540") from None
    try:
        azimuth, elevation, zoom = (float(word) for word in camera.split(","))
    except ValueError:
        raise Sentence(f"--camera is '{camera}', expected AZIMUTH,ELEVATION,ZOOM, e.g. -55,18,1") from None
    return {
        "size": (width, height),
        "fps": fps,
        "speed": speed,
        "azimuth": azimuth,
        "elevation": elevation,
        "zoom": zoom,
    }


def watching(record: str | None, video: str | None, **settings: Any) -> Watch | None:
    """What `run` does while it runs: records, films, both or nothing."""
    if not record and not video:
        return None
    shown = _video_settings(**settings)

    @contextmanager
    def watch(sim: st.Simulator) -> Iterator[Any]:
        with ExitStack() as stack:
            if record:
                stack.enter_context(st.record(sim, record))
            if not video:
                yield None
                return
            from ..render import Filming

            yield stack.enter_context(Filming(sim, video, **shown))

    return watch


def _load(file: str) -> Any:
    from .. import recording

    return recording.load(file)


@click.command(epilog=example("stiction replay run.mcap"))
@_file
@click.option(
    "--from",
    "start",
    type=int,
    default=0,
    show_default=True,
    help="start from the last saved state at or before this step",
)
@video_options
@json_option
def replay(file: str, start: int, video: str | None, as_json: bool, **shown: Any) -> None:
    """Simulate a recording again and compare every state, report and contact with the recorded one, bit for bit.

    Exit code 1 if one differs, or if the file was cut short.

    With --video, the recorded states are drawn instead.
    """
    from .. import recording

    log = recording.load(file)
    if video:
        from ..render import film

        with Progress("film", len(log), "state") as bar:
            film(recording.source(log), video, progress=bar.at, **_video_settings(**shown))
        print_json({"file": video}) if as_json else click.echo(f"written: {video}")
        return
    with Progress("replay", int(log.step[-1])) as bar:
        out = recording.replay(log, start, bar.at)
    if as_json:
        print_json({"file": file, "steps": out.steps, "compared": out.compared, "exact": out.exact, "first_difference": out.differs,
                    "what": out.what, "difference": out.largest, "complete": out.complete, "notes": out.notes})  # fmt: skip
    else:
        for note in out.notes:
            click.echo(f"note: {note}")
        if out.exact:
            click.echo(f"{file}: {out.steps} steps, {out.compared} states, all the same to the last bit")
        else:
            click.echo(
                f"{file}: the {out.what} of step {out.differs} differs from the recording, by up to {out.largest:.3g} in q and v; "
                "the steps before are the same"
            )
        if not out.complete:
            click.echo(
                f"{file} was cut short: what came after was not compared. stiction log recover {file} NEW.mcap makes it whole."
            )
    if not (out.exact and out.complete):
        sys.exit(1)


@click.group(cls=Commands, epilog=example("stiction log info run.mcap"))
def log() -> None:
    """Look into recordings: info, recover, export."""


def summary(recorded: Any) -> dict[str, Any]:
    """What `log info` prints."""
    reasons = [snapshot.reason for snapshot in recorded.snapshots]
    return {
        "file": str(recorded.path), "bytes": recorded.path.stat().st_size, "complete": recorded.complete,
        "version": recorded.info["version"], "compiler": recorded.info["compiler"], "machine": recorded.info["machine"],
        "scene": recorded.info["scene"], "parameters": recorded.parameters, **recorded.settings,
        **recorded.sizes, "bodies": len(recorded.bodies),
        "states": len(recorded), "steps": int(recorded.step[-1]), "start_s": float(recorded.time[0]), "end_s": float(recorded.time[-1]),
        "contacts": int(recorded.reports["contacts"].max(initial=0)), "steps_with_input": len(recorded.inputs),
        "snapshots": len(reasons), "edits": reasons.count("edited"),
    }  # fmt: skip


@log.command(epilog=example("stiction log info run.mcap"))
@_file
@json_option
def info(file: str, as_json: bool) -> None:
    """What a recording holds, finished or cut short."""
    found = summary(_load(file))
    if as_json:
        print_json(found)
        return
    for name, value in found.items():
        click.echo(f"{name:18}{value if value != {} else '-'}")
    if not found["complete"]:
        click.echo(
            f"\nThe file was cut short. All commands read it as it is; stiction log recover {file} NEW.mcap makes it whole."
        )


@log.command(epilog=example("stiction log recover run.mcap whole.mcap"))
@_file
@click.argument("target", metavar="NEW")
@json_option
def recover(file: str, target: str, as_json: bool) -> None:
    """Copy all that can be read of a recording to a finished, compressed and indexed file."""
    from .. import recording

    whole = recording.recover(file, target)
    if as_json:
        print_json(summary(whole))
        return
    click.echo(
        f"{target}: {len(whole)} states up to step {whole.step[-1]}, {whole.time[-1]:g} s, {Path(target).stat().st_size} bytes"
    )


def _export(file: str, target: str) -> list[Path]:
    from ..recording import export as exporter
    from ..recording import source

    if Path(target).suffix == ".usda":
        from ..render import usd

        return [usd(source(file), target)]
    return exporter.save(_load(file), target)


@log.command(epilog=example("stiction log export run.mcap run.npz", "stiction log export run.mcap run.usda"))
@_file
@click.argument("target", metavar="FILE.npz|FILE.csv|FILE.usda")
@json_option
def export(file: str, target: str, as_json: bool) -> None:
    """Write a recording as a NumPy archive (.npz), as tables (.csv: states and reports; a second file holds contacts) or as a
    scene of USD (.usda), which Blender, Omniverse and others open."""
    written = _export(file, target)
    if as_json:
        print_json([str(path) for path in written])
        return
    for path in written:
        click.echo(f"{path}: {path.stat().st_size} bytes")


@click.command(epilog=example("stiction plot run.mcap --what energy,forces --out figure.svg"))
@_file
@click.option(
    "--what",
    help="names, separated by commas: q v energy forces residual penetration contacts iterations; the first six by default",
)
@click.option(
    "--out", default="plot.svg", show_default=True, help="the figure: .svg, .png, .pdf, or .html (opens offline)"
)
@json_option
def plot(file: str, what: str | None, out: str, as_json: bool) -> None:
    """Draw what happened in a recording over time."""
    from ..recording import plot as plots

    names = split(what, list(plots.USUAL))
    plots.save(_load(file), out, names)
    if as_json:
        print_json({"file": out, "plots": names})
    else:
        click.echo(f"{out}: {', '.join(names)}")
