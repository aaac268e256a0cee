# SPDX-License-Identifier: BSD-2-Clause
"""Unit quaternions (x, y, z, w) of poses, for orientation tasks."""

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


def yaw_of(quaternion: Sequence[float] | Array) -> float:
    """Heading: angle of the turned x axis in the ground plane [rad]."""
    x = rotate(quaternion, (1.0, 0.0, 0.0))
    return math.atan2(x[1], x[0])
