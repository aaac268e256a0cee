# SPDX-License-Identifier: BSD-2-Clause
"""Rigid bodies and contact points between them, and the contact problem that they make.

    M v = J' r + f,  u = J v + w          v: 6 per body (linear, angular about its centre), world axes
    J: direction d at point p of body b   sign (d, (p - x_b) x d), sign + for the upper body, - for the lower
    f = M (velocity - g h e_z),  w = gap / h on the normal rows

Frames: normal n, t1 = n x e_x, t2 = n x t1, so that n = e_z has t1 = e_y and t2 = -e_x. Rows are (T1, T2, N).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._core import ContactProblem, InvalidInput
from ..problems.global_form import Csr, GlobalForm

GRAVITY = 9.81
STEP = 0.01
GROUND = -1
FORMS = ("bodies", "sparse", "dense", "global")


def contact_frames(normal: np.ndarray) -> np.ndarray:
    """(n, 3, 3): rows t1, t2, n of every contact."""
    n = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    aside = np.where(np.abs(n[:, :1]) < 0.9, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
    t1 = np.cross(n, aside)
    t1 /= np.linalg.norm(t1, axis=1, keepdims=True)
    return np.stack([t1, np.cross(n, t1), n], axis=1)


def box_inertia(mass: float, size: np.ndarray) -> np.ndarray:
    """Diagonal of a solid box."""
    square = np.asarray(size, float) ** 2
    return mass * (square.sum() - square) / 12.0


@dataclass
class Assembly:
    """Collects bodies and contacts, then makes the problem. Body numbers count from 0; GROUND does not move."""

    mass: list[float] = field(default_factory=list)  # per body [kg]
    inertia: list[np.ndarray] = field(default_factory=list)  # diagonals, world axes [kg m²]
    centre: list[np.ndarray] = field(default_factory=list)  # of mass [m]
    _upper: list[np.ndarray] = field(default_factory=list)
    _lower: list[np.ndarray] = field(default_factory=list)
    _point: list[np.ndarray] = field(default_factory=list)
    _normal: list[np.ndarray] = field(default_factory=list)
    _gap: list[np.ndarray] = field(default_factory=list)

    def body(self, mass: float, inertia: np.ndarray, centre: Any) -> int:
        """A body with the diagonal of its inertia, world axes.

        Parameters
        ----------
        mass
            [kg].
        inertia
            (3,) diagonal, world axes [kg m²].
        centre
            (3,) of mass [m].
        """
        self.mass.append(mass)
        self.inertia.append(np.asarray(inertia, float))
        self.centre.append(np.asarray(centre, float))
        return len(self.mass) - 1

    def touch(self, upper: Any, lower: Any, points: Any, normals: Any, gap: Any = 0.0) -> None:
        """Contact points; the normal points from `lower` to `upper`. One body or normal serves for all points.

        Parameters
        ----------
        upper
            Number of the body above, or one per point.
        lower
            Of the body below, or one per point.
        points
            (n, 3) [m].
        normals
            (n, 3), or one for all [-].
        gap
            One, or one per point [m].
        """
        p = np.atleast_2d(np.asarray(points, float))
        self._point.append(p)
        self._normal.append(np.broadcast_to(np.asarray(normals, float), p.shape))
        self._upper.append(np.broadcast_to(np.asarray(upper, int), p.shape[:1]))
        self._lower.append(np.broadcast_to(np.asarray(lower, int), p.shape[:1]))
        self._gap.append(np.broadcast_to(np.asarray(gap, float), p.shape[:1]))

    @property
    def contacts(self) -> int:
        """How many there are so far."""
        return sum(len(p) for p in self._point)

    def repeat(self, copies: int) -> None:
        """Every contact `copies` times, one behind the other."""
        for name in ("_upper", "_lower", "_point", "_normal", "_gap"):
            setattr(self, name, [np.repeat(np.concatenate(getattr(self, name)), copies, axis=0)])

    def shake(self, random: np.random.Generator, noise: float) -> None:
        """Opens every contact by a random gap of this size, as bodies that do not fit exactly [m].

        Parameters
        ----------
        random
            Where numbers come from.
        noise
            Size of the gaps [m].
        """
        self._gap = [gap + noise * np.abs(random.standard_normal(gap.shape)) for gap in self._gap]

    def jacobian(self) -> Csr:
        """J as CSR; a side on the ground has no entries."""
        point, centre = np.concatenate(self._point), np.array(self.centre).reshape(-1, 3)
        frame = contact_frames(np.concatenate(self._normal))
        sides = np.stack([np.concatenate(self._lower), np.concatenate(self._upper)], axis=1)
        low_first = sides[:, 0] <= sides[:, 1]  # columns of a row ascend
        sign = np.where(low_first[:, None], [[-1.0, 1.0]], [[1.0, -1.0]])
        sides = np.where(low_first[:, None], sides, sides[:, ::-1])
        arm = point[:, None, :] - centre[np.maximum(sides, 0)]  # contact, side, 3
        torque = np.cross(arm[:, None, :, :], frame[:, :, None, :])  # contact, row, side, 3
        entries = np.concatenate([np.broadcast_to(frame[:, :, None, :], torque.shape), torque], axis=3)
        entries = entries * sign[:, None, :, None]
        columns = 6 * sides[:, None, :, None] + np.arange(6)
        present = np.broadcast_to((sides >= 0)[:, None, :, None], entries.shape)
        columns = np.broadcast_to(columns, entries.shape)
        per_row = 6 * (sides >= 0).sum(axis=1).repeat(3)
        return np.concatenate([[0], np.cumsum(per_row)]), columns[present], entries[present]

    def finish(
        self,
        mu: Any,
        form: str = "bodies",
        velocity: np.ndarray | None = None,
        law: str = "coulomb",
        dt: float | None = None,
    ) -> ContactProblem | GlobalForm:
        """The problem of one step.

        Parameters
        ----------
        mu
            One number, or one per contact.
        form
            `bodies` (kept in body space), `sparse`, `dense`, or `global` (a GlobalForm).
        velocity
            (bodies, 6) before the step; at rest by default. Gravity acts for one step.
        law
            Friction law of the problem.
        dt
            Step [s].
        """
        if form not in FORMS:
            raise InvalidInput(f"form is '{form}', expected one of: {' '.join(FORMS)}")
        diagonal = np.concatenate([np.repeat(np.array(self.mass)[:, None], 3, axis=1), np.array(self.inertia)], axis=1)
        free = np.zeros((len(self.mass), 6)) if velocity is None else np.array(velocity, float)
        free[:, 2] -= GRAVITY * STEP
        m = diagonal.size
        mass: Csr = (np.arange(m + 1), np.arange(m), diagonal.reshape(-1))
        w = np.zeros((self.contacts, 3))
        w[:, 2] = np.concatenate(self._gap) / STEP
        friction = np.broadcast_to(np.asarray(mu, float), (self.contacts,)).copy()
        result = GlobalForm(mass, self.jacobian(), (diagonal * free).reshape(-1), w.reshape(-1), friction, dt)
        return result if form == "global" else result.problem(form, law)
