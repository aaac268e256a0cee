# SPDX-License-Identifier: BSD-2-Clause
"""Families of loose boxes: heaps, trains, tables. The order of contacts is that of boxes.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from .bodies import GROUND, Assembly, box_inertia
from .boxes import UP, pile_of_boxes


def heap(count: int = 20, *, seed: int = 0, speed: float = 0.05, mu: float | None = None, form: str = "bodies") -> Any:
    """Boxes of random size dropped straight down one after the other; each lies on the highest ones that it meets.

    mu: None draws one per contact, 0.2 to 1.

    Parameters
    ----------
    count : int
        Number of boxes.
    seed : int
        Number from which all random numbers are drawn; the same seed gives the same problem.
    speed : float
        Standard deviation of random velocities of the bodies [m/s, rad/s]; 0 for none.
    mu : float or None
        Friction coefficient of all contacts [-]; None draws one for each.
    form : str
        What comes back: `bodies` (M and H kept), `sparse` (blocks of W), `dense`, or `global` (the matrices).

    Returns
    -------
    ContactProblem, or GlobalForm for `form="global"`
    """
    random = np.random.default_rng(seed)
    size = random.uniform(0.3, 1.2, (count, 3))
    size[:, 2] = 0.3 * (1 + (random.random(count) < 0.2))  # two heights, so that boxes bridge others
    centre = np.empty((count, 3))
    half_width = 0.35 * np.sqrt(count)
    for b in range(count):
        centre[b, :2] = random.uniform(-half_width, half_width, 2)
        met = np.all(np.abs(centre[:b, :2] - centre[b, :2]) < (size[:b, :2] + size[b, :2]) / 2 - 1e-6, axis=1)
        floor = np.max(centre[:b, 2][met] + size[:b, 2][met] / 2, initial=0.0)
        centre[b, 2] = floor + size[b, 2] / 2
    out = pile_of_boxes(centre, size, 100.0 * size.prod(axis=1))
    friction = random.uniform(0.2, 1.0, out.contacts) if mu is None else mu
    return out.finish(friction, form, speed * random.standard_normal((count, 6)))


def train(count: int = 5, *, seed: int = 0, push: float = 1.0, mu: float = 0.4, form: str = "bodies") -> Any:
    """Unit cubes in a row on the floor, face to face; the first is pushed against the others.

    Parameters
    ----------
    count : int
        Number of cubes.
    seed : int
        Number from which all random numbers are drawn; the same seed gives the same problem.
    push : float
        Speed of the first cube [m/s].
    mu : float
        Friction coefficient of all contacts [-].
    form : str
        What comes back: `bodies` (M and H kept), `sparse` (blocks of W), `dense`, or `global` (the matrices).

    Returns
    -------
    ContactProblem, or GlobalForm for `form="global"`
    """
    x = np.arange(count)
    out = pile_of_boxes(np.stack([x, 0.0 * x, 0.5 + 0.0 * x], axis=1), np.ones((count, 3)), np.ones(count))
    for b in range(1, count):
        face = np.array([[b - 0.5, y, z] for y in (-0.5, 0.5) for z in (0.0, 1.0)])
        out.touch(b, b - 1, face, [1.0, 0.0, 0.0])
    velocity = 0.05 * push * np.random.default_rng(seed).standard_normal((count, 6))
    velocity[0, 0] += push
    return out.finish(mu, form, velocity)


def table(
    legs: int = 4,
    *,
    seed: int = 0,
    push: float = 0.0,
    uneven: float = 0.0,
    mu: float | None = None,
    form: str = "bodies",
) -> Any:
    """A plate on legs that stand on a circle: hyperstatic from four legs on.

    push: random velocity; uneven: legs hang up to this far above the floor [m]; mu: None draws one per leg.

    Parameters
    ----------
    legs : int
        Number of legs.
    seed : int
        Number from which all random numbers are drawn; the same seed gives the same problem.
    push : float
        Standard deviation of a random velocity of the plate [m/s, rad/s].
    uneven : float
        Legs hang up to this far above the floor [m].
    mu : float or None
        Friction coefficient [-]; None draws one per leg.
    form : str
        What comes back: `bodies` (M and H kept), `sparse` (blocks of W), `dense`, or `global` (the matrices).

    Returns
    -------
    ContactProblem, or GlobalForm for `form="global"`
    """
    random = np.random.default_rng(seed)
    angle = 2 * np.pi * (np.arange(legs) + 0.3 * random.random(legs)) / legs
    foot = np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)
    out = Assembly()
    out.body(20.0, box_inertia(20.0, np.array([1.6, 1.6, 0.1])), [*(0.2 * random.standard_normal(2)), 0.8])
    out.touch(0, GROUND, foot, UP, uneven * random.random(legs))
    friction = random.uniform(0.2, 1.0, legs) if mu is None else mu
    return out.finish(friction, form, push * random.standard_normal((1, 6)))
