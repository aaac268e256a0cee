# SPDX-License-Identifier: BSD-2-Clause
"""Families of boxes that are built: stacks, walls, towers, mass ratios. Heaps, trains and tables are in loose.py.

Contact order of axis-parallel boxes (that of the files gen_stack_*, gen_wall_*): for each box in order, its four bottom
corners if it stands on the floor (x outer, y inner, low before high); then, for each box in order that lies directly
below, the four corners of the overlap.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .bodies import GROUND, Assembly, box_inertia

UP = np.array([0.0, 0.0, 1.0])


def rectangle(low: np.ndarray, high: np.ndarray, z: float) -> np.ndarray:
    """Four corners, x outer, y inner, low before high."""
    return np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1])])


def pile_of_boxes(centre: np.ndarray, size: np.ndarray, mass: np.ndarray, gap: np.ndarray | None = None) -> Assembly:
    """Boxes and their contacts; gap[b] is added to all contacts below box b."""
    out = Assembly()
    low, high = centre - size / 2, centre + size / 2
    for b in range(len(centre)):
        out.body(float(mass[b]), box_inertia(float(mass[b]), size[b]), centre[b])
    for b in range(len(centre)):
        distance = 0.0 if gap is None else float(gap[b])
        if abs(low[b, 2]) < 1e-9:
            out.touch(b, GROUND, rectangle(low[b], high[b], 0.0), UP, distance)
        begin, end = np.maximum(low[:, :2], low[b, :2]), np.minimum(high[:, :2], high[b, :2])
        below = (np.abs(high[:, 2] - low[b, 2]) < 1e-9) & np.all(end - begin > 1e-6, axis=1)
        for a in np.flatnonzero(below):
            out.touch(b, int(a), rectangle(begin[a], end[a], low[b, 2]), UP, distance)
    return out


def _random_velocity(seed: int, bodies: int, speed: float) -> np.ndarray | None:
    return speed * np.random.default_rng(seed).standard_normal((bodies, 6)) if speed > 0.0 else None


def stack(
    count: int = 5,
    *,
    seed: int = 0,
    speed: float = 0.0,
    lean: float = 0.0,
    gap: float = 0.0,
    mu: float = 0.7,
    form: str = "bodies",
) -> Any:
    """Unit cubes on one another. count = 5 and 20 are gen_stack_5 and gen_stack_20.

    speed: random velocities; lean: shift in x from cube to cube; gap: every cube floats this far above the one below.
    gen_stack_push_20 is stack(20, lean=.02, speed=.3, mu=.3) with other random numbers.

    Parameters
    ----------
    count : int
        Number of cubes.
    seed : int
        Number from which all random numbers are drawn; the same seed gives the same problem.
    speed : float
        Standard deviation of random velocities of the bodies [m/s, rad/s]; 0 for none.
    lean : float
        Shift in x from cube to cube [m].
    gap : float
        Every cube floats this far above the one below [m].
    mu : float
        Friction coefficient of all contacts [-].
    form : str
        What comes back: `bodies` (M and H kept), `sparse` (blocks of W), `dense`, or `global` (the matrices).

    Returns
    -------
    ContactProblem, or GlobalForm for `form="global"`
    """
    i = np.arange(count)
    centre = np.stack([lean * i, 0.0 * i, 0.5 + i], axis=1)
    out = pile_of_boxes(centre, np.ones((count, 3)), np.ones(count), np.full(count, gap))
    return out.finish(mu, form, _random_velocity(seed, count, speed))


def wall_places(columns: int, rows: int) -> np.ndarray:
    """Centres of the bricks, row by row; odd rows have one less."""
    return np.array([[2.0 * i + k % 2, 0.0, 0.5 + k] for k in range(rows) for i in range(columns - k % 2)]).reshape(
        -1, 3
    )


def wall(
    columns: int = 6,
    rows: int = 8,
    *,
    seed: int = 0,
    speed: float = 0.05,
    noise: float = 0.0,
    mu: float = 0.6,
    form: str = "bodies",
) -> Any:
    """Bricks of 2 x 1 x 1 in running bond. 6 x 8 and 20 x 30 have the W of gen_wall_6x8 and gen_wall_20x30.

    noise: contacts are open by random gaps of this size [m].

    Parameters
    ----------
    columns : int
        Bricks side by side.
    rows : int
        Rows of bricks on one another.
    seed : int
        Number from which all random numbers are drawn; the same seed gives the same problem.
    speed : float
        Standard deviation of random velocities of the bodies [m/s, rad/s]; 0 for none.
    noise : float
        Size of random gaps that open contacts [m].
    mu : float
        Friction coefficient of all contacts [-].
    form : str
        What comes back: `bodies` (M and H kept), `sparse` (blocks of W), `dense`, or `global` (the matrices).

    Returns
    -------
    ContactProblem, or GlobalForm for `form="global"`
    """
    centre = wall_places(columns, rows)
    out = pile_of_boxes(centre, np.tile([2.0, 1.0, 1.0], (len(centre), 1)), np.ones(len(centre)))
    out.shake(np.random.default_rng([seed, 1]), noise)
    return out.finish(mu, form, _random_velocity(seed, len(centre), speed))


BEAMS = [(x, 0.0) for x in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4)]
BLOCKS = [
    (0.1, -0.1),
    (0.5, -0.1),
    (0.9, -0.1),
    (1.3, -0.1),
    (0.3, 0.1),
    (0.7, 0.1),
    (1.1, 0.1),
    (0.1, 0.1),
    (1.3, 0.1),
]


def tower(
    storeys: int = 6,
    *,
    seed: int = 0,
    push: float = 0.0,
    speed: float = 0.0,
    noise: float = 0.0,
    mu: float = 0.8,
    form: str = "bodies",
) -> Any:
    """Planks laid dry, 17 per storey: the tower of scene `kapla` (6 storeys: 102 planks, 872 contacts).

    push: the last plank moves sideways at this speed; speed: all have random velocities; noise: contacts are open by
    random gaps of this size [m].

    Parameters
    ----------
    storeys : int
        Storeys of 17 planks.
    seed : int
        Number from which all random numbers are drawn; the same seed gives the same problem.
    push : float
        Sideways speed of the last plank [m/s].
    speed : float
        Standard deviation of random velocities of the bodies [m/s, rad/s]; 0 for none.
    noise : float
        Size of random gaps that open contacts [m].
    mu : float
        Friction coefficient of all contacts [-].
    form : str
        What comes back: `bodies` (M and H kept), `sparse` (blocks of W), `dense`, or `global` (the matrices).

    Returns
    -------
    ContactProblem, or GlobalForm for `form="global"`
    """
    centre, size = [], []
    for layer in range(2 * storeys):
        for x, y in BLOCKS if layer % 2 else BEAMS:
            centre.append([x, y, 0.05 + 0.1 * layer])
            size.append([0.2, 0.05, 0.1] if layer % 2 else [0.05, 0.25, 0.1])
    out = pile_of_boxes(np.array(centre), np.array(size), np.full(len(centre), 10.0))
    _touch_sides(out, np.array(centre), np.array(size))
    out.shake(np.random.default_rng([seed, 1]), noise)
    velocity = np.zeros((len(centre), 6)) if speed <= 0.0 else _random_velocity(seed, len(centre), speed)
    assert velocity is not None
    velocity[-1, 0] += push
    return out.finish(mu, form, velocity)


def _touch_sides(out: Assembly, centre: np.ndarray, size: np.ndarray) -> None:
    """Boxes of one layer that share a face across x: its four corners."""
    low, high = centre - size / 2, centre + size / 2
    for b in range(len(centre)):
        begin, end = np.maximum(low[:, 1:], low[b, 1:]), np.minimum(high[:, 1:], high[b, 1:])
        for a in np.flatnonzero((np.abs(high[:, 0] - low[b, 0]) < 1e-9) & np.all(end - begin > 1e-6, axis=1)):
            face = [[low[b, 0], y, z] for y in (begin[a, 0], end[a, 0]) for z in (begin[a, 1], end[a, 1])]
            out.touch(b, int(a), face, [1.0, 0.0, 0.0])


def mass_ratio(
    ratio: float = 1e6, count: int = 2, *, seed: int = 0, speed: float = 0.0, mu: float = 0.7, form: str = "bodies"
) -> Any:
    """A stack whose masses grow evenly (in the logarithm) from 1/sqrt(ratio) at the bottom to sqrt(ratio) at the top.

    Parameters
    ----------
    ratio : float
        Mass of the top cube over that of the bottom one [-].
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
    centre = np.stack([np.zeros(count), np.zeros(count), 0.5 + np.arange(count)], axis=1)
    mass = np.geomspace(1.0 / np.sqrt(ratio), np.sqrt(ratio), count) if count > 1 else np.array([np.sqrt(ratio)])
    return pile_of_boxes(centre, np.ones((count, 3)), mass).finish(mu, form, _random_velocity(seed, count, speed))
