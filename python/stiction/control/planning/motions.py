# SPDX-License-Identifier: BSD-2-Clause
"""Plans of legged robots: a jump on the spot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._core import Simulator
from ...output.arguments import named
from ..terms import check_robot, read_terms
from ..worlds import LeggedWorld
from .cost import Quadratic, StateCost
from .plan import Plan

Array = NDArray[np.float64]


@named
def standing_torque(sim: Simulator, feet: Sequence[str]) -> Array:
    """Torques (ntau,) that hold the present posture on the given feet, with the smallest forces that carry the weight [N m].

    Parameters
    ----------
    sim
        The robot, in the posture to be held.
    feet
        Frames that stand on the ground.
    """
    check_robot(sim, feet)
    terms = read_terms(sim, feet)
    rows = terms.jacobian.reshape(-1, sim.nv)
    forces = np.linalg.lstsq(rows.T[:6], terms.bias[:6], rcond=None)[0]
    return np.asarray((terms.bias - rows.T @ forces)[6:])


@named
def jump_plan(
    legged: LeggedWorld, *, rise: float = 0.1, duration: float = 0.7, apex: float = 0.45, effort: float = 80.0,
    law: str = "coulomb", dt: float = 2.5e-3, **options: Any,
) -> tuple[Plan, Array]:  # fmt: skip
    """A jump from standing to standing. What is asked for is the height at one moment, with folded legs; contact is not scheduled.

    Parameters
    ----------
    legged
        The robot; its posture is that of start, apex and end.
    rise
        Height of the trunk at the apex above the start [m].
    duration, apex
        Length of the plan, and when the trunk shall be up [s]. Knots are 10 ms long.
    effort
        How far a torque may be from that of standing [N m].
    law, dt, options
        Of the simulator: rigid (``coulomb``, ``convex``) or soft (``anchored``).

    Returns
    -------
    plan, guess
        For ``ilqr(plan, guess)``. The guess stands. A soft PD about the posture acts beside the torques.
    """
    rigid = law in ("coulomb", "convex")
    if rigid:
        options.setdefault("solver_options", {"tolerance": 1e-10})
    sim = legged.simulator(law=law, dt=dt, **options)
    sim.set_pd(*((100.0, 2.0) if rigid else (30.0, 1.0)), implicit=rigid)
    hold = max(1, round(0.01 / dt))
    knots, top = round(duration / (hold * dt)), round(apex / (hold * dt))
    up = sim.q.copy()
    up[2] += rise
    joints, still = sim.nv - 6, np.zeros(sim.nv)

    def weights(place: float, height: float, turn: float, posture: float, speed: float) -> Array:
        return np.r_[place, place, height, np.full(3, turn), np.full(joints, posture), np.full(sim.nv, speed)]

    at = {
        top: StateCost(weights(10.0, 1e5, 300.0, 100.0, 0.1), up, still),
        knots: StateCost(weights(300.0, 300.0, 300.0, 30.0, 3.0), sim.q.copy(), still),
    }
    stand = standing_torque(sim, legged.feet)
    running = StateCost(weights(1.0, 0.0, 10.0, 0.3, 0.01), sim.q.copy(), still)
    cost = Quadratic(sim, control=1e-4, reference=stand, running=running, at=at)
    plan = Plan(sim, knots, cost, hold=hold, lower=stand - effort, upper=stand + effort)
    return plan, np.tile(stand, (knots, 1))
