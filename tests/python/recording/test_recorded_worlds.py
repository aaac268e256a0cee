# SPDX-License-Identifier: BSD-2-Clause
"""Worlds in recordings: every law, other coordinates, every shape and scene. Oracles: replay to the same bits, the fingerprint of the
original world."""

import numpy as np
import pytest

import stiction as st

LAWS = [entry.name for entry in st.catalog()["laws"]]


@pytest.mark.parametrize("law", LAWS)
def test_every_law_replays(law, tmp_path):
    sim = st.scene("starleth_push", law=law)
    with st.record(sim, tmp_path / "run.mcap", every=3):
        sim.step(n=50)
    log = st.recording.load(tmp_path / "run.mcap")
    assert log.step.tolist() == list(range(0, 49, 3))
    out = st.recording.replay(log)
    assert out.exact and out.compared == 16 and out.steps == 50


@pytest.mark.parametrize("coordinates", ["extended", "maximal"])
def test_other_coordinates_replay(coordinates, tmp_path):
    """The recorded world is the one that was given, before joints were cut."""
    world = st.World()
    world.add_ground(mu=0.8)
    st.robots.load("starleth", world, position=(0, 0, 0.53))
    sim = st.Simulator(world, coordinates=coordinates)
    sim.set_pd(kp=200.0, kd=10.0)
    with st.record(sim, tmp_path / "run.mcap"):
        sim.step(n=30)
    assert st.recording.replay(st.recording.load(tmp_path / "run.mcap")).exact
    assert st.recording.load(tmp_path / "run.mcap").simulator().save_world() == sim.save_world()


def shapes_world():
    """Every kind of shape, a loop, a held point, materials and filters."""
    rng = np.random.default_rng(3)
    world = st.World()
    world.gravity = (0.1, 0.0, -9.7)
    world.add_heightfield(0.05 * rng.random((6, 6)), (4.0, 4.0))
    world.add_static_mesh((np.array([[-2, -2, -1], [2, -2, -1], [0, 2, -1.0]]), np.array([[0, 1, 2]])))
    world.add_material("rubber", mu=0.9, restitution=0.3)
    a = world.add_sphere(0.1, 1.0, position=(0, 0, 0.4), material="rubber")
    b = world.add_box((0.2, 0.3, 0.1), 2.0, position=(0.5, 0, 0.4), angular_velocity=(1, 2, 3))
    world.add_capsule(0.05, 0.2, 1.0, position=(-0.5, 0, 0.4))
    world.add_cylinder(0.1, 0.2, 1.0, position=(0, 0.6, 0.4), rotation=(0.6, 0, 0, 0.8))
    c = world.add_convex(rng.normal(size=(40, 3)) * 0.1, 1.0, position=(0, -0.6, 0.6))
    world.add_contact_point(a, (0, 0, 0.1), bilateral=True, stiffness=1e4, damping=30)
    world.add_loop(a, b, point_a=(0.25, 0, 0), point_b=(-0.25, 0, 0))
    world.exclude(b, c)
    return world


def test_a_world_read_back_is_the_same_world(tmp_path):
    sim = st.Simulator(shapes_world(), dt=2e-3, solver="nsgs", solver_options=dict(tolerance=1e-9, max_iterations=300))
    with st.record(sim, tmp_path / "run.mcap"):
        sim.step(n=200)
    log = st.recording.load(tmp_path / "run.mcap")
    again = log.simulator()
    assert again.fingerprint == sim.fingerprint and again.settings == sim.settings
    assert [g.kind for g in again.geoms] == [g.kind for g in sim.geoms]
    assert st.recording.replay(log).exact and log.reports["contacts"].max() > 5


@pytest.mark.parametrize("name", [entry.name for entry in st.catalog()["scenes"]])
def test_worlds_of_all_scenes_survive(name):
    sim = st.scene(name)
    again = st._core.simulator_of_world(sim.save_world(), **sim.settings)
    assert again.fingerprint == sim.fingerprint
    again.restore(sim.save())
    assert again.hash() == sim.hash() and again.save_world() == sim.save_world()


def test_damaged_worlds_are_refused():
    sim = st.scene("cube_slide")
    world = bytearray(sim.save_world())
    with pytest.raises(st.InvalidInput, match="first bytes"):
        st._core.simulator_of_world(b"nonsense of some length", **sim.settings)
    world[-3] ^= 1
    with pytest.raises(st.InvalidInput, match="damaged"):
        st._core.simulator_of_world(bytes(world), **sim.settings)
    with pytest.raises(st.InvalidInput, match=r"damaged|too early"):
        st._core.simulator_of_world(sim.save_world()[:-8], **sim.settings)
