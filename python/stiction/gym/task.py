# SPDX-License-Identifier: BSD-2-Clause
"""What an environment is: robot, observation, action, reward, end. All methods work on all rows of a batch at once.

`Env` and `VectorEnv` run the same task, a batch of one and a batch of many, and so have the same bits. To keep it so, a row of a
result may depend on this row of the batch alone: sums go along rows, and there are no products of whole matrices.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from .._core import BatchSimulator, Simulator
from .streams import Streams

Rows = NDArray[np.float64]
Which = NDArray[np.int64]


def box(low: float | Rows, high: float | Rows, width: int, kind: type = np.float64) -> Box:
    return Box(np.broadcast_to(low, width).astype(kind), np.broadcast_to(high, width).astype(kind), dtype=kind)


class Task:
    """Base of all tasks. A subclass sets the spaces and `control_steps` before it is attached."""

    horizon: ClassVar[int] = 1000  # control steps after which an episode is truncated
    watched: ClassVar[dict[str, Any]] = {}  # what BatchSimulator.watch is asked for
    arrows: ClassVar[bool] = True  # contact forces in pictures

    observation_space: Box
    action_space: Box
    control_steps: int  # physics steps per action

    batch: BatchSimulator
    streams: Streams

    def simulator(self) -> Simulator:
        """The simulator that every environment begins as."""
        raise NotImplementedError

    def attach(self, batch: BatchSimulator, streams: Streams) -> None:
        """The batch that this task is played on; before anything else. Subclasses make their arrays here.

        Parameters
        ----------
        batch
            Many environments of the task's world.
        streams
            Random numbers, a stream per environment.
        """
        self.batch, self.streams = batch, streams

    @property
    def control_dt(self) -> float:
        """Time between actions [s]."""
        return self.control_steps * self.batch.dt

    def start(self, which: Which) -> None:
        """Begin episodes: the batch has just been reset there; draw what differs from episode to episode.

        Parameters
        ----------
        which
            Environments whose episodes begin: numbers, or all.
        """
        raise NotImplementedError

    def control(self, actions: Rows) -> dict[str, Rows]:
        """The keywords of batch.step that carry out finite actions, a row each."""
        raise NotImplementedError

    def observe(self, which: Which) -> Rows:
        """(len(which), width)."""
        raise NotImplementedError

    def outcome(self, actions: Rows) -> tuple[Rows, NDArray[np.bool_], dict[str, Rows]]:
        """(reward, terminated, info) of the step that was made; info has an array with a row per environment under each name.

        Parameters
        ----------
        actions
            (environments, actions) that were taken.
        """
        raise NotImplementedError

    def start_info(self, which: Which) -> dict[str, Rows]:
        """What reset() tells, a row per environment of `which`."""
        return {}
