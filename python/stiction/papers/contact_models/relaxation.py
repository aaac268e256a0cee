# SPDX-License-Identifier: BSD-2-Clause
"""Does a factor of .8 improve Gauss-Seidel, as the paper remarks? Sweeps of pgs with and without it, and of Algorithm 6 in NumPy."""

from __future__ import annotations

import numpy as np

import stiction as st

from .. import rows
from ..rows import Row, independent, published
from ..study import Section, Table
from . import published as p
from .measures import solved, stopped_at
from .numpy_judge import judge
from .stances import MOMENT, STANCES, locked

ALPHA, STOP, MOST = 0.8, 1e-6, 20000
TEXT = (
    "The paper: setting α to .8 typically improved the convergence of PGS. Here it scales the step. Sweeps from zero to 1e-6 N. It helps where the "
    "step 1/min(G_TxTx, G_TyTy) is too long for the block, as on one of the random six-contact problems (there pgs hardly converges without it). "
    "On the paper's robots and cubes it costs what a shorter step costs."
)


def problems() -> dict[str, st.ContactProblem]:
    found = {f"{stance.title}, locked": locked(stance).problem(MOMENT) for stance in STANCES if stance.here}
    return found | {
        "sliding cube RP1": st.reference.rp1("coulomb"),
        "pulled cube RP3": st.reference.rp3("coulomb"),
        "stack, ratio 1": st.reference.heavy_on_light(1.0, "coulomb"),
        ANISOTROPIC: st.reference.random_six(0, 1.0, 0.6, "coulomb"),
    }


ANISOTROPIC = "six contacts, anisotropic blocks"


def sweeps(problem: st.ContactProblem, factor: float) -> int:
    run = solved(
        problem, "pgs", **(stopped_at(STOP) | dict(over_relaxation=factor, test_interval=1, max_iterations=MOST))
    )
    return run.iterations if run.converged else MOST


def by_hand(problem: st.ContactProblem, factor: float, most: int = 2000) -> int:
    """Algorithm 6, with the velocity after the normal step in the tangential one."""
    G, g, x = problem.G, problem.g, np.zeros(problem.rows)
    for n in range(1, most + 1):
        for i in range(problem.contacts):
            t, z = slice(3 * i, 3 * i + 2), 3 * i + 2
            x[z] = max(0.0, x[z] - factor * (G[z] @ x + g[z]) / G[z, z])
            y = x[t] - factor * (G[t] @ x + g[t]) / min(G[3 * i, 3 * i], G[3 * i + 1, 3 * i + 1])
            x[t] = y * min(1.0, problem.mu[i] * x[z] / max(float(np.hypot(*y)), 1e-300))
        primal, dual, power = judge(problem, (x / p.STEP).reshape(-1, 3))
        if max(primal, 1e3 * dual, 1e3 * power) <= STOP:
            return n
    return most


def section() -> Section:
    claim, judged, lines = published("section III, over-relaxation"), [], []
    for name, problem in problems().items():
        with_it, without = sweeps(problem, ALPHA), sweeps(problem, 1.0)
        lines.append([name, str(with_it), str(without)])
        judged.append(_row(name, problem, with_it / without, claim))
    return Section("Over-relaxation of PGS", TEXT, judged, [Table("Sweeps", ["", "α = .8", "α = 1"], lines)])


def _row(name: str, problem: st.ContactProblem, ratio: float, claim: str) -> Row:
    row = rows.at_most(f"{name}: sweeps of pgs at α = .8 over those at 1", ratio, 0.99, "improves", against=claim)
    if row.status == "ok":
        return row
    known = by_hand(problem, ALPHA) / by_hand(problem, 1.0)
    return rows.differs(
        row,
        rows.within_factor("", None, known, ratio, 1.1, against=independent("Algorithm 6 in NumPy")),
        "no block is over-stepped here, so a shorter step takes longer",
    )
