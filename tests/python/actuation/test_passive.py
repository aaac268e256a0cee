# SPDX-License-Identifier: BSD-2-Clause
"""Springs, gravity compensation, fluid. Oracles: closed forms; MuJoCo's forces at random states and its motion at a small step."""

import numpy as np
import pytest

from two_engines import arm, compare_forces, compare_motion, load

mujoco = pytest.importorskip("mujoco")

FEATURES = {
    "springs": dict(
        shoulder='stiffness="5" springref="0.3"', elbow='stiffness="2"', slide='stiffness="80" springref="0.02"'
    ),
    "springdamper": dict(shoulder='springdamper="0.3 0.8"', slide='springdamper="0.1 1.2"'),
    "gravcomp": dict(body='gravcomp="0.7"'),
    "fluid": dict(options='<option density="1000" viscosity="0.5" wind="1 -0.5 0.2"/>'),
    "disabled springs": dict(
        shoulder='stiffness="5" springref="0.3"', options='<option><flag spring="disable"/></option>'
    ),
    "disabled dampers": dict(options='<option><flag damper="disable"/></option>'),
}


@pytest.mark.parametrize("name", FEATURES)
def test_forces_are_mujocos(name, tmp_path):
    compare_forces(mujoco, arm(**FEATURES[name]), tmp_path)


@pytest.mark.parametrize("name", FEATURES)
def test_motion_is_mujocos(name, tmp_path):
    compare_motion(mujoco, arm(**{"shoulder": 'stiffness="1" springref="0.5"', **FEATURES[name]}), tmp_path)


BALLS = """<mujoco><option density="1.2" viscosity="0.1"/><worldbody>
<body name="free" pos="0.1 0.2 1"><joint name="base" type="free" stiffness="30" damping="0.5"/><geom type="box" size="0.1 0.2 0.05" contype="0" conaffinity="0"/>
<body pos="0 0 0.2"><joint type="ball" stiffness="2" damping="0.1"/><geom type="capsule" size="0.05 0.1" pos="0 0.1 0.1" contype="0" conaffinity="0"/></body></body></worldbody></mujoco>"""


ELLIPSOIDS = """<mujoco><option density="1000" viscosity="0.5" wind="1 -0.5 0.2"/><worldbody><body name="fish" pos="0 0 1"><freejoint/>
<geom type="ellipsoid" size="0.1 0.2 0.05" fluidshape="ellipsoid" contype="0" conaffinity="0"/>
<geom type="{geom}" size="0.05 0.1 0.03" pos="0.2 0 0" euler="20 30 0" fluidshape="ellipsoid" fluidcoef="0.4 0.2 1 0.8 0.7" contype="0" conaffinity="0"/>
<body name="tail" pos="0 -0.3 0"><joint axis="0 0 1" damping="0.1"/><geom type="box" size="0.02 0.1 0.1" contype="0" conaffinity="0"/></body></body></worldbody></mujoco>"""


@pytest.mark.parametrize("geom", ["sphere", "capsule", "cylinder", "box"])
def test_ellipsoids_in_a_fluid(geom, tmp_path):
    """The added mass is an integral that MuJoCo takes with fifteen points."""
    compare_forces(mujoco, ELLIPSOIDS.format(geom=geom), tmp_path, tolerance=1e-6)


def test_springs_of_balls_and_free_joints(tmp_path):
    compare_forces(mujoco, BALLS, tmp_path)
    compare_motion(mujoco, BALLS, tmp_path, tolerance=3e-4)


SPRING = """<mujoco><option{option}/><worldbody><body name="m" {body}><joint type="slide" axis="0 0 1" {joint}/>
<geom size="0.1" mass="2" contype="0" conaffinity="0"/></body></worldbody></mujoco>"""


def test_a_spring_keeps_its_period_and_its_amplitude(tmp_path):
    """m g = k x at the middle, w = sqrt(k/m) = 10 rad/s; ten periods at a step of 1/600 of one, no damping."""
    _, _, sim = load(
        SPRING.format(option="", body="", joint='stiffness="200" springref="0.05"'), tmp_path, dt=2 * np.pi / 6000
    )
    middle = 0.05 - 2 * 9.81 / 200
    heights = []
    for _ in range(20):
        sim.step(n=300)
        heights.append(sim.q[0] - middle)
    np.testing.assert_allclose(heights, -middle * (-1.0) ** np.arange(1, 21), atol=2e-3 * abs(middle) * 10)
    assert sim.passive_forces() == pytest.approx([-200 * (sim.q[0] - 0.05)])


def test_a_stiff_spring_is_calm_at_a_large_step(tmp_path):
    _, _, sim = load(SPRING.format(option="", body="", joint='stiffness="1e9"'), tmp_path, dt=1e-2)
    sim.v[0] = 1.0
    sim.step(n=500)
    assert sim.q[0] == pytest.approx(-2 * 9.81 / 1e9, abs=1e-9) and abs(sim.v[0]) < 1e-9


def test_gravity_compensation_hovers(tmp_path):
    _, _, sim = load(SPRING.format(option="", body='gravcomp="1"', joint=""), tmp_path)
    sim.step(n=1000)
    assert abs(sim.q[0]) < 1e-12 and sim.passive_forces() == pytest.approx([2 * 9.81])


def test_terminal_speed_in_a_fluid(tmp_path):
    """A ball has the inertia of a box of edges s = sqrt(12/5) r: m g = 3 pi s b v + (rho/2) s^2 v^2."""
    _, _, sim = load(SPRING.format(option=' density="50" viscosity="2"', body="", joint=""), tmp_path)
    sim.step(n=20000)
    s, v = np.sqrt(2.4) * 0.1, -sim.v[0]
    assert 3 * np.pi * s * 2 * v + 25 * s**2 * v**2 == pytest.approx(2 * 9.81, rel=1e-9)
