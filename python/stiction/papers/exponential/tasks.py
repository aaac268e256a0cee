# SPDX-License-Identifier: BSD-2-Clause
"""The motions: squat, jump, trot. With the published references and the robot they were made for where --data names them;
with our own controllers on today's Solo-12, or on the small quadruped that comes with stiction, where not.

The published jump lands with Solo-12 v3.2.0 only (2.978 kg): the model is never substituted, only the whole task is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import control, robots
from ..._core import Simulator
from .methods import Method
from .published import MU, TASKS

Array = NDArray[np.float64]
Torque = Callable[[Simulator, int], Array]  # at control instant k
NAMES = ("squat", "jump", "trot")
FILES = ("solo12_v3.2.0.urdf", *(f"{task}_{kind}.npy" for task in ("jump", "trot")
                                 for kind in ("reference_states", "reference_controls", "feedback")))  # fmt: skip
NEEDS = "--data DIR with the paper's reference motions"


@dataclass(frozen=True)
class Task:
    """A robot, a controller and how long they go."""

    name: str
    legged: control.LeggedWorld
    urdf: Path
    source: str  # where motion and robot come from
    published: bool  # whether the numbers of published.py hold for it
    begin: Callable[[Simulator], Torque]  # puts the simulator at the start; a new controller for it

    @property
    def period(self) -> float:
        """Of the control [s]."""
        return 1e-3 * TASKS[self.name][0]

    @property
    def steps(self) -> int:
        return TASKS[self.name][1]

    @property
    def stability_steps(self) -> int:
        return TASKS[self.name][2]

    @property
    def bound(self) -> float:
        return TASKS[self.name][3]

    def simulator(self, method: Method, substeps: int, law_options: Mapping[str, Any] | None = None) -> Simulator:
        """A simulator that takes `substeps` steps of the method per control period."""
        return self.legged.simulator(law="anchored", stepper=method.stepper, dt=self.period / substeps,
                                     law_options=dict(law_options or {}), stepper_options=dict(method.options))  # fmt: skip

    def substeps(self, milliseconds: float) -> int:
        return round(1e3 * self.period / milliseconds)


def find_folder(data: Path | None) -> Path | None:
    """The folder with FILES: `data` or its part `consim`; None without data. A folder that lacks some of them is refused."""
    if data is None:
        return None
    for folder in (data, data / "consim"):
        missing = [name for name in FILES if not (folder / name).is_file()]
        if not missing:
            return folder
        if len(missing) < len(FILES):
            raise FileNotFoundError(f"data folder '{folder}' lacks {', '.join(missing)}")
    return None


def _squat(legged: control.LeggedWorld) -> Callable[[Simulator], Torque]:
    period = 1e-3 * TASKS["squat"][0]

    def begin(sim: Simulator) -> Torque:
        sim.q[:], sim.v[:] = legged.q0, 0.0
        controller = control.Squat(sim, legged.feet)
        return lambda sim, k: controller.torque(sim, k * period)

    return begin


def _follow(folder: Path, name: str) -> Callable[[Simulator], Torque]:
    reference, period = control.published_reference(folder, name), 1e-3 * TASKS[name][0]

    def begin(sim: Simulator) -> Torque:
        controller = control.LinearFeedback(sim, reference, period)
        controller.start(sim)
        return controller.torque

    return begin


def published_tasks(folder: Path) -> dict[str, Task]:
    """The motions of the paper on the robot that they were made for."""
    urdf = folder / FILES[0]
    legged = control.solo_world(urdf, mu=MU, stiffness=None, damping=None)
    source = f"published reference, {legged.model}"
    tasks = {name: Task(name, legged, urdf, source, True, _follow(folder, name)) for name in ("jump", "trot")}
    return {"squat": Task("squat", legged, urdf, f"own controller, {legged.model}", True, _squat(legged)), **tasks}


def _own(legged: control.LeggedWorld, name: str) -> Callable[[Simulator], Torque]:
    period = 1e-3 * TASKS[name][0]

    def begin(sim: Simulator) -> Torque:
        sim.q[:], sim.v[:] = legged.q0, 0.0
        controller: control.Jump | control.Trot
        controller = control.Jump(sim, legged.feet, legged.points) if name == "jump" else control.Trot(sim, legged.feet)
        return lambda sim, k: controller.torque(sim, k * period)

    return begin


def own_tasks() -> dict[str, Task]:
    """Motions of our own, without anybody's data: today's Solo-12 where example-robot-data is, else the small quadruped."""
    known = robots.paths()
    name, make = (
        ("solo12", control.solo_world) if "solo12" in known else ("quadruped_small", control.small_quadruped_world)
    )
    urdf, legged = known[name], make(mu=MU, stiffness=None, damping=None)
    source = f"own controller, {legged.model}"
    squat = Task("squat", legged, urdf, source, False, _squat(legged))
    return {
        "squat": squat,
        **{name: Task(name, legged, urdf, source, False, _own(legged, name)) for name in ("jump", "trot")},
    }
