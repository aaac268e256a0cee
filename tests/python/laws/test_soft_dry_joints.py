# SPDX-License-Identifier: BSD-2-Clause
"""Dry joint friction under `anchored`. Oracles: closed forms of one mass on one joint, the hard law, energy, saved states."""

import numpy as np
import pytest

import stiction as st
from soft_support import soft

MASS, FRICTION = 2.0, 3.0  # [kg], [N]
STEPPERS = ("exponential", "exponential_midpoint", "euler", "rk4", "implicit_euler")
ROD = """<robot name="rod"><link name="base"/>
<link name="rod"><inertial><origin xyz="0 0 -.3"/><mass value="1"/><inertia ixx=".03" iyy=".03" izz=".03" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="{kind}"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/><limit lower="-9" upper="9" effort="99" velocity="99"/>
<dynamics friction="{friction}"/></joint></robot>"""
CART = """<robot name="slider"><link name="rail"/><link name="cart"><inertial><mass value="2"/>
<inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="slide" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
<limit lower="-100" upper="100" effort="0" velocity="0"/><dynamics friction="3"/></joint></robot>"""


def world(text):
    out = st.World()
    out.add_urdf_text(text, fixed=True)
    return out


def push(sim):
    """Slowly up to 2.4 N, so that the spring does not swing beyond the friction."""
    for k in range(3000):
        sim.step([2.4 * min(1.0, k / 1000)])


@pytest.mark.parametrize("stepper", STEPPERS)
def test_a_joint_that_is_pushed_less_than_its_friction_stays(stepper):
    """Closed form: the spring F/presliding carries the push."""
    sim = soft(world(CART), stepper)
    push(sim)
    assert abs(sim.v[0]) < 1e-9
    assert sim.q[0] == pytest.approx(2.4 / FRICTION * 1e-3, rel=1e-6)


@pytest.mark.parametrize("stepper", STEPPERS)
def test_a_joint_that_slides_is_braked_by_its_friction(stepper):
    """Closed form: v = v0 − F t/m, and rest after m v0/F."""
    sim = soft(world(CART), stepper)
    sim.v[0] = 1.0
    sim.step(n=300)
    assert sim.v[0] == pytest.approx(1.0 - FRICTION * 0.3 / MASS, abs=4e-3)
    sim.step(n=2700)
    assert abs(sim.v[0]) < 1e-6
    assert sim.q[0] == pytest.approx(0.5 * MASS / FRICTION, abs=4e-3)


@pytest.mark.parametrize("kind", ["revolute", "continuous"])
def test_a_pendulum_ends_as_under_the_hard_law(kind):
    """Oracle: law coulomb with half of the step (both are of first order); the way of presliding is .1 mrad."""
    soft_sim = soft(world(ROD.format(kind=kind, friction=0.6)), dt=2e-4, law={"presliding": 1e-4})
    hard = st.Simulator(world(ROD.format(kind=kind, friction=0.6)), dt=1e-4)
    for sim, n in ((soft_sim, 20000), (hard, 40000)):
        sim.q[:] = (np.cos(2.5), np.sin(2.5)) if kind == "continuous" else 2.5
        sim.step(n=n)
    angle = [np.arctan2(s.q[1], s.q[0]) if kind == "continuous" else s.q[0] for s in (soft_sim, hard)]
    assert abs(angle[0] - angle[1]) < 5e-3
    assert abs(soft_sim.v[0]) < 1e-6
    assert abs(9.81 * 0.3 * np.sin(angle[0])) < 0.6, "friction can hold it where it is"


def test_energy_only_falls():
    sim = soft(world(ROD.format(kind="revolute", friction=0.6)), dt=2e-3)
    sim.q[0] = 2.5
    last, most = sim.energy().total, 0.0
    for _ in range(1500):
        assert sim.step().status == "converged"
        most, last = max(most, sim.energy().total - last), sim.energy().total
    assert most < 5e-4, "what the spring of 0.3 mJ and a step of first order can give"


def test_the_anchor_is_part_of_the_state():
    def make():
        return soft(world(ROD.format(kind="revolute", friction=0.6)))

    one, other = make(), make()
    one.q[0] = 2.5
    one.step(n=200)
    other.restore(one.save())
    one.step(n=200)
    other.step(n=200)
    assert one.hash() == other.hash()


def test_presliding_is_an_option():
    sim = soft(world(CART), law={"presliding": 1e-2})
    push(sim)
    assert sim.q[0] == pytest.approx(2.4 / FRICTION * 1e-2, rel=1e-2)
    with pytest.raises(ValueError, match="presliding is 0"):
        soft(world(CART), law={"presliding": 0.0})


def test_rigid_steps_are_refused():
    with pytest.raises(ValueError, match="dry joint friction"):
        soft(world(CART), "rigid_euler")


def test_derivatives_are_refused():
    with pytest.raises(ValueError, match="dry friction"):
        soft(world(CART)).step_derivatives()


def test_forces_at_the_present_moment():
    """predict_forces(0) is what the pass of the next step finds."""
    ground = st.World()
    ground.add_ground(mu=0.5)
    ground.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.0999), velocity=(0.1, 0, -0.2))
    sim = soft(ground)
    sim.step(n=3)
    now = sim.predict_forces([0.0, 1e-3])
    sim.step()
    assert np.abs(np.asarray(sim.anchors()["force"])[0] - now[0, 0]).max() < 1e-12
    assert np.abs(now[0, 0]).max() > 1.0
