# SPDX-License-Identifier: BSD-2-Clause
"""A quadruped trots over uneven ground by model predictive control, without seeing the ground.

    gait       diagonal pairs, half a period each; centroidal MPC (centroidal.py) at 50 Hz over .32 s
    foothold   p = hip at touchdown + ½ T_stance ċ + k (ċ − ċ_ref)                          [Raibert86]
    tracking   at every step: base rows M v̇ + h = Σ Jᵀf and J_i v̇ + J̇_i v = a_i of the feet give v̇; then τ = M v̇ + h − Σ Jᵀf

a_i is zero and damped for feet that stand, a Cartesian PD along a swing for those in the air. Height and slope of the ground are those
of a plane through the places where the feet last stood. A foot that should stand and does not yet touch goes on downwards. One that
touches before its time stays where it is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._core import InvalidInput, Simulator
from ..rotations import about_z, rotate, rotation_error, rotation_matrix, yaw_of
from .centroidal import Body, CentroidalMpc, CentroidalOptions
from .terms import Terms, check_robot, read_terms, touching

Array = NDArray[np.float64]
PAIRS = (
    (0, 3),
    (1, 2),
)  # of feet in the order hind left, hind right, front left, front right: those that swing together


@dataclass(frozen=True)
class MpcTrotGains:
    """Gait and gains; those of a robot of 2.5 kg unless given."""

    speed: float = 0.3  # forward [m/s]
    aside: float = 0.0  # to the left [m/s]
    period: float = 0.32  # of the gait [s]
    stand: float = 0.3  # on four feet at first [s]
    ramp: float = 0.5  # to the speed [s]
    lift: float = 0.06  # of swinging feet [m]
    capture: float = 0.08  # k of the foothold [s]
    reach: float = 0.16  # of a foothold from below its hip, at most [m]
    swing_kp: float = 900.0  # [1/s²]
    swing_kd: float = 45.0  # [1/s]
    stance_kd: float = 20.0  # [1/s]
    search: float = 0.3  # speed of a foot that looks for the ground [m/s]
    drift: float = 0.05  # most that the reference is away from the robot [m]
    most_torque: float = math.inf  # [N m]
    replan: float = 0.01  # [s]


class MpcTrot:
    """Torques of a trot that starts from standing, at the simulator's present state.

    Parameters
    ----------
    sim
        Its state is the start: height, heading and the feet below the hips of now are what is kept.
    feet, points
        Frames of the feet in the order hind left, hind right, front left, front right, and their contact points
        (LeggedWorld.feet, LeggedWorld.points).
    gains, options
        Gait and gains; horizon, weights and bounds of the forces. Those of a robot of 2.5 kg unless given.
    ground
        Height of the ground under the feet at the start [m].
    """

    def __init__(self, sim: Simulator, feet: Sequence[str], points: Sequence[int], *, gains: MpcTrotGains = MpcTrotGains(),
                 options: CentroidalOptions | None = None, ground: float = 0.0) -> None:  # fmt: skip
        if len(feet) != 4 or len(points) != 4:
            raise InvalidInput(f"feet and points have {len(feet)} and {len(points)} entries, expected four each")
        self.base = sim.robots[0].frames[0]
        check_robot(sim, [*feet, self.base])
        self.feet, self.points, self.gains = tuple(feet), tuple(points), gains
        start, rotation = read_terms(sim, self.feet), sim.frame_pose(self.base)[1]
        self.heading = yaw_of(rotation)
        self.level = about_z(self.heading)
        self.below = np.array([rotate(about_z(-self.heading), p - start.com) for p in start.position]) * (1.0, 1.0, 0.0)
        self.height = start.com[2] - ground
        turn = rotation_matrix(rotation)
        self.mpc = CentroidalMpc(sim.mass, turn @ _felt_inertia(start) @ turn.T, options or CentroidalOptions())
        self.stood = start.position * (1.0, 1.0, 0.0) + (0.0, 0.0, ground)
        self.lifted, self.landed = start.position.copy(), [False] * 4
        self.force = np.zeros((4, 3))
        self.target = start.com[:2].copy()
        self._swinging: tuple[int, ...] = ()
        self._tick = -1
        self._last = 0.0

    def swinging(self, time: float) -> tuple[int, ...]:
        """Feet that are in the air by the clock.

        Parameters
        ----------
        time
            Since the controller began [s].
        """
        clock = (time - self.gains.stand) / self.gains.period + 1e-9
        return () if clock < 0.0 else PAIRS[0 if clock % 1.0 < 0.5 else 1]

    def progress(self, time: float) -> float:
        """Of the swing, 0 to 1.

        Parameters
        ----------
        time
            Since the controller began [s].
        """
        clock = (time - self.gains.stand) / self.gains.period + 1e-9
        return (clock % 0.5) * 2.0

    def wanted(self, time: float) -> Array:
        """Horizontal velocity asked for, world axes [m/s].

        Parameters
        ----------
        time
            Since the controller began [s].
        """
        g = self.gains
        share = min(max((time - g.stand) / g.ramp, 0.0), 1.0)
        return rotate(self.level, (share * g.speed, share * g.aside, 0.0))

    def ground(self) -> tuple[float, Array]:
        """Height in the middle of the feet, and slope, of the plane through where they last stood; the slope is pulled towards level."""
        middle = self.stood.mean(axis=0)
        away = self.stood - middle
        A = away[:, :2].T @ away[:, :2] + 0.02 * np.eye(2)
        return float(middle[2]), np.asarray(np.linalg.solve(A, away[:, :2].T @ away[:, 2]))

    def ground_at(self, place: Array) -> float:
        """Height of the plane through where the feet last stood [m].

        Parameters
        ----------
        place
            (x, y) or (x, y, z), world axes [m].
        """
        height, slope = self.ground()
        return float(height + slope @ (place[:2] - self.stood.mean(axis=0)[:2]))

    def foothold(self, terms: Terms, foot: int, time: float) -> Array:
        """Where a foot is put next, world axes [m].

        Parameters
        ----------
        terms
            What was read of the robot now.
        foot
            0 to 3, in the order of `feet`.
        time
            Since the controller began [s].
        """
        g, stand = self.gains, 0.5 * self.gains.period
        wanted = self.wanted(time)
        velocity = terms.com_velocity * (1.0, 1.0, 0.0)
        rest = (1.0 - self.progress(time)) * stand
        away = velocity * rest + 0.5 * stand * velocity + g.capture * (velocity - wanted)
        length = float(np.linalg.norm(away))
        hip = terms.com * (1.0, 1.0, 0.0) + rotate(self.level, self.below[foot])
        place = hip + away * min(1.0, g.reach / max(length, 1e-9))
        place[2] = self.ground_at(place)
        return place

    def _plan(self, sim: Simulator, terms: Terms, time: float) -> None:
        """Forces of the next knot."""
        g, o = self.gains, self.mpc.options
        v, now = self.wanted(time), terms.com
        self.target += v[:2] * (time - self._last)
        away = self.target - now[:2]
        self.target = now[:2] + away * min(1.0, g.drift / max(float(np.linalg.norm(away)), 1e-9))
        self._last = time
        t = o.step * np.arange(1, o.knots + 1)
        places, speeds = np.zeros((o.knots, 6)), np.zeros((o.knots, 6))
        places[:, :2] = self.target + t[:, None] * v[:2]
        places[:, 2] = [self.ground_at(p) + self.height for p in places]
        speeds[:, :3] = v
        rotation = sim.frame_pose(self.base)[1]
        spin = rotate(rotation, sim.v[3:6])
        standing: list[list[int]] = []
        feet: list[Array] = []
        for k in range(o.knots):
            up = self.swinging(time + (k + 0.5) * o.step)
            standing.append([i for i in range(4) if i not in up])
            feet.append(
                np.array([self._place(terms, i, time, time + (k + 0.5) * o.step, places[k]) for i in standing[k]])
            )
        found = self.mpc.forces(
            Body(now, -rotation_error(self.level, rotation), terms.com_velocity, spin), places, speeds, feet
        )
        self.force = np.zeros((4, 3))
        self.force[standing[0]] = found[0]

    def _place(self, terms: Terms, foot: int, now: float, then: float, com: Array) -> Array:
        """Where a foot stands in a later knot: where it is if it does not lift until then, else below its hip."""
        if foot not in self.swinging(now) and then - now <= self._rest(now):
            return np.asarray(terms.position[foot])
        place = com[:3] * (1.0, 1.0, 0.0) + rotate(self.level, self.below[foot])
        place[2] = self.ground_at(place)
        return place

    def _rest(self, time: float) -> float:
        """Until the pairs change."""
        if time < self.gains.stand - 1e-9:
            return self.gains.stand - time
        return (1.0 - self.progress(time)) * 0.5 * self.gains.period

    def _swing(self, terms: Terms, foot: int, time: float) -> Array:
        """Acceleration of a foot in the air."""
        g, s, length = self.gains, self.progress(time), 0.5 * self.gains.period
        start, end = self.lifted[foot], self.foothold(terms, foot, time)
        d = end - start
        position = start + (3.0 - 2.0 * s) * s * s * d
        velocity = 6.0 * s * (1.0 - s) / length * d
        acceleration = 6.0 * (1.0 - 2.0 * s) / length**2 * d
        w, lift = 2.0 * math.pi, g.lift + max(0.0, 0.5 * abs(d[2]))
        position[2] += 0.5 * lift * (1.0 - math.cos(w * s))
        velocity[2] += 0.5 * lift * w / length * math.sin(w * s)
        acceleration[2] += 0.5 * lift * (w / length) ** 2 * math.cos(w * s)
        asked = (
            acceleration
            + g.swing_kp * (position - terms.position[foot])
            + g.swing_kd * (velocity - terms.velocity[foot])
        )
        return np.clip(asked, -200.0, 200.0)

    def torque(self, sim: Simulator, time: float) -> Array:
        """Joint torques at the present state, to be held over a control period [N m].

        Parameters
        ----------
        sim
            The robot.
        time
            Since the controller began [s].
        """
        g, terms = self.gains, read_terms(sim, self.feet)
        touch = touching(sim, self.points)
        swinging = self.swinging(time)
        if swinging != self._swinging:
            self._swinging = swinging
            self.lifted, self.landed = terms.position.copy(), [False] * 4
            self._tick = -1
        for i in range(4):
            if touch[i] and (i not in swinging or self.progress(time) > 0.5):
                self.stood[i] = terms.position[i]
                self.landed[i] = self.landed[i] or i in swinging
        tick = int((time + 1e-9) / g.replan)
        if tick != self._tick:
            self._tick = tick
            self._plan(sim, terms, time)
        force, asked = self.force.copy(), np.empty((4, 3))
        for i in range(4):
            if i in swinging and not self.landed[i]:
                asked[i] = self._swing(terms, i, time)
            elif i in swinging or touch[i] or time < g.stand:
                asked[i] = -g.stance_kd * terms.velocity[i]
            else:
                force[i] = 0.0
                asked[i] = g.swing_kd * (np.array([0.0, 0.0, -g.search]) - terms.velocity[i])
        return self._inverse_dynamics(terms, force, asked)

    def _inverse_dynamics(self, terms: Terms, force: Array, asked: Array) -> Array:
        M, h = terms.mass_matrix, terms.bias
        push = np.einsum("fij,fi->j", terms.jacobian, force)
        rows = np.vstack([M[:6], terms.jacobian.reshape(12, -1)])
        wanted = np.concatenate([push[:6] - h[:6], (asked - terms.drift).ravel()])
        acceleration = np.linalg.lstsq(rows, wanted, rcond=1e-6)[0]
        torque = (M @ acceleration + h - push)[6:]
        return np.clip(torque, -self.gains.most_torque, self.gains.most_torque)


def _felt_inertia(terms: Terms) -> Array:
    """What a moment on the trunk turns while the feet stay where they are, base axes: legs turn with the trunk in part only."""
    legs = terms.jacobian.reshape(12, -1)
    follow = -np.linalg.lstsq(legs[:, 6:], legs[:, :6], rcond=1e-6)[0]
    felt = terms.mass_matrix[:6, :6] + terms.mass_matrix[:6, 6:] @ follow
    return np.asarray(0.5 * (felt + felt.T)[3:, 3:])
