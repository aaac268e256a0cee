# SPDX-License-Identifier: BSD-2-Clause
"""Many environments for `gymnasium.make_vec`: one batch, stepped on all processors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .._core import InvalidInput, Simulator
from .environments import Environments
from .task import Rows, Task, Which
from .window import Pictures


class VectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """A task in a batch. Environment i of reset(seed=s) has the bits of one `Env` with the seed s + i.

    Environments whose episode ends begin anew in the same step: the observation is the first of the new episode, the last one of
    the old is in infos["final_obs"], its info in infos["final_info"]. It pickles and deep-copies with all of its state.

    Parameters
    ----------
    task
        What is to be learned.
    num_envs
        How many environments.
    max_episode_steps
        Episodes are cut after so many; the task's own number unless given.
    threads
        That step the batch; all cores unless given.
    render_mode
        `rgb_array` or None.
    width
        Of pictures [pixels].
    height
        Of pictures [pixels].
    batch
        A BatchSimulator to use; one is made unless given.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        task: Task,
        num_envs: int = 1,
        *,
        max_episode_steps: int | None = None,
        threads: int | None = None,
        render_mode: str | None = None,
        width: int = 480,
        height: int = 360,
        batch: Any = None,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InvalidInput(f"render_mode is '{render_mode}', expected 'rgb_array' or None")
        if max_episode_steps is not None and max_episode_steps < 1:
            raise InvalidInput(f"max_episode_steps is {max_episode_steps}, expected at least 1, or None for no end")
        self._many = Environments(task, num_envs, threads, batch)
        self.task = task
        self.num_envs = num_envs
        self.max_episode_steps = max_episode_steps
        self.render_mode = render_mode
        self.metadata = {**type(self).metadata, "render_fps": round(1.0 / task.control_dt)}
        self.single_observation_space, self.single_action_space = task.observation_space, task.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._size = (width, height)
        self._pictures: Pictures | None = None
        self._ready = False

    @property
    def batch(self) -> Any:
        """The BatchSimulator."""
        return self._many.batch

    @property
    def elapsed(self) -> NDArray[np.int64]:
        """Control steps since each episode began."""
        return self._many.elapsed

    def simulator(self, i: int) -> Simulator:
        """A copy of environment i."""
        return self._many.batch[i]

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Rows, dict[str, Any]]:
        """Begin new episodes: all of them, or those where options["reset_mask"] is true.

        seed: s gives environment i the seed s + i; a list has one for each (None: it goes on with its own).
        """
        if isinstance(seed, int | np.integer):
            super().reset(seed=int(seed))
            seeds: list[int | None] = [int(seed) + i for i in range(self.num_envs)]
        elif seed is None:
            first = None if self._ready else int(self.np_random.integers(2**62))
            seeds = [None if first is None else first + i for i in range(self.num_envs)]
        else:
            seeds = list(seed)
            if len(seeds) != self.num_envs:
                raise InvalidInput(f"seed has {len(seeds)} entries, expected one per environment, {self.num_envs}")
        which = self._chosen(options)
        seeded = [int(i) for i in which if seeds[i] is not None]
        self._many.streams.seed(np.array(seeded, np.int64), [seed for i in seeded if (seed := seeds[i]) is not None])
        self._many.reset(which)
        self._ready = True
        told = self.task.start_info(self._many.all)
        mask = np.isin(self._many.all, which)
        return self.task.observe(self._many.all), self._told(told, mask)

    def _chosen(self, options: dict[str, Any] | None) -> Which:
        if not options or "reset_mask" not in options:
            return self._many.all
        mask = np.asarray(options["reset_mask"])
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise InvalidInput(
                f"options['reset_mask'] has shape {mask.shape}, expected {self.num_envs} bools, one per environment"
            )
        return np.flatnonzero(mask)

    @staticmethod
    def _told(info: dict[str, Any], mask: NDArray[np.bool_]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for name, value in info.items():
            out[name], out[f"_{name}"] = value, mask.copy()
        return out

    def step(self, actions: Any) -> tuple[Rows, Rows, NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        if not self._ready:
            raise gymnasium.error.ResetNeeded("step() before reset()")
        reward, terminated, info = self._many.step(self._many.read(actions))
        truncated = np.zeros(self.num_envs, bool)
        if self.max_episode_steps is not None:
            truncated = self._many.elapsed >= self.max_episode_steps
        done = terminated | truncated
        observation = self.task.observe(self._many.all)
        told = self._told(info, ~done)
        told["failed"], told["_failed"] = info["failed"], np.ones(self.num_envs, bool)
        if done.any():
            which = np.flatnonzero(done)
            last = np.full(self.num_envs, None, dtype=object)
            for i in which:
                last[i] = observation[i].copy()
            told.update(final_obs=last, _final_obs=done.copy(), _final_info=done.copy())
            told["final_info"] = self._told(info, done)
            self._many.reset(which)
            observation[which] = self.task.observe(which)
            for name, value in self.task.start_info(which).items():
                if name in told:
                    told[name] = np.array(told[name])
                    told[name][which], told[f"_{name}"][which] = value, True
        return observation, reward, terminated, truncated, told

    def render(self) -> Any:
        """A picture of every environment: (height, width, 3) bytes each."""
        if self.render_mode is None:
            return None
        if self._pictures is None:
            self._pictures = Pictures(self.simulator(0), self._size, self.task.arrows)
        return tuple(self._pictures.of(self.simulator(i)) for i in range(self.num_envs))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_pictures": None}
