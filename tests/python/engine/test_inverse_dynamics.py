# SPDX-License-Identifier: BSD-2-Clause
"""Inverse dynamics with contact. Oracle: the forward step. The C++ tests make the round trip with friction in both laws."""

import numpy as np
import pytest

import stiction as st

LAWS = ["coulomb", "convex"]


def box_world(mu=0.5, **floor):
    world = st.World()
    world.add_ground(mu=mu, **floor)
    return world, world.add_box(size=(0.2, 0.3, 0.4), mass=2.0, position=(0, 0, 0.2), velocity=(0.2, 0.1, -0.3))


@pytest.mark.parametrize("law", LAWS)
def test_round_trip_through_step_on_springs(law):
    """Frictionless springs: the engine's own step has the same compliance, so nothing has to be rebuilt by hand."""
    world = st.World()
    world.add_material("ice", mu=0.0)
    world.add_material("pad", mu=0.0)
    world.set_material_pair("ice", "pad", mu=0.0, stiffness=2e4, damping=30.0)
    world.add_ground(material="ice")
    world.add_box(
        size=(0.2, 0.3, 0.4), mass=2.0, position=(0, 0, 0.199), angular_velocity=(0.5, 0.2, 1.0), material="pad"
    )
    sim = st.Simulator(world, law=law, dt=1e-3, solver_options=dict(tolerance=1e-13))
    for _ in range(50):
        before = sim.clone()
        sim.step()
        r = st.inverse_dynamics(before, sim.v)
        assert r.status == "converged" and r.tau.shape == (0,)
        assert np.abs(r.base_residual).max() <= 1e-8
        forces = np.array([c["force"] for c in sim.contacts()]).reshape(-1, 3)
        assert np.allclose(r.force, forces, rtol=0, atol=1e-8)
    assert r.force[:, 2].sum() > 1.0


def gantry():
    """A foot of four corners on three sliders: every velocity has a motor, so that any v_ref can be reached."""
    links = '<link name="rail"/>'
    for parent, child, axis in ("rail", "x", "1 0 0"), ("x", "y", "0 1 0"), ("y", "foot", "0 0 1"):
        shape = '<collision><geometry><box size="0.2 0.3 0.1"/></geometry></collision>' if child == "foot" else ""
        links += f'''<link name="{child}"><inertial><mass value="0.7"/>
          <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>{shape}</link>
          <joint name="{parent}_{child}" type="prismatic"><parent link="{parent}"/><child link="{child}"/><axis xyz="{axis}"/>
          <limit lower="-9" upper="9" effort="1e9" velocity="1e9"/></joint>'''
    world = st.World()
    world.add_ground(mu=0.5)
    world.add_urdf_text(f'<robot name="gantry">{links}</robot>', position=(0, 0, 0.05), fixed=True, mu=0.5)
    return world


@pytest.mark.parametrize("law", LAWS)
def test_impulses_solve_the_problem_of_the_step_that_they_make(law):
    """Backwards: with the torques found, the next step's problem with the same R has the impulses found."""
    sim = st.Simulator(gantry(), law=law, dt=1e-3)
    R, seen = 0.05, 0
    rng = np.random.default_rng(2)
    for _ in range(20):
        sim.v[:] = 0.2 * rng.uniform(-1, 1, 3)
        r = st.inverse_dynamics(sim, 0.2 * rng.uniform(-1, 1, 3), compliance=R)
        assert r.status == "converged" and r.base_residual.shape == (0,) and np.array_equal(r.tau, r.generalised)
        (problem,) = sim.problems(r.tau)
        soft = st.ContactProblem(problem.G, problem.g, mu=problem.mu, law=law, dt=problem.dt, compliance=R)
        residual = st.evaluate(soft, r.impulse.ravel())
        assert residual.natural <= 1e-8 and residual.dual <= 1e-10
        seen += np.any(r.impulse[:, 2] > 0)
    assert 5 <= seen < 20, "some press, some lift"


def rotation(q):
    x, y, z, w = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def test_action_is_reaction():
    """Two boxes that touch only each other: their contact wrenches about the origin cancel."""
    world = st.World()
    bodies = [
        world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(0.3, -0.2, 0.5)),
        world.add_box(size=(0.2, 0.2, 0.2), mass=3.0, position=(0.35, -0.15, 0.6995), velocity=(0.3, 0.1, -1)),
    ]
    sim = st.Simulator(world, dt=1e-3)
    r = st.inverse_dynamics(sim, sim.v)
    assert len(r.impulse) >= 3 and np.abs(r.constraint).max() > 1
    total = np.zeros(6)
    for i, body in enumerate(bodies):
        position, quaternion = sim.pose(body)
        force, torque = (rotation(quaternion) @ r.constraint[6 * i + k : 6 * i + k + 3] for k in (0, 3))
        total += np.concatenate([force, torque + np.cross(position, force)])
    assert np.abs(total).max() <= 1e-12 * np.abs(r.constraint).max()
    assert all(pair == (0, 1) for pair in r.bodies)


def test_the_simulator_is_not_changed():
    world, _body = box_world()
    sim = st.Simulator(world, dt=1e-3)
    sim.step(n=3)
    before = sim.hash()
    st.inverse_dynamics(sim, np.zeros(6))
    assert sim.hash() == before


def test_pending_wrenches_count():
    """A body in the air that shall hover needs its weight, less what a wrench already carries."""
    world = st.World()
    ball = world.add_sphere(radius=0.1, mass=2.0, position=(0, 0, 5))
    sim = st.Simulator(world, dt=1e-3)
    assert np.allclose(st.inverse_dynamics(sim, np.zeros(6)).base_residual, [0, 0, 19.62, 0, 0, 0], atol=1e-12)
    sim.apply_wrench(ball, (0, 0, 5))
    assert np.allclose(st.inverse_dynamics(sim, np.zeros(6)).base_residual, [0, 0, 14.62, 0, 0, 0], atol=1e-12)


def test_compliance_matters():
    """Impulse = depth rate over R: twice the compliance, half the impulse."""
    world, _ = box_world(mu=0.0)
    sim = st.Simulator(world, dt=1e-3)
    v_ref = np.array([0, 0, -0.1, 0, 0, 0])
    one, two = (st.inverse_dynamics(sim, v_ref, compliance=c).impulse[:, 2] for c in (0.05, 0.1))
    assert one.min() > 0 and np.allclose(one, 2 * two, rtol=1e-12)


def test_wrong_input_is_refused_by_name():
    world, _ = box_world()
    sim = st.Simulator(world, dt=1e-3)
    for wrong, words in [
        (lambda: st.inverse_dynamics(sim, np.zeros(5)), "inverse_dynamics.v_ref has size 5, expected 6"),
        (lambda: st.inverse_dynamics(sim, [np.nan] * 6), r"inverse_dynamics.v_ref\[0\] is nan"),
        (lambda: st.inverse_dynamics(sim, np.zeros(6), compliance=0), "inverse_dynamics.compliance is 0"),
        (lambda: st.inverse_dynamics(st.Simulator(world, law="pyramid"), np.zeros(6)), "law 'pyramid'"),
    ]:
        with pytest.raises(st.InvalidInput, match=words):
            wrong()
