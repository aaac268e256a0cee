# SPDX-License-Identifier: BSD-2-Clause
"""Names of environments, and how they are made by them."""

from __future__ import annotations

from functools import partial
from typing import Any

from .._core import InvalidInput
from ..output.suggest import unknown_name
from .cube import Cube
from .env import Env
from .humanoid import WalkingHumanoid
from .planar import HalfCheetah, Hopper, Walker2d
from .quadruped import Quadruped, RoughQuadruped
from .spatial import Ant, Humanoid
from .task import Task
from .vector import VectorEnv

NAMESPACE = "stiction"
ENVIRONMENTS: dict[str, type[Task]] = {
    "stiction/Quadruped-v0": Quadruped,
    "stiction/QuadrupedRough-v0": RoughQuadruped,
    "stiction/Humanoid-v0": WalkingHumanoid,
    "stiction/Cube-v0": Cube,
    "stiction/Hopper-v5": Hopper,
    "stiction/Walker2d-v5": Walker2d,
    "stiction/HalfCheetah-v5": HalfCheetah,
    "stiction/Ant-v5": Ant,
    "stiction/Humanoid-v5": Humanoid,
}
_OF_ENV = ("render_mode", "width", "height", "port")
_OF_VECTOR = ("max_episode_steps", "threads", "render_mode", "width", "height", "batch")


def task_of(name: str, **options: Any) -> Task:
    """The task of an environment; wrong names of environments and options are refused in a sentence."""
    if name not in ENVIRONMENTS:
        raise unknown_name("environment", name, list(ENVIRONMENTS))
    try:
        return ENVIRONMENTS[name](**options)
    except TypeError as error:
        raise InvalidInput(f"{name}: {str(error).replace('__init__() ', '')}") from None


def make_env(name: str, **options: Any) -> Env:
    """One environment; what gymnasium.make calls. Options are those of the task, and render_mode, width, height, port.

    Parameters
    ----------
    name
        Of the task, such as Quadruped-v0.
    options
        Of the task and of Env.
    """
    own = {k: options.pop(k) for k in _OF_ENV if k in options}
    return Env(task_of(name, **options), **own)


def make_vector_env(name: str, num_envs: int = 1, **options: Any) -> VectorEnv:
    """Many environments; what gymnasium.make_vec calls. Options are those of the task, max_episode_steps, threads, render_mode …

    Parameters
    ----------
    name
        Of the task, such as Quadruped-v0.
    num_envs
        How many environments.
    options
        Of the task and of VectorEnv.
    """
    own = {k: options.pop(k) for k in _OF_VECTOR if k in options}
    return VectorEnv(task_of(name, **options), num_envs, **own)


def register_all(gymnasium: Any) -> None:
    for name, task in ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=partial(make_env, name),
                vector_entry_point=partial(make_vector_env, name),
                max_episode_steps=task.horizon,
            )
