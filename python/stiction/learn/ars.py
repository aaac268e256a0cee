# SPDX-License-Identifier: BSD-2-Clause
"""Augmented random search (Mania, Guy and Recht 2018, version V2-t): a linear policy, no gradients, NumPy alone.

    r_k± = return of the policy W ± ν δ_k,   k = 1 … N directions δ_k of standard normal numbers
    W ← W + α / (b σ_r) Σ (r_k+ − r_k−) δ_k   over the b directions with the largest max(r_k+, r_k−)

σ_r is the standard deviation of the 2b returns used; observations are normalised by the mean and deviation of all that were seen.
All 2N policies run side by side, each in an environment of a VectorEnv; both signs of a direction begin at the same start.
It fails where returns do not depend on small changes of a linear policy: sparse rewards, tasks that need memory.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .._core import InvalidInput
from ..output.arguments import named
from ..output.files import whole_file
from .policy import LinearPolicy
from .seen import Seen


@dataclass(frozen=True)
class Settings:
    directions: int = 64  # N
    best: int = 32  # b
    step: float = 0.02  # α
    noise: float = 0.03  # ν
    steps: int = 250  # control steps of a trial
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.best <= self.directions:
            raise InvalidInput(f"best is {self.best}, expected 1 to directions, {self.directions}")
        if not (self.step > 0.0 and self.noise > 0.0 and self.steps >= 1):
            raise InvalidInput("step and noise must be > 0, steps at least 1")


class ARS:
    """The search; env is a gymnasium VectorEnv of 2 · directions environments.

    Parameters
    ----------
    env
        A gymnasium VectorEnv of 2 · directions environments.
    settings
        Of the search.
    environment
        Name that is noted in the policy.
    options
        Of the environment, noted in the policy.
    """

    fresh = 10  # iterations between checkpoints

    @named
    def __init__(
        self, env: Any, settings: Settings, environment: str = "", options: dict[str, Any] | None = None
    ) -> None:
        if env.num_envs != 2 * settings.directions:
            raise InvalidInput(f"the VectorEnv has {env.num_envs} environments, expected {2 * settings.directions}")
        self.env, self.settings = env, settings
        actions, width = env.single_action_space.shape[0], env.single_observation_space.shape[0]
        self.weights, self.seen = np.zeros((actions, width)), Seen(width)
        self.iteration, self.frames = 0, 0
        self.named: tuple[str, dict[str, Any]] = (environment, options or {})

    @property
    def policy(self) -> LinearPolicy:
        return LinearPolicy(self.weights.copy(), self.seen.mean.copy(), self.seen.deviation, *self.named,
                            {"trainer": "ARS", "iterations": self.iteration, "control_steps": self.frames})  # fmt: skip

    def trial(self, weights: np.ndarray, seeds: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """Returns until the first end of an episode, and how long each lasted, of one policy per environment.

        Parameters
        ----------
        weights
            (environments, actions, observations), a policy per environment.
        seeds
            One per environment.
        """
        observation, _ = self.env.reset(seed=seeds)
        going, total = np.ones(len(seeds), bool), np.zeros(len(seeds))
        lengths, scale, mean = np.zeros(len(seeds)), self.seen.deviation, self.seen.mean.copy()
        for _ in range(self.settings.steps):
            rows = np.asarray(observation, float)
            self.seen.add(rows[going])
            observation, reward, terminated, truncated, _ = self.env.step(
                np.einsum("nij,nj->ni", weights, (rows - mean) / scale)
            )
            total += np.where(going, reward, 0.0)
            lengths += going
            going &= ~(terminated | truncated)
            if not going.any():
                break
        self.frames += int(lengths.sum())
        return total, lengths

    def iterate(self) -> dict[str, float]:
        """One improvement; what its trials gave."""
        s = self.settings
        random = np.random.default_rng([s.seed, self.iteration])
        delta = random.standard_normal((s.directions, *self.weights.shape))
        starts = [int(x) for x in random.integers(2**62, size=s.directions)]
        both = np.concatenate([self.weights + s.noise * delta, self.weights - s.noise * delta])
        total, lengths = self.trial(both, starts + starts)
        plus, minus = total[: s.directions], total[s.directions :]
        best = np.argsort(-np.maximum(plus, minus), kind="stable")[: s.best]
        spread = np.concatenate([plus[best], minus[best]]).std()
        gain = (plus - minus)[best]
        self.weights = self.weights + s.step / (s.best * max(spread, 1e-9)) * np.einsum("k,kij->ij", gain, delta[best])
        self.iteration += 1
        return {"mean": float(total.mean()), "best": float(total.max()), "length": float(lengths.mean()),
                "control_steps": float(self.frames)}  # fmt: skip

    def save(self, path: str | os.PathLike[str]) -> None:
        """A checkpoint: going on from it gives the bits of a search that was not interrupted.

        Parameters
        ----------
        path
            Of the file.
        """
        found = {"weights": self.weights.tolist(), "count": self.seen.count, "mean": self.seen.mean.tolist(),
                 "squares": self.seen.squares.tolist(), "iteration": self.iteration, "frames": self.frames}  # fmt: skip
        with whole_file(Path(path)) as part:
            part.write_text(json.dumps(found), encoding="utf-8")

    def restore(self, path: str | os.PathLike[str]) -> None:
        """Go on from the checkpoint that save() wrote.

        Parameters
        ----------
        path
            Of the file.
        """
        found = json.loads(Path(path).read_text(encoding="utf-8"))
        weights = np.array(found["weights"])
        if weights.shape != self.weights.shape:
            raise InvalidInput(f"checkpoint '{path}' has weights {weights.shape}, expected {self.weights.shape}")
        self.weights, self.seen.count = weights, found["count"]
        self.seen.mean, self.seen.squares = np.array(found["mean"]), np.array(found["squares"])
        self.iteration, self.frames = found["iteration"], found["frames"]
