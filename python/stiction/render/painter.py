# SPDX-License-Identifier: BSD-2-Clause
"""Pictures and films of simulators and recordings."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from .._core import InvalidInput, Simulator
from ..drawing.frame import Frame, frame_of
from ..drawing.items import Drawing
from ..drawing.source import Source
from ..drawing.visuals import drawing_of
from ..output.arguments import named
from ..output.extras import need
from .camera import Camera
from .film import Film
from .picture import draw
from .surface import Bodies

SIZE = (960, 540)


class Painter:
    """Draws frames of one world. The camera follows the middle of what moves, sideways only.

    Parameters
    ----------
    drawing
        The world: Drawing.of(sim).
    size
        Width and height [pixels].
    azimuth
        Of the camera about the vertical [deg].
    elevation
        Of the camera above the horizontal [deg].
    zoom
        1 shows what moves and a margin [-].
    arrows
        Draw contact forces.
    follow
        Let the camera follow what moves.
    label
        Text in the corner.
    """

    @named
    def __init__(
        self, drawing: Drawing, size: tuple[int, int] = SIZE, *, azimuth: float = -55.0, elevation: float = 18.0, zoom: float = 1.0,
        arrows: bool = True, follow: bool = True, label: str = "",
    ) -> None:  # fmt: skip
        if min(size) < 16 or max(size) > 8192:
            raise InvalidInput(f"size is {size[0]}x{size[1]}, expected 16 to 8192 pixels each way")
        self.size, self.arrows, self.follow, self.label = size, arrows, follow, label
        self._bodies = Bodies(drawing)
        self._stand = (azimuth, elevation, zoom)
        self._camera: Camera | None = None
        self._start = np.zeros(3)

    def paint(self, frame: Frame) -> np.ndarray:
        """(height, width, 3) bytes.

        Parameters
        ----------
        frame
            The moment to paint.
        """
        middle = np.median(frame.poses[:, :3], axis=0) if len(frame.poses) else np.zeros(3)
        if self._camera is None:
            self._start = middle
            self._camera = Camera.around(*self._bodies.box(frame), self.size[0] / self.size[1], *self._stand)
        by = (middle - self._start) * np.array([1.0, 1.0, 0.0]) if self.follow else np.zeros(3)
        picture = draw(self._bodies, frame, self._camera.moved(by), *self.size, self.arrows)
        return caption(picture, f"{self.label}   t = {frame.time:.3f} s") if self.label else picture


def caption(picture: np.ndarray, text: str) -> np.ndarray:
    """Words in the lower left corner."""
    Image, ImageDraw, ImageFont = (need(f"PIL.{name}") for name in ("Image", "ImageDraw", "ImageFont"))

    image = Image.fromarray(picture)
    size = max(10, picture.shape[0] // 30)
    ImageDraw.Draw(image).text(
        (size, picture.shape[0] - 2 * size), text, fill=(40, 44, 52), font=ImageFont.load_default(size)
    )
    return np.asarray(image)


@named
def picture(
    sim: Simulator, path: str | os.PathLike[str] | None = None, size: tuple[int, int] = SIZE, **settings: Any
) -> np.ndarray:
    """A picture of a simulator as it stands: (height, width, 3) bytes, also written to `path` (PNG, JPEG, …) if given.

    Settings: azimuth, elevation [deg], zoom, arrows (contact forces), label.

    Parameters
    ----------
    sim
        What is shown.
    path
        Of the picture, if it is to be written.
    size
        Width and height [pixels].
    settings
        Of Painter.
    """
    image = Painter(drawing_of(sim), size, **settings).paint(frame_of(sim, 0))
    if path is not None:
        Image = need("PIL.Image")

        Image.fromarray(image).save(path)
    return image


class Filming:
    """Films a simulator: call it after every step, it takes a picture when one is due.

    For example:

        with st.render.Filming(sim, "run.mp4") as camera:
            for _ in range(1000):
                sim.step()
                camera(sim)

    Parameters
    ----------
    sim
        What is filmed.
    path
        Of the film: .mp4, .gif or .png.
    size
        Width and height [pixels].
    fps
        Frames per second of the film.
    speed
        Simulated seconds per second of the film.
    settings
        Of Painter: azimuth, elevation [deg], zoom, arrows, follow, label.
    """

    @named
    def __init__(
        self,
        sim: Simulator,
        path: str | os.PathLike[str],
        size: tuple[int, int] = SIZE,
        fps: float = 30.0,
        speed: float = 1.0,
        **settings: Any,
    ) -> None:
        if not speed > 0.0:
            raise InvalidInput(f"video: speed is {speed}, expected a number > 0; 0.1 is ten times slower than life")
        self._pause = speed / fps if fps > 0.0 else 0.0  # simulated time between pictures
        self._painter = Painter(drawing_of(sim), size, **{"label": sim.law, **settings})
        self._next = sim.time
        self.film = Film(path, size, fps)
        try:
            self(sim)
        except BaseException as error:
            self.film.discard(error)
            raise

    def __call__(self, sim: Simulator) -> None:
        if sim.time >= self._next - 1e-9:
            self.film.add(self._painter.paint(frame_of(sim, 0)))
            self._next += self._pause

    def __enter__(self) -> Filming:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.film.close()


@named
def film(
    source: Source, path: str | os.PathLike[str], size: tuple[int, int] = SIZE, fps: float = 30.0, speed: float = 1.0,
    progress: Callable[[int], None] | None = None, **settings: Any,
) -> Path:  # fmt: skip
    """A film of frames that exist already: of a recording, without simulating it again.

    Parameters
    ----------
    source
        Frames in the order of time, such as recording.source(path).
    path
        Of the film: .mp4, .gif or .png.
    size
        Width and height [pixels].
    fps
        Frames per second of the film.
    speed
        Simulated seconds per second of the film.
    progress
        Told the number of frames written so far.
    settings
        Of Painter: azimuth, elevation [deg], zoom, arrows, follow, label.
    """
    painter = Painter(source.drawing, size, **{"label": source.title, **settings})
    due = source.frame(0).time
    with Film(path, size, fps) as out:
        for i in range(len(source)):
            frame = source.frame(i)
            if frame.time >= due - 1e-9:
                out.add(painter.paint(frame))
                due += speed / fps
            if progress is not None:
                progress(i + 1)
    return out.path
