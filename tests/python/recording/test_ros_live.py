# SPDX-License-Identifier: BSD-2-Clause
"""`stiction ros2` without ROS 2. Oracles: the messages of a recording of the same run, a clock that we turn ourselves, and a
stand-in for rclpy that keeps what it is given."""

import sys
import types

import pytest
from click.testing import CliRunner

import stiction as st
from stiction.cli import cli
from stiction.recording.ros_live import RosNode, publish
from stiction.recording.ros_schemas import ROS_TOPICS, schema_name


class Clock:
    """Time passes only while somebody waits."""

    def __init__(self):
        self.time = 0.0

    def now(self):
        return self.time

    def wait(self, seconds):
        self.time += seconds


def sent_by(sim, **options):
    clock, sent = Clock(), []
    moments = publish(sim, lambda topic, data: sent.append((topic, data)), now=clock.now, wait=clock.wait, **options)
    return moments, sent, clock.time


def test_what_is_published_is_what_a_recording_holds(tmp_path):
    reader = pytest.importorskip("mcap.reader")
    live, recorded = st.scene("starleth_push"), st.scene("starleth_push")
    steps = round(0.2 / live.dt)
    with st.record(recorded, tmp_path / "run.mcap", shown=50):
        recorded.step(n=steps)
    with open(tmp_path / "run.mcap", "rb") as file:
        kept = [(channel.topic, message.data)
                for _, channel, message in reader.make_reader(file).iter_messages(topics=list(ROS_TOPICS))]  # fmt: skip
    moments, sent, _ = sent_by(live, duration=0.2)
    assert live.hash() == recorded.hash()
    assert moments == 11  # the start and ten more
    for topic in ROS_TOPICS:
        assert [d for t, d in sent if t == topic] == [d for t, d in kept if t == topic] != []


@pytest.mark.parametrize("speed, took", [(1.0, 0.2), (4.0, 0.05), (0.0, 0.0)])
def test_simulated_time_keeps_pace_with_the_clock(speed, took):
    moments, _, time = sent_by(st.scene("cube_slide"), duration=0.2, rate=20.0, speed=speed)
    assert moments == 5
    assert time == pytest.approx(took, abs=1e-6)


def test_it_ends_when_it_is_told_to():
    answers = iter([True] * 7 + [False])
    sim = st.scene("cube_slide")
    sent_by(sim, going=lambda: next(answers))
    assert sim.time == pytest.approx(7 * sim.dt)


@pytest.mark.parametrize(
    "name, value", [("rate", 0.0), ("rate", float("nan")), ("speed", -1.0), ("speed", float("inf"))]
)
def test_numbers_that_make_no_sense_are_refused(name, value):
    with pytest.raises(st.InvalidInput, match=rf"publish\.{name} is"):
        sent_by(st.scene("cube_slide"), duration=0.1, **{name: value})


class StandIn:
    """What we use of rclpy; keeps publishers and their messages."""

    def __init__(self, monkeypatch):
        self.up, self.publishers, self.destroyed = False, {}, False
        qos = types.SimpleNamespace(
            QoSProfile=lambda **options: options,
            DurabilityPolicy=types.SimpleNamespace(TRANSIENT_LOCAL="kept", VOLATILE="passing"),
        )
        self._put(
            monkeypatch,
            "rclpy",
            init=self.init,
            ok=lambda: self.up,
            shutdown=self.init,
            create_node=lambda _: self,
            qos=qos,
        )
        self._put(monkeypatch, "rclpy.qos", **vars(qos))
        for kind in ROS_TOPICS.values():
            package, _, name = schema_name(kind).split("/")
            self._put(monkeypatch, f"{package}.msg", **{name: kind})
            self._put(monkeypatch, package)

    @staticmethod
    def _put(monkeypatch, name, **members):
        module = sys.modules.get(name) if isinstance(sys.modules.get(name), types.ModuleType) else None
        module = module or types.ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)

    def init(self):
        self.up = not self.up

    def create_publisher(self, kind, topic, quality):
        self.publishers[topic] = made = types.SimpleNamespace(kind=kind, quality=quality, sent=[])
        made.publish = made.sent.append
        return made

    def destroy_node(self):
        self.destroyed = True


def test_a_node_publishes_bytes_under_the_right_types(monkeypatch):
    ros = StandIn(monkeypatch)
    result = CliRunner().invoke(cli, ["ros2", "cube_slide", "--duration", "0.1", "--speed", "0"])
    assert result.exit_code == 0, result.output
    assert {topic: made.kind for topic, made in ros.publishers.items()} == ROS_TOPICS
    assert ros.publishers["/shapes"].quality["durability"] == "kept"
    assert ros.publishers["/tf"].quality["durability"] == "passing"
    assert len(ros.publishers["/tf"].sent) == 6 and len(ros.publishers["/shapes"].sent) == 1
    assert all(isinstance(data, bytes) and data[:4] == b"\x00\x01\x00\x00" for data in ros.publishers["/clock"].sent)
    assert ros.destroyed and not ros.up


def test_without_ros_the_sentence_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "rclpy", None)
    with pytest.raises(ImportError, match=r"comes with ROS 2 .* not from PyPI: install ROS 2"):
        RosNode()
