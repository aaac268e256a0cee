# SPDX-License-Identifier: BSD-2-Clause
"""Siconos problem files (.dat): words separated by white space; line breaks carry no meaning except in storage 2.

    local    dim nc, W, q, mu                    u = W r + q
    global   dim nc, M, H, f, w, mu              M v = H r + f, u = H' v + w (kept in body space, or condensed)
    LCP      n, M, q                             0 <= z _|_ M z + q >= 0

A matrix is `storage rows columns`, then
    0 dense          rows columns once more, then all entries column by column
    1 sparse block   number of blocks, of block rows and columns; where each block row and column ends; sizes and
                     contents of the row pointer and the column index; every block: its number, entries column by column
    2 sparse         origin (1 triplets, 2 columns, 3 rows), then what CSparse prints, line by line

Contact rows are (N, T1, T2) in the file and (T1, T2, N) here. What follows the last number is ignored.
"""

from __future__ import annotations

import os
import re

import numpy as np

from .._core import ContactProblem, InvalidInput
from ..output.arguments import named
from ..output.damaged import damaged
from . import lcp
from .fclib import Path, global_problem, local_problem
from .global_form import Sparse
from .siconos_write import save, save_global

__all__ = ["load", "load_form", "save", "save_global"]

_MAJOR = re.compile(r"^\s*(?:col|row)\s+(\S+)\s*:\s*locations\s")
_ENTRY = re.compile(r"^\s*(\S+)\s*:\s*(\S+)\s*$")
_TRIPLET = re.compile(r"^\s*(\S+)\s+(\S+)\s*:\s*(\S+)\s*$")
_HEADER = re.compile(r"(\S+)-by-(\S+), nzmax: \S+ nnz: ([^\s,]+)")


class _Words:
    """The words of a file, with the number of the line for errors."""

    def __init__(self, path: Path) -> None:
        self.name = os.fspath(path)
        try:
            with open(path, encoding="ascii") as file:
                text = file.read()
        except FileNotFoundError as error:
            raise FileNotFoundError(f"siconos: file '{self.name}' not found; check the path") from error
        except UnicodeDecodeError as error:
            raise InvalidInput(f"siconos: '{self.name}' is not a text file") from error
        self.lines = text.split("\n")
        self.most = max(len(text) // 2 + 1, 1000)  # numbers that the file can hold, at the most
        self.at = 0  # next line
        self.ready: list[str] = []  # words of lines already split …
        self.next = 0  # … of which so many were taken

    def error(self, message: str) -> InvalidInput:
        return InvalidInput(f"siconos: '{self.name}', line {max(self.at, 1)}: {message}")

    def peek(self, count: int) -> list[str]:
        """The next words, fewer at the end of the file. Reads no line that is not needed for them."""
        while len(self.ready) - self.next < count and self.at < len(self.lines):
            if self.next == len(self.ready):
                self.ready, self.next = [], 0
            self.ready += self.lines[self.at].split()
            self.at += 1
        return self.ready[self.next : self.next + count]

    def take(self, count: int, what: str) -> list[str]:
        self.expect(count, what)
        words = self.peek(count)
        if len(words) < count:
            raise self.error(f"the file ends after {len(words)} of {count} numbers of {what}")
        self.next += count
        return words

    def expect(self, count: int, what: str) -> None:
        """Before memory is taken for so many numbers."""
        if count > self.most:
            raise self.error(f"the file is too short for the {count} numbers of {what}")

    def reals(self, count: int, what: str) -> np.ndarray:
        words = self.take(count, what)
        try:
            return np.array(words, dtype=float)
        except ValueError:
            bad = next(word for word in words if not _is_number(word))
            raise self.error(f"'{bad}' is not a number ({what})") from None

    def integers(self, count: int, what: str) -> np.ndarray:
        values = self.reals(count, what)
        if not np.all(np.isfinite(values) & (values >= 0) & (values == np.round(values)) & (values < 2**31)):
            raise self.error(f"{what} must be integers >= 0 and below 2^31, found {values[:5].tolist()}")
        return values.astype(int)

    def line(self) -> str | None:
        """The next whole line; what is left of the present one is dropped."""
        self.ready, self.next = [], 0
        self.at += 1
        return self.lines[self.at - 1] if self.at <= len(self.lines) else None


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _read_matrix(words: _Words, what: str) -> Sparse:
    storage, rows, columns = words.integers(3, f"storage and size of {what}")
    shape = (int(rows), int(columns))
    if storage == 0:
        again = tuple(words.integers(2, f"size of {what}"))
        if again != shape:
            raise words.error(f"{what} is {shape[0]} x {shape[1]} and then {again[0]} x {again[1]}")
        words.expect(shape[0] * shape[1], what)
        column, row = np.divmod(np.arange(shape[0] * shape[1]), max(shape[0], 1))
        return Sparse(shape, row, column, words.reals(row.size, what))
    if storage == 1:
        return _read_blocks(words, shape, what)
    if storage == 2:
        return _read_csparse(words, shape, what)
    raise words.error(f"storage of {what} is {storage}, expected 0 (dense), 1 (sparse block) or 2 (sparse)")


def _read_blocks(words: _Words, shape: tuple[int, int], what: str) -> Sparse:
    blocks, block_rows, block_columns = words.integers(3, f"number of blocks of {what}")
    row_ends, column_ends = (words.integers(n, f"block sizes of {what}") for n in (block_rows, block_columns))
    filled1, filled2 = words.integers(2, f"index sizes of {what}")
    pointer, block_column = (
        words.integers(filled1, f"row pointer of {what}"),
        words.integers(filled2, f"columns of {what}"),
    )
    starts = [np.concatenate([[0], ends]) for ends in (row_ends, column_ends)]
    if (starts[0][-1], starts[1][-1]) != shape or any(np.any(np.diff(s) <= 0) for s in starts):
        raise words.error(f"block sizes of {what} must grow and end at {shape[0]} and {shape[1]}")
    if filled2 < blocks or np.any(block_column[:blocks] >= block_columns) or np.any(np.diff(pointer) < 0):
        raise words.error(f"the block index of {what} does not describe {blocks} blocks of {block_columns} columns")
    if pointer.size == 0 or pointer[-1] != blocks or pointer.size > block_rows + 1:
        raise words.error(f"the row pointer of {what} does not end at its {blocks} blocks")
    block_row = np.repeat(np.arange(pointer.size - 1), np.diff(pointer))
    row, column, value = [], [], []
    for k in range(blocks):
        words.take(1, f"number of block {k} of {what}")
        i, j = block_row[k], block_column[k]
        height, width = np.diff(starts[0])[i], np.diff(starts[1])[j]
        c, r = np.divmod(np.arange(height * width), height)
        row.append(starts[0][i] + r)
        column.append(starts[1][j] + c)
        value.append(words.reals(height * width, f"block {k} of {what}"))
    empty = np.zeros(0)
    return Sparse(
        shape,
        *(np.concatenate([empty, *part]).astype(kind) for part, kind in ((row, int), (column, int), (value, float))),
    )


def _read_csparse(words: _Words, shape: tuple[int, int], what: str) -> Sparse:
    (origin,) = words.integers(1, f"origin of {what}")
    if origin not in (1, 2, 3):
        raise words.error(f"origin of {what} is {origin}, expected 1 (triplets), 2 (columns) or 3 (rows)")
    words.line()  # the banner of CSparse
    header = _HEADER.search(words.line() or "")
    if header is None:
        raise words.error(f"expected 'm-by-n, nzmax: a nnz: b' at the head of {what}")
    entries: list[tuple[str, str, str]] = []
    major = "0"
    while (line := words.line()) is not None:
        if origin != 1 and (found := _MAJOR.match(line)):
            major = found.group(1)
        elif origin == 1 and (found := _TRIPLET.match(line)):
            entries.append((found.group(1), found.group(2), found.group(3)))
        elif origin != 1 and (found := _ENTRY.match(line)):
            entries.append((found.group(1), major, found.group(2)))
        elif line.strip():
            words.at -= 1  # the numbers after the matrix
            break
    try:
        row, column, value = np.array(entries, dtype=float).reshape(-1, 3).T
    except ValueError:
        raise words.error(f"an entry of {what} is not a number") from None
    if origin == 3:
        row, column = column, row
    count = float(header.group(3))
    if count < 1e6 and count != value.size:  # larger counts are rounded in the file
        raise words.error(f"{what} has {value.size} entries, its head says {header.group(3)}")
    inside = (row >= 0) & (row < shape[0]) & (column >= 0) & (column < shape[1])  # NaN is not
    if not inside.all() or np.any(row % 1.0) or np.any(column % 1.0):
        raise words.error(f"an entry of {what} is outside of {shape[0]} x {shape[1]}")
    return Sparse(shape, row.astype(int), column.astype(int), value)


def _is_matrix(head: list[str], rows: int, columns: int) -> bool:
    return head in ([str(storage), str(rows), str(columns)] for storage in range(3))


@named
def load(path: Path, law: str = "coulomb", condense: bool = False) -> ContactProblem:
    """Read a local, global or linear complementarity problem; which of them it is, the file says.

    Parameters
    ----------
    path
        A Siconos .dat file.
    law
        Friction law under which the problem is to be solved.
    condense
        True forms W of a global problem; False keeps its M and H and solves in body space.

    Returns
    -------
    ContactProblem
        Rows in our order (T1, T2, N), no dt; unilateral rows for an LCP.
    """
    return load_form(path, law, condense)[0]


@named
def load_form(path: Path, law: str = "coulomb", condense: bool = False) -> tuple[ContactProblem, str]:
    """The problem, and `local`, `global` or `lcp`."""
    with damaged(f"siconos: '{os.fspath(path)}'"):
        return _read(_Words(path), law, condense)


def _read(words: _Words, law: str, condense: bool) -> tuple[ContactProblem, str]:
    head = words.peek(4)
    if len(head) == 4 and _is_matrix(head[1:], *2 * [int(head[0]) if head[0].isdigit() else -1]):
        (n,) = words.integers(1, "n")
        matrix = _read_matrix(words, "M")
        q = words.reals(n, "q")
        return lcp.problem(matrix.dense(), q, law=law), "lcp"
    dimension, contacts = words.integers(2, "dimension and number of contacts")
    if dimension != 3:
        raise words.error(f"the problem has {dimension} rows per contact, expected 3")
    matrix, rows = _read_matrix(words, "the first matrix"), 3 * int(contacts)
    form = "global" if _is_matrix(words.peek(3), matrix.shape[0], rows) else "local"
    if matrix.shape[0] != matrix.shape[1] or (form == "local" and matrix.shape[0] != rows):
        raise words.error(f"the first matrix is {matrix.shape[0]} x {matrix.shape[1]}, expected {rows} x {rows}")
    if form == "global":
        jacobian = _read_matrix(words, "H")
        f, w = words.reals(matrix.shape[0], "f"), words.reals(rows, "w")
        mu = words.reals(int(contacts), "mu")
        return global_problem(matrix, jacobian, f, w, mu, law, condense), form
    q = words.reals(rows, "q")
    return local_problem(matrix, q, words.reals(int(contacts), "mu"), law), form
