# SPDX-License-Identifier: BSD-2-Clause
"""Quadruped-v0 as a VectorEnv: ours beside the same task, observations and rewards included, on mujoco.rollout.

    python bench/learning.py [--environments 1024] [--threads 1] [--rounds 5] [--steps 25] [--wall]

Both run the same Python code of the task (stiction.gym.quadruped); only the physics differs (stiction.learn.transfer). Random actions.
Medians of alternating rounds of CPU time of the process; --wall for more than one thread.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from stiction.gym import make_vector_env
from stiction.learn.transfer import MujocoBatch


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--environments", type=int, default=1024)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=25)
    parser.add_argument("--wall", action="store_true")
    asked = parser.parse_args()
    n, clock = asked.environments, time.perf_counter if asked.wall else time.process_time
    name = "stiction/Quadruped-v0"
    envs = {"stiction": make_vector_env(name, n, threads=asked.threads)}
    for label, variant in (("mujoco.rollout default", "default"), ("mujoco.rollout noslip 10", "noslip10")):
        envs[label] = make_vector_env(name, n, batch=MujocoBatch(n, variant, asked.threads))
    actions = np.random.default_rng(0).uniform(-0.4, 0.4, (asked.steps, n, 12))
    rates: dict[str, list[float]] = {label: [] for label in envs}
    for _ in range(asked.rounds + 1):
        for label, env in envs.items():
            env.reset(seed=0)
            begin = clock()
            for action in actions:
                env.step(action)
            rates[label].append(n * asked.steps / (clock() - begin))
    ours = np.array(rates["stiction"][1:])
    print(
        f"{n} environments, {asked.threads} threads, {'wall-clock' if asked.wall else 'CPU'} time; four physics steps each"
    )
    for label, found in rates.items():
        ratio = ours / np.array(found[1:])
        print(f"{label:26} {np.median(found[1:]):9.0f} env steps/s   stiction / this {np.median(ratio):5.2f}"
              f" ({ratio.min():.2f} .. {ratio.max():.2f})")  # fmt: skip


if __name__ == "__main__":
    main()
