# SPDX-License-Identifier: BSD-2-Clause
"""One environment for `gymnasium.make`: a batch of one."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from .._core import InvalidInput, Simulator
from .environments import Environments
from .task import Rows, Task
from .window import Pictures, Window


class Env(gymnasium.Env[Any, Any]):
    """A task as a gymnasium.Env. It pickles and deep-copies with all of its state.

    Parameters
    ----------
    task
        What is to be learned.
    render_mode
        `rgb_array`, `human` (the viewer) or None.
    width
        Of pictures [pixels].
    height
        Of pictures [pixels].
    port
        Of the viewer's page; 0 takes a free one.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "human"]}  # noqa: RUF012  (as in gymnasium)

    def __init__(
        self, task: Task, *, render_mode: str | None = None, width: int = 480, height: int = 360, port: int = 0
    ) -> None:
        """render_mode "human" shows the environment in the browser at `port` (0: any free one)."""
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InvalidInput(f"render_mode is '{render_mode}', expected 'rgb_array', 'human' or None")
        self._many = Environments(task, 1, 1)
        self.task = task
        self.render_mode = render_mode
        self.metadata = {**type(self).metadata, "render_fps": round(1.0 / task.control_dt)}
        self.observation_space, self.action_space = task.observation_space, task.action_space
        self._look = (width, height, port)
        self._pictures: Pictures | None = None
        self._window: Window | None = None
        self._ready = False

    @property
    def simulator(self) -> Simulator:
        """A copy of the simulator as it stands."""
        return self._many.batch[0]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Rows, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is None and not self._ready:
            seed = int(self.np_random.integers(2**62))
        self._many.reset(self._many.all, None if seed is None else [seed])
        self._ready = True
        observation = self.task.observe(self._many.all)[0]
        info = {name: value[0] for name, value in self.task.start_info(self._many.all).items()}
        if self.render_mode == "human":
            self.render()
        return observation, info

    def step(self, action: Any) -> tuple[Rows, float, bool, bool, dict[str, Any]]:
        if not self._ready:
            raise gymnasium.error.ResetNeeded("step() before reset()")
        row = np.asarray(action)
        width = self.task.action_space.shape[0]
        if row.shape != (width,):
            raise InvalidInput(f"action has shape {row.shape}, expected ({width},)")
        rows = self._many.read(row[None])
        if not np.isfinite(rows).all():
            raise InvalidInput(f"action[{int(np.argmin(np.isfinite(rows[0])))}] is not a finite number")
        reward, terminated, info = self._many.step(rows)
        observation = self.task.observe(self._many.all)[0]
        if self.render_mode == "human":
            self.render()
        return (
            observation,
            float(reward[0]),
            bool(terminated[0]),
            False,
            {name: value[0] for name, value in info.items()},
        )

    def render(self) -> Any:
        """(height, width, 3) bytes with render_mode="rgb_array"; with "human" the page in the browser goes on."""
        if self.render_mode == "rgb_array":
            if self._pictures is None:
                self._pictures = Pictures(self.simulator, self._look[:2], self.task.arrows)
            return self._pictures.of(self.simulator)
        if self.render_mode == "human":
            if self._window is None:
                self._window = Window(self.simulator, self.task.control_dt, self._look[2])
            self._window.show(self.simulator)
        return None

    def close(self) -> None:
        if self._window is not None:
            self._window.close()
            self._window = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_pictures": None, "_window": None}
