# SPDX-License-Identifier: BSD-2-Clause
"""One clock for all tracks. A thread of its own owns them: everything else reaches them by `do(function)`.

While playing, a tick comes every 1/60 s and lets simulated time go on by the speed times what passed on the wall. A simulation that is
slower than that falls behind the wall: what one tick may spend is bounded, so that the browser is served in between.
"""

from __future__ import annotations

import logging
import queue
import threading
import time as clock
from collections.abc import Callable, Sequence
from functools import partial

from .track import Track

TICK = 1.0 / 60.0  # [s] between frames
LONGEST = 0.1  # [s] of the wall that one tick makes up for
BUDGET = 0.03  # [s] of one tick that the tracks may spend on steps

Task = Callable[[], object]


class Player:
    """Plays tracks side by side at the same simulated time; calls `draw` after every change, from its own thread."""

    def __init__(self, tracks: Sequence[Track], draw: Task) -> None:
        self.tracks = list(tracks)
        self.playing = False
        self.speed = 1.0
        self.frames_drawn = 0
        self._draw = draw
        self._tasks: queue.Queue[Task] = queue.Queue()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="stiction viewer", daemon=True)
        self._time = 0.0

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(timeout=5.0)

    def do(self, task: Task) -> None:
        """Run a function in the player's thread, between two frames, then draw."""
        self._tasks.put(task)

    def wait(self) -> None:
        """Until everything that do() was given has been done."""
        done = threading.Event()
        self.do(done.set)
        done.wait()

    # ---- what the buttons do: to be called inside do() --------------------------------------------------------------

    def play(self) -> None:
        self._time = self.time
        self.playing = True

    def pause(self) -> None:
        self.playing = False

    def step(self) -> None:
        """The first track makes a step, the others follow to its time."""
        self.playing = False
        self.tracks[0].step()
        self._follow()

    def back(self) -> None:
        self.playing = False
        for track in self.tracks:
            track.back()

    def go(self, index: int) -> None:
        self.playing = False
        for track in self.tracks:
            track.go(min(index, len(track) - 1))

    def reset(self) -> None:
        self.playing = False
        for track in self.tracks:
            track.reset()

    @property
    def time(self) -> float:
        first = self.tracks[0]
        return first.frame(first.at).time

    def _follow(self) -> None:
        for track in self.tracks[1:]:
            track.advance_to(self.time, BUDGET)

    # ---- the loop ---------------------------------------------------------------------------------------------------

    def tick(self, elapsed: float = TICK) -> None:
        """One frame further, `elapsed` seconds of the wall after the last."""
        self._time += elapsed * self.speed
        going = [track.advance_to(self._time, BUDGET / len(self.tracks)) for track in self.tracks]
        # do not catch up with what was too slow
        self._time = max(min(self._time, self.time + 2 * TICK * self.speed), self.time)
        if not all(going):
            self.playing = False

    def _loop(self) -> None:
        due = last = clock.perf_counter()
        while not self._stopped.is_set():
            changed = self._do_tasks(max(0.0, due - clock.perf_counter()) if self.playing else 0.1)
            now = clock.perf_counter()
            if not self.playing:
                due = last = now
            elif now >= due:
                elapsed, last, due = min(max(now - last, TICK), LONGEST), now, max(due + TICK, now - TICK)
                self._guarded(partial(self.tick, elapsed))
                changed = True
            if changed and not self._stopped.is_set():
                self._guarded(self._draw)
                self.frames_drawn += 1

    def _do_tasks(self, timeout: float) -> bool:
        """All that is waiting; waits for the first one at most `timeout` seconds."""
        done = False
        try:
            task = self._tasks.get(timeout=timeout) if timeout > 0.0 else self._tasks.get_nowait()
            while True:
                self._guarded(task)
                done = True
                task = self._tasks.get_nowait()
        except queue.Empty:
            return done

    def _guarded(self, task: Task) -> None:
        """What goes wrong in one task must not end the thread: it pauses and is logged."""
        try:
            task()
        except Exception:
            self.playing = False
            logging.getLogger("stiction.viewer").exception("the viewer pauses")
