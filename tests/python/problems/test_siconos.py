# SPDX-License-Identifier: BSD-2-Clause
"""Siconos .dat files. Oracle: texts written by hand for each storage, whose matrices are known; and the round trip."""

import numpy as np
import pytest

import stiction as st

# One contact, rows (N, T1, T2) in the file. W = [[10 1.02 2.04], [1 11 3.06], [2 3 12]] is not quite symmetric, as happens
# with gyroscopic terms: a transposed reading shows.
DENSE = """3
1
0
3
3
3\t3
10 1 2
1.02e0 11 3 2.04 3.06
12
10 20 30
0.5
0
"""
BLOCK = """3 1
1
3 3
1
1 1
3
3
2 1
0 1
0
0
10
1
2
1.02
11
3
2.04
3.06
12
 1.000000000000000000000000e+01   2.0e+01  3.0e+01
0.5
# a comment may follow
"""
COLUMNS = """3
1
2
3
3
2
CSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016
3-by-3, nzmax: 9 nnz: 9, 1-norm: 18
    col 0 : locations 0 to 2
      0 : 10
      1 : 1
      2 : 2
    col 1 : locations 3 to 5
      0 : 1.02
      1 : 11
      2 : 3
    col 2 : locations 6 to 8
      0 : 2.04
      1 : 3.06
      2 : 12
10 20 30
0.5
"""
ROWS = """3 1
2 3 3
3
CSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016
csr: 3-by-3, nzmax: 9 nnz: 9, 1-norm: 18
    row 0 : locations 0 to 2
      0 : 10
      1 : 1.02
      2 : 2.04
    row 1 : locations 3 to 5
      0 : 1
      1 : 11
      2 : 3.06
    row 2 : locations 6 to 8
      0 : 2
      1 : 3
      2 : 12
10 20 30 0.5
"""
TRIPLETS = """3 1
2 3 3
1
CSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016
triplet: 3-by-3, nzmax: 9 nnz: 9
    0 0 : 10
    1 0 : 1
    2 0 : 2
    0 1 : 1.02
    1 1 : 11
    2 1 : 3
    0 2 : 2.04
    1 2 : 3.06
    2 2 : 12
10 20 30 0.5
"""


@pytest.mark.parametrize(
    "text", [DENSE, BLOCK, COLUMNS, ROWS, TRIPLETS], ids=["dense", "block", "columns", "rows", "triplets"]
)
def test_every_storage(tmp_path, text):
    (tmp_path / "p.dat").write_text(text)
    problem = st.siconos.load(tmp_path / "p.dat")
    assert np.array_equal(problem.G, [[11, 3.06, 1], [3, 12, 2], [1.02, 2.04, 10]])  # rows and columns (T1, T2, N)
    assert np.array_equal(problem.g, [20, 30, 10]) and np.array_equal(problem.mu, [0.5])
    assert not problem.symmetric and problem.dt is None


# Two contacts that share a body: blocks (0, 1) and (1, 0) are 1..9 column by column and its transpose.
TWO = """3 2
1
6 6
4
2 2
3 6
3 6
3 4
0 2 4
0 1 0 1
0 20 0 0 0 20 0 0 0 20
1 1 2 3 4 5 6 7 8 9
2 1 4 7 2 5 8 3 6 9
3 30 0 0 0 30 0 0 0 30
1 2 3 4 5 6
0.1 0.2
"""


def test_blocks_off_the_diagonal_are_column_major(tmp_path):
    (tmp_path / "p.dat").write_text(TWO)
    problem = st.siconos.load(tmp_path / "p.dat")
    order = st.fclib.to_fclib(np.arange(6)).astype(int)
    wanted = np.diag([20.0, 20, 20, 30, 30, 30])
    wanted[:3, 3:] = np.arange(1, 10).reshape(3, 3).T
    wanted[3:, :3] = wanted[:3, 3:].T
    assert np.array_equal(problem.G[np.ix_(order, order)], wanted)
    assert np.array_equal(problem.g[order], np.arange(1, 7)) and np.array_equal(problem.mu, [0.1, 0.2])


GLOBAL = """3
1
0
3
3
3\t3
2 0 0 0 4 0 0 0 8
0
3
3
3\t3
1 0 0
1 1 0
0 0 1
-2 -4 -8
0.5 0.25 0
0.1
0
"""


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


UPPER = """3 1
2 3 3
1
banner
triplet: 3-by-3, nzmax: 5 nnz: 5
    0 0 : 4
    0 1 : 1
    1 1 : 4
    1 2 : 1
    2 2 : 4
0 3 3
3 3
1 0 0 0 1 0 0 0 1
1 2 3
0 0 0
0.3
"""


def test_mass_of_which_only_the_upper_half_is_stored(tmp_path):
    (tmp_path / "g.dat").write_text(UPPER)
    problem = st.siconos.load(tmp_path / "g.dat")
    order = st.fclib.to_fclib(np.arange(3)).astype(int)
    mass = np.array([[4.0, 1, 0], [1, 4, 1], [0, 1, 4]])
    assert np.allclose(problem.G[np.ix_(order, order)], np.linalg.inv(mass), rtol=1e-14)


# Cottle, Pang and Stone: M = [0 -1 2; 2 0 -2; -1 1 0], written column by column; its solution is (0, 1, 3).
CPS_2 = """3
0
3
3
3\t3
0 2 -1
-1 0 1
2 -2 0
-3 6 -1
"""


def test_lcp_is_column_major(tmp_path):
    """(0, 1, 3) solves the matrix as it is meant, and not its transpose: the trap that a row-major reader falls into."""
    (tmp_path / "lcp.dat").write_text(CPS_2)
    problem, form = st.siconos.load_form(tmp_path / "lcp.dat")
    assert form == "lcp" and problem.rows == 3
    assert np.array_equal(problem.G, [[0, -1, 2], [2, 0, -2], [-1, 1, 0]])
    assert st.lcp.error(problem, [0, 1, 3]) == 0.0
    assert st.lcp.error(st.lcp.problem(problem.G.T, problem.g), [0, 1, 3]) > 0.1


def example(seed=0, contacts=4):
    random = np.random.default_rng(seed)
    jacobian = random.standard_normal((3 * contacts, 3 * contacts + 2))
    jacobian[:3, 6:] = 0.0
    jacobian[6:9, :6] = 0.0
    return st.ContactProblem(
        jacobian @ jacobian.T, random.standard_normal(3 * contacts), mu=random.uniform(0, 1, contacts)
    )


@pytest.mark.parametrize("storage", [0, 1, 2])
def test_written_and_read_again(tmp_path, storage):
    problem = example()
    st.siconos.save(tmp_path / "p.dat", problem, storage=storage)
    again, form = st.siconos.load_form(tmp_path / "p.dat")
    assert form == "local"
    for key in ("G", "g", "mu"):
        assert np.array_equal(getattr(again, key), getattr(problem, key))


@pytest.mark.parametrize("storage", [0, 1, 2])
def test_lcp_written_and_read_again(tmp_path, storage):
    random = np.random.default_rng(2)
    root = random.standard_normal((5, 5))
    problem = st.lcp.problem(root @ root.T, random.standard_normal(5))
    st.siconos.save(tmp_path / "p.dat", problem, storage=storage)
    again, form = st.siconos.load_form(tmp_path / "p.dat")
    assert form == "lcp" and np.array_equal(again.G, problem.G) and np.array_equal(again.g, problem.g)


@pytest.mark.parametrize("storage", [0, 1, 2])
def test_global_written_and_read_again(tmp_path, storage):
    random = np.random.default_rng(3)
    root = random.standard_normal((8, 8))
    mass, jacobian = root @ root.T + np.eye(8), random.standard_normal((8, 6))
    f, w = random.standard_normal(8), random.standard_normal(6)
    st.siconos.save_global(tmp_path / "g.dat", mass, jacobian, f, w, [0.3, 0.4], storage=storage)
    problem, form = st.siconos.load_form(tmp_path / "g.dat")
    assert form == "global"
    assert np.allclose(problem.G, jacobian.T @ np.linalg.solve(mass, jacobian), rtol=1e-10)
    assert np.allclose(problem.g, jacobian.T @ np.linalg.solve(mass, f) + w, rtol=1e-10)
    assert np.array_equal(problem.mu, [0.3, 0.4])


def test_the_solution_does_not_depend_on_the_format(tmp_path):
    """Oracle: the same problem through FCLIB."""
    pytest.importorskip("h5py")
    problem = example(7)
    st.siconos.save(tmp_path / "p.dat", problem)
    st.fclib.save(tmp_path / "p.hdf5", problem)
    a, b = (
        st.solve(load(tmp_path / name))[0] for load, name in ((st.siconos.load, "p.dat"), (st.fclib.load, "p.hdf5"))
    )
    assert np.array_equal(a, b)


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
        st.siconos.save(tmp_path / "x.dat", example(), storage=5)


def test_files_of_the_study_survive_the_format(tmp_path, third_party):
    """Oracle: the stored solution of an FCLIB file is as good on the problem written as .dat."""
    pytest.importorskip("h5py")
    for name in ("Rover1039", "NESpheres_10_1"):
        path = third_party / "fclib" / f"{name}.hdf5"
        problem, impulse = st.fclib.load(path), st.fclib.load_solution(path)
        for storage in (0, 1, 2):
            st.siconos.save(tmp_path / "p.dat", problem, storage=storage)
            again = st.siconos.load(tmp_path / "p.dat")
            assert st.evaluate(again, impulse).b3 == st.evaluate(problem, impulse).b3 < 1e-12


@pytest.mark.parametrize("storage", [0, 1, 2])
def test_six_digits_are_enough(tmp_path, storage):
    """What %g prints: W is singular in full precision and slightly indefinite in the file; it is read and solved."""
    problem = st.generate.stack(2, speed=0.1, seed=1, form="dense")
    st.siconos.save(tmp_path / "full.dat", problem, storage=storage)
    words = [f"{float(w):g}" if "." in w and w.replace(".", "").replace("-", "").replace("e", "").isdigit() else w
             for line in (tmp_path / "full.dat").read_text().split("\n") for w in [*line.split(" "), "\n"]]  # fmt: skip
    (tmp_path / "six.dat").write_text(" ".join(words))
    read = st.siconos.load(tmp_path / "six.dat")
    values = np.linalg.eigvalsh((read.G + read.G.T) / 2)
    assert -1e-5 * values[-1] <= values[0] < 0.0 and np.abs(read.G - problem.G).max() <= 1e-5 * np.abs(problem.G).max()
    _, report = st.solve(read, tolerance=1e-4)
    assert report.status == "converged"


def test_frictionless_contacts_are_legal(tmp_path):
    problem = st.generate.table(4, mu=0.0, form="sparse")
    st.siconos.save(tmp_path / "p.dat", problem)
    impulse, report = st.solve(st.siconos.load(tmp_path / "p.dat"))
    assert report.status == "converged" and impulse[2::3].sum() == pytest.approx(20 * 9.81 * 0.01)
