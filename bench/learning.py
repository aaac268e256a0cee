# SPDX-License-Identifier: BSD-2-Clause
"""Quadruped-v0 as a VectorEnv: ours beside the same task, observations and rewards included, on mujoco.rollout; and Gymnasium's five beside
its own vector environments.

    python bench/learning.py [--environments 1024] [--threads 1] [--rounds 5] [--steps 25] [--wall]
    python bench/learning.py --five [--environments 64]

Both run the same Python code of the task (stiction.gym.quadruped); only the physics differs (stiction.learn.transfer). Random actions.
Medians of alternating rounds of CPU time of the process; --wall for more than one thread. --five: SyncVectorEnv of Gymnasium, the same
environments on one thread; episodes that end begin anew in the same step.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from stiction.gym import make_vector_env
from stiction.learn.transfer import MujocoBatch

FIVE = ("Hopper", "Walker2d", "HalfCheetah", "Ant", "Humanoid")


def alternate(
    envs: dict[str, Any], actions: np.ndarray, rounds: int, clock: Callable[[], float]
) -> dict[str, np.ndarray]:
    """Environment steps per second of each, round by round; the first round is left out."""
    rates: dict[str, list[float]] = {label: [] for label in envs}
    for _ in range(rounds + 1):
        for label, env in envs.items():
            env.reset(seed=0)
            begin = clock()
            for action in actions:
                env.step(action)
            rates[label].append(actions.shape[0] * actions.shape[1] / (clock() - begin))
    return {label: np.array(found[1:]) for label, found in rates.items()}


def say(rates: dict[str, np.ndarray]) -> None:
    ours = next(iter(rates.values()))
    for label, found in rates.items():
        ratio = ours / found
        print(f"{label:28} {np.median(found):9.0f} env steps/s   stiction / this {np.median(ratio):5.2f}"
              f" ({ratio.min():.2f} .. {ratio.max():.2f})")  # fmt: skip


def five(n: int, steps: int, rounds: int) -> None:
    import gymnasium
    from gymnasium.vector import AutoresetMode

    print(f"Gymnasium's five, {n} environments, one thread, CPU time")
    for name in FIVE:
        theirs = gymnasium.make_vec(
            f"{name}-v5",
            num_envs=n,
            vectorization_mode="sync",
            vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP},
        )
        envs = {f"stiction/{name}-v5": make_vector_env(f"stiction/{name}-v5", n, threads=1), f"{name}-v5": theirs}
        space = theirs.single_action_space
        actions = np.random.default_rng(0).uniform(space.low, space.high, (steps, n, *space.shape))
        say(alternate(envs, actions, rounds, time.process_time))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--environments", type=int, default=1024)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=25)
    parser.add_argument("--wall", action="store_true")
    parser.add_argument("--five", action="store_true")
    asked = parser.parse_args()
    n, clock = asked.environments, time.perf_counter if asked.wall else time.process_time
    if asked.five:
        return five(n, asked.steps, asked.rounds)
    name = "stiction/Quadruped-v0"
    envs = {"stiction": make_vector_env(name, n, threads=asked.threads)}
    for label, variant in (("mujoco.rollout default", "default"), ("mujoco.rollout noslip 10", "noslip10")):
        envs[label] = make_vector_env(name, n, batch=MujocoBatch(n, variant, asked.threads))
    actions = np.random.default_rng(0).uniform(-0.4, 0.4, (asked.steps, n, 12))
    measured = "wall-clock" if asked.wall else "CPU"
    print(f"{n} environments, {asked.threads} threads, {measured} time; four physics steps each")
    return say(alternate(envs, actions, asked.rounds, clock))


if __name__ == "__main__":
    main()
