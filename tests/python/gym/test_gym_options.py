# SPDX-License-Identifier: BSD-2-Clause
"""What makes the quadruped's task harder or gentler. Oracle: the same episode without the option, and closed forms."""

import copy
import pickle

import numpy as np
import pytest

import stiction as st

pytest.importorskip("gymnasium")
from stiction.gym import make_vector_env

NAME, N = "stiction/Quadruped-v0", 30
STILL = {"command": (0.4, 0.0, 0.0)}


def episode(steps=6, n=N, scale=0.3, **options):
    """The environment and (observations, rewards) of every step, the same actions for all options."""
    env = make_vector_env(NAME, n, threads=1, **STILL, **options)
    seen, rewards = [env.reset(seed=0)[0]], []
    random = np.random.default_rng(0)
    for _ in range(steps):
        observation, reward, *_ = env.step(scale * random.uniform(-1, 1, (n, 12)))
        seen.append(observation)
        rewards.append(reward)
    return env, np.array(seen, float), np.array(rewards)


def test_delay_shows_the_past():
    env, late, rewards = episode(delay=1.0)
    _, now, same = episode()
    age = env.task.late
    assert np.array_equal(rewards, same), "what is sensed changes, not what happens"
    assert age.min() >= 0 and age.max() <= 1 and np.ptp(age) > 0.7
    for k in range(1, len(now)):
        wanted = (1.0 - age) * now[k, :, :33] + age * now[k - 1, :, :33]
        assert np.allclose(late[k, :, :33], wanted, atol=1e-5)
        assert np.array_equal(late[k, :, 33:], now[k, :, 33:]), "its own actions and the clock are not late"
    assert np.array_equal(late[0], now[0]) and np.abs(late[3] - now[3]).max() > 1e-2
    env.reset(seed=0)
    assert np.array_equal(env.task.late, age), "of the seed"


def test_smooth_is_a_low_pass():
    env, _, _ = episode(n=2, steps=0, smooth=0.75)
    one = np.ones((2, 12))
    for k in range(1, 5):
        env.step(one)
        assert np.allclose(env.task._target() - env.task.posture, env.task.reach * (1.0 - 0.75**k), atol=1e-14)
    plain, _, _ = episode(n=2, steps=0)
    plain.step(one)
    assert np.allclose(plain.task._target(), plain.task.posture + plain.task.reach, atol=1e-14)
    env.reset(seed=1)
    assert np.array_equal(env.task.offset, np.zeros((2, 12)))


def test_rush_and_tolerance_are_those_of_the_reward():
    _, _, plain = episode(steps=3)
    env, _, found = episode(steps=3, rush=0.5, tolerance=0.03)
    v, task = env.batch.v, env.task
    off, turned = ((v[:, :2] - [0.4, 0.0]) ** 2).sum(axis=1), v[:, 5] ** 2
    moved = ((task.action - task.before) ** 2).sum(axis=1)
    change = np.exp(-off / 0.03) - np.exp(-off / 0.15) + 0.5 * (np.exp(-turned / 0.03) - np.exp(-turned / 0.15))
    assert np.allclose(found[-1] - plain[-1], change - (0.5 - 0.01) * moved, atol=1e-12)


def test_randomised_gains_are_those_of_the_motors():
    """An environment has the bits of a simulator that was given its friction, mass and gains."""
    env, _, _ = episode(steps=0, randomise=True)
    kp, kd = env.task.gains
    assert 64 <= kp.min() < 68 and 92 < kp.max() <= 96 and 1.6 <= kd.min() < 1.7 and 2.3 < kd.max() <= 2.4
    assert np.ptp(kp, axis=1).max() == 0.0 and abs(np.corrcoef(kp[:, 0], kd[:, 0])[0, 1]) < 0.6
    alone = env.simulator(7)  # a copy with the environment's parameters
    alone.set_pd(kp[7], kd[7])
    env.step(np.zeros((N, 12)))
    for _ in range(4):
        alone.step(target=env.task.posture)
    assert np.array_equal(alone.q, env.batch.q[7]) and np.array_equal(alone.v, env.batch.v[7])


@pytest.mark.parametrize("dt, steps", [(5e-3, 4), (4e-3, 5), (1e-3, 20), (3e-3, 7)])
def test_actions_come_every_20_ms(dt, steps):
    task = make_vector_env(NAME, 1, dt=dt).task
    assert task.control_steps == steps and task.control_dt == pytest.approx(0.02, abs=1.01e-3)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_go_on_with_the_same_bits(copied):
    env, _, _ = episode(n=4, steps=3, delay=0.7, smooth=0.5, randomise=True, noise=0.2, pushes=0.3)
    other = copied(env)
    for _ in range(3):
        a, b = (e.step(np.full((4, 12), 0.1)) for e in (env, other))
        assert np.array_equal(a[0], b[0]) and np.array_equal(a[1], b[1])


@pytest.mark.parametrize("name, value", [("delay", 1.5), ("smooth", 1.0), ("rush", -1.0), ("tolerance", 0.0), ("delay", np.nan), ("dt", 0.0), ("dt", 0.1),
                                         ("tolerance", np.nan)])  # fmt: skip
def test_bad_options(name, value):
    with pytest.raises(st.InvalidInput, match=f"{name} is {value}, expected"):
        make_vector_env(NAME, 1, **{name: value})
