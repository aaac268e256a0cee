# SPDX-License-Identifier: BSD-2-Clause
"""The quadruped in MuJoCo, behind the face of a BatchSimulator, so that tasks of stiction.gym run on it unchanged.

The robot is the same file with the same gains and step (bench/peers/mujoco_models.py); states are kept in our coordinates. Environments
are stepped by mujoco.rollout, all of them in one call per action.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import InvalidInput
from ..bench.peers import mujoco_models
from ..gym.quadruped import Quadruped

Rows = NDArray[np.float64]


class _Report:
    def __init__(self, failed: NDArray[np.bool_]) -> None:
        self.failed = failed


class MujocoBatch:
    """n quadrupeds in MuJoCo: q, v and time in our coordinates, step(target, n), reset."""

    def __init__(
        self, n: int, variant: str = "default", threads: int = 1, options: dict[str, Any] | None = None
    ) -> None:
        """variant: contact settings of MuJoCo, `default` or `noslip10`. options: those of the task; gains, step and friction act here."""
        mujoco = mujoco_models.load()
        task = Quadruped(**(options or {}))
        left_out = [name for name in ("law", "stiffness", "damping", "randomise") if name in (options or {})]
        if left_out:
            raise InvalidInput(
                f"{', '.join(left_out)}: not in MuJoCo, whose contacts and masses are those of its model"
            )
        self.simulator = task.simulator()
        self.dt, self.nq, self.nv = task.dt, self.simulator.nq, self.simulator.nv
        self.model = mujoco_models.anymal(variant, task.dt, task.kp, task.kd)
        self.model.geom_friction[:, 0] = task.mu
        self._order = mujoco_models.joint_order(self.simulator, self.model)
        self._data = [mujoco.MjData(self.model) for _ in range(threads)]
        self._rollout = mujoco.rollout.rollout
        self._full = mujoco.mjtState.mjSTATE_FULLPHYSICS
        self.q = np.tile(self.simulator.q, (n, 1))
        self.v = np.tile(self.simulator.v, (n, 1))
        self.time = np.zeros(n)
        self._start = self.simulator.q.copy(), self.simulator.v.copy()

    def __len__(self) -> int:
        return len(self.time)

    def reset(self, which: Any = None) -> None:
        which = slice(None) if which is None else which
        self.q[which], self.v[which], self.time[which] = *self._start, 0.0

    def step(self, *, target: Rows, n: int) -> _Report:
        """n steps towards PD targets; environments whose row is not finite stay where they are, as in ours."""
        failed = np.asarray(~np.isfinite(target).all(axis=1))
        which = np.flatnonzero(~failed)
        if len(which):
            control = np.repeat(target[which][:, None, self._order], n, axis=1)
            states, _ = self._rollout(
                self.model, self._data, self._states(which), control, persistent_pool=len(self._data) > 1
            )
            good = np.isfinite(states[:, -1]).all(axis=1)
            self._take(which[good], states[good, -1])
            failed[which[~good]] = True
        return _Report(failed)

    def _states(self, which: NDArray[np.int64]) -> Rows:
        """(rows, time + qpos + qvel) in MuJoCo's order."""
        q, v = self.q[which], self.v[which]
        angles = np.arctan2(q[:, 8::2], q[:, 7::2])[:, self._order]
        linear = turned(q[:, 3:7], v[:, :3])
        parts = [
            self.time[which, None],
            q[:, :3],
            q[:, 6:7],
            q[:, 3:6],
            angles,
            linear,
            v[:, 3:6],
            v[:, 6:][:, self._order],
        ]
        return np.concatenate(parts, axis=1)

    def _take(self, which: NDArray[np.int64], states: Rows) -> None:
        self.time[which] = states[:, 0]
        qpos, qvel = states[:, 1:20], states[:, 20:38]
        back = np.argsort(self._order)
        rotation = np.concatenate([qpos[:, 4:7], qpos[:, 3:4]], axis=1)
        angles = qpos[:, 7:][:, back]
        self.q[which, :3], self.q[which, 3:7] = qpos[:, :3], rotation
        self.q[which, 7::2], self.q[which, 8::2] = np.cos(angles), np.sin(angles)
        inverse = np.concatenate([-rotation[:, :3], rotation[:, 3:]], axis=1)
        self.v[which, :3], self.v[which, 3:6] = turned(inverse, qvel[:, :3]), qvel[:, 3:6]
        self.v[which, 6:] = qvel[:, 6:][:, back]


def turned(quaternion: Rows, vector: Rows) -> Rows:
    """Vectors turned by quaternions (x, y, z, w), row by row."""
    axis, w = quaternion[:, :3], quaternion[:, 3:]
    twice = 2.0 * np.cross(axis, vector)
    return vector + w * twice + np.cross(axis, twice)


def mujoco_batch(
    n: int, variant: str = "default", threads: int = 1, options: dict[str, Any] | None = None
) -> MujocoBatch:
    return MujocoBatch(n, variant, threads, options)
