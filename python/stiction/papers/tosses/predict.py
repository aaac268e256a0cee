# SPDX-License-Identifier: BSD-2-Clause
"""Tosses predicted from their first sample, in batches of tosses of about the same length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..._core import BatchSimulator, Simulator
from .cube import Cube, start, world
from .recordings import INTERVAL, Motion, Toss

GROUP = 20  # tosses per batch
Predict = Callable[[Cube, list[Toss]], list[Motion]]


@dataclass(frozen=True)
class Method:
    """How a toss is simulated here."""

    law: str = "coulomb"
    stepper: str = "semi_implicit"
    substeps: int = 2  # per sample
    law_options: dict[str, Any] = field(default_factory=dict)
    stepper_options: dict[str, Any] = field(default_factory=dict)

    def simulator(self, cube: Cube) -> Simulator:
        return Simulator(world(cube), law=self.law, stepper=self.stepper, dt=INTERVAL / self.substeps,
                         law_options=dict(self.law_options), stepper_options=dict(self.stepper_options))  # fmt: skip

    def __call__(self, cube: Cube, tosses: list[Toss]) -> list[Motion]:
        sim, first = self.simulator(cube), start(cube, tosses)
        q, v = first.q, first.v
        out: list[Motion | None] = [None] * len(tosses)
        for group in groups(tosses):
            run = _run(sim, q[group], v[group], max(len(tosses[i]) for i in group), self.substeps)
            for i, states in zip(group, run, strict=True):
                out[i] = Motion(states[: len(tosses[i]), :3], states[: len(tosses[i]), 3:])
        return [m for m in out if m is not None]


def groups(tosses: Sequence[Toss]) -> list[np.ndarray]:
    order = np.argsort([len(t) for t in tosses], kind="stable")
    return list(np.array_split(order, max(1, len(tosses) // GROUP)))


def _run(sim: Simulator, q: np.ndarray, v: np.ndarray, samples: int, substeps: int) -> np.ndarray:
    """Configurations, (tosses, samples, 7)."""
    batch = BatchSimulator(sim, n=len(q), threads=1)
    batch.q[:], batch.v[:] = q, v
    states = np.empty((len(q), samples, 7))
    states[:, 0] = q
    for k in range(1, samples):
        batch.step(n=substeps)
        states[:, k] = batch.q
    return states
