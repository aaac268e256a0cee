# SPDX-License-Identifier: BSD-2-Clause
"""Simulating a recording again and comparing every recorded state bit for bit."""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .. import _core
from .._core import InvalidInput, Simulator, StepReport
from ..output.arguments import named
from .messages import Input, State, encode_contacts, encode_report
from .reader import Recording
from .stream import sound


@dataclass
class Replay:
    """Outcome of replay(). `differs` is the first step that is not the recorded one, or None."""

    steps: int = 0  # made
    compared: int = 0  # states
    differs: int | None = None
    what: str = ""  # differs there: state, report, contacts or snapshot
    largest: float = 0.0  # difference of q and v there
    complete: bool = True  # the recording was finished; if not, what is missing was not compared
    notes: list[str] = field(default_factory=list)  # what is not as it was: version, compiler, machine

    @property
    def exact(self) -> bool:
        """Whether every number of the replay is the recorded one, to the last bit."""
        return self.differs is None


def changed(recording: Recording) -> list[str]:
    """Sentences about what a bit may depend on and is not as it was."""
    now = {
        "version": _core.version,
        "compiler": _core.compiler,
        "machine": platform.machine(),
        "system": platform.system(),
    }
    return [
        f"recorded with {name} {recording.info.get(name)}, this is {here}"
        for name, here in now.items()
        if recording.info.get(name) != here
    ]


def give(sim: Simulator, given: Input | None) -> StepReport:
    """One step with the recorded input."""
    if given is None:
        return sim.step()
    for w in given.wrenches:
        sim.apply_wrench(int(w["body"]), w["force"], w["torque"], w["point"] if w["at_point"] else None)
    target = given.target.reshape(1, -1) if given.table else given.target
    return sim.step(given.tau if given.tau.size else None, target if given.target.size else None)


@named
def replay(recording: Recording, start: int = 0, progress: Callable[[int], None] | None = None) -> Replay:
    """Simulate again from the last saved state at or before step `start`, and compare every recorded state (its numbers and its
    hash), report and contact bit for bit.

    `progress` is told the number of steps made so far. It stops at the first difference.

    Parameters
    ----------
    recording
        Of load().
    start
        Step to begin at.
    progress
        Told the number of steps made so far.
    """
    places = [i for i, s in enumerate(recording.snapshots) if s.step <= start]
    if not places:
        raise InvalidInput(f"replay.start is {start}, expected a step >= 0")
    with sound(recording.path):
        return _Replaying(recording, places[-1], progress).run()


class _Replaying:
    def __init__(self, recording: Recording, first: int, progress: Callable[[int], None] | None) -> None:
        self.recording, self.first, self.progress = recording, first, progress
        self.sim = recording.simulator()
        self.out = Replay(notes=changed(recording), complete=recording.complete)
        self.step = recording.snapshots[first].step
        self.report: StepReport | None = None  # of the last step
        self.sim.restore(recording.snapshots[first].blob)

    def run(self) -> Replay:
        begun, every = False, int(self.recording.step[1]) if len(self.recording) > 1 else 1
        latest = 0  # step of the last state
        for topic, place in self.recording.order:
            if topic == "/state":
                latest = int(self.recording.step[place])
            if topic == "/snapshot":
                begun = begun or place == self.first
                if not latest <= self.recording.snapshots[place].step <= latest + every:
                    raise ValueError(f"saved state {place} is that of step {self.recording.snapshots[place].step}")
            if not begun or self.out.differs is not None:
                continue
            if topic == "/snapshot":
                self._snapshot(place)
            elif topic == "/state" and latest >= self.step:
                self._state(place, latest)
            elif topic in ("/report", "/contacts") and self.report is not None and self.step == latest:
                self._compare(topic[1:], topic, place)
        return self.out

    def _snapshot(self, place: int) -> None:
        snapshot = self.recording.snapshots[place]
        self._advance(snapshot.step)
        if snapshot.reason == "edited":
            self.sim.restore(snapshot.blob)
        elif self.sim.save() != snapshot.blob:
            self._differs("snapshot")

    def _state(self, place: int, step: int) -> None:
        self.out.compared += step > self.step
        self._advance(step)
        self._compare("state", "/state", place)
        if self.out.differs is not None:
            self.out.largest = float(
                max(
                    np.abs(self.sim.q - self.recording.q[place]).max(initial=0.0),
                    np.abs(self.sim.v - self.recording.v[place]).max(initial=0.0),
                )
            )
        elif self.progress is not None:
            self.progress(self.out.steps)

    def _compare(self, what: str, topic: str, place: int) -> None:
        if self._message(topic) != self.recording.message(topic, place):
            self._differs(what)

    def _message(self, topic: str) -> bytes:
        """What the simulator would record now."""
        sim = self.sim
        if topic == "/state":
            return State(self.step, sim.time, sim.hash(), np.asarray(sim.q), np.asarray(sim.v)).encode()
        if topic == "/report":
            return encode_report(self.step, sim.time, self.report, sim.energy())
        return encode_contacts(self.step, sim.time, np.asarray(sim.contacts()))

    def _differs(self, what: str) -> None:
        self.out.differs, self.out.what = self.step, what

    def _advance(self, until: int) -> None:
        for number in range(self.step + 1, until + 1):
            self.report = give(self.sim, self.recording.inputs.get(number))
            self.out.steps += 1
        self.step = max(self.step, until)
