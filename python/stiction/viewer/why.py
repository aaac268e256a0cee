# SPDX-License-Identifier: BSD-2-Clause
"""The tab `Why`: click a contact and read its force, its cone, its slip, and what the law says of it, in every track."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

import stiction as st

from .._core import ContactMode
from ..output.page import plain_text
from .live import LiveTrack
from .player import Player
from .server import in_order
from .stage import Stage

if TYPE_CHECKING:
    import viser

NEAR = 0.03  # [rad] between the click and a contact that it means
HINT = "Click a contact point in the scene. What holds there is told here, for every law that is shown."
PICKED = (240, 190, 20)
# The speed of a contact is that of the end of the step, at the point where it was evaluated: a body that turns moves it a little.
HELD = "sticks: the force is inside of its friction cone; its point moves because the body turned during the step"
INSIDE = 0.999  # of the limit: a force below is not on the edge of the cone
HARD = ("coulomb", "convex", "pyramid", "raisim")  # laws whose contacts are problems, which know μ
SAYS = {
    ContactMode.OPEN: "is open: it carries nothing",
    ContactMode.STICK: "sticks: the force is inside of its friction cone",
    ContactMode.SLIP: "slips: the force is on the edge of its friction cone",
}


class WhyPanel:
    """One contact in words. `pick` and `show` are called in the player's thread."""

    def __init__(self, server: viser.ViserServer, player: Player, stages: Sequence[Stage]) -> None:
        self._player, self._stages = player, list(stages)
        self._words = server.gui.add_markdown(HINT)
        self._picked: tuple[int, int, np.ndarray] | None = None  # bodies and point [m]
        radius = 0.04 * stages[0].drawing.extent
        self._marks = [
            server.scene.add_icosphere(f"{s.root}/picked", radius=radius, color=PICKED, opacity=0.5, visible=False)
            for s in stages
        ]
        clicked: Any = in_order(self._clicked)  # viser takes coroutines too, its types do not say so
        server.scene.on_click()(clicked)

    def _clicked(self, event: Any) -> None:
        origin, along = np.array(event.ray_origin, float), np.array(event.ray_direction, float)
        self._player.do(lambda: self.pick(origin, along))

    def pick(self, origin: np.ndarray, along: np.ndarray) -> bool:
        """Choose the contact that a ray passes by most closely.

        Parameters
        ----------
        origin, along
            The ray, world axes of the scene [m].

        Returns
        -------
        bool
            Whether there is one within NEAR. If not, nothing is chosen any more.
        """
        best, self._picked = NEAR, None
        for track, stage in zip(self._player.tracks, self._stages, strict=True):
            for contact in track.frame(track.at).contacts:
                to = contact["point"] + stage.offset - origin
                angle = float(np.arctan2(np.linalg.norm(np.cross(to, along)), to @ along))
                if angle < best:
                    best = angle
                    self._picked = (int(contact["body_a"]), int(contact["body_b"]), np.array(contact["point"]))
        self.show()
        return self._picked is not None

    def show(self) -> None:
        """The words, and a mark around the point."""
        contacts = [self._same(track) for track in self._player.tracks]
        for mark, contact in zip(self._marks, contacts, strict=True):
            mark.visible = contact is not None
            if contact is not None:
                mark.position = np.asarray(contact["point"], float)
        words = HINT if self._picked is None else self._tell(contacts)
        if self._words.content != words:
            self._words.content = words

    def _same(self, track: Any) -> Any:
        """The contact of the picked bodies that is nearest to the picked point, in this track, or None."""
        if self._picked is None:
            return None
        a, b, point = self._picked
        contacts = track.frame(track.at).contacts
        mine = contacts[(contacts["body_a"] == a) & (contacts["body_b"] == b)]
        if len(mine) == 0:
            return None
        return mine[np.argmin(np.linalg.norm(mine["point"] - point, axis=1))]

    def _tell(self, contacts: Sequence[Any]) -> str:
        assert self._picked is not None
        names = ["the world" if k < 0 else plain_text(self._stages[0].drawing.bodies[k]) for k in self._picked[:2]]
        parts = [f"**{names[1]} on {names[0]}**"]
        for track, contact in zip(self._player.tracks, contacts, strict=True):
            frame = track.frame(track.at)
            residual = frame.values.get("residual", float("nan"))
            off = f"the step is {residual:.1e} N off from exact Coulomb friction" if residual == residual else ""
            title = f"*{plain_text(track.title)}*: "
            parts.append(title + ("does not touch" if contact is None else describe(contact, friction_of(track), off)))
            parts.append(law_in_words(track))
        return "\n\n".join(part for part in parts if part)


def describe(contact: Any, mu: float | None, off: str = "") -> str:
    """A contact in words.

    Parameters
    ----------
    contact
        A record of Simulator.contacts().
    mu
        Friction coefficient [-], or None if it is not known.
    off
        What is known of the step's error.
    """
    normal = float(contact["force"] @ contact["normal"])
    tangential = float(np.linalg.norm(contact["force"] - normal * contact["normal"]))
    mode = ContactMode(int(contact["mode"]))
    inside = mu is not None and normal > 0.0 and tangential < INSIDE * mu * normal
    lines = [f"this contact {HELD if mode == ContactMode.SLIP and inside else SAYS[mode]}.", ""]
    rows = [("normal force", f"{normal:.4g} N"), ("friction force", f"{tangential:.4g} N")]
    if normal > 0.0:
        rows.append(("friction over normal", f"{tangential / normal:.3f}"))
        if mu:
            rows.append(("limit μ", f"{mu:.3g}"))
            rows.append(("used of the cone", f"{100.0 * tangential / (mu * normal):.0f} %"))
    rows += [("slip", f"{1e3 * contact['slip']:.3g} mm/s"), ("gap", f"{1e3 * contact['gap']:.3g} mm")]
    lines += ["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)]
    return "\n".join(lines + (["", off + "."] if off else []))


def friction_of(track: Any) -> float | None:
    """The friction coefficient of the contacts of a live track if they all have the same one."""
    if not isinstance(track, LiveTrack) or track.sim.law not in HARD:
        return None
    found = {float(mu) for problem in track.sim.problems() for mu in np.atleast_1d(problem.mu)}
    return found.pop() if len(found) == 1 else None


def law_in_words(track: Any) -> str:
    """What the law of a live track holds to be true of contacts, and where it errs."""
    if not isinstance(track, LiveTrack):
        return ""
    entry = next((e for e in st.catalog()["laws"] if e.name == track.sim.law), None)
    if entry is None:
        return ""
    return f"Law `{entry.name}`: {plain_text(entry.summary)}. Known to fail: {plain_text(entry.failure_modes)}."
