# SPDX-License-Identifier: BSD-2-Clause
"""Histories. Oracle: the judge asked from outside; the same solve without a history, bit for bit."""

import numpy as np
import pytest

import stiction as st

FIELDS = ("iteration", "seconds", "natural", "primal", "dual", "complementarity", "b3", "b4", "ratio")


def example(law, contacts=6):
    random = np.random.default_rng(5)
    jacobian = random.standard_normal((3 * contacts, 3 * contacts + 4))
    g = random.standard_normal(3 * contacts) - np.tile([0.0, 0.0, 1.0], contacts)
    return st.ContactProblem(jacobian @ jacobian.T, g, mu=0.6, law=law, compliance=0.05)


PAIRS = [(e.name, law) for e in st.catalog()["solvers"] for law in e.laws]


@pytest.mark.parametrize(("solver", "law"), PAIRS)
def test_a_history_changes_nothing(solver, law):
    problem = example(law)
    plain, before = st.solve(problem, solver=solver)
    recorded, report = st.solve(problem, solver=solver, history=True)
    assert before.history is None
    assert recorded.tobytes() == plain.tobytes()
    assert (report.status, report.iterations, report.path) == (before.status, before.iterations, before.path)


@pytest.mark.parametrize(("solver", "law"), PAIRS)
def test_samples_are_the_iterations_as_the_judge_sees_them(solver, law):
    problem = example(law)
    impulse, report = st.solve(problem, solver=solver, history=True)
    history = report.history
    assert history.dtype.names == FIELDS
    assert history.size >= 1 and np.all(np.diff(history["iteration"]) >= 0) and np.all(np.diff(history["seconds"]) >= 0)
    assert history["iteration"][-1] <= max(report.iterations, 1)
    own = st.evaluate(problem, impulse)
    if report.status == "converged":
        assert history["ratio"].min() <= 1.0  # the accepted iterate was seen …
        assert np.any(np.isclose(history["b3"], own.b3, rtol=1e-6, atol=1e-15))  # … and is the one handed back


def test_an_iteration_in_the_history_is_the_solve_that_stops_there():
    """Oracle: the residual of a solve of k iterations is sample k of the long one."""
    problem = example("coulomb")
    _, report = st.solve(problem, solver="pgs", tolerance=1e-13, max_iterations=50, history=True)
    for k in (1, 7, 20):
        impulse, _ = st.solve(problem, solver="pgs", tolerance=1e-13, max_iterations=k)
        own = st.evaluate(problem, impulse)
        best = report.history["b3"][:k].min()
        assert own.b3 == pytest.approx(best, rel=1e-9)


def test_time_is_the_solvers_own():
    problem = example("coulomb", contacts=30)
    _, report = st.solve(problem, solver="pgs", tolerance=1e-12, max_iterations=200, history=True)
    assert 0.0 < report.history["seconds"][-1] < 60.0


def test_history_survives_the_report(tmp_path):
    history = st.solve(example("coulomb"), solver="nsgs", history=True)[1].history
    np.save(tmp_path / "h.npy", history)
    assert np.array_equal(np.load(tmp_path / "h.npy"), history)
    history["b3"][0] = 7.0  # a copy of one's own
