# SPDX-License-Identifier: BSD-2-Clause
"""A task on a batch: reset and step of chosen environments. What `Env` and `VectorEnv` have in common."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import BatchSimulator, InvalidInput
from .streams import Streams
from .task import Rows, Task, Which


class Environments:
    """n environments of one task; how long each has been running is `elapsed` (control steps)."""

    def __init__(self, task: Task, n: int, threads: int | None = None, batch: Any = None) -> None:
        """`batch`: another engine's, with the face of a BatchSimulator, in the place of ours."""
        if n < 1:
            raise InvalidInput(f"num_envs is {n}, expected at least 1")
        self.task = task
        self.batch: BatchSimulator = batch if batch is not None else BatchSimulator(task.simulator(), n, threads)
        self.streams = Streams(n)
        self.all = np.arange(n)
        self.elapsed = np.zeros(n, np.int64)
        if task.watched:
            self.batch.watch(**task.watched)
        task.attach(self.batch, self.streams)

    def reset(self, which: Which, seeds: Iterable[int] | None = None) -> None:
        """Begin new episodes."""
        if seeds is not None:
            self.streams.seed(which, seeds)
        self.batch.reset(which)
        self.elapsed[which] = 0
        self.task.start(which)

    def read(self, actions: Any) -> Rows:
        """Actions as rows of numbers; bad shapes are refused in a sentence, and nothing has happened."""
        width = self.task.action_space.shape[0]
        try:
            rows = np.array(actions, float)
        except (TypeError, ValueError):
            raise InvalidInput(f"actions cannot be read as numbers: {str(actions)[:80]}") from None
        if rows.shape != (len(self.all), width):
            raise InvalidInput(f"actions have shape {rows.shape}, expected ({len(self.all)}, {width})")
        return rows

    def step(self, rows: Rows) -> tuple[Rows, NDArray[np.bool_], dict[str, Any]]:
        """One control step: (reward, terminated, info).

        An environment whose action is not finite, or whose step cannot be made, keeps its state: it ends with reward 0, and
        info["failed"] says so.
        """
        bad = np.asarray(~np.isfinite(rows).all(axis=1))
        clean = np.where(bad[:, None], 0.0, rows) if bad.any() else rows
        given = self.task.control(clean)
        if bad.any():
            given = {name: np.where(bad[:, None], np.nan, value) for name, value in given.items()}
        report = self.batch.step(n=self.task.control_steps, **given)
        self.elapsed += 1
        reward, terminated, told = self.task.outcome(clean)
        info: dict[str, Any] = {**told}
        failed = np.array(report.failed)
        if failed.any():
            reward, terminated = np.where(failed, 0.0, reward), np.asarray(terminated | failed)
        info["failed"] = failed
        return reward, terminated, info
