# SPDX-License-Identifier: BSD-2-Clause
"""Records of an MCAP file in the order in which they were written, up to where the file ends, cleanly or not.

A record is its kind (1 byte), its length (8 bytes) and so many bytes; chunks hold further records, maybe compressed. Ordinary
readers start from the index at the end of the file and refuse one that was cut short; this one starts at the beginning.
https://mcap.dev/spec
"""

from __future__ import annotations

import io
import mmap
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mcap.data_stream import ReadDataStream, RecordBuilder
from mcap.opcode import Opcode
from mcap.records import Chunk
from mcap.stream_reader import get_chunk_data_stream

from .._core import InvalidInput

MAGIC = b"\x89MCAP0\r\n"
_HEAD = struct.Struct("<BQ")
_MESSAGE = struct.Struct("<HIQQ")


class Stream:
    """The bytes of a file. After records() has run out, `end` is where its data end and `complete` says whether a summary follows."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        try:
            with open(self.path, "rb") as file:
                empty = os.fstat(file.fileno()).st_size == 0
                self.data = memoryview(b"" if empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except FileNotFoundError:
            raise FileNotFoundError(f"recording '{path}' does not exist; check the path") from None
        except IsADirectoryError:
            raise InvalidInput(f"recording '{path}' is a folder, expected a file") from None
        if bytes(self.data[: len(MAGIC)]) != MAGIC:
            raise InvalidInput(f"'{path}' is not a recording: its first bytes are not those of an MCAP file")
        self.end = len(MAGIC)
        self.complete = False

    def records(self) -> Iterator[tuple[int, memoryview]]:
        """(opcode, content) of every whole record of the data; those of chunks in place of the chunk."""
        for opcode, content, after in self._frames():
            if opcode == Opcode.DATA_END:
                self.complete = any(
                    kind == Opcode.FOOTER and bytes(self.data[end:]) == MAGIC for kind, _, end in self._frames(after)
                )
                return
            if opcode == Opcode.CHUNK:
                yield from _unpack(content)
            else:
                yield opcode, content
            self.end = after

    def _frames(self, at: int = len(MAGIC)) -> Iterator[tuple[int, memoryview, int]]:
        data = self.data
        while at + _HEAD.size <= len(data):
            opcode, length = _HEAD.unpack_from(data, at)
            start = at + _HEAD.size
            at = start + length
            if at > len(data):
                return
            yield opcode, data[start:at], at


def _unpack(content: memoryview) -> Iterator[tuple[int, memoryview]]:
    chunk = Chunk.read(ReadDataStream(io.BytesIO(content)))
    inner, size = get_chunk_data_stream(chunk, validate_crc=True)
    data, at = memoryview(inner.read(size)), 0
    while at < size:
        opcode, length = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        yield opcode, data[at : at + length]
        at += length


def split_message(content: memoryview) -> tuple[int, int, int, memoryview]:
    """(channel, sequence, log time [ns], data) of a message record."""
    channel, sequence, log_time, _ = _MESSAGE.unpack_from(content)
    return channel, sequence, log_time, content[_MESSAGE.size :]


def message_record(channel: int, sequence: int, log_time: int, data: bytes) -> bytes:
    head = _HEAD.pack(Opcode.MESSAGE, _MESSAGE.size + len(data))
    return head + _MESSAGE.pack(channel, sequence, log_time, log_time) + data


def record_bytes(*records: Any) -> bytes:
    """Records of the mcap package as bytes."""
    builder = RecordBuilder()
    for record in records:
        record.write(builder)
    return bytes(builder.end())


def parse(kind: Any, content: memoryview) -> Any:
    """A record of the mcap package out of its content."""
    return kind.read(ReadDataStream(io.BytesIO(content)))
