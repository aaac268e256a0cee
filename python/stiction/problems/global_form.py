# SPDX-License-Identifier: BSD-2-Clause
"""Contact problems with their bodies, the "global form" of files, and what files make of rows that are not contacts.

    M v = J' r + E' l + f,   u = J v + w,   E v + b = 0          rows of J: (T1, T2, N) of every contact

Files know contacts and equalities only. Everything else is written as what has the same solution:
    unilateral row (a joint limit)           the normal row of a contact without friction
    row bounded by +-b (dry friction)        a tangential row of a contact with mu = 1 that is pressed on with b: its
                                             normal row is u_N = s (r_N - b), so that r_N = b
    compliance R                             one more velocity per row, sqrt(R) in J; or added to W
Rows that fill such a contact up are coupled with nothing and have the diagonal s of the row that it stands for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .._core import Block, ContactProblem, InvalidInput

Csr = tuple[np.ndarray, np.ndarray, np.ndarray]
MOST_ENTRIES = 1 << 28  # of a matrix that is written out: 2 GB


class Sparse(NamedTuple):
    """A matrix as triplets; duplicates add."""

    shape: tuple[int, int]
    row: np.ndarray
    column: np.ndarray
    value: np.ndarray

    def dense(self) -> np.ndarray:
        if self.shape[0] * self.shape[1] > MOST_ENTRIES:
            raise InvalidInput(
                f"a matrix of {self.shape[0]} x {self.shape[1]} is too large to be written out, expected at most {MOST_ENTRIES} entries"
            )
        out = np.zeros(self.shape)
        np.add.at(out, (self.row, self.column), self.value)
        return out

    def csr(self) -> Csr:
        order = np.lexsort((self.column, self.row))
        start = np.concatenate([[0], np.cumsum(np.bincount(self.row, minlength=self.shape[0]))])
        return start, self.column[order], self.value[order]

    @property
    def T(self) -> Sparse:  # as in NumPy
        return Sparse((self.shape[1], self.shape[0]), self.column, self.row, self.value)


def triplets(matrix: Csr, columns: int) -> Sparse:
    """A CSR triple as triplets."""
    start, column, value = matrix
    return Sparse(
        (len(start) - 1, columns),
        np.repeat(np.arange(len(start) - 1), np.diff(start)),
        np.asarray(column),
        np.asarray(value),
    )


def stacked(upper: Sparse, lower: Sparse | None) -> Sparse:
    """Rows of one above those of the other."""
    if lower is None:
        return upper
    row = np.concatenate([upper.row, lower.row + upper.shape[0]])
    column, value = np.concatenate([upper.column, lower.column]), np.concatenate([upper.value, lower.value])
    return Sparse((upper.shape[0] + lower.shape[0], upper.shape[1]), row, column, value)


@dataclass(frozen=True)
class GlobalForm:
    """M v = J' r + f, u = J v + w with CSR triples M and J, and equalities E v + b = 0 if there are any."""

    M: Csr
    J: Csr
    f: np.ndarray  # (m,) momentum M v_free [kg m/s]
    w: np.ndarray  # (n,) velocity that no body makes [m/s]
    mu: np.ndarray  # (contacts,) friction coefficients [-]
    dt: float | None = None  # step [s]
    E: Csr | None = None
    b: np.ndarray | None = None

    def problem(self, form: str = "bodies", law: str = "coulomb") -> ContactProblem:
        """The problem in body space, or condensed: form `bodies`, `sparse` or `dense`.

        Parameters
        ----------
        form
            `bodies`, `sparse` or `dense`.
        law
            Friction law of the problem.
        """
        J, w, m = self.J, self.w, len(self.f)
        blocks = [Block.coulomb(float(mu)) for mu in self.mu]
        if self.E is not None and self.b is not None and len(self.b):
            J = stacked(triplets(self.J, m), triplets(self.E, m)).csr()
            w = np.concatenate([self.w, self.b])
            blocks.append(Block.bilateral(len(self.b)))
        out = ContactProblem.from_bodies(self.M, J, w, f=self.f, blocks=blocks, dt=self.dt, law=law)
        return out if form == "bodies" else out.condense(dense=form == "dense")


class ContactRows(NamedTuple):
    """Where the rows of a problem go in a file."""

    place: np.ndarray  # new place of every row: contacts first, then equalities
    mu: np.ndarray  # of every contact
    contacts: int  # rows of contacts, 3 each
    equalities: int
    filler: np.ndarray  # places of the rows that fill contacts up
    model: np.ndarray  # for each of them, the place of the row whose diagonal it takes
    pressed: np.ndarray  # places of the normal rows that press
    bound: np.ndarray  # how hard

    def impulse(self, x: np.ndarray) -> np.ndarray:
        """An impulse of the problem in the file's places."""
        out = np.zeros(self.contacts + self.equalities)
        out[self.place], out[self.pressed] = x, self.bound
        return out


def contact_rows(problem: ContactProblem, who: str) -> ContactRows:
    """Contacts in the order of the blocks, also those that stand for other rows; equalities behind them all."""
    place = np.empty(problem.rows, int)
    mu: list[float] = []
    filled: list[tuple[int, int]] = []
    pressed: list[tuple[int, float]] = []
    held: list[int] = []
    for block in problem.blocks:
        rows, first = np.arange(block.row, block.row + block.size), 3 * len(mu)
        if block.kind == "coulomb":
            place[rows] = first + np.arange(3)
            mu.append(block.mu)
        elif block.kind == "unilateral":
            place[rows] = first + 2
            filled += [(first, first + 2), (first + 1, first + 2)]
            mu.append(0.0)
        elif block.kind == "box" and block.lo == -block.hi and np.isfinite(block.hi):
            place[rows] = first
            filled += [(first + 1, first), (first + 2, first)]
            pressed.append((first + 2, block.hi))
            mu.append(1.0)
        elif block.kind == "bilateral":
            held += rows.tolist()
        elif block.kind == "patch":
            raise InvalidInput(
                f"{who}: row {block.row} begins a contact with friction of spin and roll; the format holds contacts of three rows"
            )
        else:
            raise InvalidInput(
                f"{who}: row {block.row} is bounded by {block.lo:g} and {block.hi:g}; the format has no place for it unless they are opposite"
            )
    place[held] = 3 * len(mu) + np.arange(len(held))
    filler, model = np.array(filled, int).reshape(-1, 2).T
    normal, bound = np.array([p for p, _ in pressed], int), np.array([b for _, b in pressed])
    return ContactRows(place, np.array(mu), 3 * len(mu), len(held), filler, model, normal, bound)


def offsets(problem: ContactProblem, rows: ContactRows, diagonal: np.ndarray) -> np.ndarray:
    """g in the file's places; `diagonal` is that of the matrix before contacts are filled up."""
    out = np.zeros(rows.contacts + rows.equalities)
    out[rows.place] = problem.g
    out[rows.pressed] = -diagonal[rows.pressed - 2] * rows.bound
    return out


def of_problem(problem: ContactProblem, who: str = "global_form.of_problem") -> GlobalForm:
    """The bodies of a problem in body space. Velocities are scaled so that M is the identity; f = 0 and w = g."""
    if problem.bodies is None:
        raise InvalidInput(
            f"{who}: the problem has no bodies (its G is {problem.storage}); take sim.problems(bodies=True)"
        )
    rows = contact_rows(problem, who)
    start, matrix = problem.bodies
    H = triplets(matrix, int(start[-1]))
    soft = np.flatnonzero(problem.compliance) if problem.compliance.size else np.zeros(0, int)
    added, n = soft.size + rows.filler.size, rows.contacts
    m = H.shape[1] + added
    diagonal = np.zeros(n + rows.equalities)
    np.add.at(diagonal, rows.place[H.row], H.value**2)
    diagonal[rows.place[soft]] += problem.compliance[soft]
    row = np.concatenate([rows.place[H.row], rows.place[soft], rows.filler])
    column = np.concatenate([H.column, H.shape[1] + np.arange(added)])
    value = np.concatenate([H.value, np.sqrt(problem.compliance[soft]), np.sqrt(diagonal[rows.model])])
    offset = offsets(problem, rows, diagonal)
    is_contact = row < n
    J = Sparse((n, m), row[is_contact], column[is_contact], value[is_contact]).csr()
    E = Sparse((rows.equalities, m), row[~is_contact] - n, column[~is_contact], value[~is_contact]).csr()
    identity = (np.arange(m + 1), np.arange(m), np.ones(m))
    equal = (E, offset[n:]) if rows.equalities else (None, None)
    return GlobalForm(identity, J, np.zeros(m), offset[:n], rows.mu, problem.dt, *equal)


__all__ = ["ContactRows", "Csr", "GlobalForm", "Sparse", "contact_rows", "of_problem", "offsets", "stacked", "triplets"]
