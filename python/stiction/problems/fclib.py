# SPDX-License-Identifier: BSD-2-Clause
"""FCLIB problem files (HDF5). The one place that knows FCLIB's row order (N, T1, T2); everywhere else it is (T1, T2, N).

    local     u = W r + V l + q,   V' r + R l + s = 0
    global    M v = H r + G l + f,   u = H' v + w,   G' v + b = 0

Needs h5py. Traps handled here: matrices stored as CSC, CSR or triplets (whose index names differ between writers),
mass matrices of which only one half is stored, solutions that are zeros, guesses that are no solutions. Rolling friction
and problems in the plane are refused with a sentence.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np

from .._core import Block, ContactProblem, InvalidInput, Residual, evaluate, solve
from ..output.arguments import named
from ..output.damaged import damaged
from .fclib_write import h5py_module, save, save_global, to_fclib, to_ours
from .global_form import MOST_ENTRIES, GlobalForm, Sparse, stacked

Path = str | os.PathLike[str]


def _open(path: Path) -> Any:
    if not os.path.isfile(path):
        raise FileNotFoundError(f"fclib: file '{os.fspath(path)}' not found; check the path")
    try:
        return h5py_module().File(path, "r")
    except OSError as error:
        raise InvalidInput(f"fclib: '{os.fspath(path)}' is not a readable HDF5 file") from error


def our_row(fclib_row: np.ndarray) -> np.ndarray:
    """Numbers of rows (N, T1, T2) to those of rows (T1, T2, N)."""
    return fclib_row // 3 * 3 + (fclib_row % 3 + 2) % 3  # N 0 -> 2, T1 1 -> 0, T2 2 -> 1


def _array(group: Any, key: str) -> np.ndarray:
    """The numbers of a dataset; a file of a few bytes can say that it holds billions."""
    found = group[key]
    if not hasattr(found, "shape") or found.size is None or found.size > MOST_ENTRIES:
        raise InvalidInput(f"'{key}' is no list of numbers, or too long")
    values = np.ravel(found[()])
    if values.dtype.kind not in "iuf":
        raise InvalidInput(f"'{key}' holds {values.dtype}, expected numbers")
    return values


def _number(group: Any, key: str) -> int:
    found = _array(group, key)
    if found.size != 1 or not np.isfinite(found[0]):
        raise InvalidInput(f"'{key}' holds {found.size} numbers, expected one")
    return int(found[0])


def _read_matrix(file: Any, name: str) -> Sparse:
    group = file[name]
    m, n, nz = (_number(group, key) for key in ("m", "n", "nz"))
    p, i, x = (_array(group, key) for key in ("p", "i", "x"))
    if m < 0 or n < 0 or nz < -2:
        raise InvalidInput(f"{name} has the size {m} x {n} and the storage {nz}")
    if nz < 0:  # -1, CSC: p counts columns, i are rows; -2, CSR: p counts rows, i are columns
        by_column, major = nz == -1, n if nz == -1 else m
        p = p[: major + 1].astype(np.int64)
        if p.size < major + 1 or p[0] != 0 or np.any(np.diff(p) < 0) or p[-1] > min(i.size, x.size):
            raise InvalidInput(f"{name}/p does not count the entries of {major} {'columns' if by_column else 'rows'}")
        nz, along = int(p[-1]), np.repeat(np.arange(major), np.diff(p))
        across = i[:nz].astype(int)
        row, column = (across, along) if by_column else (along, across)
    else:
        row, column = i[:nz].astype(int), p[:nz].astype(int)  # triplets as Siconos writes them
        if nz > 0 and row.size and column.size and (row.max() >= m or column.max() >= n):
            row, column = column, row  # … or as the header of FCLIB says
    if not row.size == column.size == x[:nz].size == nz:
        raise InvalidInput(f"{name} has {x.size} values and {i.size} indices, expected {nz}")
    if nz and (min(row.min(), column.min()) < 0 or row.max() >= m or column.max() >= n):
        raise InvalidInput(f"{name} has an entry outside of its {m} x {n}")
    return Sparse((m, n), row, column, x[:nz].astype(float))


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


def _is_symmetric(matrix: Sparse) -> bool:
    x, y = np.sin(1.0 + 0.7 * np.arange(matrix.shape[0])), np.cos(2.0 + 1.3 * np.arange(matrix.shape[0]))
    forward, backward = (float((matrix.value * a[matrix.row] * b[matrix.column]).sum()) for a, b in ((x, y), (y, x)))
    return abs(forward - backward) <= 1e-12 * float(np.abs(matrix.value).sum())


def condense(mass: Sparse, jacobian: Sparse, f: np.ndarray, w: np.ndarray) -> tuple[Sparse, np.ndarray]:
    """M v = H r + f, u = H' v + w   to   W = H' M^-1 H, q = H' M^-1 f + w; any M that can be inverted."""
    H = jacobian.dense()
    try:
        solved = np.linalg.solve(mass.dense(), np.column_stack([H, f]))
    except np.linalg.LinAlgError as error:
        raise InvalidInput("the mass matrix M of a global problem is singular: it cannot be condensed") from error
    condensed, q = H.T @ solved[:, :-1], H.T @ solved[:, -1] + w
    row, column = np.nonzero(np.abs(condensed) >= 1e-16 * np.abs(condensed).max(initial=0.0))
    return Sparse(condensed.shape, row, column, condensed[row, column]), q


def local_problem(matrix: Sparse, q: np.ndarray, mu: np.ndarray, law: str, equalities: int = 0) -> ContactProblem:
    """A problem whose rows are (N, T1, T2), as FCLIB and Siconos write them, in our order; block-sparse, no dt.

    The last rows are `equalities` rows whose velocity is zero.
    """
    n = matrix.shape[0] - equalities
    ours = lambda rows: np.where(rows < n, our_row(rows), rows)
    blocks = [Block.coulomb(float(x)) for x in mu] + ([Block.bilateral(equalities)] if equalities else [])
    G = Sparse(matrix.shape, ours(matrix.row), ours(matrix.column), matrix.value).csr()
    return ContactProblem(G, np.concatenate([to_ours(q[:n]), q[n:]]), blocks=blocks, law=law)


def global_problem(
    mass: Sparse,
    H: Sparse,
    f: np.ndarray,
    w: np.ndarray,
    mu: np.ndarray,
    law: str,
    condensed: bool,
    E: Sparse | None = None,
    b: Any = None,
) -> ContactProblem:
    """A global problem whose columns of H are (N, T1, T2): in body space, or block-sparse if `condensed`.

    An unsymmetric M (gyroscopic terms) has no body space: the problem is condensed.
    """
    mass = _mirrored(mass)
    jacobian = H.T if H.shape[0] == mass.shape[0] else H
    E = E if E is None or E.shape[1] == mass.shape[0] else E.T
    if condensed or not _is_symmetric(mass):
        whole, offset = stacked(jacobian, E), w if E is None else np.concatenate([w, b])
        matrix, q = condense(mass, whole.T, f, offset)
        return local_problem(matrix, q, mu, law, 0 if E is None else E.shape[0])
    J = Sparse(jacobian.shape, our_row(jacobian.row), jacobian.column, jacobian.value)
    return GlobalForm(mass.csr(), J.csr(), f, to_ours(w), mu, None, None if E is None else E.csr(), b).problem(
        "bodies", law
    )


@named
def load(path: Path, law: str = "coulomb", condense: bool = False) -> ContactProblem:
    """Read a problem in local or global form.

    Parameters
    ----------
    path
        An FCLIB HDF5 file.
    law
        Friction law under which the problem is to be solved.
    condense
        True forms W of a global problem; False keeps its M and H and solves in body space.

    Returns
    -------
    ContactProblem
        Rows in our order (T1, T2, N), no dt. Equalities are a bilateral block behind the contacts.
    """
    name = os.fspath(path)
    with damaged(f"fclib: '{name}'", more=(OSError,)), _open(path) as file:
        try:
            return _read_problem(file, name, law, condense)
        except KeyError as error:
            raise InvalidInput(f"fclib: '{name}' is incomplete: {error.args[0]!s}") from error
        except InvalidInput as error:
            raise InvalidInput(f"{error} ('{name}')" if name not in str(error) else str(error)) from None


def _read_problem(file: Any, name: str, law: str, condensed: bool) -> ContactProblem:
    if any("rolling" in key for key in file):
        raise InvalidInput(f"fclib: '{name}' has rolling friction, which no law here knows")
    form = next((form for form in ("fclib_local", "fclib_global") if form in file), None)
    if form is None:
        raise InvalidInput(f"fclib: '{name}' has neither fclib_local nor fclib_global")
    group = file[form]
    dimension = _number(group, "spacedim")
    if dimension != 3:
        raise InvalidInput(f"fclib: '{name}' has {dimension} rows per contact, expected 3")
    vector = lambda key: _array(group, f"vectors/{key}").astype(float)
    mu = vector("mu")
    n = 3 * mu.size
    if form == "fclib_local":
        W, q = _read_matrix(group, "W"), vector("q")
        _require_sizes({"W": W.shape, "q": q.shape}, {"W": (n, n), "q": (n,)}, mu)
        if "V" not in group:
            return local_problem(W, q, mu, law)
        V, R, s = _read_matrix(group, "V"), _read_matrix(group, "R"), vector("s")
        k = s.size
        _require_sizes({"V": V.shape, "R": R.shape}, {"V": (n, k), "R": (k, k)}, mu)
        return local_problem(_bordered(W, V, R), np.concatenate([q, s]), mu, law, k)
    M, H, f, w = _read_matrix(group, "M"), _read_matrix(group, "H"), vector("f"), vector("w")
    d = f.size
    sizes = {"M": M.shape, "H": tuple(sorted(H.shape)), "w": w.shape}
    _require_sizes(sizes, {"M": (d, d), "H": tuple(sorted((d, n))), "w": (n,)}, mu)
    if "G" not in group:
        return global_problem(M, H, f, w, mu, law, condensed)
    E, b = _read_matrix(group, "G").T, vector("b")
    _require_sizes({"G": tuple(sorted(E.shape))}, {"G": tuple(sorted((d, b.size)))}, mu)
    return global_problem(M, H, f, w, mu, law, condensed, E, b)


def _require_sizes(found: dict[str, tuple[int, ...]], wanted: dict[str, tuple[int, ...]], mu: np.ndarray) -> None:
    for key, shape in wanted.items():
        if found[key] != shape:
            raise InvalidInput(f"{key} has the size {found[key]}, expected {shape} for the {mu.size} contacts of mu")


def _bordered(W: Sparse, V: Sparse, R: Sparse) -> Sparse:
    """[W V; V' R]."""
    left = stacked(W, V.T)
    right = stacked(V, R).T
    return stacked(left.T, right).T


def _stored(file: Any, key: str) -> np.ndarray | None:
    stored = _array(file, key) if key in file else np.zeros(0)
    return to_ours(stored) if stored.size and stored.size % 3 == 0 else None


@named
def load_solution(path: Path) -> np.ndarray | None:
    """The impulse stored in /solution/r (and the equalities' /solution/l behind it) in our order, or None.

    It may be zeros: see `reference`.
    """
    with damaged(f"fclib: '{os.fspath(path)}'", more=(OSError,)), _open(path) as file:
        impulse = _stored(file, "solution/r")
        held = next((k for k in ("fclib_local/vectors/s", "fclib_global/vectors/b") if k in file), None)
        if impulse is None or held is None:
            return impulse
        multiplier = _array(file, "solution/l") if "solution/l" in file else np.zeros(0)
        return np.concatenate([impulse, multiplier]) if multiplier.size == file[held].size else None


@named
def load_guesses(path: Path) -> list[np.ndarray]:
    """The impulses of /guesses: starts for a solver, not solutions."""
    with damaged(f"fclib: '{os.fspath(path)}'", more=(OSError,)), _open(path) as file:
        told = "guesses/number_of_guesses" in file
        count = min(_number(file, "guesses/number_of_guesses"), len(file["guesses"])) if told else 0
        found = [_stored(file, f"guesses/{k}/r") for k in range(1, count + 1)]
    return [guess for guess in found if guess is not None]


class Reference(NamedTuple):
    """An impulse that may be compared with, and what the judge says of it."""

    impulse: np.ndarray
    residual: Residual
    stored: bool  # it is the file's; otherwise it was computed, because the file has none or a wrong one


@named
def reference(path: Path, problem: ContactProblem | None = None, trust: float = 1e-4) -> Reference:
    """The stored solution if the judge finds B3 <= trust, else one that `auto` computes: published files hold zeros."""
    problem = load(path) if problem is None else problem
    impulse = load_solution(path)
    if impulse is not None and impulse.size == problem.rows:
        residual = evaluate(problem, impulse)
        if residual.b3 <= trust:
            return Reference(impulse, residual, True)
    impulse, _ = solve(problem)
    return Reference(impulse, evaluate(problem, impulse), False)


__all__ = [
    "Reference", "load", "load_guesses", "load_solution", "reference", "save", "save_global", "to_fclib", "to_ours",
]  # fmt: skip
