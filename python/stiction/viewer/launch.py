# SPDX-License-Identifier: BSD-2-Clause
"""`view()`: a server, a stage per track, the panel and a player, put together."""

from __future__ import annotations

import atexit
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..drawing.items import Drawing
from ..drawing.source import Source
from ..drawing.visuals import visuals_of
from .actuators import ActuatorPanel, KeyframePanel, keyframes_of
from .controls import JointPanel, MethodPanel, PullPanel
from .keys import add_keys
from .live import LiveTrack
from .page import as_page
from .panel import RunPanel, add_export_panel, add_show_panel
from .player import Player
from .plots import Plots
from .recorded import RecordedTrack
from .server import LOCAL, address, close_server, open_server, require_viser
from .stage import Shown, Stage
from .why import WhyPanel

if TYPE_CHECKING:
    import viser

    from stiction import Simulator

WORDS_EVERY = 6  # frames: ten times a second is enough for words and plots


class Viewer:
    """What view() returns: the page at `url`, and the same buttons from Python.

    Parameters
    ----------
    tracks
        What is shown, side by side.
    host
        Address that the page is served at.
    port
        Of the page; 0 takes a free one.
    title
        Of the page.
    """

    def __init__(self, tracks: Sequence[LiveTrack | RecordedTrack], host: str, port: int, title: str) -> None:
        self.tracks = list(tracks)
        self.title = title
        self.server: viser.ViserServer = open_server(host, port, title)
        self._shown = Shown()
        self._stages = self._make_stages()
        self.player = Player(self.tracks, self._draw)
        self._live = [track for track in self.tracks if isinstance(track, LiveTrack)]
        self._make_panel()
        self._place_camera()
        atexit.register(self.close)
        self.player.start()
        self.player.do(lambda: None)  # the first drawing

    @property
    def url(self) -> str:
        return address(self.server)

    # ---- the buttons ------------------------------------------------------------------------------------------------

    def play(self) -> None:
        """Let time run."""
        self._do(self.player.play)

    def pause(self) -> None:
        """Stand still."""
        self._do(self.player.pause)

    def step(self) -> None:
        """One step forward."""
        self._do(self.player.step)

    def back(self) -> None:
        """One step back."""
        self._do(self.player.back)

    def reset(self) -> None:
        """Back to the start."""
        self._do(self.player.reset)

    def run(self, duration: float) -> None:
        """Simulate `duration` seconds as fast as it goes, frame by frame, and show the end."""
        start, frames = self.player.time, max(1, math.ceil(60.0 * duration))

        def simulate() -> None:
            for i in range(frames):
                time = start + duration * (i + 1) / frames
                if not all([track.advance_to(time, math.inf) for track in self.tracks]):
                    return

        self._do(simulate)

    def export(self, path: str | Path | None = None) -> str:
        """The motion so far as one HTML page, written to `path` if there is one."""
        pages: list[str] = []
        self._do(lambda: pages.append(as_page(self.server, self.player, self._stages, self._shown, self.title)))
        if not pages:
            raise RuntimeError("the page could not be made; the log says why")
        if path is not None:
            Path(path).write_text(pages[0], encoding="utf-8")
        return pages[0]

    def close(self) -> None:
        """End the thread and free the port; also done when Python ends."""
        atexit.unregister(self.close)
        self.player.stop()
        close_server(self.server)

    def __enter__(self) -> Viewer:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _repr_html_(self) -> str:
        """In a notebook the page is shown below the cell."""
        return f'<iframe src="{self.url}" width="100%" height="560" style="border:1px solid #ddd"></iframe>'

    def _do(self, task: Any) -> None:
        self.player.do(task)
        self.player.wait()

    # ---- putting together -------------------------------------------------------------------------------------------

    def _make_stages(self) -> list[Stage]:
        width = 1.6 * max(track.drawing.spread for track in self.tracks)
        stages = []
        for i, track in enumerate(self.tracks):
            offset = (0.0, -(i - 0.5 * (len(self.tracks) - 1)) * width, 0.0)
            title = track.title if len(self.tracks) > 1 else ""
            stages.append(Stage(self.server, track.drawing, f"/track{i}", offset, title))
        return stages

    def _make_panel(self) -> None:
        gui = self.server.gui
        tabs = gui.add_tab_group()
        with tabs.add_tab("Run"):
            self._run_panel = RunPanel(self.server, self.player)
            add_keys(self.server, self.player)
        with tabs.add_tab("Why"):
            self._why_panel = WhyPanel(self.server, self.player, self._stages)
        if self._live:
            self._make_live_tabs(tabs)
        with tabs.add_tab("Show"):
            layers = self.tracks[0].drawing.layers
            add_show_panel(self.server, self._shown, layers, lambda: self.player.do(lambda: None))
            add_export_panel(self.server, self.export)
        with gui.add_folder("Plots"):  # not in a tab: a chart that is drawn while hidden has no width
            self._plots = Plots(gui, self.tracks)

    def _make_live_tabs(self, tabs: viser.GuiTabGroupHandle) -> None:
        gui = self.server.gui
        with tabs.add_tab("Method"):
            for i, (track, stage) in enumerate(zip(self._live, self._stages, strict=True)):
                with gui.add_folder(f"Simulation {i + 1}" if len(self._live) > 1 else "Method"):
                    MethodPanel(self.server, self.player, track, stage)
        if self._live[0].drawing.bodies:
            with tabs.add_tab("Pull"):
                PullPanel(self.server, self.player, self._live)
        sim = self._live[0].sim
        driven, keyframes = len(sim.ctrl) > 0, keyframes_of(sim)
        if driven or keyframes:
            with tabs.add_tab("Actuators" if driven else "Keyframes"):
                panel = ActuatorPanel(self.server, self.player, self._live)
                if keyframes:
                    KeyframePanel(self.server, self.player, self._live, panel.show)
        if sim.ntau > 0 and not driven:
            with tabs.add_tab("Joints"):
                JointPanel(self.server, self.player, self._live)

    def _place_camera(self) -> None:
        drawing = self.tracks[0].drawing
        width = drawing.spread * (1.0 + 1.2 * (len(self.tracks) - 1))
        beside = 0.3 * width * np.array([-0.55, 0.83, 0.0])  # to the right, where the panel is
        camera = self.server.initial_camera
        camera.look_at = tuple(drawing.centre + beside)
        camera.position = tuple(drawing.centre + beside + width * np.array([1.2, 0.8, 0.5]))
        # A slow page moves its camera when the first of the two arrives, and again only when the scene is told which way is up.
        self.server.scene.set_up_direction("+z")

    def _draw(self) -> None:
        with self.server.atomic():
            for track, stage in zip(self.tracks, self._stages, strict=True):
                pull = (track.given.body, track.given.force) if isinstance(track, LiveTrack) else (-1, (0.0, 0.0, 0.0))
                stage.show(track.frame(track.at), self._shown, pull)
        self.server.flush()
        if not self.player.playing or self.player.frames_drawn % WORDS_EVERY == 0:
            self._run_panel.show()
            self._why_panel.show()
            self._plots.show()


def view(
    what: Simulator | Source | Sequence[Simulator | Source],
    *,
    compare: Sequence[str] = (),
    visuals: str | Path | None = None,
    host: str = LOCAL,
    port: int = 8080,
    title: str = "stiction",
    block: bool = False,
) -> Viewer:
    """Open a viewer in the browser; needs the extra `viewer` (pip install 'stiction[viewer]').

    Parameters
    ----------
    what
        A simulator, or anything with frames (a recording), or several of them, shown side by side under one clock.
        Simulators are copied: what the viewer does with them does not reach yours.
    compare
        Further laws under which the same simulator is shown beside itself.
    visuals
        A URDF file whose <visual> shapes are drawn; found by itself for robots that were loaded by name.
    host, port
        Where the page is served: this machine only, unless host says otherwise. Port 0 is any free one.
    title
        Shown above the panel.
    block
        Wait until Ctrl-C instead of returning at once.

    Returns
    -------
    Viewer
        Has .url, the buttons as methods, .export(path) and .close(); in a notebook it shows itself.
    """
    require_viser()
    things: list[Any] = list(what) if isinstance(what, (list, tuple)) else [what]
    tracks: list[LiveTrack | RecordedTrack] = []
    for thing in things:
        tracks += [RecordedTrack(thing)] if isinstance(thing, Source) else _live_tracks(thing, compare, visuals)
    viewer = Viewer(tracks, host, port, title)
    if block:
        wait_for_interrupt(viewer)
    return viewer


def _live_tracks(sim: Simulator, laws: Sequence[str], visuals: str | Path | None) -> list[LiveTrack | RecordedTrack]:
    drawing = Drawing.of(sim, visuals_of(sim, visuals))
    return [LiveTrack(sim, drawing=drawing), *(LiveTrack(sim.variant(law=law), drawing=drawing) for law in laws)]


def wait_for_interrupt(viewer: Viewer) -> None:
    import time

    try:
        while True:
            time.sleep(3600.0)
    except KeyboardInterrupt:
        viewer.close()
