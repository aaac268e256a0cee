# SPDX-License-Identifier: BSD-2-Clause
"""Motors that are strong beside what they move: a light joint crosses its whole range within a step, links turn by a radian and more.
Oracles: the limits of the file, and energy that nothing gave is not there."""

import numpy as np
import pytest

import stiction as st

# 2e-4 kg m² behind 2000 N m: 4e4 rad/s after the first step of 2 ms, from the middle of a range of 3 rad.
LIGHT = """<mujoco><option timestep="0.002" gravity="0 0 0"/><compiler angle="radian" autolimits="true"/><worldbody>
  <body><joint name="a" axis="0 0 1" range="-1.5 1.5"/><inertial pos="0 0 0" mass="1" diaginertia="2e-4 2e-4 2e-4"/></body>
  <body pos="1 0 0"><joint name="b" type="slide" axis="1 0 0" range="-.2 .5"/><inertial pos="0 0 0" mass=".01" diaginertia="1e-5 1e-5 1e-5"/></body>
</worldbody><actuator><motor joint="a"/><motor joint="b"/></actuator></mujoco>"""

# An arm of three links; one of them is light.
ARM = """<mujoco><option timestep="0.002"/><compiler angle="radian" autolimits="true"/><default><joint range="-2 2"/></default><worldbody>
  <body><joint axis="0 0 1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="1"/>
    <body pos=".3 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass=".2"/>
      <body pos=".3 0 0"><joint axis="1 0 0"/><geom type="box" size=".02 .1 .02" mass=".05"/>
        <body pos="0 .1 0"><joint axis="0 0 1"/><geom type="capsule" fromto="0 0 0 .1 0 0" size=".01" mass=".02"/></body></body></body></body>
</worldbody></mujoco>"""


def simulator(text, tmp_path):
    path = tmp_path / "robot.xml"
    path.write_text(text)
    world = st.World()
    world.add_mjcf(str(path))
    return st.Simulator(world)


@pytest.mark.parametrize("torque", [30.0, 2000.0, -2000.0])
def test_a_limit_holds_however_strong_the_motor_is(torque, tmp_path):
    sim = simulator(LIGHT, tmp_path)
    sim.ctrl[:] = torque
    for _ in range(30):
        assert sim.step().status == "converged"
        assert -1.5 - 1e-9 <= sim.q[0] <= 1.5 + 1e-9
        assert -0.2 - 1e-9 <= sim.q[1] <= 0.5 + 1e-9
    assert np.abs(sim.v).max() < 1e-9  # both rest at their limits, as near as the dead band of 1e-6
    assert np.abs(sim.q - (np.sign(torque) * 1.5, 0.5 if torque > 0 else -0.2)).max() < 2e-6


def test_velocity_forces_give_no_energy_however_fast_it_turns(tmp_path):
    """At 2 to 10 rad per step, without limits: every step is made, its energy grows by no more than the guard's factor, and the report tells."""
    sim, told = simulator(ARM.replace('range="-2 2"', ""), tmp_path), 0
    random = np.random.default_rng(0)
    for _ in range(50):
        sim.q = random.uniform(-1, 1, 4)
        sim.v = random.uniform(-1, 1, 4) * 5000.0
        before = sim.energy().total
        report = sim.step()
        assert report.status == "converged"
        assert sim.energy().total <= 2.6 * before
        told += report.turning_bounded
    assert 10 < told <= 50


def test_slow_turning_is_not_bounded(tmp_path):
    sim = simulator(ARM, tmp_path)
    sim.v[:] = (3.0, -4.0, 5.0, 6.0)
    assert sim.step(n=500).turning_bounded == 0
