# SPDX-License-Identifier: BSD-2-Clause
"""Mean and deviation of all observations that a search has seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class Seen:
    """Mean and deviation of the observations so far (Chan's update)."""

    def __init__(self, width: int) -> None:
        self.count, self.mean, self.squares = 1e-4, np.zeros(width), np.zeros(width)

    def add(self, rows: NDArray[np.float64]) -> None:
        n, mean = len(rows), rows.mean(axis=0)
        apart, total = mean - self.mean, self.count + n
        self.squares += ((rows - mean) ** 2).sum(axis=0) + apart**2 * self.count * n / total
        self.mean = self.mean + apart * n / total
        self.count = total

    @property
    def deviation(self) -> NDArray[np.float64]:
        spread = np.sqrt(self.squares / self.count)
        return np.where(spread < 1e-6, 1.0, spread)  # what never changes is not divided by
