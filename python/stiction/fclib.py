# SPDX-License-Identifier: BSD-2-Clause
"""FCLIB problem files (HDF5). The one place that knows FCLIB's row order (N, T1, T2); everywhere else it is (T1, T2, N).

Needs h5py. Traps handled here: matrices stored as CSC, CSR or triplets (whose index names differ between writers),
global problems (condensed to local ones), symmetric mass matrices of which only one half is stored.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np

from ._core import ContactProblem, InvalidInput

Path = str | os.PathLike[str]


class Sparse(NamedTuple):
    """A matrix as triplets; duplicates add."""

    shape: tuple[int, int]
    row: np.ndarray
    column: np.ndarray
    value: np.ndarray

    def dense(self) -> np.ndarray:
        out = np.zeros(self.shape)
        np.add.at(out, (self.row, self.column), self.value)
        return out


def _h5py() -> Any:
    try:
        import h5py
    except ImportError as error:
        raise ImportError("FCLIB files need h5py: pip install h5py") from error
    return h5py


def _open(path: Path) -> Any:
    if not os.path.isfile(path):
        raise InvalidInput(f"fclib: file '{os.fspath(path)}' not found")
    try:
        return _h5py().File(path, "r")
    except OSError as error:
        raise InvalidInput(f"fclib: '{os.fspath(path)}' is not a readable HDF5 file") from error


def to_ours(x: np.ndarray) -> np.ndarray:
    """Rows (N, T1, T2) of every contact to (T1, T2, N)."""
    return np.asarray(x, float).reshape(-1, 3)[:, [1, 2, 0]].reshape(-1)


def to_fclib(x: np.ndarray) -> np.ndarray:
    """Rows (T1, T2, N) of every contact to (N, T1, T2)."""
    return np.asarray(x, float).reshape(-1, 3)[:, [2, 0, 1]].reshape(-1)


def _our_row(fclib_row: np.ndarray) -> np.ndarray:
    return fclib_row // 3 * 3 + (fclib_row % 3 + 2) % 3  # N 0 -> 2, T1 1 -> 0, T2 2 -> 1


def _read_matrix(group: Any) -> Sparse:
    m, n, nz = (int(np.ravel(group[key][()])[0]) for key in ("m", "n", "nz"))
    p, i, x = (np.ravel(group[key][()]) for key in ("p", "i", "x"))
    if nz == -1:  # CSC: p counts columns, i are rows
        return Sparse((m, n), i[: p[n]].astype(int), np.repeat(np.arange(n), np.diff(p[: n + 1])), x[: p[n]])
    if nz == -2:  # CSR: p counts rows, i are columns
        return Sparse((m, n), np.repeat(np.arange(m), np.diff(p[: m + 1])), i[: p[m]].astype(int), x[: p[m]])
    row, column = i[:nz].astype(int), p[:nz].astype(int)  # triplets as Siconos writes them
    if nz > 0 and (row.max() >= m or column.max() >= n):
        row, column = column, row  # … or as the header of FCLIB says
    return Sparse((m, n), row, column, x[:nz])


def _csr(matrix: Sparse) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    order = np.lexsort((matrix.column, matrix.row))
    start = np.concatenate([[0], np.cumsum(np.bincount(matrix.row, minlength=matrix.shape[0]))])
    return start, matrix.column[order], matrix.value[order]


def _mirrored(matrix: Sparse) -> Sparse:
    """LMGC90 stores only the upper half of a symmetric mass matrix."""
    above, below = matrix.row < matrix.column, matrix.row > matrix.column
    if below.any() or not above.any():
        return matrix
    return Sparse(
        matrix.shape,
        np.concatenate([matrix.row, matrix.column[above]]),
        np.concatenate([matrix.column, matrix.row[above]]),
        np.concatenate([matrix.value, matrix.value[above]]),
    )


def condense(mass: Sparse, jacobian: Sparse, f: np.ndarray, w: np.ndarray) -> tuple[Sparse, np.ndarray]:
    """M v = H r + f, u = H' v + w   to   W = H' M^-1 H, q = H' M^-1 f + w."""
    H = jacobian.dense()
    if H.shape[0] != mass.shape[0]:
        H = H.T
    try:
        solved = np.linalg.solve(_mirrored(mass).dense(), np.column_stack([H, f]))
    except np.linalg.LinAlgError as error:
        raise InvalidInput("the mass matrix M of a global problem is singular: it cannot be condensed") from error
    condensed, q = H.T @ solved[:, :-1], H.T @ solved[:, -1] + w
    row, column = np.nonzero(np.abs(condensed) >= 1e-16 * np.abs(condensed).max(initial=0.0))
    return Sparse(condensed.shape, row, column, condensed[row, column]), q


def local_problem(matrix: Sparse, q: np.ndarray, mu: np.ndarray, law: str) -> ContactProblem:
    """A problem whose rows are (N, T1, T2), as FCLIB and Siconos write them, in our order; block-sparse, no dt."""
    ours = Sparse(matrix.shape, _our_row(matrix.row), _our_row(matrix.column), matrix.value)
    return ContactProblem(_csr(ours), to_ours(q), mu=mu, law=law)


def load(path: Path, law: str = "coulomb") -> ContactProblem:
    """Read a problem in local or global form.

    Parameters
    ----------
    path
        An FCLIB HDF5 file.
    law
        Friction law under which the problem is to be solved.

    Returns
    -------
    ContactProblem
        Rows in our order (T1, T2, N), no dt, block-sparse.
    """
    name = os.fspath(path)
    with _open(path) as file:
        try:
            matrix, q, mu, dimension = _read_problem(file, name)
        except KeyError as error:
            raise InvalidInput(f"fclib: '{name}' is incomplete: {str(error.args[0])}") from error
    if dimension != 3:
        raise InvalidInput(f"fclib: '{name}' has {dimension} rows per contact, expected 3")
    return local_problem(matrix, q, mu, law)


def _read_problem(file: Any, name: str) -> tuple[Sparse, np.ndarray, np.ndarray, int]:
    form = next((form for form in ("fclib_local", "fclib_global") if form in file), None)
    if form is None:
        raise InvalidInput(f"fclib: '{name}' has neither fclib_local nor fclib_global")
    group = file[form]
    if any(key in group for key in (("V", "R") if form == "fclib_local" else ("G",))):
        raise InvalidInput(f"fclib: '{name}' has equality constraints, which are not read yet")
    vector = lambda key: np.ravel(group[f"vectors/{key}"][()])  # noqa: E731
    if form == "fclib_local":
        matrix, q = _read_matrix(group["W"]), vector("q")
    else:
        matrix, q = condense(_read_matrix(group["M"]), _read_matrix(group["H"]), vector("f"), vector("w"))
    return matrix, q, vector("mu"), int(np.ravel(group["spacedim"][()])[0])


def load_solution(path: Path) -> np.ndarray | None:
    """The impulse stored in /solution/r in our order, or None. It may be zeros: judge it before you trust it."""
    with _open(path) as file:
        if "solution/r" not in file:
            return None
        stored = np.ravel(file["solution/r"][()])
    return to_ours(stored) if stored.size % 3 == 0 else None


def save(path: Path, problem: ContactProblem, impulse: np.ndarray | None = None, title: str = "") -> None:
    """Write a problem of contacts in local form, with the impulse as its solution if given.

    dt, compliance and the law are not part of the format: a problem with compliance is refused.
    """
    if problem.contacts * 3 != problem.rows:
        raise InvalidInput("fclib.save: the problem has blocks that are not contacts; the format has no place for them")
    if problem.compliance.size and problem.compliance.any():
        raise InvalidInput("fclib.save: the problem is compliant; the format has no place for it")
    order = to_fclib(np.arange(problem.rows)).astype(int)
    matrix = problem.G[np.ix_(order, order)]
    column, row = np.nonzero(matrix.T)
    with _h5py().File(path, "w") as file:
        file["fclib_local/spacedim"] = np.array([3], "i4")
        group = file.create_group("fclib_local/W")
        n = problem.rows
        for key, value in {"m": n, "n": n, "nz": -1, "nzmax": row.size}.items():
            group[key] = np.array([value], "i4")
        group["p"] = np.concatenate([[0], np.cumsum(np.bincount(column, minlength=n))]).astype("i4")
        group["i"], group["x"] = row.astype("i4"), matrix[row, column]
        file["fclib_local/vectors/q"], file["fclib_local/vectors/mu"] = to_fclib(problem.g), problem.mu
        file["fclib_local/info/title"] = title
        if impulse is not None:
            r = np.asarray(impulse, float)
            file["solution/r"], file["solution/u"] = to_fclib(r), to_fclib(problem.multiply(r) + problem.g)
            file["solution/v"] = file["solution/l"] = np.zeros(1)
