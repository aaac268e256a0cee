# SPDX-License-Identifier: BSD-2-Clause
"""The paper's ADMM (its Algorithm 3; for exact Coulomb friction with the shift of De Saxcé taken from the last iterate), in NumPy: a second
implementation that tells how many iterations the method needs, whoever writes it."""

from __future__ import annotations

import numpy as np

import stiction as st

from . import published as p
from .numpy_judge import judge, onto_cones

PROX = 1e-6
START, FACTOR = 0.2, 0.05  # powers of the condition number: of the first penalty, and of a change of it
RATIO = 10.0  # of primal and dual residual, at which the penalty changes


def _shift(u: np.ndarray, mu: np.ndarray, law: str) -> np.ndarray:
    out = np.zeros_like(u)
    if law == "convex":
        return out
    out[2::3] = mu * np.hypot(u[0::3], u[1::3])
    return out


def iterations(problem: st.ContactProblem, stop: float, most: int = 20000, start: np.ndarray | None = None) -> int:
    """From an impulse, or zero, until the residual by NumPy is `stop` newtons, in the paper's scale."""
    G, g, mu = problem.G, problem.g, problem.mu
    largest = float(np.linalg.eigvalsh(G)[-1])
    condition = largest / PROX
    penalty, before = np.sqrt(largest * PROX) * condition**START, -1.0
    y = np.zeros(problem.rows) if start is None else onto_cones(start, mu)
    x, z = y.copy(), _dual(G @ y + g, mu, problem.law)
    inverse = np.empty((0, 0))
    for n in range(1, most + 1):
        if penalty != before:
            inverse, before = np.linalg.inv(G + (PROX + penalty) * np.eye(problem.rows)), penalty
        old_x, old_y = x, y
        x = inverse @ (penalty * y + PROX * x + z - g - _shift(z, mu, problem.law))
        y = onto_cones(x - z / penalty, mu)
        z = z - penalty * (x - y)
        primal, dual, power = judge(problem, (y / p.STEP).reshape(-1, 3))
        if max(primal, 1e3 * dual, 1e3 * power) <= stop:
            return n
        split, moved = np.abs(x - y).max(), np.abs(penalty * (y - old_y) + PROX * (x - old_x)).max()
        if split > RATIO * moved:
            penalty *= condition**FACTOR
        elif moved > RATIO * split:
            penalty = max(penalty / condition**FACTOR, PROX)
    return most


def _dual(u: np.ndarray, mu: np.ndarray, law: str) -> np.ndarray:
    """The nearest point of the dual cones to u and its shift."""
    v = u + _shift(u, mu, law)
    return np.asarray(v + onto_cones(-v, mu))
