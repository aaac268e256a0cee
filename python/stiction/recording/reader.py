# SPDX-License-Identifier: BSD-2-Clause
"""Reading a recording, finished or cut short."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import cached_property, wraps
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from mcap.opcode import Opcode
from mcap.records import Attachment, Channel, Metadata

from .. import _core
from .._core import InvalidInput, Simulator
from ..output.arguments import named
from ..simulate import scene
from .messages import FORMAT, REPORT_NUMBERS, TOPICS, Input, Snapshot, State, decode_contacts, decode_report
from .stream import Stream, parse, sound, split_message, unpack
from .writer import METADATA, WORLD

T = TypeVar("T")


def _sound(read: Callable[[Recording], T]) -> Callable[[Recording], T]:
    """Bytes that cannot be read are a sentence about the file."""

    @wraps(read)
    def checked(self: Recording) -> T:
        with sound(self.path):
            return read(self)

    return checked


class Recording:
    """What a file holds. Arrays have one row per recorded step, the start included.

    Attributes
    ----------
    complete : whether the file was finished; if not, everything up to the last whole record is here
    info : version, compiler, machine, scene, … as text
    settings : law, solver, stepper, dt, options and coordinates

    Parameters
    ----------
    path
        Of the file.
    """

    @named
    def __init__(self, path: str | os.PathLike[str]) -> None:
        stream = Stream(Path(path))
        self.path = stream.path
        self.info: dict[str, str] = {}
        self._world = b""
        self._messages: dict[str, list[memoryview]] = {topic: [] for topic in TOPICS}
        # of snapshots and steps, as they were written: ("/snapshot", place in its list)
        self.order: list[tuple[str, int]] = []
        with sound(path):
            self._read(stream)
        self.complete = stream.complete
        self._check()

    def _read(self, stream: Stream) -> None:
        topics: dict[int, str] = {}
        for opcode, content in stream.records():
            if opcode == Opcode.MESSAGE:
                channel, _, _, data = split_message(content)
                topic = topics.get(channel, "")
                if topic in self._messages:
                    self.order.append((topic, len(self._messages[topic])))
                    self._messages[topic].append(data)
            elif opcode == Opcode.CHANNEL:
                read = parse(Channel, content)
                topics[read.id] = read.topic
            elif opcode == Opcode.METADATA and (found := parse(Metadata, content)).name == METADATA:
                self.info = found.metadata
            elif opcode == Opcode.ATTACHMENT and (attached := parse(Attachment, content)).name == WORLD:
                self._world = attached.data

    @_sound
    def _check(self) -> None:
        if not self.info:
            raise InvalidInput(
                f"'{self.path}' is an MCAP file but not a recording of stiction: it lacks the metadata '{METADATA}'"
            )
        if int(self.info["format"]) > FORMAT:
            raise InvalidInput(
                f"recording '{self.path}' has format {self.info['format']}, this version reads up to {FORMAT}; "
                f"read it with stiction {self.info['version']}"
            )
        if not self._world or not self._messages["/state"]:
            raise InvalidInput(f"recording '{self.path}' ends before its first state; there is nothing to recover")
        self.settings: dict[str, Any] = _json(self.info, "settings", dict)
        self.parameters: dict[str, Any] = _json(self.info, "parameters", dict)
        self.sizes: dict[str, int] = _json(self.info, "sizes", dict)
        self.bodies: list[str] = [str(name) for name in _json(self.info, "bodies", list)]  # names of the moving bodies
        for name in ("version", "compiler", "machine", "scene", "fingerprint"):
            self.info[name]

    def __len__(self) -> int:
        return len(self._messages["/state"])

    @cached_property
    @_sound
    def _states(self) -> list[State]:
        states = [State.decode(data) for data in self._messages["/state"]]
        every = states[1].step if len(states) > 1 else 1
        for number, s in enumerate(states):
            if s.step != number * every:
                raise ValueError(f"state {number} is that of step {s.step}, expected {number * every}")
            if (len(s.q), len(s.v)) != (self.sizes["nq"], self.sizes["nv"]):
                raise ValueError(f"the state of step {s.step} has {len(s.q)} positions and {len(s.v)} velocities")
        return states

    def message(self, topic: str, place: int) -> memoryview:
        """The bytes of a message, places as in `order`.

        Parameters
        ----------
        topic
            Name of the channel, such as /state.
        place
            Number of the message in the file.
        """
        return self._messages[topic][place]

    @cached_property
    def step(self) -> np.ndarray:
        """Number of each state's step, 0 is the start."""
        return np.array([s.step for s in self._states])

    @cached_property
    def time(self) -> np.ndarray:
        """[s]"""
        return np.array([s.time for s in self._states])

    @cached_property
    def hash(self) -> np.ndarray:
        """Simulator.hash() of each state."""
        return np.array([s.hash for s in self._states], dtype=np.uint64)

    @cached_property
    def q(self) -> np.ndarray:
        """(states, nq)"""
        return np.array([s.q for s in self._states])

    @cached_property
    def v(self) -> np.ndarray:
        """(states, nv)"""
        return np.array([s.v for s in self._states])

    @cached_property
    @_sound
    def reports(self) -> dict[str, np.ndarray]:
        """Arrays by name: step, time, ncp, own, penetration, kinetic, potential, iterations, contacts, …, status."""
        rows = [decode_report(data) for data in self._messages["/report"]]
        names = ("step", "time", *REPORT_NUMBERS, "status")
        return {name: np.array([row[name] for row in rows]) for name in names}

    @cached_property
    @_sound
    def contacts(self) -> dict[int, np.ndarray]:
        """By step: a structured array of point, normal, force, gap, slip, body_a, body_b, geom_a, geom_b, mode (0, 1, 2), index."""
        return dict(decode_contacts(data) for data in self._messages["/contacts"])

    @cached_property
    @_sound
    def inputs(self) -> dict[int, Input]:
        """By step: tau, target and wrenches; steps without input are not in it."""
        return {given.step: given for given in map(Input.decode, self._messages["/input"])}

    @cached_property
    @_sound
    def snapshots(self) -> list[Snapshot]:
        """Saved states, with the step after which and the reason why they were taken."""
        found = [Snapshot.decode(data) for data in self._messages["/snapshot"]]
        if not found:
            raise ValueError("it has no saved state")
        return found

    @_sound
    def simulator(self) -> Simulator:
        """A simulator of the recorded world with the recorded settings, at the recorded start."""
        if self.info["scene"]:  # brings its drive along
            try:
                sim = scene(self.info["scene"], **self.parameters, **self.settings)
                if sim.fingerprint == int(self.info["fingerprint"]):
                    sim.restore(self.snapshots[0].blob)
                    return sim
            except InvalidInput as error:
                raise InvalidInput(
                    f"recording '{self.path}': scene '{self.info['scene']}' cannot be made again: {error}"
                ) from None
            raise InvalidInput(
                f"recording '{self.path}': scene '{self.info['scene']}' of this version is another world than the recorded one; "
                f"use stiction {self.info['version']}"
            )
        sim = self.model()
        sim.restore(self.snapshots[0].blob)
        return sim

    @_sound
    def model(self) -> Simulator:
        """A simulator of the recorded world without a scene's drive: for poses, geometry and queries."""
        return _core.simulator_of_world(unpack("zlib", self._world), **self.settings)


def _json(info: dict[str, str], name: str, kind: type[Any]) -> Any:
    found = json.loads(info[name])
    if not isinstance(found, kind):
        raise ValueError(f"its {name} are not a {kind.__name__}")
    return found


@named
def load(path: str | os.PathLike[str]) -> Recording:
    """Read a recording made by record() or `stiction run --record`, whether it was finished or cut short.

    Parameters
    ----------
    path
        Of the file.
    """
    return Recording(path)
