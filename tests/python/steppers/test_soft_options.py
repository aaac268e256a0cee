# SPDX-License-Identifier: BSD-2-Clause
"""Options of the soft steppers and what must hold in all of them: joint friction, substeps, kept inertia, contact axes, frames."""

import numpy as np
import pytest

import stiction as st
from soft_support import MASS, arm, point_mass, soft, start

CART = """<robot name="cart"><link name="rail"/><link name="cart"><inertial><mass value="2"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="slide" type="prismatic"><parent link="rail"/>
<child link="cart"/><axis xyz="1 0 0"/><limit lower="-9" upper="9" effort="9" velocity="9"/><dynamics damping="8"/></joint></robot>"""
VISCOUS = [
    ("exponential", {}, 1), ("exponential_midpoint", {}, 2), ("implicit_euler", {}, 1), ("rk4", {}, 4),
    *[("euler", dict(form=f), 1) for f in ("explicit", "semi_implicit", "classic")],
    *[("rigid_euler", dict(scheme=s), s) for s in (1, 2, 4)],
]  # fmt: skip


@pytest.mark.parametrize(("stepper", "options", "order"), VISCOUS)
def test_joint_friction_acts_in_every_stage(stepper, options, order):
    """Oracle: v = v0 exp(−d t/m), and the order of the method, which a stage without the friction would spoil."""
    world = st.World()
    world.gravity = (0, 0, 0)
    world.add_urdf_text(CART, fixed=True)
    errors = []
    for dt in (0.02, 0.01):
        sim = soft(world, stepper, dt, **options)
        sim.v[0] = 1.0
        sim.step(n=round(0.4 / dt))
        errors.append(abs(sim.v[0] - np.exp(-8.0 / 2.0 * 0.4)))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.1 + 0.05 * order)


def tumbling(**options):
    """A box that falls on its edges: contacts come and go, the inertia at them turns."""
    world = st.World()
    world.add_ground(mu=0.6)
    tilt = np.array([0.2, 0.1, 0.0, 1.0]) / np.linalg.norm([0.2, 0.1, 0.0, 1.0])
    world.add_box(
        size=(0.3, 0.2, 0.1),
        mass=1.0,
        position=(0, 0, 0.25),
        rotation=tilt,
        velocity=(0.5, 0, 0),
        angular_velocity=(1, 3, 2),
    )
    return soft(world, **options)


@pytest.mark.parametrize("stepper", ["exponential", "exponential_midpoint"])
def test_substeps_are_steps(stepper):
    """Oracle: bits. A step in four parts is four steps of a quarter."""
    parts, steps = (
        tumbling(stepper=stepper, dt=dt, substeps=n, switch_refinement=False) for dt, n in ((1 / 128, 4), (1 / 512, 1))
    )
    report = parts.step(n=64)
    steps.step(n=256)
    assert report.substeps == 256
    assert parts.q.tobytes() == steps.q.tobytes() and parts.v.tobytes() == steps.v.tobytes()
    assert parts.anchors().tobytes() == steps.anchors().tobytes()


def test_kept_inertia_is_free_where_it_is_constant_and_an_error_of_first_order_elsewhere():
    """Oracle: a point mass has the same inertia everywhere; a tumbling box does not, and its error falls with the step."""
    world = point_mass()
    world.add_ground(mu=0.3)
    ends = []
    for refresh in (1, 4):
        sim = start(soft(world, dt=8e-3, substeps=4, refresh=refresh), (0, 0, -1e-4), (0.3, 0, 0))
        sim.step(n=50)
        ends.append((sim.q.tobytes(), sim.v.tobytes()))
    assert ends[0] == ends[1]
    errors = []
    for dt in (1 / 256, 1 / 512):
        plain, kept = tumbling(dt=dt, substeps=4), tumbling(dt=dt, substeps=4, refresh=4)
        for sim in (plain, kept):
            sim.step(n=round(0.21875 / dt))  # the first impact, before motions part
        errors.append(np.abs(plain.v - kept.v).max())
    assert 0.0 < errors[1] < errors[0] < 0.1 * np.abs(plain.v).max()


def test_kept_inertia_is_dropped_when_another_point_takes_over():
    """Oracle: bits. One contact opens and another of a heavier body closes: as many points as before, not the same ones."""
    world = point_mass(stiffness=1e4, damping=50.0)
    world.add_urdf_text(MASS.format(m=5.0).replace('"mass"', '"other"'), position=(1, 0, 0))
    world.add_contact_point("other", offset=(0, 0, 0), stiffness=1e6, damping=500.0)
    world.add_ground()
    ends = []
    for refresh in (1, 2):
        sim = start(
            soft(world, dt=2e-3, substeps=2, refresh=refresh, switch_refinement=False), (0, 0, -1e-6), (0, 0, 1.0)
        )
        sim.q[9], sim.v[8] = 1e-6, -1.0
        report = sim.step()
        assert report.substeps == 2 and [int(b) for b in sim.anchors()["body_b"]] == [1]
        ends.append((sim.q.tobytes(), sim.v.tobytes()))
    assert ends[0] == ends[1]


@pytest.mark.parametrize(("option", "value"), [("substeps", 0), ("substeps", 3), ("substeps", 8192), ("refresh", 0)])
def test_substeps_out_of_range_are_named(option, value):
    with pytest.raises(ValueError, match=rf"stepper 'exponential'(: |\.){option} is {value}, expected"):
        soft(point_mass(), **{option: value})


def test_derivatives_of_substeps_are_refused():
    with pytest.raises(ValueError, match="substeps"):
        soft(point_mass(), substeps=2).step_derivatives()


def rotation_about(axis, angle):
    axis = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K


def quaternion(R):
    w = 0.5 * np.sqrt(1.0 + np.trace(R))
    return [*(np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / (4.0 * w)), w]


@pytest.mark.parametrize("mu", [0.1, 5.0])
def test_nothing_depends_on_the_axes_of_the_world(mu):
    """Oracle: plane, gravity and start turned together about any axis give the turned motion (acceptance test 14)."""
    slope = rotation_about((0, 1, 0), np.radians(10.0))
    ends = []
    for turn in (np.eye(3), rotation_about((1, -2, 0.5), 1.3)):
        world = point_mass()
        world.gravity = tuple(turn @ (0, 0, -9.81))
        world.add_static_half_space(rotation=quaternion(turn @ slope), mu=mu)
        sim = start(soft(world, dt=2e-3), turn @ (-0.5, 0, 0.75))
        sim.step(n=700)
        ends.append(turn.T @ sim.q[:3])
    assert np.abs(ends[0] - ends[1]).max() < 1e-9


@pytest.mark.parametrize("turn", [np.eye(3), rotation_about((2, 1, -1), 0.9)])
def test_stiffness_and_damping_are_diagonal_in_contact_axes(turn):
    """Oracle: at rest on a slope of 10° K_N δ_N and |K_T δ_T| are the two parts of the weight, whatever the axes of the world; the
    ratios of the tangents act along two orthogonal axes in the plane."""
    slope = rotation_about((0, 1, 0), np.radians(10.0))
    ratios = np.array([0.25, 0.5])
    world = point_mass()
    world.gravity = tuple(turn @ (0, 0, -9.81))
    world.add_static_half_space(rotation=quaternion(turn @ slope), mu=5.0)
    law = dict(
        stiffness=1e5, damping=300.0, stiffness_ratio_t1=ratios[0], stiffness_ratio_t2=ratios[1], surface_anchoring=True
    )
    sim = start(soft(world, dt=2e-3, law=law), turn @ slope @ (0, 0, -1e-4))
    sim.step(n=3000)
    assert np.abs(sim.v[:3]).max() < 1e-9
    point = sim.anchors()[0]
    stretch = (turn @ slope).T @ (point["anchor"] - point["point"])  # tangents x, y, normal z of the slope
    force = (turn @ slope).T @ point["force"]
    assert force == pytest.approx([-9.81 * np.sin(np.radians(10)), 0.0, 9.81 * np.cos(np.radians(10))], abs=1e-6)
    assert stretch[2] == pytest.approx(force[2] / 1e5, rel=1e-6)
    # f = F diag(K) Fᵀ δ in the plane: its length lies between the two stiffnesses, and δ·f, |f| give the angle of the axes
    along = stretch[:2] @ force[:2] / (force[:2] @ force[:2])
    square = stretch[:2] @ stretch[:2] / (force[:2] @ force[:2])
    weights = np.linalg.solve([[1, 1], [1 / 0.25e5, 1 / 0.5e5]], [1.0, along])
    assert (weights > -1e-6).all()
    assert square == pytest.approx(weights @ [1 / 0.25e5**2, 1 / 0.5e5**2], rel=1e-6)


def test_slope_slides_with_anisotropic_springs():
    """Oracle: Coulomb friction does not know the springs: a = g (sin − μ cos)."""
    angle, mu = np.radians(10.0), 0.1
    world = point_mass()
    world.add_static_half_space(rotation=quaternion(rotation_about((0, 1, 0), angle)), mu=mu)
    law = dict(stiffness_ratio_t1=0.5, stiffness_ratio_t2=2.0, damping_ratio_t1=0.7)
    sim = start(soft(world, dt=2e-3, law=law), (-0.5, 0, 0.75))
    sim.step(n=400)
    before = np.linalg.norm(sim.v[:3])
    sim.step(n=250)
    assert np.linalg.norm(sim.v[:3]) - before == pytest.approx(
        9.81 * (np.sin(angle) - mu * np.cos(angle)) * 0.5, rel=0.01
    )


def test_slip_begins_and_ends_where_the_equations_say():
    """Oracle: the sliding mass of acceptance test 13 with steps of 25 µs slips from 45.4 to 308.8 ms."""
    world = point_mass()
    world.add_ground(mu=0.3)
    sim = start(soft(world, dt=25e-6, law=dict(stiffness=1e5, damping=200.0, surface_anchoring=True)), (0, 0, -1e-4))
    slipping = []
    for i in range(50):
        for k in range(400):
            sim.apply_wrench("mass", (2.0 + 2.0 * np.sin(4.0 * np.pi * 0.01 * i), 0.0, -0.19))
            sim.step()
            if sim.anchors()["slipping"][0]:
                slipping.append(0.01 * i + 25e-6 * k)
    assert min(slipping) == pytest.approx(0.0454, abs=1e-4)
    assert max(slipping) == pytest.approx(0.3088, abs=1e-4)


def test_a_ball_on_a_mesh_rolls_and_slides():
    """Oracle: it rolls with 5/7 g sin on a rough triangle mesh, slides with g (sin − μ cos) on a smooth one."""
    angle = np.radians(10.0)
    R = rotation_about((0, 1, 0), angle)
    corners = np.array([(-3, -3, 0), (3, -3, 0), (3, 3, 0), (-3, 3, 0)], dtype=float) @ R.T
    for mu, factor in ((0.8, 5.0 / 7.0 * np.sin(angle)), (0.02, np.sin(angle) - 0.02 * np.cos(angle))):
        world = st.World()
        world.add_static_mesh((corners, [(0, 1, 2), (0, 2, 3)]), mu=mu)
        world.add_sphere(radius=0.1, mass=2.0, position=R @ (-2.0, 0.1, 0.1), mu=mu)
        sim = soft(world, dt=1e-3, law=dict(surface_anchoring=True))
        sim.step(n=200)
        before = sim.momentum()[:3] @ R[:, 0] / 2.0
        sim.step(n=500)
        assert sim.anchors()["projected"][0] @ R[:, 2] == pytest.approx(2.0 * 9.81 * np.cos(angle), rel=1e-3)
        assert sim.momentum()[:3] @ R[:, 0] / 2.0 - before == pytest.approx(9.81 * factor * 0.5, rel=0.02)


def test_single_force_update_moves_positions_by_the_mean_of_velocities():
    """Oracle: equation 24: with one average for both, q⁺ − q = h (v + v⁺)/2; with two it is not."""
    for position in ("single", "double"):
        world = point_mass(bilateral=True, stiffness=1e5, damping=300.0)
        sim = start(soft(world, dt=5e-3, position=position), velocity=(0.2, 0, -1))
        q, v = sim.q[:3].copy(), sim.v[:3].copy()
        sim.step()
        defect = np.abs(sim.q[:3] - q - 0.5 * 5e-3 * (v + sim.v[:3])).max()
        assert defect < 1e-15 if position == "single" else defect > 1e-5


def test_frames_that_do_not_exist_are_named():
    world = st.World()
    world.add_urdf_text(arm(), fixed=True)
    with pytest.raises(ValueError, match="l7"):
        world.add_contact_point("l7", offset=(0, 0, 0))
    with pytest.raises(ValueError, match="l7"):
        world.add_loop("l7", None, point_a=(0, 0, 0), point_b=(0, 0, 0), stiffness=1e4, damping=1.0)
    sim = soft(world)
    before = sim.hash()
    for query in (
        lambda: sim.frame_pose("l7"),
        lambda: sim.apply_wrench("l7", (1, 0, 0)),
        lambda: sim.apply_wrench(99, (1, 0, 0)),
    ):
        with pytest.raises(ValueError, match=r"l7|99"):
            query()
    assert sim.hash() == before


@pytest.mark.parametrize(
    ("field", "value"), [("stiffness", 0.0), ("stiffness", -1.0), ("damping", -1.0), ("stiffness", float("nan"))]
)
def test_springs_of_points_and_materials_that_are_not_allowed(field, value):
    """K <= 0 or B < 0 of a point, of a held point and of a material; nothing is added."""
    values = {"stiffness": 1e5, "damping": 300.0, field: value}
    world = st.World()
    world.add_urdf_text(MASS.format(m=1.0))
    for bilateral in (False, True):
        with pytest.raises(ValueError, match=field):
            world.add_contact_point("mass", offset=(0, 0, 0), bilateral=bilateral, **values)
    with pytest.raises(ValueError, match=field):
        world.add_ground(**values)
    assert st.Simulator(world).step().contacts == 0
