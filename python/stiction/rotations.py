# SPDX-License-Identifier: BSD-2-Clause
"""Rotations: unit quaternions (x, y, z, w) as poses have them, matrices, rotation vectors, roll-pitch-yaw.

A rotation of a body turns its axes into world axes: x_world = rotate(q, x_body) = rotation_matrix(q) @ x_body.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def cross(a: Sequence[float] | Array, b: Sequence[float] | Array) -> Array:
    """a × b. (np.cross takes ten times as long for two vectors of three.)"""
    (x, y, z), (u, v, w) = a, b
    return np.array([y * w - z * v, z * u - x * w, x * v - y * u])


def skew(a: Sequence[float] | Array) -> Array:
    """The matrix of a ×."""
    x, y, z = a
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def rotate(quaternion: Sequence[float] | Array, x: Sequence[float] | Array) -> Array:
    """x turned by a unit quaternion."""
    u, w = np.asarray(quaternion[:3], dtype=float), float(quaternion[3])
    y = np.asarray(x, dtype=float)
    t = 2.0 * cross(u, y)
    return np.asarray(y + w * t + cross(u, t))


def rotation_matrix(quaternion: Sequence[float] | Array) -> Array:
    """The matrix (3, 3) of a unit quaternion."""
    x, y, z, w = (float(c) for c in quaternion)
    return np.array([[1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
                     [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
                     [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)]])  # fmt: skip


def rotation_of_vector(vector: Sequence[float] | Array) -> Array:
    """The matrix of a rotation vector (axis times angle), by Rodrigues' formula: exp([vector]×)."""
    turn = np.asarray(vector, dtype=float)
    angle = float(np.linalg.norm(turn))
    if angle == 0.0:
        return np.eye(3)
    k = skew(turn / angle)
    return np.asarray(np.eye(3) + np.sin(angle) * k + (1.0 - np.cos(angle)) * k @ k)


def rotation_of_rpy(roll: float, pitch: float, yaw: float) -> Array:
    """The matrix of URDF's roll, pitch and yaw about fixed axes: R_z(yaw) R_y(pitch) R_x(roll)."""
    (a, b, c), (d, e, f) = np.cos([roll, pitch, yaw]), np.sin([roll, pitch, yaw])
    x = np.array([[1, 0, 0], [0, a, -d], [0, d, a]])
    y = np.array([[b, 0, e], [0, 1, 0], [-e, 0, b]])
    z = np.array([[c, -f, 0], [f, c, 0], [0, 0, 1]])
    return np.asarray(z @ y @ x)


def rotation_error(wanted: Sequence[float] | Array, now: Sequence[float] | Array) -> Array:
    """The rotation vector in world axes that turns `now` into `wanted`: log(R_wanted Rᵀ)."""
    a, b = np.asarray(wanted, dtype=float), np.asarray(now, dtype=float)
    vector = -a[3] * b[:3] + b[3] * a[:3] - cross(a[:3], b[:3])
    scalar = a[3] * b[3] + a[:3] @ b[:3]
    length = float(np.linalg.norm(vector))
    if length < 1e-12:
        return np.asarray(2.0 * vector * math.copysign(1.0, scalar))
    sign = math.copysign(1.0, scalar)
    return np.asarray(2.0 * sign * math.atan2(length, sign * scalar) / length * vector)


def angle_between(a: Array, b: Array) -> float:
    """Angle of the rotation from one orientation to the other [rad]."""
    return 2.0 * float(np.arccos(min(1.0, abs(float(a @ b)))))


def about_z(angle: float) -> Array:
    """The quaternion of a turn about z [rad]."""
    return np.array([0.0, 0.0, math.sin(0.5 * angle), math.cos(0.5 * angle)])


def yaw_of(quaternion: Sequence[float] | Array) -> float:
    """Heading: angle of the turned x axis in the ground plane [rad]."""
    x = rotate(quaternion, (1.0, 0.0, 0.0))
    return math.atan2(x[1], x[0])


def wxyz(xyzw: Array) -> Array:
    """Quaternions, one or many, with the scalar first: the order of MuJoCo and viser.

    Parameters
    ----------
    xyzw
        (…, 4), the scalar last.
    """
    return np.roll(xyzw, 1, axis=-1)


def xyzw(wxyz: Array) -> Array:
    """Quaternions, one or many, with the scalar last: the order of poses here.

    Parameters
    ----------
    wxyz
        (…, 4), the scalar first.
    """
    return np.roll(wxyz, -1, axis=-1)
