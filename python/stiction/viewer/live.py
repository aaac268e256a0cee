# SPDX-License-Identifier: BSD-2-Clause
"""A simulator as a track, with a past.

Every frame keeps the blob of its state and the input that led to it, so that going back is exact: a step back restores the
frame before and repeats all steps but the last with the same input, bit for bit. The past is bounded in frames and bytes;
the oldest frames are dropped.
"""

from __future__ import annotations

import time as clock
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..drawing.frame import Frame, frame_of
from ..drawing.items import Drawing

if TYPE_CHECKING:
    from stiction import Simulator

FRAMES, BYTES = 7200, 256 << 20  # of the past


@dataclass(frozen=True)
class Input:
    """What acts on the simulator from outside during the steps of a frame."""

    body: int = -1  # that is pulled; -1 is none
    force: tuple[float, float, float] = (0.0, 0.0, 0.0)  # [N], world axes
    target: tuple[float, ...] | None = None  # of the joints; None leaves it
    ctrl: tuple[float, ...] | None = None  # of the actuators; None leaves it


@dataclass(frozen=True)
class Moment:
    """A frame, the state in it, and how it was reached from the one before."""

    frame: Frame
    blob: bytes
    steps: int
    given: Input


class LiveTrack:
    """Runs a simulator. All methods are for one thread; the player's."""

    def __init__(self, sim: Simulator, title: str = "", drawing: Drawing | None = None) -> None:
        self._start = sim.clone()
        self.drawing = drawing or Drawing.of(sim)
        self.given = Input()
        self._title = title
        self._begin(self._start)

    def _begin(self, sim: Simulator) -> None:
        self._fresh = sim  # never stepped: the start of this run
        self.sim = sim.clone()
        self.at = 0
        self._seconds_per_step = 1e-4  # estimate, wall clock
        self._past = [Moment(frame_of(self.sim, 0), self.sim.save(), 0, Input())]
        self._bytes = len(self._past[0].blob)

    @property
    def title(self) -> str:
        return self._title or self.sim.law

    def __len__(self) -> int:
        return len(self._past)

    def frame(self, index: int) -> Frame:
        return self._past[index].frame

    @property
    def now(self) -> Frame:
        return self._past[self.at].frame

    # ---- forward ----------------------------------------------------------------------------------------------------

    def advance_to(self, time: float, budget: float) -> bool:
        steps = int((time - self.sim.time) / self.sim.dt + 1e-6)
        affordable = max(1, int(min(budget / self._seconds_per_step, 1e9)))
        return self._advance(min(steps, affordable)) if steps >= 1 else True

    def step(self) -> bool:
        return self._advance(1)

    def _advance(self, steps: int) -> bool:
        """False if a step failed: the state stays at its last good value."""
        self._bytes -= sum(len(moment.blob) for moment in self._past[self.at + 1 :])
        del self._past[self.at + 1 :]
        moment = self._run(self._past[-1].frame.step, steps, self.given)
        self._append(moment)
        return moment.frame.status not in ("numerical_failure", "unphysical")

    def _run(self, first: int, steps: int, given: Input) -> Moment:
        if given.body >= 0:
            self.sim.apply_wrench(given.body, given.force)
        if given.ctrl is not None:
            self.sim.ctrl = np.array(given.ctrl)
        wanted: Any = {} if given.target is None else {"target": np.array(given.target)}
        wall, cpu = clock.perf_counter(), clock.thread_time()
        report = self.sim.step(n=steps, **wanted)
        cpu, wall = clock.thread_time() - cpu, clock.perf_counter() - wall
        self._seconds_per_step += 0.2 * (wall / steps - self._seconds_per_step)
        frame = frame_of(self.sim, first + report.steps, report, 1e6 * cpu / steps)
        return Moment(frame, self.sim.save(), max(report.steps, 1), given)

    def _append(self, moment: Moment) -> None:
        self._past.append(moment)
        self._bytes += len(moment.blob)
        while len(self._past) > 2 and (len(self._past) > FRAMES or self._bytes > BYTES):
            self._bytes -= len(self._past.pop(0).blob)
        self.at = len(self._past) - 1

    # ---- back -------------------------------------------------------------------------------------------------------

    def back(self) -> bool:
        if self.at == 0:
            return False
        last, before = self._past[self.at], self._past[self.at - 1]
        self.sim.restore(before.blob)
        if last.steps == 1:
            self.at -= 1
            return True
        between = self._run(before.frame.step, last.steps - 1, last.given)
        self._past[self.at] = replace(last, steps=1)
        self._past.insert(self.at, between)
        return True

    def go(self, index: int) -> None:
        self.at = min(max(index, 0), len(self._past) - 1)
        self.sim.restore(self._past[self.at].blob)

    def reset(self) -> None:
        self._begin(self._fresh)

    def restart(self, law: str, solver: str, stepper: str, dt: float) -> None:
        """Back to the start under other settings; refused combinations raise InvalidInput and change nothing."""
        self._begin(self._start.variant(law=law, solver=solver, stepper=stepper, dt=dt))

    def start_at(self, keyframe: str) -> None:
        """Begin anew at a keyframe; `reset` and `restart` go there from then on."""
        for sim in (self._start, self._fresh):
            sim.set_keyframe(keyframe)
        self.given = replace(self.given, ctrl=None)
        self._begin(self._fresh)

    def hold(self, kp: float, kd: float) -> None:
        """Switch the joint PD on, from the present state on and after every restart."""
        for sim in (self._start, self._fresh, self.sim):
            sim.set_pd(kp, kd, implicit=True)
        self._past[self.at] = replace(self._past[self.at], blob=self.sim.save())
