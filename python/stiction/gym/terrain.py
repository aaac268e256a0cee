# SPDX-License-Identifier: BSD-2-Clause
"""A field of bumps: heights on a grid of 0.1 m, the same for the physics and for what is observed."""

from __future__ import annotations

import numpy as np

from .._core import InvalidInput
from .task import Rows

CELLS = 200  # per side
CELL = 0.1  # [m]
EDGE = 4.0  # starts are this far from the edge [m]
SAMPLES = np.array([(x, y) for x in (-0.4, 0.0, 0.4, 0.8) for y in (-0.3, 0.0, 0.3)])  # around the base [m]
FOOTPRINT = np.array([(x, y) for x in np.linspace(-0.5, 0.5, 6) for y in np.linspace(-0.5, 0.5, 6)])


class Terrain:
    """Heights h(x, y) over a square around the origin, linear on the two triangles of a cell."""

    points = len(SAMPLES)

    def __init__(self, roughness: float, seed: int) -> None:
        if not 0.0 <= roughness <= 0.5:
            raise InvalidInput(f"roughness is {roughness}, expected 0 to 0.5 m")
        random = np.random.default_rng(seed)
        coarse = random.uniform(0.0, 1.0, (CELLS // 4 + 2, CELLS // 4 + 2))
        at = np.arange(CELLS + 1) / 4.0
        cell, part = at.astype(int), at - at.astype(int)
        along = coarse[cell] * (1 - part[:, None]) + coarse[cell + 1] * part[:, None]
        smooth = along[:, cell] * (1 - part) + along[:, cell + 1] * part
        fine = random.uniform(0.0, 1.0, (CELLS + 1, CELLS + 1))
        self.heights = roughness * (0.75 * smooth + 0.25 * fine)
        self.size = (CELLS * CELL, CELLS * CELL)

    def height(self, x: Rows, y: Rows) -> Rows:
        """Of the surface; beyond the edge that of the edge."""
        u = np.clip(x / CELL + 0.5 * CELLS, 0.0, CELLS - 1e-9)
        w = np.clip(y / CELL + 0.5 * CELLS, 0.0, CELLS - 1e-9)
        i, j = u.astype(int), w.astype(int)
        a, b = u - i, w - j
        h = self.heights
        return (
            (1 - a) * (1 - b) * h[j, i]
            + a * (1 - b) * h[j, i + 1]
            + (1 - a) * b * h[j + 1, i]
            + a * b * h[j + 1, i + 1]
        )

    def around(self, q: Rows) -> Rows:
        """Heights at SAMPLES, turned with the base, above the one below it."""
        x, y, z, w = q[:, 3:7].T
        yaw = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))[:, None]
        px, py = SAMPLES.T
        at_x = q[:, :1] + np.cos(yaw) * px - np.sin(yaw) * py
        at_y = q[:, 1:2] + np.sin(yaw) * px + np.cos(yaw) * py
        return self.height(at_x, at_y) - self.height(q[:, 0], q[:, 1])[:, None]

    def highest_around(self, x: Rows, y: Rows) -> Rows:
        """Highest point where a robot is put."""
        px, py = FOOTPRINT.T
        return self.height(x[:, None] + px, y[:, None] + py).max(axis=1)

    def places(self, u: Rows) -> tuple[Rows, Rows, Rows]:
        """Somewhere, not near the edge, and a direction: of numbers in [0, 1)."""
        width = CELLS * CELL - 2.0 * EDGE
        return width * (u[:, 0] - 0.5), width * (u[:, 1] - 0.5), 2.0 * np.pi * u[:, 2]
