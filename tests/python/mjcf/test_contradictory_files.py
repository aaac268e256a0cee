# SPDX-License-Identifier: BSD-2-Clause
"""MJCF files whose links overlap or stand outside of their limits at the start. Oracles: MuJoCo, and momentum that nothing gave is not there."""

import numpy as np
import pytest

import stiction as st

# Two fingers on slides that touch each other, 13 mm deep in a palm whose normal is across their motion but for 8e-5.
JAMMED_FINGERS = """<mujoco><option timestep="0.002" gravity="0 0 0"/><worldbody>
  <geom type="plane" size="1 1 .1" zaxis="0.0159 -8e-5 1"/>
  <body pos="0 .0095 0"><joint type="slide" axis="0 1 0" range="0 .04" damping="100" armature="1" frictionloss="1"/>
    <geom type="box" size=".01 .01 .0134" mass=".1"/></body>
  <body pos="0 -.0095 0"><joint type="slide" axis="0 1 0" range="-.04 0" damping="100" armature="1" frictionloss="1"/>
    <geom type="box" size=".01 .01 .0134" mass=".1"/></body>
</worldbody></mujoco>"""

# A hinge that starts 30 degrees outside of its range.
OUTSIDE = """<mujoco><option timestep="0.002"/><worldbody>
  <body><joint type="hinge" axis="0 1 0" range="30 70" armature="1" damping="1"/>
    <geom type="capsule" fromto="0 0 0 .3 0 0" size=".05" contype="0" conaffinity="0"/></body>
</worldbody></mujoco>"""


def world_of(text, tmp_path):
    path = tmp_path / "file.xml"
    path.write_text(text)
    world = st.World()
    world.add_mjcf(str(path))
    return world, path


def test_jammed_fingers_stand_still_and_press_gently(tmp_path):
    """No velocity of the fingers takes the overlap back: every step is solved, without correction."""
    world, _ = world_of(JAMMED_FINGERS, tmp_path)
    sim = st.Simulator(world, dt=0.002)
    dropped = 0
    for _ in range(5):
        report = sim.step()
        assert report.unaccepted == 0
        dropped += report.corrections_dropped
        # 0.2 kg of fingers at the speed of the correction, sqrt(g depth) = 0.04 m/s for the least gravity that counts
        assert sim.dt * np.abs(sim.contacts()["force"]).max() < 3 * 0.2 * 0.4
        assert np.abs(sim.v).max() < 0.2
    assert dropped > 0


def test_a_soft_limit_pushes_back_what_is_outside(tmp_path):
    """With the file's softness a limit stores energy: the step is made, and moves as in MuJoCo to the order of the step."""
    mujoco = pytest.importorskip("mujoco")
    world, path = world_of(OUTSIDE, tmp_path)
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    sim = st.Simulator(world, dt=0.002, law_options=dict(softness="file"))
    sim.q = [0.0]
    for _ in range(50):
        assert sim.step().status == "converged"
        mujoco.mj_step(model, data)
    assert data.qpos[0] > 0.9
    assert sim.q[0] == pytest.approx(data.qpos[0], abs=1e-3)
