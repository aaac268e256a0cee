# SPDX-License-Identifier: BSD-2-Clause
"""Families that are not piles of boxes: packings of spheres, wedges, arches, duplicated contacts."""

from __future__ import annotations

from typing import Any

import numpy as np

from .bodies import GROUND, Assembly, box_inertia

RADIUS, DENSITY = 0.01, 2600.0


def packing(
    sites: tuple[int, int, int] = (8, 8, 8),
    *,
    seed: int = 0,
    speed: float = 0.05,
    mu: float = 0.5,
    form: str = "bodies",
) -> Any:
    """Spheres of 1 cm on the sites of a face-centred lattice, shaken by 1 % of a radius, in a box with four walls.

    (8, 8, 8) is the rule of gen_spheres_s (about 1300 contacts); (12, 12, 12) makes about 4600. Contacts: pairs nearer
    than 2.06 R in order of their numbers, then floor, then walls x low, x high, y low, y high.

    Parameters
    ----------
    sites : tuple of int
        Lattice cells along x, y and z.
    seed : int
        Number from which all random numbers are drawn; the same seed gives the same problem.
    speed : float
        Standard deviation of random velocities of the bodies [m/s, rad/s]; 0 for none.
    mu : float
        Friction coefficient of all contacts [-].
    form : str
        What comes back: `bodies` (M and H kept), `sparse` (blocks of W), `dense`, or `global` (the matrices).

    Returns
    -------
    ContactProblem, or GlobalForm for `form="global"`
    """
    random = np.random.default_rng(seed)
    site = np.array(
        [[i, j, k] for i in range(sites[0]) for j in range(sites[1]) for k in range(sites[2]) if (i + j + k) % 2 == 0]
    )
    half_edge = np.sqrt(2.0) * RADIUS
    centre = half_edge * site + [0.0, 0.0, RADIUS] + 0.01 * RADIUS * random.standard_normal(site.shape)
    mass = DENSITY * 4 / 3 * np.pi * RADIUS**3
    out = Assembly()
    for x in centre:
        out.body(mass, np.full(3, 0.4 * mass * RADIUS**2), x)
    _touching_pairs(out, centre)
    _touching_walls(out, centre)
    return out.finish(mu, form, speed * random.standard_normal((len(centre), 6)))


def _touching_pairs(out: Assembly, centre: np.ndarray) -> None:
    for a in range(len(centre) - 1):
        apart = centre[a + 1 :] - centre[a]
        for b in np.flatnonzero(np.einsum("ij,ij->i", apart, apart) < (2.06 * RADIUS) ** 2) + a + 1:
            out.touch(int(b), a, (centre[a] + centre[b]) / 2, centre[b] - centre[a])


def _touching_walls(out: Assembly, centre: np.ndarray) -> None:
    sides = [(2, 0.0, 1.0, centre[:, 2] < 1.03 * RADIUS)]
    for axis in (0, 1):
        low, high = centre[:, axis].min(), centre[:, axis].max()
        sides.append((axis, low - RADIUS, 1.0, centre[:, axis] < low + 0.03 * RADIUS))
        sides.append((axis, high + RADIUS, -1.0, centre[:, axis] > high - 0.03 * RADIUS))
    for axis, place, sign, near in sides:
        normal = np.zeros(3)
        normal[axis] = sign
        for b in np.flatnonzero(near):
            point = centre[b].copy()
            point[axis] = place
            out.touch(int(b), GROUND, point, normal)


def wedge(
    count: int = 1,
    *,
    seed: int = 0,
    angle: float = 0.3,
    push: float = 0.5,
    walled: bool = True,
    mu: float = 0.5,
    form: str = "bodies",
) -> Any:
    """Wedges driven down between blocks on the floor; outer blocks lean on walls if `walled`, which jams them.

    angle: of the faces from the vertical [rad], below atan(mu) a wedge holds itself. Always feasible: nothing is
    pressed into anything when all bodies stand still.

    Parameters
    ----------
    count
        How many wedges.
    seed
        Of what is drawn at random.
    angle
        Of the faces from the vertical [rad].
    push
        Speed at which wedges are driven down [m/s].
    walled
        Let outer blocks lean on walls.
    mu
        Friction coefficient [-].
    form
        `bodies`, `sparse`, `dense` or `global`.
    """
    random = np.random.default_rng(seed)
    out, up, face = Assembly(), np.array([0.0, 0.0, 1.0]), np.array([np.cos(angle), 0.0, np.sin(angle)])
    tangent, depth = np.tan(angle), 0.5
    for b in range(count + 1):  # blocks 1 x 1 x 1 at the bottom, narrower at the top
        x = 2.0 * b
        out.body(5.0, box_inertia(5.0, np.ones(3)), [x, 0.0, 0.45])
        out.touch(b, GROUND, [[x + dx, dy, 0.0] for dx in (-0.5, 0.5) for dy in (-depth, depth)], up)
    for k in range(count):
        x = 2.0 * k + 1.0
        w = out.body(2.0, box_inertia(2.0, np.ones(3)), [x, 0.0, 0.6])
        for neighbour, side in ((k, -1.0), (k + 1, 1.0)):
            points = [[x + side * (0.3 + z * tangent), y, z] for z in (0.2, 0.8) for y in (-depth, depth)]
            out.touch(w, neighbour, points, [-side * face[0], 0.0, face[2]])
    if walled:
        for block, side in ((0, -1.0), (count, 1.0)):
            points = [[2.0 * block + 0.5 * side, y, z] for z in (0.1, 0.6) for y in (-depth, depth)]
            out.touch(block, GROUND, points, [-side, 0.0, 0.0])
    velocity = 0.05 * push * random.standard_normal((2 * count + 1, 6))
    velocity[count + 1 :, 2] -= push
    return out.finish(mu, form, velocity)


def arch(count: int = 9, *, seed: int = 0, speed: float = 0.0, mu: float = 0.6, form: str = "bodies") -> Any:
    """A half circle of stones between two abutments, four contacts per joint: it stands by thrust alone.

    Parameters
    ----------
    count : int
        Number of stones.
    seed : int
        Number from which all random numbers are drawn; the same seed gives the same problem.
    speed : float
        Standard deviation of random velocities of the bodies [m/s, rad/s]; 0 for none.
    mu : float
        Friction coefficient of all contacts [-].
    form : str
        What comes back: `bodies` (M and H kept), `sparse` (blocks of W), `dense`, or `global` (the matrices).

    Returns
    -------
    ContactProblem, or GlobalForm for `form="global"`
    """
    inner, outer, depth = 1.0, 1.3, 0.2
    radius, out = (inner + outer) / 2, Assembly()
    mass, size = 50.0, np.array([np.pi * radius / count, 2 * depth, outer - inner])
    turn = np.pi * (1.0 - (np.arange(count) + 0.5) / count)
    for t in turn:
        out.body(
            mass, box_inertia(mass, size)[[0, 1, 2]].mean() * np.ones(3), [radius * np.cos(t), 0.0, radius * np.sin(t)]
        )
    for k in range(count + 1):
        t = np.pi * (1.0 - k / count)
        points = [[r * np.cos(t), y, r * np.sin(t)] for r in (inner, outer) for y in (-depth, depth)]
        along = np.array([np.sin(t), 0.0, -np.cos(t)])  # from stone k - 1 to stone k
        if k < count:
            out.touch(k, k - 1 if k > 0 else GROUND, points, along)
        else:
            out.touch(count - 1, GROUND, points, -along)
    return out.finish(mu, form, speed * np.random.default_rng(seed).standard_normal((count, 6)))


def duplicated(
    copies: int = 3, count: int = 2, *, seed: int = 0, speed: float = 0.2, mu: float = 0.6, form: str = "bodies"
) -> Any:
    """A stack in which every contact is there several times, bit for bit.

    Parameters
    ----------
    copies : int
        How often each contact is there.
    count : int
        Number of cubes.
    seed : int
        Number from which all random numbers are drawn; the same seed gives the same problem.
    speed : float
        Standard deviation of random velocities of the bodies [m/s, rad/s]; 0 for none.
    mu : float
        Friction coefficient of all contacts [-].
    form : str
        What comes back: `bodies` (M and H kept), `sparse` (blocks of W), `dense`, or `global` (the matrices).

    Returns
    -------
    ContactProblem, or GlobalForm for `form="global"`
    """
    from .boxes import pile_of_boxes

    random = np.random.default_rng(seed)
    centre = np.stack([np.zeros(count), np.zeros(count), 0.5 + np.arange(count)], axis=1)
    out = pile_of_boxes(centre, np.ones((count, 3)), np.ones(count))
    out.repeat(copies)
    return out.finish(mu, form, speed * random.standard_normal((count, 6)))


__all__ = ["arch", "duplicated", "packing", "wedge"]
