# SPDX-License-Identifier: BSD-2-Clause
"""A humanoid of primitive shapes walks forward at the speed that it is asked for: `stiction/Humanoid-v0`."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from .._core import InvalidInput, Simulator, World, model_path
from .task import Rows, Task, Which, box

REACH = {"waist": 0.3, "shoulder": 0.6, "elbow": 0.6, "hip_yaw": 0.2, "hip_roll": 0.25, "hip_pitch": 0.7, "knee": 0.8,
         "ankle_pitch": 0.5, "ankle_roll": 0.25}  # what an action of 1 adds to the posture [rad]  # fmt: skip
POSTURE = {"hip_pitch": 0.2, "knee": 0.4, "ankle_pitch": 0.2, "elbow": 0.4}  # knees a little bent [rad]
START_HEIGHT = 0.926  # of the pelvis in that posture [m]
LOWEST = 0.6  # the pelvis may not come lower [m]
STEEPEST = 0.5  # cosine of the largest tilt of the pelvis
CLOCK = 1.25  # the gait clock that is observed: strides per second [Hz]
SPEEDS = (0.0, 1.0)  # drawn for an episode [m/s]


class WalkingHumanoid(Task):
    """21 servo targets at 50 Hz."""

    horizon: ClassVar[int] = 1000

    def __init__(self, *, speed: float | None = None, mu: float = 0.8, law: str = "coulomb") -> None:
        """speed: the same in every episode [m/s]; None draws one for each."""
        if speed is not None and not np.isfinite(speed):
            raise InvalidInput(f"speed is {speed}, expected a number [m/s]")
        self._fixed, self.mu, self.law = speed, mu, law
        self.control_steps = 5
        self.action_space = box(-1.0, 1.0, 21, np.float32)
        self.observation_space = box(-np.inf, np.inf, 3 + 6 + 3 * 21 + 1 + 2 + 1, np.float32)

    def simulator(self) -> Simulator:
        world = World()
        world.add_ground(mu=self.mu)
        robot = world.add_mjcf(model_path("humanoid.xml"), self_collision=False, mu=self.mu)
        sim = Simulator(world, law=self.law)
        angles = {name: _of(POSTURE, name) for name in robot.joint_names}
        sim.set_joints(angles)
        q = sim.q
        q[2] = START_HEIGHT
        sim.ctrl = np.array([angles[name] for name in robot.joint_names])
        return sim

    def attach(self, batch: Any, streams: Any) -> None:
        super().attach(batch, streams)
        n, names = len(batch), batch.simulator.robots[0].joint_names
        self.posture = np.array([_of(POSTURE, name) for name in names])
        self.reach = np.array([_of(REACH, name) for name in names])
        self.speed, self.age = np.zeros(n), np.zeros(n)
        self.action, self.before = np.zeros((n, 21)), np.zeros((n, 21))

    def start(self, which: Which) -> None:
        draw = self.streams.uniform
        q, v = self.batch.q, self.batch.v
        q[which, 7:] += 0.02 * draw(which, 21)
        v[which] += 0.05 * draw(which, self.batch.nv)
        low, high = SPEEDS
        asked = draw(which, 1, 0.0, 1.0)[:, 0]
        self.speed[which] = low + (high - low) * asked if self._fixed is None else self._fixed
        self.action[which] = self.before[which] = 0.0
        self.age[which] = 0.0

    def control(self, actions: Rows) -> dict[str, Rows]:
        self.before[:] = self.action
        np.clip(actions, -1.0, 1.0, out=self.action)
        self.age += 1.0
        return {"ctrl": self.posture + self.reach * self.action}

    def _down(self, which: Which) -> Rows:
        """The direction of gravity in the axes of the pelvis."""
        x, y, z, w = self.batch.q[which, 3:7].T
        return np.stack([2.0 * (w * y - x * z), -2.0 * (y * z + w * x), 2.0 * (x * x + y * y) - 1.0], axis=1)

    def observe(self, which: Which) -> Rows:
        phase = 2.0 * np.pi * CLOCK * self.control_dt * self.age[which, None]
        q, v = self.batch.q[which], self.batch.v[which]
        columns = [
            self._down(which), v[:, :6], q[:, 7:] - self.posture, v[:, 6:], self.action[which],
            self.speed[which, None], np.sin(phase), np.cos(phase), q[:, 2:3],
        ]  # fmt: skip
        return np.concatenate(columns, axis=1).astype(np.float32)

    def outcome(self, actions: Rows) -> tuple[Rows, Any, dict[str, Rows]]:
        every = np.arange(len(self.speed))
        q, v, down = self.batch.q, self.batch.v, self._down(every)
        terms = {
            "reward_velocity": np.exp(-((v[:, 0] - self.speed) ** 2 + v[:, 1] ** 2) / 0.15),
            "reward_alive": np.full(len(every), 0.5),
            "reward_turning": -0.1 * v[:, 5] ** 2,
            "reward_tilt": -2.0 * (down[:, :2] ** 2).sum(axis=1),
            "reward_rates": -2e-4 * (v[:, 6:] ** 2).sum(axis=1),
            "reward_rush": -0.01 * ((self.action - self.before) ** 2).sum(axis=1),
        }
        fallen = (q[:, 2] < LOWEST) | (down[:, 2] > -STEEPEST)
        return (
            np.asarray(sum(terms.values())),
            fallen,
            {**terms, "x_position": q[:, 0].copy(), "x_velocity": v[:, 0].copy()},
        )


def _of(table: dict[str, float], joint: str) -> float:
    """The value of the entry whose name is in that of the joint; 0 if there is none."""
    return next((value for name, value in table.items() if name in joint), 0.0)
