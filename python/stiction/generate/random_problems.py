# SPDX-License-Identifier: BSD-2-Clause
"""Random matrices without bodies behind them: harder than physics, and problems that provably have no solution."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._core import ContactProblem, InvalidInput


class Certificate(NamedTuple):
    """y >= 0, one per contact, with y' G_N = 0 and y' g_N < 0: then no impulse makes all normal velocities >= 0."""

    y: np.ndarray
    defect: float  # |y' G_N| over its terms: zero up to round-off
    gap: float  # y' g_N over its terms: below zero


def adversarial(
    contacts: int | None = None, *, seed: int = 0, condition: float | None = None, rank: float | None = None, form: str = "dense"
) -> ContactProblem:
    """G = A A' with random A; u = 0 can be reached, so that a solution exists.

    Parameters
    ----------
    contacts
        None draws 1 to 12.
    condition
        Largest over smallest eigenvalue of G that is not zero; None draws 1 to 1e6, evenly in the logarithm.
    rank
        Rank of G over its rows; None draws 0.35 to 1. Below 1, G is singular.
    form
        `dense`, `sparse` or `bodies`.
    """
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 13)) if contacts is None else contacts
    ratio = 10.0 ** random.uniform(0.0, 6.0) if condition is None else condition
    share = random.choice([1.0, random.uniform(0.35, 1.0)]) if rank is None else rank
    m = max(1, round(share * 3 * n))
    left, _, right = np.linalg.svd(random.standard_normal((3 * n, m)), full_matrices=False)
    A = left * np.sqrt(np.geomspace(1.0, 1.0 / ratio, m)) @ right
    free = random.standard_normal(m)
    mu = np.where(random.random(n) < 0.1, 0.0, random.uniform(0.0, 2.0, n))
    if form == "bodies":
        return ContactProblem.from_bodies(np.eye(m), A, np.zeros(3 * n), f=free, mu=mu)
    out = ContactProblem(A @ A.T, A @ free, mu=mu)
    return out.condense(dense=False) if form == "sparse" else out


def infeasible(contacts: int | None = None, *, seed: int = 0, form: str = "dense") -> ContactProblem:
    """Bodies squeezed by walls that come nearer: no impulse keeps all contacts from penetrating.

    Rows are random but for the last two normals: some weighted sum of normals is zero, and the walls' speeds make the
    same sum of velocities negative (see `certificate`).
    """
    random = np.random.default_rng(seed)
    n = int(random.integers(2, 13)) if contacts is None else contacts
    if n < 2:
        raise InvalidInput(f"infeasible.contacts is {n}, expected at least 2: one contact can always open")
    m = int(random.integers(max(3, n), 3 * n + 1))
    J = random.standard_normal((3 * n, m))
    squeezed = int(random.integers(1, n))  # contacts 0 to squeezed act against the last one
    weight = random.uniform(0.2, 1.0, squeezed)
    J[3 * n - 1] = -weight @ J[2 : 3 * squeezed : 3]
    w = 0.3 * random.standard_normal(3 * n)
    w[2 : 3 * squeezed : 3] = -random.uniform(0.1, 1.0, squeezed)
    w[3 * n - 1] = -random.uniform(0.1, 1.0)
    mu = random.uniform(0.0, 1.5, n)
    if form == "bodies":
        return ContactProblem.from_bodies(np.eye(m), J, w, f=random.standard_normal(m), mu=mu)
    out = ContactProblem(J @ J.T, J @ random.standard_normal(m) + w, mu=mu)
    return out.condense(dense=False) if form == "sparse" else out


def certificate(problem: ContactProblem) -> Certificate | None:
    """The proof that no solution exists, or None if normal velocities >= 0 can be reached. A linear program; needs SciPy.

    maximise t  such that  G_N r + g_N >= t, t <= 1: t < 0 means infeasible, and the multipliers are y.
    """
    try:
        from scipy.optimize import linprog
    except ImportError as error:
        raise ImportError("generate.certificate needs SciPy: pip install scipy") from error
    normal = np.array([b.row + 2 for b in problem.blocks if b.kind == "coulomb"])
    rows, g = problem.G[normal], problem.g[normal]
    size = max(float(np.abs(rows).max(initial=0.0)), 1e-300)
    A = np.column_stack([-rows / size, np.ones(len(g))])
    bounds: list[Any] = [(None, None)] * problem.rows + [(None, 1.0)]
    result = linprog(np.append(np.zeros(problem.rows), -1.0), A_ub=A, b_ub=g, bounds=bounds, method="highs")
    if result.status != 0 or result.x[-1] >= -1e-9 * max(1.0, float(np.abs(g).max(initial=0.0))):
        return None
    y = np.maximum(-result.ineqlin.marginals, 0.0)
    return Certificate(y, float(np.abs(y @ rows).max() / (y @ np.abs(rows)).max()), float(y @ g / (y @ np.abs(g))))


__all__ = ["Certificate", "adversarial", "certificate", "infeasible"]
