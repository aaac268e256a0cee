# SPDX-License-Identifier: BSD-2-Clause
"""Runs of the 6-DOF pendulum with one of four contact models, recorded step by step; processor time is measured without recording."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import stiction as st

from ..study import NOT_MADE

LINKS, VERTICES = 6, 8


@dataclass(frozen=True)
class Method:
    """A contact model as the paper compares them."""

    name: str
    label: str
    dt: float  # the paper's interval [s]
    forces: str = "held"
    options: dict[str, Any] = field(default_factory=dict)

    def simulator(self, dt: float | None = None, **scene: Any) -> st.Simulator:
        return st.scene("pendulum6", law="relaxed", law_options={"model": self.name, **self.options}, dt=dt or self.dt,
                        stepper_options={"forces": self.forces}, **scene)  # fmt: skip


PROPOSED = Method("proposed", "proposed", 1e-3)
MACRO = Method("macro", "macroscopic stand-in", 1e-3)
MICRO = Method("micro", "microscopic", 1e-5, "per_stage")
HYBRID = Method("hybrid", "hybrid", 1e-3)
METHODS = (PROPOSED, MACRO, MICRO, HYBRID)


@dataclass
class Record:
    """Per recorded step: time at its start, joint angles, forces on all 48 vertices, whether they touch, their slip; energy."""

    t: np.ndarray
    q: np.ndarray
    normal: np.ndarray
    friction: np.ndarray
    touching: np.ndarray
    slip: np.ndarray
    energy: np.ndarray
    depth: float
    failed: bool

    def last(self, start: float) -> np.ndarray:
        """Indices of the steps from `start` on."""
        return np.flatnonzero(self.t >= start - 1e-12)

    def largest_jump(self, start: float) -> float:
        """Largest change of any normal force between two steps [N]."""
        force = self.normal[self.last(start)]
        return float(np.abs(np.diff(force, axis=0)).max()) if len(force) > 1 else math.nan


def record(sim: st.Simulator, duration: float, every: int = 1) -> Record:
    """Forces of every `every`-th step of a run."""
    steps = round(duration / sim.dt) // every
    shape = (steps, LINKS * VERTICES)
    out = Record(np.zeros(steps), np.zeros((steps, LINKS)), np.zeros(shape), np.zeros(shape), np.zeros(shape, bool), np.zeros(shape),
                 np.zeros(steps), 0.0, False)  # fmt: skip
    for k in range(steps):
        out.t[k], out.q[k], out.energy[k] = sim.time, sim.q, sim.energy().total
        report = sim.step()
        contacts = np.asarray(sim.contacts())
        at = contacts["geom_b"] - 1  # geom 0 is the ground
        force = contacts["force"]
        out.normal[k, at], out.friction[k, at] = force[:, 2], np.hypot(force[:, 0], force[:, 1])
        out.touching[k, at], out.slip[k, at] = True, contacts["slip"]
        if every > 1 and report.status not in NOT_MADE:
            report = sim.step(n=every - 1)
        out.depth = max(out.depth, report.penetration)
        if report.status in NOT_MADE:
            out.failed = True
            break
    return out


def processor_time(method: Method, duration: float, dt: float | None = None, repeats: int = 1) -> float:
    """Of a whole run without recording: the least of `repeats` [s]."""
    best = math.inf
    for _ in range(repeats):
        sim = method.simulator(dt)
        start = time.process_time()
        sim.step(n=round(duration / sim.dt))
        best = min(best, time.process_time() - start)
    return best


def is_stable(method: Method, dt: float, duration: float) -> bool:
    """Every step made, energy never above 1.05 times the first, penetration below 2 cm. Gains that are refused at this step are not stable."""
    try:
        sim = method.simulator(dt)
    except st.InvalidInput:
        return False
    first = sim.energy().total
    chunk = max(1, round(2e-3 / dt))
    for _ in range(math.ceil(duration / (chunk * dt))):
        report = sim.step(n=chunk)
        if report.status in NOT_MADE or not report.penetration < 0.02 or not sim.energy().total <= 1.05 * first:
            return False
    return True


def largest_interval(method: Method, duration: float, low: float, high: float, halvings: int) -> float:
    """The largest stable interval by bisection between a stable and an unstable one [s]; NaN if `low` is not stable, `high` if that is."""
    if not is_stable(method, low, duration):
        return math.nan
    if is_stable(method, high, duration):
        return high
    for _ in range(halvings):
        middle = math.sqrt(low * high)
        if is_stable(method, middle, duration):
            low = middle
        else:
            high = middle
    return low
