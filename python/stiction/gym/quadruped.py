# SPDX-License-Identifier: BSD-2-Clause
"""ANYmal follows a velocity that it is asked for: on flat ground (`stiction/Quadruped-v0`) and on bumps (`QuadrupedRough-v0`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from .._core import InvalidInput, Simulator, World
from ..robots import load
from .task import Rows, Task, Which, box
from .terrain import Terrain

POSTURE = {"LF": (0.03, 0.4, -0.8), "RF": (-0.03, 0.4, -0.8), "LH": (0.03, -0.4, 0.8), "RH": (-0.03, -0.4, 0.8)}
JOINTS = ("HAA", "HFE", "KFE")
REACH = (0.3, 0.5, 0.7)  # what an action of 1 adds to the posture [rad]
PERIOD = 0.02  # time between actions [s]
START_HEIGHT = 0.55  # of the base above the ground [m]
LOWEST = 0.3  # the base may not come closer to the ground [m]
STEEPEST = 0.5  # cosine of the largest tilt
CLOCK = 1.5  # the gait clock that is observed [Hz]
COMMANDS = ((0.0, 1.0), (-0.3, 0.3), (-0.5, 0.5))  # forward, to the left [m/s], turning to the left [rad/s]
RANDOM: dict[str, Any] = {
    "mu": (0.3, 1.1),
    "mass": 0.15,
    "com": 0.03,
    "gains": 0.2,
}  # of episodes that are randomised: from, to [-]; share; ± [m]; share of kp, kd
SENSED = (0.05, 0.1, 0.2, 0.02, 1.0)  # noise of gravity, velocity, turning, angles, rates [-, m/s, rad/s, rad, rad/s]
NOISE = {"joints": 0.05, "joint_rates": 0.2, "velocity": 0.1}  # of the start, uniform in ± [rad, rad/s, m/s and rad/s]


class Quadruped(Task):
    """Twelve joint targets at 50 Hz; the reward is how well the base follows (v_x, v_y, ω_z)."""

    horizon: ClassVar[int] = 1000

    def __init__(
        self,
        *,
        command: Sequence[float] | None = None,
        kp: float = 80.0,
        kd: float = 2.0,
        mu: float = 0.8,
        dt: float = 5e-3,
        law: str = "coulomb",
        stiffness: float | None = None,
        damping: float | None = None,
        stepping: float = 0.0,
        pushes: float = 0.0,
        randomise: bool = False,
        noise: float = 0.0,
        delay: float = 0.0,
        smooth: float = 0.0,
        rush: float = 0.01,
        tolerance: float = 0.15,
    ) -> None:
        """command: the same (v_x, v_y, ω_z) in every episode; None draws one for each.

        stiffness, damping: of the ground under each contact point [N/m, N s/m]; None: it is rigid.
        stepping: trots on the spot while the actions are zero: in its swing a leg is folded by this share of the posture. Diagonal legs
        swing together, once per turn of the gait clock; the actions are added to it.
        pushes: in half of the episodes, once a second, the base is given a velocity in ± this,
            along and across [m/s], and half as much about each axis [rad/s].
        randomise: every episode has its own friction, gains, mass of the base and centre of it (RANDOM).
        noise: what sensors would add to the observation, uniform in ± this times SENSED.
        delay: what is sensed is up to this many control steps old, another age in every episode (0 to 1).
        smooth: share of the joints' last target offset in the next one, a low pass of the actions (0: none; below 1).
        rush, tolerance: weight of the punishment of changing actions; by how much following may miss [m²/s², rad²/s²].
        """
        if command is not None and (len(command) != 3 or not np.isfinite(command).all()):
            raise InvalidInput(f"command is {command}, expected three numbers: v_x, v_y [m/s], turning [rad/s]")
        self._fixed = None if command is None else np.array(command, float)
        if not 0.0 <= stepping <= 1.0:
            raise InvalidInput(f"stepping is {stepping}, expected 0 to 1")
        if not 0.0 <= pushes <= 5.0:
            raise InvalidInput(f"pushes is {pushes}, expected 0 to 5 m/s")
        if not 0.0 <= noise <= 10.0:
            raise InvalidInput(f"noise is {noise}, expected 0 to 10")
        if not 0.0 <= delay <= 1.0:
            raise InvalidInput(f"delay is {delay}, expected 0 to 1 control steps")
        if not 0.0 <= smooth < 1.0:
            raise InvalidInput(f"smooth is {smooth}, expected 0 to less than 1")
        if not 0.0 <= rush <= 10.0:
            raise InvalidInput(f"rush is {rush}, expected 0 to 10")
        if not 1e-3 <= tolerance <= 10.0:
            raise InvalidInput(f"tolerance is {tolerance}, expected 0.001 to 10")
        self.stepping, self.pushes, self.randomise, self.noise = stepping, pushes, randomise, noise
        self.delay, self.smooth, self.rush, self.tolerance = delay, smooth, rush, tolerance
        if not 0.0 < dt <= 2.0 * PERIOD:
            raise InvalidInput(f"dt is {dt}, expected > 0 and at most {2.0 * PERIOD:g} s")
        if stiffness is None and damping is not None:
            raise InvalidInput("damping without stiffness: rigid ground has none")
        self.kp, self.kd, self.mu, self.dt, self.law = kp, kd, mu, dt, law
        self.ground: dict[str, Any] = {"mu": mu, "stiffness": stiffness, "damping": damping}
        self.control_steps = max(1, round(PERIOD / dt))
        self.terrain: Terrain | None = None
        self.action_space = box(-1.0, 1.0, 12, np.float32)
        self.observation_space = box(-np.inf, np.inf, 50, np.float32)

    def add_ground(self, world: World) -> None:
        world.add_ground(**self.ground)

    def world(self) -> World:
        """Ground and robot, to look at or to write with `save_mjcf`."""
        world = World()
        self.add_ground(world)
        robot = load("anymal_prim", world, position=(0.0, 0.0, START_HEIGHT))
        for leg, angles in POSTURE.items():
            for joint, angle in zip(JOINTS, angles, strict=True):
                world.set_joint_position(robot, f"{leg}_{joint}", angle)
        return world

    def simulator(self) -> Simulator:
        sim = Simulator(self.world(), law=self.law, dt=self.dt)
        sim.set_pd(self.kp, self.kd)
        return sim

    def attach(self, batch: Any, streams: Any) -> None:
        super().attach(batch, streams)
        n, names = len(batch), batch.simulator.robots[0].joint_names
        self.posture = np.array([POSTURE[name[:2]][JOINTS.index(name[3:])] for name in names])
        self.reach = np.array([REACH[JOINTS.index(name[3:])] for name in names])
        self.side = np.array([1.0 if name[:2] in ("LF", "RH") else -1.0 for name in names])  # which diagonal
        self.folds = np.where(self.reach == REACH[0], 0.0, self.posture)
        self.command = np.zeros((n, 3))
        self.action, self.before = np.zeros((n, 12)), np.zeros((n, 12))
        self.age = np.zeros(n)  # control steps since the start
        self.offset = np.zeros((n, 12))  # smoothed actions
        self.late, self.felt = (
            np.zeros((n, 1)),
            np.zeros((n, 33)),
        )  # age of what is sensed [control steps]; the last of it
        self.is_pushed = np.zeros(n, bool)
        self.base = 0.0, np.zeros(3)  # mass and centre in the world
        if self.randomise:
            self.base = batch.parameters["mass"][0, 0], batch.parameters["com"][0, 0].copy()
            self.gains = np.full((n, 12), self.kp), np.full((n, 12), self.kd)

    # ---- an episode -------------------------------------------------------------------------------------------------

    def start(self, which: Which) -> None:
        draw = self.streams.uniform
        angles = self.posture + NOISE["joints"] * draw(which, 12)
        q, v = self.batch.q, self.batch.v
        q[which, 7::2], q[which, 8::2] = np.cos(angles), np.sin(angles)
        v[which, :6] = NOISE["velocity"] * draw(which, 6)
        v[which, 6:] = NOISE["joint_rates"] * draw(which, 12)
        asked = draw(which, 3, 0.0, 1.0)
        low, high = np.array(COMMANDS).T
        self.command[which] = low + (high - low) * asked if self._fixed is None else self._fixed
        if self.terrain is not None:
            x, y, yaw = self.terrain.places(draw(which, 3, 0.0, 1.0))
            q[which, 0], q[which, 1] = x, y
            q[which, 2] = START_HEIGHT + self.terrain.highest_around(x, y)
            q[which, 5], q[which, 6] = np.sin(yaw / 2.0), np.cos(yaw / 2.0)
        if self.randomise:
            self._randomise(which)
        if self.pushes > 0.0:
            self.is_pushed[which] = draw(which, 1)[:, 0] > 0.0
        self.action[which] = self.before[which] = self.offset[which] = 0.0
        self.age[which] = 0.0
        if self.delay > 0.0:
            self.late[which] = self.delay * draw(which, 1, 0.0, 1.0)
            self.felt[which] = self._feel(which)

    def _randomise(self, which: Which) -> None:
        parameters, drawn = self.batch.parameters, self.streams.uniform(which, 7)
        (low, high), (mass, com) = RANDOM["mu"], self.base
        parameters["mu"][which] = 0.5 * (low + high) + 0.5 * (high - low) * drawn[:, :1]
        parameters["mass"][which, 0] = mass * (1.0 + RANDOM["mass"] * drawn[:, 1])
        parameters["com"][which, 0] = com + RANDOM["com"] * drawn[:, 2:5]
        for gain, nominal, factor in zip(self.gains, (self.kp, self.kd), drawn[:, 5:].T, strict=True):
            gain[which] = nominal * (1.0 + RANDOM["gains"] * factor[:, None])
        self.batch.set_pd(*self.gains)

    def control(self, actions: Rows) -> dict[str, Rows]:
        self.before[:] = self.action
        np.clip(actions, -1.0, 1.0, out=self.action)
        self.offset = self.smooth * self.offset + (1.0 - self.smooth) * self.action
        self.age += 1.0
        if self.delay > 0.0:
            self.felt = self._feel(np.arange(len(self.age)))
        if self.pushes > 0.0:
            self._push(np.flatnonzero(self.is_pushed & (self.age % round(1.0 / self.control_dt) == 0.0)))
        return {"target": self._target()}

    def _push(self, which: Which) -> None:
        scale = self.pushes * np.array([1.0, 1.0, 0.0, 0.5, 0.5, 0.5])
        self.batch.v[which, :6] += scale * self.streams.uniform(which, 6)

    def _target(self) -> Rows:
        """Of the joints, at the present age and action."""
        target = self.posture + self.reach * self.offset
        if self.stepping > 0.0:
            swing = np.maximum(0.0, self.side * np.sin(self._phase(self.age)))
            target = target + self.stepping * swing * swing * self.folds
        return target

    def _phase(self, age: Rows) -> Rows:
        """(rows, 1): of the gait clock [rad]."""
        return 2.0 * np.pi * CLOCK * self.control_dt * age[:, None]

    # ---- what is seen -----------------------------------------------------------------------------------------------

    def _down(self, which: Which) -> Rows:
        """The direction of gravity in the axes of the base."""
        x, y, z, w = self.batch.q[which, 3:7].T
        return np.stack([2.0 * (w * y - x * z), -2.0 * (y * z + w * x), 2.0 * (x * x + y * y) - 1.0], axis=1)

    def _angles(self, which: Which) -> Rows:
        q = self.batch.q[which, 7:]
        return np.arctan2(q[:, 1::2], q[:, ::2])

    def _feel(self, which: Which) -> Rows:
        """(rows, 33): gravity, velocities of the base, angles beside the posture and rates of the joints."""
        q, v = self._down(which), self.batch.v[which]
        return np.concatenate([q, v[:, :6], self._angles(which) - self.posture, v[:, 6:]], axis=1)

    def observe(self, which: Which) -> Rows:
        phase, felt = self._phase(self.age[which]), self._feel(which)
        if self.delay > 0.0:
            felt = felt + self.late[which] * (self.felt[which] - felt)
        if self.noise > 0.0:
            scale = np.repeat(SENSED, (3, 3, 3, 12, 12))
            felt = felt + self.noise * scale * self.streams.uniform(which, len(scale))
        columns = [felt, self.action[which], self.command[which], np.sin(phase), np.cos(phase)]
        if self.terrain is not None:
            columns.append(self._clearance(which)[:, None] - self.terrain.around(self.batch.q[which]))
        return np.concatenate(columns, axis=1).astype(np.float32)

    def _clearance(self, which: Which) -> Rows:
        """Of the base above the ground below it [m]."""
        q = self.batch.q[which]
        return q[:, 2] if self.terrain is None else q[:, 2] - self.terrain.height(q[:, 0], q[:, 1])

    # ---- what it is worth -------------------------------------------------------------------------------------------

    def outcome(self, actions: Rows) -> tuple[Rows, Any, dict[str, Rows]]:
        every = np.arange(len(self.command))
        v, down = self.batch.v, self._down(every)
        rates = v[:, 6:]
        effort = self.kp * (self._target() - self._angles(every)) - self.kd * rates
        off = (v[:, :2] - self.command[:, :2]) ** 2
        terms = {
            "reward_velocity": np.exp(-off.sum(axis=1) / self.tolerance),
            "reward_turning": 0.5 * np.exp(-((v[:, 5] - self.command[:, 2]) ** 2) / self.tolerance),
            "reward_bobbing": -(v[:, 2] ** 2),
            "reward_rocking": -0.05 * (v[:, 3:5] ** 2).sum(axis=1),
            "reward_tilt": -(down[:, :2] ** 2).sum(axis=1),
            "reward_effort": -2e-5 * (effort**2).sum(axis=1),
            "reward_rush": -self.rush * ((self.action - self.before) ** 2).sum(axis=1),
        }
        reward = sum(terms.values())
        fallen = (self._clearance(every) < LOWEST) | (down[:, 2] > -STEEPEST)
        info = {**terms, "x_position": self.batch.q[:, 0].copy(), "x_velocity": v[:, 0].copy()}
        return np.asarray(reward), fallen, info


class RoughQuadruped(Quadruped):
    """The same on a field of bumps, whose heights around the base are observed."""

    def __init__(self, *, roughness: float = 0.08, terrain_seed: int = 0, **options: Any) -> None:
        """roughness: height of the bumps [m]."""
        super().__init__(**options)
        self.terrain = Terrain(roughness, terrain_seed)
        self.observation_space = box(-np.inf, np.inf, 50 + self.terrain.points, np.float32)

    def add_ground(self, world: World) -> None:
        assert self.terrain is not None
        world.add_heightfield(self.terrain.heights, self.terrain.size, **self.ground)
