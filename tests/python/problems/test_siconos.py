# SPDX-License-Identifier: BSD-2-Clause
"""Siconos .dat files are read, and wrong ones refused. Oracle: texts written by hand for each storage, whose matrices are known."""

import numpy as np
import pytest

import stiction as st
from siconos_texts import BLOCK, COLUMNS, CPS_2, DENSE, GLOBAL, ROWS, TRIPLETS, TWO, UPPER


@pytest.mark.parametrize(
    "text", [DENSE, BLOCK, COLUMNS, ROWS, TRIPLETS], ids=["dense", "block", "columns", "rows", "triplets"]
)
def test_every_storage(tmp_path, text):
    (tmp_path / "p.dat").write_text(text)
    problem = st.siconos.load(tmp_path / "p.dat")
    assert np.array_equal(problem.G, [[11, 3.06, 1], [3, 12, 2], [1.02, 2.04, 10]])  # rows and columns (T1, T2, N)
    assert np.array_equal(problem.g, [20, 30, 10]) and np.array_equal(problem.mu, [0.5])
    assert not problem.symmetric and problem.dt is None


def test_blocks_off_the_diagonal_are_column_major(tmp_path):
    (tmp_path / "p.dat").write_text(TWO)
    problem = st.siconos.load(tmp_path / "p.dat")
    order = st.fclib.to_fclib(np.arange(6)).astype(int)
    wanted = np.diag([20.0, 20, 20, 30, 30, 30])
    wanted[:3, 3:] = np.arange(1, 10).reshape(3, 3).T
    wanted[3:, :3] = wanted[:3, 3:].T
    assert np.array_equal(problem.G[np.ix_(order, order)], wanted)
    assert np.array_equal(problem.g[order], np.arange(1, 7)) and np.array_equal(problem.mu, [0.1, 0.2])


def test_global_form_of_the_same_size_is_told_from_the_local_one(tmp_path):
    """M = diag(2, 4, 8), H = [[1 1 0], [0 1 0], [0 0 1]] column by column: W = H' M^-1 H, q = H' M^-1 f + w by hand."""
    (tmp_path / "g.dat").write_text(GLOBAL)
    problem, form = st.siconos.load_form(tmp_path / "g.dat", condense=True)
    kept = st.siconos.load(tmp_path / "g.dat")
    order = st.fclib.to_fclib(np.arange(3)).astype(int)
    assert form == "global" and (problem.storage, kept.storage) == ("block_sparse", "body_space")
    assert np.allclose(kept.G, problem.G, rtol=0, atol=1e-15) and np.allclose(kept.g, problem.g, rtol=0, atol=1e-15)
    assert np.allclose(
        problem.G[np.ix_(order, order)], [[0.5, 0.5, 0], [0.5, 0.75, 0], [0, 0, 0.125]], rtol=0, atol=1e-16
    )
    assert np.allclose(problem.g[order], [-1 + 0.5, -2 + 0.25, -1], rtol=0, atol=1e-16)


def test_mass_of_which_only_the_upper_half_is_stored(tmp_path):
    (tmp_path / "g.dat").write_text(UPPER)
    problem = st.siconos.load(tmp_path / "g.dat")
    order = st.fclib.to_fclib(np.arange(3)).astype(int)
    mass = np.array([[4.0, 1, 0], [1, 4, 1], [0, 1, 4]])
    assert np.allclose(problem.G[np.ix_(order, order)], np.linalg.inv(mass), rtol=1e-14)


def test_lcp_is_column_major(tmp_path):
    """(0, 1, 3) solves the matrix as it is meant, and not its transpose: the trap that a row-major reader falls into."""
    (tmp_path / "lcp.dat").write_text(CPS_2)
    problem, form = st.siconos.load_form(tmp_path / "lcp.dat")
    assert form == "lcp" and problem.rows == 3
    assert np.array_equal(problem.G, [[0, -1, 2], [2, 0, -2], [-1, 1, 0]])
    assert st.lcp.error(problem, [0, 1, 3]) == 0.0
    assert st.lcp.error(st.lcp.problem(problem.G.T, problem.g), [0, 1, 3]) > 0.1


WRONG = {
    "storage": (DENSE.replace("3\n1\n0\n", "3\n1\n7\n"), "storage of the first matrix is 7"),
    "two dimensions": ("2 1\n0 2 2\n2 2\n1 0 0 1\n1 1\n0.5\n", "2 rows per contact, expected 3"),
    "too short": (DENSE[:40], "the file ends after"),
    "a word": (DENSE.replace("11 3 2.04", "11 x 2.04"), "'x' is not a number"),
    "size": (DENSE.replace("3\t3", "3\t4"), "3 x 3 and then 3 x 4"),
    "local size": (DENSE.replace("3\n1\n0\n", "3\n2\n0\n"), "3 x 3, expected 6 x 6"),
    "entries missing": (COLUMNS.replace("      1 : 3.06\n", ""), "8 entries, its head says 9"),
    "entry outside": (TRIPLETS.replace("2 2 : 12", "2 3 : 12"), "outside of 3 x 3"),
    "origin": (TRIPLETS.replace("2 3 3\n1\n", "2 3 3\n4\n"), "origin of the first matrix is 4"),
    "head": (TRIPLETS.replace("triplet: 3-by-3,", "what is this"), "nzmax"),
    "block index": (BLOCK.replace("2 1\n0 1\n0\n", "2 1\n0 1\n5\n"), "block index"),
    "block sizes": (BLOCK.replace("1 1\n3\n3\n", "1 1\n2\n3\n"), "block sizes"),
    "empty": ("", "the file ends"),
    "negative count": ("3 -1\n0 3 3", "integers >= 0"),
    "not finite": (DENSE.replace("10 20 30", "10 nan 30"), "g"),
    "friction": (DENSE.replace("0.5", "-0.5"), "mu"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_files(tmp_path, case):
    text, words = WRONG[case]
    (tmp_path / "p.dat").write_text(text)
    with pytest.raises(st.InvalidInput, match=words.replace("(", r"\(")):
        st.siconos.load(tmp_path / "p.dat")


def test_refusals(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere.dat' not found"):
        st.siconos.load("nowhere.dat")
    (tmp_path / "b.dat").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(st.InvalidInput, match="not a text file"):
        st.siconos.load(tmp_path / "b.dat")
    with pytest.raises(st.InvalidInput, match="compliant"):
        st.siconos.save(tmp_path / "x.dat", st.ContactProblem(np.eye(3), np.zeros(3), mu=1, compliance=1e-3))
    boxed = st.ContactProblem(np.eye(1), [1.0], blocks=[st.Block.box(-1, 1)])
    with pytest.raises(st.InvalidInput, match="box"):
        st.siconos.save(tmp_path / "x.dat", boxed)
    with pytest.raises(st.InvalidInput, match="storage is 5"):
        st.siconos.save(tmp_path / "x.dat", st.ContactProblem(np.eye(3), np.zeros(3), mu=1), storage=5)
