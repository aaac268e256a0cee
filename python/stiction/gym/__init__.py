# SPDX-License-Identifier: BSD-2-Clause
"""Gymnasium environments on this engine: `import stiction.gym` registers them (extra `learn`).

    import gymnasium, stiction.gym
    env = gymnasium.make("stiction/Quadruped-v0", render_mode="rgb_array")
    envs = gymnasium.make_vec("stiction/Quadruped-v0", num_envs=1024)     # one batch, all processors

Modules:

    task, streams, environments   what an environment is; random numbers; a task on a batch
    env, vector, window           the faces: gymnasium.Env, gymnasium.vector.VectorEnv, pictures and the browser
    quadruped, terrain            Quadruped-v0, QuadrupedRough-v0
    humanoid, cube                Humanoid-v0, Cube-v0
    planar, spatial, mujoco_links Gymnasium's own five: Hopper, Walker2d, HalfCheetah, Ant, Humanoid, v5
    registered                    names, tasks and the lengths of episodes
"""

from __future__ import annotations

try:
    import gymnasium as _gymnasium
except ImportError as _error:
    raise ImportError(f"stiction.gym needs Gymnasium ({_error}): pip install 'stiction[learn]'") from None

from .env import Env
from .registered import ENVIRONMENTS, make_env, make_vector_env, register_all
from .task import Task
from .vector import VectorEnv

register_all(_gymnasium)

__all__ = ["ENVIRONMENTS", "Env", "Task", "VectorEnv", "make_env", "make_vector_env"]
