# SPDX-License-Identifier: BSD-2-Clause
"""Motions of our own controllers as references: states, torques and gains of a run, to be followed by LinearFeedback.

    u = u_ref[i] + kp (q_ref − q) + kd (v_ref − v)        of every joint

Such a reference needs no memory and no dynamics when it is followed, and it is indexed by time as the published ones are.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .._core import InvalidInput, Simulator
from ..output.arguments import named
from .feedback import Reference

Array = NDArray[np.float64]


class Controller(Protocol):
    """Anything with torque(sim, time): Squat, Trot, Jump, WalkingController."""

    def torque(self, sim: Simulator, time: float, /) -> Array:
        """Joint torques [N m] at `time` [s] since the start of the motion, (ntau,).

        Parameters
        ----------
        sim
            The simulator that is controlled.
        time
            Since the start of the motion [s].
        """


@named
def joint_gains(sim: Simulator, kp: float, kd: float) -> Array:
    """(ntau, 2 nv): PD of every joint, nothing of the base.

    Parameters
    ----------
    sim
        The robot's simulator.
    kp
        Of every joint [N m/rad].
    kd
        Of every joint [N m s/rad].
    """
    gains = np.zeros((sim.ntau, 2 * sim.nv))
    joints = np.arange(sim.ntau)
    gains[joints, 6 + joints], gains[joints, sim.nv + 6 + joints] = kp, kd
    return gains


@named
def record_reference(
    sim: Simulator, controller: Controller, *, period: float, steps: int, kp: float, kd: float, name: str = "recorded"
) -> Reference:
    """Runs a controller from the present state and keeps what happened.

    Parameters
    ----------
    sim
        Simulator to run; period must be a multiple of its dt. Its last state is that after `steps` periods.
    controller
        What gives the torques, held over one period each.
    period, steps
        Control period [s] and how many of them.
    kp, kd
        Joint gains of the reference [N m/rad, N m s/rad].
    name
        Of the reference, for messages.
    """
    inner = round(period / sim.dt)
    if inner < 1 or abs(inner * sim.dt - period) > 1e-9 * period:
        raise InvalidInput(f"period is {period} s, expected a multiple of the step {sim.dt} s")
    if steps < 1:
        raise InvalidInput(f"steps is {steps}, expected at least 1")
    states, controls = [np.concatenate([sim.q, sim.v])], []
    for k in range(steps):
        controls.append(controller.torque(sim, period * k))
        sim.step(controls[-1], n=inner)
        states.append(np.concatenate([sim.q, sim.v]))
    gains = np.broadcast_to(joint_gains(sim, kp, kd), (steps, sim.ntau, 2 * sim.nv))
    return Reference(np.array(states), np.array(controls), gains, period, name, sim.mass)
