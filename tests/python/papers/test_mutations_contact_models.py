# SPDX-License-Identifier: BSD-2-Clause
"""As test_mutations.py, for Tables II and III, consistency and the robots of the contact-model study."""

from dataclasses import replace

import numpy as np
import pytest

import mutation as m
import stiction as st
from breaking import far_warm_start, posed_as, scaled, shifted, turned
from stiction import _core
from stiction.papers.contact_models import (
    admm_by_hand,
    consistency,
    relaxation,
    robots,
    stack_runs,
    stances,
    tables,
    trajectories,
    wall,
)

LAW = {"coulomb instead": m.law("coulomb"), "convex instead": m.law("convex")}
LEAK = m.velocities(1.0 - 1e-3)
WRONG = {"impulses x 1.01": scaled(1.01), "friction turned": m.impulses(turned), "impulses + 1e-5": m.impulses(shifted)}


def solving(change):
    """Every solve with change(problem, solver, options)."""
    true = _core.solve

    def solve(problem, solver="auto", **options):
        return true(*change(problem, solver, options)[:2], **change(problem, solver, options)[2])

    return lambda: m.everywhere(true, solve)


def slow():
    """Everything by Gauss-Seidel with tiny steps; raisim, which it does not know, stays."""

    def change(problem, solver, options):
        if problem.law == "raisim":
            return problem, solver, options
        kept = {k: v for k, v in options.items() if k.endswith("tolerance") or k == "warm_start"}
        return problem, "pgs", kept | dict(over_relaxation=0.02, max_iterations=3000, stall_window=0)

    return solving(change)


def compliant(problem, solver, options):
    soft = st.ContactProblem(problem.G, problem.g, mu=problem.mu, law=problem.law, dt=problem.dt,
                             compliance=np.full(problem.rows, 1e-3))  # fmt: skip
    return soft, solver, options


def rigid(problem, solver, options):
    return st.ContactProblem(problem.G, problem.g, mu=problem.mu, law=problem.law, dt=problem.dt), solver, options


def friction_stronger(impulse):
    out = 1.1 * impulse
    out[2::3] = impulse[2::3]
    return out


def jammed(impulse):
    return impulse + 1e-4 * np.random.default_rng(0).normal(size=impulse.size)


def one_factor(problem, solver, options):
    return problem, solver, options | ({"over_relaxation": relaxation.ALPHA} if "over_relaxation" in options else {})


def half_the_factor(problem, solver, options):
    return (
        problem,
        solver,
        options | ({"over_relaxation": 0.4} if options.get("over_relaxation") == relaxation.ALPHA else {}),
    )


def stopped_elsewhere(asked, given):
    """Solves that should stop at some newtons stop at others."""

    def change(keywords):
        options = keywords.get("solver_options") or {}
        other = dict(force_tolerance=given, velocity_tolerance=1e-3 * given, power_tolerance=1e-3 * given)
        return keywords | ({"solver_options": options | other} if options.get("force_tolerance") == asked else {})

    return m.settings(change)


def lower(sim, n):
    """The upper cube of the stack sinks by a micrometre."""
    if len(sim.q) > 9:
        sim.q[9] -= 1e-6


def shallow(keywords):
    """Staggered projections with one iteration inside."""
    options = keywords.get("solver_options") or {}
    few = dict(max_iterations=1, inner_iterations=1)
    return keywords | ({"solver_options": options | few} if keywords.get("solver") == "staggered" else {})


def in_a_line():
    """Feet that cannot hold a roll."""
    true = stances.locked
    line = lambda stance: replace(true(stance), jacobian=true(stance).jacobian * (1.0, 1.0, 1.0, 0.0, 1.0, 1.0))
    return m.constant(robots, "locked", line)


def cold_always(keywords):
    options = keywords.get("solver_options") or {}
    return keywords | ({"solver_options": options | {"cold_start": True}} if "cold_start" in options else {})


SECTIONS = [
    m.Case("Tables II and III", lambda: tables.section().rows, WRONG | {
        "as coulomb": posed_as("coulomb"), "as coulomb, x 1.01": m.both(posed_as("coulomb"), scaled(1.01)),
        "friction x 1.1": m.impulses(friction_stronger), "jammed": m.impulses(jammed),
    }),
    m.Case("consistency", lambda: consistency.section(consistency.runs(True)).rows, LAW | {"leak": LEAK, "steps x 1.1": m.shorter_steps(1.1)}),
    m.Case("over-relaxation", lambda: relaxation.section().rows, {"half the factor": solving(half_the_factor), "one factor": solving(one_factor)}),
    m.Case("UR5", lambda: wall.section().rows, {
        "no feedback": m.constant(wall, "GAIN", 0.0), "forces x 1.1": m.forces(lambda f: 1.1 * f),
    }),
]  # fmt: skip
ROBOTS = [
    m.Case("stops", lambda: consistency.stop_section(consistency.stops(), consistency.runs(True)).rows, {
        "unsolved": stopped_elsewhere(1e-6, 1e4), "a tight stop": stopped_elsewhere(1e-2, 1e-8), "one iteration": m.options("solver_options", max_iterations=1),
    }),
    m.Case("stack over time", lambda: stack_runs.section(stack_runs.runs(True)).rows, LAW | {
        "one iteration": m.options("solver_options", max_iterations=1), "leak": m.velocities(0.99), "one ratio": m.settings(lambda k: k | {"ratio": 1e6}),
        "shallow": m.settings(shallow), "lowered": m.after_step(lower),
    }),
    m.Case("locked robots", lambda: robots.section().rows, WRONG | {
        "slow": slow(), "in a line": in_a_line(), "compliant": solving(compliant), "rigid": solving(rigid),
        "impulses + 1e-11": m.impulses(lambda x: x + 1e-11), "NumPy needs few": m.constant(admm_by_hand, "iterations", lambda *a, **k: 10),
        "pushed otherwise": m.constant(robots, "MOMENT", robots.INSIDE), "pushed as later": m.constant(robots, "INSIDE", robots.MOMENT),
    }),
    m.Case("along trajectories", lambda: trajectories.section(trajectories.runs(20)).rows, {
        "far warm start": far_warm_start, "always cold": m.settings(cold_always), "forces x 1.1": m.forces(lambda f: 1.1 * f),
        "NumPy gains": m.both(far_warm_start, m.constant(admm_by_hand, "iterations", lambda *a, start=None: 10 if start is None else 1)),
        "no friction": m.constant(stances, "FRICTION", 1e-3),
    }),
]  # fmt: skip
needs_robots = pytest.mark.skipif("solo12" not in st.robots.paths(), reason="needs example-robot-data")


@needs_robots
@pytest.mark.full
@pytest.mark.parametrize("case", SECTIONS + ROBOTS, ids=lambda case: case.name)
def test_every_row_of_the_robot_half_can_fail(case):
    m.every_row(case)


def test_ticks_can_fail():
    """One case for every run."""
    m.every_row(SECTIONS[0])
