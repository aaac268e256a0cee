# SPDX-License-Identifier: BSD-2-Clause
"""Recording a simulator while it runs.

Every step goes to the operating system in one write, before step() returns: a process that is killed has lost nothing but the
step it was in. Nothing is buffered, and so there is no flushing to wait for. (A machine that loses power may lose what the
system had not yet put on the disk.)
"""

from __future__ import annotations

import atexit
import json
import os
import platform
import weakref
import zlib
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from mcap.records import Attachment, Channel, Header, Metadata, Schema

from .. import _core
from .._core import InvalidInput, Simulator, StepReport
from ..output.arguments import named
from .finish import finish
from .messages import FORMAT, SCHEMAS, TOPICS, Input, Snapshot, State, encode_contacts, encode_report
from .ros_schemas import ROS_TOPICS, definition, schema_name
from .ros_view import RosView
from .stream import MAGIC, message_record, record_bytes

METADATA = "stiction"
_CHANNELS = {topic: i for i, topic in enumerate((*TOPICS, *ROS_TOPICS), 1)}
WORLD = "world"


def describe(sim: Simulator) -> dict[str, str]:
    """All that is needed to make the simulator again, beside its world; values are text, numbers and options in JSON."""
    return {
        "format": str(FORMAT), "version": _core.version, "compiler": _core.compiler, "machine": platform.machine(),
        "system": platform.system(), "settings": json.dumps(sim.settings), "scene": sim.scene,
        "parameters": json.dumps(sim.parameters), "fingerprint": str(sim.fingerprint),
        "sizes": json.dumps({"nq": sim.nq, "nv": sim.nv, "ntau": sim.ntau}),
        "bodies": json.dumps([body.name for body in sim.bodies]),
    }  # fmt: skip


def opening(sim: Simulator, shown: bool = True) -> bytes:
    """Everything that comes before the first message; `shown`: with the topics of ROS 2."""
    schemas = [Schema(id=i, name=f"stiction_msgs/msg/{name}", encoding="ros2msg", data=text.encode())
               for i, (name, text) in enumerate(SCHEMAS.values(), 1)]  # fmt: skip
    channels = [
        Channel(id=i, topic=topic, message_encoding="cdr", metadata={}, schema_id=i)
        for i, topic in enumerate(TOPICS, 1)
    ]
    kinds = {kind: i for i, kind in enumerate(dict.fromkeys(ROS_TOPICS.values()), len(TOPICS) + 1)} if shown else {}
    schemas += [Schema(id=i, name=schema_name(kind), encoding="ros2msg", data=definition(kind).encode())
                for kind, i in kinds.items()]  # fmt: skip
    channels += [Channel(id=i, topic=topic, message_encoding="cdr", metadata={}, schema_id=kinds[kind])
                 for i, (topic, kind) in enumerate(ROS_TOPICS.items(), len(TOPICS) + 1) if shown]  # fmt: skip
    world = Attachment(
        create_time=0, log_time=0, name=WORLD, media_type="application/zlib", data=zlib.compress(sim.save_world())
    )
    return MAGIC + record_bytes(
        Header(profile="ros2", library=f"stiction {_core.version}"), *schemas, *channels,
        Metadata(name=METADATA, metadata=describe(sim)), world,
    )  # fmt: skip


class Recorder:
    """Writes every step of a simulator to a file until close(), or the end of its `with` block. Made by record().

    Parameters
    ----------
    sim
        What is recorded.
    path
        Of the file, .mcap.
    every
        States, reports and contacts are kept every so many steps; inputs of every step.
    snapshots
        Steps between saved states, from which replays can start.
    contacts
        Keep contacts too.
    shown
        Pictures for Foxglove and ROS 2 per second of simulated time [1/s]; 0: none.
    """

    @named
    def __init__(
        self, sim: Simulator, path: str | os.PathLike[str], every: int = 1, snapshots: int = 1000, contacts: bool = True,
        shown: float = 50.0,
    ) -> None:  # fmt: skip
        for name, value in (("every", every), ("snapshots", snapshots)):
            if value < 1:
                raise InvalidInput(f"record.{name} is {value}, expected a number of steps >= 1")
        if not 0.0 <= shown < float("inf"):
            raise InvalidInput(f"record.shown is {shown}, expected pictures per second of simulated time >= 0")
        if getattr(_recorder_of(sim), "is_open", False):
            raise InvalidInput(
                f"record: the simulator is already recorded to '{_recorder_of(sim).path}'; close that recording first"
            )
        self.path = Path(path)
        self.steps = 0
        self.is_open = True
        self._sim, self._every, self._snapshots, self._contacts = sim, every, snapshots, contacts
        self._sequence = dict.fromkeys(_CHANNELS, 0)
        self._view = RosView(sim) if shown > 0.0 else None
        self._pause, self._due = 1.0 / shown if shown > 0.0 else float("inf"), sim.time
        self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        self._hash = sim.hash()
        first = [self._message(*message) for message in self._view.opening(sim)] if self._view is not None else []
        head = opening(sim, self._view is not None)
        self._write(head, self._snapshot("start", 0), self._state(0, self._hash), *first, *self._seen())
        _RECORDERS[id(sim)] = self
        sim.observe(weakref.ref(self))
        atexit.register(self.close)

    def before(self) -> None:
        """The engine calls it before step(): if somebody wrote to the state meanwhile, that is kept."""
        if self._sim.hash() != self._hash:
            self._write(self._snapshot("edited", self.steps))

    def after(self, report: StepReport, tau: Any, target: Any, wrenches: list[Any]) -> None:
        """The engine calls it after every single step.

        Parameters
        ----------
        report
            Of the step.
        tau
            Torques that step() was given, or None.
        target
            Targets of the PD that it was given, or None.
        wrenches
            Of apply_wrench since the step before.
        """
        sim, steps, now = self._sim, self.steps + 1, self._sim.hash()
        parts = []
        given = Input.of(steps, sim.time, tau, target, wrenches)
        if given is not None:
            parts.append(self._message("/input", given.encode()))
        if steps % self._every == 0:
            parts.append(self._state(steps, now))
            parts.append(self._message("/report", encode_report(steps, sim.time, report, sim.energy())))
            if self._contacts:
                parts.append(self._message("/contacts", encode_contacts(steps, sim.time, np.asarray(sim.contacts()))))
        parts += self._seen()
        if steps % self._snapshots == 0:
            parts.append(self._snapshot("period", steps))
        # Ctrl-C before this line: the step is not in the file, and close() keeps the state it left
        self.steps, self._hash = steps, now
        self._write(*parts)

    def close(self) -> None:
        """Finish the file. Nothing happens the second time."""
        if not self.is_open:
            return
        self.is_open = False
        self._sim.observe(None)
        _RECORDERS.pop(id(self._sim), None)
        atexit.unregister(self.close)
        try:
            self.before()
            self._write(self._snapshot("end", self.steps))
        finally:
            os.close(self._file)
            finish(self.path)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _message(self, topic: str, data: bytes) -> bytes:
        self._sequence[topic] += 1
        return message_record(_CHANNELS[topic], self._sequence[topic], max(0, round(1e9 * self._sim.time)), data)

    def _state(self, step: int, number: int) -> bytes:
        sim = self._sim
        return self._message("/state", State(step, sim.time, number, np.asarray(sim.q), np.asarray(sim.v)).encode())

    def _snapshot(self, reason: str, step: int) -> bytes:
        return self._message("/snapshot", Snapshot(step, self._sim.time, reason, self._sim.save()).encode())

    def _seen(self) -> list[bytes]:
        """What ROS 2 and Foxglove show of this moment, if it is due."""
        if self._view is None or self._sim.time < self._due - 1e-9:
            return []
        self._due = self._sim.time + self._pause
        return [self._message(*message) for message in self._view.moment(self._sim)]

    def _write(self, *parts: bytes) -> None:
        data = memoryview(b"".join(parts))
        while data:
            data = data[os.write(self._file, data) :]


_RECORDERS: weakref.WeakValueDictionary[int, Recorder] = weakref.WeakValueDictionary()


def _recorder_of(sim: Simulator) -> Any:
    return _RECORDERS.get(id(sim))


@named
def record(
    sim: Simulator, path: str | os.PathLike[str], *, every: int = 1, snapshots: int = 1000, contacts: bool = True,
    shown: float = 50.0,
) -> Recorder:  # fmt: skip
    """Record every step of a simulator to an MCAP file.

        with st.record(sim, "run.mcap"):
            sim.step(n=1000)

    Parameters
    ----------
    sim
        Its own step() is recorded, whoever calls it. The steps have the same bits with and without a recording.
    path
        The file; an older one is replaced.
    every
        States, contacts and reports of every so many steps; inputs are kept of all of them.
    snapshots
        Steps between saved states, from which a replay may start.
    contacts
        Whether contact points are recorded too.
    shown
        How often poses, joints and contact forces are written as messages of ROS 2, per second of simulated time [1/s]:
        Foxglove and RViz show them in 3D. 0: never, for the smallest files.

    Returns
    -------
    Recorder
        A context manager with close(). A program that dies leaves a file that `stiction replay`, `log` and `plot` still read.
    """
    return Recorder(sim, path, every, snapshots, contacts, shown)
