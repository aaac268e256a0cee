# SPDX-License-Identifier: BSD-2-Clause
"""Small networks of tanh layers with their gradients, and Adam (Kingma and Ba 2015), in NumPy.

    h_0 = x,  h_k = tanh(h_{k−1} W_k + b_k),  out = h_{m−1} W_m + b_m

All numbers of a network are one vector, `numbers`; weights are views of it, so that a step of Adam is one line. Products are float32
and left to BLAS: results have the same bits on one machine with one number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float32]


class Network:
    """Layers of `sizes`; rows in, rows out."""

    def __init__(self, sizes: Sequence[int], random: np.random.Generator, last: float = 1.0) -> None:
        """Weights begin normal with variance 1 / width, those of the last layer times `last`."""
        self.sizes = tuple(int(size) for size in sizes)
        self.numbers = np.zeros(sum((a + 1) * b for a, b in pairwise(self.sizes)), np.float32)
        self.layers = self._views(self.numbers)
        for k, (weights, _) in enumerate(self.layers):
            scale = (last if k == len(self.layers) - 1 else 1.0) / np.sqrt(len(weights))
            weights[:] = scale * random.standard_normal(weights.shape)

    def _views(self, numbers: Numbers) -> list[tuple[Numbers, Numbers]]:
        """(weights, offsets) of each layer as parts of one vector."""
        views, at = [], 0
        for a, b in pairwise(self.sizes):
            views.append((numbers[at : at + a * b].reshape(a, b), numbers[at + a * b : at + (a + 1) * b]))
            at += (a + 1) * b
        return views

    def forward(self, rows: Numbers) -> list[Numbers]:
        """What every layer gives: rows themselves first, the result last."""
        seen = [rows]
        for k, (weights, offsets) in enumerate(self.layers):
            out = seen[-1] @ weights + offsets
            seen.append(out if k == len(self.layers) - 1 else np.tanh(out))
        return seen

    def backward(self, seen: list[Numbers], wanted: Numbers) -> Numbers:
        """The gradient of a sum over rows by `numbers`; `wanted` is its derivative by the result, `seen` what forward gave."""
        gradient = np.empty_like(self.numbers)
        views = self._views(gradient)
        for k in range(len(self.layers) - 1, -1, -1):
            views[k][0][:] = seen[k].T @ wanted
            views[k][1][:] = wanted.sum(axis=0)
            if k > 0:
                wanted = (wanted @ self.layers[k][0].T) * (1.0 - seen[k] * seen[k])
        return gradient


class Adam:
    """m ← β₁ m + (1 − β₁) g,  s ← β₂ s + (1 − β₂) g²,  x ← x − rate m̂ / (√ŝ + ε)."""

    def __init__(self, size: int) -> None:
        self.mean, self.square, self.count = np.zeros(size, np.float32), np.zeros(size, np.float32), 0

    def step(self, numbers: Numbers, gradient: Numbers, rate: float) -> None:
        """Change `numbers` in place."""
        self.count += 1
        self.mean += 0.1 * (gradient - self.mean)
        self.square += 0.001 * (gradient * gradient - self.square)
        mean, square = self.mean / (1.0 - 0.9**self.count), self.square / (1.0 - 0.999**self.count)
        numbers -= np.float32(rate) * (mean / (np.sqrt(square) + 1e-8))
