# SPDX-License-Identifier: BSD-2-Clause
"""Small strictly convex quadratic programs by the dual active-set method:  min ½ xᵀHx + gᵀx  subject to  C x ≥ d.

Start at the unconstrained minimum; take in the most violated row p, moving along z = H⁻¹(n − N r), r = (NᵀH⁻¹N)⁻¹NᵀH⁻¹n (n the new
row, N the active ones), and drop rows whose multiplier would change sign on the way. Each point visited is the exact solution for its
active rows, so the end is exact to round-off, in a finite number of changes.                               [GoldfarbIdnani83]
Fails (solved = False) if the rows contradict each other; then x is the last point visited.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..output.arguments import named

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ActiveSetResult:
    """The minimiser, multipliers of all rows (≥ 0) and how it ended."""

    x: Array  # (n,) the minimiser
    multipliers: Array
    solved: bool  # False if it gave up after most_changes
    changes: int  # rows taken in or dropped


@named
def solve_qp(
    H: Array, g: Array, C: Array, d: Array, *, tolerance: float = 1e-10, most_changes: int = 200
) -> ActiveSetResult:
    """The arguments are those of the module's first line; H positive definite. Rows may be violated by `tolerance` (1 + |d|).

    Parameters
    ----------
    H
        (n, n), symmetric, positive definite.
    g
        (n,) linear part of the cost.
    C
        (m, n) rows of the constraints.
    d
        (m,) their right-hand sides.
    tolerance
        How far a row may be violated, times 1 + |d|.
    most_changes
        Most rows taken in or dropped before it gives up.
    """
    inverse: Array = np.asarray(np.linalg.inv(H), dtype=np.float64)
    x = -inverse @ g
    active: list[int] = []
    u = np.zeros(0)
    slack = tolerance * (1.0 + np.abs(d))
    for changes in range(most_changes):
        violation = C @ x - d
        if active:
            violation[active] = 0.0
        p = int(np.argmin(violation + slack))
        if violation[p] >= -slack[p]:
            return _result(x, active, u, len(d), True, changes)
        x, active, u, solvable = _take_in(p, x, active, u, inverse, C, d)
        if not solvable:
            return _result(x, active, u, len(d), False, changes)
    return _result(x, active, u, len(d), False, most_changes)


def _take_in(
    p: int, x: Array, active: list[int], u: Array, inverse: Array, C: Array, d: Array
) -> tuple[Array, list[int], Array, bool]:
    """Steps until row p holds with equality; active rows may have to go."""
    n, own = C[p], 0.0
    while True:
        N = C[active].T
        across = inverse @ n
        r = np.linalg.solve(N.T @ inverse @ N, N.T @ across) if active else np.zeros(0)
        z = across - inverse @ (N @ r) if active else across
        curvature = float(z @ n)
        full = (d[p] - float(n @ x)) / curvature if curvature > 1e-14 * float(across @ n) else np.inf
        ratios = np.where(r > 1e-14, u / np.maximum(r, 1e-300), np.inf) if active else np.array([np.inf])
        partial = float(ratios.min())
        step = min(full, partial)
        if not np.isfinite(step):
            return x, active, u, False
        if np.isfinite(full):
            x = x + step * z
        u, own = u - step * r, own + step
        if full <= partial:
            return x, [*active, p], np.append(u, own), True
        gone = int(np.argmin(ratios))
        active, u = active[:gone] + active[gone + 1 :], np.delete(u, gone)


def _result(x: Array, active: list[int], u: Array, rows: int, solved: bool, changes: int) -> ActiveSetResult:
    multipliers = np.zeros(rows)
    multipliers[active] = u
    return ActiveSetResult(x, multipliers, solved, changes)
