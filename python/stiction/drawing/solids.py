# SPDX-License-Identifier: BSD-2-Clause
"""Triangles of the primitive shapes, and placing them. Lengths as Geom.size gives them."""

from __future__ import annotations

import numpy as np

from ..rotations import rotation_matrix

PRIMITIVES = ("sphere", "capsule", "box", "cylinder")
SIDES = 24  # around an axis

Mesh = tuple[np.ndarray, np.ndarray]


def mesh(kind: str, size: np.ndarray, vertices: np.ndarray, triangles: np.ndarray) -> Mesh:
    """(vertices, triangles) of a shape in its own frame."""
    if kind == "sphere":
        return revolve(*_dome(size[0], 0.0))
    if kind == "capsule":
        return revolve(*_dome(size[0], 0.5 * size[1]))
    if kind == "cylinder":
        return cylinder(size[0], 0.5 * size[1])
    if kind == "box":
        return box(0.5 * size)
    return np.asarray(vertices, float), np.asarray(triangles, np.int32)


def _dome(radius: float, half_length: float) -> tuple[np.ndarray, np.ndarray]:
    """Profile (r, z) of a capsule from pole to pole; a sphere if it has no length."""
    angle = np.linspace(-np.pi / 2, np.pi / 2, SIDES // 2 + 1)
    low, high = angle[angle <= 1e-12], angle[angle >= -1e-12]
    if half_length == 0.0:
        return radius * np.cos(angle), radius * np.sin(angle)
    r = radius * np.cos(np.concatenate([low, high]))
    z = np.concatenate([radius * np.sin(low) - half_length, radius * np.sin(high) + half_length])
    return r, z


def revolve(r: np.ndarray, z: np.ndarray) -> Mesh:
    """The surface that the profile (r, z) sweeps about z; z rises, so that triangles face outwards."""
    turn = 2.0 * np.pi * np.arange(SIDES) / SIDES
    rings = np.stack(
        [np.outer(r, np.cos(turn)), np.outer(r, np.sin(turn)), np.repeat(z[:, None], SIDES, axis=1)], axis=-1
    )
    i, j = np.meshgrid(np.arange(len(r) - 1), np.arange(SIDES), indexing="ij")
    a, b = i * SIDES + j, i * SIDES + (j + 1) % SIDES
    c, d = a + SIDES, b + SIDES
    faces = np.concatenate([np.stack([a, b, d], -1).reshape(-1, 3), np.stack([a, d, c], -1).reshape(-1, 3)])
    return rings.reshape(-1, 3), faces.astype(np.int32)


def cylinder(radius: float, half_length: float) -> Mesh:
    """Rims are doubled: the light must not be smeared over the edge."""
    r = np.array([0.0, radius, radius, radius, radius, 0.0])
    z = half_length * np.array([-1.0, -1.0, -1.0, 1.0, 1.0, 1.0])
    return revolve(r, z)


def box(half: np.ndarray) -> Mesh:
    """Six faces of four corners each."""
    vertices: list[np.ndarray] = []
    triangles: list[list[int]] = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
            first = len(vertices)
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                vertices.append(half * (sign * np.eye(3)[axis] + a * u + b * v))
            quad = (0, 1, 2, 3) if sign > 0 else (3, 2, 1, 0)
            triangles += [
                [first + quad[0], first + quad[1], first + quad[2]],
                [first + quad[0], first + quad[2], first + quad[3]],
            ]
    return np.array(vertices), np.array(triangles, np.int32)


def facets(vertices: np.ndarray, triangles: np.ndarray) -> Mesh:
    """Every triangle with corners of its own, so that edges are seen."""
    return vertices[triangles].reshape(-1, 3), np.arange(3 * len(triangles), dtype=np.int32).reshape(-1, 3)


def bar(start: np.ndarray, end: np.ndarray, radius: float) -> Mesh:
    """A capsule between two points."""
    along = np.asarray(end, float) - start
    length = float(np.linalg.norm(along))
    vertices, triangles = revolve(*_dome(radius, 0.5 * length))
    z = along / length
    x = np.cross([0.0, 1.0, 0.0] if abs(z[1]) < 0.9 else [1.0, 0.0, 0.0], z)
    x /= np.linalg.norm(x)
    return vertices @ np.array([x, np.cross(z, x), z]) + 0.5 * (start + end), triangles


def place(points: np.ndarray, position: np.ndarray, xyzw: np.ndarray) -> np.ndarray:
    """R x + p of every point."""
    return points @ rotation_matrix(xyzw).T + position


def to_local(pose: np.ndarray, point: np.ndarray) -> np.ndarray:
    """A world point in the frame of a pose (x y z, qx qy qz qw)."""
    local: np.ndarray = (point - pose[:3]) @ rotation_matrix(pose[3:])
    return local
