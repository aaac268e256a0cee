# SPDX-License-Identifier: BSD-2-Clause
"""Polynomials of degree five with position, velocity and acceleration given at both ends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._core import InvalidInput

Array = NDArray[np.float64]
Motion = tuple[Array, Array, Array]  # position, velocity, acceleration


@dataclass(frozen=True)
class Quintic:
    """p(t) on [0, length]; before and after, the values at the ends."""

    start: Motion
    end: Motion
    length: float  # [s]

    def __post_init__(self) -> None:
        if not self.length > 0.0:
            raise InvalidInput(f"length of a quintic is {self.length}, expected a time > 0 s")

    def at(self, time: float) -> Motion:
        """Position, velocity, acceleration at a time."""
        T = self.length
        t = min(max(time, 0.0), T)
        p0, v0, a0 = (np.asarray(x, dtype=float) for x in self.start)
        p1, v1, a1 = (np.asarray(x, dtype=float) for x in self.end)
        # what is left after the parabola of the start, in units of T³, T⁴, T⁵
        p = p1 - (p0 + v0 * T + 0.5 * a0 * T * T)
        v = (v1 - (v0 + a0 * T)) * T
        a = (a1 - a0) * T * T
        c3, c4, c5 = 10.0 * p - 4.0 * v + 0.5 * a, -15.0 * p + 7.0 * v - a, 6.0 * p - 3.0 * v + 0.5 * a
        s = t / T
        position = p0 + v0 * t + 0.5 * a0 * t * t + s**3 * (c3 + s * (c4 + s * c5))
        velocity = v0 + a0 * t + s**2 * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)) / T
        acceleration = a0 + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5)) / T**2
        return position, velocity, acceleration


def rest_to_rest(start: Array, end: Array, time: float, length: float) -> Motion:
    """From standing still to standing still."""
    zero = np.zeros_like(start)
    return Quintic((start, zero, zero), (end, zero, zero), length).at(time)
