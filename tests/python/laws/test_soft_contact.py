# SPDX-License-Identifier: BSD-2-Clause
"""The law anchored: sticking, slipping, shapes, bodies, limits. Bad input: test_soft_input.py."""

import numpy as np
import pytest

import stiction as st
from soft_support import MASS, STEPPERS, point_mass, soft, start


def slider(h, **options):
    """1 kg on mu 0.3, K 1e5, B 200, at its normal equilibrium of 10 N with the anchor at the origin."""
    world = point_mass()
    world.add_ground(mu=0.3)
    sim = soft(world, "exponential", h, law=dict(stiffness=1e5, damping=200.0, surface_anchoring=True), **options)
    return start(sim, (0, 0, -1e-4))


def drive_slider(sim, steps=50, parts=4):
    rows = []
    for i in range(steps):
        t = 0.01 * i
        for _ in range(parts):
            sim.apply_wrench("mass", (2.0 + 2.0 * np.sin(4.0 * np.pi * t), 0.0, -0.19))
            sim.step()
            rows.append((sim.time, sim.v[0], bool(sim.anchors()["slipping"][0])))
    return np.array(rows)


def test_sliding_mass_sticks_slips_and_sticks_again():
    """Oracle: it slips where the force asks for more than 3 N, with ẍ = F − 3 in between."""
    rows = drive_slider(slider(2.5e-3))
    t, v, slip = rows.T
    slipping = t[slip > 0] - 2.5e-3  # the pass stands at the start of a step
    assert slipping.min() == pytest.approx(0.0475, abs=1e-9)
    assert slipping.max() == pytest.approx(0.310, abs=2.6e-3)
    at = {k: v[np.argmin(abs(t - k))] for k in (0.08, 0.16, 0.5)}
    assert at[0.16] - at[0.08] == pytest.approx(0.0722379, abs=1e-6)
    assert v.max() == pytest.approx(0.1091, rel=5e-3)
    assert abs(at[0.5]) < 1e-4


@pytest.mark.parametrize("slip_continues", [False, True])
def test_both_slip_models_slide_with_coulomb_friction(slip_continues):
    """Oracle: deceleration μg while sliding."""
    world = point_mass()
    world.add_ground(mu=0.3)
    sim = soft(world, dt=1e-3, law=dict(surface_anchoring=True), slip_continues=slip_continues)
    start(sim, (0, 0, -9.81e-5), (1.0, 0.5, 0))
    sim.step(n=50)
    before = np.linalg.norm(sim.v[:2])
    sim.step(n=100)
    assert before - np.linalg.norm(sim.v[:2]) == pytest.approx(0.3 * 9.81 * 0.1, rel=5e-3)


def tilted(angle, mu, turn=0.0, **law):
    """A mass above a slope about y, the whole scene turned about z."""
    axis = np.array([-np.sin(turn), np.cos(turn), 0.0])
    world = point_mass()
    world.add_static_half_space(rotation=[*(np.sin(0.5 * angle) * axis), np.cos(0.5 * angle)], mu=mu)
    return start(soft(world, dt=2e-3, law=law), (-0.5 * np.cos(turn), -0.5 * np.sin(turn), 0.75))


def test_slope_sticks_and_slides():
    """Oracle: with tan 10° < μ nothing moves, else a = g (sin − μ cos)."""
    angle = np.radians(10.0)
    for law in ({}, dict(stiffness_ratio_t1=0.5, stiffness_ratio_t2=2.0, damping_ratio_t1=0.7)):
        sim = tilted(angle, 5.0, **law)
        sim.step(n=500 + 200)
        assert np.linalg.norm(sim.v[:3]) < 1e-4
    mu = 0.1
    sim = tilted(angle, mu)
    sim.step(n=400)
    before = sim.v[:3].copy()
    sim.step(n=250)
    gained = np.linalg.norm(sim.v[:3]) - np.linalg.norm(before)
    assert gained == pytest.approx(9.81 * (np.sin(angle) - mu * np.cos(angle)) * 0.5, rel=0.01)


def test_nothing_depends_on_the_axes_of_the_world():
    """Oracle: the whole scene turned about the vertical gives the turned motion."""
    angle, turn = np.radians(10.0), 1.1
    straight, turned = tilted(angle, 0.1), tilted(angle, 0.1, turn=turn)
    for sim in (straight, turned):
        sim.step(n=600)
    c, s = np.cos(turn), np.sin(turn)
    expected = np.array([c * straight.q[0] - s * straight.q[1], s * straight.q[0] + c * straight.q[1], straight.q[2]])
    assert np.abs(turned.q[:3] - expected).max() < 1e-9


def test_inside_the_cone_averages_are_not_touched():
    """Oracle: bits."""
    world = point_mass()
    world.add_ground(mu=0.8)
    sim = start(soft(world, dt=5e-3), (0, 0, -1e-4))
    sim.step(n=40)
    points = sim.anchors()
    assert len(points) == 1 and not points["slipping"][0]
    assert (points["average"] == points["projected"]).all()


def test_materials_follow_the_active_set():
    """Oracle: closed form of each contact alone. One contact opens and another of a different material closes in one step."""
    world = point_mass(stiffness=1e4, damping=50.0)
    world.add_urdf_text(MASS.format(m=1.0).replace('"mass"', '"other"'), position=(1, 0, 0))
    world.add_contact_point("other", offset=(0, 0, 0), stiffness=1e6, damping=500.0)
    world.add_ground()
    sim = start(soft(world, dt=1e-3, switch_refinement=False), (0, 0, -1e-6), (0, 0, 1.0))
    sim.q[9], sim.v[8] = 1e-6, -1.0
    sim.step()
    assert [int(b) for b in sim.anchors()["body_b"]] == [0]
    sim.step()
    points = sim.anchors()
    assert [int(b) for b in points["body_b"]] == [1]
    # unloaded spring, B of its own
    assert points["force"][0][2] == pytest.approx(-500.0 * points["velocity"][0][2], rel=1e-12)


def test_tension_carries_no_force_and_keeps_the_anchor():
    world = point_mass()
    world.add_ground()
    sim = start(soft(world, dt=1e-4), (0, 0, -1e-2), (0, 0, 2.0))
    sim.step(n=10)
    point = sim.anchors()[0]
    assert not point["force"].any() and not point["projected"].any()
    assert point["anchor"][2] == pytest.approx(-1e-2, abs=1e-15)
    assert abs(sim.v[2] - (2.0 - 9.81e-3)) < 1e-12


def test_shapes_rest_on_the_ground_and_on_each_other():
    """Oracle: depth = share of the weight over K, for spheres, boxes on faces and stacks of both."""
    world = st.World()
    world.add_ground()
    world.add_sphere(radius=0.1, mass=2.0, position=(1, 0, 0.1))
    world.add_box(size=(0.2, 0.2, 0.2), mass=4.0, position=(0, 0, 0.1))
    world.add_box(size=(0.1, 0.1, 0.1), mass=1.0, position=(0, 0, 0.25))
    sim = soft(world, dt=2e-3, law=dict(stiffness=1e5, damping=300.0, surface_anchoring=True))
    sim.step(n=1000)
    assert np.abs(sim.v).max() < 1e-9
    assert sim.q[2] == pytest.approx(0.1 - 2.0 * 9.81 / 1e5, abs=1e-9)
    assert sim.q[9] == pytest.approx(0.1 - 5.0 * 9.81 / 4e5, abs=1e-9)
    assert sim.q[16] == pytest.approx(0.25 - 5.0 * 9.81 / 4e5 - 9.81 / 4e5, abs=1e-9)


def test_a_rolling_sphere_keeps_rolling():
    """Oracle: rolling has no friction force; speed stays and v = ω r."""
    world = st.World()
    world.add_ground(mu=0.8)
    world.add_sphere(
        radius=0.1, mass=1.0, position=(0, 0, 0.1 - 9.81e-5), velocity=(1, 0, 0), angular_velocity=(0, 10, 0)
    )
    sim = soft(world, dt=1e-3, law=dict(surface_anchoring=True))
    sim.step(n=1000)
    position, _ = sim.pose(0)
    assert position[0] == pytest.approx(1.0, rel=2e-3)
    assert not sim.anchors()["slipping"].any()


def test_a_mesh_rests_on_a_heightfield_free_surface():
    """Oracle: forces in equilibrium with the weight; a tetrahedron of its own mesh on a static box."""
    corners = np.array([(0, 0, 0), (0.2, 0, 0), (0, 0.2, 0), (0.05, 0.05, 0.2)], dtype=float)
    world = st.World()
    world.add_static_box(size=(2, 2, 0.2), position=(0, 0, -0.1))
    world.add_convex(corners, mass=1.5, position=(0, 0, 0))
    sim = soft(world, dt=2e-3, law=dict(surface_anchoring=True))
    sim.step(n=1500)
    assert np.abs(sim.v).max() < 1e-6
    assert sim.anchors()["force"][:, 2].sum() == pytest.approx(1.5 * 9.81, rel=1e-6)


@pytest.mark.parametrize("stepper", [s for s in STEPPERS if s != "rigid_euler"])
def test_bodies_that_meet_keep_their_momentum(stepper):
    """Oracle: linear momentum, to round-off, and angular momentum to the order of the step."""
    world = st.World()
    world.gravity = (0, 0, 0)
    world.add_sphere(radius=0.1, mass=1.0, position=(-0.11, 0.02, 0), velocity=(1, 0, 0), angular_velocity=(0, 0, 5))
    world.add_sphere(radius=0.1, mass=3.0, position=(0.11, 0, 0.03), velocity=(-1, 0.2, 0))
    sim = soft(world, stepper, 1e-4)
    start = sim.momentum()
    sim.step(n=600)
    end = sim.momentum()
    assert np.abs(end[:3] - start[:3]).max() < 1e-12
    assert np.abs(end[3:] - start[3:]).max() < 2e-3
    assert sim.v[0] < 0.9  # they met


def test_joint_limits_are_springs():
    """Oracle: a hanging link pressed against its limit by a torque rests beyond it by torque/K."""
    world = st.World()
    world.gravity = (0, 0, 0)
    robot = world.add_urdf_text(
        '<robot name="r"><link name="b"/><link name="l"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>'
        '<inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        '<joint name="j" type="revolute"><parent link="b"/><child link="l"/><axis xyz="0 0 1"/>'
        '<limit lower="-0.5" upper="0.5" effort="100" velocity="10"/></joint></robot>',
        fixed=True,
    )
    for torque in (2.0, -3.0):
        sim = soft(world, dt=5e-3, law=dict(limit_stiffness=500.0, limit_damping=5.0))
        sim.step((torque,), n=1000)
        assert sim.q[robot.q_slice][0] == pytest.approx(np.sign(torque) * 0.5 + torque / 500.0, abs=1e-6)


def test_static_friction_is_overcome_once():
    """Oracle: a block that sticks up to mu_static and then slides with mu."""
    held = []
    for force in (4.0, 7.0):
        world = point_mass()
        world.add_ground(mu=0.3, mu_static=0.6)
        sim = start(soft(world, dt=1e-3, law=dict(surface_anchoring=True)), (0, 0, -9.81e-5))
        for _ in range(300):
            sim.apply_wrench("mass", (force, 0, 0))
            sim.step()
        held.append(sim.v[0])
    assert abs(held[0]) < 1e-6
    assert held[1] == pytest.approx(0.3 * (7.0 - 0.3 * 9.81), rel=0.05)


def test_predicted_forces_are_those_of_the_next_step():
    """Oracle: on a held mass the linear model is the truth."""
    world = point_mass(bilateral=True, stiffness=1e5, damping=300.0)
    sim = start(soft(world, dt=1e-3, approximant="exact"), velocity=(0.1, 0, -1))
    times = [1e-3, 2e-3, 5e-3]
    predicted = sim.predict_forces(times)
    assert predicted.shape == (3, 1, 3)
    sim.step()
    assert np.abs(sim.anchors()["predicted"] - predicted[0]).max() < 1e-9
    sim.step()
    assert np.abs(sim.anchors()["force"] - predicted[0]).max() < 1e-9
    sim.step()
    assert np.abs(sim.anchors()["force"] - predicted[1]).max() < 1e-9
