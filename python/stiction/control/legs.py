# SPDX-License-Identifier: BSD-2-Clause
"""Closed-form kinematics and statics of equal legs with joints HAA (axis x), HFE and KFE (axis y), in the frame of the trunk.

    p = h + R_x(a) [ (0, 0, −l₀) + R_y(b) [ (0, 0, −l₁) + R_y(c) (0, 0, −l₂) ] ]
      = h + (−s, k sin a, −k cos a),    s = l₁ sin b + l₂ sin(b + c),    k = l₀ + l₁ cos b + l₂ cos(b + c)

The sum of mass × place of the three links has the same form with the moments (A₀, A₁, A₂) in the place of (l₀, l₁, l₂), so one chain
gives feet, centre of mass and the torques of gravity. Singular where a leg is stretched (c = 0) or a foot is on the axis of HAA (k = 0).
Everything is done for all legs at once: with NumPy the number of calls is what costs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .._core import InvalidInput

Array = NDArray[np.float64]
Triple = tuple[float, float, float]


def chain(lengths: Array, angles: Array) -> tuple[Array, Array]:
    """Ends (…, n, 3) of chains of n legs from their HAA, and Jacobians (…, n, 3, 3). lengths (…, 3), angles (n, 3)."""
    a, b, c = angles.T
    l0, l1, l2 = (lengths[..., i, None] for i in range(3))
    bent = b + c
    s2, c2 = l2 * np.sin(bent), l2 * np.cos(bent)
    s, down = l1 * np.sin(b) + s2, l1 * np.cos(b) + c2
    k, sa, ca = l0 + down, np.sin(a), np.cos(a)
    end, J = np.empty((*s.shape, 3)), np.empty((*s.shape, 3, 3))
    end[..., 0], end[..., 1], end[..., 2] = -s, k * sa, -k * ca
    J[..., 0, 0], J[..., 0, 1], J[..., 0, 2] = 0.0, -down, -c2
    J[..., 1, 0], J[..., 1, 1], J[..., 1, 2] = k * ca, -s * sa, -s2 * sa
    J[..., 2, 0], J[..., 2, 1], J[..., 2, 2] = k * sa, s * ca, s2 * ca
    return end, J


@dataclass(frozen=True)
class LegState:
    """Feet and masses of the legs at some angles, in the frame of the trunk."""

    feet: Array  # (n, 3) [m]
    jacobians: Array  # (n, 3, 3)
    moment: Array  # (3,) Σ mass × place of all links [kg m]
    moment_jacobians: Array  # (n, 3, 3) derivatives of it by the angles of each leg


@dataclass(frozen=True)
class Legs:
    """Geometry and masses. Lengths and centres are distances from the proximal joint along −z of the link."""

    hips: Array  # (n, 3) HAA in the frame of the trunk [m]
    knees: Array  # (n,) signs of the KFE angles in the usual posture
    lengths: Triple  # HAA to HFE, HFE to KFE, KFE to foot [m]
    masses: Triple  # hip link, thigh, shank [kg]
    centres: Triple  # of mass of them [m]
    _chains: Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.hips.ndim != 2 or self.hips.shape[1] != 3 or self.knees.shape != (len(self.hips),):
            raise InvalidInput(
                f"hips and knees have shapes {self.hips.shape} and {self.knees.shape}, expected (n, 3) and (n,)"
            )
        (m0, m1, m2), (d0, d1, d2), (l0, l1, _) = self.masses, self.centres, self.lengths
        moments = (m0 * d0 + (m1 + m2) * l0, m1 * d1 + m2 * l1, m2 * d2)
        object.__setattr__(self, "_chains", np.array([self.lengths, moments]))

    def state(self, angles: Array) -> LegState:
        """At angles (n, 3)."""
        end, J = chain(self._chains, angles)
        moment = sum(self.masses) * self.hips.sum(axis=0) + end[1].sum(axis=0)
        return LegState(self.hips + end[0], J[0], moment, J[1])

    def angles(self, feet: Array, which: Sequence[int]) -> Array:
        """Angles (m, 3) that bring the feet of some legs to places (m, 3); a place out of reach is pulled in along the leg.

        Parameters
        ----------
        feet
            (m, 3) wanted places of the feet in the trunk's frame [m].
        which
            Numbers of the legs that they belong to.
        """
        l0, l1, l2 = self.lengths
        out = np.empty((len(which), 3))
        for row, i, (x, y, z) in zip(out, which, (feet - self.hips[list(which)]).tolist(), strict=True):
            s, depth = -x, math.hypot(y, z) - l0
            reach = min(max(math.hypot(s, depth), 1.001 * abs(l1 - l2)), 0.999 * (l1 + l2))
            c = math.copysign(math.acos((reach * reach - l1 * l1 - l2 * l2) / (2.0 * l1 * l2)), self.knees[i])
            b = math.atan2(s, depth) - math.atan2(l2 * math.sin(c), l1 + l2 * math.cos(c))
            row[:] = math.atan2(y, -z), b, c
        return out

    def rates(self, angles: Array, velocities: Array) -> Array:
        """Joint rates (m, 3) at angles (m, 3) for velocities of the feet (m, 3) in axes of the trunk."""
        J = chain(self._chains[0], angles)[1]
        return np.asarray(np.linalg.solve(J, velocities[..., None])[..., 0])
