# SPDX-License-Identifier: BSD-2-Clause
"""Costs of planned motions: weighted squares of the way to a reference state and to a reference control.

½ Σ_i w_i e_i²,   e = (q ⊖ q_ref, v − v_ref)       with de/dq by Gauss and Newton: xx = JᵀWJ
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._core import InvalidInput, Simulator
from ...output.arguments import named
from .plan import Terms

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StateCost:
    """Weights of a state's tangent, (2 nv,) or one number, and the state that costs nothing."""

    weights: Array  # of the tangent, (2 nv,) or one number
    q: Array  # (nq,) where it is zero
    v: Array  # (nv,) where it is zero


class Quadratic:
    """Squares of states and controls.

    Parameters
    ----------
    sim
        Whose configurations these are.
    running
        Cost of the states at every knot that `at` does not name; None for nothing.
    control
        Weights of the controls, one number or one per entry [1/unit²].
    reference
        Controls that cost nothing, (width,) or one row per knot.
    at
        Costs of single knots; the number of knots is the end.
    """

    @named
    def __init__(
        self, sim: Simulator, *, control: ArrayLike, running: StateCost | None = None, reference: ArrayLike = 0.0,
        at: Mapping[int, StateCost] | None = None,
    ) -> None:  # fmt: skip
        self.sim, self.running, self.at = sim, running, dict(at or {})
        self.control, self.reference = np.asarray(control, dtype=float), np.asarray(reference, dtype=float)
        for cost in [*self.at.values(), *([running] if running is not None else [])]:
            if np.shape(cost.weights) not in ((), (2 * sim.nv,)):
                raise InvalidInput(f"weights has shape {np.shape(cost.weights)}, expected ({2 * sim.nv},)")
            if np.min(cost.weights) < 0.0:
                raise InvalidInput(f"weights has an entry {np.min(cost.weights)}, expected numbers >= 0")

    def _part(self, knot: int) -> StateCost | None:
        return self.at.get(knot, self.running)

    def _error(self, part: StateCost, q: Array, v: Array) -> Array:
        return np.concatenate([self.sim.difference(part.q, q), v - part.v])

    def _beyond(self, knot: int, control: Array) -> Array:
        reference = self.reference[knot] if self.reference.ndim == 2 else self.reference
        return control - reference

    def value(self, knot: int, q: Array, v: Array, control: Array | None) -> float:
        """The cost at a knot; at the end `control` is None.

        Parameters
        ----------
        knot
            Its number.
        q
            (nq,) positions.
        v
            (nv,) velocities.
        control
            (width,), or None at the end.
        """
        part, total = self._part(knot), 0.0
        if part is not None:
            total += 0.5 * float((part.weights * self._error(part, q, v) ** 2).sum())
        if control is not None:
            total += 0.5 * float((self.control * self._beyond(knot, control) ** 2).sum())
        return total

    def terms(self, knot: int, q: Array, v: Array, control: Array | None) -> Terms:
        """The same with its first and second derivatives.

        Parameters
        ----------
        knot
            Its number.
        q
            (nq,) positions.
        v
            (nv,) velocities.
        control
            (width,), or None at the end.
        """
        n, part = 2 * self.sim.nv, self._part(knot)
        width = 0 if control is None else len(control)
        x, xx, u, uu = np.zeros(n), np.zeros((n, n)), np.zeros(width), np.zeros((width, width))
        if part is not None:
            weights = np.broadcast_to(part.weights, (n,))
            error, turn = self._error(part, q, v), self._turned(part.q, q)
            x = weights * error
            nv = self.sim.nv
            x[:nv] = turn.T @ x[:nv]
            xx[nv:, nv:] = np.diag(weights[nv:])
            xx[:nv, :nv] = (turn.T * weights[:nv]) @ turn
        if control is not None:
            u = self.control * self._beyond(knot, control)
            uu = np.diag(np.broadcast_to(self.control, (width,)))
        return Terms(self.value(knot, q, v, control), x, xx, u, uu, np.zeros((width, n)))

    def _turned(self, origin: Array, q: Array) -> Array:
        """d(q ⊖ origin)/dq: the identity where positions add up, differences of the closed form elsewhere."""
        nv, out = self.sim.nv, np.eye(self.sim.nv)
        if self.sim.nq == nv:
            return out
        for i in range(nv):
            step = np.zeros(nv)
            step[i] = 1e-6
            ahead = self.sim.difference(origin, self.sim.integrate(q, step))
            out[:, i] = (ahead - self.sim.difference(origin, self.sim.integrate(q, -step))) / 2e-6
        return out
