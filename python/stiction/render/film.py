# SPDX-License-Identifier: BSD-2-Clause
"""Pictures in a row: GIF by Pillow, MP4 by the ffmpeg that imageio-ffmpeg brings along, or one PNG per picture.

The file gets its name when it is finished. If the run is interrupted, what was drawn so far is a whole, shorter film.
"""

from __future__ import annotations

import os
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

import numpy as np

from .._core import InvalidInput
from ..output.arguments import named
from ..output.extras import need
from ..output.files import whole_file


class _Writer(Protocol):
    def add(self, picture: np.ndarray) -> None: ...
    def finish(self) -> None: ...


class _Gif:
    def __init__(self, path: Path, fps: float) -> None:
        self._path, self._pause = path, max(20, round(1000.0 / fps))  # players take less than 20 ms for 100 ms
        self._pictures: list[Any] = []

    def add(self, picture: np.ndarray) -> None:
        Image = need("PIL.Image")

        self._pictures.append(Image.fromarray(picture).quantize(128, dither=Image.Dither.NONE))

    def finish(self) -> None:
        first, *others = self._pictures
        first.save(
            self._path, format="GIF", save_all=True, append_images=others, duration=self._pause, loop=0, optimize=False
        )


class _Mp4:
    def __init__(self, path: Path, fps: float, size: tuple[int, int]) -> None:
        try:
            import imageio_ffmpeg
        except ImportError:
            raise ImportError(
                "MP4 needs the extra `video`: pip install 'stiction[video]'; GIF and PNG go without"
            ) from None
        self._pipe = imageio_ffmpeg.write_frames(
            str(path),
            size,
            fps=fps,
            codec="libx264",
            pix_fmt_in="rgb24",
            macro_block_size=2,
            output_params=["-f", "mp4", "-crf", "18"],
        )
        self._pipe.send(None)

    def add(self, picture: np.ndarray) -> None:
        self._pipe.send(np.ascontiguousarray(picture))

    def finish(self) -> None:
        self._pipe.close()


class _Png:
    """NAME.png becomes NAME_0000.png, NAME_0001.png, …"""

    def __init__(self, path: Path) -> None:
        self._path, self._count = path, 0

    def add(self, picture: np.ndarray) -> None:
        Image = need("PIL.Image")

        Image.fromarray(picture).save(self._path.with_name(f"{self._path.stem}_{self._count:04d}.png"))
        self._count += 1

    def finish(self) -> None:
        pass


class Film:
    """A film that is written picture by picture; a context manager.

    Parameters
    ----------
    path
        Of the film: .mp4, .gif or .png.
    size
        Width and height [pixels].
    fps
        Frames per second.
    """

    @named
    def __init__(self, path: str | os.PathLike[str], size: tuple[int, int], fps: float = 30.0) -> None:
        self.path = Path(path)
        self.pictures = 0
        if self.path.suffix not in (".gif", ".mp4", ".png"):
            raise InvalidInput(f"video: '{path}' should end in .mp4, .gif or .png")
        if not self.path.resolve().parent.is_dir():
            raise FileNotFoundError(f"video: the folder of '{path}' does not exist; make it first")
        if not fps > 0.0:
            raise InvalidInput(f"video: fps is {fps}, expected pictures per second > 0")
        if self.path.suffix == ".mp4" and (size[0] % 2 or size[1] % 2):
            raise InvalidInput(f"video: size is {size[0]}x{size[1]}, MP4 needs even numbers")
        with ExitStack() as stack:
            if self.path.suffix == ".png":
                self._writer: _Writer = _Png(self.path)
            else:
                part = stack.enter_context(whole_file(self.path))
                self._writer = _Gif(part, fps) if self.path.suffix == ".gif" else _Mp4(part, fps, size)
            self._file = stack.pop_all()

    def add(self, picture: np.ndarray) -> None:
        """(height, width, 3) bytes.

        Parameters
        ----------
        picture
            (height, width, 3) bytes.
        """
        self._writer.add(picture)
        self.pictures += 1

    def close(self) -> None:
        """Finish the file."""
        with self._file:
            if self.pictures == 0:
                raise InvalidInput(f"video: '{self.path}' would have no picture")
            self._writer.finish()

    def discard(self, error: BaseException) -> None:
        """Leave nothing behind.

        Parameters
        ----------
        error
            Why; told together with what the encoder says.
        """
        with suppress(type(error)), self._file:
            raise error

    def __enter__(self) -> Film:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and self.pictures == 0:
            self.discard(error)
        else:
            self.close()
