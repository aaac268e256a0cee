# SPDX-License-Identifier: BSD-2-Clause
"""Plain CDR, the encoding of ROS 2 messages: little-endian numbers, each aligned to its own size.

Offsets count from the end of the four bytes that say "CDR, little-endian". A sequence is its length (uint32) and its entries;
a string is its length with the closing zero, its bytes, and the zero. OMG, Common Object Request Broker Architecture, part 2.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

_HEADER = b"\x00\x01\x00\x00"


class Writer:
    """Bytes of one message, field by field."""

    def __init__(self) -> None:
        self._parts = [_HEADER]
        self._size = 0

    def _add(self, data: bytes, alignment: int) -> None:
        gap = -self._size % alignment
        if gap:
            self._parts.append(b"\0" * gap)
        self._parts.append(data)
        self._size += gap + len(data)

    def pack(self, layout: str, *values: Any) -> Writer:
        """Numbers whose `struct` layout has no gaps; aligned to the first of them."""
        self._add(struct.pack("<" + layout, *values), struct.calcsize("<" + layout.lstrip("0123456789")[0]))
        return self

    def text(self, value: str) -> Writer:
        data = value.encode() + b"\0"
        self.pack("I", len(data))
        self._add(data, 1)
        return self

    def blob(self, value: bytes) -> Writer:
        self.pack("I", len(value))
        self._add(value, 1)
        return self

    def array(self, value: np.ndarray) -> Writer:
        """A sequence of doubles, or of records of a multiple of eight bytes."""
        self.pack("I", len(value))
        if len(value):
            self._add(value.tobytes(), 8)
        return self

    def bytes(self) -> bytes:
        return b"".join(self._parts)


class Reader:
    """Fields of one message, in the order in which they were written."""

    def __init__(self, data: bytes | memoryview) -> None:
        if bytes(data[:4]) != _HEADER:
            raise ValueError("message is not plain little-endian CDR")
        self._data = memoryview(data)[4:]
        self._at = 0

    def _align(self, alignment: int) -> None:
        self._at += -self._at % alignment

    def unpack(self, layout: str) -> tuple[Any, ...]:
        self._align(struct.calcsize("<" + layout.lstrip("0123456789")[0]))
        values = struct.unpack_from("<" + layout, self._data, self._at)
        self._at += struct.calcsize("<" + layout)
        return values

    def text(self) -> str:
        return self.blob()[:-1].decode()

    def blob(self) -> bytes:
        (n,) = self.unpack("I")
        if n > len(self._data) - self._at:
            raise ValueError("message ends too early")
        value = bytes(self._data[self._at : self._at + n])
        self._at += n
        return value

    def array(self, dtype: Any = np.float64) -> np.ndarray:
        (n,) = self.unpack("I")
        if n == 0:
            return np.empty(0, dtype)
        self._align(8)
        value = np.frombuffer(self._data, dtype, n, self._at)
        self._at += n * value.itemsize
        return value
