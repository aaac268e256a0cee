# SPDX-License-Identifier: BSD-2-Clause
"""A UR5 presses a wall (an extra of the paper's code): torques by inverse dynamics, so that the contact force follows a wish."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import stiction as st

from .. import rows
from ..rows import closed_form
from ..study import Section
from .stances import NEEDS

ROBOT, TOOL = "ur5_robot", "tool0"
POSE = {"shoulder_lift_joint": -1.2, "elbow_joint": 1.8, "wrist_1_joint": -0.6, "wrist_2_joint": 1.57}  # [rad]
STIFFNESS, DAMPING, FRICTION = 2e4, 200.0, 0.5  # of the wall [N/m], [N s/m], [-]
STEP, STEPS, GAIN = 1e-3, 1500, 15.0  # [s], [-], of the force error [1/s]
TANGENTIAL = 1e-6  # compliance of the friction rows [1/kg]
PRESS, RAMP = 50.0, 0.5  # wanted force [N], reached after [s]
TEXT = (
    "The tool of a UR5 touches a wall of 2e4 N/m. In every step inverse dynamics gives the torques for a tool velocity that closes the gap between "
    "the wanted and the present force; the simulator takes them. The force goes up to 50 N in half a second and stays."
)


@dataclass(frozen=True)
class Pressing:
    wanted: np.ndarray  # [N]
    force: np.ndarray  # (steps, 3), of the wall on the tool, from it outwards along z [N]
    foretold: np.ndarray  # normal force that inverse dynamics expects [N]
    depth: float  # at the end [m]
    torque: np.ndarray  # at the end [N m]
    statics: np.ndarray  # gravity less Jᵀ force at the end [N m]


def _world() -> tuple[st.World, np.ndarray]:
    """The wall stands where the tool is; solid on the far side."""
    bare = st.World()
    st.robots.load(ROBOT, bare, fixed=True)
    sim = st.Simulator(bare)
    sim.set_joints(POSE)
    tool, world = sim.frame_pose(TOOL)[0], st.World()
    st.robots.load(ROBOT, world, fixed=True)
    quarter = float(np.sin(0.25 * np.pi))
    wall = world.add_static_half_space(
        position=tool, rotation=(0.0, -quarter, 0.0, quarter), mu=FRICTION, stiffness=STIFFNESS, damping=DAMPING
    )
    for geom in world.geoms:  # the tool's point alone touches the wall
        if geom.body >= 0:
            world.exclude_geoms(geom.id, wall)
    body, (offset, _) = world.frame(TOOL)
    world.add_contact_point(body, offset=offset, mu=FRICTION)
    return world, tool


def press() -> Pressing:
    world, _ = _world()
    sim = st.Simulator(world, dt=STEP)
    sim.set_joints(POSE)
    start = sim.frame_pose(TOOL)[0]
    wanted = PRESS * np.minimum(STEP * np.arange(1, STEPS + 1) / RAMP, 1.0)
    force, foretold = np.zeros((STEPS, 3)), np.zeros(STEPS)
    torque = np.zeros(sim.ntau)
    for i in range(STEPS):
        lacks = wanted[i] - (force[i - 1, 2] if i else 0.0)
        tool = np.array([GAIN * lacks / STIFFNESS, 0.0, 0.0, 0.0, 0.0, 0.0])
        found = st.inverse_dynamics(
            sim, np.linalg.lstsq(sim.jacobian(TOOL), tool, rcond=None)[0], compliance=TANGENTIAL
        )
        torque, foretold[i] = np.asarray(found.tau), float(np.linalg.norm(found.force))
        sim.step(torque)
        contacts: Any = sim.contacts()
        on_tool = np.where((contacts["body_b"] >= 0)[:, None], contacts["force"], -contacts["force"]).sum(axis=0)
        force[i] = on_tool[1], on_tool[2], -on_tool[0]
    statics = sim.bias() - sim.jacobian(TOOL)[:3].T @ np.array([-force[-1, 2], force[-1, 0], force[-1, 1]])
    return Pressing(wanted, force, foretold, float(sim.frame_pose(TOOL)[0][0] - start[0]), torque, np.asarray(statics))


def section() -> Section:
    title = "A UR5 presses a wall"
    if ROBOT not in st.robots.paths():
        return Section(title, TEXT, [rows.skipped("UR5: every row", NEEDS)])
    run = press()
    after = run.wanted >= PRESS
    last = after & (np.arange(STEPS) > STEPS - 200)
    return Section(
        title,
        TEXT,
        [
            rows.at_most(
                "UR5: force from the wanted one in the last .2 s, relative",
                float(np.abs(run.force[last, 2] / PRESS - 1.0).max()),
                1e-4,
                against=closed_form("the force that was asked for"),
            ),
            rows.at_most(
                "UR5: normal force from the one foretold by inverse dynamics, all steps [N]",
                float(np.abs(run.force[:, 2] - run.foretold).max()),
                1e-6,
                against=closed_form("the forward problem of the inverse one"),
            ),
            rows.close(
                "UR5: force over stiffness at the end, depth [mm]",
                None,
                1e3 * PRESS / STIFFNESS,
                1e3 * run.depth,
                1e-4,
                against=closed_form("F/k"),
            ),
            rows.at_most(
                "UR5: torques at the end from gravity less Jᵀ force, relative",
                float(np.abs(run.torque - run.statics).max() / np.abs(run.statics).max()),
                1e-6,
                against=closed_form("statics"),
            ),
        ],
    )
