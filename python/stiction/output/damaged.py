# SPDX-License-Identifier: BSD-2-Clause
"""Files that come from anywhere: whatever goes wrong while they are read is one sentence about the file, never a traceback."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from .._core import InvalidInput

# What decoders raise on bytes that nobody meant.
ERRORS = (ArithmeticError, AttributeError, EOFError, LookupError, MemoryError, NotImplementedError, RuntimeError, TypeError,
          ValueError, struct.error, zlib.error)  # fmt: skip


@contextmanager
def damaged(what: str, advice: str = "check the file", more: tuple[type[Exception], ...] = ()) -> Iterator[None]:
    """Inside of the block errors become InvalidInput: `what` is damaged, why, and what to do."""
    errors: tuple[type[Exception], ...] = (*ERRORS, *more)
    try:
        yield
    except (InvalidInput, FileNotFoundError):
        raise
    except errors as error:
        words = " ".join(str(error).split())[:120] or type(error).__name__
        raise InvalidInput(f"{what} is damaged: {words}; {advice}") from None
