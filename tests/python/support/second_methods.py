# SPDX-License-Identifier: BSD-2-Clause
"""Contact and complementarity problems solved a second time: short NumPy programs that share nothing with the engine.

Rows are (T1, T2, N). u = W r + q; Coulomb's law: u_N >= 0, |r_T| <= mu r_N, friction against the slip.
"""

from __future__ import annotations

import itertools

import numpy as np


def one_contact(W: np.ndarray, q: np.ndarray, mu: float) -> np.ndarray:
    """Exact impulse of a contact alone: it opens, sticks, or slides into a direction that is a root of a polynomial.

    Slip u_T = s d with |d| = 1 makes r = r_N (-mu d, 1) and u_N = 0, so r_N = -q_N / (W_NN - mu W_NT d); what is left,
    u_T x d = 0, is a trigonometric polynomial of second degree in the angle of d. Of several roots the least r_N is taken.
    """
    if q[2] >= 0.0:
        return np.zeros(3)
    stick = -np.linalg.solve(W, q)
    if np.hypot(*stick[:2]) <= mu * stick[2]:
        return stick

    def slide(angle):
        d = np.array([np.cos(angle), np.sin(angle)])
        below = W[2, 2] - mu * W[2, :2] @ d
        slip = q[:2] * below - q[2] * (W[:2, 2] - mu * W[:2, :2] @ d)  # u_T times `below`
        return d, below, slip, slip[0] * d[1] - slip[1] * d[0]

    samples = np.array([slide(2 * np.pi * k / 8)[3] for k in range(8)])
    c = np.fft.fft(samples) / 8
    roots = np.roots([c[2], c[1], c[0], c[-1], c[-2]])
    found = []
    for angle in np.angle(roots[np.abs(np.abs(roots) - 1.0) < 1e-5]):
        for _ in range(3):  # Newton, with the slope of a central difference
            slope = (slide(angle + 1e-6)[3] - slide(angle - 1e-6)[3]) / 2e-6
            angle -= slide(angle)[3] / slope if slope else 0.0
        d, below, slip, _ = slide(angle)
        if below > 0.0 and slip @ d >= 0.0:
            found.append(-q[2] / below * np.array([*(-mu * d), 1.0]))
    assert found, "a contact that neither opens nor sticks must slide"
    return min(found, key=lambda r: r[2])


def sweep(W: np.ndarray, q: np.ndarray, mu: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Nonlinear Gauss-Seidel: every contact once, in order, the others held."""
    r = r.copy()
    for i in range(mu.size):
        rows = slice(3 * i, 3 * i + 3)
        r[rows] = one_contact(W[rows, rows], q[rows] + W[rows] @ r - W[rows, rows] @ r[rows], mu[i])
    return r


def natural_map(W: np.ndarray, q: np.ndarray, mu: np.ndarray, r: np.ndarray, convex: bool = False) -> np.ndarray:
    """r - P(r - rho (u + shift)), P the projection onto Coulomb's cones, rho = 1 / |W|: zero at solutions only."""
    x, R = (W @ r + q).reshape(-1, 3).copy(), r.reshape(-1, 3)
    if not convex:
        x[:, 2] += mu * np.hypot(x[:, 0], x[:, 1])
    x = R - x / np.linalg.norm(W, 2)
    slip = np.hypot(x[:, 0], x[:, 1])
    normal = (x[:, 2] + mu * slip) / (1.0 + mu**2)
    edge = np.column_stack([(mu * normal / np.where(slip > 0.0, slip, 1.0))[:, None] * x[:, :2], normal])
    inside, polar = slip <= mu * x[:, 2], mu * slip <= -x[:, 2]
    return (R - np.where(inside[:, None], x, np.where(polar[:, None], 0.0, edge))).ravel()


def natural_error(W: np.ndarray, q: np.ndarray, mu: np.ndarray, r: np.ndarray, convex: bool = False) -> float:
    """The largest entry of the natural map, relative to that of |q| / |W| and of |r|."""
    scale = max(np.abs(r).max(), np.abs(q).max() / np.linalg.norm(W, 2))
    return float(np.abs(natural_map(W, q, mu, r, convex)).max() / scale)


def lcp_solutions(M: np.ndarray, q: np.ndarray) -> np.ndarray:
    """All solutions of 0 <= z, M z + q >= 0, perpendicular, that belong to a regular basis: every basis is tried."""
    out: list[np.ndarray] = []
    for count in range(q.size + 1):
        for basis in itertools.combinations(range(q.size), count):
            B, z = list(basis), np.zeros(q.size)
            if count and np.linalg.matrix_rank(M[np.ix_(B, B)]) < count:
                continue
            z[B] = np.linalg.solve(M[np.ix_(B, B)], -q[B]) if count else []
            good = z.min() >= -1e-10 and (M @ z + q).min() >= -1e-10
            if good and all(np.abs(z - other).max() > 1e-9 for other in out):
                out.append(np.maximum(z, 0.0))
    return np.array(out).reshape(-1, q.size)


def lemke(M: np.ndarray, q: np.ndarray) -> tuple[np.ndarray | None, int]:
    """Lemke's method on the tableau [I | -M | -1 | q], for problems without ties; (solution or None on a ray, pivots)."""
    n = q.size
    T = np.hstack([np.eye(n), -M, -np.ones((n, 1)), q[:, None]])
    basis = list(range(n))  # w is 0 to n - 1, z is n to 2 n - 1, the artificial variable 2 n
    if q.min() >= 0.0:
        return np.zeros(n), 0
    row, entering, pivots = int(np.argmin(q)), 2 * n, 0
    while True:
        T[row] /= T[row, entering]
        for i in range(n):
            if i != row:
                T[i] -= T[i, entering] * T[row]
        leaving, basis[row] = basis[row], entering
        pivots += 1
        if leaving == 2 * n:
            z = np.zeros(2 * n + 1)
            z[basis] = T[:, -1]
            return z[n : 2 * n], pivots
        entering = leaving + n if leaving < n else leaving - n
        rows = np.flatnonzero(T[:, entering] > 1e-12)
        if rows.size == 0:
            return None, pivots
        row = int(rows[np.argmin(T[rows, -1] / T[rows, entering])])


def projected_sweep(M: np.ndarray, q: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Projected Gauss-Seidel: every row once, in order."""
    z = z.copy()
    for i in range(q.size):
        z[i] = max(0.0, z[i] - (M[i] @ z + q[i]) / M[i, i])
    return z
