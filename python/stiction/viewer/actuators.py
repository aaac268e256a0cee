# SPDX-License-Identifier: BSD-2-Clause
"""The tab `Actuators`: a slider per actuator, which gives its entry of `sim.ctrl`, and the keyframes of the robot's file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .live import LiveTrack
from .player import Player
from .server import in_order

if TYPE_CHECKING:
    import viser

    from stiction import Simulator

REACH = 1.0  # of a slider whose actuator has no ctrlrange, to both sides of where it starts


def keyframes_of(sim: Simulator) -> list[str]:
    """Names of all robots' keyframes, each once."""
    return list(dict.fromkeys(name for robot in sim.robots for name in robot.keyframes))


def slider_ranges(sim: Simulator) -> list[tuple[float, float]]:
    """ctrlrange where there is one; the present value lies within."""
    out = []
    for (low, high), now in zip(sim.ctrl_limits, sim.ctrl, strict=True):
        low, high = low if np.isfinite(low) else now - REACH, high if np.isfinite(high) else now + REACH
        out.append((float(min(low, now)), float(max(high, now, low + 1e-6))))
    return out


class ActuatorPanel:
    """A slider per actuator, in the order of `sim.ctrl`."""

    def __init__(self, server: viser.ViserServer, player: Player, tracks: list[LiveTrack]) -> None:
        self._player, self._tracks = player, tracks
        sim = tracks[0].sim
        names = [name for robot in sim.robots for name in robot.actuator_names]
        self._sliders: list[Any] = []
        for name, (low, high), now in zip(names, slider_ranges(sim), sim.ctrl, strict=True):
            step = 10.0 ** np.floor(np.log10(1e-3 * (high - low)))
            self._sliders.append(server.gui.add_slider(name, min=low, max=high, step=step, initial_value=float(now)))
        for slider in self._sliders:
            slider.on_update(in_order(self._moved))

    def _moved(self, event: Any) -> None:
        if event.client is not None:  # moved by a hand, not by show()
            ctrl = tuple(float(slider.value) for slider in self._sliders)
            self._player.do(lambda: self._give(ctrl))

    def _give(self, ctrl: tuple[float, ...]) -> None:
        for track in self._tracks:
            track.given = replace(track.given, ctrl=ctrl)

    def show(self) -> None:
        """The sliders at what the simulator is given now."""
        sim = self._tracks[0].sim
        for slider, (low, high), now in zip(self._sliders, slider_ranges(sim), sim.ctrl, strict=True):
            slider.min, slider.max = min(slider.min, low), max(slider.max, high)
            slider.value = float(now)


class KeyframePanel:
    """A keyframe and the button that begins anew at it."""

    def __init__(
        self, server: viser.ViserServer, player: Player, tracks: list[LiveTrack], after: Callable[[], None]
    ) -> None:
        self._player, self._tracks, self._after = player, tracks, after
        names = keyframes_of(tracks[0].sim)
        self._name = server.gui.add_dropdown("Keyframe", tuple(names), initial_value=names[0])
        button = server.gui.add_button("Start here", hint="begin anew at the keyframe")
        button.on_click(in_order(lambda _: self._ask()))

    def _ask(self) -> None:
        name = self._name.value
        self._player.do(lambda: self._begin(name))

    def _begin(self, name: str) -> None:
        playing = self._player.playing
        for track in self._tracks:
            track.start_at(name)
        self._player.reset()
        self._after()
        if playing:
            self._player.play()
