# SPDX-License-Identifier: BSD-2-Clause
"""What the sections share: rows with an absolute tolerance, who solves which law, solves that are judged from outside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import stiction as st

from .. import rows
from ..rows import EARLIER, Row

TIGHT: dict[str, Any] = dict(
    tolerance=1e-12, force_tolerance=1e-9, velocity_tolerance=1e-13, power_tolerance=1e-13, max_iterations=20000
)

AS_PUBLISHED: dict[str, dict[str, Any]] = {"admm": {"newton": 0, "anderson": 0}}  # no acceleration of ours


def stopped_at(force: float) -> dict[str, Any]:
    """Tolerances in the paper's scale, where a step of 1 ms makes 1 N, 1e-3 m/s and 1e-3 W of one number; nothing relative."""
    return dict(tolerance=1e-15, force_tolerance=force, velocity_tolerance=1e-3 * force, power_tolerance=1e-3 * force)


def near(
    name: str,
    measured: float,
    ours: float,
    tolerance: float,
    published: float | None = None,
    note: str = "",
    *,
    against: str = EARLIER,
) -> Row:
    """Within an absolute distance of the measured value, or of a closed form."""
    return rows.near(name, published, measured, ours, tolerance, against=against, reason=note)


def within_factor(name: str, measured: float, ours: float, factor: float) -> Row:
    return rows.within_factor(name, None, measured, ours, factor, against=EARLIER)


def agrees(name: str, ours: str, ok: bool, wanted: str, note: str = "", *, against: str) -> Row:
    """A property in words; `wanted` stands in the column of tolerances."""
    return rows.judged(name, ours, ok, wanted, against=against, reason=note)


def noted(row: Row, note: str) -> Row:
    return row.noted(note)


def fitting(law: str) -> list[str]:
    """Names of the solvers that the catalog lists for a law, without the automatic choice."""
    return [entry.name for entry in st.catalog()["solvers"] if law in entry.laws and entry.name != "auto"]


def rigid_options(solver: str) -> dict[str, Any]:
    """The primal Newton method regularises unless it iterates proximally; here it shall solve the same rigid problem as the others."""
    return {"proximal": True} if solver == "newton" else {}


@dataclass(frozen=True)
class Solved:
    """A cold solve, its forces [N] and what the judge says of them."""

    solver: str
    law: str
    status: str
    iterations: int
    force: np.ndarray  # (contacts, 3), T1 T2 N
    own: st.Residual
    exact: st.Residual  # under Coulomb's law

    @property
    def converged(self) -> bool:
        return self.status == "converged"


def solved(problem: st.ContactProblem, solver: str, **options: Any) -> Solved:
    impulse, report = st.solve(problem, solver, **(rigid_options(solver) | options))
    dt = problem.dt if problem.dt is not None else 1.0
    return Solved(solver, problem.law, report.status, report.iterations, impulse.reshape(-1, 3) / dt, st.evaluate(problem, impulse),
                  st.evaluate(problem, impulse, law="coulomb"))  # fmt: skip


def fixed(x: float, digits: int) -> str:
    """With so many decimals, and no minus before a zero."""
    return f"{round(float(x), digits) + 0.0:.{digits}f}"


def farthest(found: dict[str, float], wanted: float) -> tuple[str, float]:
    """The entry that is farthest from what is wanted; NaN is farther than anything."""
    distance = {name: abs(x - wanted) if x == x else np.inf for name, x in found.items()}
    name = max(distance, key=lambda key: distance[key])
    return name, found[name]
