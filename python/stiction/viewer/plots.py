# SPDX-License-Identifier: BSD-2-Clause
"""Live plots of what the reports said: one chart per quantity, one line per track."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..drawing.frame import QUANTITIES, Frame
from .track import Track

if TYPE_CHECKING:
    import viser

WINDOW = 300  # frames shown
COLOURS = ("#2862b0", "#d1652a", "#2e8b57", "#8a4fb0")
FLOOR = 1e-16  # an exact zero has to be somewhere on a logarithmic chart

# Title and what is done to the numbers: the charts print few digits, so that units have to suit them.
CHARTS: dict[str, tuple[str, Callable[[np.ndarray], np.ndarray]]] = {
    "residual": ("log10 of the residual [N], rigid Coulomb", lambda x: np.log10(np.maximum(x, FLOOR))),
    "energy": ("energy [J]", lambda x: x),
    "penetration": ("penetration [um]", lambda x: 1e6 * x),
    "contacts": ("contacts", lambda x: x),
    "us_per_step": ("CPU time of a step [us]", lambda x: x),
}
assert tuple(CHARTS) == QUANTITIES


class Plots:
    """Charts in the panel; the x axis is simulated time."""

    def __init__(self, gui: viser.GuiApi, tracks: Sequence[Track]) -> None:
        import viser

        self._tracks = tracks
        titles = [track.title for track in tracks]
        lines = [
            viser.uplot.Series(label=title, stroke=COLOURS[i % len(COLOURS)], width=2) for i, title in enumerate(titles)
        ]
        self._charts: dict[str, Any] = {}
        for name, (label, _) in CHARTS.items():
            self._charts[name] = gui.add_uplot(
                (np.zeros(1), *(np.zeros(1) for _ in tracks)),
                (viser.uplot.Series(label="t [s]"), *lines),
                title=label,
                scales={"x": viser.uplot.Scale(time=False)},
                legend=viser.uplot.Legend(show=len(tracks) > 1),
                height=130,
            )

    def show(self) -> None:
        """The last WINDOW frames up to the present of every track, on the times of the first."""
        windows = [
            [track.frame(i) for i in range(max(0, track.at - WINDOW + 1), track.at + 1)] for track in self._tracks
        ]
        times = np.array([frame.time for frame in windows[0]])
        for name, chart in self._charts.items():
            curves = [_on_times(times, window, name) for window in windows]
            chart.data = (times, *(CHARTS[name][1](_without_gaps(curve)) for curve in curves))
            visible = [True, *(bool(np.isfinite(curve).any()) for curve in curves)]
            if [series.get("show", True) for series in chart.series] != visible:
                chart.series = tuple(
                    {**series, "show": show} for series, show in zip(chart.series, visible, strict=True)
                )


def _without_gaps(curve: np.ndarray) -> np.ndarray:
    """The charts cannot scale what holds NaN: gaps take the next value, or the last. A curve of nothing is hidden."""
    known = np.flatnonzero(np.isfinite(curve))
    if len(known) == 0:
        return np.zeros(len(curve))
    return curve[known[np.minimum(np.searchsorted(known, np.arange(len(curve))), len(known) - 1)]]


def _on_times(times: np.ndarray, window: list[Frame], name: str) -> np.ndarray:
    """Values of the frames nearest before the given times."""
    own = np.array([frame.time for frame in window])
    values = np.array([frame.values.get(name, np.nan) for frame in window])
    return values[np.clip(np.searchsorted(own, times + 1e-9) - 1, 0, len(own) - 1)]
