# SPDX-License-Identifier: BSD-2-Clause
"""Tabs about live simulators: the method, a pull on a body, targets of the joints."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

import stiction as st

from ..output.page import plain_text
from .live import LiveTrack
from .player import Player
from .server import in_order
from .stage import Stage

if TYPE_CHECKING:
    import viser

NO_BODY = "(none)"


class MethodPanel:
    """Law, solver, stepper and dt of one track; `Restart` begins anew with them, or says why that is refused."""

    def __init__(self, server: viser.ViserServer, player: Player, track: LiveTrack, stage: Stage) -> None:
        self._player, self._track, self._stage = player, track, stage
        names = {kind: [entry.name for entry in st.catalog()[kind]] for kind in ("laws", "solvers", "steppers")}
        gui, sim = server.gui, track.sim
        self._law = gui.add_dropdown("Law", tuple(names["laws"]), initial_value=sim.law)
        self._solver = gui.add_dropdown(
            "Solver", tuple(dict.fromkeys(["auto", *names["solvers"]])), initial_value=sim.solver
        )
        self._stepper = gui.add_dropdown("Stepper", ("auto", *names["steppers"]), initial_value="auto")
        self._dt = gui.add_number("dt [s]", sim.dt, min=1e-6, max=1.0, step=1e-6)
        self._restart = gui.add_button("Restart", hint="begin anew with this method")
        self._words = gui.add_markdown("")
        self._restart.on_click(in_order(lambda _: self._ask()))
        self.show()

    def _ask(self) -> None:
        """With the method as it stands at the click, whatever is chosen until the player comes to it."""
        method = self._law.value, self._solver.value, self._stepper.value, float(self._dt.value)
        self._player.do(lambda: self._begin(*method))

    def _begin(self, law: str, solver: str, stepper: str, dt: float) -> None:
        playing = self._player.playing
        try:
            self._track.restart(law, solver, stepper, dt)
        except ValueError as error:
            self._words.content = f"**refused**: {plain_text(str(error))}"
            return
        self._player.reset()
        self._stage.rename(self._track.title)
        self.show()
        if playing:
            self._player.play()

    def show(self) -> None:
        sim = self._track.sim
        self._words.content = f"now: {sim.law}, {sim.solver}, {sim.stepper}, {1e3 * sim.dt:g} ms"


class PullPanel:
    """A force on a body, given as a vector or by a handle in the scene; it lasts while `Pull` is on."""

    def __init__(self, server: viser.ViserServer, player: Player, tracks: list[LiveTrack]) -> None:
        self._player, self._tracks = player, tracks
        drawing = tracks[0].drawing
        self._names = [f"{i}: {name}" for i, name in enumerate(drawing.bodies)]
        unit = float(f"{0.5 * drawing.force_unit:.2g}")
        gui = server.gui
        self._body: Any = gui.add_dropdown("Body", (NO_BODY, *self._names), initial_value=NO_BODY)
        self._force: Any = gui.add_vector3(
            "Force [N]", (0.0, unit, 0.0), step=0.01 * unit, hint="world axes, at the centre of mass"
        )
        self._on: Any = gui.add_checkbox("Pull", False, hint="apply the force in every step")
        self._by_hand = gui.add_checkbox(
            "Handle", False, hint="drag a handle in the scene: the force grows with its distance"
        )
        self._newtons_per_metre = drawing.force_unit / drawing.extent
        self._handle = server.scene.add_transform_controls(
            "/pull_handle", scale=0.4 * drawing.extent, disable_rotations=True, visible=False, depth_test=False
        )
        for widget in (self._body, self._force, self._on):
            widget.on_update(in_order(lambda _: player.do(self._apply)))
        self._by_hand.on_update(in_order(lambda _: player.do(self._place_handle)))
        self._handle.on_update(in_order(lambda _: player.do(self._read_handle)))

    @property
    def body(self) -> int:
        return -1 if self._body.value == NO_BODY else self._names.index(self._body.value)

    def _apply(self) -> None:
        body, (x, y, z) = self.body if self._on.value else -1, self._force.value
        for track in self._tracks:
            track.given = replace(track.given, body=body, force=(float(x), float(y), float(z)))

    def _place_handle(self) -> None:
        self._handle.visible = self._by_hand.value and self.body >= 0
        if self._handle.visible:
            self._handle.position = self._tracks[0].now.poses[self.body, :3]
        self._apply()

    def _read_handle(self) -> None:
        if self._handle.visible:
            away = np.asarray(self._handle.position) - self._tracks[0].now.poses[self.body, :3]
            self._force.value = tuple(float(x) for x in self._newtons_per_metre * away)
            self._on.value = True
            self._apply()


class JointPanel:
    """A slider per joint: targets of the PD inside the engine."""

    def __init__(self, server: viser.ViserServer, player: Player, tracks: list[LiveTrack]) -> None:
        self._player, self._tracks = player, tracks
        gui, sim = server.gui, tracks[0].sim
        held = len(sim.pd_target) > 0
        gui.add_markdown("Targets of the joint PD." if held else "The joints are free. `Hold` switches a PD on.")
        if not held:
            self._kp = gui.add_number("kp [N m/rad]", 40.0, min=0.0)
            self._kd = gui.add_number("kd [N m s/rad]", 1.0, min=0.0)
            gui.add_button("Hold").on_click(in_order(lambda _: player.do(self._hold)))
        self._sliders = self._add_sliders(gui, sim)
        for slider in self._sliders:
            slider.on_update(in_order(self._moved))

    def _add_sliders(self, gui: viser.GuiApi, sim: st.Simulator) -> list[Any]:
        limits = sim.joint_limits
        start = sim.pd_target if len(sim.pd_target) else np.zeros(sim.ntau)
        names = [name for robot in sim.robots for name in robot.joint_names]
        names = names if len(names) == sim.ntau else [f"tau[{i}]" for i in range(sim.ntau)]
        out = []
        for name, (low, high), value in zip(names, limits, start, strict=True):
            low, high = (max(low, -np.pi), min(high, np.pi)) if low < high else (-np.pi, np.pi)
            low, high = min(low, value), max(high, value)
            out.append(gui.add_slider(name, min=float(low), max=float(high), step=0.001, initial_value=float(value)))
        return out

    def _moved(self, event: Any) -> None:
        if event.client is not None:  # moved by a hand, not by _hold()
            target = tuple(float(slider.value) for slider in self._sliders)
            self._player.do(lambda: self._give(target))

    def _give(self, target: tuple[float, ...]) -> None:
        for track in self._tracks:
            if len(track.sim.pd_target):
                track.given = replace(track.given, target=target)

    def _hold(self) -> None:
        """From here on; the present posture of the start is the target until a slider moves."""
        for track in self._tracks:
            track.hold(float(self._kp.value), float(self._kd.value))
        for slider, value in zip(self._sliders, self._tracks[0].sim.pd_target, strict=True):
            slider.value = float(value)
