# SPDX-License-Identifier: BSD-2-Clause
"""Writes FCLIB problem files; fclib.py says what they look like and reads them."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .._core import ContactProblem, InvalidInput
from ..output.arguments import named
from ..output.files import whole_file
from . import global_form
from .global_form import ContactRows, GlobalForm, Sparse, contact_rows, offsets, triplets

Path = str | os.PathLike[str]


@contextmanager
def _whole_hdf5(path: Path) -> Iterator[Any]:
    """Made in memory: on a full disk the HDF5 library ends the program."""
    image = io.BytesIO()
    with h5py_module().File(image, "w") as file:
        yield file
    with whole_file(path) as part:
        part.write_bytes(image.getbuffer())


def h5py_module() -> Any:
    """h5py, or a sentence that says how to get it."""
    try:
        import h5py
    except ImportError as error:
        raise ImportError("FCLIB files need h5py: pip install 'stiction[fclib]'") from error
    return h5py


def to_ours(x: np.ndarray) -> np.ndarray:
    """Rows (N, T1, T2) of every contact to (T1, T2, N)."""
    return np.asarray(x, float).reshape(-1, 3)[:, [1, 2, 0]].reshape(-1)


def to_fclib(x: np.ndarray) -> np.ndarray:
    """Rows (T1, T2, N) of every contact to (N, T1, T2)."""
    return np.asarray(x, float).reshape(-1, 3)[:, [2, 0, 1]].reshape(-1)


def _file_row(row: np.ndarray) -> np.ndarray:
    return row // 3 * 3 + (row % 3 + 1) % 3  # T1 0 -> 1, T2 1 -> 2, N 2 -> 0


def _write_matrix(group: Any, matrix: Sparse) -> None:
    """Compressed columns, 32-bit indices."""
    start, row, value = matrix.T.csr()
    for key, number in {"m": matrix.shape[0], "n": matrix.shape[1], "nz": -1, "nzmax": row.size}.items():
        group[key] = np.array([number], "i4")
    group["p"], group["i"], group["x"] = start.astype("i4"), row.astype("i4"), value


def _write_info(file: Any, form: str, title: str, description: str, math_info: str) -> None:
    for key, text in {"title": title, "description": description, "math_info": math_info}.items():
        file[f"{form}/info/{key}"] = text


def _write_solution(
    file: Any, u: np.ndarray, r: np.ndarray, multiplier: np.ndarray, v: np.ndarray | None = None
) -> None:
    file["solution/u"], file["solution/r"] = to_fclib(u), to_fclib(r)
    file["solution/v"] = np.zeros(1) if v is None else v
    file["solution/l"] = multiplier if multiplier.size else np.zeros(1)


@named
def save(
    path: Path, problem: ContactProblem, impulse: np.ndarray | None = None, title: str = "", description: str = "", math_info: str = "",
    form: str = "local",
) -> None:  # fmt: skip
    """Write a problem, with the impulse as its solution if given.

    Parameters
    ----------
    impulse
        One per row of the problem.
    title, description, math_info
        Texts for whoever opens the file; math_info says sizes and friction if it is empty.
    form
        `local` (W, q) or `global` (M, H, f, w), which needs a problem in body space; its velocities are scaled so that
        M is the identity. `save_global` writes another M.

    dt and the law are not part of the format. Compliance goes into W (or H), bilateral rows become equalities, unilateral
    rows contacts without friction, dry friction of joints contacts with a fixed normal impulse (global_form.py).
    """
    if form not in ("local", "global"):
        raise InvalidInput(f"fclib.save: form is '{form}', expected local or global")
    x = None if impulse is None else np.asarray(impulse, float)
    if x is not None and x.shape != (problem.rows,):
        raise InvalidInput(f"fclib.save: impulse has shape {x.shape}, expected ({problem.rows},)")
    rows = contact_rows(problem, "fclib.save")
    placed = None if x is None else rows.impulse(x)
    facts = math_info or _facts(problem, rows)
    if form == "global":
        save_global(path, global_form.of_problem(problem, "fclib.save"), placed, title, description, facts)
        return
    with _whole_hdf5(path) as file:
        _write_local(file, problem, rows)
        _write_info(file, "fclib_local", title, description, facts)
        if x is not None and placed is not None:
            stiff = problem.compliance * x if problem.compliance.size else 0.0
            u = np.zeros(placed.size)
            u[rows.place] = problem.multiply(x) + problem.g + stiff
            n = rows.contacts
            _write_solution(file, u[:n], placed[:n], placed[n:])


def _facts(problem: ContactProblem, rows: ContactRows) -> str:
    mu = f"mu {rows.mu.min():g} to {rows.mu.max():g}" if rows.mu.size else "no contacts"
    special = [f"{rows.equalities} equalities"] if rows.equalities else []
    unilateral, dry = rows.filler.size // 2 - rows.pressed.size, rows.pressed.size
    special += [f"{unilateral} contacts stand for unilateral rows"] if unilateral else []
    special += (
        [f"{dry} contacts with mu = 1 and fixed normal impulse stand for rows with bounded impulse"] if dry else []
    )
    special += ["compliance is part of the matrix"] if problem.compliance.size and problem.compliance.any() else []
    step = [f"step {problem.dt:g} s"] if problem.dt else []
    return "; ".join(
        [
            f"{rows.contacts // 3} contacts",
            mu,
            "W symmetric" if problem.symmetric else "W not symmetric",
            *special,
            *step,
        ]
    )


def _write_local(file: Any, problem: ContactProblem, rows: ContactRows) -> None:
    n, p = rows.contacts, rows.equalities
    matrix = triplets(problem.sparse(), problem.rows)
    row, column, value = rows.place[matrix.row], rows.place[matrix.column], matrix.value
    if problem.compliance.size:
        row, column = np.concatenate([row, rows.place]), np.concatenate([column, rows.place])
        value = np.concatenate([value, problem.compliance])
    diagonal = np.zeros(n + p)
    np.add.at(diagonal, row[row == column], value[row == column])
    offset = offsets(problem, rows, diagonal)
    row, column = np.append(row, rows.filler), np.append(column, rows.filler)
    value = np.append(value, diagonal[rows.model])

    def part(of_rows: bool, of_columns: bool) -> Sparse:
        keep = ((row < n) == of_rows) & ((column < n) == of_columns)
        r, c = (_file_row(i) if first else i - n for i, first in ((row[keep], of_rows), (column[keep], of_columns)))
        whole = Sparse((n if of_rows else p, n if of_columns else p), r, c, value[keep])
        return _summed(whole)

    file["fclib_local/spacedim"] = np.array([3], "i4")
    _write_matrix(file.create_group("fclib_local/W"), part(True, True))
    file["fclib_local/vectors/q"], file["fclib_local/vectors/mu"] = to_fclib(offset[:n]), rows.mu
    if p:
        _write_matrix(file.create_group("fclib_local/V"), part(True, False))
        _write_matrix(file.create_group("fclib_local/R"), part(False, False))
        file["fclib_local/vectors/s"] = offset[n:]


def _summed(matrix: Sparse) -> Sparse:
    """Entries of the same place added."""
    key = matrix.row * matrix.shape[1] + matrix.column
    unique, where = np.unique(key, return_inverse=True)
    value = np.zeros(unique.size)
    np.add.at(value, where, matrix.value)
    return Sparse(matrix.shape, unique // max(matrix.shape[1], 1), unique % max(matrix.shape[1], 1), value)


@named
def save_global(
    path: Path,
    given: GlobalForm,
    impulse: np.ndarray | None = None,
    title: str = "",
    description: str = "",
    math_info: str = "",
) -> None:
    """Write M v = H r + f, u = H' v + w as it is given; impulse: contacts (T1, T2, N), then equalities."""
    m, n = given.f.size, given.w.size
    M, J = triplets(given.M, m), triplets(given.J, m)
    with _whole_hdf5(path) as file:
        file["fclib_global/spacedim"] = np.array([3], "i4")
        _write_matrix(file.create_group("fclib_global/M"), M)
        _write_matrix(file.create_group("fclib_global/H"), Sparse((m, n), J.column, _file_row(J.row), J.value))
        if given.E is not None and given.b is not None:
            _write_matrix(file.create_group("fclib_global/G"), triplets(given.E, m).T)
            file["fclib_global/vectors/b"] = given.b
        file["fclib_global/vectors/f"], file["fclib_global/vectors/w"] = given.f, to_fclib(given.w)
        file["fclib_global/vectors/mu"] = given.mu
        _write_info(file, "fclib_global", title, description, math_info or f"{n // 3} contacts; {m} velocities")
        if impulse is not None:
            _write_solution(file, *_global_solution(given, np.asarray(impulse, float)))


def _global_solution(given: GlobalForm, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """u, r, l and v = M^-1 (J' r + E' l + f)."""
    m, n = given.f.size, given.w.size
    J, M = triplets(given.J, m), triplets(given.M, m)
    force = given.f.copy()
    np.add.at(force, J.column, J.value * x[:n][J.row])
    if given.E is not None:
        E = triplets(given.E, m)
        np.add.at(force, E.column, E.value * x[n:][E.row])
    diagonal = np.array_equal(M.row, np.arange(m)) and np.array_equal(M.column, np.arange(m))
    v = force / M.value if diagonal else np.linalg.solve(M.dense(), force)
    u = given.w.copy()
    np.add.at(u, J.row, J.value * v[J.column])
    return u, x[:n], x[n:], v


__all__ = ["save", "save_global", "to_fclib", "to_ours"]
