# SPDX-License-Identifier: BSD-2-Clause
"""A quadruped squats: its centre of mass follows a vertical sine over feet that stay.

    c_ref(t) = c_0 + (0, 0, a sin ωt),  a = 0.03 m, ω = 2 rad/s

Tasks and gains are those of the published experiment (there solved by a QP whose inequalities never act): centre of mass
weight 1 (kp 2, kd 2√2), posture 1e-3 (kp 2, kd 2√2), every foot 1 (kp 1, kd 2, to where it stood), forces 1e-6.
[Hammoud22, section 5]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._core import InvalidInput, Simulator
from ..output.arguments import named
from .least_squares import Solution, com_task, foot_task, inverse_dynamics, posture_task
from .terms import check_robot, read_terms

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SquatGains:
    """Weights [-] and gains [1/s², 1/s] of the tasks."""

    com_weight: float = 1.0  # of the centre of mass
    com_kp: float = 2.0  # of the centre of mass
    com_kd: float = 2.0 * math.sqrt(2.0)  # of the centre of mass
    posture_weight: float = 1e-3  # of the joints
    posture_kp: float = 2.0  # of the joints
    posture_kd: float = 2.0 * math.sqrt(2.0)  # of the joints
    foot_weight: float = 1.0  # of the feet, which stay
    foot_kp: float = 1.0  # of the feet
    foot_kd: float = 2.0  # of the feet
    force_weight: float = 1e-6  # on squared forces [1/N²]


class Squat:
    """Torques of a squat that starts at the simulator's present state.

    Parameters
    ----------
    sim
        Its state is the start: centre of mass, posture and feet of now are what is held.
    feet
        Frames of the feet that stand, e.g. LeggedWorld.feet.
    amplitude, rate
        Of the sine [m, rad/s].
    gains
        Those of the published experiment unless given.
    """

    @named
    def __init__(self, sim: Simulator, feet: Sequence[str], *, amplitude: float = 0.03, rate: float = 2.0,
                 gains: SquatGains = SquatGains()) -> None:  # fmt: skip
        check_robot(sim, feet)
        if not (math.isfinite(amplitude) and math.isfinite(rate)):
            raise InvalidInput(f"amplitude and rate are {amplitude} and {rate}, expected finite numbers")
        self.feet, self.amplitude, self.rate, self.gains = tuple(feet), amplitude, rate, gains
        start = read_terms(sim, self.feet)
        self.com0, self.feet0, self.q0 = start.com, start.position, sim.q.copy()

    def reference(self, time: float) -> tuple[Array, Array, Array]:
        """Position, velocity and acceleration of the centre of mass at a time [s]."""
        up, a, w = np.array([0.0, 0.0, 1.0]), self.amplitude, self.rate
        s, c = math.sin(w * time), math.cos(w * time)
        return self.com0 + a * s * up, a * w * c * up, -a * w * w * s * up

    def solve(self, sim: Simulator, time: float) -> Solution:
        """Accelerations, forces and torques at the present state.

        Parameters
        ----------
        sim
            The simulator that is controlled.
        time
            Since the start of the motion [s].
        """
        g, terms = self.gains, read_terms(sim, self.feet)
        zero = np.zeros(3)
        tasks = [com_task(terms, *self.reference(time), g.com_kp, g.com_kd, g.com_weight)]
        tasks.append(posture_task(sim.difference(sim.q, self.q0), sim.v, g.posture_kp, g.posture_kd, g.posture_weight))
        for i in range(terms.feet):
            tasks.append(foot_task(terms, i, self.feet0[i], zero, zero, g.foot_kp, g.foot_kd, g.foot_weight))
        return inverse_dynamics(terms, tasks, range(terms.feet), force_weight=g.force_weight)

    def torque(self, sim: Simulator, time: float) -> Array:
        """Joint torques at the present state, to be held over a control period [N m].

        Parameters
        ----------
        sim
            The simulator that is controlled.
        time
            Since the start of the motion [s].
        """
        return self.solve(sim, time).torque
