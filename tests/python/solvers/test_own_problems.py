# SPDX-License-Identifier: BSD-2-Clause
"""Solvers on the problems of tests/data. Oracles: answers that were there before the problem, NumPy's natural map and sweeps."""

import numpy as np
import pytest

import own_problems
import second_methods as second
import stiction as st

pytest.importorskip("h5py")

ANSWER_IS_THE_ONLY_ONE = ["mixed_6", "mixed_6_small_units", "mixed_20", "frictionless_9", "one_open", "one_sticking", "one_sliding"]  # fmt: skip
SOLVERS = [e.name for e in st.catalog()["solvers"] if "coulomb" in e.laws]


def plain(problem, **options):
    """nsgs without acceleration and, unless asked for, without the detector of stalls."""
    return st.solve(problem, solver="nsgs", **{"anderson": 0, "stall_window": 0, **options})


def error(problem, impulse, convex=False):
    return second.natural_error(np.asarray(problem.G), problem.g, problem.mu, impulse, convex)


def test_the_set_is_complete():
    assert len(own_problems.COULOMB) == 13 and len(own_problems.CONVEX) == 2
    assert set(ANSWER_IS_THE_ONLY_ONE) < set(own_problems.COULOMB)


@pytest.mark.parametrize("name", own_problems.COULOMB)
def test_the_answers_are_answers(name):
    """NumPy and the judge agree that they are; a friction coefficient that is wrong by 1 % shows in both."""
    problem, answer = own_problems.fclib(name)
    assert error(problem, answer) < 2e-14 and st.evaluate(problem, answer).b3 < 2e-13
    if name in ("mixed_6", "mixed_20", "one_sliding", "redundant_8", "cycling_2"):
        other = st.ContactProblem(problem.G, problem.g, mu=1.01 * problem.mu)
        assert error(other, answer) > 1e-5 and st.evaluate(other, answer).b3 > 1e-5


@pytest.mark.parametrize("name", own_problems.COULOMB)
def test_the_default_solver_solves_all(name):
    problem, answer = own_problems.fclib(name)
    impulse, report = st.solve(problem, tolerance=1e-12)
    assert report.status == "converged" and error(problem, impulse) < 1e-10
    if name in ANSWER_IS_THE_ONLY_ONE:
        assert np.abs(impulse - answer).max() <= 1e-9 * max(np.abs(answer).max(), 1e-12)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", ["mixed_6", "mixed_20", "frictionless_9"])
def test_every_coulomb_solver_finds_the_only_answer(name, solver):
    problem, answer = own_problems.fclib(name)
    impulse, report = st.solve(problem, solver=solver, tolerance=1e-10, max_iterations=20_000)
    assert report.status == "converged", report
    assert np.abs(impulse - answer).max() <= 1e-7 * np.abs(answer).max()


@pytest.mark.parametrize("solver", ["interior_point", "apgd", "admm"])
@pytest.mark.parametrize("name", own_problems.CONVEX)
def test_convex_minimum(name, solver):
    """The minimum is known: that of the answer, whose velocity is in the dual cone and perpendicular to it."""
    problem, answer = own_problems.fclib(name, law="convex")
    assert error(problem, answer, convex=True) < 1e-14
    impulse, report = st.solve(problem, solver=solver, tolerance=1e-10, max_iterations=100_000)
    objective = [0.5 * r @ problem.multiply(r) + problem.g @ r for r in (impulse, answer)]
    assert report.status == "converged" and objective[0] == pytest.approx(objective[1], rel=1e-9)


# ---- nsgs -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", own_problems.COULOMB)
def test_sweeps_are_those_of_numpy(name):
    """Five sweeps from zero, one at a time."""
    problem, _ = own_problems.fclib(name)
    G, ours = np.asarray(problem.G), np.zeros(problem.rows)
    theirs = ours
    for k in range(5):
        ours = plain(problem, warm_start=ours, max_iterations=1, tolerance=1e-16)[0]
        theirs = second.sweep(G, problem.g, problem.mu, theirs)
        assert np.abs(ours - theirs).max() <= 1e-8 * max(np.abs(theirs).max(), 1e-12), k


@pytest.mark.parametrize("tolerance", [1e-4, 1e-8])
@pytest.mark.parametrize("name", ["mixed_6", "mixed_20", "redundant_8", "stack_2", "stack_push_2"])
def test_sweep_counts(name, tolerance):
    """As many sweeps as NumPy's need until the judge accepts."""
    problem, _ = own_problems.fclib(name)
    _, report = plain(problem, tolerance=1e-10, max_iterations=3000, test_interval=1, history=True)
    G, r, count = np.asarray(problem.G), np.zeros(problem.rows), 0
    while st.evaluate(problem, r).b3 > tolerance:
        r, count = second.sweep(G, problem.g, problem.mu, r), count + 1
    history = report.history
    found = int(history["iteration"][np.argmax(history["b3"] <= tolerance)])
    assert found == count > 2


@pytest.mark.parametrize("interval", [1, 20])
def test_a_cycle_is_told_with_its_length(interval):
    problem, _ = own_problems.fclib("cycling_2")
    _, cycling = plain(problem, test_interval=interval, max_iterations=5000)
    assert (cycling.status, cycling.cycle) == ("stalled", 2) and cycling.iterations <= 50


def test_the_cycle_is_one_and_the_default_solver_gets_out():
    """NumPy's sweeps return to the same point after two, not after one."""
    problem, _ = own_problems.fclib("cycling_2")
    path = [np.zeros(problem.rows)]
    for _ in range(500):
        path.append(second.sweep(np.asarray(problem.G), problem.g, problem.mu, path[-1]))
    largest = np.abs(path[-1]).max()
    assert np.abs(path[-1] - path[-2]).max() > 1e-3 * largest
    assert np.abs(path[-1] - path[-3]).max() < 1e-10 * largest
    impulse, report = st.solve(problem)
    assert report.status == "converged" and error(problem, impulse) < 1e-6


def test_coloured_sweeps_have_the_bits_of_one_thread():
    problem = st.generate.wall(8, 10, form="sparse")
    runs = [
        plain(problem, order="coloured", threads=threads, max_iterations=60)[0].tobytes() for threads in (1, 2, 4, 8)
    ]
    assert all(run == runs[0] for run in runs)
    assert runs[0] != plain(problem, max_iterations=60)[0].tobytes()


# ---- interior point ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", own_problems.COULOMB)
def test_interior_point_takes_few_iterations(name):
    """A method of second order: another four digits cost a few iterations, not twice as many."""
    problem, _ = own_problems.fclib(name)
    counts = []
    for tolerance in (1e-4, 1e-8, 1e-12):
        impulse, report = st.solve(problem, solver="interior_point", tolerance=tolerance)
        assert report.status == "converged" and error(problem, impulse) <= 100 * tolerance
        counts.append(report.iterations)
    assert counts[-1] <= 25 and counts[-1] - counts[0] <= 10


def test_interior_point_sparse_equals_dense():
    for problem in (st.generate.stack(12), st.generate.stack(12, lean=0.02, speed=0.3, mu=0.3)):
        dense = st.ContactProblem(np.asarray(problem.G), problem.g, mu=problem.mu)
        for tolerance in (1e-4, 1e-8):
            reports = [st.solve(p, solver="interior_point", tolerance=tolerance)[1] for p in (problem, dense)]
            assert [r.status for r in reports] == ["converged"] * 2
            assert abs(reports[0].iterations - reports[1].iterations) <= 1
