# SPDX-License-Identifier: BSD-2-Clause
"""How well a walking policy does: one run per seed, all side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..gym import make_vector_env
from ..output.arguments import named
from ..output.suggest import unknown_name
from .policy import Policy

ENGINES = ["stiction", "mujoco", "mujoco noslip"]


@dataclass(frozen=True)
class Walk:
    """One run."""

    seed: int  # of the start
    duration: float  # until the fall, or the end [s]
    fell: bool  # before the time was over
    speed: float  # mean of the forward velocity of the base [m/s]
    distance: float  # from start to end, as the crow flies [m]
    reward: float  # sum over the run

    def follows(self, speed: float, within: float = 0.2) -> bool:
        """No fall, and the mean speed is `speed`, give or take a share of it.

        Parameters
        ----------
        speed
            That was wanted [m/s].
        within
            Share of it that may be missing or too much [-].
        """
        return not self.fell and abs(self.speed - speed) <= within * abs(speed)


@named
def evaluate(
    policy: Policy,
    seeds: Iterable[int] = range(20),
    duration: float = 20.0,
    *,
    engine: str = "stiction",
    threads: int | None = None,
    **options: Any,
) -> list[Walk]:
    """Run a policy in the environment that it was trained in; options replace those that are noted in it.

    engine: "stiction", or "mujoco" for the same task and robot in MuJoCo with its default contacts, or "mujoco noslip" with an elliptic
    cone and ten noslip iterations (transfer.py).

    Parameters
    ----------
    policy
        What acts.
    seeds
        A run per seed.
    duration
        Of a run, at most [s].
    threads
        That step the runs; all cores unless given.
    options
        Of the environment.
    """
    numbers = [int(seed) for seed in seeds]
    env = vector_env_in(engine, policy.environment, len(numbers), threads=threads, **{**policy.options, **options})
    observation, _ = env.reset(seed=numbers)
    n, dt = len(numbers), env.task.control_dt
    going, fell = np.ones(n, bool), np.zeros(n, bool)
    steps, way, reward = np.zeros(n), np.zeros(n), np.zeros(n)
    start = env.batch.q[:, :2].copy()
    end = start.copy()
    for _ in range(round(duration / dt)):
        observation, gained, terminated, _, _ = env.step(policy(observation))
        steps += going
        speed = np.where(terminated, 0.0, env.batch.v[:, 0])  # of robots that fell: that of the new episode, not theirs
        way += np.where(going, speed * dt, 0.0)
        reward += np.where(going, gained, 0.0)
        fell |= going & terminated
        going &= ~terminated
        end[going] = env.batch.q[going, :2]
        if not going.any():
            break
    lasted = steps * dt
    distance = np.sqrt(((end - start) ** 2).sum(axis=1))
    rows = zip(numbers, lasted, fell, way / lasted, distance, reward, strict=True)
    return [Walk(s, float(t), bool(f), float(v), float(d), float(r)) for s, t, f, v, d, r in rows]


def vector_env_in(engine: str, environment: str, n: int, *, threads: int | None = None, **options: Any) -> Any:
    """A VectorEnv of an environment of ours, in one of the engines of `evaluate`."""
    if engine not in ENGINES:
        raise unknown_name("engine", engine, ENGINES)
    more: dict[str, Any] = {}
    if engine != "stiction":
        from .transfer import mujoco_batch

        more["batch"] = mujoco_batch(n, "noslip10" if engine == "mujoco noslip" else "default", threads or 1, options)
    return make_vector_env(environment, n, threads=threads, **options, **more)
