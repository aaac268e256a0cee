# SPDX-License-Identifier: BSD-2-Clause
"""What there is to draw of a world: triangles that hang on bodies, planes, and a size to choose scales by.

Robots whose links have no shape (many URDF files give shapes to feet and trunk only) get thin bars from joint to joint.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from . import solids

if TYPE_CHECKING:
    from stiction import Geom, Simulator

Colour = tuple[int, int, int]
ROBOT: Colour = (232, 148, 38)
BAR: Colour = (120, 124, 132)
STATIC: Colour = (176, 180, 188)
BODIES: tuple[Colour, ...] = ((84, 132, 196), (196, 104, 84), (104, 168, 112), (158, 118, 190), (200, 170, 70))


@dataclass(frozen=True)
class Item:
    """Triangles in the frame of a body (-1: the world)."""

    body: int
    vertices: np.ndarray  # (n, 3)
    triangles: np.ndarray  # (m, 3)
    colour: Colour  # red, green, blue, 0 to 255
    layer: str = "always"  # or "collision", "visual": those of a body that has both
    same: object = None  # items with equal `same` differ in body and colour only, and are centred on their bodies


@dataclass(frozen=True)
class Plane:
    """The surface z = 0 of a half-space."""

    position: np.ndarray
    rotation: np.ndarray  # quaternion xyzw


@dataclass
class Drawing:
    """All that is drawn of one world."""

    bodies: list[str]  # names; a body's id is its place
    items: list[Item] = field(default_factory=list)  # meshes that move
    planes: list[Plane] = field(default_factory=list)  # static half-spaces
    extent: float = 1.0  # size of what moves, typically one robot or body [m]
    spread: float = 1.0  # size of everything that moves at the start [m]
    centre: np.ndarray = field(default_factory=lambda: np.zeros(3))  # of what moves at the start [m]
    force_unit: float = 10.0  # a usual force [N]: what a body weighs

    @classmethod
    def of(cls, sim: Simulator, visuals: list[Item] | None = None) -> Drawing:
        """The collision shapes of a simulator's world, boxes between points and small balls, bars for links without any, and `visuals` if
        there are some.

        Parameters
        ----------
        sim
            Whose world it is.
        visuals
            Further items, such as visual meshes.
        """
        out = cls([body.name for body in sim.bodies])
        colours = _body_colours(sim)
        for geom in sim.geoms:
            if geom.kind == "half_space":
                out.planes.append(Plane(*geom.pose))
            elif geom.kind != "point":
                out.items.append(_item(geom, colours))
        dressed = {item.body for item in visuals or []}
        out.items = [replace(item, layer="collision") if item.body in dressed else item for item in out.items]
        out.items += visuals or []
        out.items += _boxes_of_points(sim, colours)
        out.items += _bars(sim, out.items)
        _measure(out, sim)
        return out

    @property
    def layers(self) -> list[str]:
        """Names that can be shown or hidden."""
        return sorted({item.layer for item in self.items} - {"always"})


def _body_colours(sim: Simulator) -> dict[int, Colour]:
    colours = {body.id: BODIES[body.id % len(BODIES)] for body in sim.bodies}
    for robot in sim.robots:
        for i in range(len(robot.body_names)):
            colours[robot.base + i] = ROBOT
    colours[-1] = STATIC
    return colours


def _item(geom: Geom, colours: dict[int, Colour]) -> Item:
    vertices, triangles = solids.mesh(geom.kind, geom.size, geom.vertices, geom.triangles)
    position, rotation = geom.pose
    centred = not position.any() and rotation[3] == 1.0
    same = (geom.kind, *geom.size) if centred and geom.kind in solids.PRIMITIVES else None
    if geom.kind not in solids.PRIMITIVES:
        vertices, triangles = solids.facets(vertices, triangles)
    return Item(geom.body, solids.place(vertices, position, rotation), triangles, colours[geom.body], same=same)


def _boxes_of_points(sim: Simulator, colours: dict[int, Colour]) -> list[Item]:
    """Free bodies that touch with points or small balls alone, as a block on eight corners does: the box between these."""
    links = {robot.base + i for robot in sim.robots for i in range(len(robot.body_names))}
    found: dict[int, list[Geom]] = {}
    for geom in sim.geoms:
        if geom.body >= 0 and geom.body not in links:
            found.setdefault(geom.body, []).append(geom)
    out = []
    for body, geoms in found.items():
        centres = np.array([geom.pose[0] for geom in geoms], float)
        low, high = centres.min(axis=0), centres.max(axis=0)
        radius = max((float(geom.size[0]) for geom in geoms if geom.kind == "sphere"), default=0.0)
        if all(geom.kind in ("point", "sphere") for geom in geoms) and (high - low > 4.0 * radius).all():
            vertices, triangles = solids.box(0.5 * (high - low))
            out.append(Item(body, vertices + 0.5 * (low + high), triangles, colours[body]))
    return out


def _bars(sim: Simulator, items: list[Item]) -> list[Item]:
    """From the joint of a robot's link to shapes of it that lie elsewhere, and to the joints that hang on it, unless both have shapes."""
    poses, shaped = sim.poses(), {item.body for item in items}
    out = []
    for robot in sim.robots:
        links = range(robot.base, robot.base + len(robot.body_names))
        scale = float(np.ptp(poses[list(links), :3], axis=0).max())
        tips = [(item.body, item.vertices.mean(axis=0)) for item in items if item.body in links and _is_elsewhere(item)]
        for child in links:
            parent = sim.bodies[child].parent
            if parent >= 0 and not (parent in shaped and child in shaped and not _lies_bare(parent, tips)):
                tips.append((parent, solids.to_local(poses[parent], poses[child, :3])))
        for body, tip in tips:
            if np.linalg.norm(tip) > 0.01 * scale > 0.0:
                out.append(Item(body, *solids.bar(np.zeros(3), tip, 0.02 * scale), BAR))
    return out


def _is_elsewhere(item: Item) -> bool:
    """Whether the joint lies outside of the shape's box."""
    low, high = item.vertices.min(axis=0), item.vertices.max(axis=0)
    return item.layer != "visual" and bool(((low > 0.0) | (high < 0.0)).any())


def _lies_bare(body: int, tips: list[tuple[int, np.ndarray]]) -> bool:
    """Whether some shape of the body had to be tied to its joint."""
    return any(body == other for other, _ in tips)


def _measure(out: Drawing, sim: Simulator) -> None:
    """Sizes of trees and of the whole at the start; a usual force."""
    poses = sim.poses()
    roots: dict[int, int] = {}
    for body in sim.bodies:
        roots[body.id] = body.id if body.parent < 0 else roots[body.parent]
    corners: dict[int, list[np.ndarray]] = {}
    for item in out.items:
        if item.body >= 0 and len(item.vertices):
            low, high = item.vertices.min(axis=0), item.vertices.max(axis=0)
            box = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
            pose = poses[item.body]
            corners.setdefault(roots[item.body], []).append(solids.place(box, pose[:3], pose[3:]))
    if not corners:
        return
    trees = [np.concatenate(boxes) for boxes in corners.values()]
    out.extent = max(float(np.median([np.ptp(tree, axis=0).max() for tree in trees])), 1e-3)
    everything = np.concatenate(trees)
    out.spread = max(float(np.ptp(everything, axis=0).max()), out.extent)
    out.centre = 0.5 * (everything.min(axis=0) + everything.max(axis=0))
    out.force_unit = max(9.81 * sim.mass / len(trees), 1e-6)
