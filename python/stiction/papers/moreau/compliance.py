# SPDX-License-Identifier: BSD-2-Clause
"""Compliant contact by itself: depth at rest and the largest stable step.

Rest: m g/(n c) for n points. One mode with inverse inertia G under the explicit force is stable iff c G dt² + 2 d G dt < 4, so
dt = (−d G + √(d²G² + 4 c G))/(c G). Bodies are links without shapes, held up by contact points at the height of their centre of mass
(two points: a little above it, so that they do not tip).
"""

from __future__ import annotations

import math

import numpy as np

import stiction as st
from stiction import control

from .. import rows
from ..rows import Row, closed_form
from ..study import Section
from .configurations import Configuration, world
from .published import CONTROL, DAMPING, GRAVITY, MASS, SINK_STAND_EXACT, SINK_TROT_EXACT, STIFFNESS

TANGENTIAL = (10.9, 14.4)  # inverse inertia of a foot along x at pitch .75 and for a straighter leg [1/kg]


def _link(mass: float) -> str:
    return (f'<robot name="link"><link name="link"><inertial><mass value="{mass!r}"/>'
            f'<inertia ixx="{mass!r}" iyy="{mass!r}" izz="{mass!r}" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>')  # fmt: skip


def _on_points(
    mass: float, points: list[tuple[float, float, float]], dt: float, stiffness: float, damping: float
) -> st.Simulator:
    built = st.World()
    built.add_ground(mu=0.8)
    robot = built.add_urdf_text(_link(mass))
    for point in points:
        built.add_contact_point(robot.base, offset=point, mu=0.8)
    return st.Simulator(
        built, law="compliant", law_options=dict(stiffness=stiffness, damping=damping), stepper="moreau", dt=dt
    )


def resting_depth() -> float:
    """Of StarlETH's mass on two points, after five seconds [mm]."""
    sim = _on_points(MASS, [(0.25, 0.0, 0.05), (-0.25, 0.0, 0.05)], 1.25e-3, STIFFNESS, DAMPING)
    sim.q[2] = -0.05
    sim.step(n=8000)
    return float(-1e3 * (sim.q[2] + 0.05))


def standing_depth(seconds: float = 3.0) -> float:
    """Mean over the four feet of StarlETH, held by the standing controller [mm]."""
    legged = world()
    sim = Configuration("Cm").simulator(legged)
    stand = control.starleth_control(legged, gait="stand")
    inner = round(CONTROL / sim.dt)
    for k in range(round(seconds / CONTROL)):
        sim.step(stand.control(sim, k * CONTROL), n=inner)
    return float(-1e3 * np.mean([sim.frame_pose(foot)[0][2] for foot in legged.feet]))


def limit(G: float, c: float = STIFFNESS, d: float = DAMPING) -> float:
    """The closed form of the largest stable step [s]."""
    return (-d * G + math.sqrt(d * d * G * G + 4.0 * c * G)) / (c * G)


def grows(G: float, dt: float, c: float = STIFFNESS, d: float = DAMPING) -> bool:
    """Whether a small displacement of a point mass 1/G from rest grows."""
    depth = GRAVITY / (G * c)
    sim = _on_points(1.0 / G, [(0.0, 0.0, 0.0)], dt, c, d)
    sim.q[2] = -depth * (1.0 + 1e-3)
    size = []
    for _ in range(600):
        sim.step()
        size.append(abs(sim.q[2] + depth))
        if size[-1] > 0.1 * depth:
            return True
    return max(size[-20:]) > max(size[:20])


def bisected(G: float) -> float:
    """The largest stable step by bisection [s]."""
    low, high = 0.5 * limit(G), 2.0 * limit(G)
    for _ in range(12):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if grows(G, middle) else (middle, high)
    return 0.5 * (low + high)


def section() -> Section:
    found: list[Row] = []
    rest = closed_form("m g/(n c)")
    found.append(
        rows.at_most(
            "depth of two points, distance from m g/(2 c) [mm]",
            abs(resting_depth() - SINK_TROT_EXACT),
            1e-3,
            published="4.4 in trot",
            against=rest,
        )
    )
    found.append(
        rows.at_most(
            "depth of four standing feet, distance from m g/(4 c) [mm]",
            abs(standing_depth() - SINK_STAND_EXACT),
            1e-3,
            against=rest,
        )
    )
    for G in TANGENTIAL:
        found.append(
            rows.close(
                f"largest stable step, G = {G} 1/kg [ms]",
                None,
                1e3 * limit(G),
                1e3 * bisected(G),
                0.01,
                against=closed_form("c G dt² + 2 d G dt = 4"),
            )
        )
    return Section(
        "Compliant contact",
        "Depth at rest, and the step up to which the explicit force is stable, against closed forms: "
        "m g/(n c) and c G dt² + 2 d G dt < 4.",
        found,
    )
