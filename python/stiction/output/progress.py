# SPDX-License-Identifier: BSD-2-Clause
"""One progress bar for all commands: on stderr, after two seconds, and only where somebody watches.

    with Progress("replay", steps) as bar:
        for i in range(steps):
            ...
            bar.at(i + 1)

STICTION_PROGRESS=1 shows it without a terminal too (for logs), STICTION_PROGRESS=0 never does.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sized
from types import TracebackType
from typing import Any, TypeVar

DELAY = 2.0  # seconds before a bar appears
T = TypeVar("T")


def wanted() -> bool:
    """Whether bars are shown at all."""
    asked = os.environ.get("STICTION_PROGRESS", "")
    return asked != "0" if asked else sys.stderr.isatty()


class Progress:
    """A bar over `total` units; at(n) and advance(n) are cheap enough for every step. `ticking`: the clock goes on between them."""

    def __init__(self, title: str, total: int | None = None, unit: str = "step", ticking: bool = False) -> None:
        self._title, self._total, self._unit = title, total, unit
        self._done = 0
        self._shown = 0
        self._bar: Any = None
        self._lock = threading.RLock()
        self._ended = threading.Event()
        self._next = time.monotonic() + DELAY if wanted() else float("inf")
        if ticking and wanted():
            threading.Thread(target=self._tick, daemon=True).start()

    def advance(self, n: int = 1, note: str = "") -> None:
        """n more units are done."""
        self.at(self._done + n, note)

    def at(self, done: int, note: str = "") -> None:
        """So many units are done."""
        self._done = done
        if self._next == float("inf") or (now := time.monotonic()) < self._next:
            return
        with self._lock:
            if self._bar is None:
                try:
                    from tqdm import tqdm
                except ImportError:
                    self._next = float("inf")  # a bar is a comfort: nothing is said without the package
                    return

                self._bar = tqdm(
                    desc=self._title,
                    total=self._total,
                    unit=self._unit,
                    file=sys.stderr,
                    leave=False,
                    dynamic_ncols=True,
                )
            self._next = now + 0.1
            if note:
                self._bar.set_postfix_str(note, refresh=False)
            self._bar.update(done - self._shown)
            self._shown = done

    def hide(self) -> None:
        """Make room for other output; the bar comes back by itself."""
        with self._lock:
            if self._bar is not None:
                self._bar.clear()

    def close(self) -> None:
        """Take the bar away."""
        self._ended.set()
        with self._lock:
            self._next = float("inf")
            if self._bar is not None:
                self._bar.close()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _tick(self) -> None:
        while not self._ended.wait(0.5):
            with self._lock:
                self.at(self._done)
                if self._bar is not None:
                    self._bar.refresh()


def each(
    items: Iterable[T], title: str, total: int | None = None, unit: str = "run", ticking: bool = False
) -> Iterator[T]:
    """The items, with a bar that says how many have been worked on."""
    if total is None and isinstance(items, Sized):
        total = len(items)
    with Progress(title, total, unit, ticking) as bar:
        for item in items:
            bar.advance(0, str(item) if isinstance(item, str) else "")
            yield item
            bar.advance()
