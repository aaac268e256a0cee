# SPDX-License-Identifier: BSD-2-Clause
"""The robots of the paper and how they stand (S4 to S6): Solo-12 and Talos, their joints locked as in the paper's code, or free and held by PD;
the Allegro hand around a cube. They are those of example-robot-data.

A robot with locked joints is one rigid body. With J the velocities of the contact points over the six of the base, M the composite
inertia and w the wrench of gravity and push,  G = J M⁻¹ Jᵀ,  g = dt J M⁻¹ w; both are made here with NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

import stiction as st
from stiction import control

from ...rotations import rotation_matrix, skew
from . import published as p

NEEDS = "example-robot-data: pip install 'stiction[robots]'"
FRICTION = 0.9
MOMENT = 2.0  # of the push on the robots of Fig. 16 [s]


@dataclass(frozen=True)
class Stance:
    """How a robot stands: joints [rad], links of the feet, points on each [m] and the radius of their balls, push [N], gains of free joints."""

    robot: str
    title: str
    joints: dict[str, float]
    feet: tuple[str, ...]
    points: tuple[tuple[float, float, float], ...]
    radius: float
    push: float
    gains: tuple[float, float]  # [N m/rad], [N m s/rad]

    @property
    def here(self) -> bool:
        return self.robot in st.robots.paths()


LEGS = (("FL", 1), ("FR", 1), ("HL", -1), ("HR", -1))
SOLO = Stance(
    "solo12", "Solo-12",
    {f"{leg}_{joint}": sign * angle for leg, sign in LEGS for joint, angle in (("HFE", 0.8), ("KFE", -1.6))},
    tuple(f"{leg}_FOOT" for leg, _ in LEGS), ((0.0, 0.0, 0.0),), 0.01910275, 12.0, (20.0, 0.5),
)  # fmt: skip
TALOS = Stance(
    "talos_reduced", "Talos",
    {f"leg_{side}_{joint}_joint": angle for side in ("left", "right") for joint, angle in ((3, -0.4), (4, 0.8), (5, -0.4))},
    ("leg_left_6_link", "leg_right_6_link"), tuple((x, y, -0.1) for x in (0.09, -0.1) for y in (0.06, -0.06)), 0.01, 75.0, (1e4, 200.0),
)  # fmt: skip
STANCES = (SOLO, TALOS)


def push(stance: Stance, t: float) -> np.ndarray:
    """On the centre of mass, as in the paper's code [N]."""
    return stance.push * np.sin(2.0 * t + np.arange(3.0))


@dataclass(frozen=True)
class Locked:
    """A robot that is one rigid body: what its contact problems are made of."""

    stance: Stance
    mass: float
    lever: np.ndarray  # of the centre of mass from the base [m]
    jacobian: np.ndarray  # (rows, 6)
    inverse: np.ndarray  # of the inertia, (6, 6)

    def wrench(self, t: float) -> np.ndarray:
        """Of gravity and push, about the base [N, N m]."""
        force = np.array([0.0, 0.0, -p.GRAVITY * self.mass]) + push(self.stance, t)
        return np.concatenate([force, np.cross(self.lever, force)])

    def problem(self, t: float, law: str = "coulomb") -> st.ContactProblem:
        J, inverse = self.jacobian, self.inverse
        return st.ContactProblem(
            J @ inverse @ J.T, p.STEP * (J @ (inverse @ self.wrench(t))), mu=FRICTION, dt=p.STEP, law=law
        )


@lru_cache(maxsize=4)
def _locked(name: str) -> Locked:
    stance = next(s for s in STANCES if s.robot == name)
    world = st.World()
    robot = st.robots.load(stance.robot, world, position=(0.0, 0.0, 1.5))
    sim = st.Simulator(world)
    sim.set_joints(stance.joints)
    base = np.asarray(sim.q[robot.q_slice])[:3]
    points = []
    for foot in stance.feet:
        position, quaternion = sim.frame_pose(f"{robot.name}/{foot}")
        turn = rotation_matrix(quaternion)
        points += [position + turn @ np.array(x) - [0.0, 0.0, stance.radius] for x in stance.points]
    J = np.vstack([np.hstack([np.eye(3), -skew(x - base)]) for x in points])
    # the base is not turned: its axes are the world's
    return Locked(stance, sim.mass, sim.com() - base, J, np.linalg.inv(sim.mass_matrix()[:6, :6]))


def locked(stance: Stance) -> Locked:
    return _locked(stance.robot)


@dataclass(frozen=True)
class Held:
    """A simulator, the joint angles that its PD aims at, the body that is looked at, and what it weighs [N]."""

    sim: st.Simulator
    target: np.ndarray
    watched: st.Body
    weight: float


def free(stance: Stance, **settings: Any) -> Held:
    """On point feet, joints held by an implicit PD; settings as for Simulator."""
    made = control.legged_world(
        st.robots.paths()[stance.robot], stance.feet, offsets=stance.points, mu=FRICTION, stiffness=None, damping=None
    )
    sim = made.simulator(dt=p.STEP, **settings)
    sim.set_joints(stance.joints)
    sim.q[2] -= control.worlds.lowest(sim, stance.feet, stance.points)
    sim.set_pd(*stance.gains, implicit=True)
    return Held(sim, np.array(sim.q[7:]), sim.bodies[0], sim.mass * p.GRAVITY)


HAND, CUBE, CUBE_MASS = "allegro_right_hand", 0.06, 0.1  # [m], [kg]
FINGER, THUMB = (0.0, 1.3, 1.5, 1.2), (1.2, 0.6, 0.6, 0.9)  # closed [rad]


def hand(**settings: Any) -> Held:
    """The Allegro hand, its palm up, and a cube that falls on it from 5 mm; the fingers close by PD."""
    world, quarter = st.World(), np.sin(0.25 * np.pi)
    robot = st.robots.load(HAND, world, fixed=True, rotation=(0.0, -quarter, 0.0, quarter), mu=FRICTION)
    for joint in robot.joint_names:
        world.set_joint(robot, joint, damping=0.0, dry_friction=0.0)
    cube = world.add_box(size=(CUBE,) * 3, mass=CUBE_MASS, position=(0.0, 0.0, 0.025 + 0.5 * CUBE), mu=FRICTION)
    sim = st.Simulator(world, dt=p.STEP, **settings)
    sim.set_pd(10.0, 0.5, implicit=True)
    number = [int(name.split("_")[1].split(".")[0]) for name in robot.joint_names]
    closed = np.array([FINGER[n % 4] if n < 12 else THUMB[n - 12] for n in number])
    return Held(sim, closed, cube, CUBE_MASS * p.GRAVITY)
