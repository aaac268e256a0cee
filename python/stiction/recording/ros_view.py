# SPDX-License-Identifier: BSD-2-Clause
"""What a simulator looks like to ROS 2 and Foxglove: frames, joints, shapes and contact forces, as messages.

Frames are those of the bodies, below the frame `world`. Lengths in m, forces in N, quaternions (x, y, z, w).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from .._core import ContactMode, Geom, Simulator
from ..drawing.items import BAR, Drawing
from ..drawing.solids import place
from ..rotations import rotation_matrix
from .cdr import Writer

WORLD = "world"
SPHERE, CUBE, CYLINDER, ARROW, TRIANGLES = 2, 1, 3, 0, 11  # types of visualization_msgs/Marker
ADD, DELETE_ALL = 0, 3
NORMAL, STICK, SLIP = (0.15, 0.35, 0.85), (0.2, 0.65, 0.3), (0.85, 0.2, 0.15)
IDENTITY = (0.0, 0.0, 0.0, 1.0)
GROUND = 20.0  # edge of the square that stands for a half-space, over the size of what moves


def stamp(writer: Writer, time: float) -> Writer:
    """builtin_interfaces/Time."""
    nanoseconds = max(0, round(1e9 * time))
    return writer.pack("iI", nanoseconds // 10**9, nanoseconds % 10**9)


class RosView:
    """Messages of one simulator. `opening` is written once, `moment` whenever it should be seen."""

    def __init__(self, sim: Simulator) -> None:
        self._frames = _unique([body.name for body in sim.bodies])
        self._joints = [robot for robot in sim.robots if len(robot.joint_names)]
        drawing = Drawing.of(sim)
        self._force_length = 0.5 * drawing.extent / drawing.force_unit  # [m/N]
        self._width = 0.02 * drawing.extent
        self._drawing = drawing

    # ---- once ---------------------------------------------------------------------------------------------------

    def opening(self, sim: Simulator) -> Iterator[tuple[str, bytes]]:
        """Shapes, each in the frame of its body: they move with /tf."""
        markers = [m for geom in sim.geoms for m in self._shape(geom)]
        shapes = [geom for geom in sim.geoms if geom.kind not in ("half_space", "point")]
        for item in self._drawing.items[len(shapes) :]:  # bars and boxes that stand for shapes
            if item.layer != "visual":
                markers.append((self._frame(item.body), TRIANGLES, (0, 0, 0), IDENTITY, (1, 1, 1), _rgb(item.colour),
                                item.vertices[item.triangles].reshape(-1, 3)))  # fmt: skip
        writer = Writer().pack("I", len(markers))
        for number, marker in enumerate(markers):
            _marker(writer, sim.time, "shapes", number, ADD, *marker)
        yield "/shapes", writer.bytes()

    def _frame(self, body: int) -> str:
        return WORLD if body < 0 else self._frames[body]

    def _shape(self, geom: Geom) -> Iterator[tuple]:
        position, turn = (np.asarray(x, float) for x in geom.pose)
        size, frame, colour = np.asarray(geom.size, float), self._frame(geom.body), _rgb(self._colour(geom.body))
        if geom.kind == "sphere":
            yield frame, SPHERE, position, turn, np.full(3, 2 * size[0]), colour, ()
        elif geom.kind == "box":
            yield frame, CUBE, position, turn, size, colour, ()
        elif geom.kind in ("cylinder", "capsule"):
            yield frame, CYLINDER, position, turn, (2 * size[0], 2 * size[0], size[1]), colour, ()
            for side in (-0.5, 0.5) if geom.kind == "capsule" else ():
                end = place(np.array([[0.0, 0.0, side * size[1]]]), position, turn)[0]
                yield frame, SPHERE, end, turn, np.full(3, 2 * size[0]), colour, ()
        elif geom.kind == "half_space":
            edge, thin = GROUND * self._drawing.spread, 1e-3 * self._drawing.spread
            below = place(np.array([[0.0, 0.0, -0.5 * thin]]), position, turn)[0]
            yield frame, CUBE, below, turn, (edge, edge, thin), colour, ()
        elif len(geom.triangles):
            corners = np.asarray(geom.vertices)[np.asarray(geom.triangles)].reshape(-1, 3)
            yield frame, TRIANGLES, position, turn, (1, 1, 1), colour, corners

    def _colour(self, body: int) -> tuple[int, int, int]:
        for item in self._drawing.items:
            if item.body == body and item.colour != BAR:
                return item.colour
        return (176, 180, 188)

    # ---- at a moment --------------------------------------------------------------------------------------------

    def moment(self, sim: Simulator) -> Iterator[tuple[str, bytes]]:
        """Where everything is, and what touches how hard."""
        poses, contacts = sim.poses(), sim.contacts()
        yield "/clock", stamp(Writer(), sim.time).bytes()
        yield "/tf", self._transforms(sim.time, poses)
        if self._joints:
            yield "/joint_states", self._joint_state(sim)
        for body, wrench in net_wrenches(contacts, poses).items():
            writer = stamp(Writer(), sim.time).text(self._frames[body])
            yield "/contact_wrenches", writer.pack("6d", *wrench).bytes()
        yield "/contact_forces", self._arrows(sim.time, contacts)

    def _transforms(self, time: float, poses: np.ndarray) -> bytes:
        writer = Writer().pack("I", len(poses))
        for frame, pose in zip(self._frames, poses, strict=True):
            stamp(writer, time).text(WORLD).text(frame).pack("7d", *pose)
        return writer.bytes()

    def _joint_state(self, sim: Simulator) -> bytes:
        positions = sim.joints()
        writer = stamp(Writer(), sim.time).text("").pack("I", len(positions))
        for name in positions:
            writer.text(name)
        return writer.array(np.array(list(positions.values()))).array(_NONE).array(_NONE).bytes()

    def _arrows(self, time: float, contacts: np.ndarray) -> bytes:
        arrows = []
        for contact in contacts:
            normal = (contact["force"] @ contact["normal"]) * contact["normal"]
            colour = SLIP if contact["mode"] == int(ContactMode.SLIP) else STICK
            for force, shade in ((normal, NORMAL), (contact["force"] - normal, colour)):
                if np.linalg.norm(force) * self._force_length > 0.1 * self._width:
                    arrows.append((contact["point"], contact["point"] + self._force_length * force, shade))
        writer = Writer().pack("I", 1 + len(arrows))
        none = (WORLD, ARROW, (0, 0, 0), IDENTITY, (1, 1, 1), (0, 0, 0, 0), ())
        _marker(writer, time, "contacts", 0, DELETE_ALL, *none)
        size = (self._width, 2 * self._width, 0.0)  # shaft, head
        for number, (start, end, shade) in enumerate(arrows, 1):
            _marker(writer, time, "contacts", number, ADD, WORLD, ARROW, (0, 0, 0), IDENTITY, size, (*shade, 1.0),
                    np.array([start, end]))  # fmt: skip
        return writer.bytes()


_NONE = np.empty(0)


def net_wrenches(contacts: np.ndarray, poses: np.ndarray) -> dict[int, np.ndarray]:
    """What contacts do to each body that they touch, about its origin and in its axes.

    Parameters
    ----------
    contacts
        Records of Simulator.contacts(); forces act on body_b [N].
    poses
        (bodies, 7): x y z [m], qx qy qz qw.

    Returns
    -------
    dict
        body -> force [N] and torque [N m], six numbers.
    """
    found: dict[int, np.ndarray] = {}
    for contact in contacts:
        for body, sign in ((int(contact["body_a"]), -1.0), (int(contact["body_b"]), 1.0)):
            if body < 0:
                continue
            axes = rotation_matrix(poses[body, 3:])
            force = axes.T @ (sign * contact["force"])
            arm = axes.T @ (contact["point"] - poses[body, :3])
            found[body] = found.get(body, np.zeros(6)) + np.concatenate([force, np.cross(arm, force)])
    return dict(sorted(found.items()))


def _marker(
    writer: Writer, time: float, space: str, number: int, action: int, frame: str, kind: int, position: Sequence[float],
    turn: Sequence[float], scale: Sequence[float], colour: Sequence[float], points: np.ndarray | tuple[()],
) -> None:  # fmt: skip
    """visualization_msgs/Marker, field by field; what is not used is empty."""
    stamp(writer, time).text(frame).text(space).pack("3i", number, kind, action)
    writer.pack("10d", *position, *turn, *scale).pack("4f", *colour)
    writer.pack("iI", 0, 0).pack("?", True)  # lives until it is replaced, moves with its frame
    writer.array(np.ascontiguousarray(points, float).reshape(-1, 3)).pack("I", 0).text("")  # points, colours, texture
    writer.pack("iI", 0, 0).text("").text("").blob(b"").pack("I", 0)  # image, its coordinates
    writer.text("").text("").text("").blob(b"").pack("?", False)  # words, mesh


def _rgb(colour: Sequence[int]) -> tuple[float, float, float, float]:
    r, g, b = (c / 255.0 for c in colour)
    return r, g, b, 1.0


def _unique(names: Sequence[str]) -> list[str]:
    """Names of frames: those that occur more than once get the number of their body."""
    often = Counter(names)
    return [name if often[name] == 1 and name != WORLD else f"{name}_{k}" for k, name in enumerate(names)]
