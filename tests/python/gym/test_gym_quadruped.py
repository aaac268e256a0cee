# SPDX-License-Identifier: BSD-2-Clause
"""Quadruped, humanoid and cube. Oracle: closed forms of the documented observation and reward, rays for the terrain."""

import numpy as np
import pytest

pytest.importorskip("gymnasium")
import stiction.gym
from stiction.gym.quadruped import COMMANDS, REACH
from stiction.gym.terrain import SAMPLES


def stepped(name="stiction/Quadruped-v0", steps=3, seed=4, **options):
    env = stiction.gym.make_env(name, **options)
    env.reset(seed=seed)
    random = np.random.default_rng(seed)
    for _ in range(steps):
        last = env.step(random.uniform(-0.5, 0.5, env.action_space.shape))
    return env, last


def rotation(q):
    x, y, z, w = q[3:7]
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def test_observation():
    env, (seen, _, _, _, _) = stepped(command=(0.4, 0.1, -0.2))
    sim = env.simulator
    names = sim.robots[0].joint_names
    posture = {"HAA": 0.03, "HFE": 0.4, "KFE": -0.8}
    sign = {"LF": (1, 1, 1), "RF": (-1, 1, 1), "LH": (1, -1, -1), "RH": (-1, -1, -1)}
    rest = np.array([posture[n[3:]] * sign[n[:2]][list(posture).index(n[3:])] for n in names])
    joints = sim.joints()
    wanted = np.r_[
        rotation(sim.q).T @ [0, 0, -1], sim.v[:6], [joints[n] for n in names] - rest, sim.v[6:], env.task.action[0],
        0.4, 0.1, -0.2, np.sin(2 * np.pi * 1.5 * 0.06), np.cos(2 * np.pi * 1.5 * 0.06),
    ]  # fmt: skip
    assert np.allclose(seen, wanted, atol=2e-6) and seen.dtype == np.float32
    target = rest + np.array([REACH[list(posture).index(n[3:])] for n in names]) * env.task.action[0]
    assert np.allclose(sim.pd_target, target, atol=1e-14)


def test_reward_and_its_terms():
    env, (_, reward, _, _, info) = stepped(command=(0.4, 0.1, -0.2))
    v = env.simulator.v
    assert info["reward_velocity"] == pytest.approx(np.exp(-((v[0] - 0.4) ** 2 + (v[1] - 0.1) ** 2) / 0.15), rel=1e-12)
    assert info["reward_turning"] == pytest.approx(0.5 * np.exp(-((v[5] + 0.2) ** 2) / 0.15), rel=1e-12)
    effort = 80.0 * (env.simulator.pd_target - [*env.simulator.joints().values()]) - 2.0 * v[6:]
    assert info["reward_effort"] == pytest.approx(-2e-5 * (effort**2).sum(), rel=1e-9)
    assert reward == pytest.approx(sum(x for name, x in info.items() if name.startswith("reward")), rel=1e-12)


@pytest.mark.parametrize(
    "name", ["stiction/Quadruped-v0", "stiction/QuadrupedRough-v0", "stiction/Humanoid-v0", "stiction/Cube-v0"]
)
def test_doing_nothing_ends_nothing(name):
    """Each robot keeps its posture for two seconds."""
    env = stiction.gym.make_env(name)
    env.reset(seed=0)
    for _ in range(100):
        _, _, terminated, _, info = env.step(np.zeros(env.action_space.shape))
        assert not terminated and not info["failed"]
    assert np.abs(env.simulator.v).max() < 0.3


def test_a_robot_on_its_back_is_down():
    env, _ = stepped()
    env._many.batch.q[0, 3:7] = [1.0, 0.0, 0.0, 0.0]
    assert env.step(np.zeros(12))[2]
    env.reset()
    env._many.batch.q[0, 2] = 0.25
    assert env.step(np.zeros(12))[2]


def test_commands_are_drawn_within_their_bounds():
    env = stiction.gym.make_vector_env("stiction/Quadruped-v0", 500)
    env.reset(seed=0)
    low, high = np.array(COMMANDS).T
    drawn = (env.task.command - low) / (high - low)
    assert drawn.min() >= 0 and drawn.max() <= 1 and drawn.min() < 0.01 and drawn.max() > 0.99
    assert np.abs(drawn.mean(axis=0) - 0.5).max() < 0.06


def test_stepping_lifts_diagonal_legs_in_turn():
    env = stiction.gym.make_env("stiction/Quadruped-v0", stepping=0.6, command=(0.0, 0.0, 0.0))
    env.reset(seed=0)
    lifted = []
    for _ in range(100):
        _, _, terminated, _, _ = env.step(np.zeros(12))
        assert not terminated
        angles = env.simulator.joints()
        lifted.append([abs(angles[f"{leg}_KFE"]) for leg in ("LF", "RH", "RF", "LH")])
    together = np.corrcoef(np.array(lifted)[30:].T)
    assert np.ptp(lifted, axis=0).min() > 0.2
    assert together[0, 1] > 0.95 and together[2, 3] > 0.95 and together[0, 2] < 0.4


def test_pushes_come_once_a_second_and_are_bounded():
    still, pushed = (
        stiction.gym.make_vector_env("stiction/Quadruped-v0", 40, pushes=p, command=(0, 0, 0)) for p in (0.0, 0.5)
    )
    for env in (still, pushed):
        env.reset(seed=0)
    for k in range(51):
        for env in (still, pushed):
            env.step(np.zeros((40, 12)))
        same = (still.batch.q == pushed.batch.q).all(axis=1)
        assert same.all() if k < 49 else 8 < same.sum() < 32, "in half of the episodes"
        if k == 48:
            before = pushed.batch.v.copy(), still.batch.v.copy()
    assert np.abs(before[0] - before[1]).max() == 0.0


def test_terrain_is_the_same_for_physics_and_observation():
    env, _ = stepped("stiction/QuadrupedRough-v0", steps=1)
    terrain, sim = env.task.terrain, env.simulator
    assert np.ptp(terrain.heights) > 0.05
    random = np.random.default_rng(0)
    cells = random.integers(0, 200, (60, 2))
    inside = 0.1 * (cells - 100)  # corners of cells: exact for any way to cut a cell in two
    for x, y in inside:
        hit = sim.cast_ray((x + 1e-9, y + 1e-9, 5.0), (0, 0, -1), ignore="base")
        if hit.body is None or hit.body.name not in sim.robots[0].body_names:
            assert terrain.height(np.array([x]), np.array([y]))[0] == pytest.approx(hit.point[2], abs=1e-6)
    seen = env.task.observe(np.arange(1))[0, 50:]
    q = sim.q
    yaw = np.arctan2(rotation(q)[1, 0], rotation(q)[0, 0])
    for (px, py), height in zip(SAMPLES, seen, strict=True):
        x, y = q[0] + np.cos(yaw) * px - np.sin(yaw) * py, q[1] + np.sin(yaw) * px + np.cos(yaw) * py
        assert height == pytest.approx(q[2] - terrain.height(np.array([x]), np.array([y]))[0], abs=1e-5)


def test_starts_on_the_terrain_do_not_overlap():
    env = stiction.gym.make_vector_env("stiction/QuadrupedRough-v0", 100)
    env.reset(seed=0)
    batch = env.batch
    assert np.ptp(batch.q[:, 0]) > 8 and np.ptp(batch.q[:, 1]) > 8
    report = batch.step()
    assert report.ok.all() and (report.contacts == 0).all()


def test_goals_of_the_cube():
    env = stiction.gym.make_env("stiction/Cube-v0", goal=0.5)
    env.reset(seed=0)
    yaw = env.task.yaw(np.arange(1))[0]
    _, _reward, _, _, info = env.step(np.zeros(6))
    assert info["angle_left"] == pytest.approx(0.5 - env.task.yaw(np.arange(1))[0], abs=1e-12)
    turned = env.task.yaw(np.arange(1))[0] - yaw
    assert info["reward_turned"] == pytest.approx(10.0 * turned, abs=1e-9) and info["goals_reached"] == 0
    env._many.batch.q[0, 5:7] = np.sin(0.25), np.cos(0.25)
    _, _, _, _, info = env.step(np.zeros(6))
    assert info["goals_reached"] == 1 and info["reward_reached"] == 5.0
    env._many.batch.q[0, 0] = 0.1
    assert env.step(np.zeros(6))[2], "out of reach"


def test_fingers_can_turn_the_cube():
    """One finger pushes at the side: friction turns the cube."""
    env = stiction.gym.make_env("stiction/Cube-v0", goal=1.0)
    env.reset(seed=0)
    before, most = env.task.yaw(np.arange(1))[0], 0.0
    for k in range(60):
        pinch = -0.9
        swing = min(1.0, k / 40.0)
        env.step(np.array([swing, pinch, 0.3, swing, pinch, 0.3]))
        most = max(most, abs(env.task.yaw(np.arange(1))[0] - before))
    assert most > 0.1
