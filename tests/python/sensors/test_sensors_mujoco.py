# SPDX-License-Identifier: BSD-2-Clause
"""Every kind of sensor at random states without contact. Oracle: MuJoCo's sensordata."""

import numpy as np
import pytest

import sensor_models
import stiction as st
from stiction.rotations import rotation_matrix

mujoco = pytest.importorskip("mujoco")


def test_every_kind_reads_what_mujoco_reads(tmp_path):
    world, sim, model = sensor_models.load(mujoco, sensor_models.tree(limited=False), tmp_path)
    assert [w for w in world.warnings if "sensor" in w] == []
    assert sorted(sim.sensor_names) == sorted(model.sensor(i).name for i in range(model.nsensor))
    kinds = {name.split("-")[0] for name in sim.sensor_names}
    assert len(kinds) >= 34
    data, rng = mujoco.MjData(model), np.random.default_rng(1)
    worst = {}
    for _ in range(20):
        sensor_models.random_state(mujoco, model, data, rng)
        sensor_models.take_over(sim, model, data)
        for name, ours in sim.sensors().items():
            theirs = sensor_models.reading(mujoco, model, data, name)
            error = sensor_models.difference(ours, theirs, name.split("-")[0] in sensor_models.UNITS)
            worst[name] = max(worst.get(name, 0.0), error)
    assert {name: error for name, error in worst.items() if not error < 1e-9} == {}


def test_limits_are_seen_from_beyond(tmp_path):
    """jointlimit and tendonlimit: distance and rate while the limit is exceeded. Accelerations differ there: MuJoCo's limits are soft."""
    _, sim, model = sensor_models.load(mujoco, sensor_models.tree(limited=True), tmp_path)
    data, rng = mujoco.MjData(model), np.random.default_rng(2)
    names = ["jointlimitpos", "jointlimitvel", "tendonlimitpos", "tendonlimitvel"]
    beyond = 0
    for _ in range(40):
        sensor_models.random_state(mujoco, model, data, rng)
        sensor_models.take_over(sim, model, data)
        ours = sim.sensors(names)
        for name in names:
            theirs = sensor_models.reading(mujoco, model, data, name)
            assert sensor_models.difference(ours[name], theirs, False) < 1e-12
            beyond += bool(theirs[0] != 0.0)
    assert beyond > 20


def test_robots_of_a_moved_file_are_read_where_they_are(tmp_path):
    """A file placed elsewhere: what is measured in the sensor's own frame stays, what is in world axes turns with it."""
    path = tmp_path / "model.xml"
    path.write_text(sensor_models.tree(limited=False))
    here, there = st.World(), st.World()
    here.gravity = there.gravity = (0, 0, 0)
    here.add_mjcf(path)
    turn = np.array([0.0, 0.0, np.sin(0.4), np.cos(0.4)])
    there.add_mjcf(path, position=(1, 2, 3), rotation=turn)
    here.gravity = there.gravity = (0, 0, 0)
    a, b = st.Simulator(here), st.Simulator(there)
    rng = np.random.default_rng(3)
    a.v = b.v = rng.standard_normal(len(a.v))
    ours, moved = a.sensors(), b.sensors()
    R = rotation_matrix(turn)
    for site in sensor_models.SITES:
        for kind in ("accelerometer", "gyro", "velocimeter"):
            assert moved[f"{kind}-{site}"] == pytest.approx(ours[f"{kind}-{site}"], abs=1e-9)
        assert moved[f"framepos-{site}"] == pytest.approx(R @ ours[f"framepos-{site}"] + (1, 2, 3), abs=1e-12)


REST = """<mujoco><option timestep=".002" {option}/><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
  <body name="box" pos="0 0 .1"><freejoint/><geom name="cube" type="box" size=".1 .1 .1" mass="2"/>
    <site name="sole" type="box" size=".15 .15 .01" pos="0 0 -.1"/><site name="head" pos="0 0 .1"/>
    <body name="load" pos="0 0 .15"><geom name="ball" size=".05" mass=".5"/><site name="neck" pos="0 0 -.05"/></body></body>
</worldbody><sensor><touch name="sole" site="sole"/><touch name="head" site="head"/><accelerometer name="acc" site="head"/>
  <force name="neck" site="neck"/><force name="ground" site="head"/>
  <contact name="all" data="found force dist pos normal" num="4" reduce="maxforce"/>
  <contact name="net" geom1="cube" geom2="floor" data="found force torque pos" reduce="netforce"/>
  <contact name="none" geom1="ball" data="found force"/>
  <rangefinder name="range" site="head"/></sensor></mujoco>"""


def test_at_rest_on_the_ground(tmp_path):
    """touch is the weight, the accelerometer reads +g, a force sensor below a load its weight. MuJoCo: the same after it settles."""
    _, sim, model = sensor_models.load(mujoco, REST.format(option='solver="Newton" tolerance="1e-14"'), tmp_path)
    sim.step(n=5)
    ours = sim.sensors()
    data = mujoco.MjData(model)
    for _ in range(3000):
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    assert ours["sole"] == pytest.approx(2.5 * 9.81, rel=1e-6)
    assert ours["head"] == 0.0
    assert ours["acc"] == pytest.approx((0, 0, 9.81), abs=1e-6)
    assert ours["neck"] == pytest.approx((0, 0, 0.5 * 9.81), abs=1e-6)
    assert ours["ground"] == pytest.approx((0, 0, 0), abs=1e-5)  # a free joint transmits nothing
    assert ours["all"].shape == (44,) and ours["all"][0] == 4
    slots = ours["all"].reshape(4, 11)
    assert slots[:, 1].sum() == pytest.approx(2.5 * 9.81, rel=1e-6)
    assert ours["net"][1:4] == pytest.approx((0, 0, -2.5 * 9.81), abs=1e-5)  # on the second side: the floor
    assert ours["net"][7:9] == pytest.approx((0, 0), abs=1e-6)
    assert (ours["none"] == 0).all()
    for name in ("sole", "head", "acc", "neck", "ground", "net", "none", "range"):
        theirs = sensor_models.reading(mujoco, model, data, name)
        assert ours[name] == pytest.approx(theirs, rel=1e-3, abs=2e-3), name


@pytest.mark.parametrize("kind", ["touch", "rangefinder"])
def test_cutoff_as_in_mujoco(kind, tmp_path):
    text = f"""<mujoco><worldbody><geom type="plane" size="5 5 .1"/><body pos="0 0 .1"><freejoint/>
      <geom type="sphere" size=".1" mass="2"/><site name="s" type="sphere" size=".2"/>
      <site name="down" pos="0 0 3" zaxis="0 0 -1"/><site name="up" pos="0 0 3"/></body></worldbody><sensor>
      <{kind} name="a" site="s" cutoff="5"/><{kind} name="b" site="down" cutoff="1.5"/><{kind} name="c" site="up" cutoff=".5"/>
      </sensor></mujoco>"""
    _, sim, model = sensor_models.load(mujoco, text, tmp_path)
    data = mujoco.MjData(model)
    for _ in range(2000):
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    sim.step(n=3)
    for name, ours in sim.sensors().items():
        assert ours == pytest.approx(sensor_models.reading(mujoco, model, data, name), abs=1e-3), name
