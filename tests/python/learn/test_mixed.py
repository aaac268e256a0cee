# SPDX-License-Identifier: BSD-2-Clause
"""Searches in which some environments are unlike the others. Oracle: the parts alone, bit for bit."""

import numpy as np
import pytest

import stiction as st

pytest.importorskip("gymnasium")
from stiction import learn
from stiction.gym import make_vector_env
from stiction.learn.mixed import MixedEnv

NAME = "stiction/Quadruped-v0"
SOFT = {"stiffness": 1e4, "damping": 300.0}


def parts():
    return [make_vector_env(NAME, n, threads=1, max_episode_steps=m, **o) for n, m, o in ((3, 5, {}), (2, 4, SOFT))]


def test_a_mixed_env_has_the_bits_of_its_parts():
    mixed, alone = MixedEnv(parts()), parts()
    seen, _ = mixed.reset(seed=[5, 6, 7, 8, 9])
    assert np.array_equal(seen, np.concatenate([alone[0].reset(seed=5)[0], alone[1].reset(seed=8)[0]]))
    random = np.random.default_rng(0)
    for k in range(7):
        actions = random.uniform(-1, 1, (5, 12))
        found = mixed.step(actions)
        steps = [alone[0].step(actions[:3]), alone[1].step(actions[3:])]
        for j in range(4):
            assert np.array_equal(found[j], np.concatenate([s[j] for s in steps]))
        cut = found[3]
        assert cut.tolist() == [k == 4] * 3 + [k == 3] * 2
        for i in np.flatnonzero(cut):
            last = steps[0][4]["final_obs"][i] if i < 3 else steps[1][4]["final_obs"][i - 3]
            assert np.array_equal(found[4]["final_obs"][i], last)


def test_soft_ground_is_soft():
    """A robot at rest sinks by its weight over four springs."""
    rigid, soft = (make_vector_env(NAME, 1, threads=1, **o) for o in ({}, SOFT))
    depths = []
    for env in (rigid, soft):
        env.reset(seed=0)
        for _ in range(150):
            env.step(np.zeros((1, 12)))
        feet = env.simulator(0)
        feet.step()
        depths.append(-feet.contacts()["gap"].mean())
    weight = 30.475396462 * 9.81
    assert abs(depths[0]) < 1e-4 and depths[1] == pytest.approx(weight / 4 / 1e4, rel=0.05)


def test_a_share_of_the_environments_for_each_entry(tmp_path):
    settings = learn.PPOSettings(environments=6, steps=8, hidden=(8,))
    policy = learn.train(NAME, tmp_path, iterations=1, settings=settings, threads=1, options={"stepping": 0.6},
                         trial=[{"delay": 1.0}, SOFT])  # fmt: skip
    assert policy.options == {"stepping": 0.6}, "what disturbs the search is not noted as the policy's"
    with pytest.raises(st.InvalidInput, match="6 environments cannot be shared equally by 4"):
        learn.train(NAME, tmp_path, iterations=1, settings=settings, trial=[{}] * 4)
    with pytest.raises(st.InvalidInput, match="shared equally by 0"):
        learn.train(NAME, tmp_path, iterations=1, settings=settings, trial=[])


def test_parts_that_do_not_fit_are_refused():
    with pytest.raises(st.InvalidInput, match="same observations and actions"):
        MixedEnv([make_vector_env(NAME, 1), make_vector_env("stiction/Hopper-v5", 1)])


def test_what_mujoco_does_not_have_is_refused():
    pytest.importorskip("mujoco")
    from stiction.learn.evaluate import vector_env_in

    with pytest.raises(st.InvalidInput, match="stiffness: not in MuJoCo"):
        vector_env_in("mujoco", NAME, 1, stiffness=1e4)
    with pytest.raises(st.InvalidInput, match="unknown engine 'mujco'"):
        vector_env_in("mujco", NAME, 1)
    env = vector_env_in("mujoco", NAME, 2, kp=50.0, mu=0.3, dt=4e-3)
    model = env.batch.model
    assert model.actuator_gainprm[0, 0] == 50.0 and model.geom_friction[0, 0] == 0.3 and model.opt.timestep == 4e-3
