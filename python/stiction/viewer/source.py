# SPDX-License-Identifier: BSD-2-Clause
"""Where frames come from.

`Source` is all that something finished (a recording) must offer to be shown. `Track` is what the player drives: a source
with a present, which can be moved. `LiveTrack` runs a simulator, `RecordedTrack` makes a track of any source.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from .drawing import Drawing
from .frame import Frame


@runtime_checkable
class Source(Protocol):
    """Frames that exist already, in the order of time."""

    @property
    def title(self) -> str:
        """What is shown beside it, e.g. the name of the law."""

    @property
    def drawing(self) -> Drawing:
        """Bodies and shapes; Drawing.of(sim) makes it of any simulator of the same world."""

    def __len__(self) -> int:
        """Number of frames, at least one."""

    def frame(self, index: int) -> Frame:
        """The frame at 0 <= index < len."""


class Track(Source, Protocol):
    """A source with a present."""

    at: int  # index of the frame that is shown

    def advance_to(self, time: float, budget: float) -> bool:
        """Go on until `time` [s], but spend at most about `budget` seconds. False at the end of what there is."""

    def step(self) -> bool:
        """One step (recordings: one frame) forward."""

    def back(self) -> bool:
        """One step (recordings: one frame) back. False at the start."""

    def go(self, index: int) -> None:
        """Show a frame that exists."""

    def reset(self) -> None:
        """Back to the start."""
