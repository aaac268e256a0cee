# SPDX-License-Identifier: BSD-2-Clause
"""Writing a recording anew: complete, compressed and indexed, whatever state the old file is in."""

from __future__ import annotations

import os
from pathlib import Path

from mcap.opcode import Opcode
from mcap.records import Attachment, Channel, Header, Metadata, Schema
from mcap.writer import CompressionType, Writer

from .._core import InvalidInput
from ..output.arguments import named
from ..output.files import whole_file
from .reader import Recording
from .stream import Stream, parse, split_message


@named
def recover(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> Recording:
    """Copy everything that can be read of `source` to a finished file `target`, and read that.

    Also makes a finished recording smaller: messages are compressed in chunks, and programs that seek find an index.
    """
    if Path(source).resolve() == Path(target).resolve():
        raise InvalidInput(f"recover: '{target}' is the file to be recovered, expected another name")
    Recording(source)  # says what is wrong with it, if it cannot be read
    with whole_file(target) as part, open(part, "wb") as file:
        writer = Writer(file, compression=CompressionType.ZSTD)
        _copy(Stream(source), writer)
        writer.finish()
    return Recording(target)


def _copy(stream: Stream, writer: Writer) -> None:
    schemas: dict[int, int] = {0: 0}
    channels: dict[int, int] = {}
    for opcode, content in stream.records():
        if opcode == Opcode.HEADER:
            header = parse(Header, content)
            writer.start(header.profile, header.library)
        elif opcode == Opcode.SCHEMA:
            schema = parse(Schema, content)
            if schema.id not in schemas:
                schemas[schema.id] = writer.register_schema(schema.name, schema.encoding, schema.data)
        elif opcode == Opcode.CHANNEL:
            channel = parse(Channel, content)
            if channel.id not in channels:
                channels[channel.id] = writer.register_channel(
                    channel.topic, channel.message_encoding, schemas[channel.schema_id], channel.metadata
                )
        elif opcode == Opcode.METADATA:
            metadata = parse(Metadata, content)
            writer.add_metadata(metadata.name, metadata.metadata)
        elif opcode == Opcode.ATTACHMENT:
            attached = parse(Attachment, content)
            writer.add_attachment(
                attached.create_time, attached.log_time, attached.name, attached.media_type, attached.data
            )
        elif opcode == Opcode.MESSAGE:
            channel_id, sequence, time, data = split_message(content)
            writer.add_message(channels[channel_id], time, bytes(data), time, sequence)
