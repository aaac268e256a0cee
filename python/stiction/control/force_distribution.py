# SPDX-License-Identifier: BSD-2-Clause
"""Forces of the standing feet that give a wanted wrench on the trunk.

    min (A f − w)ᵀ S (A f − w) + α |f|²   s.t.  f_n ≥ f_min,  |f_1| ≤ μ' f_n,  |f_2| ≤ μ' f_n,     μ' = μ/√2

f are ground reactions in world axes on level ground, A maps them to force and moment about the trunk's origin. The pyramid lies inside
the cone. Two feet give no moment about the line through them: what w asks of it is given up, S says at whose cost.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._core import InvalidInput
from ..output.arguments import named
from .active_set import solve_qp

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ForceLimits:
    """Weights and bounds of the distribution."""

    weights: tuple[float, ...] = (1.0, 1.0, 10.0, 100.0, 100.0, 1.0)  # S: force x y z [1/N²], moment x y z [1/(N m)²]
    regularisation: float = 1e-4  # α
    least_normal: float = 2.0  # f_min [N]
    mu: float = 0.7  # friction coefficient that forces keep to [-]

    def __post_init__(self) -> None:
        if len(self.weights) != 6 or not all(math.isfinite(w) and w >= 0.0 for w in self.weights):
            raise InvalidInput(f"weights are {self.weights}, expected six numbers >= 0")
        for name in ("regularisation", "mu"):
            if not (math.isfinite(getattr(self, name)) and getattr(self, name) > 0.0):
                raise InvalidInput(f"{name} is {getattr(self, name)}, expected a number > 0")
        if not (math.isfinite(self.least_normal) and self.least_normal >= 0.0):
            raise InvalidInput(f"least_normal is {self.least_normal}, expected a force >= 0 N")


class ForceDistribution:
    """Solves the program above; matrices that depend on the number of feet are kept.

    Parameters
    ----------
    limits
        Weights and bounds of the program.
    """

    @named
    def __init__(self, limits: ForceLimits = ForceLimits()) -> None:
        self.limits = limits
        side = limits.mu / math.sqrt(2.0)
        self._rows = np.array([[0, 0, 1], [1, 0, side], [-1, 0, side], [0, 1, side], [0, -1, side]], dtype=float)
        self._kept: dict[int, tuple[Array, Array, Array]] = {}

    def _constraints(self, feet: int) -> tuple[Array, Array, Array]:
        if feet not in self._kept:
            low = np.tile([self.limits.least_normal, 0.0, 0.0, 0.0, 0.0], feet)
            ridge = self.limits.regularisation * np.eye(3 * feet)
            self._kept[feet] = np.kron(np.eye(feet), self._rows), low, ridge
        return self._kept[feet]

    def forces(self, arms: Array, wrench: Array) -> Array:
        """Ground reactions (feet, 3) at places `arms` from the trunk's origin, world axes [N].

        Parameters
        ----------
        arms
            (feet, 3) places of the standing feet from the trunk's origin [m].
        wrench
            (6,) wanted force [N] and moment about the trunk's origin [N m], world axes.
        """
        n = len(arms)
        if n == 0:
            return np.zeros((0, 3))
        A = np.zeros((6, 3 * n))
        for i, (x, y, z) in enumerate(arms.tolist()):
            A[:, 3 * i : 3 * i + 3] = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, -z, y), (z, 0, -x), (-y, x, 0))
        C, low, ridge = self._constraints(n)
        weighted = A.T * self.limits.weights
        return solve_qp(weighted @ A + ridge, -weighted @ wrench, C, low).x.reshape(n, 3)
