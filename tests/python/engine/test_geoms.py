# SPDX-License-Identifier: BSD-2-Clause
"""Oracles: what was added must be listed, with the sizes that were given; poses() repeats pose(); Euler's formula for hulls."""

import numpy as np
import pytest

import stiction as st


@pytest.fixture(scope="module")
def world():
    world = st.World()
    world.add_ground(mu=0.5)
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 1), name="ball")
    world.add_box(size=(0.2, 0.4, 0.6), mass=1.0, position=(1, 0, 1))
    world.add_capsule(radius=0.1, length=0.5, mass=1.0, position=(2, 0, 1))
    world.add_cylinder(radius=0.2, length=0.3, mass=1.0, position=(3, 0, 1))
    world.add_convex(
        np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]), mass=1.0, position=(4, 0, 1)
    )
    world.add_heightfield(np.zeros((3, 4)), (2.0, 2.0))
    st.robots.load("quadruped_small", world, position=(0, 3, 1))
    return world


def test_every_shape_is_listed_with_its_size(world):
    sim = st.Simulator(world)
    ground, ball, box, capsule, cylinder, hull, field = sim.geoms[:7]
    kinds = [geom.kind for geom in sim.geoms[:7]]
    assert kinds == ["half_space", "sphere", "box", "capsule", "cylinder", "convex", "heightfield"]
    assert [geom.id for geom in sim.geoms] == list(range(len(sim.geoms)))
    assert [geom.body for geom in (ground, ball, box, capsule, cylinder, hull, field)] == [-1, 0, 1, 2, 3, 4, -1]
    assert ball.size[0] == 0.1
    np.testing.assert_array_equal(box.size, (0.2, 0.4, 0.6))  # as they were given to add_*
    np.testing.assert_array_equal(capsule.size, (0.1, 0.5, 0.0))
    np.testing.assert_array_equal(cylinder.size, (0.2, 0.3, 0.0))
    described = world.describe()["geoms"]
    for geom in sim.geoms:
        np.testing.assert_array_equal(described[geom.id]["size"], geom.size)
    assert len(ball.vertices) == 0 and len(ball.triangles) == 0
    assert len(field.vertices) == 12 and len(field.triangles) == 2 * 2 * 3
    assert [geom.kind for geom in world.geoms] == [geom.kind for geom in sim.geoms]


def test_hull_is_closed_and_faces_outwards(world):
    """V - E + F = 2, and the divergence theorem gives the volume of the unit cube with a plus sign."""
    hull = next(geom for geom in world.geoms if geom.kind == "convex")
    v, t = hull.vertices, hull.triangles
    edges = {tuple(sorted(edge)) for a, b, c in t for edge in ((a, b), (b, c), (c, a))}
    assert len(v) - len(edges) + len(t) == 2
    volume = sum(np.dot(v[a], np.cross(v[b], v[c])) for a, b, c in t) / 6.0
    assert volume == pytest.approx(1.0, rel=1e-12)


def test_poses_repeat_pose(world):
    sim = st.Simulator(world)
    sim.step(n=20)
    poses = sim.poses()
    assert poses.shape == (len(sim.bodies), 7)
    for body in sim.bodies:
        position, rotation = sim.pose(body)
        np.testing.assert_array_equal(poses[body.id, :3], position)
        np.testing.assert_array_equal(poses[body.id, 3:], rotation)


def test_parents_and_limits(world):
    sim = st.Simulator(world)
    robot = sim.robots[0]
    assert sim.bodies[0].parent == -1 and sim.bodies[robot.base].parent == -1
    assert all(robot.base <= sim.bodies[i].parent < i for i in range(robot.base + 1, len(sim.bodies)))
    assert sim.joint_limits.shape == (sim.ntau, 2)
    assert (sim.joint_limits[:, 0] <= sim.joint_limits[:, 1]).all()


def test_frame_of_a_simulator_is_that_of_its_world(world):
    sim = st.Simulator(world)
    for name in sim.robots[0].frames:
        (body, pose), (other, other_pose) = sim.frame(name), world.frame(name)
        assert body.id == other.id
        np.testing.assert_array_equal(pose[0], other_pose[0])


def test_variant_starts_where_the_first_stands_and_repeats_itself():
    """Under its own settings a variant without contacts yet goes the way of its origin, bit for bit."""
    sim = st.scene("anymal_stand", targets="moving")
    sim.q[2] += 0.3  # in the air: there is no contact memory to lose
    sim.step(n=5)
    twin = sim.variant()
    assert twin.time == sim.time and (twin.q == sim.q).all() and (twin.pd_target == sim.pd_target).all()
    sim.step(n=50), twin.step(n=50)
    assert twin.hash() == sim.hash()


def test_variant_takes_other_settings_and_leaves_options_behind():
    sim = st.scene(
        "cube_slide", law="pyramid", solver="lemke", law_options=dict(facets=8), solver_options=dict(tolerance=1e-9)
    )
    other = sim.variant(law="coulomb", dt=2e-3)
    assert (other.law, other.solver, other.dt) == ("coulomb", "auto", 2e-3)
    assert sim.variant(law="anchored").stepper != sim.stepper
    with pytest.raises(ValueError, match="lemke"):
        sim.variant(law="coulomb", solver="lemke")
    with pytest.raises(ValueError, match="dt"):
        sim.variant(dt=-1.0)


def test_load_mesh(tmp_path):
    file = tmp_path / "t.obj"
    file.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    vertices, triangles = st.load_mesh(file, (2.0, 2.0, 2.0))
    assert sorted(map(tuple, vertices)) == [(0.0, 0.0, 0.0), (0.0, 2.0, 0.0), (2.0, 0.0, 0.0)]
    assert triangles.shape == (1, 3) and triangles.dtype == np.int32
    with pytest.raises(FileNotFoundError, match=r"missing.obj"):
        st.load_mesh(tmp_path / "missing.obj")
