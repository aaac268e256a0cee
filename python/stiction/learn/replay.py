# SPDX-License-Identifier: BSD-2-Clause
"""A run of a policy as frames: for the viewer, films and pictures."""

from __future__ import annotations

import os
from typing import Any

from ..drawing.frame import Frame
from ..gym import make_env
from ..gym.window import Frames
from ..output.arguments import named
from .policy import Policy, load


class Replay:
    """A Source: the frames of one episode.

    Parameters
    ----------
    frames
        What is shown.
    title
        Of the page.
    reward
        Sum over the episode.
    """

    @named
    def __init__(self, frames: Frames, title: str, reward: float) -> None:
        self._frames, self.title, self.reward = frames, title, reward
        self.drawing = frames.drawing

    def __len__(self) -> int:
        return len(self._frames)

    def frame(self, index: int) -> Frame:
        """The frame of this number.

        Parameters
        ----------
        index
            From 0.
        """
        return self._frames.frame(index)


@named
def replay(policy: Policy | str | os.PathLike[str], duration: float = 20.0, seed: int = 0, **options: Any) -> Replay:
    """Run a policy, or the file of one, until `duration` [s] or the end of the episode. Options replace those noted in it.

    Parameters
    ----------
    policy
        A policy, or the path of one.
    duration
        At most [s].
    seed
        Of the start.
    options
        Of the environment.
    """
    if isinstance(policy, str | os.PathLike):
        policy = load(policy)
    env = make_env(policy.environment, **{**policy.options, **options})
    observation, _ = env.reset(seed=seed)
    frames, total = Frames(env.simulator, policy.environment), 0.0
    frames.add(env.simulator)
    for _ in range(round(duration / env.task.control_dt)):
        observation, reward, terminated, _, _ = env.step(policy(observation))
        frames.add(env.simulator)
        total += reward
        if terminated:
            break
    return Replay(frames, policy.environment, total)
