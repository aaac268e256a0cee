# SPDX-License-Identifier: BSD-2-Clause
"""The four laws in NumPy, from their definitions: how far an impulse is from what its law asks, in newtons, metres per second and watts."""

from __future__ import annotations

import numpy as np

import stiction as st

Residuals = tuple[float, float, float]  # primal [N], dual [m/s], complementarity [W]


def velocity(problem: st.ContactProblem, impulse: np.ndarray) -> np.ndarray:
    """(contacts, 3), T1 T2 N."""
    return np.asarray((problem.G @ impulse + problem.g).reshape(-1, 3))


def onto_cones(impulse: np.ndarray, mu: np.ndarray) -> np.ndarray:
    """The nearest point of the product of cones."""
    x = impulse.reshape(-1, 3)
    t, z = np.hypot(x[:, 0], x[:, 1]), x[:, 2]
    height = np.maximum(mu * t + z, 0.0) / (1.0 + mu**2)
    edge = np.column_stack([(mu * height / np.maximum(t, 1e-300))[:, None] * x[:, :2], height])
    return np.asarray(np.where((t <= mu * z)[:, None], x, edge).ravel())


def _length(x: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.norm(x, axis=1))


def _largest(x: np.ndarray) -> float:
    return float(np.max(x, initial=0.0))


def judge(problem: st.ContactProblem, force: np.ndarray, law: str | None = None) -> Residuals:
    """Under the law of the problem, or another one; forces (contacts, 3) [N]."""
    dt = problem.dt if problem.dt is not None else 1.0
    c = velocity(problem, dt * force.ravel())
    kind = law or problem.law
    if kind == "pyramid":
        return _pyramid(problem, force, c)
    if kind == "raisim":
        return _raisim(problem, force, c)
    return _cone(problem, force, c, shifted=kind == "coulomb")


def _cone(problem: st.ContactProblem, force: np.ndarray, c: np.ndarray, shifted: bool) -> Residuals:
    """K ∋ λ ⊥ u ∈ K*, u = c for the convex law, c with μ |c_T| added to its normal part for Coulomb's."""
    u = c.copy()
    if shifted:
        u[:, 2] += problem.mu * _length(c[:, :2])
    primal = force - onto_cones(force.ravel(), problem.mu).reshape(-1, 3)
    dual = onto_cones(-u.ravel(), problem.mu).reshape(-1, 3)  # Moreau: x - P_K*(x) = -P_K(-x)
    return _largest(_length(primal)), _largest(_length(dual)), _largest(np.abs((force * u).sum(axis=1)))


def _pyramid(problem: st.ContactProblem, force: np.ndarray, c: np.ndarray) -> Residuals:
    """0 ≤ λ_N ⟂ c_N ≥ 0, and along each axis friction within ±μ λ_N that takes the most it can."""
    limit = problem.mu * np.maximum(force[:, 2], 0.0)
    beyond = np.maximum(np.abs(force[:, :2]) - limit[:, None], 0.0).max(axis=1)
    spared = (limit[:, None] * np.abs(c[:, :2]) + force[:, :2] * c[:, :2]).sum(axis=1)
    power = np.abs(force[:, 2] * c[:, 2]) + np.abs(spared)
    return _largest(np.maximum(beyond, -force[:, 2])), _largest(-c[:, 2]), _largest(power)


def _raisim(problem: st.ContactProblem, force: np.ndarray, c: np.ndarray) -> Residuals:
    """0 ≤ λ_N ⟂ c_N ≥ 0, friction within the cone; inside it nothing slips, on it c_T points along -λ_T - μ² λ_N/G_NN G_NT."""
    blocks = problem.G.reshape(problem.contacts, 3, problem.contacts, 3)
    own = np.array([blocks[i, :, i, :] for i in range(problem.contacts)])
    t, limit, slip = _length(force[:, :2]), problem.mu * np.maximum(force[:, 2], 0.0), _length(c[:, :2])
    along = -force[:, :2] - (problem.mu**2 * force[:, 2] / own[:, 2, 2])[:, None] * own[:, 2, :2]
    turned = slip - (along * c[:, :2]).sum(axis=1) / np.maximum(_length(along), 1e-300)
    held = np.maximum(limit - t, 0.0) * slip
    power = np.abs(force[:, 2] * c[:, 2]) + np.where(limit > 0.0, held + np.minimum(t, limit) * turned, 0.0)
    return _largest(np.maximum(np.maximum(t - limit, 0.0), -force[:, 2])), _largest(-c[:, 2]), _largest(power)


def relative(problem: st.ContactProblem, force: np.ndarray, fall: float, weight: float) -> float:
    """The largest residual, over the largest force (the weight at least) and the largest speed without contact (that of a fall in a
    step at least): what solvers are asked for is relative, too, and free speeds go up to a hundred times a fall."""
    primal, dual, power = judge(problem, force)
    scale, speed = max(float(np.abs(force).max()), weight), max(float(np.abs(problem.g).max()), fall)
    return max(primal / scale, dual / speed, power / (scale * speed))
