# SPDX-License-Identifier: BSD-2-Clause
"""Contradictory problems, deep overlaps, impulses that the judge refuses: nothing is thrown, and the report says what happened.
Oracles: energy that nothing gave is not there, and bounds on speeds."""

import numpy as np
import pytest

import stiction as st


def wedge(angle, depth, **options):
    """A sphere of 1 kg and radius .1 m between two planes that nearly face each other, overlapping both."""
    world = st.World()
    half = 0.5 * np.radians(angle)
    for side in (1.0, -1.0):
        # normals +-y, opened towards z by half the angle
        normal = np.array([0.0, side * np.cos(half), np.sin(half)])
        turn = np.arctan2(-normal[1], normal[2])
        world.add_static_half_space(
            position=(0, -side * (0.1 - depth), 0), rotation=(np.sin(turn / 2), 0, 0, np.cos(turn / 2))
        )
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0))
    return st.Simulator(world, **options)


@pytest.mark.parametrize("stepper", ["semi_implicit", "stewart_trinkle"])
def test_a_sphere_in_a_narrow_wedge_is_not_shot_out(stepper):
    sim = wedge(0.01, 0.01, dt=1e-3, stepper=stepper)
    dropped = 0
    for _ in range(200):
        report = sim.step()
        dropped += report.corrections_dropped
        assert np.linalg.norm(sim.v) < 5.0
    assert dropped > 0


def test_overlap_heals_without_gravity():
    world = st.World()
    world.gravity = (0, 0, 0)
    for x in (0.0, 0.15):
        world.add_sphere(radius=0.1, mass=1.0, position=(x, 0, 0))
    sim = st.Simulator(world, dt=1e-3)
    sim.step(n=3000)
    assert sim.q[7] - sim.q[0] > 0.2 - 1e-4
    assert np.abs(sim.v).max() < 0.1


def test_impulses_that_diverge_give_no_energy():
    """jor with alpha 1.5 diverges on three resting boxes: it moved them with 11.5 m/s in the first step."""
    world = st.World()
    world.add_ground()
    for k in range(3):
        world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0.1 + 0.2 * k))
    sim = st.Simulator(world, dt=1e-3, solver="jor", solver_options={"alpha": 1.5})
    start = sim.energy().total
    for _ in range(50):
        assert not sim.step().ok
        assert sim.energy().total < start + 1e-3
    assert np.abs(sim.v).max() < 3.0


def test_an_absurd_step_is_not_made():
    """A force that no scheme resolves is a load and may give energy; velocity forces of one instant may not."""
    world = st.World()
    world.gravity = (0, 0, 0)
    world.add_urdf_text(ARM, fixed=True)
    sim = st.Simulator(world, dt=0.05)
    sim.v[:] = (400.0, -700.0)
    report = sim.step(n=100)
    assert report.status == "unphysical" and not report.ok and report.excess > 0.0
    assert report.steps < 100 and np.isfinite(sim.v).all()
    before, time = sim.v.copy(), sim.time
    assert sim.step().status == "unphysical"
    assert (sim.v == before).all() and sim.time == time


@pytest.mark.parametrize(
    ("law", "stepper", "options"),
    [
        ("anchored", "euler", {"stiffness": 1e8}),
        ("anchored", "rk4", {"stiffness": 1e8}),
        ("anchored", "euler", {"stiffness": 1e3, "damping": 1e5}),
        ("compliant", "moreau", {"stiffness": 1e8}),
        ("relaxed", "rk_gill", {"model": "micro", "stiffness": 1e8}),
    ],
)
def test_an_unstable_step_on_soft_contact_is_not_made(law, stepper, options):
    """Stiff springs and dampers in a step that is too long for an explicit method: 8e9 m/s and `converged`."""
    world = st.World()
    world.add_ground()
    world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0.1), velocity=(0, 0, -1))
    world.add_sphere(radius=0.1, mass=1.0, position=(5, 0, 100), velocity=(50, 0, 0))  # whose energy explains nothing
    sim = st.Simulator(world, law=law, stepper=stepper, dt=0.05, law_options=options)
    report = sim.step(n=50)
    assert report.status == "unphysical" and not report.ok and report.excess > 0.0 and report.steps < 50
    assert abs(sim.time - report.steps * sim.dt) < 1e-12 and np.abs(sim.v[:6]).max() < 20.0
    before, time = sim.v.copy(), sim.time
    assert sim.step().status == "unphysical" and (sim.v == before).all() and sim.time == time


@pytest.mark.parametrize("stepper", ["exponential", "exponential_midpoint", "implicit_euler"])
def test_steppers_that_resolve_springs_take_the_stiffest(stepper):
    """K 1e8 N/m at 50 ms: the box stops, and is never faster than what it falls in two steps (8e9 m/s and `converged`)."""
    world = st.World()
    world.add_ground()
    world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0.1), velocity=(0, 0, -1))
    sim = st.Simulator(world, law="anchored", stepper=stepper, dt=0.05, law_options={"stiffness": 1e8})
    for _ in range(50):
        assert sim.step().status == "converged"
        assert np.abs(sim.v).max() < 2.0 * 9.81 * sim.dt
    assert np.abs(sim.v).max() < 1e-3 and sim.q[2] > 0.05


def test_a_light_body_on_a_heavy_one_slides_as_it_should():
    """1e-5 kg at 1 m/s on a plate of 1000 kg that rests: v = 1 - mu g t. interior_point was 3 % wrong, nothing unaccepted."""
    for solver in ("interior_point", "auto", "nsgs"):
        world = st.World()
        world.add_ground(mu=0.5)
        world.add_box(size=(2, 2, 0.2), mass=1000.0, position=(0, 0, 0.1), mu=0.5)
        world.add_box(size=(0.01, 0.01, 0.01), mass=1e-5, position=(0, 0, 0.205), velocity=(1, 0, 0), mu=0.5)
        sim = st.Simulator(world, dt=1e-3, solver=solver)
        assert sim.step(n=100).ok
        assert sim.v[6] == pytest.approx(1.0 - 0.5 * 9.81 * 0.1, abs=1e-5)


@pytest.mark.parametrize("stepper", ["exponential", "exponential_midpoint", "implicit_euler", "euler", "rk4"])
def test_the_guard_lets_springs_give_back_what_they_hold(stepper):
    """A ball on stiff ground bounces: all of its energy is in the spring for a moment."""
    world = st.World()
    world.add_ground()
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1), velocity=(0, 0, -1))
    options = {"stiffness": 1e4, "damping": 0.0, "surface_anchoring": True}
    sim = st.Simulator(world, law="anchored", stepper=stepper, dt=1e-3, law_options=options)
    report = sim.step(n=80)
    assert report.status == "converged" and sim.v[2] > 0.3


def test_planar_loops_are_solved_in_a_few_sweeps():
    """Two four-bar legs closed by points in space: the rows across their planes hold what the hinges hold already."""
    body = '<link name="{}"><inertial><origin xyz=".5 0 0"/><mass value="{}"/><inertia ixx=".01" iyy=".08" izz=".08" ixy="0" ixz="0" iyz="0"/></inertial>{}</link>'
    foot = '<collision><origin xyz=".5 0 0"/><geometry><sphere radius=".05"/></geometry></collision>'
    xml = body.format("base", 5.0, "")
    for side in (1, -1):
        for parent, child, x, y in (
            ("base", f"a{side}", 0, 0.3 * side),
            (f"a{side}", f"b{side}", 1, 0),
            (f"b{side}", f"c{side}", 1, 0),
        ):
            xml += body.format(child, 0.3, foot if child.startswith("b") else "")
            xml += (
                f'<joint name="j{child}" type="revolute"><parent link="{parent}"/><child link="{child}"/><origin xyz="{x} {y} 0"/><axis xyz="0 1 0"/>'
                '<limit lower="-9" upper="9" effort="99" velocity="99"/><dynamics friction=".05" damping=".1"/></joint>'
            )
    world = st.World()
    world.add_ground()
    world.add_urdf_text(f'<robot name="legs">{xml}</robot>', position=(0, 0, 1.3))
    for side in (1, -1):
        world.add_loop(f"c{side}", "base", point_a=(1, 0, 0), point_b=(1, 0.3 * side, 0))
    sim = st.Simulator(world, dt=2e-3, solver="nsgs")
    sim.q[7:] = (np.pi / 2, -np.pi / 2, -np.pi / 2) * 2
    sim.v[:] = np.random.default_rng(3).normal(size=12)
    for _ in range(250):
        report = sim.step()
        assert report.ok and report.iterations <= 16


ARM = """<robot name="arm"><link name="base"/>
<joint name="a" type="continuous"><parent link="base"/><child link="one"/><axis xyz="0 0 1"/></joint>
<link name="one"><inertial><origin xyz=".5 0 0"/><mass value="1"/><inertia ixx=".01" iyy=".02" izz=".02" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="b" type="continuous"><parent link="one"/><child link="two"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>
<link name="two"><inertial><origin xyz=".5 0 0"/><mass value="1"/><inertia ixx=".01" iyy=".02" izz=".02" ixy="0" ixz="0" iyz="0"/></inertial></link>
</robot>"""
