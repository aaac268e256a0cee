# SPDX-License-Identifier: BSD-2-Clause
"""Memory of a VectorEnv does not grow. Oracle: resident memory of a process that steps one through thousands of episodes."""

import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("gymnasium")

CODE = """
    import numpy as np
    import gymnasium, stiction.gym
    resident = lambda: 4096 * int(open("/proc/self/statm").read().split()[1])
    n, steps, name = ENVIRONMENTS, STEPS, NAME
    env = gymnasium.make_vec(name, num_envs=n, max_episode_steps=50)
    env.reset(seed=0)
    random = np.random.default_rng(0)
    low, high = env.single_action_space.low, env.single_action_space.high
    actions = random.uniform(low, high, (16, n, len(low)))
    for k in range(steps // 4):
        env.step(actions[k % 16])
    before = resident()
    for k in range(steps):
        env.step(actions[k % 16])
    print(resident() - before)
    """


def growth(name, environments, steps):
    code = textwrap.dedent(CODE).replace("ENVIRONMENTS", str(environments)).replace("STEPS", str(steps))
    done = subprocess.run(
        [sys.executable, "-c", code.replace("NAME", repr(name))], capture_output=True, text=True, check=True
    )
    return float(done.stdout.split()[-1])


@pytest.mark.parametrize("name", ["stiction/Quadruped-v0", "stiction/Hopper-v5"])
def test_no_growth(name):
    """40 000 physics steps, 1280 episodes."""
    assert growth(name, 64, 160) < 2e6


@pytest.mark.full
def test_no_growth_over_a_million_steps():
    """1e6 physics steps of 1024 environments: 976 each."""
    assert growth("stiction/Quadruped-v0", 1024, 244) < 8e6
