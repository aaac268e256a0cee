# SPDX-License-Identifier: BSD-2-Clause
"""Internal forces of a robot with locked joints (Fig. 14, right): what the contact problem leaves open, and what compliance makes of it.

Without compliance every start of a solver ends in other forces. With R > 0 the forces are one and the same. As R goes to zero the convex law's
tend to the forces of least norm *within the cones*, which is what the paper calls free of internal forces; they are found here in NumPy by
Dykstra's projections. (They are -G⁺g only where that lies inside the cones. Where it does not, they keep a part in the kernel of G.)"""

from __future__ import annotations

import numpy as np

import stiction as st

from .. import rows
from ..rows import Row, closed_form, independent, published
from .measures import TIGHT
from .numpy_judge import onto_cones
from .stances import MOMENT, Locked

COMPLIANCE = 1e-3  # [1/kg]
SMALL = (1e-6, 1e-5)  # compliances on the way to zero [1/kg]
STARTS = 5


def least_norm(problem: st.ContactProblem, rounds: int = 20000) -> np.ndarray:
    """The shortest λ in the cones with G λ + g = 0: zero, projected by Dykstra's method."""
    inverse = np.linalg.pinv(problem.G)
    project, x, carried = inverse @ problem.G, np.zeros(problem.rows), np.zeros(problem.rows)
    for _ in range(rounds):
        flat = x - (project @ x + inverse @ problem.g)
        x, before = onto_cones(flat + carried, problem.mu), x
        carried += flat - x
        if np.abs(x - before).max() <= 1e-15 * np.abs(x).max():
            break
    return x


def with_compliance(problem: st.ContactProblem, law: str, R: float) -> st.ContactProblem:
    return st.ContactProblem(
        problem.G, problem.g, mu=problem.mu, dt=problem.dt, law=law, compliance=np.full(problem.rows, R)
    )


def spread(problem: st.ContactProblem) -> float:
    """Largest difference of the impulses that admm finds from random starts, over the largest impulse."""
    rng, size = np.random.default_rng(0), np.abs(problem.g).max() / np.abs(problem.G).max()
    found = [
        st.solve(problem, "admm", warm_start=onto_cones(size * rng.normal(size=problem.rows), problem.mu), **TIGHT)[0]
        for _ in range(STARTS)
    ]
    return float(max(np.abs(x - found[0]).max() for x in found) / np.abs(found[0]).max())


def internal_rows(robot: Locked) -> list[Row]:
    name, problem, figure = robot.stance.title, robot.problem(MOMENT), published("Fig. 14, right")
    least = least_norm(problem)
    apart = []
    for R in SMALL:
        soft, _ = st.solve(with_compliance(problem, "convex", R), "interior_point", **TIGHT)
        apart.append(float(np.linalg.norm(soft - least) / np.linalg.norm(least)))
    slope = float(np.log(apart[1] / apart[0]) / np.log(SMALL[1] / SMALL[0]))
    jammed, _ = st.solve(problem, "pgs", **TIGHT)
    return [
        rows.at_least(
            f"{name}: forces of {STARTS} starts differ, rigid, relative",
            spread(problem),
            1e-2,
            "jamming",
            against=figure,
        ),
        rows.at_most(
            f"{name}: forces of {STARTS} starts differ, R = {COMPLIANCE:g}, relative",
            spread(with_compliance(problem, "coulomb", COMPLIANCE)),
            1e-7,
            "removed",
            against=figure,
        ),
        rows.at_most(
            f"{name}: forces at R = {SMALL[0]:g} from those of least norm, relative",
            apart[0],
            2e-3,
            against=independent("Dykstra's projections in NumPy"),
        ),
        rows.near(
            f"{name}: slope of log of that over log R",
            None,
            1.0,
            slope,
            0.05,
            against=closed_form("regularisation of first order"),
        ),
        rows.told(
            f"{name}: forces of pgs from those of least norm, relative",
            float(np.linalg.norm(jammed - least) / np.linalg.norm(least)),
        ),
    ]
