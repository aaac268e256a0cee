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


KINDS = ("spectrum", "scaled", "clustered")


def adversarial(
    contacts: int | None = None, *, seed: int = 0, kind: str | None = None, condition: float | None = None, rank: float | None = None,
    form: str = "dense",
) -> ContactProblem:  # fmt: skip
    """G = A A' with random A; u = 0 can be reached, so that a solution exists.

    Parameters
    ----------
    contacts
        None draws 1 to 24, evenly in the logarithm.
    kind
        `spectrum`: eigenvalues fall evenly in the logarithm; `scaled`: rows of very different size; `clustered`: contacts
        that nearly repeat each other. None draws one.
    condition
        Largest over smallest eigenvalue of G that is not zero, at most; None draws 1 to 1e6, evenly in the logarithm.
    rank
        Rank of G over its rows; None draws 0.35 to 1. Below 1, G is singular.
    form
        `dense`, `sparse` or `bodies`.
    seed
        Of what is drawn at random.
    """
    if kind is not None and kind not in KINDS:
        raise InvalidInput(f"adversarial.kind is '{kind}', expected one of: {' '.join(KINDS)}")
    random = np.random.default_rng(seed)
    n = int(np.exp(random.uniform(0.0, np.log(25.0)))) if contacts is None else contacts
    ratio = 10.0 ** random.uniform(0.0, 6.0) if condition is None else condition
    share = random.choice([1.0, random.uniform(0.35, 1.0)]) if rank is None else rank
    m = max(1, round(share * 3 * n))
    chosen = str(random.choice(KINDS)) if kind is None else kind
    left, size, right = np.linalg.svd(_random_rows(random, chosen, n, m), full_matrices=False)
    if chosen == "spectrum":
        size = np.geomspace(1.0, 1.0 / np.sqrt(ratio), m)
    A = left * np.maximum(size, size[0] / np.sqrt(ratio)) @ right
    free = random.standard_normal(m)
    if random.random() < 0.5:  # along the directions in which G is small
        free = right.T @ (right @ free / np.maximum(size / size[0], 1.0 / np.sqrt(ratio)))
    mu = np.where(random.random(n) < 0.1, 0.0, random.uniform(0.0, 2.0, n))
    if form == "bodies":
        return ContactProblem.from_bodies(np.eye(m), A, np.zeros(3 * n), f=free, mu=mu)
    out = ContactProblem(A @ A.T, A @ free, mu=mu)
    return out.condense(dense=False) if form == "sparse" else out


def _random_rows(random: np.random.Generator, kind: str, n: int, m: int) -> np.ndarray:
    A = random.standard_normal((3 * n, m))
    if kind == "scaled":
        A *= 10.0 ** random.uniform(-1.5, 1.5, (n, 1)).repeat(3, axis=0)
    if kind == "clustered":
        first = random.integers(0, max(1, n // 3), n)
        A = A.reshape(n, 3, m)[first].reshape(3 * n, m) + 10.0 ** random.uniform(-3.0, -1.0) * random.standard_normal(
            (3 * n, m)
        )
    return A


def infeasible(contacts: int | None = None, *, seed: int = 0, form: str = "dense") -> ContactProblem:
    """Bodies squeezed by walls that come nearer: no impulse keeps all contacts from penetrating.

    Rows are random but for the last two normals: some weighted sum of normals is zero, and the walls' speeds make the
    same sum of velocities negative (see `certificate`).

    Parameters
    ----------
    contacts
        How many; None draws.
    seed
        Of what is drawn at random.
    form
        `dense`, `sparse` or `bodies`.
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

    Parameters
    ----------
    problem
        That may be infeasible.
    """
    try:
        from scipy.optimize import linprog
    except ImportError as error:
        raise ImportError("generate.certificate needs SciPy: pip install 'stiction[bench]'") from error
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
