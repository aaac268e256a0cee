# SPDX-License-Identifier: BSD-2-Clause
"""min ½ dᵀHd + gᵀd  subject to  lower ≤ d ≤ upper, H positive definite, by projected Newton steps.  [Bertsekas 1982]

Coordinates that lie at a bound and are pushed against it are clamped; the others take a Newton step, which is cut at the bounds and
shortened until the cost falls. For a handful of unknowns it ends after a few factorisations, with the exact active set.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BoxSolution:
    d: Array
    free: NDArray[np.bool_]  #: not held by a bound
    solved: bool


def solve_box_qp(
    H: Array, g: Array, lower: Array, upper: Array, start: Array, most_iterations: int = 50
) -> BoxSolution:
    """The minimiser and which of its coordinates are free; H must be positive definite."""
    d = np.clip(start, lower, upper)
    cost = 0.5 * d @ H @ d + g @ d
    size = 1e-10 * (1.0 + float(np.abs(g).max(initial=0.0)))
    for _ in range(most_iterations):
        slope = g + H @ d
        free = ~(((d <= lower) & (slope > 0.0)) | ((d >= upper) & (slope < 0.0)))
        if not free.any() or float(np.abs(slope[free]).max()) < size:
            return BoxSolution(d, free, True)
        move = np.zeros_like(d)
        move[free] = -np.linalg.solve(H[np.ix_(free, free)], slope[free])
        length = 1.0
        while True:
            tried = np.clip(d + length * move, lower, upper)
            lower_cost = 0.5 * tried @ H @ tried + g @ tried
            if lower_cost <= cost + 0.1 * slope @ (tried - d):
                break
            length *= 0.5
            if length < 1e-12:
                return BoxSolution(d, free, False)
        d, cost = tried, lower_cost
    return BoxSolution(d, free, False)
