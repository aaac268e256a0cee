# SPDX-License-Identifier: BSD-2-Clause
"""Is a 3 x 3 matrix the inertia of a solid body? Its principal moments a <= b <= c must be positive, and a + b >= c (each moment
is a sum of two of the three integrals of x^2, y^2, z^2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from .findings import Finding, finding


def matrix(given: Mapping[str, float | None]) -> np.ndarray:
    """From ixx, iyy, izz, ixy, ixz, iyz."""
    ixx, iyy, izz, ixy, ixz, iyz = (given[key] or 0.0 for key in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))
    return np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])


def principal_moments(inertia: np.ndarray) -> np.ndarray:
    """Ascending; of any size, and NaN of a matrix that is not finite."""
    scale = float(np.abs(inertia).max())
    if not np.isfinite(scale):
        return np.full(3, np.nan)
    return np.asarray(scale * np.linalg.eigvalsh(inertia / scale)) if scale > 0.0 else np.zeros(3)


def check(inertia: np.ndarray, place: str, line: int | None) -> Iterator[Finding]:
    """Findings about one inertia [kg m^2]; a matrix of zeros is a point, which is allowed inside a chain."""
    if not inertia.any() or not np.isfinite(inertia).all():  # what is no number, the loader refuses
        return
    moments = principal_moments(inertia)
    words = "principal moments " + ", ".join(f"{x:.4g}" for x in moments) + " kg m^2"
    if not moments[0] >= -1e-9 * abs(moments[2]) or moments[2] <= 0.0:
        fix = "take the values from the CAD model; check the signs of ixy, ixz, iyz and that they are about the centre of mass"
        yield finding("inertia-not-positive", place, f"has the {words}; a moment cannot be negative", fix, line)
    elif moments[0] + moments[1] < (1.0 - 1e-3) * moments[2]:
        sentence = f"has the {words}; no solid has one larger than the sum of the others"
        yield finding(
            "inertia-triangle",
            place,
            sentence,
            "take the values from the CAD model, or use those of its bounding box",
            line,
        )
