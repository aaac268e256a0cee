# SPDX-License-Identifier: BSD-2-Clause
"""One picture. No graphics card, no window: _core.paint (python/src/paint.cpp) finds what every pixel sees and how bright it is."""

from __future__ import annotations

import numpy as np

from .. import _core
from ..drawing.frame import Frame
from ..rotations import rotation_matrix
from .camera import Camera, axes
from .surface import Bodies, Surface

SUN = np.array([-0.45, -0.6, 1.0])  # towards it
SAMPLES = 2  # each way, per pixel
MAP = 1024  # pixels of the shadow's picture, each way


def draw(bodies: Bodies, frame: Frame, camera: Camera, width: int, height: int, arrows: bool = True) -> np.ndarray:
    """(height, width, 3) bytes."""
    drawing = bodies.drawing
    surface = bodies.at(frame, arrows)
    right, up, forward = axes(camera.target - camera.eye)
    return _core.paint(
        np.ascontiguousarray(surface.corners), np.ascontiguousarray(surface.normals), np.ascontiguousarray(surface.colours), surface.shadow,
        planes=[(plane.position, rotation_matrix(plane.rotation)) for plane in drawing.planes],
        camera=(np.array([right, up, forward]), camera.eye, camera.focus(SAMPLES * height)), sun=_sun(surface, drawing.extent),
        target=camera.target, cell=_nice(max(0.5 * drawing.extent, drawing.spread / 16.0)), fade=6.0 * drawing.spread,
        width=width, height=height, samples=SAMPLES, map_size=MAP,
    )  # fmt: skip


def _sun(surface: Surface, extent: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Axes, middle and pixels per metre of the picture that the sun takes of everything that throws a shadow."""
    points = surface.corners[surface.shadow].reshape(-1, 3) if surface.shadow.any() else np.zeros((1, 3))
    low, high = points.min(axis=0), points.max(axis=0)
    radius = 0.55 * float(np.linalg.norm(high - low)) + 0.05 * extent
    return np.array(axes(-SUN)), 0.5 * (low + high), 0.5 * MAP / radius


def _nice(length: float) -> float:
    """1, 2 or 5 times a power of ten, not above `length`."""
    power = 10.0 ** np.floor(np.log10(length))
    return float(max(step * power for step in (1.0, 2.0, 5.0) if step * power <= length * (1 + 1e-9)))
