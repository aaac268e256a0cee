# SPDX-License-Identifier: BSD-2-Clause
"""Model predictive control: the plan is made again at every tick from where the robot is, starting from the last one moved on by a knot."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...output.arguments import named
from .ilqr import Planned, ilqr
from .plan import Cost, Plan

Array = NDArray[np.float64]


class Mpc:
    """Controls of a plan whose horizon moves along.

    Parameters
    ----------
    plan
        The model, which need not be the plant: another law, another step, another mass. A tick lasts for one of its knots.
    controls
        (knots, width): the first guess.
    cost
        From the number of a tick to the cost of the horizon that begins with it; the plan's cost at every tick unless given.
    iterations
        Of `ilqr` per tick.
    """

    @named
    def __init__(
        self, plan: Plan, controls: ArrayLike, *, cost: Callable[[int], Cost] | None = None, iterations: int = 1
    ) -> None:
        self.plan, self.guess, self.cost, self.iterations = plan, plan.read_controls(controls), cost, iterations
        self.tick = 0
        self.last: Planned | None = None

    def control(self, q: ArrayLike, v: ArrayLike) -> Array:
        """The control to be held over one tick from this state; `last` is the plan that it begins.

        Parameters
        ----------
        q
            (nq,) measured positions [m, rad].
        v
            (nv,) measured velocities [m/s, rad/s].
        """
        if self.cost is not None:
            self.plan.cost = self.cost(self.tick)
        self.plan.put((np.asarray(q, dtype=float), np.asarray(v, dtype=float)))
        self.last = ilqr(self.plan, self.guess, iterations=self.iterations)
        self.guess = np.vstack([self.last.u[1:], self.last.u[-1:]])
        self.tick += 1
        return self.last.u[0].copy()
