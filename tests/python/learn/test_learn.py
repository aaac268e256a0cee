# SPDX-License-Identifier: BSD-2-Clause
"""Policies and their training. Oracle: a task whose best linear policy is known; interrupted searches against whole ones; the shipped
policy on starts that it has not seen, here and in MuJoCo."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import stiction as st
from repository import ROOT

pytest.importorskip("gymnasium")
from gymnasium.spaces import Box
from gymnasium.vector import VectorEnv

from stiction import learn

TROT = ROOT / "models" / "trot.json"


class Wanted(VectorEnv):
    """The reward is how near the action is to A o: the best linear policy is A."""

    def __init__(self, n):
        self.num_envs = n
        self.single_observation_space, self.single_action_space = Box(-9, 9, (3,)), Box(-9, 9, (2,))
        self.best = np.array([[1.0, -2.0, 0.5], [0.0, 1.0, 1.0]])

    def _draw(self):
        self.seen = np.array([g.normal(1.0, 2.0, 3) for g in self.random])
        return self.seen

    def reset(self, *, seed=None, options=None):
        self.random = [np.random.default_rng(s) for s in seed]
        return self._draw(), {}

    def step(self, actions):
        off = actions - self.seen @ self.best.T
        no = np.zeros(self.num_envs, bool)
        return self._draw(), -(off**2).sum(axis=1), no, no, {}


def test_search_finds_the_best_linear_policy():
    settings = learn.Settings(directions=16, best=8, step=0.3, noise=0.05, steps=20)
    search = learn.ARS(Wanted(32), settings)
    returns = [search.iterate()["mean"] for _ in range(150)]
    policy = search.policy
    effective = policy.weights / policy.deviation
    assert returns[-1] > 0.2 * returns[0] and np.abs(effective - search.env.best).max() < 0.4
    assert np.allclose(policy.mean, 1.0, atol=0.1) and np.allclose(policy.deviation, 2.0, atol=0.1)


def test_a_search_that_was_interrupted_has_the_same_bits(tmp_path):
    def run(folder, iterations, resume=False):
        return learn.train(
            "stiction/Quadruped-v0", folder, iterations=iterations, threads=1, resume=resume,
            settings=learn.Settings(directions=4, best=2, steps=8), options={"command": [0.5, 0, 0], "stepping": 0.6},
        )  # fmt: skip

    whole = run(tmp_path / "whole", 20)
    run(tmp_path / "parts", 10)
    again = run(tmp_path / "parts", 20, resume=True)
    assert np.array_equal(whole.weights, again.weights) and np.array_equal(whole.mean, again.mean)
    assert len(json.loads((tmp_path / "parts" / "curve.json").read_text())) == 20
    read = learn.LinearPolicy.load(tmp_path / "parts" / "policy.json")
    assert np.array_equal(read.weights, again.weights) and read.options == {"command": [0.5, 0, 0], "stepping": 0.6}
    learn.plot_curve(tmp_path / "parts", tmp_path / "curve.png")
    assert (tmp_path / "curve.png").stat().st_size > 1000


def test_trainer_is_short():
    lines = (ROOT / "python" / "stiction" / "learn" / "ars.py").read_text().splitlines()
    assert len(lines) <= 150


def linear():
    """A linear policy of the size of the quadruped's."""
    random = np.random.default_rng(7)
    return learn.LinearPolicy(random.normal(size=(12, 50)), random.normal(size=50), random.uniform(0.5, 2.0, 50), "x")


@pytest.mark.parametrize("policy", [linear(), learn.load(TROT)], ids=["linear", "network"])
def test_rows_of_actions_do_not_depend_on_each_other(policy):
    seen = np.random.default_rng(0).normal(size=(7, 50))
    assert all(np.array_equal(policy(seen)[i], policy(seen[i])) for i in range(7))


BROKEN = {
    "no JSON": (lambda f: "{", "cannot be read"),
    "another format": (lambda f: json.dumps({**f, "format": "x"}), "has the format 'x'"),
    "missing": (lambda f: json.dumps({k: v for k, v in f.items() if k != "mean"}), "cannot be read"),
    "shapes": (lambda f: json.dumps({**f, "mean": f["mean"][1:]}), "do not fit"),
    "NaN": (lambda f: json.dumps({**f, "mean": [float("nan"), *f["mean"][1:]]}), "not finite"),
    "deviation": (lambda f: json.dumps({**f, "deviation": [0.0, *f["deviation"][1:]]}), "not positive"),
}
BROKEN_LAYERS = {
    "no layers": (lambda f: json.dumps({**f, "layers": []}), "do not fit"),
    "a layer less": (lambda f: json.dumps({**f, "layers": f["layers"][1:]}), "do not fit"),
    "half a layer": (lambda f: json.dumps({**f, "layers": [f["layers"][0][:1]]}), "cannot be read"),
    "too large": (
        lambda f: json.dumps({**f, "layers": [[f["layers"][0][0], [1e99] * 32], *f["layers"][1:]]}),
        "not finite",
    ),
}


@pytest.mark.parametrize("kind", ["linear", "network"])
@pytest.mark.parametrize("case", BROKEN)
def test_damaged_files_are_refused(case, kind, tmp_path):
    path = tmp_path / "policy.json"
    (linear() if kind == "linear" else learn.load(TROT)).save(path)
    change, words = BROKEN[case]
    path.write_text(change(json.loads(path.read_text())))
    with pytest.raises(st.InvalidInput, match=words):
        learn.load(path)


@pytest.mark.parametrize("case", BROKEN_LAYERS)
def test_damaged_networks_are_refused(case, tmp_path):
    change, words = BROKEN_LAYERS[case]
    path = tmp_path / "policy.json"
    path.write_text(change(json.loads(TROT.read_text())))
    with pytest.raises(st.InvalidInput, match=words):
        learn.load(path)


def test_policies_of_another_kind_and_missing_ones(tmp_path):
    with pytest.raises(st.InvalidInput, match="is a network, expected a linear one"):
        learn.LinearPolicy.load(TROT)
    with pytest.raises(FileNotFoundError, match="does not exist"):
        learn.load(tmp_path / "none.json")
    policy = linear()
    policy.save(tmp_path / "policy.json")
    read = learn.LinearPolicy.load(tmp_path / "policy.json")
    assert np.array_equal(read.weights, policy.weights) and np.array_equal(read.deviation, policy.deviation)


def test_bad_settings():
    with pytest.raises(st.InvalidInput, match="best is 9"):
        learn.Settings(directions=8, best=9)
    with pytest.raises(st.InvalidInput, match="expected 128"):
        learn.ARS(Wanted(3), learn.Settings())


ENGINES = ["stiction", "mujoco", "mujoco noslip"]


@pytest.mark.parametrize("engine", ENGINES)
def test_the_shipped_policy_walks(engine):
    """Four of the 20 starts of the bar, five seconds; all of them for 20 s with --full. In MuJoCo it has never been before."""
    if engine != "stiction":
        pytest.importorskip("mujoco")
    walks = learn.evaluate(learn.load(TROT), range(1000, 1004), 5.0, threads=1, engine=engine)
    assert all(walk.follows(0.5) for walk in walks), walks


@pytest.mark.full
@pytest.mark.parametrize("engine", ENGINES)
def test_the_shipped_policy_walks_for_20_seconds(engine):
    """Bars: 20 of 20 follow here, 18 of 20 are upright in MuJoCo."""
    if engine != "stiction":
        pytest.importorskip("mujoco")
    walks = learn.evaluate(learn.load(TROT), range(1000, 1020), 20.0, engine=engine)
    assert sum(walk.follows(0.5) for walk in walks) == 20, walks


def test_the_shipped_policy_stands_what_it_was_not_trained_on():
    """Steps of another length, three laws, softness, late and noisy sensors; what breaks a policy is seen to break it."""
    runs = learn.stress(learn.load(TROT), range(3), 3.0, threads=1)
    assert len(runs) == 12 and all(not walk.fell for walks in runs.values() for walk in walks), runs
    weak = {"no motors": {"kp": 5.0}, "as trained": {}}
    runs = learn.stress(learn.load(TROT), range(3), 2.0, variants=weak, threads=1)
    assert all(walk.fell for walk in runs["no motors"]) and not any(walk.fell for walk in runs["as trained"])


def test_one_run_is_the_same_alone():
    policy = learn.load(TROT)
    many = learn.evaluate(policy, range(1000, 1003), 1.0)
    assert learn.evaluate(policy, [1002], 1.0) == many[2:]


def test_replay_is_a_source_and_a_film(tmp_path):
    seen = learn.replay(TROT, 0.4)
    assert len(seen) == 21 and seen.frame(20).time == pytest.approx(0.4) and seen.title == "stiction/Quadruped-v0"
    assert seen.frame(0).poses.shape == (13, 7) and not np.array_equal(seen.frame(0).poses, seen.frame(20).poses)
    path = st.render.film(seen, tmp_path / "trot.gif", size=(64, 48), fps=10.0)
    assert path.stat().st_size > 500


def test_view_shows_a_policy(tmp_path):
    pytest.importorskip("viser")
    page = tmp_path / "trot.html"
    done = subprocess.run(
        [sys.executable, "-m", "stiction.cli", "view", str(TROT), "--export", str(page), "--duration", "0.5"],
        capture_output=True, text=True, check=False, env=dict(os.environ),
    )  # fmt: skip
    assert done.returncode == 0 and page.stat().st_size > 1e5, done.stderr


def test_the_example_runs(tmp_path):
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "learn_to_trot.py"), "--iterations", "1", "--folder", str(tmp_path / "trot"),
         "--runs", "2", "--seconds", "0.4"],
        capture_output=True, text=True, check=False, env=dict(os.environ),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "stiction: 2 runs of 0.4 s: " in done.stdout
    assert {p.name for p in (tmp_path / "trot").iterdir()} == {
        "checkpoint.npz",
        "curve.json",
        "curve.png",
        "policy.json",
        "trot.gif",
    }


# ---- the same robot in MuJoCo --------------------------------------------------------------------------------------------


def test_states_in_mujoco_are_ours():
    """Oracle: st.convert, and one step without contact in both engines."""
    mujoco = pytest.importorskip("mujoco")
    from stiction.gym.environments import Environments
    from stiction.gym.quadruped import Quadruped
    from stiction.learn.transfer import MujocoBatch

    batch = MujocoBatch(3)
    many = Environments(Quadruped(command=(0.5, 0, 0)), 3, 1, batch)
    many.reset(many.all, [1, 2, 3])
    batch.q[:, 2] += 2.0  # far from the ground
    ours = st.BatchSimulator(Quadruped().simulator(), 3, 1)
    ours.q, ours.v = batch.q, batch.v
    target = np.array(batch.simulator.pd_target) + 0.1
    sim = batch.simulator
    sim.q, sim.v = batch.q[0], batch.v[0]
    data = mujoco.MjData(batch.model)
    qpos, qvel = st.convert.to_mujoco(sim, model=batch.model)
    states = batch._states(np.arange(3))
    assert np.allclose(states[0], np.r_[0.0, qpos, qvel], atol=1e-12)
    del data
    for _ in range(20):
        ours.step(target=target)
        batch.step(target=np.tile(target, (3, 1)), n=1)
    # both are of first order, ours turns free bases by their closed form
    assert np.abs(ours.q - batch.q).max() < 2e-3 and np.abs(ours.v - batch.v).max() < 0.1
    failed = batch.step(target=np.full((3, 12), np.nan), n=1).failed
    assert failed.all()
