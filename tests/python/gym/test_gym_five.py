# SPDX-License-Identifier: BSD-2-Clause
"""Gymnasium's five on this engine. Oracle: Gymnasium's environments, put into the same state: observation, reward, end."""

import numpy as np
import pytest

import stiction as st

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("mujoco")
import stiction.gym  # noqa: E402

FIVE = ["Hopper-v5", "Walker2d-v5", "HalfCheetah-v5", "Ant-v5", "Humanoid-v5"]
LINKS = 13  # of Ant and of Humanoid


def two(name, **options):
    return (
        stiction.gym.make_env(f"stiction/{name}", **options),
        gymnasium.make(name, **options).unwrapped,
    )


@pytest.mark.parametrize("name", FIVE)
def test_spaces_and_steps_are_the_same(name):
    ours, theirs = two(name)
    assert ours.observation_space.shape == theirs.observation_space.shape
    assert ours.action_space == theirs.action_space
    assert ours.task.control_dt == pytest.approx(theirs.dt, abs=1e-15)
    assert gymnasium.spec(f"stiction/{name}").max_episode_steps == gymnasium.spec(name).max_episode_steps
    assert ours.metadata["render_fps"] == theirs.metadata["render_fps"]


@pytest.mark.parametrize("name", FIVE)
def test_observation_reward_and_end_at_the_same_state(name):
    ours, theirs = two(name)
    ours.reset(seed=0)
    random = np.random.default_rng(0)
    low, high = ours.action_space.low, ours.action_space.high
    ends, touched = 0, 0.0
    for _ in range(50):
        action = random.uniform(1.2 * low, 1.2 * high)  # beyond the motors' range, too
        seen, reward, terminated, _, info = ours.step(action)
        theirs.data.ctrl[:] = np.clip(action, low, high)
        theirs.set_state(*st.convert.to_mujoco(ours.simulator, model=theirs.model))
        theirs.data.cfrc_ext[:] = 0.0
        if name in ("Ant-v5", "Humanoid-v5"):
            forces = ours.task.links.forces(*_present(ours))[0]
            touched = max(touched, np.abs(forces).max())
            theirs.data.cfrc_ext[1:] = forces
        if name == "Humanoid-v5":
            theirs.data.ctrl[:] = action  # its cost is that of data.ctrl
        wanted = theirs._get_obs()
        assert np.abs(seen - wanted).max() < 1e-11 * max(1.0, np.abs(wanted).max())
        gained, terms = theirs._get_rew(info["x_velocity"], action)
        assert reward == pytest.approx(gained, rel=1e-12, abs=1e-12)
        assert all(info[key] == pytest.approx(value, rel=1e-12, abs=1e-12) for key, value in terms.items())
        if name != "HalfCheetah-v5":
            assert terminated == (not theirs.is_healthy)
        if terminated:
            ends += 1
            ours.reset()
    assert ends > 0 or name in ("HalfCheetah-v5", "Ant-v5")
    assert touched > 10.0 or name not in ("Ant-v5", "Humanoid-v5")


def _present(env):
    which = np.arange(1)
    links, batch = env.task.links, env._many.batch
    return batch, which, links.of_all(links.centres(batch, which))


def test_speed_is_the_way_over_the_time():
    for name in ("Walker2d-v5", "Ant-v5", "Humanoid-v5"):
        env = stiction.gym.make_env(f"stiction/{name}")
        env.reset(seed=1)
        place = lambda env=env: (
            env.simulator.com()[:2] if env.task.file == "humanoid.xml" else env.simulator.q[:2].copy()
        )
        for _ in range(5):
            before = place()
            _, _, ended, _, info = env.step(env.action_space.high)
            assert info["x_velocity"] == pytest.approx((place() - before)[0] / env.task.control_dt, abs=1e-9)
            if ended:
                env.reset()


def test_links_that_share_a_body_feel_their_own_contacts():
    """Oracle: the contacts of the simulator, geom by geom."""
    for name in ("Ant-v5", "Humanoid-v5"):
        env = stiction.gym.make_env(f"stiction/{name}", terminate_when_unhealthy=False)
        env.reset(seed=2)
        random, shared = np.random.default_rng(3), 0.0
        for k in range(60):
            env.step(random.uniform(env.action_space.low, env.action_space.high))
            if k % 10:
                continue
            batch, which, middle = _present(env)
            found = env.task.links.forces(batch, which, middle)[0]
            wanted = {link.name: np.zeros(6) for link in env.task._found}
            owner = {geom: link.name for link in env.task._found for geom in link.geoms}
            sim = env.simulator
            names = [geom.name for geom in sim.geoms]
            for c in env._last_contacts:
                for geom, sign in ((c["geom_a"], -1.0), (c["geom_b"], 1.0)):
                    if names[geom] in owner:
                        force = sign * c["force"]
                        wanted[owner[names[geom]]] += np.r_[np.cross(c["point"] - middle[0], force), force]
            scale = max(1.0, max(np.abs(w).max() for w in wanted.values()))
            for link, wrench in zip(env.task.links.names, found, strict=True):
                assert np.abs(wrench - wanted[link]).max() < 1e-9 * scale, (name, link)
            carried = {link.name for link in env.task._found if link.apart and link.name != link.carrier}
            shared = max([shared, *(np.abs(wanted[link]).max() for link in carried)])
        assert name == "Ant-v5" or shared > 1.0, "no foot was touched"


@pytest.fixture(autouse=True)
def remember_contacts(monkeypatch):
    """Steps one simulator beside the environment, so that its contacts can be asked for."""
    step = stiction.gym.Env.step

    def both(env, action):
        sim = env.simulator
        sim.ctrl = np.asarray(action, float)
        out = step(env, action)
        sim.step(n=env.task.control_steps)
        assert np.array_equal(sim.q, env.simulator.q)
        env._last_contacts = sim.contacts()
        return out

    monkeypatch.setattr(stiction.gym.Env, "step", both)


def test_starts_are_drawn_as_documented():
    env = gymnasium.make_vec("stiction/Ant-v5", num_envs=400)
    env.reset(seed=0)
    q, v = env.unwrapped.batch.q, env.unwrapped.batch.v
    start = env.unwrapped.batch.simulator.q
    away = (q - start)[:, [0, 1, 2, *range(7, 15)]]
    assert np.abs(away).max() <= 0.1 and np.abs(away).max(axis=0).min() > 0.09
    assert np.allclose(np.linalg.norm(q[:, 3:7], axis=1), 1.0, atol=1e-14)
    assert np.allclose(v.std(axis=0), 0.1, rtol=0.2) and np.abs(v.mean(axis=0)).max() < 0.025
    hopper = gymnasium.make_vec("stiction/Hopper-v5", num_envs=400)
    hopper.reset(seed=0)
    assert 0.0049 < np.abs(hopper.unwrapped.batch.v).max() <= 0.005
