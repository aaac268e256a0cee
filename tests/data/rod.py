# SPDX-License-Identifier: BSD-2-Clause
"""Stewart and Trinkle's falling rod by another program: `python tests/data/rod.py` writes golden/rod_linear.csv and rod_nonlinear.csv.

Independent of the engine: planar coordinates x, y, θ, M = diag(m, m, J), and each step's complementarity problem is solved by
trying every complementary basis instead of pivoting. Where several bases solve it, the one with the least impulse is taken.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np

LENGTH, RADIUS, MASS, INERTIA, MU, GRAVITY = 0.5, 0.05, 1.0, 0.002, 0.6, 9.82
START = np.array([0.0, 1.0, np.pi / 6]), np.array([0.0, 0.0, 4.0])
INVERSE_MASS = np.diag([1 / MASS, 1 / MASS, 1 / INERTIA])
STEP, DURATION = 0.0025, 0.65
ENDS = (1.0, -1.0)
COLUMNS = "t,x,y,theta,vx,vy,omega,normal_plus,normal_minus,friction_plus,friction_minus"


def gap(q: np.ndarray, end: float) -> float:
    return q[1] + end * LENGTH / 2 * np.sin(q[2]) - RADIUS


def normal(q: np.ndarray, end: float) -> np.ndarray:
    return np.array([0.0, 1.0, end * LENGTH / 2 * np.cos(q[2])])


def tangent(q: np.ndarray, end: float) -> np.ndarray:
    return np.array([1.0, 0.0, RADIUS - end * LENGTH / 2 * np.sin(q[2])])


def solve_lcp(R: np.ndarray, r: np.ndarray) -> np.ndarray:
    """z >= 0, R z + r >= 0, perpendicular: the solution with the least sum among those of all bases."""
    best, least = None, np.inf
    for count in range(r.size + 1):
        for basis in itertools.combinations(range(r.size), count):
            B, z = list(basis), np.zeros(r.size)
            matrix = R[np.ix_(B, B)]
            if count and abs(np.linalg.det(matrix)) < 1e-12:
                continue
            z[B] = np.linalg.solve(matrix, -r[B]) if count else []
            if z.min() > -1e-11 and (R @ z + r).min() > -1e-11 and z.sum() < least - 1e-9:
                best, least = np.maximum(z, 0.0), z.sum()
    assert best is not None, "no basis solves the step"
    return best


def solve_step(q, u, point, active):
    """Velocity after the step and (normal, friction) impulses of the active ends, everything linearised at `point`."""
    free = u + STEP * np.array([0.0, -GRAVITY, 0.0])
    N = np.array([normal(point, end) for end in active])
    D = np.array([side * tangent(point, end) for end in active for side in (1.0, -1.0)])
    count = len(active)
    E = np.kron(np.eye(count), np.ones((2, 1)))
    R = np.block(
        [
            [N @ INVERSE_MASS @ N.T, N @ INVERSE_MASS @ D.T, np.zeros((count, count))],
            [D @ INVERSE_MASS @ N.T, D @ INVERSE_MASS @ D.T, E],
            [MU * np.eye(count), -E.T, np.zeros((count, count))],
        ]
    )
    shift = [(gap(point, end) + normal(point, end) @ (q - point)) / STEP for end in active]
    z = solve_lcp(R, np.concatenate([N @ free + shift, D @ free, np.zeros(count)]))
    c, beta = z[:count], z[count : 3 * count]
    return free + INVERSE_MASS @ (N.T @ c + D.T @ beta), {end: (c[i], beta[2 * i] - beta[2 * i + 1]) for i, end in enumerate(active)}  # fmt: skip


def advance(q, u, touched, nonlinear):
    """One step: the set of ends grows until none is below the floor; `nonlinear` repeats until the point is the end of the step."""
    active = [end for end in ENDS if end in touched or gap(q + STEP * u, end) < 0.0]
    while True:
        point, after, impulses = q + STEP * u, u + STEP * np.array([0.0, -GRAVITY, 0.0]), {}
        for _ in range(50):
            if active:
                after, impulses = solve_step(q, u, point, active)
            moved, point = np.abs(q + STEP * after - point).max(), q + STEP * after
            if not nonlinear or moved < 1e-12:
                break
        missing = [end for end in ENDS if end not in active and gap(q + STEP * after, end) < 0.0]
        if not missing:
            return q + STEP * after, after, impulses
        active = [end for end in ENDS if end in active or end in missing]


def run(nonlinear: bool) -> np.ndarray:
    (q, u), touched, rows = START, set(), []
    for k in range(round(DURATION / STEP)):
        q, u, impulses = advance(q, u, touched, nonlinear)
        touched = {end for end, (c, _) in impulses.items() if c > 0.0}
        pair = [impulses.get(end, (0.0, 0.0)) for end in ENDS]
        rows.append([(k + 1) * STEP, *q, *u, pair[0][0], pair[1][0], pair[0][1], pair[1][1]])
    return np.array(rows)


if __name__ == "__main__":
    folder = Path(__file__).resolve().parent / "golden"
    folder.mkdir(exist_ok=True)
    for name, nonlinear in (("linear", False), ("nonlinear", True)):
        np.savetxt(folder / f"rod_{name}.csv", run(nonlinear), fmt="%.9g", delimiter=",", header=COLUMNS, comments="# ")
