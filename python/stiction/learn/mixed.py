# SPDX-License-Identifier: BSD-2-Clause
"""Several VectorEnvs as one: a search in which some of the environments are unlike the others, on soft ground for example."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._core import InvalidInput


class MixedEnv:
    """The environments of all parts, one part after the other; what the searches need of a VectorEnv."""

    def __init__(self, parts: Sequence[Any]) -> None:
        self.parts = list(parts)
        first = self.parts[0]
        for part in self.parts[1:]:
            if (part.single_observation_space, part.single_action_space) != (first.single_observation_space,
                                                                             first.single_action_space):  # fmt: skip
                raise InvalidInput("environments that are mixed must have the same observations and actions")
        self.single_observation_space, self.single_action_space = (
            first.single_observation_space,
            first.single_action_space,
        )
        self.num_envs = sum(part.num_envs for part in self.parts)
        self.ends = np.cumsum([part.num_envs for part in self.parts])[:-1]

    def reset(self, *, seed: Sequence[int]) -> tuple[Any, dict[str, Any]]:
        """A seed for each environment."""
        seeds = np.split(np.array(seed, object), self.ends)
        return np.concatenate([p.reset(seed=list(s))[0] for p, s in zip(self.parts, seeds, strict=True)]), {}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """As VectorEnv.step; of what is told, `final_obs` alone."""
        steps = [part.step(a) for part, a in zip(self.parts, np.split(actions, self.ends), strict=True)]
        observation, reward, ended, cut = (np.concatenate([s[k] for s in steps]) for k in range(4))
        last = [
            s[4].get("final_obs", np.full(p.num_envs, None, object)) for p, s in zip(self.parts, steps, strict=True)
        ]
        return observation, reward, ended, cut, {"final_obs": np.concatenate(last)}
