# SPDX-License-Identifier: BSD-2-Clause
"""Networks and PPO. Oracles: central differences of the loss as the page writes it, advantages as their sum, a task whose best action is
known, interrupted searches against whole ones."""

import numpy as np
import pytest

import stiction as st

pytest.importorskip("gymnasium")
from gymnasium.spaces import Box
from gymnasium.vector import VectorEnv

from stiction import learn
from stiction.learn.network import Adam, Network


class Wanted(VectorEnv):
    """The reward is how near the action is to A o; episodes of ten steps, every fifth one is an end and the others are cut."""

    def __init__(self, n):
        self.num_envs = n
        self.single_observation_space, self.single_action_space = Box(-9, 9, (3,)), Box(-1, 1, (2,))
        self.best = np.array([[0.1, -0.2, 0.05], [0.0, 0.1, 0.1]])

    def _draw(self):
        self.seen = np.array([g.normal(1.0, 2.0, 3) for g in self.random])
        return self.seen

    def reset(self, *, seed=None, options=None):
        self.random, self.time = [np.random.default_rng(s) for s in seed], 0
        return self._draw(), {}

    def step(self, actions):
        off = actions - self.seen @ self.best.T
        self.time += 1
        cut = np.full(self.num_envs, self.time % 10 == 0)
        cut[::5] = False
        last = self._draw()
        return last, -(off**2).sum(axis=1), np.zeros(self.num_envs, bool), cut, {"final_obs": last}


def trainer(**settings):
    return learn.PPO(Wanted(20), learn.PPOSettings(environments=20, steps=10, hidden=(8,), **settings))


def differences(numbers, value, h):
    """The gradient of value() by numbers, by central differences."""
    found = np.zeros(len(numbers))
    for i in range(len(numbers)):
        kept = numbers[i]
        ends = []
        for side in (1.0, -1.0):
            numbers[i] = kept + side * h
            ends.append(value())
        numbers[i], found[i] = kept, (ends[0] - ends[1]) / (2.0 * h)
    return found


def in_double(network):
    """The same network in float64, so that differences are exact to 1e-9."""
    network.numbers = network.numbers.astype(float)
    network.layers = network._views(network.numbers)
    return network


def test_gradient_of_a_network_is_that_of_differences():
    random = np.random.default_rng(0)
    network = in_double(Network((3, 5, 4, 2), random))
    rows, weight = random.normal(size=(7, 3)), random.normal(size=(7, 2))
    found = network.backward(network.forward(rows), weight)
    wanted = differences(network.numbers, lambda: float((network.forward(rows)[-1] * weight).sum()), 1e-6)
    assert np.abs(found - wanted).max() < 1e-8 * max(1.0, np.abs(wanted).max())


def loss(search, part, old):
    """As in Schulman et al.: minus the clipped surrogate, half the squared error of V, minus the entropy."""
    s, sigma = search.settings, np.exp(search.spread)

    def log_density(action, mean, spread):
        return (-0.5 * ((action - mean) / np.exp(spread)) ** 2 - spread - 0.5 * np.log(2.0 * np.pi)).sum(axis=1)

    mean = search.actor.forward(part["rows"])[-1]
    ratio = np.exp(log_density(part["action"], mean, search.spread) - log_density(part["action"], part["mean"], old))
    surrogate = np.minimum(ratio * part["advantage"], np.clip(ratio, 1 - s.clip, 1 + s.clip) * part["advantage"])
    value = search.critic.forward(part["rows"])[-1][:, 0]
    entropy = (np.log(sigma) + 0.5 * np.log(2.0 * np.pi * np.e)).sum()
    return -surrogate.mean() + 0.5 * ((value - part["wanted"]) ** 2).mean() - s.entropy * entropy


def test_gradients_of_the_loss_are_those_of_differences():
    search, random = trainer(entropy=0.01), np.random.default_rng(1)
    in_double(search.actor), in_double(search.critic)
    search.spread = search.spread.astype(float)
    rows = random.normal(size=(40, 3))
    mean = search.actor.forward(rows)[-1] + 0.3 * random.normal(size=(40, 2))  # far enough for the clip to act on some
    old = search.spread + 0.1
    part = {"rows": rows, "mean": mean, "action": mean + np.exp(old) * random.normal(size=(40, 2)),
            "advantage": random.normal(size=40), "wanted": random.normal(size=40)}  # fmt: skip
    gradients, divergence = search.gradients(part, old)
    for numbers, found in gradients:
        wanted = differences(numbers, lambda: loss(search, part, old), 1e-6)
        assert np.abs(found - wanted).max() < 1e-6, np.abs(found - wanted).max()
    # of two normal distributions, by quadrature in one dimension: ∫ p log(p/q)
    grid = np.linspace(-12.0, 12.0, 4001)
    apart = 0.0
    now, after = search.actor.forward(rows)[-1], search.spread
    for k in range(2):
        for i in range(40):
            p, q = (np.exp(-0.5 * ((grid - m) / np.exp(d)) ** 2 - d) / np.sqrt(2.0 * np.pi)
                    for m, d in ((mean[i, k], old[k]), (now[i, k], after[k])))  # fmt: skip
            apart += (p * np.log(np.maximum(p, 1e-300) / np.maximum(q, 1e-300))).sum() * (grid[1] - grid[0]) / 40
    assert divergence == pytest.approx(apart, rel=1e-4)


def test_advantages_are_sums_of_temporal_differences():
    search, random = trainer(discount=0.9, trace=0.8), np.random.default_rng(2)
    made = {name: random.normal(size=(10, 20)) for name in ("reward", "value", "next")}
    made["ends"] = (random.random((10, 20)) < 0.2).astype(float)
    made["next"] *= made["ends"]  # V after a cut
    last = random.normal(size=20)
    found = search._advantages(made, last)
    for i in range(20):
        for t in range(10):
            total, weight = 0.0, 1.0
            for k in range(t, 10):
                end = made["ends"][k, i]
                after = made["next"][k, i] if end else (made["value"][k + 1, i] if k < 9 else last[i])
                total += weight * (made["reward"][k, i] + 0.9 * after - made["value"][k, i])
                if end:
                    break
                weight *= 0.9 * 0.8
            assert found[t, i] == pytest.approx(total, abs=1e-12)


def test_adam_finds_the_bottom_of_a_bowl():
    numbers, adam = np.array([3.0, -2.0], np.float32), Adam(2)
    for _ in range(400):
        adam.step(numbers, np.array([1.0, 10.0], np.float32) * numbers, 0.05)
    assert np.abs(numbers).max() < 1e-2


def test_search_finds_the_best_actions():
    search = trainer(rate=3e-3, deviation=0.3)
    returns = [search.iterate()["reward"] for _ in range(150)]
    rows = np.random.default_rng(5).normal(1.0, 2.0, (200, 3))
    off = np.abs(search.policy(rows) - np.clip(rows @ search.env.best.T, -1, 1))
    assert returns[-1] > 0.2 * returns[0] and off.mean() < 0.1, (returns[0], returns[-1], off.mean())


def test_the_policy_is_the_mean_of_the_search(tmp_path):
    search = trainer()
    search.iterate()
    rows = np.random.default_rng(6).normal(1.0, 2.0, (9, 3))
    policy = search.policy
    assert np.allclose(policy(rows), search.actor.forward(search._normal(rows))[-1], atol=1e-6)
    assert all(np.array_equal(policy(rows)[i], policy(rows[i])) for i in range(9))
    policy.save(tmp_path / "policy.json")
    assert np.array_equal(learn.load(tmp_path / "policy.json")(rows), policy(rows))


def test_a_search_that_was_interrupted_has_the_same_bits(tmp_path, monkeypatch):
    monkeypatch.setattr(learn.PPO, "fresh", 2)

    def run(folder, iterations, resume=False):
        return learn.train(
            "stiction/Quadruped-v0", folder, iterations=iterations, threads=1, resume=resume,
            settings=learn.PPOSettings(environments=6, steps=8, hidden=(8,)), options={"command": [0.5, 0, 0]},
        )  # fmt: skip

    whole = run(tmp_path / "whole", 6)
    run(tmp_path / "parts", 4)
    again = run(tmp_path / "parts", 6, resume=True)
    for (w, b), (w2, b2) in zip(whole.layers, again.layers, strict=True):
        assert np.array_equal(w, w2) and np.array_equal(b, b2)
    assert np.array_equal(whole.mean, again.mean) and not np.array_equal(whole.layers[0][0], 0.0 * whole.layers[0][0])
    assert {p.name for p in (tmp_path / "parts").iterdir()} == {"policy.json", "curve.json", "checkpoint.npz"}
    assert isinstance(learn.load(tmp_path / "parts" / "policy.json"), learn.NetworkPolicy)


def test_bad_settings():
    for wrong, words in (({"steps": 0}, "at least 1"), ({"discount": 1.5}, "discount"), ({"clip": 0.0}, "must be > 0"),
                         ({"environments": 1, "steps": 2}, "batches is 4")):  # fmt: skip
        with pytest.raises(st.InvalidInput, match=words):
            learn.PPOSettings(**wrong)
    with pytest.raises(st.InvalidInput, match="expected 256"):
        learn.PPO(Wanted(3), learn.PPOSettings())


def test_a_checkpoint_of_another_size_is_refused(tmp_path):
    trainer().save(tmp_path / "checkpoint.npz")
    other = learn.PPO(Wanted(20), learn.PPOSettings(environments=20, steps=10, hidden=(9,)))
    with pytest.raises(st.InvalidInput, match="another size"):
        other.restore(tmp_path / "checkpoint.npz")
