# SPDX-License-Identifier: BSD-2-Clause
"""Broken files out of whole ones: bytes, numbers and elements changed; checksums of blobs made anew, so that what is behind them is reached."""

import re

import numpy as np

INTEGERS = (0, 1, 2, 3, 7, 64, 255, 1000, 2**15, 2**31 - 1, 2**31, 2**32 - 1, 2**40, 2**63)
FLOATS = (0.0, -1.0, 1e-300, 1e300, 1e9, float("nan"), float("inf"), -0.0, 1e-9)
WORDS = (b"", b"nan", b"inf", b"-1", b"0", b"1e308", b"1e-320", b"99999999999999999999", b"-0", b"1e9", b"\xff\xfe", b"<", b"&", b'"',
         b"0 0 0", b"1 2", b"world", b"&#0;", b"&lt;script&gt;", b"../../x", b"%s%n", b"\x00", b"A" * 5000)  # fmt: skip
TEXT = {"urdf", "sdf", "xml", "dae", "obj", "dat"}
HEAD = 20  # of a saved world: magic, version, checksum


def checksum(data: bytes) -> int:
    """As base/hash.h: of a text, its length first."""
    mask, h = 2**64 - 1, 0xCBF29CE484222325
    for word in [len(data), *np.frombuffer(data + bytes(-len(data) % 8), "<u8").tolist()]:
        h = ((h ^ word) * 0x100000001B3) & mask
        h ^= h >> 32
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        h = ((h ^ (h >> shift)) * factor) & mask
    return h ^ (h >> 31)


def sealed_world(data: bytes, fingerprint: int | None = None) -> bytes:
    """A world's bytes with their checksum, and its fingerprint (the last eight bytes) if given."""
    body = data[HEAD:] if fingerprint is None else data[HEAD:-8] + fingerprint.to_bytes(8, "little")
    return data[:12] + checksum(body).to_bytes(8, "little") + body


def state_head(data: bytes) -> int:
    """Where the checksum of a saved state stands: behind magic, version, fingerprint and settings."""
    return 28 + int.from_bytes(data[20:28], "little")


def sealed_state(data: bytes) -> bytes:
    at = state_head(data)
    return data[:at] + checksum(data[at + 8 :]).to_bytes(8, "little") + data[at + 8 :]


def _bytes(rng, data, first):
    at = int(rng.integers(first, max(len(data), first + 1)))
    size = int(rng.integers(1, 64))
    how = int(rng.integers(8))
    if how == 0:
        data[at : at + 1] = bytes([data[at] ^ (1 << int(rng.integers(8)))]) if at < len(data) else b""
    elif how == 1:
        data[at : at + 1] = bytes([int(rng.integers(256))])
    elif how in (2, 3):
        width = int(rng.choice([1, 2, 4, 8]))
        at -= (at - first) % width if how == 3 else 0
        data[at : at + width] = (int(INTEGERS[rng.integers(len(INTEGERS))]) % 256**width).to_bytes(width, "little")
    elif how == 4:
        at -= (at - first) % 8
        data[at : at + 8] = np.float64(FLOATS[rng.integers(len(FLOATS))]).tobytes()
    elif how == 5:
        del data[at : at + size]
    elif how == 6:
        data[at:at] = data[at : at + size] * int(rng.integers(1, 4))
    else:
        del data[at : None if rng.random() < 0.3 else at + 1]  # the rest, or one byte
    return data


def _text(rng, data):
    how = int(rng.integers(6))
    numbers = list(re.finditer(rb"-?[0-9]*\.?[0-9]+(?:e-?[0-9]+)?", data))
    strings = list(re.finditer(rb'"[^"]*"|>[^<>]+<', data))
    elements = list(re.finditer(rb"<[a-zA-Z_]+[^<>]*/>|<([a-zA-Z_]+)[^<>]*>[^<]*</\1>", data))
    pick = lambda found: found[int(rng.integers(len(found)))]
    word = WORDS[int(rng.integers(len(WORDS)))]
    if how in (0, 1) and numbers:
        a = pick(numbers)
        data[a.start() : a.end()] = word
    elif how == 2 and strings:
        a, b = pick(strings), pick(strings)
        data[a.start() + 1 : a.end() - 1] = word if rng.random() < 0.4 else data[b.start() + 1 : b.end() - 1]
    elif how == 3 and elements:
        a = pick(elements)
        del data[a.start() : a.end()]
    elif how == 4 and elements:
        a, b = pick(elements), pick(elements)
        data[b.end() : b.end()] = data[a.start() : a.end()] * int(rng.choice([1, 1, 2, 50]))
    else:
        lines = bytes(data).split(b"\n")
        i, j = (int(x) for x in rng.integers(len(lines), size=2))
        lines[i] = lines[j]
        data[:] = b"\n".join(lines)
    return data


def mutated(kind: str, seed: int, whole: list[bytes]) -> bytes:
    """The same bytes for the same kind and seed."""
    rng = np.random.default_rng([len(kind), *kind.encode(), seed])
    good = whole[int(rng.integers(len(whole)))]
    data = bytearray(good)
    first = {"world": HEAD, "mcap": 8}.get(kind, 0)
    if kind == "state":
        first = state_head(good) + 8
    for _ in range(int(rng.choice([1, 1, 1, 2, 4, 8]))):
        data = _text(rng, data) if kind in TEXT and rng.random() < 0.75 else _bytes(rng, data, first)
    if kind == "world" and len(data) > HEAD + 8:
        return sealed_world(bytes(data))
    if kind == "state" and len(data) > first:
        return sealed_state(bytes(data))
    return bytes(data)
