# SPDX-License-Identifier: BSD-2-Clause
"""What the recordings say of the cube before it touches the plate, and after it has come to rest: linear least squares, nothing simulated.

In flight the tracked point moves as p = p₀ + v₀ t + ½ g t² − R c about the centre of mass c, and the angular momentum R I ω stays. Both
are linear in what is unknown: (c, g) and I up to a factor. A cube at rest stands on a face, half an edge above the plate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .cube import CORNERS
from .recordings import INTERVAL, Toss, matrices

HALF = 0.05125  # edge/2, to see where the flight ends [m]
CLEAR = 0.003  # a corner this near the plate may touch within the sample [m]
SHORTEST = 10  # samples of a flight that counts


@dataclass(frozen=True)
class Measured:
    gravity: float  # [m/s²]
    aside: float  # horizontal part of the acceleration [m/s²]
    centre: tuple[float, float, float]  # centre of mass in body axes [m]
    shares: tuple[float, float, float]  # moments of inertia over their mean
    edge: float  # [m]
    edge_spread: float  # between the six faces, largest minus smallest [m]
    noise: float  # of the recorded positions in flight [m]
    flights: int
    rests: int


def flight_length(toss: Toss) -> int:
    """Samples before a corner comes near the plate."""
    height = toss.position[:, 2] + HALF * (toss.turned[:, 2] @ CORNERS.T).min(axis=1)
    return int(np.argmax(height < CLEAR)) if (height < CLEAR).any() else len(toss)


def measure(tosses: Sequence[Toss]) -> Measured:
    flights = [t.until(n) for t in tosses if (n := flight_length(t)) >= SHORTEST]
    centre, pull, noise = _falling(flights)
    height, spread, rests = _resting(tosses)
    return Measured(-pull[2], float(np.hypot(pull[0], pull[1])), _three(centre), _three(_shares(flights)), 2.0 * height, 2.0 * spread, noise,
                    len(flights), rests)  # fmt: skip


def _three(x: np.ndarray) -> tuple[float, float, float]:
    return float(x[0]), float(x[1]), float(x[2])


def _falling(flights: Sequence[Toss]) -> tuple[np.ndarray, np.ndarray, float]:
    """Centre of mass, acceleration, noise. Start and velocity of each toss are projected away."""
    normal, right, square, count = np.zeros((6, 6)), np.zeros(6), 0.0, 0
    for flight in flights:
        t = INTERVAL * np.arange(len(flight))
        free = np.linalg.qr(np.stack([np.ones_like(t), t], axis=1))[0]
        for axis, x in enumerate(flight.position.T):
            columns = np.zeros((len(t), 6))
            columns[:, :3], columns[:, 3 + axis] = -flight.turned[:, axis], 0.5 * t * t
            columns -= free @ (free.T @ columns)
            x = x - free @ (free.T @ x)
            normal, right, square, count = (
                normal + columns.T @ columns,
                right + columns.T @ x,
                square + x @ x,
                count + len(t) - 2,
            )
    found = np.linalg.solve(normal, right)
    return found[:3], found[3:], float(np.sqrt((square - right @ found) / count))


def _shares(flights: Sequence[Toss]) -> np.ndarray:
    """Principal values along the body axes: products of inertia are below 2 % and left out."""
    normal = np.zeros((3, 3))
    for flight in flights:
        turned = flight.turned
        w = _spins(turned)
        middle = turned[:-1] @ np.array([_half_turn(x) for x in w])
        columns = middle * w[:, None, :]  # L = Σ_j I_j R_ij ω_j
        columns = columns - columns.mean(axis=0)
        normal += np.einsum("tij,tik->jk", columns, columns)
    # least ‖Σ I_j column_j‖² with mean 1
    border = np.zeros((4, 4))
    border[:3, :3], border[3, :3], border[:3, 3] = normal, 1.0, 1.0
    return np.asarray(np.linalg.solve(border, np.array([0.0, 0.0, 0.0, 3.0]))[:3])


def _spins(turned: np.ndarray) -> np.ndarray:
    """Mean angular velocities between samples, body axes."""
    step = np.einsum("tji,tjk->tik", turned[:-1], turned[1:])
    axis = 0.5 * np.stack(
        [step[:, 2, 1] - step[:, 1, 2], step[:, 0, 2] - step[:, 2, 0], step[:, 1, 0] - step[:, 0, 1]], axis=1
    )
    sine = np.linalg.norm(axis, axis=1, keepdims=True)
    angle = np.arctan2(sine, 0.5 * (np.trace(step, axis1=1, axis2=2)[:, None] - 1.0))
    return np.asarray(axis * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-12), 1.0) / INTERVAL)


def _half_turn(spin: np.ndarray) -> np.ndarray:
    angle = 0.5 * INTERVAL * float(np.linalg.norm(spin))
    axis = spin / max(float(np.linalg.norm(spin)), 1e-12)
    return np.asarray(matrices(np.append(np.sin(0.5 * angle) * axis, np.cos(0.5 * angle))))


def _resting(tosses: Sequence[Toss]) -> tuple[float, float, int]:
    """Height of the middle at rest: the mean over the six faces of their means, their spread, how many tosses lie still on a face."""
    by_face: dict[tuple[int, bool], list[float]] = {}
    for t in tosses:
        up = t.turned[-1, 2]
        axis = int(np.argmax(np.abs(up)))
        if np.abs(up[axis]) > np.cos(np.radians(2.0)):
            by_face.setdefault((axis, bool(up[axis] > 0)), []).append(float(t.position[-5:, 2].mean()))
    means = np.array([np.mean(x) for x in by_face.values()])
    return float(means.mean()), float(means.max() - means.min()), sum(map(len, by_face.values()))
