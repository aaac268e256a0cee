# SPDX-License-Identifier: BSD-2-Clause
"""Recordings as ROS 2 and Foxglove see them. Oracle: the decoder of mcap-ros2-support, which builds itself from the schemas in the file,
and the simulator's own queries."""

import json

import numpy as np
import pytest

import stiction as st
from repository import ROOT
from stiction.recording.ros_schemas import ROS_TOPICS
from stiction.rotations import rotation_matrix

pytest.importorskip("mcap_ros2")
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory

# names that Foxglove's 3D panel, plots and clock know
KNOWN = {"tf2_msgs/msg/TFMessage", "sensor_msgs/msg/JointState", "geometry_msgs/msg/WrenchStamped",
         "visualization_msgs/msg/MarkerArray", "rosgraph_msgs/msg/Clock"}  # fmt: skip


def messages(path):
    """{topic: [(schema name, time [s], message)]}"""
    found = {}
    with open(path, "rb") as file:
        for schema, channel, message, decoded in make_reader(
            file, decoder_factories=[DecoderFactory()]
        ).iter_decoded_messages():
            found.setdefault(channel.topic, []).append((schema.name, 1e-9 * message.log_time, decoded))
    return found


@pytest.fixture(scope="module")
def pushed(tmp_path_factory):
    path = tmp_path_factory.mktemp("ros") / "run.mcap"
    sim = st.scene("starleth_push")
    with st.record(sim, path):
        sim.step(n=100)
    return sim, path, messages(path)


def test_schemas_have_names_that_others_know(pushed):
    found = pushed[2]
    assert {found[topic][0][0] for topic in ROS_TOPICS} == KNOWN


def test_frames_are_the_poses_of_the_bodies(pushed):
    sim, _, found = pushed
    _, time, last = found["/tf"][-1]
    log = st.recording.load(pushed[1])
    model = log.model()
    k = int(np.argmin(abs(log.time - time)))
    model.q[:] = log.q[k]
    assert [t.child_frame_id for t in last.transforms] == [body.name for body in sim.bodies]
    assert {t.header.frame_id for t in last.transforms} == {"world"}
    got = [[t.transform.translation.x, t.transform.translation.y, t.transform.translation.z, t.transform.rotation.x,
            t.transform.rotation.y, t.transform.rotation.z, t.transform.rotation.w] for t in last.transforms]  # fmt: skip
    assert np.array(got) == pytest.approx(np.array(model.poses()), abs=1e-12)
    stamp = last.transforms[0].header.stamp
    assert stamp.sec + 1e-9 * stamp.nanosec == pytest.approx(time, abs=1e-9)


def test_fifty_moments_per_second(pushed):
    sim, _, found = pushed
    times = np.array([time for _, time, _ in found["/clock"]])
    assert times[0] == 0.0 and np.diff(times) == pytest.approx(0.02, abs=1e-9)
    assert len(times) == 1 + round(sim.time / 0.02)


def test_joints_have_their_names_and_angles(pushed):
    sim, _, found = pushed
    last = found["/joint_states"][-1][2]
    assert list(last.name) == sim.robots[0].joint_names
    assert np.array(last.position) == pytest.approx(list(sim.joints().values()), abs=1e-12)  # the last step was due


def test_wrenches_carry_the_weight(pushed):
    """In the frames of the feet's bodies; turned back, they sum up to what holds the robot."""
    sim, _, found = pushed
    wrenches, last = found["/contact_wrenches"], found["/contact_wrenches"][-1][1]
    names = [body.name for body in sim.bodies]
    total = np.zeros(3)
    for _, time, message in wrenches:
        if time == last:
            f = message.wrench.force
            total += rotation_matrix(sim.poses()[names.index(message.header.frame_id), 3:]) @ [f.x, f.y, f.z]
    assert total == pytest.approx(sim.contacts()["force"].sum(axis=0), abs=1e-9)


def test_torque_of_a_wrench_is_about_the_origin_of_the_body():
    """Oracle: by hand. A body at (1, 0, 0), turned by 90 degrees about z, is pushed up by 2 N at (1, 3, 0)."""
    from stiction.recording.ros_view import net_wrenches

    kind = [("point", float, 3), ("force", float, 3), ("body_a", int), ("body_b", int)]
    contacts = np.array([((1, 3, 0), (0, 0, 2), -1, 0)], kind)
    poses = np.array([[1, 0, 0, 0, 0, np.sqrt(0.5), np.sqrt(0.5)]])
    assert net_wrenches(contacts, poses)[0] == pytest.approx([0, 0, 2, 0, -6, 0], abs=1e-12)


def test_arrows_are_as_long_as_forces_are_strong(pushed):
    sim, _, found = pushed
    markers = found["/contact_forces"][-1][2].markers
    assert markers[0].action == 3  # what was drawn before goes
    blue = [m for m in markers[1:] if m.color.b > 0.8]
    lengths = sorted(np.linalg.norm([b.z - a.z for a, b in [m.points]]) for m in blue)
    forces = sorted(c["force"] @ c["normal"] for c in sim.contacts())
    assert np.array(lengths) / lengths[-1] == pytest.approx(np.array(forces) / forces[-1], rel=1e-9)


def test_every_shape_is_shown_once(tmp_path):
    """Oracle: counted by hand. A capsule is a cylinder and two balls."""
    world = st.World()
    world.add_ground()
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1))
    world.add_box(size=(0.1, 0.2, 0.3), mass=1.0, position=(1, 0, 0.15))
    world.add_capsule(radius=0.1, length=0.2, mass=1.0, position=(2, 0, 0.2))
    sim = st.Simulator(world)
    with st.record(sim, tmp_path / "run.mcap"):
        sim.step()
    ((_, _, shapes),) = messages(tmp_path / "run.mcap")["/shapes"]
    assert sorted(m.type for m in shapes.markers) == sorted([1, 2, 1, 3, 2, 2])
    ball = next(m for m in shapes.markers if m.header.frame_id == "sphere_0" and m.type == 2)
    assert (ball.scale.x, ball.scale.y, ball.scale.z) == (0.2, 0.2, 0.2) and ball.frame_locked
    box = next(m for m in shapes.markers if m.header.frame_id == "box_0" or m.header.frame_id == "box_1")
    assert (box.scale.x, box.scale.y, box.scale.z) == (0.1, 0.2, 0.3)


def test_replay_is_bit_exact_as_before_and_without_them(pushed, tmp_path):
    assert st.recording.replay(st.recording.load(pushed[1])).exact
    sim = st.scene("starleth_push")
    with st.record(sim, tmp_path / "small.mcap", shown=0.0):
        sim.step(n=100)
    assert not set(messages(tmp_path / "small.mcap")) & set(ROS_TOPICS)
    assert sim.hash() == pushed[0].hash()
    assert st.recording.replay(st.recording.load(tmp_path / "small.mcap")).exact


def test_recovered_files_keep_them(pushed, tmp_path):
    st.recording.recover(pushed[1], tmp_path / "whole.mcap")
    again = messages(tmp_path / "whole.mcap")
    assert {t: len(m) for t, m in again.items()} == {t: len(m) for t, m in pushed[2].items()}


def test_a_bad_rate_is_refused(tmp_path):
    with pytest.raises(st.InvalidInput, match=r"record\.shown"):
        st.record(st.scene("cube_slide"), tmp_path / "run.mcap", shown=-1.0)
    assert list(tmp_path.iterdir()) == []


def test_layout_shows_topics_and_fields_that_exist(pushed):
    """The layout for Foxglove names topics of a recording, and fields that their messages have."""
    found = pushed[2]
    panels = json.loads((ROOT / "examples" / "foxglove-layout.json").read_text())["configById"]
    (scene,) = [panel for name, panel in panels.items() if name.startswith("3D!")]
    assert set(scene["topics"]) <= set(found)
    assert scene["fixedFrame"] == found["/tf"][0][2].transforms[0].header.frame_id
    paths = [path["value"] for name, panel in panels.items() if name.startswith("Plot!") for path in panel["paths"]]
    assert len(paths) == 4
    for topic, field in (path.removesuffix("[:]").split(".") for path in paths):
        assert hasattr(found[topic][-1][2], field)
