# SPDX-License-Identifier: BSD-2-Clause
"""Where the picture is taken from: a pinhole camera."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._core import InvalidInput

FILL = 0.62  # of the picture, each way, that things take at the start: room for arrows and for moving


def _unit(x: np.ndarray) -> np.ndarray:
    return x / np.linalg.norm(x)


def axes(along: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(right, up, along), with up as close to z as can be."""
    forward = _unit(along)
    helper = np.array([0.0, 0.0, 1.0]) if abs(forward[2]) < 0.999 else np.array([0.0, 1.0, 0.0])
    right = _unit(np.cross(forward, helper))
    return right, np.cross(right, forward), forward


@dataclass
class Camera:
    """Looks from `eye` to `target`; `view` is the angle between top and bottom of the picture [rad]."""

    eye: np.ndarray
    target: np.ndarray
    view: float = 0.6

    @classmethod
    def around(
        cls,
        low: np.ndarray,
        high: np.ndarray,
        aspect: float,
        azimuth: float = -55.0,
        elevation: float = 18.0,
        zoom: float = 1.0,
    ) -> Camera:
        """As close to a box as keeps its corners within FILL of the picture. azimuth (0 stands on +x) and elevation in degrees."""
        if not zoom > 0.0:
            raise InvalidInput(f"camera.zoom is {zoom}, expected a number > 0")
        a, e = np.radians([azimuth, elevation])
        away = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
        target = 0.5 * (low + high)
        right, up, forward = axes(-away)
        corners = (
            np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
            - target
        )
        reach = FILL * np.tan(0.5 * cls.view)
        distance = max(
            (np.abs(corners @ right) / (aspect * reach) - corners @ forward).max(),
            (np.abs(corners @ up) / reach - corners @ forward).max(),
        )
        return cls(target + max(float(distance), 1e-6) / zoom * away, target)

    def focus(self, height: int) -> float:
        """Pixels per unit of sideways distance over depth, for a picture of that height."""
        return float(0.5 * height / np.tan(0.5 * self.view))

    def moved(self, by: np.ndarray) -> Camera:
        return Camera(self.eye + by, self.target + by, self.view)

    def project(self, points: np.ndarray, width: int, height: int) -> np.ndarray:
        """(n, 3): pixel coordinates and 1/depth; points behind the camera become NaN."""
        right, up, forward = axes(self.target - self.eye)
        p = points - self.eye
        depth = p @ forward
        depth = np.where(depth > 1e-3 * np.linalg.norm(self.target - self.eye), depth, np.nan)
        focus = self.focus(height)
        return np.stack(
            [0.5 * width + focus * (p @ right) / depth, 0.5 * height - focus * (p @ up) / depth, 1.0 / depth], axis=1
        )

    def rays(self, width: int, height: int) -> np.ndarray:
        """(height, width, 3): directions of the pixels' centres; eye + depth * direction is the point at that depth."""
        right, up, forward = axes(self.target - self.eye)
        focus = self.focus(height)
        x = (np.arange(width) + 0.5 - 0.5 * width) / focus
        y = (np.arange(height) + 0.5 - 0.5 * height) / focus
        return forward + x[None, :, None] * right - y[:, None, None] * up
