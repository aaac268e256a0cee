# SPDX-License-Identifier: BSD-2-Clause
"""Writes Siconos problem files (.dat) in full precision; siconos.py says what they look like and reads them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._core import ContactProblem, InvalidInput
from ..output.arguments import named
from ..output.files import write_text
from .fclib_write import Path, to_fclib


def _numbers(values: np.ndarray) -> str:
    return " ".join(f"{x:.17g}" for x in np.ravel(values)) + "\n"


def _blocks_text(matrix: np.ndarray, height: int, width: int) -> str:
    rows, columns = matrix.shape[0] // height, matrix.shape[1] // width
    grid = matrix.reshape(rows, height, columns, width).swapaxes(1, 2)
    stored = [(i, j) for i in range(rows) for j in range(columns) if i == j or grid[i, j].any()]
    pointer = np.searchsorted([i for i, _ in stored], np.arange(rows + 1))
    ends = [(np.arange(1, n + 1) * size) for n, size in ((rows, height), (columns, width))]
    head: list[Any] = [[len(stored), rows, columns], *ends, [rows + 1, len(stored)], pointer, [j for _, j in stored]]
    text = "".join(" ".join(map(str, line)) + "\n" for line in head)
    for k, (i, j) in enumerate(stored):
        text += f"{k}\n" + "".join(f"{x:.17g}\n" for x in grid[i, j].T.ravel())
    return text


def _csparse_text(matrix: np.ndarray) -> str:
    norm, count = np.abs(matrix).sum(axis=0).max(initial=0.0), np.count_nonzero(matrix)
    text = f"2\nCSparse\n{matrix.shape[0]}-by-{matrix.shape[1]}, nzmax: {count} nnz: {count}, 1-norm: {norm:g}\n"
    start = 0
    for j, column in enumerate(matrix.T):
        (rows,) = np.nonzero(column)
        text += f"    col {j} : locations {start} to {start + rows.size - 1}\n"
        text += "".join(f"      {i} : {column[i]:.17g}\n" for i in rows)
        start += rows.size
    return text


def _matrix_text(matrix: np.ndarray, storage: int, block: tuple[int, int] = (1, 1)) -> str:
    if storage not in (0, 1, 2):
        raise InvalidInput(f"siconos.save: storage is {storage}, expected 0 (dense), 1 (sparse block) or 2 (sparse)")
    size = f"{matrix.shape[0]} {matrix.shape[1]}\n"
    if storage == 0:
        return f"0\n{size}{size}" + "".join(_numbers(column) for column in matrix.T)
    return f"{storage}\n{size}" + (_blocks_text(matrix, *block) if storage == 1 else _csparse_text(matrix))


@named
def save(path: Path, problem: ContactProblem, storage: int = 1) -> None:
    """Write contacts as a local problem, unilateral rows as an LCP, in full precision.

    dt, compliance and the law have no place in the format: a problem with compliance, or with other blocks, is refused.
    """
    if problem.compliance.size and problem.compliance.any():
        raise InvalidInput("siconos.save: the problem is compliant; the format has no place for it")
    kinds = {block.kind for block in problem.blocks}
    if kinds == {"unilateral"}:
        text = f"{problem.rows}\n" + _matrix_text(problem.G, storage) + _numbers(problem.g)
    elif kinds <= {"coulomb"}:
        order = to_fclib(np.arange(problem.rows)).astype(int)
        matrix = _matrix_text(problem.G[np.ix_(order, order)], storage, (3, 3))
        text = f"3 {problem.contacts}\n" + matrix + _numbers(to_fclib(problem.g)) + _numbers(problem.mu)
    else:
        raise InvalidInput(
            f"siconos.save: blocks are {', '.join(sorted(kinds))}; the format knows contacts, or unilateral rows"
        )
    write_text(path, text)


@named
def save_global(
    path: Path, M: np.ndarray, H: np.ndarray, f: np.ndarray, w: np.ndarray, mu: np.ndarray, storage: int = 2
) -> None:
    """Write M v = H r + f, u = H' v + w; the columns of H and w are in our order (T1, T2, N)."""
    M, H, f, w, mu = (np.asarray(x, float) for x in (M, H, f, w, mu))
    order = to_fclib(np.arange(w.size)).astype(int)
    if M.shape != (f.size, f.size) or H.shape != (f.size, w.size) or w.size != 3 * mu.size:
        raise InvalidInput(
            f"siconos.save_global: M {M.shape}, H {H.shape}, f ({f.size}), w ({w.size}), mu ({mu.size}) do not fit"
        )
    matrices = _matrix_text(M, storage) + _matrix_text(H[:, order], storage, (1, 3))
    write_text(path, f"3 {mu.size}\n" + matrices + _numbers(f) + _numbers(w[order]) + _numbers(mu))
