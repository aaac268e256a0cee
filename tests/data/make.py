# SPDX-License-Identifier: BSD-2-Clause
"""Writes the problems of this folder with their answers: `python tests/data/make.py`. The same files at every run, up to dates.

fclib/      frictional contact problems, each with an answer that no solver of the engine had a part in:
            one_*         one contact, by hand
            mixed_*, redundant_*, convex_*   the answer comes first: impulses and velocities that obey the law; g = u - G r follows
            cycling_2     nonlinear Gauss-Seidel jumps to and fro on it for ever; solved by SciPy's least squares on the natural map
            stack_*, wall_*, box_*   bodies of stiction.generate, solved by the NumPy sweeps of tests/python/support/second_methods.py
siconos/    mixed_6 in the three storages of that format
lcp/        M, q, every solution that belongs to a basis (all were tried), Lemke's answer and pivots by a plain tableau
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "python" / "support"))

import second_methods as second  # noqa: E402
import stiction as st  # noqa: E402

FEW_SWEEPS = 4000


# ---- contacts ----------------------------------------------------------------------------------------------------------


def obey(rng: np.random.Generator, mu: np.ndarray, convex: bool) -> tuple[np.ndarray, np.ndarray]:
    """Impulses and velocities of contacts that in turn slide, stick and are open. Convex: the velocity is in the dual cone."""
    r, u = np.zeros((mu.size, 3)), np.zeros((mu.size, 3))
    for i, m in enumerate(mu):
        angle, size = rng.uniform(0.0, 2 * np.pi), rng.uniform(0.5, 2.0)
        d = np.array([np.cos(angle), np.sin(angle)])
        if i % 3 == 0:
            r[i], u[i, :2] = [*(-m * size * d), size], rng.uniform(0.1, 1.0) * d
            u[i, 2] = m * np.hypot(*u[i, :2]) if convex else 0.0
        elif i % 3 == 1:
            r[i] = [*(rng.uniform(0.0, 0.9) * m * size * d), size]
        else:
            u[i] = [*d, (m if convex else 0.0) + size]
    return r.ravel(), u.ravel()


def made_backwards(
    seed: int, contacts: int, velocities: int, coupling: float = 1.0, mu: float | None = None, convex: bool = False
):
    """G = D + coupling J J' / velocities with its answer; D = 1 where coupling < 1, else 0: rank `velocities`."""  # fmt: skip
    rng = np.random.default_rng(seed)
    friction = rng.uniform(0.1, 0.8, contacts) if mu is None else np.full(contacts, mu)
    J = rng.standard_normal((3 * contacts, velocities))
    G = coupling * (J @ J.T) / velocities + (np.eye(3 * contacts) if coupling < 1.0 else 0.0)
    G = (G + G.T) / 2
    r, u = obey(rng, friction, convex)
    return st.ContactProblem(G, u - G @ r, mu=friction), r


def scaled(problem: st.ContactProblem, r: np.ndarray, c: float, d: float):
    return st.ContactProblem(c * problem.G, d * problem.g, mu=problem.mu), d / c * r


def by_sweeps(problem: st.ContactProblem) -> tuple[st.ContactProblem, np.ndarray]:
    G, r = np.asarray(problem.G), np.zeros(problem.rows)
    for _ in range(FEW_SWEEPS):
        r = second.sweep(G, problem.g, problem.mu, r)
        if second.natural_error(G, problem.g, problem.mu, r) < 1e-14:
            break
    return problem, r


def cycling() -> tuple[st.ContactProblem, np.ndarray]:
    """Two contacts that share four velocities."""
    rng = np.random.default_rng(189)
    contacts, velocities = int(rng.integers(2, 4)), int(rng.integers(3, 6))
    J, mu = rng.standard_normal((3 * contacts, velocities)), rng.uniform(0.5, 2.0, contacts)
    G, g = J @ J.T, J @ rng.standard_normal(velocities)
    G = (G + G.T) / 2
    starts = np.random.default_rng(0).standard_normal((200, g.size))
    tight = {"xtol": 1e-15, "ftol": 1e-15, "gtol": 1e-15}
    for start in starts:
        r = least_squares(lambda r: second.natural_map(G, g, mu, r), start, **tight).x
        if second.natural_error(G, g, mu, r) < 1e-14:
            return st.ContactProblem(G, g, mu=mu), r
    raise RuntimeError("no start leads to a solution")


def contact_problems() -> dict[str, tuple[st.ContactProblem, np.ndarray]]:
    unit = lambda g: st.ContactProblem(np.diag([2.0, 2.0, 1.0]), g, mu=0.5)
    mixed = made_backwards(1, 6, 18, coupling=0.3)
    return {
        "one_open": (unit([0.3, -0.2, 0.1]), np.zeros(3)),
        "one_sticking": (unit([0.6, -0.8, -2.0]), np.array([-0.3, 0.4, 2.0])),
        "one_sliding": (unit([6.0, -8.0, -2.0]), np.array([-0.6, 0.8, 2.0])),
        "mixed_6": mixed,
        "mixed_6_small_units": scaled(*mixed, 1e-6, 1e3),
        "mixed_20": made_backwards(2, 20, 60, coupling=0.3),
        "frictionless_9": made_backwards(3, 9, 27, coupling=0.5, mu=0.0),
        "redundant_8": made_backwards(4, 8, 15),
        "convex_6": made_backwards(5, 6, 18, coupling=0.3, convex=True),
        "convex_12": made_backwards(6, 12, 24, convex=True),
        "cycling_2": cycling(),
        "stack_2": by_sweeps(st.generate.stack(2, form="dense")),
        "stack_push_2": by_sweeps(st.generate.stack(2, lean=0.02, speed=0.3, mu=0.3, form="dense")),
        "wall_2x2": by_sweeps(st.generate.wall(2, 2, form="dense")),
    }


def write_contacts() -> None:
    (HERE / "fclib").mkdir(exist_ok=True)
    found = contact_problems()
    for name, (problem, r) in found.items():
        error = second.natural_error(np.asarray(problem.G), problem.g, problem.mu, r, name.startswith("convex"))
        print(f"{name:22} {problem.rows // 3:4} contacts   natural error {error:.1e}")
        st.fclib.save(HERE / "fclib" / f"{name}.hdf5", problem, r, title=name, description="tests/data/make.py")
    given = st.generate.stack(1, form="global")
    _, r = by_sweeps(given.problem())
    st.fclib.save(HERE / "fclib" / "box_global.hdf5", given.problem(), r, title="box_global", form="global")
    (HERE / "siconos").mkdir(exist_ok=True)
    for storage, kind in enumerate(("dense", "blocks", "sparse")):
        st.siconos.save(HERE / "siconos" / f"mixed_6_{kind}.dat", found["mixed_6"][0], storage=storage)


# ---- linear complementarity --------------------------------------------------------------------------------------------


def lcps() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(7)
    A, skew = rng.standard_normal((6, 6)), rng.standard_normal((5, 5))
    laplace = 2.0 * np.eye(8) - np.eye(8, k=1) - np.eye(8, k=-1)
    C = rng.uniform(1.0, 2.0, (2, 2, 2))  # costs of two players: symmetric in nothing, positive
    zero = np.zeros((2, 2))
    return {
        "definite_6": (A @ A.T + np.eye(6), rng.standard_normal(6)),
        "obstacle_8": (laplace, np.array([-1.0, 0.5, 0.7, -0.9, 0.3, 1.1, -0.6, 0.2])),
        "not_symmetric_5": (np.eye(5) + skew - skew.T, -rng.uniform(0.5, 1.5, 5)),
        "triangular_5": (np.tril(np.full((5, 5), 2.0), -1) + np.eye(5), -np.array([1.0, 2.5, 5.5, 10.5, 20.5])),
        "game_4": (np.block([[zero, C[0]], [C[1].T, zero]]), -np.array([1.0, 1.1, 1.2, 1.3])),
        "two_answers_2": (np.array([[1.0, 2.0], [2.5, 1.0]]), -np.array([1.0, 1.1])),
        "none_2": (np.array([[0.0, 1.0], [0.0, -1.0]]), np.array([1.0, -1.0])),
    }


def write_lcps() -> None:
    (HERE / "lcp").mkdir(exist_ok=True)
    for name, (M, q) in lcps().items():
        z, pivots = second.lemke(M, q)
        sols = second.lcp_solutions(M, q)
        print(f"{name:22} {len(sols)} solutions, {'a ray' if z is None else 'solved'} after {pivots} pivots")
        answer = np.full(q.size, np.nan) if z is None else z
        np.savez(HERE / "lcp" / f"{name}.npz", M=M, q=q, sols=sols, z_lemke=answer, pivots=pivots)


if __name__ == "__main__":
    write_contacts()
    write_lcps()
