# SPDX-License-Identifier: BSD-2-Clause
"""Dry friction of joints that stop, break loose and slide in the same step.

Oracle: Coulomb's law for every joint, with the friction f = M (v⁺ − v)/dt + h − τ of each step taken from mass matrix and bias.
"""

import numpy as np
import pytest

import stiction as st

DT, FRICTION = 2e-3, 0.3

ARM = """<mujoco><compiler angle="radian" autolimits="true"/>
  <default><geom contype="0" conaffinity="0"/></default><worldbody>
  <body name="l0"><joint name="j0" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="1"/>
  <body name="l1" pos=".3 0 0"><joint name="j1" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass=".7"/>
  <body name="l2" pos=".3 0 0"><joint name="j2" axis="0 0 1"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".03" mass=".4"/>
  <body name="l3" pos=".2 0 0"><joint name="j3" axis="1 0 0"/><geom type="capsule" fromto="0 0 0 0 .2 0" size=".03" mass=".2"/>
  </body></body></body></body></worldbody></mujoco>"""


@pytest.fixture
def arm(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(ARM)
    world = st.World()
    robot = world.add_mjcf(str(path))
    for joint in robot.joint_names:
        world.set_joint(robot, joint, dry_friction=FRICTION)
    return st.Simulator(world, dt=DT)


def frictions(sim, tau):
    """(f, v⁺) of the step that is made: n numbers each."""
    v, M, h = np.array(sim.v), sim.mass_matrix(), sim.bias()
    report = sim.step(tau=tau)
    assert report.unaccepted == 0
    return M @ (np.array(sim.v) - v) / DT + h - tau, np.array(sim.v)


def test_every_joint_obeys_coulomb_while_joints_stop_and_break_loose(arm):
    random = np.random.default_rng(5)
    arm.v[:] = random.normal(size=4)
    stops = starts = 0
    moving = np.ones(4, dtype=bool)
    for k in range(1500):
        tau = 1.5 * np.sin(DT * k * np.array([7.0, 11.0, 17.0, 23.0])) * np.array([3.0, 1.0, 0.4, 0.3])
        f, v = frictions(arm, tau)
        assert np.abs(f).max() <= FRICTION * (1 + 1e-6)
        now = v != 0.0
        np.testing.assert_allclose(f[now], -FRICTION * np.sign(v[now]), atol=1e-6)
        stops, starts = stops + int((moving & ~now).sum()), starts + int((~moving & now).sum())
        moving = now
    assert stops > 20 and starts > 20
