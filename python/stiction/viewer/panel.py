# SPDX-License-Identifier: BSD-2-Clause
"""The tab `Run`, what is shown, and the page to take away; tabs about simulators are in controls.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core import ContactMode
from ..output.page import plain_text
from .player import Player
from .server import in_order
from .stage import Shown

if TYPE_CHECKING:
    import viser

SPEEDS = {"0.05x": 0.05, "0.1x": 0.1, "0.25x": 0.25, "0.5x": 0.5, "1x": 1.0, "2x": 2.0, "5x": 5.0, "20x": 20.0}
BACK, STEP, RESET = "Step back", "Step", "Reset"
PLAY, PAUSE = "Play", "Pause"


class RunPanel:
    """Play, pause, step, back, reset, scrub, speed; the state in words."""

    def __init__(self, server: viser.ViserServer, player: Player) -> None:
        self._player = player
        gui = server.gui
        self._words = gui.add_markdown("")
        self._play = gui.add_button(PLAY, hint="run in real time, or pause")
        self._moves = gui.add_button_group(
            "Move", (BACK, STEP, RESET), hint="one step back, exactly; one step forward; to the start"
        )
        self._scrub: Any = gui.add_slider(
            "Frame", min=0, max=1, step=1, initial_value=0, hint="move through what was run so far"
        )
        self._speed = gui.add_dropdown("Speed", tuple(SPEEDS), initial_value="1x")
        self._connect()

    def _connect(self) -> None:
        player = self._player
        self._play.on_click(in_order(lambda _: self._toggle()))
        moves = {BACK: player.back, STEP: player.step, RESET: player.reset}
        self._moves.on_click(in_order(lambda _: player.do(moves[self._moves.value])))
        self._speed.on_update(in_order(lambda _: setattr(player, "speed", SPEEDS[self._speed.value])))
        self._scrub.on_update(in_order(self._scrubbed))

    def _scrubbed(self, event: Any) -> None:
        if event.client is not None:  # moved by a hand, not by show()
            index = int(self._scrub.value)
            self._player.do(lambda: self._player.go(index))

    def _toggle(self) -> None:
        """What the button says at the click: a second click before it says something else changes nothing."""
        self._player.do(self._player.pause if self._play.label == PAUSE else self._player.play)

    def show(self) -> None:
        track = self._player.tracks[0]
        label = PAUSE if self._player.playing else PLAY
        if self._play.label != label:
            self._play.label = label
        frame = track.frame(track.at)
        steps = f"step {frame.step}" if frame.step else "start"
        sticking = np.count_nonzero(frame.contacts["mode"] == ContactMode.STICK)
        slipping = np.count_nonzero(frame.contacts["mode"] == ContactMode.SLIP)
        self._words.content = (
            f"**t = {frame.time:.4f} s**, {steps}, {plain_text(frame.status or 'ready')}  \n"
            f"{len(frame.contacts)} contacts: {sticking} stick, {slipping} slip"
        )
        self._scrub.max = max(len(track) - 1, 1)
        self._scrub.value = track.at


def add_show_panel(server: viser.ViserServer, shown: Shown, layers: list[str], redraw: Callable[[], None]) -> None:
    """What of the contacts and shapes is drawn, and what the colours mean."""
    gui = server.gui
    boxes = {name: gui.add_checkbox(text, True) for name, text in
             (("normal", "Normal forces"), ("friction", "Friction forces"), ("points", "Contact points"))}  # fmt: skip
    scale = gui.add_slider("Arrow length", min=0.1, max=5.0, step=0.1, initial_value=shown.scale)
    which = (
        gui.add_dropdown("Shapes", ("visual", "collision", "both"), initial_value="visual") if len(layers) > 1 else None
    )
    gui.add_markdown(
        "Blue: normal force. Green: a contact that sticks, with its friction force. Red: one that slips. Magenta: your pull."
    )

    def update(_: Any) -> None:
        for name, box in boxes.items():
            setattr(shown, name, box.value)
        shown.scale = scale.value
        if which is not None:
            shown.layers = {"always", *(layers if which.value == "both" else [which.value])}
        redraw()

    for handle in (*boxes.values(), scale, which):
        if handle is not None:
            handle.on_update(in_order(update))
    update(None)


def add_export_panel(server: viser.ViserServer, make_page: Callable[[], str]) -> None:
    """A button that hands the page to the browser that asked for it."""
    gui = server.gui
    button = gui.add_button("Export page", hint="one HTML file with the motion so far; opens without a network")
    gui.add_markdown("The page holds the motion and the arrows. Plots and widgets stay behind.")

    @button.on_click
    def _(event: Any) -> None:  # waits for the player, hence not in_order
        page = make_page().encode()
        if event.client is not None:
            event.client.send_file_download("stiction.html", page, save_immediately=True)
