# SPDX-License-Identifier: BSD-2-Clause
"""What the player drives: a source with a present, which can be moved.

`LiveTrack` runs a simulator, `RecordedTrack` makes a track of any source.
"""

from __future__ import annotations

from typing import Protocol

from ..drawing.source import Source


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
        """Show a frame that exists.

        Parameters
        ----------
        index
            Its number.
        """

    def reset(self) -> None:
        """Back to the start."""
