# SPDX-License-Identifier: BSD-2-Clause
"""How environments are looked at: pictures, and a page in the browser."""

from __future__ import annotations

import time

import numpy as np

from .._core import Simulator
from ..drawing.frame import Frame, frame_of
from ..drawing.items import Drawing
from ..drawing.visuals import drawing_of


class Pictures:
    """Draws simulators of one world, without a window or a graphics card."""

    def __init__(self, sim: Simulator, size: tuple[int, int], arrows: bool = True) -> None:
        from ..render import Painter

        self._painter = Painter(drawing_of(sim), size, arrows=arrows)

    def of(self, sim: Simulator) -> np.ndarray:
        return self._painter.paint(frame_of(sim, 0))


class Frames:
    """A Source that grows."""

    def __init__(self, sim: Simulator, title: str) -> None:
        self.title = title
        self.drawing: Drawing = drawing_of(sim)
        self._frames: list[Frame] = []

    def add(self, sim: Simulator) -> None:
        self._frames.append(frame_of(sim, len(self._frames)))

    def __len__(self) -> int:
        return len(self._frames)

    def frame(self, index: int) -> Frame:
        return self._frames[index]


class Window:
    """The viewer in the browser, which follows an environment at the pace of life."""

    def __init__(self, sim: Simulator, period: float, port: int) -> None:
        from ..viewer import view

        self._frames = Frames(sim, "environment")
        self._frames.add(sim)
        self._viewer = view(self._frames, port=port, title="environment")
        self._period, self._due = period, time.perf_counter()
        print(f"environment: {self._viewer.url}", flush=True)

    @property
    def url(self) -> str:
        return self._viewer.url

    def show(self, sim: Simulator) -> None:
        self._frames.add(sim)
        last = len(self._frames) - 1
        player = self._viewer.player
        player.do(lambda: player.go(last))
        now = time.perf_counter()
        if now < self._due:
            time.sleep(self._due - now)
        self._due = max(self._due, now) + self._period

    def close(self) -> None:
        self._viewer.close()
