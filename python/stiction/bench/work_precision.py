# SPDX-License-Identifier: BSD-2-Clause
"""Error against work: the same run with longer and shorter steps.

The error of a run is the largest distance of any body from where it is in the reference, at the same times, over the run [m].
The reference is the same law, solver and stepper with steps of an eighth: what is measured is the price of the step, not of the
law. Scenes that are chaotic (piles, falls) do not converge; their points stay where they are, and that is worth knowing too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from .._core import InvalidInput, Simulator
from ..output.progress import Progress

FACTORS = (4.0, 2.0, 1.0, 0.5)  # of the usual step
REFERENCE = 0.125


@dataclass
class Point:
    """One run: its step, its work and its error."""

    label: str
    dt_s: float
    us_per_step: float
    ms_per_simulated_second: float
    error_m: float

    def summary(self) -> dict[str, Any]:
        return asdict(self)


def trace(sim: Simulator, samples: int, steps: int) -> tuple[np.ndarray, float]:
    """Positions of all bodies after every `steps` steps, (samples, bodies, 3), and the CPU time of a step [s]."""
    out, spent = [], 0.0
    for _ in range(samples):
        begin = time.thread_time()
        sim.step(n=steps)
        spent += time.thread_time() - begin
        out.append(sim.poses()[:, :3])
    return np.array(out), spent / (samples * steps)


def work_precision(
    make: Callable[[float], Simulator],
    dt: float,
    duration: float,
    label: str,
    factors: Sequence[float] = FACTORS,
    bar: Progress | None = None,
) -> list[Point]:
    """Points for steps of `factors` times dt, largest first. `make(dt)` gives a fresh simulator; steps that it refuses are left out."""
    longest = max(factors)
    samples = max(1, int(duration / (longest * dt) + 1e-9))
    reference, _ = trace(make(REFERENCE * dt), samples, round(longest / REFERENCE))
    points = []
    for factor in sorted(factors, reverse=True):
        try:
            sim = make(factor * dt)
        except InvalidInput:
            continue
        positions, seconds = trace(sim, samples, round(longest / factor))
        error = float(np.linalg.norm(positions - reference, axis=2).max(initial=0.0))
        points.append(Point(label, factor * dt, 1e6 * seconds, 1e3 * seconds / (factor * dt), error))
        if bar is not None:
            bar.advance(note=f"{label} dt {factor * dt:g}")
    return points
