# SPDX-License-Identifier: BSD-2-Clause
"""Policies for the environments of stiction.gym: training, evaluation, replay (extra `learn`).

    policy = stiction.learn.LinearPolicy.load("trot.json")
    print(stiction.learn.evaluate(policy, seeds=range(20), duration=20.0))

Modules:

    policy    linear policies and their files
    ars, train augmented random search, which needs nothing but NumPy; a search with checkpoints and a curve
    evaluate  how far a policy walks, here and (transfer.py) in MuJoCo
    replay    a run of a policy as frames for viewer and films
"""

from __future__ import annotations

from .ars import ARS, Settings
from .evaluate import Walk, evaluate
from .policy import LinearPolicy
from .replay import Replay, replay
from .train import plot_curve, train

__all__ = ["ARS", "LinearPolicy", "Replay", "Settings", "Walk", "evaluate", "plot_curve", "replay", "train"]
