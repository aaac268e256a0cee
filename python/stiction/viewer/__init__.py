# SPDX-License-Identifier: BSD-2-Clause
"""The viewer in the browser: `stiction view`, `stiction.view(sim)`.

    frame, drawing, visuals   what is shown, without any server
    source, live, recorded    where frames come from: the `Source` protocol, a simulator, a recording
    player                    one clock for all that is shown: play, pause, step, back, scrub
    stage, plots, panel       what the browser shows of it
    server, page              the port, and the page without one
    launch                    `view()`, which puts them together

Only server, stage, plots and panel know viser, which comes with the extra `viewer`.
"""

from __future__ import annotations

from .drawing import Drawing, Item
from .frame import Frame
from .launch import Viewer, view
from .recorded import RecordedTrack
from .source import Source, Track

__all__ = ["Drawing", "Frame", "Item", "RecordedTrack", "Source", "Track", "Viewer", "view"]
