# SPDX-License-Identifier: BSD-2-Clause
"""The LCP set. Oracle: solutions by enumeration of all bases, and the pivots of Lemke's method as published."""

import numpy as np
import pytest

import stiction as st

PIVOTS = {
    "CPS_1": 2, "CPS_2": 5, "CPS_4": 5, "CPS_5": 2, "Pang_isolated_sol": 3, "inf_sol_perturbed": 5, "deudeu": 3, "deudeu_block": 3,
    "ortiz": 3, "ortiz_block": 3, "trivial": 10, "trivial_block": 10, "exp_murty": 4, "exp_murty2": 64, "mmc": 23,
}  # fmt: skip
SYMMETRIC = ["CPS_1", "CPS_5", "deudeu", "deudeu_block", "trivial", "trivial_block", "mmc"]


def read(third_party, name):
    with np.load(third_party / "lcp" / f"lcp_{name}.npz", allow_pickle=False) as file:
        return {key: file[key] for key in ("M", "q", "z_lemke", "sols")}


def is_known(data, z):
    """Whether z is one of the enumerated solutions; where there are none (or a whole segment), the stored one counts."""
    known = [data["z_lemke"], *data["sols"]]
    return min(np.abs(z - s).max() for s in known) <= 1e-10 * max(1.0, np.abs(z).max())


@pytest.mark.parametrize("name", PIVOTS)
def test_solution_and_pivots(third_party, name):
    data = read(third_party, name)
    for general in (True, False) if name in SYMMETRIC else (True,):
        problem = st.lcp.problem(data["M"], data["q"], general=general)
        z, report = st.solve(problem, solver="lemke")
        assert report.status == "converged" and report.iterations == PIVOTS[name]
        assert st.lcp.error(problem, z) <= 1e-12
        assert is_known(data, z)


def test_ray_of_the_bimatrix_game(third_party):
    data = read(third_party, "CPS_3")
    z, report = st.solve(st.ContactProblem.lcp(data["M"], data["q"]), solver="lemke")
    assert report.status == "numerical_failure" and report.iterations == 1
    assert np.isfinite(z).all()


@pytest.mark.parametrize("name", SYMMETRIC)
def test_dantzig_agrees_where_the_matrix_is_symmetric(third_party, name):
    data = read(third_party, name)
    problem = st.lcp.problem(data["M"], data["q"], general=False)
    z, report = st.solve(problem, solver="dantzig")
    assert report.status == "converged" and st.lcp.error(problem, z) <= 1e-12
    if name != "CPS_1":  # a segment of solutions: each method has its own point
        assert is_known(data, z)


@pytest.mark.parametrize("M", [0.0, -1.0])
def test_without_a_solution(M):
    z, report = st.solve(st.ContactProblem.lcp([[M]], [-1.0]), solver="lemke")
    assert report.status == "numerical_failure" and np.isfinite(z).all()


def test_nothing_to_do():
    z, report = st.solve(st.ContactProblem.lcp([[-1.0]], [1.0]), solver="lemke")
    assert report.status == "converged" and report.iterations == 0 and np.array_equal(z, [0.0])


def test_small_problems_are_problems():
    M, q = [[2.0, 1.0], [1.0, 2.0]], np.array([-5.0, -6.0])
    large, small = (st.solve(st.ContactProblem.lcp(M, s * q), solver="lemke")[0] for s in (1.0, 1e-6))
    assert np.abs(small - 1e-6 * large).max() <= 1e-18


# Sweeps of the published table; lcp_mmc takes 309 here and 344 there, whose residual is another one.
SWEEPS = {"CPS_1": 1, "CPS_5": 1, "deudeu": 14, "ortiz": 1, "trivial": 1, "exp_murty": 2, "exp_murty2": 2}
ZERO_DIAGONAL = ("CPS_2", "CPS_3", "CPS_4", "Pang_isolated_sol", "inf_sol_perturbed")


@pytest.mark.parametrize("name", SWEEPS)
def test_pgs_takes_the_published_sweeps(third_party, name):
    data = np.load(third_party / "lcp" / f"lcp_{name}.npz")
    problem = st.lcp.problem(data["M"], data["q"], general=True)
    _, report = st.solve(problem, solver="pgs", test_interval=1)
    assert report.status == "converged" and report.iterations == SWEEPS[name]


@pytest.mark.parametrize("name", ZERO_DIAGONAL)
def test_pgs_refuses_a_zero_diagonal(third_party, name):
    data = np.load(third_party / "lcp" / f"lcp_{name}.npz")
    with pytest.raises(st.InvalidInput, match="divides by the diagonal"):
        st.solve(st.lcp.problem(data["M"], data["q"], general=True), solver="pgs")
