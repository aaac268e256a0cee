# SPDX-License-Identifier: BSD-2-Clause
"""Convex model predictive control of a legged robot seen as one rigid body with forces at its feet.

    c̈ = Σ f_i/m − g,     I ω̇ = Σ (p_i − c) × f_i          forces constant over a knot of length h
    x = (c, θ, ċ, ω),     θ: rotation vector, world axes, from the wanted orientation
    min Σ_k ‖x_k − x_k^ref‖²_Q + ρ Σ ‖f‖²     s.t.  f_min ≤ f_z ≤ f_max,  |f_x| ≤ μ' f_z,  |f_y| ≤ μ' f_z,  μ' = μ/√2

The arms p_i − c are those of the reference, so the states are linear in the forces and are eliminated. With a double integrator,

    v_k = v_0 + h Σ_{j<k} a_j,     p_k = p_0 + k h v_0 + h² Σ_{j<k} (k − j − ½) a_j

[Di Carlo, Wensing, Katz, Bledt, Kim 2018, "Dynamic locomotion in the MIT Cheetah 3 through convex model-predictive control"]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._core import InvalidInput
from ..rotations import skew
from .qp import DenseQp

Array = NDArray[np.float64]
GRAVITY = 9.81


@dataclass(frozen=True)
class CentroidalOptions:
    """Horizon, weights and bounds."""

    knots: int = 16  # how many [-]
    step: float = 0.02  # of a knot [s]; 16 knots see .32 s ahead
    # weights of c, θ, ċ, ω
    weights: tuple[float, ...] = (2.0, 2.0, 60.0, 20.0, 20.0, 10.0, 2.0, 2.0, 1.0, 0.1, 0.1, 0.2)
    force_weight: float = 1e-5  # ρ [1/N²]
    mu: float = 0.6  # friction coefficient that the forces keep to [-]
    least_normal: float = 0.5  # [N]
    most_normal: float = 40.0  # [N]

    def __post_init__(self) -> None:
        if self.knots < 1 or not self.step > 0.0 or not self.mu > 0.0 or len(self.weights) != 12:
            raise InvalidInput(
                f"knots is {self.knots}, step {self.step}, mu {self.mu}, weights has {len(self.weights)} entries, expected a knot or more, "
                "positive step and mu, and twelve weights"
            )


@dataclass(frozen=True)
class Body:
    """Where the robot is."""

    com: Array  # centre of mass, world axes [m]
    turn: Array  # θ: what turns the wanted orientation into that of now, world axes
    velocity: Array  # of the centre of mass, world axes [m/s]
    spin: Array  # world axes [rad/s]


class CentroidalMpc:
    """Forces of the standing feet over the horizon; matrices that depend on the horizon alone are kept.

    Parameters
    ----------
    mass
        Of the robot [kg].
    inertia
        About its centre of mass, in the axes of the wanted orientation [kg m²].
    options
        Horizon, weights and bounds.
    """

    def __init__(self, mass: float, inertia: Array, options: CentroidalOptions = CentroidalOptions()) -> None:
        self.mass, self.inertia, self.options = mass, np.asarray(inertia, dtype=float), options
        n, h = options.knots, options.step
        k, j = np.meshgrid(np.arange(1, n + 1), np.arange(n), indexing="ij")
        self._to_place = np.where(j < k, h * h * (k - j - 0.5), 0.0)
        self._to_speed = np.where(j < k, h, 0.0)
        q = np.asarray(options.weights)
        self._place, self._speed = q[:6], q[6:]
        self._weight = np.kron(self._to_place.T @ self._to_place, np.diag(self._place))
        self._weight += np.kron(self._to_speed.T @ self._to_speed, np.diag(self._speed))
        side = options.mu / np.sqrt(2.0)
        self._cone = np.array([[0, 0, 1], [0, 0, -1], [1, 0, side], [-1, 0, side], [0, 1, side], [0, -1, side]])
        self._qp = DenseQp(tolerance=1e-5, most_iterations=50)
        self.iterations, self.solved = 0, True

    def forces(self, now: Body, places: Array, speeds: Array, feet: Sequence[Array]) -> list[Array]:
        """Forces of the standing feet, (feet of the knot, 3) for every knot.

        Parameters
        ----------
        now
            Where the robot is.
        places, speeds
            (knots, 6), wanted (c, θ) and (ċ, ω) at the end of each knot.
        feet
            Per knot the places of those that stand, world axes [m].
        """
        o = self.options
        counts = [len(p) for p in feet]
        B = np.zeros((6 * o.knots, 3 * sum(counts)))
        back, column = np.linalg.inv(self.inertia), 0
        for k, standing in enumerate(feet):
            for p in standing:
                B[6 * k : 6 * k + 3, column : column + 3] = np.eye(3) / self.mass
                B[6 * k + 3 : 6 * k + 6, column : column + 3] = back @ skew(p - places[k, :3])
                column += 3
        free_place, free_speed = self._free(now)
        gap = self._to_place.T @ ((free_place - places) * self._place) + self._to_speed.T @ (
            (free_speed - speeds) * self._speed
        )
        H = B.T @ self._weight @ B + o.force_weight * np.eye(B.shape[1])
        C = np.kron(np.eye(sum(counts)), self._cone)
        low = np.tile([o.least_normal, -o.most_normal, 0.0, 0.0, 0.0, 0.0], sum(counts))
        scale = 1.0 / np.abs(H).max()  # the program's tolerance is absolute
        found = self._qp.solve(scale * H, scale * (B.T @ gap.ravel()), np.zeros((0, B.shape[1])), np.zeros(0), C, low)
        self.iterations, self.solved = found.iterations, found.solved
        return np.split(found.y.reshape(-1, 3), np.cumsum(counts)[:-1])

    def _free(self, now: Body) -> tuple[Array, Array]:
        """The motion without forces, at the ends of the knots."""
        t = self.options.step * np.arange(1, self.options.knots + 1)[:, None]
        fall = np.array([0.0, 0.0, -GRAVITY, 0.0, 0.0, 0.0])
        place, speed = np.concatenate([now.com, now.turn]), np.concatenate([now.velocity, now.spin])
        return place + t * speed + 0.5 * t * t * fall, speed + t * fall
