# SPDX-License-Identifier: BSD-2-Clause
"""StarlETH with point contacts at its feet and joints, and its virtual-model controller."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from .. import robots
from .._core import InvalidInput
from ..output.arguments import named
from .legs import Legs
from .virtual_model import VirtualModel
from .worlds import LeggedWorld, legged_world

LEGS = ("LF", "RF", "LH", "RH")
STARLETH_FEET = tuple(f"{leg}_foot" for leg in LEGS)
# frames at HAA, HFE, KFE
STARLETH_JOINTS = tuple(f"{leg}_{link}" for link in ("hip", "thigh", "shank") for leg in LEGS)
HIP, THIGH, SHANK = 0.0685, 0.2, 0.235  # lengths of the links [m]
_SIDES = {"LF": (1.0, 1.0), "RF": (1.0, -1.0), "LH": (-1.0, 1.0), "RH": (-1.0, -1.0)}


@named
def starleth_legs() -> Legs:
    """Geometry and masses of the legs LF, RF, LH, RH; knees point inward."""
    sides = np.array([_SIDES[leg] for leg in LEGS])
    hips = np.column_stack([0.2525 * sides[:, 0], 0.185 * sides[:, 1], np.zeros(4)])
    return Legs(hips, -sides[:, 0], (HIP, THIGH, SHANK), (1.8, 0.31, 0.32), (0.055, 0.148, 0.084))


@named
def starleth_posture(thigh: float = 0.75) -> tuple[dict[str, tuple[float, float, float]], float]:
    """Angles (HAA, HFE, KFE) per leg with the feet below the hips, and the height of the trunk above them [m].

    Parameters
    ----------
    thigh
        Angle of the thighs from the vertical [rad].
    """
    if not (math.isfinite(thigh) and 0.0 < thigh < 1.4):
        raise InvalidInput(f"thigh is {thigh}, expected an angle between 0 and 1.4 rad")
    shank = math.asin(THIGH * math.sin(thigh) / SHANK)
    height = HIP + THIGH * math.cos(thigh) + SHANK * math.cos(shank)
    return {leg: (0.0, x * thigh, -x * (thigh + shank)) for leg, (x, _) in _SIDES.items()}, height


@named
def starleth_world(*, thigh: float = 0.75, mu: float = 0.8, joints: bool = True, stiffness: float | None = None,
                   damping: float | None = None, sunk: float = 1e-6) -> LeggedWorld:  # fmt: skip
    """StarlETH standing on a floor that it touches with points: four feet and, with `joints`, every joint (16 candidates).

    Parameters
    ----------
    thigh
        Angle of the thighs from the vertical [rad].
    mu
        Friction coefficient.
    joints
        Points at the twelve joints as well, so that it can fall.
    stiffness, damping
        Of every point [N/m, N s/m], for laws that know them.
    sunk
        Depth of the feet at the start [m].
    """
    angles, height = starleth_posture(thigh)
    path = robots.paths()["starleth"]
    points = (*STARLETH_FEET, *STARLETH_JOINTS) if joints else STARLETH_FEET
    made = legged_world(path, points, mu=mu, stiffness=stiffness, damping=damping)
    q0 = np.zeros(7 + len(made.robot.joint_names))
    q0[2], q0[6] = height - sunk, 1.0
    for leg, numbers in zip(LEGS, starleth_joints(made), strict=True):
        q0[7 + np.asarray(numbers)] = angles[leg]
    return dataclasses.replace(made, feet=STARLETH_FEET, q0=q0)


@named
def starleth_joints(legged: LeggedWorld) -> tuple[tuple[int, int, int], ...]:
    """Numbers of HAA, HFE, KFE of the legs LF, RF, LH, RH among the robot's joints.

    Parameters
    ----------
    legged
        Of starleth_world().
    """
    names = list(legged.robot.joint_names)
    numbers = [tuple(names.index(f"{leg}_{joint}") for joint in ("HAA", "HFE", "KFE")) for leg in LEGS]
    return tuple((a, b, c) for a, b, c in numbers)


@named
def starleth_control(legged: LeggedWorld, gait: str = "trot", **options: Any) -> VirtualModel:
    """Virtual-model control of a starleth_world, with the published gains unless others are given.

    Parameters
    ----------
    legged
        Of starleth_world().
    gait
        `trot` or `stand`.
    options
        Of VirtualModel: gains, gravity.
    """
    return VirtualModel(starleth_legs(), starleth_joints(legged), legged.mass, legged.q0, gait=gait, **options)
