# SPDX-License-Identifier: BSD-2-Clause
"""All environments. Oracle: Gymnasium's own checker; one environment stepped alone against the same one among many, bit for bit."""

import copy
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

import stiction as st

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

import stiction.gym  # noqa: E402

NAMES = list(stiction.gym.ENVIRONMENTS)


def make(name, **options):
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # Humanoid-v0 and Humanoid-v5 are two robots, not two versions
        return gymnasium.make(name, **options).unwrapped


def make_many(name, n, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return gymnasium.make_vec(name, num_envs=n, **options)


def actions_of(env, n, random):
    space = env.single_action_space if hasattr(env, "single_action_space") else env.action_space
    return random.uniform(space.low, space.high, (n, *space.shape))


@pytest.mark.parametrize("name", NAMES)
def test_checker_has_nothing_to_say(name):
    env = make(name)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        check_env(env, skip_render_check=True)
    told = [
        str(w.message) for w in said if "infinity" not in str(w.message)
    ]  # unbounded observations, as Gymnasium's own five
    assert told == []


@pytest.mark.parametrize("name", NAMES)
def test_one_among_many_has_the_bits_of_one_alone(name):
    """Over the ends of episodes; threads play no part."""
    random = np.random.default_rng(1)
    many = make_many(name, 6, threads=2)
    alone = {i: make(name) for i in (0, 5)}
    seen, _ = many.reset(seed=7)
    for i, env in alone.items():
        assert np.array_equal(env.reset(seed=7 + i)[0], seen[i])
    ends = 0
    for _ in range(70):
        actions = actions_of(many, 6, random)
        seen, reward, terminated, truncated, told = many.step(actions)
        for i, env in alone.items():
            observation, gained, ended, _, info = env.step(actions[i])
            assert gained == reward[i] and ended == terminated[i]
            kept = told["final_info"] if ended else told
            assert all(kept[key][i] == value for key, value in info.items())
            if ended:
                assert np.array_equal(observation, told["final_obs"][i]) and told["_final_obs"][i]
                observation, _ = env.reset()
                ends += 1
            assert np.array_equal(observation, seen[i])
        assert not truncated.any()
    if name in ("stiction/Humanoid-v0", "stiction/Hopper-v5", "stiction/Walker2d-v5"):
        assert ends > 0, "nobody fell: the test does not see a reset"


@pytest.mark.parametrize("name", ["stiction/Quadruped-v0", "stiction/Ant-v5", "stiction/Humanoid-v0"])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_go_on_with_the_same_bits(name, copied):
    random = np.random.default_rng(2)
    for env, n in ((make_many(name, 4, max_episode_steps=12), 4), (make(name), None)):
        env.reset(seed=3)
        draw = lambda env=env, n=n: actions_of(env, n, random) if n else actions_of(env, 1, random)[0]
        for _ in range(9):
            env.step(draw())
        other = copied(env)
        for _ in range(9):
            action = draw()
            first, second = env.step(action), other.step(action)
            assert np.array_equal(first[0], second[0]) and np.array_equal(first[1], second[1])
            if n is None and first[2]:
                assert np.array_equal(env.reset()[0], other.reset()[0])


def test_seeds():
    env = gymnasium.make_vec("stiction/Quadruped-v0", num_envs=3)
    first, _ = env.reset(seed=5)
    second, _ = env.reset()
    assert not np.array_equal(first, second), "without a seed the streams go on"
    again, _ = env.reset(seed=5)
    assert np.array_equal(first, again) and len({row.tobytes() for row in first}) == 3
    listed, _ = env.reset(seed=[7, 6, 5])
    assert np.array_equal(listed, first[::-1][[0, 1, 2]])
    env.reset(seed=5)
    some, _ = env.reset(options={"reset_mask": np.array([False, True, False])})
    assert np.array_equal(some[[0, 2]], first[[0, 2]]) and not np.array_equal(some[1], first[1])


def test_the_end_of_an_episode_is_in_the_same_step():
    env = gymnasium.make_vec("stiction/HalfCheetah-v5", num_envs=3, max_episode_steps=4)
    assert env.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP
    env.reset(seed=0)
    env.reset(options={"reset_mask": np.array([True, False, False])})
    env.step(np.zeros((3, 6)))
    env.reset(options={"reset_mask": np.array([False, True, False])})
    for k in range(4):
        observation, _, terminated, truncated, told = env.step(np.full((3, 6), 0.1))
        assert truncated.tolist() == [k == 2, k == 3, k == 2] and not terminated.any()
    assert told["_final_obs"].tolist() == [False, True, False]
    assert not np.array_equal(told["final_obs"][1], observation[1])
    assert env.unwrapped.elapsed.tolist() == [1, 0, 1]


@pytest.mark.parametrize("name", ["stiction/Quadruped-v0", "stiction/Hopper-v5"])
def test_one_bad_action_among_1024_touches_no_other(name):
    healthy, harmed = (gymnasium.make_vec(name, num_envs=1024, threads=2) for _ in range(2))
    random = np.random.default_rng(0)
    for env in (healthy, harmed):
        env.reset(seed=1)
    actions = actions_of(healthy, 1024, random)
    for env in (healthy, harmed):
        env.step(actions)
    bad = actions.copy()
    bad[613, 1] = np.nan
    first, second = healthy.step(actions), harmed.step(bad)
    assert np.flatnonzero(second[4]["failed"]).tolist() == [613]
    assert second[2][613] and second[1][613] == 0.0 and np.isfinite(second[0]).all()
    assert np.isfinite(second[4]["final_obs"][613]).all()
    others = np.arange(1024) != 613
    for a, b in zip(first[:4], second[:4], strict=True):
        assert np.array_equal(a[others], b[others])


def test_a_deep_overlap_is_its_own():
    healthy, harmed = (gymnasium.make_vec("stiction/Quadruped-v0", num_envs=64) for _ in range(2))
    for env in (healthy, harmed):
        env.reset(seed=1)
    harmed.unwrapped.batch.q[17, 2] -= 0.4
    first, second = healthy.step(np.zeros((64, 12))), harmed.step(np.zeros((64, 12)))
    assert np.isfinite(second[0]).all() and second[2][17] and second[2].sum() == 1
    others = np.arange(64) != 17
    for a, b in zip(first[:4], second[:4], strict=True):
        assert np.array_equal(a[others], b[others])


def test_pictures():
    env = make("stiction/Quadruped-v0", render_mode="rgb_array", width=64, height=48)
    env.reset(seed=0)
    first = env.render()
    assert first.shape == (48, 64, 3) and first.dtype == np.uint8 and first.std() > 5
    for _ in range(20):
        env.step(np.ones(12))
    assert not np.array_equal(first, env.render())
    many = gymnasium.make_vec("stiction/Quadruped-v0", num_envs=2, render_mode="rgb_array", width=64, height=48)
    many.reset(seed=0)
    assert [picture.shape for picture in many.render()] == [(48, 64, 3)] * 2


def test_the_browser_follows(capsys):
    pytest.importorskip("viser")
    env = make("stiction/Hopper-v5", render_mode="human")
    env.reset(seed=0)
    for _ in range(3):
        env.step(np.zeros(3))
    assert "http://127.0.0.1:" in capsys.readouterr().out
    assert len(env._window._frames) >= 4
    env.close()


ENV = "stiction/Quadruped-v0"
WRONG = {
    "shape of an action": (lambda: _ready(make(ENV)).step(np.zeros(11)), "action has shape (11,), expected (12,)"),
    "no number": (lambda: _ready(make(ENV)).step(np.full(12, np.nan)), "action[0] is not a finite number"),
    "shape of actions": (
        lambda: _ready(gymnasium.make_vec(ENV, num_envs=2)).step(np.zeros((3, 12))),
        "actions have shape (3, 12), expected (2, 12)",
    ),
    "words": (lambda: _ready(gymnasium.make_vec(ENV, num_envs=2)).step("go"), "actions cannot be read as numbers"),
    "option": (lambda: stiction.gym.make_env(ENV, speed=1.0), "unexpected keyword argument 'speed'"),
    "name": (lambda: stiction.gym.make_env("stiction/Quadrupd-v0"), "did you mean 'stiction/Quadruped-v0'"),
    "command": (lambda: stiction.gym.make_env(ENV, command=(1.0, np.nan, 0.0)), "command is"),
    "stepping": (lambda: stiction.gym.make_env(ENV, stepping=2.0), "stepping is 2.0, expected 0 to 1"),
    "roughness": (lambda: stiction.gym.make_env("stiction/QuadrupedRough-v0", roughness=-1.0), "roughness is -1.0"),
    "goal": (lambda: stiction.gym.make_env("stiction/Cube-v0", goal=np.inf), "goal is inf"),
    "speed": (lambda: stiction.gym.make_env("stiction/Humanoid-v0", speed=np.nan), "speed is nan"),
    "render_mode": (lambda: stiction.gym.make_env(ENV, render_mode="depth"), "render_mode is 'depth'"),
    "frame_skip": (lambda: stiction.gym.make_env("stiction/Ant-v5", frame_skip=0), "frame_skip is 0"),
    "softness": (lambda: stiction.gym.make_env("stiction/Ant-v5", softness="hard"), "softness is 'hard'"),
    "number": (lambda: stiction.gym.make_vector_env(ENV, 0), "num_envs is 0"),
    "limit": (lambda: stiction.gym.make_vector_env(ENV, 1, max_episode_steps=0), "max_episode_steps is 0"),
    "seeds": (lambda: gymnasium.make_vec(ENV, num_envs=2).reset(seed=[1]), "seed has 1 entries"),
    "mask": (lambda: gymnasium.make_vec(ENV, num_envs=2).reset(options={"reset_mask": [1, 0]}), "expected 2 bools"),
}  # fmt: skip


def _ready(env):
    env.reset(seed=0)
    return env


@pytest.mark.parametrize("case", WRONG)
def test_bad_input_is_a_sentence(case):
    call, words = WRONG[case]
    with pytest.raises(st.InvalidInput) as refused:
        call()
    assert words in str(refused.value)


def test_a_refused_action_changes_nothing():
    env = _ready(gymnasium.make_vec(ENV, num_envs=2))
    before = env.unwrapped.batch.hash()
    for wrong in (np.zeros((3, 12)), "go", np.zeros(12)):
        with pytest.raises(ValueError):
            env.step(wrong)
    assert env.unwrapped.batch.hash() == before and env.unwrapped.elapsed.tolist() == [0, 0]


def test_without_gymnasium_there_is_a_sentence():
    code = "import sys; sys.modules['gymnasium'] = None\nimport stiction.gym"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "ImportError: stiction.gym needs Gymnasium" in done.stderr and "pip install 'stiction[learn]'" in done.stderr


def test_step_before_reset():
    for env in (make(ENV), gymnasium.make_vec(ENV, num_envs=1)):
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(np.zeros(env.action_space.shape))
