# SPDX-License-Identifier: BSD-2-Clause
"""A quadruped jumps on the spot: crouch, push, flight, landing.

    crouch    the centre of mass sinks from rest to rest (quintic)
    push      quintic to height z_off with velocity √(2 g Δh) and acceleration −g, so that the feet come off without a force;
              the angular momentum L about the centre of mass is driven to zero (L̇ = −k L), not the trunk's rotation: legs
              that still turn at take-off would otherwise turn the robot in flight
    flight    joints return to the start posture (PD through inverse dynamics, no contact)
    landing   least squares on the feet that touch, three at least, soft towards the start height (kp 50, critical)

Crouch and push follow the clock. Flight begins when no foot carries a force, or when the push is over; landing begins when
**contact is measured** after flight, whenever that is: a reference indexed by time meets the ground at the wrong moment and
that makes it fragile. A foot is on the ground if it carries a force (`touching`), or if it is close to the floor and slow: a
light foot bounces within a millisecond, and control that looks every 10 ms would miss it by chance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._core import InvalidInput, Simulator
from ..output.arguments import named
from ..rotations import cross, rotation_error
from .least_squares import Solution, Task, com_task, foot_task, inverse_dynamics, momentum_task, posture_task
from .quintic import Motion, Quintic, rest_to_rest
from .terms import Terms, check_robot, read_terms, touching

Array = NDArray[np.float64]


@dataclass(frozen=True)
class JumpGains:
    """Shape of the jump, weights [-] and gains [1/s², 1/s]."""

    rise: float = 0.06  # Δh of the centre of mass after take-off [m]
    crouch_depth: float = 0.05  # below the start [m]
    crouch_time: float = 0.5  # [s]
    push_height: float = 0.04  # of take-off above the start [m]
    push_time: float = 0.20  # [s]
    gravity: float = 9.81  # [m/s²]
    com_weight: float = 1.0  # of the centre of mass
    com_kp: float = 100.0  # of the centre of mass; kd = 2√kp
    turn_weight: float = 1.0  # of the trunk's orientation
    turn_kp: float = 100.0  # of the trunk's orientation
    spin_rate: float = 50.0  # k of the angular momentum [1/s]
    foot_weight: float = 1.0  # of feet on the ground
    foot_kd: float = 20.0  # of feet on the ground
    flight_kp: float = 200.0  # of the joints in the air
    landing_kp: float = 50.0  # of the joints after the landing
    near: float = 1e-3  # a foot lower than this [m] and
    near_speed: float = 0.3  # slower than this [m/s] counts as on the ground even if it carries no force just then
    posture_weight: float = 1e-5  # before take-off
    landing_posture_weight: float = 1e-3  # after the landing
    posture_kp: float = 50.0  # of the joints on the ground
    force_weight: float = 1e-6  # on squared forces [1/N²]

    def __post_init__(self) -> None:
        for name in ("rise", "crouch_time", "push_time", "gravity"):
            if not (math.isfinite(getattr(self, name)) and getattr(self, name) > 0.0):
                raise InvalidInput(f"{name} is {getattr(self, name)}, expected a number > 0")


def _kd(kp: float) -> float:
    return 2.0 * math.sqrt(kp)


class Jump:
    """Torques of a jump that starts from standing, at the simulator's present state.

    Parameters
    ----------
    sim
        Its state is the start: posture, orientation and height of now are those of the landing.
    feet, points
        Frames of the feet and their contact points (LeggedWorld.feet, LeggedWorld.points), one point per foot.
    base
        Frame of the trunk; the first one of the robot unless given.
    gains
        Shape of the jump, weights and gains.
    """

    @named
    def __init__(self, sim: Simulator, feet: Sequence[str], points: Sequence[int], *, base: str | None = None,
                 gains: JumpGains = JumpGains()) -> None:  # fmt: skip
        if len(points) != len(feet):
            raise InvalidInput(f"points has {len(points)} entries, expected one for each of the {len(feet)} feet")
        base = sim.robots[0].frames[0] if base is None else base
        check_robot(sim, [*feet, base])
        self.feet, self.points, self.base, self.gains = tuple(feet), tuple(points), base, gains
        start = read_terms(sim, self.feet)
        self.q0, self.rotation0, self.com0 = sim.q.copy(), sim.frame_pose(base)[1], start.com
        self.ground = float(start.position[:, 2].mean())
        self.phase = "crouch"  # crouch, push, flight, landing
        self.switches: dict[str, float] = {"crouch": 0.0}  # when each phase began [s]

    def reference(self, time: float) -> Motion:
        """Motion of the centre of mass while the feet are on the ground before the jump.

        Parameters
        ----------
        time
            Since the start of the motion [s].
        """
        g, up = self.gains, np.array([0.0, 0.0, 1.0])
        low = self.com0 - g.crouch_depth * up
        if time <= g.crouch_time:
            return rest_to_rest(self.com0, low, time, g.crouch_time)
        zero = np.zeros(3)
        off = (self.com0 + g.push_height * up, math.sqrt(2.0 * g.gravity * g.rise) * up, -g.gravity * up)
        return Quintic((low, zero, zero), off, g.push_time).at(time - g.crouch_time)

    def _switch(self, phase: str, time: float) -> None:
        self.phase = phase
        self.switches[phase] = time

    def _update_phase(self, time: float, touched: NDArray[np.bool_]) -> None:
        g, end = self.gains, self.gains.crouch_time + self.gains.push_time
        if self.phase == "crouch" and time > g.crouch_time - 1e-9:
            self._switch("push", time)
        if self.phase == "push" and (
            time > end - 1e-9 or (not touched.any() and time > g.crouch_time + 0.5 * g.push_time)
        ):
            self._switch("flight", time)
        elif self.phase == "flight" and touched.sum() > 2 and time > self.switches["flight"] + 0.05:
            self._switch("landing", time)

    def _turn_task(self, sim: Simulator, kp: float) -> Task:
        error = rotation_error(self.rotation0, sim.frame_pose(self.base)[1])
        wanted = kp * error - _kd(kp) * sim.frame_velocity(self.base)[3:] - sim.frame_drift(self.base)[3:]
        return Task(sim.jacobian(self.base)[3:], wanted, self.gains.turn_weight)

    def _spin_task(self, sim: Simulator, terms: Terms, stance: Sequence[int]) -> Task:
        """Weighted as the trunk's rotation is: a moment counts by the acceleration that it gives the locked robot."""
        linear, angular = np.split(sim.momentum(), 2)
        about_com = angular - cross(terms.com, linear)
        inertia = float(np.trace(terms.mass_matrix[3:6, 3:6])) / 3.0
        return momentum_task(terms, stance, -self.gains.spin_rate * about_com, self.gains.turn_weight / inertia**2)

    def _standing_tasks(self, sim: Simulator, terms: Terms, stance: Sequence[int], time: float) -> list[Task]:
        g, zero = self.gains, np.zeros(3)
        if self.phase == "landing":
            kp, middle = g.landing_kp, terms.position[list(stance)].mean(axis=0)
            motion = (np.array([*middle[:2], self.com0[2]]), zero, zero)
        else:
            kp, motion = g.com_kp, self.reference(time)
        turning = self._spin_task(sim, terms, stance) if self.phase == "push" else self._turn_task(sim, g.turn_kp)
        tasks = [com_task(terms, *motion, kp, _kd(kp), g.com_weight), turning]
        return tasks + [
            foot_task(terms, i, terms.position[i], zero, zero, 0.0, g.foot_kd, g.foot_weight) for i in stance
        ]

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
        resting = (terms.position[:, 2] < self.ground + g.near) & (np.abs(terms.velocity[:, 2]) < g.near_speed)
        touched = touching(sim, self.points) | resting
        self._update_phase(time, touched)
        every = list(range(terms.feet))
        stance = {"flight": [], "landing": [i for i in every if touched[i]]}.get(self.phase, every)
        error = sim.difference(sim.q, self.q0)
        if len(stance) < 3:  # in the air, or nearly: one or two feet cannot hold the trunk and would be thrown back up
            fly = posture_task(error, sim.v, g.flight_kp, _kd(g.flight_kp), 1.0)
            return inverse_dynamics(terms, [fly], [])
        tasks = self._standing_tasks(sim, terms, stance, time)
        weight = g.landing_posture_weight if self.phase == "landing" else g.posture_weight
        tasks.append(posture_task(error, sim.v, g.posture_kp, _kd(g.posture_kp), weight))
        return inverse_dynamics(terms, tasks, stance, force_weight=g.force_weight)

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
