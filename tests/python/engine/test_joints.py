# SPDX-License-Identifier: BSD-2-Clause
"""Joints, loops and static friction in the step. Oracles: closed forms of the semi-implicit step for one mass."""

import numpy as np
import pytest

import stiction as st

DT = 1e-3
G = 9.81


def slider(tmp_path, kind="prismatic", axis="1 0 0", limit="", dynamics="", mass=2.0):
    """One body on one joint, fixed to the world."""
    path = tmp_path / "slider.urdf"
    path.write_text(f"""<robot name="slider"><link name="rail"/>
      <link name="cart"><inertial><mass value="{mass}"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
      <joint name="slide" type="{kind}"><parent link="rail"/><child link="cart"/><axis xyz="{axis}"/>{limit}{dynamics}</joint></robot>""")
    world = st.World()
    world.add_urdf(str(path), fixed=True)
    return st.Simulator(world, dt=DT)


WIDE = '<limit lower="-100" upper="100" effort="0" velocity="0"/>'


def test_a_falling_cart_stops_at_its_limit(tmp_path):
    sim = slider(tmp_path, axis="0 0 1", limit='<limit lower="-0.1" upper="1" effort="0" velocity="0"/>')
    report = sim.step(n=500)
    assert report.status == "converged"
    assert sim.q[0] == pytest.approx(-0.1, abs=2e-6)  # dead band
    assert abs(sim.v[0]) < 1e-12
    sim.v[0] = 50.0  # upper limit, met within one step
    sim.step(n=100)
    assert sim.q[0] <= 1.0 + 1e-12


def test_dry_friction_holds_and_then_subtracts(tmp_path):
    sim = slider(tmp_path, limit=WIDE, dynamics='<dynamics friction="3"/>')
    sim.step(tau=[2.9], n=100)
    assert abs(sim.v[0]) < 1e-14
    sim.step(tau=[5.0], n=100)
    assert sim.v[0] == pytest.approx((5.0 - 3.0) / 2.0 * 0.1, rel=1e-9)


def test_viscous_friction_is_implicit(tmp_path):
    sim = slider(tmp_path, limit=WIDE, dynamics='<dynamics damping="40"/>')
    sim.v[0] = 1.0
    sim.step(n=50)
    assert sim.v[0] == pytest.approx((1.0 + DT * 40.0 / 2.0) ** -50, rel=1e-12)


def test_effort_is_limited(tmp_path):
    sim = slider(tmp_path, limit='<limit lower="-100" upper="100" effort="10" velocity="0"/>')
    sim.step(tau=[1000.0], n=10)
    assert sim.v[0] == pytest.approx(10.0 / 2.0 * 10 * DT, rel=1e-12)


def test_pd_takes_the_short_way_round(tmp_path):
    sim = slider(tmp_path, kind="continuous", axis="0 0 1")
    sim.q[:] = np.cos(3.0), np.sin(3.0)
    sim.set_pd(kp=1.0, kd=0.0)
    sim.step(target=[-3.0])
    assert sim.v[0] == pytest.approx(DT * 1.0 * (2.0 * np.pi - 6.0) / 0.1, rel=1e-12)


def test_implicit_pd_is_stable_where_explicit_pd_is_not(tmp_path):
    stiff = dict(kp=1e8, kd=1e3)
    implicit = slider(tmp_path, limit=WIDE)
    implicit.set_pd(**stiff, implicit=True)
    implicit.step(target=[0.5], n=200)
    assert implicit.q[0] == pytest.approx(0.5, abs=1e-6)
    explicit = slider(tmp_path, limit=WIDE)
    explicit.set_pd(**stiff)
    report = explicit.step(target=[0.5], n=200)
    assert report.status == "numerical_failure" or abs(explicit.q[0]) > 1.0
    assert np.isfinite(explicit.q).all() and np.isfinite(explicit.v).all()


def test_a_held_point_stays_and_a_spring_sags():
    def hanging(**spring):
        world = st.World()
        box = world.add_box(size=(0.2, 0.2, 0.2), mass=2.0, position=(0, 0, 1))
        world.add_contact_point(box, offset=(0, 0, 0.1), bilateral=True, **spring)
        sim = st.Simulator(world, dt=DT)
        sim.step(n=3000)
        return sim.q[2]

    assert hanging() == pytest.approx(1.0, abs=1e-9)
    assert hanging(stiffness=1e4, damping=300.0) == pytest.approx(1.0 - 2.0 * G / 1e4, rel=1e-9)


def test_a_pinned_box_swings_about_its_point():
    world = st.World()
    box = world.add_box(size=(0.2, 0.2, 0.2), mass=2.0, position=(0, 0, 1))
    world.add_contact_point(box, offset=(0.1, 0.1, 0.1), bilateral=True)
    sim = st.Simulator(world, dt=DT)
    report = sim.step(n=1000)
    position, quaternion = sim.pose(box)
    x, y, z, w = quaternion
    r = np.array([0.1, 0.1, 0.1])
    u = np.array([x, y, z])
    turned = r + 2.0 * np.cross(u, np.cross(u, r) + w * r)
    assert report.status == "converged"
    assert np.linalg.norm(position + turned - (0.1, 0.1, 1.1)) < 1e-4  # drift is corrected, not zero


def test_static_friction_holds_until_it_slips():
    world = st.World()
    world.add_ground(material="floor")
    box = world.add_box(size=(0.4, 0.4, 0.1), mass=1.0, position=(0, 0, 0.05), material="block")
    world.add_material("floor")
    world.add_material("block")
    world.set_material_pair("floor", "block", mu=0.3, mu_static=0.5)
    sim = st.Simulator(world, dt=DT)
    low = (0, 0, 0)

    def push(share, steps):
        for _ in range(steps):
            sim.apply_wrench(box, (share * G, 0, 0), low, point=(sim.q[0], 0, 0.0))
            sim.step()
        return sim.v[0]

    assert abs(push(0.45, 100)) < 1e-12  # between mu and mu_static: holds
    push(0.55, 20)  # beyond mu_static: slips
    before = sim.v[0]
    assert before > 1e-3
    assert push(0.45, 100) - before == pytest.approx((0.45 - 0.3) * G * 100 * DT, rel=1e-6)  # now mu holds


def test_a_welded_box_is_a_cantilever():
    # Oracle: a box welded to the world at its side face does not move although its weight wants to turn it.
    world = st.World()
    box = world.add_box(size=(0.2, 0.2, 0.2), mass=2.0, position=(0.1, 0, 1))
    world.add_loop(None, box, point_a=(0, 0, 1), point_b=(-0.1, 0, 0), kind="weld")
    sim = st.Simulator(world, dt=DT)
    report = sim.step(n=2000)
    position, quaternion = sim.pose(box)
    assert report.status == "converged"
    assert position == pytest.approx((0.1, 0, 1), abs=1e-9)
    assert abs(quaternion[3]) == pytest.approx(1.0, abs=1e-12)
