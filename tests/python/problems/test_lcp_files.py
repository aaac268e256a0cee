# SPDX-License-Identifier: BSD-2-Clause
"""LCP files. Oracle: matrices small enough to solve by hand, solutions stored in the files, the error as defined."""

import numpy as np
import pytest

import stiction as st
from stiction import problems

SOLVERS = {e.name: e for e in st.catalog()["solvers"]}
SPD = (np.array([[2.0, 1], [1, 2]]), np.array([-5.0, -6]), np.array([4 / 3, 7 / 3]))  # both rows active: 2x2 system
CPS_2 = (np.array([[0.0, -1, 2], [2, 0, -2], [-1, 1, 0]]), np.array([-3.0, 6, -1]), np.array([0.0, 1, 3]))


def plain_error(M, q, z):
    return np.abs(np.minimum(z, M @ z + q)).max() / max(1.0, np.abs(q).max())


def test_written_and_read_again(tmp_path):
    M, q, z = SPD
    st.lcp.save(tmp_path / "p.npz", M, q)
    problem = st.lcp.load(tmp_path / "p.npz")
    assert np.array_equal(problem.G, M) and np.array_equal(problem.g, q)
    assert {block.kind for block in problem.blocks} == {"unilateral"}
    assert st.lcp.error(problem, z) <= 1e-15


def test_error_is_the_one_defined():
    random = np.random.default_rng(1)
    for scale in (1e-3, 1.0, 1e3):
        root = random.standard_normal((6, 6))
        M, q, z = root @ root.T, scale * random.standard_normal(6), random.standard_normal(6)
        assert st.lcp.error(st.lcp.problem(M, q), z) == pytest.approx(plain_error(M, q, z), rel=1e-12)


@pytest.mark.parametrize("solver", [n for n, e in SOLVERS.items() if n != "newton"])
def test_every_solver_takes_a_semidefinite_one(tmp_path, solver):
    """Without friction all laws are the same: the reader picks one that the solver knows."""
    M, q, z = SPD
    st.lcp.save(tmp_path / "p.npz", M, q)
    loaded = problems.load(tmp_path / "p.npz", solver=solver)
    impulse, report = st.solve(loaded.problem, solver=solver, tolerance=1e-10)
    assert report.status == "converged" and np.allclose(impulse, z, atol=1e-8)
    assert loaded.lcp_error(impulse) <= 1e-8


def test_what_is_semidefinite():
    assert st.lcp.is_semidefinite(np.ones((2, 2))) and st.lcp.is_semidefinite(np.zeros((2, 2)))
    assert not st.lcp.is_semidefinite(CPS_2[0]) and not st.lcp.is_semidefinite(-np.eye(2))
    assert not st.lcp.is_semidefinite([[1.0, 2], [0, 1]])  # positive definite, but not symmetric


def test_a_general_matrix_is_only_for_those_who_can(tmp_path):
    M, q, z = CPS_2
    st.lcp.save(tmp_path / "p.npz", M, q)
    with pytest.raises(st.InvalidInput, match="nsgs"):
        st.solve(problems.load(tmp_path / "p.npz", solver="nsgs").problem, solver="nsgs")
    loaded = problems.load(tmp_path / "p.npz", solver="lemke")
    impulse, report = st.solve(loaded.problem, solver="lemke")
    assert report.status == "converged" and np.allclose(impulse, z, atol=1e-12)
    transposed = st.lcp.problem(M.T, q)
    assert not np.allclose(st.solve(transposed.with_law("pyramid"), solver="lemke")[0], z, atol=1e-3)


def test_wrong_files(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere.npz' not found"):
        st.lcp.load("nowhere.npz")
    (tmp_path / "text.npz").write_text("hello")
    with pytest.raises(st.InvalidInput, match=r"not a readable .npz"):
        st.lcp.load(tmp_path / "text.npz")
    np.savez(tmp_path / "other.npz", A=np.eye(2))
    with pytest.raises(st.InvalidInput, match="expected arrays M and q"):
        st.lcp.load(tmp_path / "other.npz")
    np.savez(tmp_path / "sizes.npz", M=np.eye(2), q=np.ones(3))
    with pytest.raises(st.InvalidInput, match=r"M has shape \(2, 2\) and q \(3,\)"):
        st.lcp.load(tmp_path / "sizes.npz")
    np.savez(tmp_path / "nan.npz", M=np.eye(2), q=[1.0, np.nan])
    with pytest.raises(st.InvalidInput, match="not finite"):
        st.lcp.load(tmp_path / "nan.npz")


def test_content_decides_what_a_file_is(tmp_path):
    M, q, _ = SPD
    st.lcp.save(tmp_path / "p.npz", M, q)
    (tmp_path / "p.npz").rename(tmp_path / "p.problem")
    assert problems.load(tmp_path / "p.problem").format == "LCP"
    st.siconos.save(tmp_path / "p.txt", st.lcp.problem(M, q))
    assert problems.load(tmp_path / "p.txt").format == "Siconos LCP"
    (tmp_path / "q.txt").write_text("hello")
    with pytest.raises(st.InvalidInput, match=r"FCLIB .* Siconos .* LCP"):
        problems.load(tmp_path / "q.txt")


def test_the_set(third_party):
    """Oracle: the solutions found by enumeration and stored in the files have no error."""
    files = sorted((third_party / "lcp").glob("*.npz"))
    assert len(files) >= 16
    for path in files:
        loaded = problems.load(path, solver="lemke")
        with np.load(path) as file:
            for z in file["sols"].reshape(-1, loaded.problem.rows):
                assert loaded.lcp_error(z) <= 1e-9, path.name
