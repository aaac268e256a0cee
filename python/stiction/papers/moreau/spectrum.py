# SPDX-License-Identifier: BSD-2-Clause
"""The convergence bound of proximal iterations, and iteration counts over the step factor alpha.

All contacts closed and sticking, JOR converges iff alpha < 2 / lambda_max(D^-1 G), D the diagonal that the steps are taken from: tangential
entries of a contact replaced by the larger one. With bilateral rows solved for ("direct") G is the Schur complement and D stays the
diagonal of the contact rows before the elimination.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ... import _core


def split_rows(problem: _core.ContactProblem) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of the rows that are not bilateral, and of those that are."""
    held = np.zeros(problem.rows, dtype=bool)
    for b in problem.blocks:
        if b.kind == "bilateral":
            held[b.row : b.row + b.size] = True
    return np.flatnonzero(~held), np.flatnonzero(held)


def matrix(problem: _core.ContactProblem) -> np.ndarray:
    """G + R."""
    compliance = problem.compliance
    return problem.G + (np.diag(compliance) if len(compliance) else 0.0)


def schur(problem: _core.ContactProblem) -> np.ndarray:
    """G of the contact rows after bilateral rows are solved for."""
    G = matrix(problem)
    u, b = split_rows(problem)
    if len(b) == 0:
        return G
    return G[np.ix_(u, u)] - G[np.ix_(u, b)] @ np.linalg.solve(G[np.ix_(b, b)], G[np.ix_(b, u)])


def step_diagonal(problem: _core.ContactProblem) -> np.ndarray:
    """D of all rows."""
    d = np.diag(matrix(problem)).copy()
    for b in problem.blocks:
        if b.kind == "coulomb":
            d[b.row : b.row + 2] = d[b.row : b.row + 2].max()
    return d


def alpha_max(problem: _core.ContactProblem, *, direct: bool = False) -> float:
    """The largest step factor with which JOR converges on sticking contacts."""
    d = step_diagonal(problem)
    if direct:
        d = d[split_rows(problem)[0]]
        G = schur(problem)
    else:
        G = matrix(problem)
    scale = 1.0 / np.sqrt(d)
    return float(2.0 / np.linalg.eigvalsh(scale[:, None] * G * scale[None, :])[-1])


@dataclass(frozen=True)
class Outcome:
    """How an iteration ended."""

    iterations: int
    converged: bool
    impulse: np.ndarray


def iterate(
    problem: _core.ContactProblem, method: str, alpha: float, *, direct: bool = False, tolerance: float = 1e-6,
    max_iterations: int = 4000, warm_start: np.ndarray | None = None,
) -> Outcome:  # fmt: skip
    """JOR or SOR with the paper's rule: every |change| <= tolerance |L| + tolerance [N s]. Converged also means that the judge finds a
    solution to within 1e-3: iterations that blow up or cycle are not."""
    impulse, report = _core.solve(
        problem, method, tolerance=1e-3, warm_start=warm_start, alpha=alpha, stop="change", relative_change=tolerance,
        absolute_change=tolerance, max_iterations=max_iterations, eliminate_bilateral=direct,
    )  # fmt: skip
    return Outcome(report.iterations, report.status == "converged", impulse)


def foot_drift(
    problem: _core.ContactProblem, *, alpha: float = 0.6, steps: int = 100, warm: bool = False, tolerance: float = 1e-6
) -> np.ndarray:
    """Normal velocities of the contacts [m/s] after each of some steps of Moreau's scheme with frozen geometry, (steps, contacts).

    JOR stops while contacts still approach a little; from a cold start they do so in every step, which shows as sinking.
    """
    if problem.dt is None:
        raise _core.InvalidInput("foot_drift: the problem has no dt, expected one of a simulator")
    G, free = problem.G, problem.g
    normals = [b.row + 2 for b in problem.blocks if b.kind == "coulomb"]
    velocity, impulse = np.zeros(problem.rows), np.zeros(problem.rows)
    out = np.empty((steps, len(normals)))
    for k in range(steps):
        step = _core.ContactProblem(G, free + velocity, blocks=problem.blocks, dt=problem.dt)
        impulse = iterate(step, "jor", alpha, tolerance=tolerance, warm_start=impulse if warm else None).impulse
        velocity = G @ impulse + free + velocity
        out[k] = velocity[normals]
    return out
