# SPDX-License-Identifier: BSD-2-Clause
"""Triangles with normals: what the items of a drawing look like, and arrows of contact forces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._core import ContactMode
from ..drawing import solids
from ..drawing.frame import Frame
from ..drawing.items import Drawing
from ..rotations import rotation_matrix

CREASE = np.cos(np.radians(40.0))  # faces that meet at less than this angle look round
NORMAL, STICK, SLIP = (40, 96, 235), (20, 160, 70), (220, 40, 40)


@dataclass
class Surface:
    """Corners of triangles in world axes (or those of a body), their normals, and a colour per triangle."""

    corners: np.ndarray  # (m, 3, 3)
    normals: np.ndarray  # (m, 3, 3), unit
    colours: np.ndarray  # (m, 3) from 0 to 1
    shadow: np.ndarray  # (m,) whether it throws one

    @classmethod
    def of(
        cls, vertices: np.ndarray, triangles: np.ndarray, colour: tuple[int, int, int], shadow: bool = True
    ) -> Surface:
        corners = np.asarray(vertices, float)[triangles]
        m = len(corners)
        return cls(
            corners, corner_normals(vertices, triangles), np.tile(np.array(colour) / 255.0, (m, 1)), np.full(m, shadow)
        )

    @classmethod
    def join(cls, parts: list[Surface]) -> Surface:
        if not parts:
            return cls(np.zeros((0, 3, 3)), np.zeros((0, 3, 3)), np.zeros((0, 3)), np.zeros(0, bool))
        return cls(
            *(np.concatenate([getattr(p, name) for p in parts]) for name in ("corners", "normals", "colours", "shadow"))
        )

    def placed(self, pose: np.ndarray) -> Surface:
        rotation = rotation_matrix(pose[3:])
        return Surface(self.corners @ rotation.T + pose[:3], self.normals @ rotation.T, self.colours, self.shadow)


def corner_normals(vertices: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """(m, 3, 3): at every corner the mean of the faces around its vertex, as far as they bend by less than the crease."""
    faces = np.cross(*(vertices[triangles[:, k]] - vertices[triangles[:, 0]] for k in (1, 2)))
    size = np.linalg.norm(faces, axis=1, keepdims=True)
    unit = np.divide(faces, size, out=np.zeros_like(faces), where=size > 0.0)
    same = np.unique(np.round(vertices, 9), axis=0, return_inverse=True)[1].reshape(-1)[triangles.reshape(-1)]
    order = np.argsort(same, kind="stable")
    counts = np.bincount(same)
    first = np.concatenate([[0], np.cumsum(counts)])[:-1]
    around = counts[same[order]]  # of every corner, in that order: how many share its place
    mine = np.repeat(order, around)
    start = np.repeat(first[same[order]], around)
    within = np.arange(len(mine)) - np.repeat(np.cumsum(around) - around, around)
    other = order[start + within]
    close = np.einsum("ij,ij->i", unit[mine // 3], unit[other // 3]) >= CREASE
    total = np.zeros((3 * len(triangles), 3))
    np.add.at(total, mine[close], faces[other[close] // 3])
    length = np.linalg.norm(total, axis=1, keepdims=True)
    flat = np.repeat(unit, 3, axis=0)
    return np.where(length > 0.0, total / np.where(length > 0.0, length, 1.0), flat).reshape(-1, 3, 3)


class Bodies:
    """Surfaces of a drawing, made once; `at` puts them where a frame says."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        shown = [item for item in drawing.items if item.layer != "collision"]  # of bodies that have visual shapes too
        parts: dict[int, list[Surface]] = {}
        cache: dict[object, Surface] = {}
        for item in shown:
            key = (item.same, item.colour) if item.same is not None else None
            surface = cache.get(key) if key is not None else None
            if surface is None:
                surface = Surface.of(item.vertices, item.triangles, item.colour)
                if key is not None:
                    cache[key] = surface
            parts.setdefault(item.body, []).append(surface)
        self._parts = {body: Surface.join(list(some)) for body, some in parts.items()}

    def at(self, frame: Frame, arrows: bool = True) -> Surface:
        """In world axes, with arrows of the contact forces."""
        out = [s if body < 0 else s.placed(frame.poses[body]) for body, s in self._parts.items()]
        return Surface.join(out + ([forces(frame, self.drawing)] if arrows else []))

    def box(self, frame: Frame) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest corner of all that moves, or of everything if nothing does."""
        moving = [
            s.placed(frame.poses[body]).corners.reshape(-1, 3)
            for body, s in self._parts.items()
            if body >= 0 and len(s.corners)
        ]
        points = np.concatenate(
            moving or [s.corners.reshape(-1, 3) for s in self._parts.values()] or [np.zeros((1, 3))]
        )
        return points.min(axis=0), points.max(axis=0)


def forces(frame: Frame, drawing: Drawing) -> Surface:
    """An arrow for the normal force of every contact and one for friction, as long as half a body where it weighs that much."""
    c = frame.contacts
    along = np.einsum("ij,ij->i", c["force"], c["normal"])[:, None] * c["normal"]
    sticks = (c["mode"] == ContactMode.STICK)[:, None]
    vectors = 0.5 * drawing.extent / drawing.force_unit * np.concatenate([along, c["force"] - along])
    colours = np.concatenate([np.broadcast_to(NORMAL, along.shape), np.where(sticks, STICK, SLIP)]) / 255.0
    shown = np.linalg.norm(vectors, axis=1) > 0.02 * drawing.extent
    return arrows(
        np.concatenate([c["point"], c["point"]])[shown], vectors[shown], colours[shown], 0.012 * drawing.extent
    )


def _arrow() -> tuple[np.ndarray, np.ndarray]:
    """Corners and normals of an arrow along z; z counts its parts: 0 the foot, 1 where the head begins, 2 the tip."""
    r, part = np.array([0.0, 1.0, 1.0, 1.0, 2.4, 2.4, 0.0]), np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0])
    usual, triangles = solids.revolve(r, np.array([0.0, 20.0, 25.0])[part.astype(int)])
    return solids.revolve(r, part)[0][triangles], corner_normals(usual, triangles)


def arrows(starts: np.ndarray, vectors: np.ndarray, colours: np.ndarray, radius: float) -> Surface:
    """Arrows from `starts` to starts + vectors."""
    corners, normals = _ARROW
    n, m = len(starts), len(corners)
    length = np.linalg.norm(vectors, axis=1)
    head = np.minimum(5.0 * radius, 0.6 * length)
    heights = np.stack([np.zeros(n), length - head, length], axis=1)[:, corners[..., 2].astype(int)]  # (n, m, 3)
    local = np.concatenate([np.broadcast_to(radius * corners[..., :2], (n, m, 3, 2)), heights[..., None]], axis=-1)
    z = vectors / np.maximum(length, 1e-300)[:, None]
    x = np.cross(np.where((np.abs(z[:, 1]) < 0.9)[:, None], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]), z)
    x /= np.maximum(np.linalg.norm(x, axis=1), 1e-300)[:, None]
    frames = np.stack([x, np.cross(z, x), z], axis=1)  # rows
    placed = np.einsum("nmkj,nji->nmki", local, frames) + starts[:, None, None, :]
    turned = np.einsum("mkj,nji->nmki", normals, frames)
    return Surface(
        placed.reshape(-1, 3, 3), turned.reshape(-1, 3, 3), np.repeat(colours, m, axis=0), np.zeros(n * m, bool)
    )


_ARROW = _arrow()
