# SPDX-License-Identifier: BSD-2-Clause
"""Two fingers turn a cube on a table to the angle that they are asked for: `stiction/Cube-v0`."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from .._core import InvalidInput, Simulator, World, model_path
from .task import Rows, Task, Which, box

POSTURE = np.array([0.0, 0.7, -1.716] * 2)  # swing, lift, bend of both fingers: tips 1 cm beside the cube [rad]
REACH = np.array([0.5, 0.35, 0.35] * 2)  # what an action of 1 adds [rad]
CLOSE = 0.1  # a goal is reached at this angle [rad]
LARGEST = 1.5  # goals are drawn from ± this, relative to the cube [rad]
LEASH = 0.08  # the cube may not leave its place farther than this [m]


class Cube(Task):
    """Six servo targets at 50 Hz; a new goal is drawn whenever one is reached."""

    horizon: ClassVar[int] = 500

    def __init__(self, *, goal: float | None = None, law: str = "coulomb") -> None:
        """goal: the same turn in every episode, relative to the start [rad]; None draws one."""
        if goal is not None and not np.isfinite(goal):
            raise InvalidInput(f"goal is {goal}, expected an angle [rad]")
        self._fixed, self.law = goal, law
        self.control_steps = 8
        self.action_space = box(-1.0, 1.0, 6, np.float32)
        self.observation_space = box(-np.inf, np.inf, 6 + 6 + 3 + 4 + 6 + 2 + 6, np.float32)

    def simulator(self) -> Simulator:
        world = World()
        robot = world.add_mjcf(model_path("two_fingers.xml"))
        sim = Simulator(world, law=self.law)
        sim.set_joints(dict(zip(robot.joint_names, POSTURE, strict=True)))
        sim.ctrl = POSTURE
        return sim

    def attach(self, batch: Any, streams: Any) -> None:
        super().attach(batch, streams)
        n = len(batch)
        self.goal, self.off, self.reached = np.zeros(n), np.zeros(n), np.zeros(n)
        self.action, self.before = np.zeros((n, 6)), np.zeros((n, 6))

    def yaw(self, which: Which) -> Rows:
        x, y, z, w = self.batch.q[which, 3:7].T
        return np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))

    def _draw_goal(self, which: Which) -> None:
        turn = LARGEST * self.streams.uniform(which, 1)[:, 0]
        self.goal[which] = self.yaw(which) + turn

    def _error(self, which: Which) -> Rows:
        """What is left to turn, within half a turn."""
        left = self.goal[which] - self.yaw(which)
        return np.arctan2(np.sin(left), np.cos(left))

    def start(self, which: Which) -> None:
        draw, q = self.streams.uniform, self.batch.q
        q[which, :2] += 0.003 * draw(which, 2)
        turn = 0.1 * draw(which, 1)[:, 0]
        q[which, 5], q[which, 6] = np.sin(turn / 2.0), np.cos(turn / 2.0)
        q[which, 7:] += 0.02 * draw(which, 6)
        self._draw_goal(which)
        if self._fixed is not None:
            self.goal[which] = self._fixed
        self.off[which] = self._error(which)
        self.action[which] = self.before[which] = 0.0
        self.reached[which] = 0.0

    def control(self, actions: Rows) -> dict[str, Rows]:
        self.before[:] = self.action
        np.clip(actions, -1.0, 1.0, out=self.action)
        return {"ctrl": POSTURE + REACH * self.action}

    def observe(self, which: Which) -> Rows:
        q, v, left = self.batch.q[which], self.batch.v[which], self._error(which)[:, None]
        columns = [
            q[:, 7:] - POSTURE,
            v[:, 6:],
            q[:, :3],
            q[:, 3:7],
            v[:, :6],
            np.sin(left),
            np.cos(left),
            self.action[which],
        ]
        return np.concatenate(columns, axis=1).astype(np.float32)

    def outcome(self, actions: Rows) -> tuple[Rows, Any, dict[str, Rows]]:
        every = np.arange(len(self.goal))
        left, q = self._error(every), self.batch.q
        near = np.abs(left) < CLOSE
        away = np.sqrt(q[:, 0] ** 2 + q[:, 1] ** 2)
        terms = {
            "reward_turned": 10.0 * (np.abs(self.off) - np.abs(left)),
            "reward_reached": 5.0 * near,
            "reward_place": -away,
            "reward_rush": -0.01 * ((self.action - self.before) ** 2).sum(axis=1),
        }
        self.reached += near
        if self._fixed is None and near.any():
            self._draw_goal(np.flatnonzero(near))
        self.off[:] = self._error(every)
        lost = (away > LEASH) | (q[:, 2] < 0.0)
        info = {**terms, "angle_left": left, "goals_reached": self.reached.copy()}
        return np.asarray(sum(terms.values())), lost, info
