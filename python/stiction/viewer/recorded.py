# SPDX-License-Identifier: BSD-2-Clause
"""A finished source as a track: the present moves through frames that exist."""

from __future__ import annotations

import functools

from ..drawing.items import Drawing
from ..drawing.source import Source


class RecordedTrack:
    """Plays any Source.

    Parameters
    ----------
    source
        What is played; at least one frame.
    """

    def __init__(self, source: Source) -> None:
        if len(source) == 0:
            raise ValueError(f"'{source.title}' holds no frame; expected at least one")
        self.source = source
        self.at = 0
        self.frame = functools.lru_cache(maxsize=1024)(source.frame)  # the plots ask for the same ones again and again

    @property
    def title(self) -> str:
        return self.source.title

    @property
    def drawing(self) -> Drawing:
        return self.source.drawing

    def __len__(self) -> int:
        return len(self.source)

    def advance_to(self, time: float, budget: float) -> bool:
        """Go on to the last frame that is not after `time`; False at the end.

        Parameters
        ----------
        time
            [s].
        budget
            Ignored: frames exist already [s].
        """
        while self.at + 1 < len(self) and self.frame(self.at + 1).time <= time + 1e-12:
            self.at += 1
        return self.at + 1 < len(self)

    def step(self) -> bool:
        """One frame forward. False at the end."""
        self.at = min(self.at + 1, len(self) - 1)
        return self.at + 1 < len(self)

    def back(self) -> bool:
        """One frame back. False at the start."""
        self.at = max(self.at - 1, 0)
        return self.at > 0

    def go(self, index: int) -> None:
        """Show a frame.

        Parameters
        ----------
        index
            Its number; those beyond the ends are the first or the last.
        """
        self.at = min(max(index, 0), len(self) - 1)

    def reset(self) -> None:
        """Show the first frame."""
        self.at = 0
