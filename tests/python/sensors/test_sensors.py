# SPDX-License-Identifier: BSD-2-Clause
"""Sensors that users add. Oracles: closed forms (rest, free fall, circular motion), identities, bits."""

import numpy as np
import pytest

import stiction as st


def falling(**options):
    world = st.World()
    box = world.add_box(size=(0.2, 0.3, 0.4), mass=2.0, position=(0, 0, 5), **options)
    return world, box


def test_free_fall_feels_nothing_and_a_turning_body_feels_its_turn():
    world, box = falling(angular_velocity=(0, 0, 3.0))
    world.add_sensor("accelerometer", box, name="centre")
    world.add_sensor("accelerometer", box, name="rim", position=(0.1, 0, 0))
    world.add_sensor("gyro", box)
    world.add_sensor("velocimeter", box, name="speed", position=(0.1, 0, 0))
    sim = st.Simulator(world)
    sim.step(n=10)
    read = sim.sensors()
    assert read["centre"] == pytest.approx((0, 0, 0), abs=1e-9)
    assert read["rim"] == pytest.approx((-9 * 0.1, 0, 0), abs=1e-9)  # w x (w x r)
    assert read["gyro"] == pytest.approx((0, 0, 3), abs=1e-9)
    assert read["speed"] == pytest.approx((0, 0.3, -9.81 * sim.time), abs=1e-9)


def test_an_impact_is_felt_as_what_stops_it():
    world = st.World()
    world.add_ground()
    ball = world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1), velocity=(0, 0, -2))
    world.add_sensor("accelerometer", ball, name="acc")
    world.add_sensor("touch", ball, name="touch")
    sim = st.Simulator(world, dt=1e-3)
    sim.step()
    assert sim.sensors()["acc"] == pytest.approx((0, 0, 2 / 1e-3 + 9.81), rel=1e-5)
    assert sim.sensors()["touch"] == pytest.approx(2 / 1e-3 + 9.81, rel=1e-5)


def test_tau_of_the_last_step_counts(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(
        """<robot name="arm"><link name="base"/><link name="rod"><inertial><mass value="2"/><origin xyz="0 0 -.5"/>
        <inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="hinge" type="revolute">
        <parent link="base"/><child link="rod"/><axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="100" velocity="9"/>
        </joint></robot>"""
    )
    world = st.World()
    world.gravity = (0, 0, 0)
    world.add_urdf(path, fixed=True)
    world.add_sensor("frameangacc", "rod", name="alpha")
    world.add_sensor("torque", "rod", name="torque")
    sim = st.Simulator(world)
    sim.step([3.0])
    assert sim.sensors()["alpha"][1] == pytest.approx(3 / (0.1 + 2 * 0.25), rel=1e-9)
    assert sim.sensors()["torque"][1] == pytest.approx(3.0, rel=1e-9)
    sim.reset()
    assert sim.sensors()["alpha"] == pytest.approx((0, 0, 0), abs=1e-12)


def test_sensors_are_no_part_of_the_state():
    world, box = falling()
    plain = st.Simulator(world)
    world.add_sensor("accelerometer", box, noise=0.1)
    sim = st.Simulator(world)
    for _ in range(5):
        plain.step(), sim.step()
        sim.sensors(noise=True, seed=3)
    assert sim.hash() == plain.hash() and sim.save() == plain.save()


def test_noise_is_a_function_of_name_seed_and_time():
    world, box = falling()
    world.add_sensor("gyro", box, name="a", noise=0.5)
    world.add_sensor("gyro", box, name="b", noise=0.5)
    world.add_sensor("framequat", box, name="turn", noise=0.01)
    world.add_sensor("framezaxis", box, name="axis", noise=0.01)
    world.add_sensor("gyro", box, name="clean")
    sim = st.Simulator(world)
    samples = []
    for _ in range(2000):
        sim.step()
        read = sim.sensors(noise=True, seed=7)
        assert {k: v.tolist() for k, v in sim.sensors(noise=True, seed=7).items()} == {
            k: v.tolist() for k, v in read.items()
        }
        samples.append(read["a"])
        assert (read["clean"] == sim.sensors()["clean"]).all()
    assert (sim.sensors(noise=True, seed=8)["a"] != read["a"]).all()
    assert (read["a"] != read["b"]).all()
    assert np.linalg.norm(read["turn"]) == pytest.approx(1) and np.linalg.norm(read["axis"]) == pytest.approx(1)
    assert 0.001 < np.abs(read["turn"] - sim.sensors()["turn"]).max() < 0.05
    samples = np.array(samples)
    assert np.abs(samples.mean(axis=0)).max() < 5 * 0.5 / np.sqrt(2000)
    assert samples.std(axis=0) == pytest.approx(0.5, rel=0.1)
    assert np.abs(np.corrcoef(samples[1:, 0], samples[:-1, 0])[0, 1]) < 0.1


def test_after_restore_contacts_are_those_that_the_state_remembers():
    world = st.World()
    world.add_ground()
    box = world.add_box(size=(0.2, 0.2, 0.2), mass=3.0, position=(0, 0, 0.1))
    world.add_sensor("touch", box)
    world.add_sensor("accelerometer", box)
    sim = st.Simulator(world)
    sim.step(n=20)
    read, blob = sim.sensors(), sim.save()
    fresh = st.Simulator(world)
    assert fresh.sensors()["touch"] == 0.0
    fresh.restore(blob)
    assert fresh.sensors()["touch"] == pytest.approx(read["touch"], rel=1e-9)
    assert fresh.sensors()["accelerometer"] == pytest.approx((0, 0, 9.81), abs=1e-6)


def test_loops_hold_a_sensor_as_joints_do():
    """A weight that a loop holds hangs still: the accelerometer reads +g."""
    world, box = falling()
    world.add_contact_point(box, offset=(0, 0, 0.2), bilateral=True)
    world.add_sensor("accelerometer", box)
    sim = st.Simulator(world)
    sim.step(n=5)
    assert sim.sensors()["accelerometer"] == pytest.approx((0, 0, 9.81), abs=1e-6)


def test_sites():
    world, box = falling()
    world.add_site("corner", box, position=(0.1, 0.15, 0.2))
    world.add_site("lamp", position=(0, 0, 1))
    world.add_sensor("framepos", "corner", name="p")
    world.add_sensor("framepos", "lamp", name="from_corner", reference="corner")
    sim = st.Simulator(world)
    assert sim.site_pose("corner")[0] == pytest.approx((0.1, 0.15, 5.2))
    assert sim.sensors()["p"] == pytest.approx((0.1, 0.15, 5.2))
    assert sim.sensors()["from_corner"] == pytest.approx((-0.1, -0.15, -4.2))


def test_saved_worlds_keep_them():
    """Oracle: the same numbers, bit for bit, from a simulator of the saved bytes."""
    world, box = falling(angular_velocity=(1, 2, 3))
    world.add_site("corner", box, position=(0.1, 0.15, 0.2))
    for kind in ("accelerometer", "gyro", "framepos", "force", "touch", "rangefinder"):
        world.add_sensor(kind, "corner", noise=0.1, cutoff=3.0)
    world.add_sensor("contact", box, data="found force", num=2, reduce="mindist")
    world.add_sensor("subtreeangmom", box)
    sim = st.Simulator(world)
    again = st._core.simulator_of_world(sim.save_world(), "coulomb", "auto", "auto", sim.dt, {}, {}, {}, "minimal")
    assert again.save_world() == sim.save_world()
    ours, theirs = sim.sensors(noise=True), again.sensors(noise=True)
    assert {k: v.tolist() for k, v in ours.items()} == {k: v.tolist() for k, v in theirs.items()}
    assert again.site_pose("corner")[0].tolist() == sim.site_pose("corner")[0].tolist()


def test_two_robots_of_one_file_have_names_of_their_own(tmp_path):
    path = tmp_path / "one.xml"
    path.write_text(
        """<mujoco model="one"><worldbody><body name="b"><freejoint/><geom size=".1"/><site name="s"/></body></worldbody>
        <sensor><gyro name="g" site="s"/></sensor></mujoco>"""
    )
    world = st.World()
    first, second = world.add_mjcf(path), world.add_mjcf(path, position=(1, 0, 0))
    assert first.sites == ["s"]
    sim = st.Simulator(world)
    assert sim.sensor_names == ["one/g", "one_2/g"]
    assert sim.site_pose("one_2/s")[0] == pytest.approx((1, 0, 0))
    assert second.name == "one_2"


@pytest.mark.parametrize(
    ("kind", "values", "sentence"),
    [
        ("gyroscope", {}, "unknown kind of sensor 'gyroscope'"),
        ("gyro", {"cutoff": -1}, "cutoff is -1"),
        ("gyro", {"noise": float("nan")}, "noise is nan"),
        ("gyro", {"reference": "box_0"}, "a gyro has none"),
        ("gyro", {"other": "box_0"}, "has one side"),
        ("jointpos", {}, "expected the name of a joint"),
        ("clock", {}, "is about the world"),
        ("contact", {"data": "force found"}, "in the order found force"),
        ("contact", {"data": "weight"}, "unknown data 'weight'"),
        ("contact", {"reduce": "most"}, "unknown reduction 'most'"),
        ("contact", {"num": 0}, "num is 0"),
    ],
)
def test_bad_input_in_one_sentence(kind, values, sentence):
    world, box = falling()
    with pytest.raises(ValueError, match=sentence):
        world.add_sensor(kind, box, **values)
    assert st.Simulator(world).sensor_names == []


def test_names_are_unique_and_known():
    world, box = falling()
    world.add_sensor("gyro", box)
    world.add_sensor("gyro", box)
    assert st.Simulator(world).sensor_names == ["gyro", "gyro_2"]
    with pytest.raises(ValueError, match="'gyro' is already taken"):
        world.add_sensor("gyro", box, name="gyro")
    with pytest.raises(ValueError, match="unknown sensor 'gyros'; did you mean 'gyro'"):
        st.Simulator(world).sensors(["gyros"])
    with pytest.raises(ValueError, match="unknown site 'corner'"):
        st.Simulator(world).site_pose("corner")


def test_other_coordinates_are_right_or_refused(tmp_path):
    link = """<link name="{0}"><inertial><mass value="1"/><origin xyz="0 .1 -.2"/><inertia ixx=".1" iyy=".2" izz=".15" ixy="0" ixz="0"
      iyz="0"/></inertial></link>"""
    joint = """<joint name="{0}" type="revolute"><parent link="{1}"/><child link="{2}"/><origin xyz="0 0 -.4"/><axis xyz="{3}"/>
      <limit lower="-3" upper="3" effort="100" velocity="9"/></joint>"""
    path = tmp_path / "legs.urdf"
    path.write_text(
        '<robot name="legs">' + "".join(link.format(name) for name in ("trunk", "thigh", "shank"))
        + joint.format("hip", "trunk", "thigh", "0 1 0") + joint.format("knee", "thigh", "shank", "1 0 0") + "</robot>"
    )  # fmt: skip
    world = st.World()
    robot = world.add_urdf(path)
    world.add_sensor("gyro", robot, name="gyro")
    world.add_sensor("framepos", "shank", name="foot", position=(0, 0, -0.3))
    world.add_sensor("jointpos", "knee")
    world.add_sensor("accelerometer", robot, name="acc")
    minimal, maximal = st.Simulator(world), st.Simulator(world, coordinates="maximal")
    rng = np.random.default_rng(4)
    q = minimal.integrate(minimal.q, rng.standard_normal(len(minimal.v)))
    v = rng.standard_normal(len(minimal.v))
    minimal.q, minimal.v = q, v
    maximal.set_minimal_state(q, v)
    names = ["gyro", "foot", "jointpos"]
    for name, value in minimal.sensors(names).items():
        assert np.abs(value).max() > 0.01
        assert maximal.sensors(names)[name] == pytest.approx(value, abs=1e-9)
    with pytest.raises(ValueError, match=r"'acc' \(accelerometer\).*coordinates='minimal'"):
        maximal.sensors()
