# SPDX-License-Identifier: BSD-2-Clause
"""Worlds of the controllers: one legged robot above a floor that it touches with nothing but the points of its feet.

Collision shapes are left out, joints have no limits, no friction and no armature, torques are not clamped: what the
controllers and the integrators are judged on is contact alone. The points carry stiffness and damping, so that the same
world serves every law that knows them.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import robots
from .._core import InvalidInput, Robot, Simulator, World
from ..output.arguments import named
from ..rotations import rotate

Array = NDArray[np.float64]

SOLO_FEET = ("HL_FOOT", "HR_FOOT", "FL_FOOT", "FR_FOOT")
ROMEO_FEET = ("r_ankle", "l_ankle")  # links that carry the soles
_TOUCH = 1e-6  # by which feet are sunk into the floor at the start [m]
SOLO_MASS = 2.978  # of the Solo-12 that the published jump and trot were made for (example-robot-data v3.2.0) [kg]

# Legs FL, FR, HL, HR of the published squat's start (hip, thigh, knee) and its base.
_SOLO_LEGS = (0.0, -0.799754095, 1.599492290, 0.0, -0.799755961, 1.599496022,
              0.0, -0.799781180, 1.599546460, 0.0, -0.799783045, 1.599550191)  # fmt: skip
_SOLO_BASE = (0.605e-6, -0.083e-6, 0.223001532 - 6e-6, 0.187e-6, 5.332e-6, 0.0, 1.0)

# Published start of the walk, in millionths (specification: base, then 31 joints).
_ROMEO_START = (1774.19, -125116.90, 831881.83, 59741.07, -80404.91, -1561.47, 994969.15, -15358.75, 53810.89, -107487.89,
                560647.38, -292066.73, -174982.92, -12811.18, 59509.60, -208411.22, 777854.20, -407874.10, -180094.67, -2954.87,
                1581854.05, -33362.66, -71.93, -9258.54, -77.83, -771.16, -44.36, -30.71, 2628.59, 6113.36,
                12.31, 1584237.88, 28815.47, 68.00, 7992.11, -51.17, 809.79, 482.24)  # fmt: skip
ROMEO_SOLE = tuple((x, y, -0.07) for x in (-0.05, 0.10) for y in (-0.05, 0.05))  # points in the ankle-roll frame [m]


@dataclass(frozen=True)
class LeggedWorld:
    """A world with one legged robot, and what controllers need to know of it."""

    world: World
    robot: Robot
    feet: tuple[str, ...]  # frames of the feet, in the order of the contact points
    points: tuple[int, ...]  # numbers of the contact points, as geom_a and geom_b of contacts(); equally many per foot
    q0: Array  # start configuration
    mass: float  # [kg]
    model: str  # file and mass, for reports: "solo12.urdf, 2.500 kg"

    def simulator(self, **settings: Any) -> Simulator:
        """A simulator that stands at the start; settings as for Simulator."""
        sim = Simulator(self.world, **settings)
        if getattr(sim, "coordinates", "minimal") == "minimal":
            sim.q[:] = self.q0
        else:
            sim.set_minimal_state(self.q0, np.zeros(self.q0.size - 1))
        return sim


def _read(urdf: Path) -> str:
    """The text of a URDF without collision and visual shapes (their mesh files are not needed then)."""
    if not urdf.is_file():
        raise FileNotFoundError(f"urdf is '{urdf}', which does not exist; check the path")
    try:
        tree = ElementTree.parse(urdf).getroot()
    except ElementTree.ParseError as error:
        raise InvalidInput(f"{urdf.name} is not XML: {error}") from None
    for link in tree.iter("link"):
        for shape in [*link.findall("collision"), *link.findall("visual")]:
            link.remove(shape)
    return ElementTree.tostring(tree, encoding="unicode")


def _known(name: str) -> Path:
    known = robots.paths()
    if name not in known:
        raise ImportError(
            f"robot '{name}' is not here: pip install 'stiction[robots]', or give urdf=; known: {' '.join(known)}"
        )
    return known[name]


def _free_joints(world: World, robot: Robot) -> None:
    for joint in robot.joint_names:
        world.set_joint(robot, joint, damping=0.0, dry_friction=0.0, effort_limit=math.inf)
        try:
            world.set_joint(robot, joint, lower=-math.inf, upper=math.inf)
        except InvalidInput:  # continuous joints have no limits to take away
            continue


@named
def legged_world(
    urdf: str | Path,
    feet: Sequence[str],
    *,
    offsets: Sequence[Sequence[float]] = ((0.0, 0.0, 0.0),),
    mu: float = 1.0,
    stiffness: float | None = 1e5,
    damping: float | None = 300.0,
    q0: Sequence[float] | Array | None = None,
) -> LeggedWorld:
    """A robot from a URDF on a floor z <= 0, touching it with points at its feet only.

    Parameters
    ----------
    urdf
        The robot; its base floats.
    feet
        Frames of the feet. One contact point per foot and offset is added, in this order.
    offsets
        Places of the points in the frame of a foot [m].
    mu
        Friction coefficient of points and floor [-].
    stiffness, damping
        Of a point [N/m, N s/m]; None leaves them to the law (law_options, or rigid).
    q0
        Start configuration; without one, joints at zero and the lowest point on the floor (a micrometre inside).
    """
    path = Path(urdf)
    world = World()
    world.add_ground(mu=mu)
    robot = world.add_urdf_text(_read(path))
    _free_joints(world, robot)
    points = []
    for foot in feet:
        body, (position, rotation) = world.frame(foot)
        if body is None:
            raise InvalidInput(f"foot '{foot}' is fixed to the world, expected a frame of the robot")
        for offset in offsets:
            place = np.asarray(position) + rotate(rotation, offset)
            points.append(world.add_contact_point(body, offset=place, mu=mu, stiffness=stiffness, damping=damping))
    sim = Simulator(world)
    start = np.array(sim.q if q0 is None else q0, dtype=float)
    if start.size != sim.nq:
        raise InvalidInput(f"q0 has size {start.size}, expected {sim.nq} for {path.name}")
    sim.q[:] = start
    if q0 is None:
        start[2] -= lowest(sim, feet, offsets) + _TOUCH
    return LeggedWorld(world, robot, tuple(feet), tuple(points), start, sim.mass, f"{path.name}, {sim.mass:.3f} kg")


def lowest(sim: Simulator, feet: Sequence[str], offsets: Sequence[Sequence[float]] = ((0.0, 0.0, 0.0),)) -> float:
    """Height of the lowest point of the feet at the present configuration [m]."""
    poses = [sim.frame_pose(foot) for foot in feet]
    return min(float((position + rotate(rotation, o))[2]) for position, rotation in poses for o in offsets)


@named
def solo_world(urdf: str | Path | None = None, **options: Any) -> LeggedWorld:
    """Solo-12 at the start of the published squat.

    urdf: today's model of example-robot-data unless given. Its versions differ in mass (2.978 kg up to v3.2.0, 2.500 kg
    since): `LeggedWorld.model` says which one it is, and published references refuse the wrong one.

    Parameters
    ----------
    options
        Of legged_world().
    """
    path = Path(urdf) if urdf is not None else _known("solo12")
    options.setdefault("q0", np.array([*_SOLO_BASE, *_SOLO_LEGS]))
    return legged_world(path, options.pop("feet", SOLO_FEET), **options)


@named
def small_quadruped_world(**options: Any) -> LeggedWorld:
    """The small quadruped that comes with stiction (models/quadruped_small.urdf), standing as Solo-12 does.

    The feet start _TOUCH below the floor: soft contact at exactly zero might not be seen before the first step is over.

    Parameters
    ----------
    options
        Of legged_world().
    """
    options.setdefault(
        "q0", np.array([0.0, 0.0, 0.32 * math.cos(0.8) - _TOUCH, 0.0, 0.0, 0.0, 1.0, *(4 * (0.0, -0.8, 1.6))])
    )
    return legged_world(_known("quadruped_small"), SOLO_FEET, **options)


@named
def romeo_world(urdf: str | Path | None = None, **options: Any) -> LeggedWorld:
    """Romeo at the start of the published walk, four points under each foot, the right sole's lowest point on the floor.

    Parameters
    ----------
    urdf
        File of the robot; that of example-robot-data unless given.
    options
        Of legged_world().
    """
    path = Path(urdf) if urdf is not None else _known("romeo_small")
    start = np.array(_ROMEO_START) * 1e-6
    start[3:7] /= np.linalg.norm(start[3:7])
    options.setdefault("q0", start)
    options.setdefault("offsets", ROMEO_SOLE)
    made = legged_world(path, options.pop("feet", ROMEO_FEET), **options)
    sim = made.simulator()
    made.q0[2] -= lowest(sim, made.feet[:1], ROMEO_SOLE) + _TOUCH
    return made
