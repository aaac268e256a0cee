# SPDX-License-Identifier: BSD-2-Clause
"""The two engines behind one interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

import stiction as st

from . import mujoco_models as mj


class Engine(Protocol):
    """One engine in one scene."""

    name: str

    def advance(self, steps: int) -> None: ...  # timed
    def restart(self) -> None: ...
    def qpos(self) -> np.ndarray: ...  # in MuJoCo's order: one ruler for all


class Ours:
    """Simulator.step(n), or along `targets` (steps, joints). With `episode` the scene starts anew every so many steps."""

    def __init__(
        self, make: Callable[[], st.Simulator], model: Any | None = None, episode: int = 0,
        targets: np.ndarray | None = None,
    ) -> None:  # fmt: skip
        self.name, self.sim, self.model, self.episode = "stiction", make(), model, episode
        self.targets = targets
        self.start = self.sim.save()
        self.unaccepted = self.steps = 0
        self.residual = 0.0  # largest NCP residual [N]

    def advance(self, steps: int) -> None:
        length = self.episode or steps
        for _ in range(steps // length):
            if self.episode:
                self.sim.restore(self.start)
            at = 0 if self.episode or self.targets is None else self.steps % len(self.targets)
            report = (
                self.sim.step(n=length)
                if self.targets is None
                else self.sim.step(target=self.targets[at : at + length])
            )
            self.unaccepted += report.unaccepted
            self.steps += report.steps
            self.residual = max(self.residual, report.ncp.natural)

    def restart(self) -> None:
        self.sim.restore(self.start)

    def qpos(self) -> np.ndarray:
        return mj.to_qpos(self.sim, self.model) if self.model is not None else np.array(self.sim.q)


class MuJoCo:
    """mj_step(nstep=n), or mujoco.rollout along `targets` (steps, actuators)."""

    def __init__(
        self, name: str, model: Any, qpos: np.ndarray | None = None, targets: np.ndarray | None = None, episode: int = 0
    ) -> None:
        self.mujoco = mj.load()
        self.name, self.model, self.targets, self.episode = name, model, targets, episode
        self.data = self.mujoco.MjData(model)
        self.begin = model.qpos0.copy() if qpos is None else qpos
        self.restart()

    def restart(self) -> None:
        self.mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:] = self.begin
        if self.model.nu:
            self.data.ctrl[:] = [self.data.joint(self.model.actuator(i).name).qpos[0] for i in range(self.model.nu)]
        self.step_number = 0

    def _state(self) -> np.ndarray:
        kind = self.mujoco.mjtState.mjSTATE_FULLPHYSICS
        state = np.empty(self.mujoco.mj_stateSize(self.model, kind))
        self.mujoco.mj_getState(self.model, self.data, state, kind)
        return state

    def advance(self, steps: int) -> None:
        if self.targets is None:
            self.mujoco.mj_step(self.model, self.data, nstep=steps)
            return
        if self.episode:
            count = steps // self.episode
            self.restart()
            states, control = np.tile(self._state(), (count, 1)), np.tile(self.targets[: self.episode], (count, 1, 1))
            self.mujoco.rollout.rollout(self.model, self.data, states, control)
            return
        control = self.targets[self.step_number : self.step_number + steps][None]
        warm = self.data.qacc_warmstart.copy()[None]
        self.mujoco.rollout.rollout(self.model, self.data, self._state()[None], control, initial_warmstart=warm)
        self.step_number += steps

    def single_step(self) -> None:
        if self.targets is not None:
            self.data.ctrl[:] = self.targets[self.step_number % len(self.targets)]
            self.step_number += 1
        self.mujoco.mj_step(self.model, self.data)

    def qpos(self) -> np.ndarray:
        return self.data.qpos.copy()
