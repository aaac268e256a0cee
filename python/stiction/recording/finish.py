# SPDX-License-Identifier: BSD-2-Clause
"""The end of a recording: what the file holds, counted from the file itself, so that it is true whatever happened before."""

from __future__ import annotations

import os
import struct
import zlib
from collections import defaultdict
from pathlib import Path
from typing import Any

from mcap.opcode import Opcode
from mcap.records import (
    Attachment,
    AttachmentIndex,
    Channel,
    DataEnd,
    Footer,
    Metadata,
    MetadataIndex,
    Schema,
    Statistics,
)

from .stream import MAGIC, Stream, parse, record_bytes, split_message


def finish(path: str | Path) -> None:
    """Cut off a record that was not finished, and append summary and footer. Ordinary readers take the file from then on."""
    stream = Stream(path)
    summary, complete = _summary(stream)
    if complete:
        return
    with open(path, "r+b") as file:
        file.truncate(stream.end)
        file.seek(stream.end)
        start = stream.end + len(record_bytes(DataEnd(0)))
        head = struct.pack("<BQQQ", Opcode.FOOTER, 20, start, 0)
        footer = Footer(summary_start=start, summary_offset_start=0, summary_crc=zlib.crc32(head, zlib.crc32(summary)))
        file.write(record_bytes(DataEnd(0)) + summary + record_bytes(footer) + MAGIC)
        file.flush()
        os.fsync(file.fileno())


def _summary(stream: Stream) -> tuple[bytes, bool]:
    schemas: list[Any] = []
    channels: list[Any] = []
    indexes: list[Any] = []
    counts: dict[int, int] = defaultdict(int)
    first, last = None, 0
    for opcode, content in stream.records():
        if opcode == Opcode.MESSAGE:
            channel, _, time, _ = split_message(content)
            counts[channel] += 1
            first, last = time if first is None else min(first, time), max(last, time)
        elif opcode == Opcode.SCHEMA:
            schemas.append(parse(Schema, content))
        elif opcode == Opcode.CHANNEL:
            channels.append(parse(Channel, content))
        elif opcode in (Opcode.ATTACHMENT, Opcode.METADATA):
            indexes.append(_index(opcode, content, stream.end))
    attachments = sum(isinstance(i, AttachmentIndex) for i in indexes)
    statistics = Statistics(
        attachment_count=attachments, channel_count=len(channels), channel_message_counts=counts, chunk_count=0,
        message_count=sum(counts.values()), message_end_time=last, message_start_time=first or 0,
        metadata_count=len(indexes) - attachments, schema_count=len(schemas),
    )  # fmt: skip
    return record_bytes(*schemas, *channels, statistics, *indexes), stream.complete


def _index(opcode: int, content: memoryview, offset: int) -> Any:
    length = len(content) + 9
    if opcode == Opcode.METADATA:
        return MetadataIndex(offset=offset, length=length, name=parse(Metadata, content).name)
    a = parse(Attachment, content)
    return AttachmentIndex(offset=offset, length=length, create_time=a.create_time, log_time=a.log_time,
                           data_size=len(a.data), name=a.name, media_type=a.media_type)  # fmt: skip
