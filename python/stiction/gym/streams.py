# SPDX-License-Identifier: BSD-2-Clause
"""Random numbers of many environments: each has its own stream, which depends on its seed and on how much it drew, not on the others.

Number k of seed s is a mixed counter (splitmix64, Steele, Lea and Flood 2014): no generator objects, and all environments draw at once.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def _mix(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


class Streams:
    """One stream per environment."""

    def __init__(self, n: int) -> None:
        self._key = np.zeros(n, np.uint64)
        self._count = np.zeros(n, np.uint64)
        self.seed(np.arange(n), range(n))

    def seed(self, which: NDArray[np.int64], seeds: Iterable[int]) -> None:
        """Begin anew: environment which[j] with seeds[j] >= 0."""
        wide = [s % 2**64 for s in seeds]
        self._key[which] = _mix(np.array(wide, np.uint64) + GOLDEN)
        self._count[which] = 0

    def uniform(
        self, which: NDArray[np.int64], width: int, low: float = -1.0, high: float = 1.0
    ) -> NDArray[np.float64]:
        """(len(which), width) numbers in [low, high)."""
        k: NDArray[np.uint64] = np.asarray(
            self._count[which, None] + np.arange(1, width + 1, dtype=np.uint64), np.uint64
        )
        self._count[which] += np.uint64(width)
        mixed = np.asarray(self._key[which, None] + k * GOLDEN, np.uint64)
        bits = _mix(_mix(mixed))
        return low + (high - low) * ((bits >> np.uint64(11)).astype(float) * 2.0**-53)

    def normal(self, which: NDArray[np.int64], width: int) -> NDArray[np.float64]:
        """(len(which), width) numbers of the standard normal distribution (Box and Muller)."""
        u = self.uniform(which, 2 * width, 0.0, 1.0)
        return np.sqrt(-2.0 * np.log1p(-u[:, :width])) * np.cos(2.0 * np.pi * u[:, width:])
