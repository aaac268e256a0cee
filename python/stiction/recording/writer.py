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
from .finish import finish
from .messages import FORMAT, SCHEMAS, TOPICS, Input, Snapshot, State, encode_contacts, encode_report
from .stream import MAGIC, message_record, record_bytes

METADATA = "stiction"
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


def opening(sim: Simulator) -> bytes:
    """Everything that comes before the first message."""
    schemas = [Schema(id=i, name=f"stiction_msgs/msg/{name}", encoding="ros2msg", data=text.encode())
               for i, (name, text) in enumerate(SCHEMAS.values(), 1)]  # fmt: skip
    channels = [
        Channel(id=i, topic=topic, message_encoding="cdr", metadata={}, schema_id=i)
        for i, topic in enumerate(TOPICS, 1)
    ]
    world = Attachment(
        create_time=0, log_time=0, name=WORLD, media_type="application/zlib", data=zlib.compress(sim.save_world())
    )
    return MAGIC + record_bytes(
        Header(profile="ros2", library=f"stiction {_core.version}"), *schemas, *channels,
        Metadata(name=METADATA, metadata=describe(sim)), world,
    )  # fmt: skip


class Recorder:
    """Writes every step of a simulator to a file until close(), or the end of its `with` block. Made by record()."""

    def __init__(
        self, sim: Simulator, path: str | os.PathLike[str], every: int = 1, snapshots: int = 1000, contacts: bool = True
    ) -> None:
        for name, value in (("every", every), ("snapshots", snapshots)):
            if value < 1:
                raise InvalidInput(f"record.{name} is {value}, expected a number of steps >= 1")
        if getattr(_recorder_of(sim), "is_open", False):
            raise InvalidInput(
                f"record: the simulator is already recorded to '{_recorder_of(sim).path}'; close that recording first"
            )
        self.path = Path(path)
        self.steps = 0
        self.is_open = True
        self._sim, self._every, self._snapshots, self._contacts = sim, every, snapshots, contacts
        self._sequence = [0] * len(TOPICS)
        self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        self._hash = sim.hash()
        self._write(opening(sim), self._snapshot("start", 0), self._state(0, self._hash))
        _RECORDERS[id(sim)] = self
        sim.observe(weakref.ref(self))
        atexit.register(self.close)

    def before(self) -> None:
        """The engine calls it before step(): if somebody wrote to the state meanwhile, that is kept."""
        if self._sim.hash() != self._hash:
            self._write(self._snapshot("edited", self.steps))

    def after(self, report: StepReport, tau: Any, target: Any, wrenches: list[Any]) -> None:
        """The engine calls it after every single step."""
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
        i = TOPICS.index(topic)
        self._sequence[i] += 1
        return message_record(i + 1, self._sequence[i], max(0, round(1e9 * self._sim.time)), data)

    def _state(self, step: int, number: int) -> bytes:
        sim = self._sim
        return self._message("/state", State(step, sim.time, number, np.asarray(sim.q), np.asarray(sim.v)).encode())

    def _snapshot(self, reason: str, step: int) -> bytes:
        return self._message("/snapshot", Snapshot(step, self._sim.time, reason, self._sim.save()).encode())

    def _write(self, *parts: bytes) -> None:
        data = memoryview(b"".join(parts))
        while data:
            data = data[os.write(self._file, data) :]


_RECORDERS: weakref.WeakValueDictionary[int, Recorder] = weakref.WeakValueDictionary()


def _recorder_of(sim: Simulator) -> Any:
    return _RECORDERS.get(id(sim))


def record(
    sim: Simulator, path: str | os.PathLike[str], *, every: int = 1, snapshots: int = 1000, contacts: bool = True
) -> Recorder:
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

    Returns
    -------
    Recorder
        A context manager with close(). A program that dies leaves a file that `stiction replay`, `log` and `plot` still read.
    """
    return Recorder(sim, path, every, snapshots, contacts)
