# SPDX-License-Identifier: BSD-2-Clause
"""A recording as something to be looked at: frames for the viewer and the renderer, without simulating again."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from .._core import Simulator
from ..output.arguments import named
from .messages import CONTACT
from .reader import Recording, load

if TYPE_CHECKING:
    from ..drawing.frame import Frame
    from ..drawing.items import Drawing


class RecordedSource:
    """Satisfies stiction.drawing.Source.

    Parameters
    ----------
    recording
        Of load().
    """

    @named
    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self._reports = {int(step): i for i, step in enumerate(recording.reports["step"])}

    @property
    def title(self) -> str:
        """Name of the recorded law."""
        return str(self.recording.settings["law"])

    @cached_property
    def _sim(self) -> Simulator:
        return self.recording.model()

    @cached_property
    def drawing(self) -> Drawing:
        from ..drawing.visuals import drawing_of

        sim = self.recording.model()
        sim.q, sim.v = self.recording.q[0], self.recording.v[0]
        return drawing_of(sim)

    def __len__(self) -> int:
        return len(self.recording)

    def frame(self, index: int) -> Frame:
        """The recorded moment at 0 <= index < len."""
        from ..drawing.frame import Frame

        r = self.recording
        self._sim.q, self._sim.v = r.q[index], r.v[index]
        step = int(r.step[index])
        contacts = r.contacts.get(step, np.empty(0, CONTACT))
        place = self._reports.get(step)
        if place is None:
            return Frame(float(r.time[index]), step, self._sim.poses(), contacts)
        report = {name: values[place] for name, values in r.reports.items()}
        values = {"residual": float(report["ncp"]), "energy": float(report["kinetic"] + report["potential"]),
                  "penetration": float(report["penetration"]), "contacts": float(report["contacts"])}  # fmt: skip
        return Frame(float(r.time[index]), step, self._sim.poses(), contacts, values, str(report["status"]))


@named
def source(path: str | os.PathLike[str] | Recording) -> RecordedSource:
    """Frames of a recording, for `st.view(st.recording.source("run.mcap"))`.

    Parameters
    ----------
    path
        Of the file, or a Recording that was loaded already.
    """
    return RecordedSource(path if isinstance(path, Recording) else load(path))
