# SPDX-License-Identifier: BSD-2-Clause
"""Linear complementarity problems of tests/data. Oracles: every basis tried, a plain tableau, NumPy's projected sweeps."""

import numpy as np
import pytest

import own_problems
import second_methods as second
import stiction as st

SOLVABLE = [name for name in own_problems.LCPS if np.isfinite(own_problems.lcp(name)["z_lemke"]).all()]
SYMMETRIC = ["definite_6", "obstacle_8"]
POSITIVE_DIAGONAL = ["definite_6", "obstacle_8", "not_symmetric_5", "triangular_5"]


def test_the_set_is_complete():
    assert len(own_problems.LCPS) == 7 and len(SOLVABLE) == 5


@pytest.mark.parametrize("name", SOLVABLE)
def test_lemke_makes_the_pivots_of_the_tableau(name):
    data = own_problems.lcp(name)
    problem = st.lcp.problem(data["M"], data["q"], general=True)
    z, report = st.solve(problem, solver="lemke")
    assert report.status == "converged" and report.iterations == data["pivots"]
    assert np.abs(z - data["z_lemke"]).max() <= 1e-10 * np.abs(z).max()
    assert min(np.abs(z - s).max() for s in data["sols"]) <= 1e-10 * np.abs(z).max()


@pytest.mark.parametrize("name", ["game_4", "none_2"])
def test_a_ray_is_told(name):
    data = own_problems.lcp(name)
    z, report = st.solve(st.ContactProblem.lcp(data["M"], data["q"]), solver="lemke")
    assert report.status == "numerical_failure" and report.iterations == data["pivots"] and np.isfinite(z).all()


@pytest.mark.parametrize("solver", ["dantzig", "lcp_qp", "pgs"])
@pytest.mark.parametrize("name", SYMMETRIC)
def test_others_agree_where_the_matrix_is_symmetric(name, solver):
    data = own_problems.lcp(name)
    problem = st.lcp.problem(data["M"], data["q"], general=False).with_law("pyramid")
    z, report = st.solve(problem, solver=solver, tolerance=1e-12)
    assert report.status == "converged" and np.abs(z - data["sols"][0]).max() <= 1e-9


@pytest.mark.parametrize("name", POSITIVE_DIAGONAL)
def test_pgs_makes_the_sweeps_of_numpy(name):
    data = own_problems.lcp(name)
    problem = st.lcp.problem(data["M"], data["q"], general=True)
    ours = theirs = np.zeros(data["q"].size)
    for k in range(4):
        ours = st.solve(problem, solver="pgs", warm_start=ours, max_iterations=1, tolerance=1e-16)[0]
        theirs = second.projected_sweep(data["M"], data["q"], theirs)
        assert np.abs(ours - theirs).max() <= 1e-12 * max(1.0, np.abs(theirs).max()), k


@pytest.mark.parametrize("name", ["game_4", "none_2"])
def test_pgs_refuses_a_zero_diagonal(name):
    data = own_problems.lcp(name)
    with pytest.raises(st.InvalidInput, match="divides by the diagonal"):
        st.solve(st.lcp.problem(data["M"], data["q"], general=True), solver="pgs")
