# SPDX-License-Identifier: BSD-2-Clause
"""Virtual-model control of a quadruped: springs and dampers on the trunk, carried by the standing feet; standing and trotting.

    F = K_p (r* − r) + K_d (ṙ* − ṙ) + k_ff v* e_x + m g,   T = K_pr θ − K_dr ω + c × m g        in axes of the trunk
    f = distribution of (F, T) to the standing feet (force_distribution.py);   τ = g_leg − Jᵀ f
    swinging legs: τ = g_leg + k_p (φ* − φ) + k_d (φ̇* − φ̇), φ* from the inverse kinematics of the foot's path

Gait: φ = t/T mod 1; LF and RH stand for φ < duty, RF and LH half a stride later. Foothold, with the inverted pendulum's time √(h/g):

    p = r̂ + R_z(yaw) d_i + ½ T_st v* + k √(h/g) (v − v*),        r̂ the trunk at touchdown                          [Raibert86]

Works on minimal coordinates (q, v) alone, with closed-form legs: one call costs a fraction of a control period of 2.5 ms. It remembers
where feet lifted off, nothing else. Gains are those of StarlETH's controller [Gehring13]; it falls if pushed harder than a foothold can catch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import InvalidInput, Simulator
from ..output.arguments import named
from ..rotations import cross, rotation_error, rotation_matrix
from .force_distribution import ForceDistribution, ForceLimits
from .legs import Legs, LegState

Array = NDArray[np.float64]
PAIRS = ((0, 3), (1, 2))  # LF RH, RF LH


def _triple(x: float, y: float, z: float) -> Any:
    """A default that is an array of its own for every object."""
    return field(default_factory=lambda: np.array([x, y, z]))


@dataclass(frozen=True, eq=False)
class VirtualModelGains:
    """Gait and gains. Triples are along the axes of the trunk or of the joints HAA, HFE, KFE."""

    speed: float = 0.15  # forward, v* [m/s]
    stride: float = 0.8  # [s]
    stand: float = 0.4  # on four feet before the first step [s]
    ramp: float = 0.8  # until the speed is reached [s]
    kp: Array = _triple(500.0, 640.0, 600.0)  # [N/m]
    kd: Array = _triple(150.0, 100.0, 120.0)  # [N s/m]
    feed_forward: float = 25.0  # of the forward speed [N s/m]
    turn_kp: Array = _triple(400.0, 200.0, 10.0)  # [N m/rad]
    turn_kd: Array = _triple(6.0, 9.0, 5.0)  # [N m s/rad]
    farthest: float = 0.05  # from the path that the springs see [m]
    swing_height: float = 0.06  # [m]
    # depth below the ground that swinging feet are sent to, so that they touch before they are loaded [m]
    press: float = 0.003
    swing_kp: Array = _triple(120.0, 90.0, 14.0)  # [N m/rad]
    swing_kd: Array = _triple(4.0, 2.6, 0.4)  # [N m s/rad]
    capture: float = 1.0  # k of the foothold [-]
    limits: ForceLimits = field(default_factory=ForceLimits)  # of the forces of the feet

    def __post_init__(self) -> None:
        for name in ("stride", "ramp", "swing_height"):
            if not (math.isfinite(getattr(self, name)) and getattr(self, name) > 0.0):
                raise InvalidInput(f"{name} is {getattr(self, name)}, expected a number > 0")
        for name in ("kp", "kd", "turn_kp", "turn_kd", "swing_kp", "swing_kd"):
            gain = np.array(getattr(self, name), dtype=float)
            if gain.shape != (3,) or not (np.isfinite(gain).all() and (gain >= 0.0).all()):
                raise InvalidInput(f"{name} is {getattr(self, name)}, expected three numbers >= 0")
            object.__setattr__(self, name, gain)
        if not (math.isfinite(self.speed) and self.stand >= 0.0):
            raise InvalidInput(
                f"speed is {self.speed} and stand {self.stand}, expected a finite speed and a time >= 0 s"
            )


@dataclass(frozen=True)
class Trunk:
    """Where the trunk and the feet are, world axes."""

    place: Array
    rotation: Array  # (3, 3)
    velocity: Array
    spin: Array  # axes of the trunk
    yaw: float
    arms: Array  # (4, 3) from the trunk's origin to the feet
    legs: LegState

    @property
    def feet(self) -> Array:
        return np.asarray(self.place + self.arms)


class VirtualModel:
    """Joint torques for standing (gait "stand") or trotting (gait "trot"), from (q, v) in minimal coordinates.

    Parameters
    ----------
    legs
        Four legs in the order LF, RF, LH, RH.
    joints
        For every leg the numbers of its HAA, HFE and KFE among the joints.
    mass
        Of the whole robot [kg].
    q0
        Start: its place, heading, height and the feet below the trunk are what is kept.
    gait
        `stand` or `trot`.
    gains
        Gait and gains; the published ones of StarlETH unless given.
    gravity
        [m/s²].
    """

    @named
    def __init__(self, legs: Legs, joints: Sequence[Sequence[int]], mass: float, q0: Array, *, gait: str = "trot",
                 gains: VirtualModelGains = VirtualModelGains(), gravity: float = 9.81) -> None:  # fmt: skip
        if len(legs.hips) != 4 or np.shape(joints) != (4, 3):
            raise InvalidInput(
                f"there are {len(legs.hips)} legs and joints of shape {np.shape(joints)}, expected LF, RF, LH, RH and (4, 3)"
            )
        if gait not in ("stand", "trot"):
            raise InvalidInput(f"gait is '{gait}', expected stand or trot")
        self.legs, self.gains, self.gait, self.mass, self.gravity = legs, gains, gait, mass, gravity
        self.joints = np.asarray(joints, dtype=int)
        self._share = ForceDistribution(gains.limits)
        start = self._read(np.asarray(q0, dtype=float), np.zeros(len(q0) - 1))
        self.yaw0, self.place0 = start.yaw, start.place
        self.forward = np.array([math.cos(start.yaw), math.sin(start.yaw), 0.0])
        self.heading = np.array([0.0, 0.0, math.sin(0.5 * start.yaw), math.cos(0.5 * start.yaw)])
        self.ground = float(start.feet[:, 2].mean())
        self.height = float(start.place[2]) - self.ground
        self.below = start.arms @ _about_z(start.yaw)
        self.lifted = start.feet
        self._swinging: tuple[int, ...] = ()
        self.forces = np.zeros((4, 3))  # asked of the feet in the last call [N]

    def swinging(self, time: float) -> tuple[int, ...]:
        """Feet that are in the air by the clock.

        Parameters
        ----------
        time
            Since the start of the motion [s].
        """
        if self.gait == "stand" or time < self.gains.stand - 1e-9:
            return ()
        return PAIRS[1] if self._clock(time) % 1.0 < 0.5 else PAIRS[0]

    def _clock(self, time: float) -> float:
        return (time - self.gains.stand) / self.gains.stride + 1e-9

    def _progress(self, time: float) -> float:
        return (self._clock(time) % 0.5) * 2.0

    def travel(self, time: float) -> tuple[float, float]:
        """Forward distance and speed of the path: the speed grows linearly over the ramp.

        Parameters
        ----------
        time
            Since the start of the motion [s].
        """
        g, t = self.gains, time - self.gains.stand
        if self.gait == "stand" or t <= 0.0:
            return 0.0, 0.0
        if t < g.ramp:
            return 0.5 * g.speed * t * t / g.ramp, g.speed * t / g.ramp
        return g.speed * (t - 0.5 * g.ramp), g.speed

    def _read(self, q: Array, v: Array) -> Trunk:
        rotation = rotation_matrix(q[3:7])
        legs = self.legs.state(q[7 + self.joints])
        yaw = math.atan2(rotation[1, 0], rotation[0, 0])
        return Trunk(q[:3].copy(), rotation, rotation @ v[:3], v[3:6], yaw, legs.feet @ rotation.T, legs)

    def _wrench(self, now: Trunk, q: Array, time: float, standing: Sequence[int]) -> Array:
        """Force and moment about the trunk's origin, world axes."""
        g, R = self.gains, now.rotation
        distance, speed = self.travel(time)
        error = self.place0 + distance * self.forward - now.place
        length = math.hypot(error[0], error[1])
        if length > g.farthest:
            error[:2] *= g.farthest / length
        error[2] = self.height + now.arms[standing, 2].mean()
        force = g.kp * (error @ R) + g.kd * ((speed * self.forward - now.velocity) @ R)
        force[0] += g.feed_forward * speed
        torque = g.turn_kp * (rotation_error(self.heading, q[3:7]) @ R) - g.turn_kd * now.spin
        out = np.concatenate([R @ force, R @ torque])
        arm = R @ now.legs.moment
        out[2] += self.mass * self.gravity
        out[3] += self.gravity * arm[1]  # moment of the legs' weight
        out[4] -= self.gravity * arm[0]
        return out

    def footholds(self, now: Trunk, which: Sequence[int], time: float) -> Array:
        """Where swinging feet are to land.

        Parameters
        ----------
        now
            The trunk at this moment.
        which
            Numbers of the feet.
        time
            Since the start of the motion [s].
        """
        g, stance = self.gains, 0.5 * self.gains.stride
        wanted = self.travel(time)[1] * self.forward
        rest = (1.0 - self._progress(time)) * stance
        pendulum = g.capture * math.sqrt(self.height / self.gravity)
        middle = now.place + rest * now.velocity + 0.5 * stance * wanted + pendulum * (now.velocity - wanted)
        out = np.asarray(middle + self.below[list(which)] @ _about_z(now.yaw).T)
        out[:, 2] = self.ground - g.press
        return out

    def _swing(self, now: Trunk, which: Sequence[int], time: float) -> tuple[Array, Array]:
        """Wanted angles and rates of the swinging legs."""
        g, s = self.gains, self._progress(time)
        length = 0.5 * g.stride
        start = self.lifted[list(which)]
        d = self.footholds(now, which, time) - start
        position = start + (3.0 - 2.0 * s) * s * s * d
        velocity = 6.0 * s * (1.0 - s) / length * d
        position[:, 2] += g.swing_height * math.sin(math.pi * s) ** 2
        velocity[:, 2] += g.swing_height * math.pi / length * math.sin(2.0 * math.pi * s)
        inside = (position - now.place) @ now.rotation
        moving = (velocity - now.velocity) @ now.rotation
        for row, place in zip(moving, inside, strict=True):
            row -= cross(now.spin, place)
        angles = self.legs.angles(inside, which)
        return angles, self.legs.rates(angles, moving)

    def torque(self, q: Array, v: Array, time: float) -> Array:
        """Joint torques at a state in minimal coordinates, to be held over a control period [N m].

        Parameters
        ----------
        q
            (nq,) positions, in minimal coordinates [m, rad].
        v
            (nv,) velocities [m/s, rad/s].
        time
            Since the start of the motion [s].
        """
        g, now = self.gains, self._read(q, v)
        swinging = self.swinging(time)
        if swinging != self._swinging:
            self._swinging, self.lifted = swinging, now.feet
        standing = [i for i in range(4) if i not in swinging]
        self.forces[:] = 0.0
        self.forces[standing] = self._share.forces(now.arms[standing], self._wrench(now, q, time, standing))
        up = self.gravity * now.rotation[2]  # −gravity in axes of the trunk
        tau = up @ now.legs.moment_jacobians
        tau -= ((self.forces @ now.rotation)[:, None, :] @ now.legs.jacobians)[:, 0]
        if swinging:
            angles, rates = self._swing(now, swinging, time)
            joints = self.joints[list(swinging)]
            tau[list(swinging)] += g.swing_kp * (angles - q[7 + joints]) + g.swing_kd * (rates - v[6 + joints])
        out = np.zeros(q.size - 7)
        out[self.joints] = tau
        return out

    def control(self, sim: Simulator, time: float) -> Array:
        """Joint torques [N m] at `time` [s], for a simulator of any coordinate set, (ntau,).

        Parameters
        ----------
        sim
            The simulator that is controlled, of any coordinate set.
        time
            Since the start of the motion [s].
        """
        q, v = sim.minimal_state() if getattr(sim, "coordinates", "minimal") != "minimal" else (sim.q, sim.v)
        return self.torque(np.asarray(q), np.asarray(v), time)


def _about_z(yaw: float) -> Array:
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
