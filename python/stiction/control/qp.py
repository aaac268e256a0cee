# SPDX-License-Identifier: BSD-2-Clause
"""Small dense quadratic programs by ProxSuite:  min ½ yᵀHy + gᵀy  subject to  A y = b,  l ≤ C y.  [Bambade23]"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def _proxqp() -> Any:
    try:
        import proxsuite
    except ImportError:
        raise ImportError(
            "this controller solves quadratic programs with ProxSuite, which is not installed: pip install 'stiction[control]'"
        ) from None
    return proxsuite.proxqp.dense


@dataclass(frozen=True)
class QpResult:
    """A solution and how it was reached."""

    y: Array
    solved: bool
    iterations: int


class DenseQp:
    """Solves problems of one size after another; each starts from the solution of the last one of the same sizes."""

    def __init__(self, tolerance: float = 1e-7, most_iterations: int = 100) -> None:
        self._dense = _proxqp()
        self._kept: dict[tuple[int, int, int], Any] = {}
        self.tolerance, self.most_iterations = tolerance, most_iterations

    def solve(self, H: Array, g: Array, A: Array, b: Array, C: Array, low: Array) -> QpResult:
        """The arguments are those of the module's first line."""
        sizes = (g.size, b.size, low.size)
        high = np.full(low.size, 1e20)
        qp = self._kept.get(sizes)
        if qp is None:
            qp = self._kept[sizes] = self._dense.QP(*sizes)
            qp.settings.eps_abs, qp.settings.eps_rel = self.tolerance, 0.0
            qp.settings.max_iter = self.most_iterations  # a robot that has fallen asks for the impossible
            qp.init(H, g, A, b, C, low, high)
        else:
            qp.update(H=H, g=g, A=A, b=b, C=C, l=low, u=high)
        qp.solve()
        info = qp.results.info
        solved = "SOLVED" in str(info.status) and "INFEASIBLE" not in str(info.status)
        return QpResult(np.array(qp.results.x, dtype=np.float64), solved, int(info.iter))
