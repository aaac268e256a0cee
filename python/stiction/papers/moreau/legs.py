# SPDX-License-Identifier: BSD-2-Clause
"""StarlETH with any even number of legs: how JOR and SOR scale with degrees of freedom, in three sets of coordinates.

With four legs it is StarlETH (spec of models/README.md) on point feet at the ends of the shanks. More legs come in pairs, one
pair every 0.505 m; the trunk grows with them: its mass in proportion to the legs, so that a foot always carries as much, its second
moments along x with the square of its length.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from ... import _core
from ..._core import InvalidInput
from ...rotations import rotate
from . import spectrum

HIP, THIGH, SHANK = 0.0685, 0.2, 0.235  # lengths of the links [m]
TRUNK_MASS, PAIR_DISTANCE, HALF_WIDTH = 17.1, 0.505, 0.185  # [kg] [m] [m]
TRUNK_MOMENTS = (0.36, 0.193, 0.033)  # ∫x² dm, ∫y² dm, ∫z² dm: inertia .226 .393 .553 [kg m²]
LINKS = (  # name, mass, inertia about the centre of mass, its z, joint's name and axis
    ("hip", 1.8, (0.009275, 0.003035, 0.007210), -0.055, "HAA", "1 0 0"),
    ("thigh", 0.31, (0.00148976, 0.00142976, 0.000215), -0.148, "HFE", "0 1 0"),
    ("shank", 0.32, (0.00112108, 0.00124208, 0.0002), -0.084, "KFE", "0 1 0"),
)
JOINT_ORIGINS = (None, f"0 0 {-HIP}", f"0 0 {-THIGH}")
DT = 2.5e-3  # [s]
OVERLAP = 1e-9  # of the feet with the ground at the start, so that round-off opens no contact [m]


@dataclass(frozen=True)
class Leg:
    """One leg: its name, where its hip is, and which way its knee points."""

    name: str
    x: float
    y: float
    forward: float  # 1 for legs of the front half, -1 for the others: thighs lean this way, knees inwards


def all_legs(legs: int) -> list[Leg]:
    """The legs from front to back, left before right."""
    if legs < 4 or legs % 2:
        raise InvalidInput(f"legs is {legs}, expected an even number >= 4")
    pairs = legs // 2
    out = []
    for i in range(pairs):
        x = PAIR_DISTANCE * (0.5 * (pairs - 1) - i)
        for side, y in (("L", HALF_WIDTH), ("R", -HALF_WIDTH)):
            out.append(Leg(f"{side}{i + 1}", x, y, 1.0 if x >= 0.0 else -1.0))
    return out


def _inertial(mass: float, inertia: Sequence[float], z: float) -> str:
    ixx, iyy, izz = inertia
    return (
        f'<inertial><origin xyz="0 0 {z!r}"/><mass value="{mass!r}"/>'
        f'<inertia ixx="{ixx!r}" ixy="0" ixz="0" iyy="{iyy!r}" iyz="0" izz="{izz!r}"/></inertial>'
    )


def _trunk(legs: int) -> str:
    share = legs / 4.0
    x, y, z = (share * m for m in TRUNK_MOMENTS)
    x *= (legs / 2.0 - 1.0) ** 2
    return f'<link name="trunk">{_inertial(share * TRUNK_MASS, (y + z, x + z, x + y), 0.0)}</link>'


def _leg(leg: Leg) -> Iterator[str]:
    parent = "trunk"
    for (link, mass, inertia, z, joint, axis), origin in zip(LINKS, JOINT_ORIGINS, strict=True):
        place = origin or f"{leg.x!r} {leg.y!r} 0"
        yield (
            f'<joint name="{leg.name}_{joint}" type="revolute"><parent link="{parent}"/><child link="{leg.name}_{link}"/>'
            f'<origin xyz="{place}"/><axis xyz="{axis}"/>'
            '<limit lower="-3.14159265358979" upper="3.14159265358979" effort="1000" velocity="100"/></joint>'
        )
        yield f'<link name="{leg.name}_{link}">{_inertial(mass, inertia, z)}</link>'
        parent = f"{leg.name}_{link}"


def urdf(legs: int = 4) -> str:
    """The robot as the text of a URDF; no collision shapes."""
    parts = [f'<robot name="starleth_{legs}">', _trunk(legs)]
    for leg in all_legs(legs):
        parts.extend(_leg(leg))
    return "\n".join([*parts, "</robot>"])


def shank_angle(pitch: float) -> float:
    """Angle of the shanks from the vertical such that the feet are below the hips [rad]."""
    return math.asin(THIGH * math.sin(pitch) / SHANK)


def standing_height(pitch: float) -> float:
    """Height of the trunk above the feet [m]."""
    return HIP + THIGH * math.cos(pitch) + SHANK * math.cos(shank_angle(pitch))


def standing_world(legs: int = 4, pitch: float = 0.75, mu: float = 0.8) -> _core.World:
    """A world in which the robot stands on flat ground, every foot a contact point that touches it."""
    world = _core.World()
    world.add_ground(mu=mu)
    robot = world.add_urdf_text(urdf(legs), position=(0.0, 0.0, standing_height(pitch) - OVERLAP), name="starleth")
    knee = pitch + shank_angle(pitch)
    for leg in all_legs(legs):
        world.set_joint_position(robot, f"{leg.name}_HFE", leg.forward * pitch)
        world.set_joint_position(robot, f"{leg.name}_KFE", -leg.forward * knee)
        world.add_contact_point(f"{leg.name}_shank", offset=(0.0, 0.0, -SHANK))
    return world


def static_torque(legs: int = 4, pitch: float = 0.75) -> np.ndarray:
    """Joint torques that carry the robot while every foot takes the same share of its weight [N m]."""
    sim = _core.Simulator(standing_world(legs, pitch))
    force = np.array([0.0, 0.0, sim.mass * 9.81 / legs])
    tau = sim.bias()[6:].copy()
    for leg in all_legs(legs):
        shank = f"{leg.name}_shank"
        jacobian = sim.jacobian(shank)
        _position, turn = sim.pose(shank)
        arm = rotate(turn, (0.0, 0.0, -SHANK))
        tau -= (jacobian[:3] + np.cross(jacobian[3:].T, arm).T)[:, 6:].T @ force
    return tau


def standing_problem(
    coordinates: str = "minimal", legs: int = 4, pitch: float = 0.75, dt: float = DT, cut: Sequence[str] = ()
) -> _core.ContactProblem:
    """The contact problem of one step from rest under static joint torques: all feet closed."""
    sim = _core.Simulator(standing_world(legs, pitch), dt=dt, coordinates=coordinates, cut=list(cut))
    problems = sim.problems(static_torque(legs, pitch))
    if len(problems) != 1:
        raise InvalidInput(f"the robot makes {len(problems)} problems, expected one")
    return problems[0]


@dataclass(frozen=True)
class ScalingRow:
    """One robot, one set of coordinates, one way of treating bilateral rows, one method."""

    legs: int
    coordinates: str
    bilateral: str  # none, direct or prox
    method: str  # jor or sor
    dof: int
    contact_rows: int
    bilateral_rows: int
    alpha_max: float  # of JOR with all contacts sticking
    alpha: float  # used: half of it, as the paper has it
    iterations: int
    converged: bool
    milliseconds: float  # processor time of one solve: noisy, for figures only


SETS = (("minimal", "none"), ("extended", "direct"), ("extended", "prox"), ("maximal", "direct"), ("maximal", "prox"))


def scaling(
    legs: Sequence[int] = (4, 8, 16, 32), methods: Sequence[str] = ("jor", "sor"), repeat: int = 3
) -> list[dict[str, object]]:
    """Iterations and time against degrees of freedom, cold start, tolerance 1e-6: plain rows (fields of ScalingRow)."""
    out: list[dict[str, object]] = []
    for count in legs:
        for coordinates, bilateral in SETS:
            out.extend(asdict(row) for row in _scaling_rows(count, coordinates, bilateral, methods, repeat))
    return out


def _scaling_rows(
    legs: int, coordinates: str, bilateral: str, methods: Sequence[str], repeat: int
) -> Iterator[ScalingRow]:
    dof = _core.Simulator(standing_world(legs), coordinates=coordinates).nv
    problem = standing_problem(coordinates, legs)
    held = sum(b.size for b in problem.blocks if b.kind == "bilateral")
    direct = bilateral == "direct"
    bound = spectrum.alpha_max(problem, direct=direct)
    for method in methods:
        best, result = math.inf, None
        for _ in range(repeat):
            start = time.process_time()
            result = spectrum.iterate(problem, method, 0.5 * bound, direct=direct)
            best = min(best, time.process_time() - start)
        assert result is not None
        yield ScalingRow(
            legs, coordinates, bilateral, method, dof, problem.rows - held, held, bound, 0.5 * bound, result.iterations,
            result.converged, 1e3 * best,
        )  # fmt: skip
