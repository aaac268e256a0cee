# SPDX-License-Identifier: BSD-2-Clause
"""`stiction bench --peers`: the same scene in stiction and in MuJoCo, alternating in one process.

What is timed: CPU time of the calling thread, n steps per call, no Python between the steps on either side. Ours:
Simulator.step(n) of the scene, and mj_step(nstep=n), where the targets rest; Simulator.step(target=array) and mujoco.rollout,
both along the same ready-made targets, where they move. Building, restarting and measuring accuracy are not
timed. The 99.9 % quantile comes from single steps called from Python on both sides (about 1 us of each is the call).
"""

from __future__ import annotations

from .scenes import SCENES, anymal, pile, scene_targets
from .table import run

__all__ = ["SCENES", "anymal", "pile", "run", "scene_targets"]
