# SPDX-License-Identifier: BSD-2-Clause
"""Random states of robots and scenes at which derivatives of the rigid step are compared with differences of it."""

import os
from pathlib import Path

import numpy as np

import stiction as st

# Tighter than the defaults in every respect: a difference of two steps shows whatever the solver left over.
TIGHT = {"tolerance": 1e-12, "force_tolerance": 1e-11, "velocity_tolerance": 1e-14, "power_tolerance": 1e-14}
LAWS, STEPPERS = ("coulomb", "convex"), ("semi_implicit", "moreau")
LINK = """<joint name="j{i}" type="revolute"><parent link="l{before}"/><child link="l{i}"/><axis xyz="{axis}"/>
<origin xyz="0.05 0.02 0.2" rpy="0.1 0.2 0.3"/><limit lower="-2" upper="2" effort="1000" velocity="100"/></joint>
<link name="l{i}"><inertial><origin xyz="0.01 0.02 0.1"/><mass value="0.8"/>
<inertia ixx="0.01" iyy="0.012" izz="0.005" ixy="0.001" ixz="0.0005" iyz="0"/></inertial></link>"""


def simulate(world, law, stepper):
    return st.Simulator(world, law=law, stepper=stepper, dt=1e-3, solver_options=TIGHT)


def lower_to(sim, depth):
    """The base is lowered until the deepest point lies that deep in the ground."""
    low, high = sim.q[2] - 3.0, sim.q[2] + 3.0
    for _ in range(50):
        sim.q[2] = 0.5 * (low + high)
        other = sim.clone()
        other.step()
        gaps = other.contacts()["gap"]
        deepest = gaps.min() if len(gaps) else 1.0
        low, high = (sim.q[2], high) if deepest < -depth else (low, sim.q[2])


def legged(name, rng, law, stepper):
    """On one foot or two, every fifth time nearly as the robot stands: on many points at once."""
    world = st.World()
    mu = rng.uniform(0.2, 1.0)
    spread = 0.02 if int(1e6 * mu) % 5 == 0 else 1.0
    world.add_ground(mu=mu)
    st.robots.load(name, world)
    sim = simulate(world, law, stepper)
    sim.q[7:] += 0.1 * spread * rng.normal(size=sim.nq - 7)
    turn = np.append(0.05 * spread * rng.normal(size=3), 1.0)
    sim.q[3:7] = turn / np.linalg.norm(turn)
    lower_to(sim, rng.uniform(1e-4, 1e-3))
    sim.v[:] = rng.choice([0.03, 0.3, 1.0]) * rng.normal(size=sim.nv)
    sim.v[2] = -abs(sim.v[2])
    return sim, rng.choice([1.0, 10.0]) * rng.normal(size=sim.ntau)


def arm_with_loop(rng, law, stepper):
    """Six hinges, the end tied to the world where it is, but for an error of up to a millimetre; now and then a joint near its limit."""
    axes = ("0 0 1", "0 1 0", "1 0 0")
    links = "".join(LINK.format(i=i, before=i - 1, axis=axes[i % 3]) for i in range(1, 7))
    text = f'<robot name="arm"><link name="l0"/>{links}</robot>'
    posture = rng.uniform(-0.8, 0.8, 6)
    if rng.random() < 0.3:
        posture[rng.integers(6)] = rng.choice([-1, 1]) * (2.0 + rng.uniform(-5e-4, 5e-4))
    free = st.World()
    free.add_urdf_text(text, fixed=True)
    sim = st.Simulator(free)
    sim.q[:] = posture
    place, quaternion = sim.pose("l6")
    world = st.World()
    world.add_urdf_text(text, fixed=True)
    error = rng.choice([1e-6, 1e-4, 1e-3]) * rng.normal(size=3)
    kind = rng.choice(["point", "hinge", "weld", "slider"], p=[0.6, 0.15, 0.1, 0.15])
    turn = np.append(rng.choice([1e-6, 1e-3]) * rng.normal(size=3), 1.0)
    turn = product(quaternion, turn / np.linalg.norm(turn))
    world.add_loop(None, "l6", kind=str(kind), point_a=place + error, rotation_a=turn)
    sim = simulate(world, law, stepper)
    sim.q[:] = posture
    sim.v[:] = 0.5 * rng.normal(size=6)
    return sim, rng.normal(size=6)


def product(a, b):
    """Of quaternions (x, y, z, w)."""
    vector = a[3] * b[:3] + b[3] * a[:3] + np.cross(a[:3], b[:3])
    return np.append(vector, a[3] * b[3] - a[:3] @ b[:3])


def allegro(rng, law, stepper):
    """The right hand of the MuJoCo menagerie and a ball that lies on it, every second time after its fingers have moved for a while."""
    world = st.World()
    world.add_mjcf(Path(os.environ["STICTION_DATA"]) / "menagerie/wonik_allegro/right_hand.xml")
    world.add_sphere(radius=rng.uniform(0.02, 0.04), mass=0.05, position=(0.0, 0.0, 0.5), mu=0.7)
    sim = simulate(world, law, stepper)
    hand = sim.nq - 7
    low, high = sim.joint_limits[:hand].T
    sim.q[:hand] = low + (high - low) * rng.uniform(0.05, 0.95, hand)
    sim.q[hand : hand + 2] = rng.uniform(-0.08, 0.1), rng.uniform(-0.05, 0.05)
    sim.q[hand + 2], depth, bottom = 0.3, rng.uniform(1e-4, 1e-3), -0.2
    top = 0.3
    for _ in range(50):  # lowered until it lies that deep in the hand
        sim.q[hand + 2] = 0.5 * (bottom + top)
        other = sim.clone()
        other.step()
        contacts = other.contacts()
        of_ball = contacts["gap"][contacts["body_b"] == hand]
        deepest = of_ball.min() if len(of_ball) else 1.0
        bottom, top = (sim.q[hand + 2], top) if deepest < -depth else (bottom, sim.q[hand + 2])
    sim.v[:] = 0.3 * rng.normal(size=sim.nv)
    sim.ctrl[:] = sim.q[:hand] + 0.3 * rng.normal(size=hand)
    if rng.random() < 0.5:
        sim.v[:] = 0.0
        sim.step(n=int(rng.integers(20, 200)))
    return sim, None


def scene(rng, law, stepper):
    """Two to six boxes and balls on the ground and on each other, in motion; some boxes lie flat."""
    world = st.World()
    world.add_ground(mu=rng.uniform(0.1, 1.0))
    height = 0.0
    for _ in range(rng.integers(2, 7)):
        turn = rng.normal(size=4)
        turn /= np.linalg.norm(turn)
        place, depth = rng.normal(size=2) * 0.04, rng.uniform(1e-4, 1e-3)
        if rng.random() < 0.5:
            r = rng.uniform(0.05, 0.15)
            world.add_sphere(radius=r, mass=rng.uniform(0.5, 3), position=(*place, height + r - depth), rotation=turn)
            height += 2 * r - depth
        else:
            size = rng.uniform(0.08, 0.3, 3)
            if rng.random() < 0.3:
                turn = np.array([0.0, 0.0, np.sin(turn[2]), np.cos(turn[2])])
            x, y, z, w = turn
            up = np.array([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)])
            half = np.abs(up) @ size / 2
            world.add_box(
                size=tuple(size), mass=rng.uniform(0.5, 3), position=(*place, height + half - depth), rotation=turn
            )
            height += 2 * half - depth
    sim = simulate(world, law, stepper)
    sim.v[:] = rng.choice([0.05, 0.5]) * rng.normal(size=sim.nv)
    return sim, None
