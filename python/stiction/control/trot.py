# SPDX-License-Identifier: BSD-2-Clause
"""A quadruped trots: diagonal pairs of legs stand and swing in turn.

Clock: φ = t/T mod 1; the pair (FL, HR) stands for φ < ½ and swings for φ ≥ ½, the other pair the other way round. Standing
legs: least squares (least_squares.py) with two contacts. Two points on a line give no moment about it, so only five of the
six directions of the base can be had: height and orientation weigh most, and the horizontal motion is that of an inverted
pendulum which the next footholds catch.

    foothold   p = c + r_i + ½ T_stance ṗ_ref + k (ċ − ċ_ref),     k about half of √(z/g)          [Raibert86, ch. 2]
    swing      x, y: cubic 3s² − 2s³ from lift-off to the foothold; z: ½ lift (1 − cos 2πs); Cartesian PD

The controller remembers where each foot lifted off; copy.deepcopy takes that along.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._core import InvalidInput, Simulator
from ..output.arguments import named
from ..rotations import about_z, rotate, rotation_error, yaw_of
from .least_squares import Solution, Task, com_task, foot_task, inverse_dynamics, posture_task
from .quintic import rest_to_rest
from .terms import Terms, check_robot, read_terms

Array = NDArray[np.float64]


@dataclass(frozen=True)
class TrotGains:
    """Gait, weights [-] and gains [1/s², 1/s]."""

    speed: float = 0.2  # forward [m/s]
    period: float = 0.28  # of the gait, two steps [s]
    stand: float = 0.3  # on four feet before the first step, to bring the centre of mass above their middle [s]
    ramp: float = 0.5  # time to reach the speed [s]
    lift: float = 0.04  # of the swinging feet [m]
    capture: float = 0.08  # k of the foothold [s]
    height_weight: float = 1.0  # of the height of the centre of mass
    height_kp: float = 200.0  # of the height
    travel_weight: float = 0.2  # of the horizontal motion
    travel_kp: float = 10.0  # of the horizontal motion
    turn_weight: float = 1.0  # of the trunk's orientation
    turn_kp: float = 200.0  # of the trunk's orientation
    swing_weight: float = 0.1  # of feet in the air
    swing_kp: float = 1000.0  # of feet in the air
    stance_weight: float = 1.0  # of feet on the ground
    posture_weight: float = 1e-4  # of the joints
    posture_kp: float = 50.0  # of the joints
    force_weight: float = 1e-6  # on squared forces [1/N²]

    def __post_init__(self) -> None:
        if not (self.period > 0.0 and self.ramp > 0.0 and math.isfinite(self.speed)):
            raise InvalidInput(
                f"period is {self.period}, ramp {self.ramp} and speed {self.speed}, expected times > 0 s and a finite speed"
            )


def _kd(kp: float) -> float:
    return 2.0 * math.sqrt(kp)


class Trot:
    """Torques of a trot that starts from standing, at the simulator's present state.

    Parameters
    ----------
    sim
        Its state is the start: height, orientation and the feet below the hips of now are what is kept.
    feet
        Frames of the feet in the order hind left, hind right, front left, front right (LeggedWorld.feet).
    base
        Frame of the trunk; the first one of the robot unless given.
    gains
        Gait and gains; those of a robot of 2.5 kg and 0.22 m unless given.
    """

    @named
    def __init__(
        self, sim: Simulator, feet: Sequence[str], *, base: str | None = None, gains: TrotGains = TrotGains()
    ) -> None:
        if len(feet) != 4:
            raise InvalidInput(f"feet has {len(feet)} entries, expected hind left, hind right, front left, front right")
        base = sim.robots[0].frames[0] if base is None else base
        check_robot(sim, [*feet, base])
        self.feet, self.base, self.gains = tuple(feet), base, gains
        start = read_terms(sim, self.feet)
        rotation = sim.frame_pose(base)[1]
        self.q0, self.rotation0 = sim.q.copy(), rotation
        self.heading0 = yaw_of(rotation)
        middle = start.position.mean(axis=0)
        self.below = np.array([rotate(about_z(-self.heading0), p - middle) for p in start.position])
        self.com_start, self.com0 = start.com, np.array([*middle[:2], start.com[2]])
        self.ground = float(start.position[:, 2].mean())
        self.lifted = start.position.copy()
        self._swinging: tuple[int, ...] = ()

    def swinging(self, time: float) -> tuple[int, ...]:
        """The two feet in the air: the pair of FL, HR (numbers 2, 1) or that of FR, HL (3, 0); none at first.

        Parameters
        ----------
        time
            Since the start of the motion [s].
        """
        if time < self.gains.stand - 1e-9:
            return ()
        return (0, 3) if self._clock(time) % 1.0 < 0.5 else (1, 2)

    def _clock(self, time: float) -> float:
        return (time - self.gains.stand) / self.gains.period + 1e-9

    def _progress(self, time: float) -> float:
        return (self._clock(time) % 0.5) * 2.0

    def travel(self, time: float) -> tuple[float, float, float]:
        """Distance, speed and acceleration along the heading: the speed grows linearly over the ramp.

        Parameters
        ----------
        time
            Since the start of the motion [s].
        """
        g, t = self.gains, time - self.gains.stand
        if t < 0.0:
            return 0.0, 0.0, 0.0
        if t < g.ramp:
            return 0.5 * g.speed * t * t / g.ramp, g.speed * t / g.ramp, g.speed / g.ramp
        return g.speed * (t - 0.5 * g.ramp), g.speed, 0.0

    def at_touchdown(self, terms: Terms, stance: Sequence[int], rest: float) -> tuple[Array, Array]:
        """Place and velocity of the centre of mass in `rest` seconds: straight on along the line of the standing feet, a
        pendulum across it, c̈ = ω²(c − line).

        Parameters
        ----------
        terms
            The robot's dynamics at the present state.
        stance
            Numbers of the standing feet.
        rest
            Time until then [s].
        """
        a, b = terms.position[stance[0]], terms.position[stance[1]]
        along = (b - a) * (1.0, 1.0, 0.0)
        across = np.array([-along[1], along[0], 0.0]) / max(float(np.linalg.norm(along)), 1e-9)
        w = math.sqrt(9.81 / max(terms.com[2] - self.ground, 0.05))
        velocity = terms.com_velocity * (1.0, 1.0, 0.0)
        off, speed = float(across @ (terms.com - a)), float(across @ velocity)
        ch, sh = math.cosh(w * rest), math.sinh(w * rest)
        moved, faster = off * ch + speed / w * sh - off, off * w * sh + speed * ch - speed
        return terms.com + (velocity - speed * across) * rest + moved * across, velocity + faster * across

    def foothold(self, sim: Simulator, terms: Terms, foot: int, time: float) -> Array:
        """Where a foot is to land: the footholds surround the centre of mass as it will be then.

        Parameters
        ----------
        sim
            The simulator that is controlled.
        terms
            The robot's dynamics at the present state.
        foot
            Its number.
        time
            Since the start of the motion [s].
        """
        g = self.gains
        stand = 0.5 * g.period
        stance = [i for i in range(4) if i not in self.swinging(time)]
        com, velocity = self.at_touchdown(terms, stance, (1.0 - self._progress(time)) * stand)
        wanted = self.travel(time)[1] * _heading(self.heading0)
        hip = com + rotate(about_z(yaw_of(sim.frame_pose(self.base)[1])), self.below[foot])
        place = hip + 0.5 * stand * wanted + g.capture * (velocity - wanted)
        return np.array([place[0], place[1], self.ground])

    def _swing_task(self, sim: Simulator, terms: Terms, foot: int, time: float) -> Task:
        g, s = self.gains, self._progress(time)
        length = 0.5 * g.period
        start, end = self.lifted[foot], self.foothold(sim, terms, foot, time)
        d = end - start
        position = start + (3.0 - 2.0 * s) * s * s * d
        velocity = 6.0 * s * (1.0 - s) / length * d
        acceleration = 6.0 * (1.0 - 2.0 * s) / length**2 * d
        w = 2.0 * math.pi
        up = (
            0.5
            * g.lift
            * np.array([1.0 - math.cos(w * s), w / length * math.sin(w * s), (w / length) ** 2 * math.cos(w * s)])
        )
        position[2] += up[0]
        velocity[2] += up[1]
        acceleration[2] += up[2]
        return foot_task(terms, foot, position, velocity, acceleration, g.swing_kp, _kd(g.swing_kp), g.swing_weight)

    def _trunk_tasks(self, sim: Simulator, terms: Terms, time: float) -> list[Task]:
        g, forward = self.gains, _heading(self.heading0)
        distance, speed, acceleration = self.travel(time)
        position, weight, kp = self.com0 + distance * forward, g.travel_weight, g.travel_kp
        motion = (position, speed * forward, acceleration * forward)
        if time < g.stand - 1e-9:  # four feet can place it
            motion, weight, kp = rest_to_rest(self.com_start, self.com0, time, g.stand), 1.0, g.height_kp
        whole = com_task(terms, *motion, kp, _kd(kp), weight)
        height = com_task(terms, position, np.zeros(3), np.zeros(3), g.height_kp, _kd(g.height_kp), g.height_weight)
        error = rotation_error(self.rotation0, sim.frame_pose(self.base)[1])
        turning = sim.frame_velocity(self.base)[3:]
        wanted = g.turn_kp * error - _kd(g.turn_kp) * turning - sim.frame_drift(self.base)[3:]
        return [
            Task(whole.rows[:2], whole.wanted[:2], weight),
            Task(height.rows[2:], height.wanted[2:], g.height_weight),
            Task(sim.jacobian(self.base)[3:], wanted, g.turn_weight),
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
        swinging = self.swinging(time)
        if swinging != self._swinging:
            self._swinging = swinging
            self.lifted = terms.position.copy()
        stance = [i for i in range(4) if i not in swinging]
        tasks = self._trunk_tasks(sim, terms, time)
        tasks += [self._swing_task(sim, terms, foot, time) for foot in swinging]
        still = np.zeros(3)
        tasks += [foot_task(terms, i, terms.position[i], still, still, 0.0, 0.0, g.stance_weight) for i in stance]
        tasks.append(
            posture_task(sim.difference(sim.q, self.q0), sim.v, g.posture_kp, _kd(g.posture_kp), g.posture_weight)
        )
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


def _heading(angle: float) -> Array:
    return np.array([math.cos(angle), math.sin(angle), 0.0])
