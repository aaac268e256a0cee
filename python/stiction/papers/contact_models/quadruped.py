# SPDX-License-Identifier: BSD-2-Clause
"""A standing quadruped under a force that turns (S4; Figs. 14, 16, 17): iterations and times of every solver, cold and warm, and compliance."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

import stiction as st

from ..._core import time_solve
from ...output.tables import number
from .. import rows
from ..rows import Row, closed_form, published
from ..study import Section, Table
from . import published as p
from .measures import fitting, near, rigid_options

FORCE, FRICTION = 12.0, 0.9  # amplitude of the perturbation [N], μ
TEXT = (
    "StarlETH stands under joint PD on point-like feet, μ = .9, and is pushed at its trunk with 12 N (sin 2t, sin(2t + 1), sin(2t + 2)); the paper "
    "has Solo-12 and does not print numbers, so times and counts are printed, not judged. Every solver gets the contact problems of those steps, "
    "from zero (cold) and from the impulse of the step before (warm). Times are medians of one cold solve. pgs under the convex law steps by "
    "3/tr(G_ii), which can be more than 2/λmax(G_ii): where it stalls, its option safe_step helps. newton runs proximally, to solve the same rigid "
    "problem."
)
COMPLIANCES = np.linspace(0.0, 1e-2, 6)  # [1/kg]


@dataclass(frozen=True)
class Standing:
    settled: st.ContactProblem  # at rest, unperturbed
    carried: float  # sum of normal forces at rest over the weight
    problems: list[st.ContactProblem]


def stand(steps: int) -> Standing:
    sim = st.scene("starleth_stand", mu=FRICTION)
    sim.step(n=3000)
    carried = float(np.asarray(sim.contacts())["force"][:, 2].sum()) / (sim.mass * p.GRAVITY)
    settled, problems = sim.problems()[0], []
    for i in range(steps):
        force = FORCE * np.sin(2.0 * i * sim.dt + np.arange(3))
        sim.apply_wrench(sim.robots[0], force)
        problems += sim.problems()
        sim.step()
    return Standing(settled, carried, problems)


@dataclass
class Count:
    """Iterations per problem, cold and warm."""

    cold: list[int] = field(default_factory=list)
    warm: list[int] = field(default_factory=list)
    accepted: int = 0
    microseconds: float = float("nan")


def count(standing: Standing) -> dict[tuple[str, str], Count]:
    found = {}
    for law in p.LAWS:
        for solver in fitting(law):
            n, before, options = Count(), np.zeros(standing.problems[0].rows), rigid_options(solver)
            for problem in standing.problems:
                posed = problem.with_law(law)
                _, cold = st.solve(posed, solver, **options)
                before, warm = st.solve(posed, solver, warm_start=before, **options)
                n.cold.append(cold.iterations)
                n.warm.append(warm.iterations)
                n.accepted += (cold.status == "converged") + (warm.status == "converged")
            seconds = time_solve(standing.problems[-1].with_law(law), solver, 1e-8, None, 10, 0.0, **options)
            n.microseconds = 1e6 * float(np.median(seconds))
            found[law, solver] = n
    return found


def section(standing: Standing, counts: dict[tuple[str, str], Count]) -> Section:
    both = 2 * len(standing.problems)
    lines = [[f"{law}, {solver}", f"{n.accepted} of {both}", f"{np.mean(n.cold):.1f}", f"{np.mean(n.warm[1:]):.1f}", number(n.microseconds)]
             for (law, solver), n in counts.items()]  # fmt: skip
    header = ["law, solver", "accepted", "iterations, cold", "iterations, warm", "cold solve [µs]"]
    table = Table(f"{len(standing.problems)} steps, four contacts", header, lines)
    judged = [
        near("at rest: normal forces over the weight", 1.0, standing.carried, 1e-6, against=closed_form("the weight")),
        *_warm(counts),
        *_rest(standing),
        *_compliance(standing.settled),
    ]
    judged += [rows.told(f"{law}, {solver}: cold solve [µs]", counts[law, solver].microseconds)
               for law, solver in (("coulomb", "pgs"), ("coulomb", "admm"), ("convex", "newton"), ("pyramid", "lemke"),
                                   ("raisim", "bisection"))]  # fmt: skip
    return Section("Standing quadruped under a perturbation (Figs. 14, 16, 17)", TEXT, judged, [table])


def _warm(counts: dict[tuple[str, str], Count]) -> list[Row]:
    """Test 30 of the specification."""
    out = []
    for law, solver in (("coulomb", "admm"), ("coulomb", "pgs"), ("convex", "newton")):
        n = counts[law, solver]
        out.append(
            rows.at_most(
                f"{law}, {solver}: warm over cold iterations",
                float(np.mean(n.warm[1:]) / np.mean(n.cold[1:])),
                1.0,
                against=published("Fig. 17"),
            )
        )
    return out


def _rest(standing: Standing) -> list[Row]:
    """At rest the impulse of the step before solves the next one."""
    worst = 0
    for solver in ("admm", "pgs"):
        impulse, _ = st.solve(standing.settled, solver)
        _, again = st.solve(standing.settled, solver, warm_start=impulse)
        worst = max(worst, again.iterations)
    return [
        rows.at_most(
            "at rest: iterations of admm and pgs after a warm start",
            float(worst),
            1,
            against=closed_form("the solution is a fixed point"),
        )
    ]


def soft_velocity(problem: st.ContactProblem, compliance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Velocity G λ + g of the rigid bodies and impulse of the problem with compliance R per row."""
    soft = st.ContactProblem(problem.G, problem.g, mu=problem.mu, dt=problem.dt, compliance=compliance)
    impulse, _ = st.solve(
        soft, "admm", tolerance=1e-12, force_tolerance=1e-9, velocity_tolerance=1e-13, power_tolerance=1e-13
    )
    return problem.multiply(impulse) + problem.g, impulse


def _compliance(problem: st.ContactProblem) -> list[Row]:
    """Fig. 14; where everything sticks λ = -(G + R)⁻¹ g."""
    normal = np.tile([0.0, 0.0, 1.0], problem.contacts)
    found = [soft_velocity(problem, R * normal) for R in COMPLIANCES]
    sink = np.array([float(u[2::3].mean()) for u, _ in found])
    straight = 1.0 - float(np.var(sink - np.polyval(np.polyfit(COMPLIANCES, sink, 1), COMPLIANCES)) / np.var(sink))
    slip = max(float(np.abs(u.reshape(-1, 3)[:, :2]).max()) for u, _ in found)
    both, impulse = soft_velocity(problem, np.full(problem.rows, COMPLIANCES[-1]))
    exact = -np.linalg.solve(problem.G + COMPLIANCES[-1] * np.eye(problem.rows), problem.g)
    creep = float(np.abs(both.reshape(-1, 3)[:, :2]).max())
    return [rows.at_least("compliance: R² of normal velocity over normal R", straight, 0.999, against=published("Fig. 14, left")),
            rows.at_most("compliance: slip at stiction, R_T = 0 [m/s]", slip, 1e-9, against=closed_form("μ holds at R_T = 0")),
            rows.at_least("compliance: slip at stiction, R_T = 0.01 [m/s]", creep, 1e-6, against=published("Fig. 14, centre")),
            rows.at_most("compliance: impulse from -(G + R)⁻¹ g, relative",
                         float(np.abs(impulse - exact).max() / np.abs(exact).max()), 1e-8, against=closed_form("-(G + R)⁻¹ g"))]  # fmt: skip


def curves(problem: st.ContactProblem, iterations: int = 300) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Natural map [N] over calls of the judge, cold starts, exact law (convex for newton)."""
    out = {}
    for law, solver in [("coulomb", s) for s in fitting("coulomb")] + [("convex", "newton")]:
        options: dict[str, Any] = dict(
            tolerance=1e-12, force_tolerance=1e-9, max_iterations=iterations
        ) | rigid_options(solver)
        _, report = st.solve(problem.with_law(law), solver, history=True, **options)
        if report.history is not None:
            out[solver if law == "coulomb" else f"{solver}, convex"] = (
                np.arange(1, len(report.history) + 1),
                np.asarray(report.history["natural"]),
            )
    return out
