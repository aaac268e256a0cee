# SPDX-License-Identifier: BSD-2-Clause
"""Proximal policy optimisation (Schulman et al. 2017) with generalised advantages (Schulman et al. 2016), NumPy alone.

    a ~ N(μ(o), σ²),   δ_t = r_t + γ V(o_{t+1}) − V(o_t),   A_t = δ_t + γ λ A_{t+1}
    maximise  min(ρ A, clip(ρ, 1 ± ε) A),   ρ = π(a|o) / π_old(a|o),   and fit V to A + V_old

Rewards are divided by the deviation of their discounted sums so far, advantages are normalised per rollout. The rate of Adam follows the
divergence of the old from the new policy: by 1.5 down where it is above twice `divergence`, up where below half of it. Where an episode
is cut by time, V of its last observation goes on.
It fails where the first random actions never meet a reward, and where σ shrinks before it has.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .._core import InvalidInput
from ..output.arguments import named
from ..output.files import whole_file
from .network import Adam, Network, Numbers
from .network_policy import NetworkPolicy
from .seen import Seen


@dataclass(frozen=True)
class PPOSettings:
    environments: int = 256
    steps: int = 32  # control steps between improvements
    epochs: int = 4
    batches: int = 4
    hidden: tuple[int, ...] = (64, 64)
    discount: float = 0.99  # γ
    trace: float = 0.95  # λ
    clip: float = 0.2  # ε
    rate: float = 1e-3  # of Adam, at the start
    divergence: float = 0.01
    entropy: float = 0.0
    deviation: float = 0.5  # σ at the start
    seed: int = 0

    def __post_init__(self) -> None:
        if min(self.environments, self.steps, self.epochs, self.batches, *self.hidden) < 1:
            raise InvalidInput("environments, steps, epochs, batches and hidden must be at least 1")
        if self.environments * self.steps < self.batches:
            raise InvalidInput(f"batches is {self.batches}, expected at most environments times steps")
        if not (0.0 < self.discount <= 1.0 and 0.0 <= self.trace <= 1.0):
            raise InvalidInput("discount must be in (0, 1], trace in [0, 1]")
        if not min(self.clip, self.rate, self.divergence, self.deviation) > 0.0 or not self.entropy >= 0.0:
            raise InvalidInput("clip, rate, divergence and deviation must be > 0, entropy >= 0")


class PPO:
    """The search; env is a gymnasium VectorEnv of `settings.environments` environments that restarts episodes in the same step.

    Parameters
    ----------
    env
        A gymnasium VectorEnv of settings.environments environments.
    settings
        Of the search.
    environment
        Name that is noted in the policy.
    options
        Of the environment, noted in the policy.
    """

    fresh = 50  # iterations between new starts of all environments, and between checkpoints

    @named
    def __init__(
        self, env: Any, settings: PPOSettings, environment: str = "", options: dict[str, Any] | None = None
    ) -> None:
        if env.num_envs != settings.environments:
            raise InvalidInput(f"the VectorEnv has {env.num_envs} environments, expected {settings.environments}")
        self.env, self.settings = env, settings
        width, actions = env.single_observation_space.shape[0], env.single_action_space.shape[0]
        self.low, self.high = env.single_action_space.low, env.single_action_space.high
        random = np.random.default_rng([settings.seed, 1])
        self.actor = Network((width, *settings.hidden, actions), random, last=0.01)
        self.critic = Network((width, *settings.hidden, 1), random)
        self.spread = np.full(actions, np.log(settings.deviation), np.float32)  # log σ
        self.optimisers = Adam(len(self.actor.numbers)), Adam(actions), Adam(len(self.critic.numbers))
        self.rate, self.seen, self.worth = settings.rate, Seen(width), Seen(1)
        self.ended = np.zeros(0)  # returns of the last episodes
        self.iteration, self.frames = 0, 0
        self.named: tuple[str, dict[str, Any]] = (environment, options or {})

    @property
    def policy(self) -> NetworkPolicy:
        """The mean action, without noise."""
        layers = [(w.astype(float).T.copy(), b.astype(float)) for w, b in self.actor.layers]
        return NetworkPolicy(layers, self.seen.mean.copy(), self.seen.deviation, *self.named,
                             {"trainer": "PPO", "iterations": self.iteration, "control_steps": self.frames})  # fmt: skip

    def iterate(self) -> dict[str, float]:
        """One rollout and one improvement; what the rollout gave."""
        s = self.settings
        random = np.random.default_rng([s.seed, 2, self.iteration])
        if self.iteration % self.fresh == 0:
            self.begin()
        rollout = self._rollout(random)
        divergence = self._improve(rollout, random)
        self.iteration += 1
        return {"mean": float(np.mean(self.ended if len(self.ended) else self.running)), "reward": float(rollout["gained"].mean()),
                "deviation": float(np.exp(self.spread).mean()), "divergence": divergence, "rate": self.rate,
                "control_steps": float(self.frames)}  # fmt: skip

    def begin(self) -> None:
        """New episodes everywhere, the same ones whenever this iteration begins."""
        random = np.random.default_rng([self.settings.seed, 3, self.iteration])
        seeds = [int(x) for x in random.integers(2**62, size=self.settings.environments)]
        self.observation = self.env.reset(seed=seeds)[0]
        self.running, self.discounted = np.zeros((2, self.settings.environments))

    def _normal(self, observation: Any) -> Numbers:
        rows = (np.asarray(observation, float) - self.seen.mean) / self.seen.deviation
        return np.clip(rows, -10.0, 10.0).astype(np.float32)

    def _value(self, rows: Numbers) -> Numbers:
        return np.asarray(self.critic.forward(rows)[-1][:, 0])

    def _rollout(self, random: np.random.Generator) -> dict[str, Numbers]:
        """Steps of all environments: observations, actions and their means, advantages and what V should be."""
        s, n = self.settings, self.settings.environments
        if self.frames == 0:
            self.seen.add(np.asarray(self.observation, float))
        raw, worth, made = [], [], {k: [] for k in ("rows", "action", "mean", "reward", "value", "next", "ends")}  # type: ignore[var-annotated]
        for _ in range(s.steps):
            rows = self._normal(self.observation)
            mean = self.actor.forward(rows)[-1]
            action = mean + np.exp(self.spread) * random.standard_normal(mean.shape, np.float32)
            raw.append(np.asarray(self.observation, float))
            self.observation, reward, ended, cut, info = self.env.step(np.clip(action, self.low, self.high))
            done, after = ended | cut, np.zeros(n, np.float32)
            if cut.any():  # V of the last observation of episodes that time has cut
                last = np.stack([info["final_obs"][i] for i in np.flatnonzero(cut & ~ended)] or [raw[-1][0]])
                after[cut & ~ended] = self._value(self._normal(last))[: (cut & ~ended).sum()]
            self.running += reward
            self.discounted = s.discount * self.discounted + reward
            worth.append(self.discounted[:, None].copy())
            self.discounted[done] = 0.0
            self.ended = np.append(self.ended, self.running[done])[-100:]
            self.running[done] = 0.0
            for name, x in (("rows", rows), ("action", action), ("mean", mean), ("reward", reward), ("value", self._value(rows)),
                            ("next", after), ("ends", done)):  # fmt: skip
                made[name].append(np.asarray(x, np.float32))
        self.frames += n * s.steps
        out = {name: np.stack(x) for name, x in made.items()}
        self.worth.add(np.concatenate(worth))
        scale = self.worth.deviation[0]
        out["gained"], out["reward"] = out["reward"], (out["reward"] / scale).astype(np.float32)
        out["advantage"] = self._advantages(out, self._value(self._normal(self.observation)))
        out["wanted"] = out["advantage"] + out["value"]
        self.seen.add(np.concatenate(raw))
        return out

    def _advantages(self, made: dict[str, Numbers], last: Numbers) -> Numbers:
        s, advantage, after = self.settings, np.zeros_like(made["value"]), np.zeros_like(last)
        following = last
        for t in range(s.steps - 1, -1, -1):
            going = 1.0 - made["ends"][t]
            delta = made["reward"][t] + s.discount * (going * following + made["next"][t]) - made["value"][t]
            after = delta + s.discount * s.trace * going * after
            advantage[t], following = after, made["value"][t]
        return advantage

    def _improve(self, made: dict[str, Numbers], random: np.random.Generator) -> float:
        s = self.settings
        flat = {k: made[k].reshape(-1, *made[k].shape[2:]) for k in ("rows", "action", "mean", "advantage", "wanted")}
        flat["advantage"] = (flat["advantage"] - flat["advantage"].mean()) / (flat["advantage"].std() + 1e-8)
        old, found = self.spread.copy(), []
        for _ in range(s.epochs):
            for part in np.array_split(random.permutation(len(flat["rows"])), s.batches):
                found.append(self._descend({k: x[part] for k, x in flat.items()}, old))
                if found[-1] > 2.0 * s.divergence:
                    self.rate = max(1e-5, self.rate / 1.5)
                elif found[-1] < 0.5 * s.divergence:
                    self.rate = min(1e-2, self.rate * 1.5)
        return float(np.mean(found))

    def _descend(self, part: dict[str, Numbers], old: Numbers) -> float:
        """One step of Adam for policy and value; how far the policy was from the old one (Kullback and Leibler)."""
        gradients, divergence = self.gradients(part, old)
        for (numbers, gradient), optimiser in zip(gradients, self.optimisers, strict=True):
            length = float(np.sqrt((gradient.astype(float) ** 2).sum()))
            optimiser.step(numbers, gradient * np.float32(min(1.0, 1.0 / (length + 1e-8))), self.rate)
        return divergence

    def gradients(self, part: dict[str, Numbers], old: Numbers) -> tuple[list[tuple[Numbers, Numbers]], float]:
        """(numbers, gradient of the loss by them) of the policy, log σ and the value; and the divergence.

        Parameters
        ----------
        part
            Rows of what was seen and done: rows, action, mean, advantage, wanted.
        old
            Logarithms of the deviations that the actions were drawn with.
        """
        s, count = self.settings, np.float32(len(part["rows"]))
        seen, sigma = self.actor.forward(part["rows"]), np.exp(self.spread)
        off = (part["action"] - seen[-1]) / sigma
        before = (part["action"] - part["mean"]) / np.exp(old)
        log = (-0.5 * off * off - self.spread + 0.5 * before * before + old).sum(axis=1)
        ratio, advantage = np.exp(np.clip(log, -20.0, 20.0)), part["advantage"]
        clipped = np.where(advantage > 0.0, ratio > 1.0 + s.clip, ratio < 1.0 - s.clip)
        push = np.where(clipped, 0.0, -ratio * advantage / count).astype(np.float32)[:, None]  # d loss / d log π
        actor = self.actor.backward(seen, np.asarray(push * off / sigma, np.float32))
        spread = (push * (off * off - 1.0)).sum(axis=0) - np.float32(s.entropy)
        valued = self.critic.forward(part["rows"])
        critic = self.critic.backward(valued, (valued[-1] - part["wanted"][:, None]) / count)
        apart = ((part["mean"] - seen[-1]) / sigma) ** 2 + np.exp(2.0 * (old - self.spread))
        divergence = float((self.spread - old + 0.5 * apart - 0.5).sum(axis=1).mean())
        return [(self.actor.numbers, actor), (self.spread, spread), (self.critic.numbers, critic)], divergence

    # ---- checkpoints ------------------------------------------------------------------------------------------------

    def _means(self) -> tuple[tuple[str, Seen], tuple[str, Seen]]:
        return ("seen", self.seen), ("worth", self.worth)

    def _state(self) -> dict[str, Any]:
        moments = {
            f"adam{i}_{k}": getattr(a, k) for i, a in enumerate(self.optimisers) for k in ("mean", "square", "count")
        }
        return {"actor": self.actor.numbers, "critic": self.critic.numbers, "spread": self.spread, "rate": self.rate,
                **{f"{name}_{k}": getattr(x, k) for name, x in self._means() for k in ("count", "mean", "squares")},
                "iteration": self.iteration, "frames": self.frames, "ended": self.ended, **moments}  # fmt: skip

    def save(self, path: str | os.PathLike[str]) -> None:
        """A checkpoint. One that was written after a multiple of `fresh` iterations goes on with the bits of a search that was
        not interrupted; after other iterations the environments begin anew.

        Parameters
        ----------
        path
            Of the file.
        """
        with whole_file(Path(path)) as part, part.open("wb") as file:
            np.savez(file, **self._state())

    def restore(self, path: str | os.PathLike[str]) -> None:
        """Go on from the checkpoint that save() wrote.

        Parameters
        ----------
        path
            Of the file.
        """
        with np.load(path, allow_pickle=False) as found:
            state = {name: found[name] for name in self._state()}
        if state["actor"].shape != self.actor.numbers.shape or state["spread"].shape != self.spread.shape:
            raise InvalidInput(f"checkpoint '{path}' is of a network of another size")
        for numbers, name in ((self.actor.numbers, "actor"), (self.critic.numbers, "critic"), (self.spread, "spread")):
            numbers[:] = state[name]
        for i, optimiser in enumerate(self.optimisers):
            optimiser.mean, optimiser.square = state[f"adam{i}_mean"], state[f"adam{i}_square"]
            optimiser.count = int(state[f"adam{i}_count"])
        for name, x in self._means():
            x.count, x.mean, x.squares = float(state[f"{name}_count"]), state[f"{name}_mean"], state[f"{name}_squares"]
        self.rate, self.ended = float(state["rate"]), state["ended"]
        self.iteration, self.frames = int(state["iteration"]), int(state["frames"])
        self.begin()
