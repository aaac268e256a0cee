# SPDX-License-Identifier: BSD-2-Clause
"""Simulating a recording again and comparing every recorded state bit for bit."""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .. import _core
from .._core import InvalidInput, Simulator
from .messages import Input
from .reader import Recording


@dataclass
class Replay:
    """Outcome of replay(). `differs` is the first step whose state is not the recorded one, or None."""

    steps: int = 0
    compared: int = 0
    differs: int | None = None
    largest: float = 0.0  # difference of q and v there
    notes: list[str] = field(default_factory=list)  # what is not as it was: version, compiler, machine

    @property
    def exact(self) -> bool:
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


def give(sim: Simulator, given: Input | None) -> None:
    """One step with the recorded input."""
    if given is None:
        sim.step()
        return
    for w in given.wrenches:
        sim.apply_wrench(int(w["body"]), w["force"], w["torque"], w["point"] if w["at_point"] else None)
    target = given.target.reshape(1, -1) if given.table else given.target
    sim.step(given.tau if given.tau.size else None, target if given.target.size else None)


def replay(recording: Recording, start: int = 0, progress: Callable[[int], None] | None = None) -> Replay:
    """Simulate again from the last saved state at or before step `start`, and compare the hash of every state.

    `progress` is told the number of steps made so far. It stops at the first difference.
    """
    places = [i for i, s in enumerate(recording.snapshots) if s.step <= start]
    if not places:
        raise InvalidInput(f"replay.start is {start}, expected a step >= 0")
    sim = recording.simulator()
    out = Replay(notes=changed(recording))
    first = recording.snapshots[places[-1]]
    sim.restore(first.blob)
    step, begun = first.step, False
    for topic, place in recording.order:
        if topic == "/snapshot":
            snapshot = recording.snapshots[place]
            begun = begun or place == places[-1]
            if not begun:
                continue
            step = _advance(sim, recording, step, snapshot.step, out)
            if snapshot.reason == "edited":
                sim.restore(snapshot.blob)
            elif snapshot.reason == "period" and sim.save() != snapshot.blob:
                out.differs = step
                break
        elif topic == "/state" and begun and recording.step[place] > step:
            step = _advance(sim, recording, step, int(recording.step[place]), out)
            out.compared += 1
            if sim.hash() != int(recording.hash[place]):
                out.differs = step
                out.largest = float(
                    max(
                        np.abs(sim.q - recording.q[place]).max(initial=0.0),
                        np.abs(sim.v - recording.v[place]).max(initial=0.0),
                    )
                )
                break
            if progress is not None:
                progress(out.steps)
    return out


def _advance(sim: Simulator, recording: Recording, step: int, until: int, out: Replay) -> int:
    for number in range(step + 1, until + 1):
        give(sim, recording.inputs.get(number))
        out.steps += 1
    return max(step, until)
