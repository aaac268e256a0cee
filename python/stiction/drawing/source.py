# SPDX-License-Identifier: BSD-2-Clause
"""Where frames come from: `Source` is all that something finished (a recording) must offer to be shown."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from .frame import Frame
from .items import Drawing


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
