# SPDX-License-Identifier: BSD-2-Clause
"""A few pictures of a run, side by side: a report shows the robot and not only its curves."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Sequence
from types import TracebackType

import numpy as np

from .. import Simulator
from ..drawing.frame import frame_of
from ..drawing.visuals import drawing_of
from ..output.extras import need
from ..render.painter import Painter

SIZE = (300, 220)  # of one picture [pixels]
COUNT = 5  # pictures of a run
COLOURS = 64


class FilmStrip:
    """Looks at a simulator after every step and takes pictures at even times; for `measure(watch=…)`.

    Parameters
    ----------
    sim
        The simulator, at its start. The camera stays where it is then, so that motion can be seen.
    duration
        Length of the run [s].
    label
        Words above the strip.
    """

    def __init__(self, sim: Simulator, duration: float, label: str) -> None:
        self.label = label
        self.times: list[float] = []  # [s]
        self.pictures: list[bytes] = []  # PNG
        self._painter = Painter(drawing_of(sim), SIZE, zoom=1.25, follow=False)
        self._due = list(np.linspace(0.0, duration, COUNT) + sim.time)
        self(sim)

    def __call__(self, sim: Simulator) -> None:
        """Take a picture if one is due."""
        if self._due and sim.time >= self._due[0] - 0.5 * sim.dt:
            self._due.pop(0)
            self.times.append(sim.time)
            self.pictures.append(_png(self._painter.paint(frame_of(sim, 0))))

    def __enter__(self) -> FilmStrip:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass


def _png(picture: np.ndarray) -> bytes:
    image = need("PIL.Image")
    out = io.BytesIO()
    image.fromarray(picture).quantize(COLOURS, dither=image.Dither.NONE).save(out, format="PNG", optimize=True)
    return out.getvalue()


def strips_html(strips: Sequence[FilmStrip]) -> str:
    """The strips as HTML, pictures inline."""
    return "".join(_figure(strip) for strip in strips)


def _figure(strip: FilmStrip) -> str:
    label = html.escape(strip.label)
    pictures = "".join(
        f'<img alt="{label}, {time:.2f} s after the start" title="{time:.2f} s" '
        f'src="data:image/png;base64,{base64.b64encode(data).decode()}">'
        for time, data in zip(strip.times, strip.pictures, strict=True)
    )
    times = ", ".join(f"{time:.2f}" for time in strip.times)
    return f'<figure class="strip"><figcaption>{label} (t = {times} s)</figcaption><div>{pictures}</div></figure>'
