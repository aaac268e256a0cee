# SPDX-License-Identifier: BSD-2-Clause
"""Alternating runs of several engines, their times and ratios."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .engines import MuJoCo


@dataclass
class Race:
    """Times of alternating runs [us per step], and positions of the feet after each."""

    engines: Sequence[Any]
    times: dict[str, list[float]] = field(default_factory=dict)
    places: dict[str, list[np.ndarray]] = field(default_factory=dict)

    def run(
        self, rounds: int, steps: int, look: Callable[[np.ndarray], np.ndarray] | None = None, restart: bool = False
    ) -> None:
        for _ in range(rounds):
            for engine in self.engines:
                if restart:
                    engine.restart()
                begin = time.thread_time_ns()
                engine.advance(steps)
                self.times.setdefault(engine.name, []).append((time.thread_time_ns() - begin) / steps / 1e3)
                if look is not None:
                    self.places.setdefault(engine.name, []).append(look(engine.qpos()))

    def ratio(self, peer: str) -> np.ndarray:
        """Peer's time over ours, one per alternation: above 1 we are faster."""
        return np.array(self.times[peer]) / np.array(self.times[self.engines[0].name])


def quantile(engine: Any, steps: int, share: float = 0.999) -> float:
    """Of the time of single steps [us]."""
    one = engine.single_step if isinstance(engine, MuJoCo) else engine.sim.step
    times = np.empty(steps)
    for i in range(steps):
        begin = time.thread_time_ns()
        one()
        times[i] = time.thread_time_ns() - begin
    return float(np.quantile(times, share)) / 1e3


def result(scene: str, race: Race, engine: Any, extra: dict[str, Any]) -> dict[str, Any]:
    times = np.array(race.times[engine.name])
    ratios = race.ratio(engine.name)
    return {
        "scene": scene, "engine": engine.name, "us_per_step": float(np.median(times)),
        "ratio": float(np.median(ratios)), "ratio_quartiles": [float(x) for x in np.quantile(ratios, [0.25, 0.75])],
        "ratio_range": [float(ratios.min()), float(ratios.max())], "alternations": len(times),
        "us_of_each": [round(float(t), 3) for t in times], **extra,
    }  # fmt: skip
