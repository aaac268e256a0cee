# SPDX-License-Identifier: BSD-2-Clause
"""The viewer in the browser: `stiction view`, `stiction.view(sim)`.

    track, live, recorded     what the player drives: a simulator, or a recording (what is drawn comes from stiction.drawing)
    player                    one clock for all that is shown: play, pause, step, back, scrub
    stage, plots, panel       what the browser shows of it
    server, page              the port, and the page without one
    launch                    `view()`, which puts them together

Only server, stage, plots and panel know viser, which comes with the extra `viewer`.
"""

from __future__ import annotations

from ..drawing.frame import Frame
from ..drawing.items import Drawing, Item
from ..drawing.source import Source
from .launch import Viewer, view
from .recorded import RecordedTrack
from .track import Track

__all__ = ["Drawing", "Frame", "Item", "RecordedTrack", "Source", "Track", "Viewer", "view"]
