# SPDX-License-Identifier: BSD-2-Clause
"""The cube and the plate: what was measured on the recordings themselves, and what was fitted.

Lengths are those of the recordings. They are short by 2.2 %: the authors' edge is 104.8 mm and a resting cube's is 102.5 mm, its centre
falls with 9.598 m/s² instead of 9.81. Both say .978, and both are taken as they are recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..._core import World
from .recordings import INTERVAL, Toss, matrices

CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
Array = np.ndarray


@dataclass(frozen=True)
class Cube:
    """Values of `flight.py` and `fitted.py`. Axes are those of the tracked body."""

    edge: float = 0.1025  # [m] twice the height at which it rests
    rounding: float = 0.0025  # radius of its edges and corners [m]
    mass: float = 0.37  # [kg] as its authors give it; tosses do not tell
    gravity: float = 9.598  # [m/s²] of its centre of mass in flight
    centre: float = 0.005  # the centre of mass lies so far from the middle along z [m]
    flatness: float = 0.05  # moments of inertia over their mean are 1 + f/2, 1 + f/2, 1 - f
    inertia: float = 1.65  # their mean over that of a solid cube, m edge²/6; of six plates: 1.667
    mu: float = 0.18
    restitution: float = 0.0
    stiffness: float | None = None  # of a contact point [N/m]; None: rigid
    damping: float = 0.0  # [N s/m]
    mu_torsion: float = 0.0  # [m]
    mu_rolling: float = 0.0  # [m]

    @property
    def moments(self) -> Array:
        """About the centre of mass [kg m²]."""
        shares = np.array([1.0 + 0.5 * self.flatness, 1.0 + 0.5 * self.flatness, 1.0 - self.flatness])
        return shares * self.inertia * self.mass * self.edge**2 / 6.0

    @property
    def offset(self) -> Array:
        """Centre of mass, seen from the middle [m]."""
        return np.array([0.0, 0.0, self.centre])

    @property
    def balls(self) -> Array:
        """Centres of the eight balls at the corners, seen from the middle [m]. On a plane they touch as the whole rounded cube does."""
        return (0.5 * self.edge - self.rounding) * CORNERS

    def with_values(self, **values: float) -> Cube:
        return replace(self, **values)


@dataclass(frozen=True)
class Start:
    """Where the middle of the cube is and how it moves at the first sample, a row per toss."""

    position: Array  # (n, 3)
    rotation: Array  # (n, 4) x, y, z, w
    velocity: Array  # (n, 3) world axes, at this instant
    spin: Array  # (n, 3) body axes

    @property
    def turned(self) -> Array:
        return matrices(self.rotation)

    @property
    def world_spin(self) -> Array:
        return np.asarray(np.einsum("nij,nj->ni", self.turned, self.spin))

    def centre(self, cube: Cube) -> tuple[Array, Array]:
        """Position and velocity of the centre of mass."""
        arm = self.turned @ cube.offset
        return self.position + arm, self.velocity + np.cross(self.world_spin, arm)

    @property
    def q(self) -> Array:
        return np.hstack([self.position, self.rotation])

    @property
    def v(self) -> Array:
        return np.hstack([np.einsum("nji,nj->ni", self.turned, self.velocity), self.spin])


def start(cube: Cube, tosses: Sequence[Toss]) -> Start:
    """The first sample of each toss. Its velocity is the mean over the interval before, so half an interval of gravity is added."""
    velocity = np.array([t.velocity[0] for t in tosses])
    velocity[:, 2] -= 0.5 * INTERVAL * cube.gravity
    return Start(np.array([t.position[0] for t in tosses]), np.array([t.rotation[0] for t in tosses]), velocity,
                 np.array([t.spin[0] for t in tosses]))  # fmt: skip


BALL = '<collision><origin xyz="{}"/><geometry><sphere radius="{!r}"/></geometry></collision>'
ROBOT = """<robot name="cube"><link name="cube">
<inertial><origin xyz="{offset}"/><mass value="{mass!r}"/><inertia ixx="{x}" iyy="{y}" izz="{z}" ixy="0" ixz="0" iyz="0"/></inertial>
{balls}</link></robot>"""


def urdf(cube: Cube) -> str:
    """One floating link whose origin is the tracked point, the middle."""
    balls = "\n".join(BALL.format(_numbers(place), cube.rounding) for place in cube.balls)
    x, y, z = (repr(float(m)) for m in cube.moments)
    return ROBOT.format(offset=_numbers(cube.offset), mass=cube.mass, x=x, y=y, z=z, balls=balls)


def _numbers(x: Array) -> str:
    return " ".join(repr(float(y)) for y in x)


def world(cube: Cube) -> World:
    """The cube over the plate z = 0."""
    made = World()
    made.gravity = (0.0, 0.0, -cube.gravity)
    soft = cube.stiffness is not None
    made.add_ground(
        mu=cube.mu, restitution=cube.restitution, stiffness=cube.stiffness, damping=cube.damping if soft else None,
        mu_torsion=cube.mu_torsion or None, mu_rolling=cube.mu_rolling or None)  # fmt: skip
    made.add_urdf_text(urdf(cube), position=(0.0, 0.0, 1.0))
    return made
