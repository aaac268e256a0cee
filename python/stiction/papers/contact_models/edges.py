# SPDX-License-Identifier: BSD-2-Clause
"""Around the reference problems: degenerate ones (RP4), independence of the step and of the pyramid's symmetry, the polish."""

from __future__ import annotations

import math

import numpy as np

import stiction as st

from .. import rows
from ..rows import Row, closed_form, independent
from ..study import Section
from . import published as p
from .measures import TIGHT, agrees, fitting, rigid_options, solved

TEXT = (
    "RP4: no friction, no contact, nearly no friction, nothing to do, a contact twice. A solver must come back with a status and finite impulses, "
    "and what it calls converged must pass the judge. Forces in newtons may not depend on the step. An approximate impulse of the convex law is "
    "made exact by one problem with flat facets."
)


def section() -> Section:
    return Section(
        "Reference problems: edges", TEXT, [_degenerate(), *_step_independence(), _turned_pyramid(), _polished()]
    )


def _cases() -> dict[str, st.ContactProblem]:
    doubled = np.kron(np.ones((2, 2)), np.diag([3.5, 3.5, 1.0]))
    return {
        "no friction": st.reference.heavy_on_light(1e6, floor_mu=0.0, between_mu=0.0),
        "no contact": st.ContactProblem(np.zeros((0, 0)), np.zeros(0), mu=np.zeros(0), dt=p.STEP),
        "μ = 1e-9": st.reference.heavy_on_light(1e6, floor_mu=1e-9, between_mu=1e-9),
        "zero g": st.ContactProblem(np.eye(6), np.zeros(6), mu=np.full(2, 0.5), dt=p.STEP),
        "a contact twice": st.ContactProblem(
            doubled, np.tile([0.002, 0.0, -0.00981], 2), mu=np.full(2, 0.9), dt=p.STEP
        ),
    }


def _degenerate() -> Row:
    good = 0
    bad: list[str] = []
    for case, problem in _cases().items():
        for law in p.LAWS:
            for solver in fitting(law):
                impulse, report = st.solve(problem.with_law(law), solver, **rigid_options(solver))
                judged = st.evaluate(problem.with_law(law), impulse).ratio
                fine = (
                    np.isfinite(impulse).all()
                    and report.status != "invalid_problem"
                    and (judged <= 1.0 or report.status != "converged")
                )
                good += bool(fine)
                bad += [] if fine else [f"{case} {law} {solver}"]
    return agrees(
        "RP4: finite impulses and an honest status",
        f"{good} of {good + len(bad)}",
        not bad,
        "all",
        ", ".join(bad),
        against=independent("the judge, which no solver can reach"),
    )


def _step_independence() -> list[Row]:
    out = []
    makers = {"RP2": lambda dt: st.reference.heavy_on_light(1e6, dt=dt), "RP3": lambda dt: st.reference.rp3(dt=dt)}
    for name, make in makers.items():
        forces = [solved(make(dt), "admm").force for dt in (1e-4, 1e-3, 1e-2)]
        apart = max(float(np.abs(f - forces[1]).max()) for f in forces) / float(np.abs(forces[1]).max())
        out.append(
            rows.at_most(
                f"{name}: forces at steps of 0.1, 1, 10 ms differ, relative",
                apart,
                1e-6,
                against=closed_form("forces do not depend on dt"),
            )
        )
    return out


def _turned_pyramid() -> Row:
    plain, turned = (
        solved(st.reference.rp1("pyramid", angle=angle), "lemke", **TIGHT).force for angle in (0.0, 0.5 * math.pi)
    )
    return rows.at_most(
        "RP1 pyramid: turned by 90 degrees, forces differ by [N]",
        float(np.abs(plain - turned).max()),
        1e-9,
        against=closed_form("symmetry of the pyramid"),
    )


def _polished() -> Row:
    problem = st.reference.rp1("convex")
    rough, before = st.solve(problem, "admm", tolerance=1e-2)
    _, after = st.polish(problem, rough)
    row = rows.at_most(
        "RP1 convex: own residual after the polish [N]",
        after.own.natural,
        1e-8,
        measured=2e-10,
        against=independent("the judge"),
    )
    return row if after.own.natural <= before.own.natural else row.failed("the polish made it worse")
