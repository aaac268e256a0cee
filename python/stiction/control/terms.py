# SPDX-License-Identifier: BSD-2-Clause
"""What an inverse-dynamics controller reads from the simulator at the present state.

    M v̇ + h = Sᵀτ + Σ J_iᵀ f_i        ċ = J_c v,  c̈ = J_c v̇ + J̇_c v        p̈_i = J_i v̇ + J̇_i v

in Pinocchio's convention: v̇ is the derivative of sim.v, so the base's part is the spatial acceleration in base axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import InvalidInput, Simulator
from ..output.arguments import named

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Terms:
    """Dynamics and kinematics at one state; feet are stacked in the order asked for."""

    mass_matrix: Array  # (nv, nv)
    bias: Array  # (nv,)
    com: Array  # (3,)
    com_velocity: Array  # (3,)
    com_jacobian: Array  # (3, nv)
    com_drift: Array  # (3,)
    position: Array  # (feet, 3)
    velocity: Array  # (feet, 3)
    jacobian: Array  # (feet, 3, nv), linear rows, world axes
    drift: Array  # (feet, 3)

    @property
    def feet(self) -> int:
        """Number of feet."""
        return len(self.position)


def check_robot(sim: Simulator, feet: Sequence[str]) -> None:
    """One floating robot and nothing else that moves; every foot a frame of it."""
    if len(sim.robots) != 1 or sim.nv != sim.ntau + 6:
        raise InvalidInput(
            f"the controller needs a world with one floating robot and no other body, this one has "
            f"{len(sim.robots)} robots and {sim.nv - sim.ntau} velocities without torque (expected 6)"
        )
    for foot in feet:
        sim.frame_velocity(foot)  # names an unknown frame and the closest known one


@named
def read_terms(sim: Simulator, feet: Sequence[str]) -> Terms:
    """All of Terms at the present q and v.

    Parameters
    ----------
    sim
        The robot's simulator.
    feet
        Frames of the feet, in the order that Terms keeps.
    """
    com_jacobian = sim.com_jacobian()
    jacobians = [sim.jacobian(foot)[:3] for foot in feet]
    v = sim.v
    return Terms(
        mass_matrix=sim.mass_matrix(), bias=sim.bias(),
        com=sim.com(), com_velocity=com_jacobian @ v, com_jacobian=com_jacobian, com_drift=sim.com_drift(),
        position=np.array([sim.frame_pose(foot)[0] for foot in feet]), velocity=np.array([J @ v for J in jacobians]),
        jacobian=np.array(jacobians), drift=np.array([sim.frame_drift(foot)[:3] for foot in feet]),
    )  # fmt: skip


@named
def touching(sim: Simulator, points: Sequence[int]) -> NDArray[np.bool_]:
    """Which of the contact points (LeggedWorld.points) carried a force in the last step.

    Parameters
    ----------
    sim
        The robot's simulator.
    points
        Numbers of the contact points.
    """
    contacts: Any = sim.contacts()
    loaded = contacts[np.einsum("ij,ij->i", contacts["force"], contacts["force"]) > 0.0]
    met = {*loaded["geom_a"].tolist(), *loaded["geom_b"].tolist()}
    return np.array([point in met for point in points], dtype=bool)
