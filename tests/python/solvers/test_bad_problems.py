# SPDX-License-Identifier: BSD-2-Clause
"""Bad problems are refused with the entry named, slightly wrong ones are solved.

Oracle: matrices with eigenvalues and differences chosen here, on both sides of each limit; NumPy's eigenvalues for files.
"""

import numpy as np
import pytest

import stiction as st

N = 12


def matrix(smallest=0.1):
    """Eigenvalues: `smallest`, and eleven between 0.1 and 1."""
    basis, _ = np.linalg.qr(np.random.default_rng(3).standard_normal((N, N)))
    values = np.linspace(0.1, 1.0, N)
    values[0] = smallest
    return basis * values @ basis.T


def changed(row, column, value):
    G = matrix()
    G[row, column] = value
    return G


def skewed(relative):
    G = matrix()
    change = relative * np.linalg.norm(G) / np.sqrt(2.0)
    G[3, 5] += change / 2
    G[5, 3] -= change / 2
    return G


def csr(G):
    rows, columns = np.nonzero(G)
    return np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(G)))]), columns, G[rows, columns]


def problem(G=None, g=None, mu=0.5, **more):
    return st.ContactProblem(matrix() if G is None else G, -0.1 * np.ones(N) if g is None else g, mu=mu, **more)


def entry(at, value, size=N):
    x = np.full(size, 0.5)
    x[at] = value
    return x


BAD = {
    "G too small": (dict(G=np.eye(9)), ["G", "(9, 9)", "(12, 12)"]),
    "G not square": (dict(G=np.ones((12, 9))), ["G", "(12, 9)"]),
    "g too short": (dict(g=np.ones(11)), ["g", "11", "multiple of 3"]),
    "mu too long": (dict(mu=[0.5] * 5), ["mu", "5", "4"]),
    "nan in G": (dict(G=changed(3, 5, np.nan)), ["G[3, 5]", "nan", "finite"]),
    "infinity in G": (dict(G=changed(11, 0, np.inf)), ["G[11, 0]", "inf"]),
    "nan in a sparse G": (dict(G=csr(changed(3, 5, np.nan))), ["G[3, 5]", "nan"]),
    "nan in g": (dict(g=entry(4, np.nan)), ["g[4]", "nan"]),
    "infinity in g": (dict(g=entry(4, -np.inf)), ["g[4]", "-inf"]),
    "negative mu": (dict(mu=entry(2, -0.1, 4)), ["mu[2]", "-0.1", ">= 0"]),
    "nan mu": (dict(mu=entry(2, np.nan, 4)), ["mu[2]", "nan"]),
    "unsymmetric": (dict(G=skewed(1.02e-2)), ["G[3, 5]", "G[5, 3]", "symmetric", "general"]),
    "unsymmetric, sparse": (dict(G=csr(skewed(1.02e-2))), ["G[3, 5]", "G[5, 3]", "symmetric"]),
    "indefinite": (dict(G=matrix(-1.01e-6)), ["indefinite", "-1.01e-06", "general"]),
    "indefinite, sparse": (dict(G=csr(matrix(-0.3))), ["indefinite", "-0.3"]),
    "negative diagonal": (dict(G=np.diag(entry(7, -1.0))), ["G[7, 7]", "-1", ">= 0"]),
    "general with contacts": (dict(general=True), ["blocks[0]", "coulomb", "unilateral or box"]),
}


@pytest.mark.parametrize("case", BAD)
def test_refused_with_the_entry_named(case):
    arguments, words = BAD[case]
    with pytest.raises(ValueError) as caught:
        problem(**arguments)
    assert isinstance(caught.value, st.InvalidInput)
    for word in words:
        assert word in str(caught.value), str(caught.value)


GOOD = {
    "indefinite by 9e-8": matrix(-9e-8),
    "indefinite by 9e-7": matrix(-9e-7),
    "unsymmetric by 0.9e-2": skewed(0.9e-2),
    "singular": matrix(0.0),
    "zero": np.zeros((N, N)),
}


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("case", GOOD)
def test_slightly_wrong_is_accepted(case, sparse):
    G = GOOD[case]
    p = problem(csr(G) if sparse else G)
    assert np.array_equal(p.G, G)
    impulse, report = st.solve(p)
    assert np.isfinite(impulse).all() and report.status != "invalid_problem"


def test_empty_is_solved():
    p = st.ContactProblem(np.zeros((0, 0)), [], mu=[])
    impulse, report = st.solve(p)
    assert impulse.shape == (0,) and report.status == "converged" and report.iterations >= 0


def test_general_problems_take_any_square_matrix():
    blocks = [st.Block.unilateral(), st.Block.unilateral()]
    M = np.array([[1.0, 5.0], [-3.0, 0.0]])
    with pytest.raises(ValueError, match=r"G\[0, 1\].*symmetric"):
        st.ContactProblem(M, [1.0, 1.0], blocks=blocks)
    assert st.ContactProblem(M, [1.0, 1.0], blocks=blocks, general=True).general
    assert np.array_equal(st.ContactProblem.lcp(M, [1.0, 1.0]).G, M)


def test_an_operator_is_densified():
    linalg = pytest.importorskip("scipy.sparse.linalg")
    p = problem(linalg.aslinearoperator(matrix()))
    assert np.allclose(p.G, matrix(), rtol=0, atol=1e-15)
    with pytest.raises(ValueError, match=r"G has shape \(9, 9\), expected \(12, 12\)"):
        problem(linalg.aslinearoperator(np.eye(9)))


def test_every_file_of_the_library_loads(third_party):
    pytest.importorskip("h5py")
    for path in sorted((third_party / "fclib").glob("*.hdf5")):
        p = st.fclib.load(path)
        assert p.rows > 0
        if p.rows <= 400:  # Oracle: NumPy. Files hold eigenvalues down to -1e-7 of the largest.
            values = np.linalg.eigvalsh((p.G + p.G.T) / 2)
            assert values[0] >= -1e-6 * values[-1], path.name
