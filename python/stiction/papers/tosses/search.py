# SPDX-License-Identifier: BSD-2-Clause
"""A search without derivatives: covariance matrix adaptation (Hansen, "The CMA evolution strategy: a tutorial", 2016), without restarts.

The mean error over many tosses is full of kinks and small jumps: a cube that tumbles lands on one face or on another. Its derivative is
right for every single toss and says nothing about the mean, so the search asks for values only. It draws `size` points around a mean,
moves the mean to a weighted average of the better half, and adapts step and covariance from how it moved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Array = np.ndarray


@dataclass(frozen=True)
class Found:
    x: Array
    value: float
    evaluations: int


@dataclass(frozen=True)
class _Rates:
    """Weights and learning rates for n unknowns, as in table 1 of the tutorial, without negative weights."""

    weights: Array
    mass: float  # variance-effective number of the chosen
    path: float
    step: float
    damping: float
    one: float
    many: float
    length: float  # expected length of a normal vector

    @staticmethod
    def of(n: int, size: int) -> _Rates:
        chosen = size // 2
        w = np.log(chosen + 0.5) - np.log(np.arange(1, chosen + 1))
        w /= w.sum()
        mass = float(1.0 / (w @ w))
        step = (mass + 2.0) / (n + mass + 5.0)
        one = 2.0 / ((n + 1.3) ** 2 + mass)
        return _Rates(
            w, mass, (4.0 + mass / n) / (n + 4.0 + 2.0 * mass / n), step,
            1.0 + 2.0 * max(0.0, float(np.sqrt((mass - 1.0) / (n + 1.0))) - 1.0) + step,
            one, min(1.0 - one, 2.0 * (mass - 2.0 + 1.0 / mass) / ((n + 2.0) ** 2 + mass)),
            float(np.sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n))),
        )  # fmt: skip


def minimise(
    f: Callable[[Array], float], start: Array, evaluations: int, step: float = 0.6, seed: int = 0,
    say: Callable[[int, float], None] | None = None,
) -> Found:  # fmt: skip
    """The best point met within so many evaluations, the first of which is the start. The same seed, the same points."""
    n, draw = len(start), np.random.default_rng(seed)
    size = 4 + int(3.0 * np.log(n))
    rate = _Rates.of(n, size)
    mean, covariance = np.array(start, dtype=float), np.eye(n)
    path, sigma_path, sigma = np.zeros(n), np.zeros(n), step
    best, value, used, round_ = mean.copy(), f(mean), 1, 0
    while used + size <= evaluations:
        scale, axes = np.linalg.eigh(covariance)
        scale = np.sqrt(np.maximum(scale, 1e-20))
        moves = (draw.standard_normal((size, n)) * scale) @ axes.T
        values = np.array([f(mean + sigma * move) for move in moves])
        order, used, round_ = np.argsort(values, kind="stable"), used + size, round_ + 1
        if values[order[0]] < value:
            value, best = float(values[order[0]]), mean + sigma * moves[order[0]]
        chosen = moves[order[: size // 2]]
        move = rate.weights @ chosen
        mean = mean + sigma * move
        sigma_path = (1.0 - rate.step) * sigma_path + np.sqrt(rate.step * (2.0 - rate.step) * rate.mass) * (
            axes @ ((axes.T @ move) / scale)
        )
        length = np.linalg.norm(sigma_path) / np.sqrt(1.0 - (1.0 - rate.step) ** (2 * round_))
        calm = float(length < (1.4 + 2.0 / (n + 1.0)) * rate.length)
        path = (1.0 - rate.path) * path + calm * np.sqrt(rate.path * (2.0 - rate.path) * rate.mass) * move
        covariance = ((1.0 - rate.one - rate.many) * covariance
                      + rate.one * (np.outer(path, path) + (1.0 - calm) * rate.path * (2.0 - rate.path) * covariance)
                      + rate.many * (chosen.T * rate.weights) @ chosen)  # fmt: skip
        sigma *= float(np.exp(rate.step / rate.damping * (np.linalg.norm(sigma_path) / rate.length - 1.0)))
        if say is not None:
            say(used, value)
    return Found(best, value, used)
