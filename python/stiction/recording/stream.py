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
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import lz4.frame
import zstandard
from mcap.data_stream import ReadDataStream, RecordBuilder
from mcap.exceptions import McapError
from mcap.opcode import Opcode
from mcap.records import Chunk

from .._core import InvalidInput
from ..output.damaged import damaged

MAGIC = b"\x89MCAP0\r\n"
LARGEST = 1 << 28  # bytes of a chunk or a world, unpacked; a few bytes can say that they stand for many
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


def sound(path: str | os.PathLike[str]) -> AbstractContextManager[None]:
    """Whatever goes wrong while bytes of the file are read is one sentence about the file."""
    return damaged(
        f"recording '{os.fspath(path)}'", "record it again, or take an older copy", (McapError, zstandard.ZstdError)
    )


def _unpack(content: memoryview) -> Iterator[tuple[int, memoryview]]:
    chunk = Chunk.read(ReadDataStream(io.BytesIO(content)))
    data = memoryview(unpack(chunk.compression, chunk.data, chunk.uncompressed_size))
    if chunk.uncompressed_crc not in (0, zlib.crc32(data)):
        raise ValueError("the checksum of a chunk does not match")
    at = 0
    while at < len(data):
        opcode, length = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        if length > len(data) - at:
            raise ValueError("a chunk ends inside of a record")
        yield opcode, data[at : at + length]
        at += length


def unpack(compression: str, data: bytes, size: int | None = None) -> bytes:
    """Compressed bytes as they were; no more than `size`, or LARGEST, are ever unpacked."""
    if size is not None and size > LARGEST:
        raise ValueError(f"a part says that it unpacks to {size} bytes, expected at most {LARGEST}")
    most = LARGEST if size is None else size
    if compression == "zstd":
        out = zstandard.ZstdDecompressor().stream_reader(data).read(most + 1)
    elif compression == "lz4":
        out = lz4.frame.LZ4FrameDecompressor().decompress(data, max_length=most + 1)
    elif compression == "zlib":
        whole = zlib.decompressobj()
        out = whole.decompress(data, most + 1)
        if len(out) <= most and not whole.eof:
            raise ValueError("compressed bytes end too early")
    elif compression == "":
        out = data
    else:
        raise ValueError(f"compression '{compression[:20]}' is not known")
    if len(out) > most or (size is not None and len(out) != size):
        raise ValueError(f"a part unpacks to {len(out)} bytes or more, expected {most} at most")
    return out


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
