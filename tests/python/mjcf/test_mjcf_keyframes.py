# SPDX-License-Identifier: BSD-2-Clause
"""Keyframes of MJCF files. Oracle: MuJoCo's mj_resetDataKeyframe, in our coordinates."""

import numpy as np
import pytest

import stiction as st

mujoco = pytest.importorskip("mujoco")

TEXT = """<mujoco model="m"><worldbody>
  <body name="base" pos="0 0 1"><freejoint/><geom size=".1"/>
    <body name="leg"><joint name="knee" range="-60 60"/><geom size=".05"/>
      <body name="foot"><joint name="ankle" type="ball"/><geom size=".05"/></body></body></body></worldbody>
  <actuator><motor joint="knee"/></actuator>
  <keyframe>
    <key name="home" qpos="1 2 3 .5 .5 -.5 .5 .3 .6 0 .8 0" qvel="1 2 3 4 5 6 7 8 9 10" ctrl=".4"/>
    <key name="rest" qvel="1 0 0 0 0 0 0 0 0 0"/><key/>
  </keyframe></mujoco>"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "key.xml"
    path.write_text(TEXT)
    return path


def test_states_are_mujocos(path):
    world = st.World()
    robot = world.add_mjcf(path)
    sim, model = st.Simulator(world), mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    assert robot.keyframes == ["home", "rest", "key_2"]
    for i, name in enumerate(robot.keyframes):
        mujoco.mj_resetDataKeyframe(model, data, i)
        q, v = st.convert.from_mujoco(sim, np.array(data.qpos), np.array(data.qvel), model=model)
        sim.set_keyframe(name)
        np.testing.assert_allclose(sim.q, q, atol=1e-15)
        np.testing.assert_allclose(sim.v, v, atol=1e-14)


def test_reset_goes_there(path):
    world = st.World()
    world.add_mjcf(path)
    sim = st.Simulator(world)
    start = np.array(sim.q)
    sim.step(n=10)
    sim.reset(keyframe="home")
    assert sim.time == 0.0 and sim.q[2] == 3.0
    sim.step(n=10)
    sim.reset()
    np.testing.assert_array_equal(sim.q, start)
    with pytest.raises(st.InvalidInput, match=r"keyframe 'hom'.*home"):
        sim.reset(keyframe="hom")


def test_a_placed_robot_takes_its_keyframes_along(path):
    """Position and rotation of add_mjcf apply to the base of a keyframe as to the start."""
    worlds = [st.World(), st.World()]
    half = np.sqrt(0.5)
    worlds[0].add_mjcf(path)
    robot = worlds[1].add_mjcf(path, position=(1, 0, 0), rotation=(0, 0, half, half))
    sims = [st.Simulator(world) for world in worlds]
    for sim in sims:
        sim.set_keyframe("home")
    x, y, z = sims[0].q[:3]
    np.testing.assert_allclose(sims[1].q[:3], (1 - y, x, z), atol=1e-12)
    np.testing.assert_allclose(sims[1].q[7:], sims[0].q[7:])
    np.testing.assert_allclose(sims[1].v, sims[0].v, atol=1e-12)
    turned = sims[1].pose(robot.base)[1]
    assert np.linalg.norm(turned) == pytest.approx(1.0)


def test_wrong_sizes_are_told(tmp_path):
    path = tmp_path / "short.xml"
    path.write_text(TEXT.replace('qvel="1 0 0 0 0 0 0 0 0 0"', 'qpos="1 2"'))
    world = st.World()
    robot = world.add_mjcf(path)
    assert robot.keyframes == ["home", "key_1"]
    assert any("keyframe 'rest' is left out" in text and "short.xml:8" in text for text in world.warnings)
