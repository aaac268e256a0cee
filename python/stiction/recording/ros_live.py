# SPDX-License-Identifier: BSD-2-Clause
"""A running simulation on the topics of ROS 2: the messages of recordings, sent while it goes.

`publish` knows nothing of ROS 2: it hands topics and bytes to whoever sends them. `RosNode` sends them with rclpy.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from typing import Any

from .._core import InvalidInput, Simulator
from .ros_schemas import ROS_TOPICS, schema_name
from .ros_view import RosView

MISSING = (
    "publishing needs rclpy, which comes with ROS 2 (Humble or later) and not from PyPI: install ROS 2 (docs.ros.org), then "
    "`source /opt/ros/DISTRO/setup.bash`, and install stiction for the Python of that ROS 2. Without ROS 2: "
    "`stiction run SCENE --record run.mcap` writes the same messages, for Foxglove or `ros2 bag play`"
)
KEPT = ("/shapes",)  # sent once: who comes later gets them too
_SLACK = 1e-9  # [s]


def publish(
    sim: Simulator,
    send: Callable[[str, bytes], None],
    *,
    duration: float | None = None,
    rate: float = 50.0,
    speed: float = 1.0,
    going: Callable[[], bool] = lambda: True,
    now: Callable[[], float] = time.monotonic,
    wait: Callable[[float], None] = time.sleep,
) -> int:
    """Simulate, and send what ROS 2 shows of it.

    Parameters
    ----------
    sim
        What is stepped; whatever drives its scene goes on driving it.
    send
        Called with a topic and the bytes of a message (CDR, as in recordings).
    duration
        Simulated time [s]; None: until `going` says no.
    rate
        Moments that are sent per second of simulated time [1/s].
    speed
        Simulated seconds per second; 0: as fast as it goes.
    going
        Asked before every step.
    now, wait
        The clock [s], and what sleeps for so long [s].

    Returns
    -------
    int
        How many moments were sent.
    """
    for name, value, least in (("rate", rate, "> 0"), ("speed", speed, ">= 0")):
        if not (0.0 < value < float("inf")) and not (name == "speed" and value == 0.0):
            raise InvalidInput(f"publish.{name} is {value}, expected a number {least}")
    view, start, begin, due, sent = RosView(sim), sim.time, now(), sim.time, 0
    for message in view.opening(sim):
        send(*message)
    while True:
        if sim.time >= due - _SLACK:
            if speed > 0.0:
                wait(max(0.0, begin + (sim.time - start) / speed - now()))
            for message in view.moment(sim):
                send(*message)
            due, sent = sim.time + 1.0 / rate, sent + 1
        if (duration is not None and sim.time >= start + duration - _SLACK) or not going():
            return sent
        sim.step()


class RosNode:
    """A node of ROS 2 with a publisher per topic; a context manager. Call it with a topic and the bytes of a message.

    Parameters
    ----------
    name
        Of the node.
    """

    def __init__(self, name: str = "stiction") -> None:
        try:
            self._rclpy: Any = importlib.import_module("rclpy")
            kinds = {topic: _message_type(kind) for topic, kind in ROS_TOPICS.items()}
        except ImportError as error:
            raise ImportError(f"{MISSING} ({error})") from None
        self._rclpy.init()
        self._node = self._rclpy.create_node(name)
        self._publishers = {
            topic: self._node.create_publisher(kind, topic, self._quality(topic)) for topic, kind in kinds.items()
        }

    def _quality(self, topic: str) -> Any:
        qos = importlib.import_module("rclpy.qos")
        durability = qos.DurabilityPolicy.TRANSIENT_LOCAL if topic in KEPT else qos.DurabilityPolicy.VOLATILE
        return qos.QoSProfile(depth=10, durability=durability)

    def __call__(self, topic: str, data: bytes) -> None:
        self._publishers[topic].publish(data)  # rclpy takes bytes for a message that is encoded already

    def going(self) -> bool:
        """Whether ROS 2 is still up: Ctrl-C ends it."""
        return bool(self._rclpy.ok())

    def close(self) -> None:
        """Take the node down."""
        self._node.destroy_node()
        if self._rclpy.ok():
            self._rclpy.shutdown()

    def __enter__(self) -> RosNode:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _message_type(kind: str) -> Any:
    """The class of a type: sensor_msgs/JointState is sensor_msgs.msg.JointState."""
    package, _, name = schema_name(kind).split("/")
    return getattr(importlib.import_module(f"{package}.msg"), name)
