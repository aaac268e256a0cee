# SPDX-License-Identifier: BSD-2-Clause
"""Gymnasium's five, learned by one trainer with one budget in both engines: returns of each seed, here and in the other engine.

    python bench/learning_five.py [--environments Hopper HalfCheetah] [--seeds 3] [--steps 200000] [--results five.json]

PPO of stiction.learn with one set of settings for all. A trained policy is measured without noise: mean return of 20 episodes, of 1000
steps or until they end, in the engine that it was trained in and in the other one. Results are kept: what is there is not run again.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from stiction import learn
from stiction.gym import make_vector_env
from stiction.output.files import write_text

FIVE = ("Hopper", "HalfCheetah", "Walker2d", "Ant", "Humanoid")
ENGINES = ("stiction", "mujoco")
SIDE_BY_SIDE, ROLLOUT, EPISODES, SEED_OF_EPISODES = 16, 128, 20, 100_000


def make(engine: str, name: str, n: int) -> Any:
    if engine == "stiction":
        return make_vector_env(f"stiction/{name}-v5", n, threads=1, max_episode_steps=1000)
    kept = {"autoreset_mode": AutoresetMode.SAME_STEP}
    return gymnasium.make_vec(f"{name}-v5", num_envs=n, vectorization_mode="sync", vector_kwargs=kept)


def episodes(env: Any, policy: Callable[[Any], Any]) -> np.ndarray:
    """The return of one episode per environment."""
    n = env.num_envs
    observation, _ = env.reset(seed=[SEED_OF_EPISODES + i for i in range(n)])
    total, going = np.zeros(n), np.ones(n, bool)
    low, high = env.single_action_space.low, env.single_action_space.high
    while going.any():
        observation, reward, ended, cut, _ = env.step(np.clip(policy(observation), low, high))
        total += np.where(going, reward, 0.0)
        going &= ~(ended | cut)
    return total


def one_run(name: str, engine: str, seed: int, steps: int) -> dict[str, Any]:
    settings = learn.PPOSettings(
        environments=SIDE_BY_SIDE, steps=ROLLOUT, seed=seed, hidden=(32, 32), deviation=0.5, divergence=0.02
    )
    search = learn.PPO(make(engine, name, SIDE_BY_SIDE), settings)
    begin = time.process_time()
    curve = []
    while search.frames < steps:
        curve.append(round(search.iterate()["mean"], 1))
    spent = time.process_time() - begin
    found = {f"in_{e}": float(episodes(make(e, name, EPISODES), search.policy).mean()) for e in ENGINES}
    return {"environment": name, "engine": engine, "seed": seed, "steps": steps, "cpu_seconds": spent,
            "curve": curve[:: max(1, len(curve) // 20)], **found}  # fmt: skip


def table(rows: list[dict[str, Any]]) -> None:
    print(
        f"{'environment':12} {'trained in':10} {'CPU s':>7}   returns in the same engine (each seed)       in the other engine"
    )
    for name in FIVE:
        for engine, other in (ENGINES, ENGINES[::-1]):
            found = [r for r in rows if r["environment"] == name and r["engine"] == engine]
            if found:
                own, theirs = ([r[f"in_{e}"] for r in found] for e in (engine, other))
                spent = np.mean([r["cpu_seconds"] for r in found])
                print(f"{name:12} {engine:10} {spent:7.0f}   {np.mean(own):7.0f} ({', '.join(f'{x:.0f}' for x in own)})"
                      f"          {np.mean(theirs):7.0f} ({', '.join(f'{x:.0f}' for x in theirs)})")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--environments", nargs="+", default=list(FIVE), choices=FIVE)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=200_000)
    parser.add_argument("--results", type=Path, default=Path("five.json"))
    asked = parser.parse_args()
    rows = json.loads(asked.results.read_text(encoding="utf-8")) if asked.results.exists() else []
    there = {(r["environment"], r["engine"], r["seed"], r["steps"]) for r in rows}
    for name in asked.environments:
        for seed in range(asked.seeds):
            for engine in ENGINES:
                if (name, engine, seed, asked.steps) not in there:
                    rows.append(one_run(name, engine, seed, asked.steps))
                    write_text(asked.results, json.dumps(rows, indent=1))
    table([r for r in rows if r["steps"] == asked.steps])


if __name__ == "__main__":
    main()
