# SPDX-License-Identifier: BSD-2-Clause
"""Small worlds for the tests of soft contacts, and the list of their steppers."""

from __future__ import annotations

import stiction as st

STEPPERS = ["exponential", "exponential_midpoint", "euler", "rk4", "implicit_euler", "rigid_euler"]
STEPPERS = [name for name in STEPPERS if name in {e.name for e in st.catalog()["steppers"]}]
APPROXIMANTS = ["1/1", "2/2", "3/3", "1/2", "2/3", "exact"]


def soft(
    world: st.World, stepper: str = "exponential", dt: float = 1e-3, law: dict | None = None, **options
) -> st.Simulator:
    """A simulator of the law anchored; keywords are options of the stepper."""
    return st.Simulator(world, law="anchored", stepper=stepper, dt=dt, law_options=law or {}, stepper_options=options)


MASS = """<robot name="mass"><link name="mass"><inertial><mass value="{m}"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""


def point_mass(mass: float = 1.0, **point) -> st.World:
    """A body 'mass' at the origin without shapes that touches with one point at its centre."""
    world = st.World()
    world.add_urdf_text(MASS.format(m=mass))
    world.add_contact_point("mass", offset=(0.0, 0.0, 0.0), **point)
    return world


def start(sim: st.Simulator, position=(0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.0)) -> st.Simulator:
    """Puts the first body somewhere, upright."""
    sim.q[:3], sim.v[:3] = position, velocity
    return sim


ARM = """<robot name="arm"><link name="base"/>
{links}
</robot>"""
_LINK = """<link name="l{i}"><inertial><origin xyz="{half} 0 0"/><mass value="{m}"/>
<inertia ixx="{j}" iyy="{j}" izz="{j}" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j{i}" type="continuous"><parent link="{parent}"/><child link="l{i}"/><origin xyz="{x} 0 0"/><axis xyz="0 0 1"/></joint>"""


def arm(lengths=(0.3, 0.3, 0.2), masses=(1.0, 0.8, 0.5)) -> str:
    """A planar arm of uniform rods in the plane x, y; the tip is the end of the last link."""
    links, x, parent = [], 0.0, "base"
    for i, (length, m) in enumerate(zip(lengths, masses, strict=True)):
        links.append(_LINK.format(i=i, half=length / 2, m=m, j=m * length**2 / 12, parent=parent, x=x))
        x, parent = length, f"l{i}"
    return ARM.format(links="\n".join(links))
