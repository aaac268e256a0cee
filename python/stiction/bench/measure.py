# SPDX-License-Identifier: BSD-2-Clause
"""Runs a scene and measures it: what `stiction demo`, `run`, `compare` and `bench` print.

The accuracy run goes step by step and looks at every contact; the timed runs repeat it from the same start without
coming back to Python.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._core import Simulator
from ..output.progress import Progress
from ..rotations import angle_between

Make = Callable[[], Simulator]
Look = Callable[[Simulator], object]  # called after every step
Watch = Callable[[Simulator], AbstractContextManager[Look | None]]


@dataclass
class Run:
    """One run under one law, solver and stepper. Series have one entry per step."""

    label: str
    law: str
    solver: str
    stepper: str
    dt: float
    steps: int = 0
    status: str = "converged"
    slip: float = 0.0  # [m]
    penetration: float = 0.0  # [m]
    energy_error: float = 0.0  # [J]
    ncp: float = 0.0  # [N]
    iterations: float = 0.0  # per step
    unaccepted: int = 0
    contacts: int = 0
    microseconds: float = float("nan")  # per step
    series: dict[str, np.ndarray] = field(default_factory=dict)

    def summary(self) -> dict[str, Any]:
        """Everything but the series, for JSON; units are in the names."""
        return {
            "label": self.label, "law": self.law, "solver": self.solver, "stepper": self.stepper, "dt_s": self.dt,
            "steps": self.steps, "status": self.status, "slip_m": self.slip, "penetration_m": self.penetration,
            "energy_error_J": _known(self.energy_error), "ncp_residual_N": _known(self.ncp), "iterations_per_step": self.iterations,
            "unaccepted_steps": self.unaccepted, "contacts": self.contacts, "us_per_step": self.microseconds,
        }  # fmt: skip


_SERIES = ("time", "height", "tilt", "slip", "force", "friction", "energy", "ncp")
_STATUS = ("converged", "stalled", "max_iterations", "infeasible", "numerical_failure", "invalid_problem", "unphysical")


def _known(x: float) -> float | None:
    """For JSON, which has no NaN."""
    return None if np.isnan(x) else x


def record(sim: Simulator, steps: int, label: str = "", look: Look | None = None) -> Run:
    """Step a simulator and look at every contact of every step. The height is that of the first body."""
    run = Run(label or sim.law, sim.law, sim.solver, sim.stepper, sim.dt)
    body = sim.bodies[0]
    orientation, start_energy = sim.pose(body)[1], sim.energy().total
    rows = []
    iterations = 0
    bar = Progress(run.label, steps)
    for done in range(steps):
        report = sim.step()
        contacts: Any = sim.contacts()
        normal = np.einsum("ij,ij->i", contacts["force"], contacts["normal"])
        friction = np.linalg.norm(contacts["force"] - normal[:, None] * contacts["normal"], axis=1)
        run.slip += float(contacts["slip"][normal > 0.0].sum()) * sim.dt
        run.penetration = max(run.penetration, report.penetration)
        run.energy_error += report.ncp.signorini_power * sim.dt
        run.ncp = max(run.ncp, report.ncp.natural)
        run.unaccepted += report.unaccepted
        run.contacts = max(run.contacts, report.contacts)
        run.status = max(run.status, report.status, key=_STATUS.index)
        iterations += report.iterations
        position, quaternion = sim.pose(body)
        tilt, energy = angle_between(orientation, quaternion), sim.energy().total - start_energy
        rows.append((sim.time, position[2], tilt, run.slip, normal.sum(), friction.sum(), energy, report.ncp.natural))
        if look is not None:
            look(sim)
        bar.at(done + 1)
    bar.close()
    run.steps = steps
    run.iterations = iterations / max(steps, 1)
    run.series = dict(zip(_SERIES, np.array(rows).reshape(-1, len(_SERIES)).T, strict=True))
    return run


def time_steps(sim: Simulator, steps: int, repeats: int = 5) -> float:
    """Median CPU time per step [us] of `repeats` runs from the simulator's present state, which is put back."""
    start, seconds = sim.save(), []
    for _ in range(repeats):
        sim.restore(start)
        begin = time.thread_time()  # the engine works in the calling thread; other programs do not count
        sim.step(n=steps)
        seconds.append(time.thread_time() - begin)
    sim.restore(start)
    return float(np.median(seconds)) / steps * 1e6


def measure(
    make: Make,
    duration: float | None = None,
    label: str = "",
    repeats: int = 5,
    judged: Make | None = None,
    watch: Watch | None = None,
) -> Run:
    """Record one run and time it. `make` gives a fresh simulator, `judged` one for the record alone, which `watch` looks at."""
    sim = (judged or make)()
    length = duration if duration is not None else sim.duration or 1.0
    steps = max(1, round(length / sim.dt))
    with watch(sim) if watch is not None else nullcontext() as look:
        run = record(sim, steps, label, look)
    # laws of forces: nobody judged them
    if run.law in ("relaxed", "compliant") or (run.law == "anchored" and judged is None):
        run.ncp = run.energy_error = float("nan")
        run.series["ncp"][:] = float("nan")
    if repeats > 0:
        run.microseconds = time_steps(make(), steps, repeats)
    return run
