# SPDX-License-Identifier: BSD-2-Clause
"""Policies for the environments of stiction.gym: training, evaluation, replay (extra `learn`).

    policy = stiction.learn.load("trot.json")
    print(stiction.learn.evaluate(policy, seeds=range(20), duration=20.0))

Modules:

    policy    linear policies and files of policies; network_policy: small networks
    ars       augmented random search for linear policies, ppo: proximal policy optimisation of networks, both NumPy alone
    train     a search with checkpoints and a curve
    evaluate  how far a policy walks, here and (transfer.py) in MuJoCo; stress: under other laws, on soft ground, with late sensors
    replay    a run of a policy as frames for viewer and films
"""

from __future__ import annotations

from .ars import ARS, Settings
from .evaluate import Walk, evaluate
from .network_policy import NetworkPolicy
from .policy import LinearPolicy, Policy, load
from .ppo import PPO, PPOSettings
from .replay import Replay, replay
from .stress import stress
from .train import plot_curve, train

__all__ = [
    "ARS",
    "PPO",
    "LinearPolicy",
    "NetworkPolicy",
    "PPOSettings",
    "Policy",
    "Replay",
    "Settings",
    "Walk",
    "evaluate",
    "load",
    "plot_curve",
    "replay",
    "stress",
    "train",
]
