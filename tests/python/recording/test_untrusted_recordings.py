# SPDX-License-Identifier: BSD-2-Clause
"""Recordings come from anywhere: damaged, cut, made up. Oracle: a sentence (InvalidInput), or a difference that is found."""

import resource
import subprocess
import sys
import zlib

import numpy as np
import pytest
from mcap.records import Attachment, Metadata

import stiction as st
from stiction.recording import stream


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("untrusted") / "run.mcap"
    sim = st.scene("cube_slide")
    with st.record(sim, path):
        sim.step(n=30)
    return path


def command(*arguments):
    return subprocess.run([sys.executable, "-m", "stiction.cli", *map(str, arguments)], capture_output=True, text=True)


def written(path, data):
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("kind", ["q", "v", "contacts", "reports"])
def test_a_flipped_bit_is_found(run, tmp_path, kind):
    """Only the hash was compared: a turned bit of q replayed as all the same."""
    log = st.recording.load(run)
    data = bytearray(run.read_bytes())
    if kind in ("q", "v"):
        number = getattr(log, kind)[17][0]
    else:
        number = log.contacts[17]["force"][0][2] if kind == "contacts" else log.reports["kinetic"][16]
    at = data.index(np.float64(number).tobytes())
    data[at] ^= 1
    found = st.recording.replay(st.recording.load(written(tmp_path / "bad.mcap", data)))
    assert found.differs == 17 and not found.exact
    assert found.what == {"q": "state", "v": "state", "contacts": "contacts", "reports": "report"}[kind]


def test_a_file_that_was_cut_does_not_replay_as_whole(run, tmp_path):
    data = run.read_bytes()
    cut = written(tmp_path / "cut.mcap", data[: len(data) * 2 // 3])
    found = command("replay", cut)
    assert found.returncode == 1 and "cut short" in found.stdout


def rewritten(run, target, change):
    """A copy whose records went through change(opcode, content) -> records of the mcap package, or None to keep them."""
    out = bytearray(stream.MAGIC)
    for opcode, content in stream.Stream(run).records():
        new = change(opcode, content)
        out += stream._HEAD.pack(opcode, len(content)) + bytes(content) if new is None else stream.record_bytes(new)
    return written(target, out)


def test_a_bomb_is_refused_before_memory_is_taken(run, tmp_path):
    """A packed gigabyte of zeros took 6.3 GB. Its parts of a megabyte are packed apart, so that all but the first are the same bytes."""
    packer = zlib.compressobj(9)
    first, same = (packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    bomb = first + 1023 * same + packer.flush()

    def change(opcode, content):
        if opcode != stream.Opcode.ATTACHMENT:
            return None
        return Attachment(create_time=0, log_time=0, name="world", media_type="application/zlib", data=bomb)

    log = st.recording.load(rewritten(run, tmp_path / "bomb.mcap", change))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(st.InvalidInput, match="unpacks to"):
        log.model()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 800_000  # kB


@pytest.mark.parametrize("compression", ["zstd", "lz4", "zlib"])
def test_parts_unpack_to_what_they_say(compression):
    import lz4.frame
    import zstandard

    pack = {"zstd": zstandard.compress, "lz4": lz4.frame.compress, "zlib": zlib.compress}[compression]
    assert stream.unpack(compression, pack(b"abc"), 3) == b"abc"
    for size in (2, 4, 1 << 40):
        with pytest.raises(ValueError, match="expected"):
            stream.unpack(compression, pack(b"abc"), size)
    with pytest.raises(ValueError, match="expected"):
        stream.unpack(compression, pack(bytes(10_000_000)), 1000)


METADATA = {
    "settings": ["[]", "{", '{"law": 3}', '{"law": "coulomb", "dt": -1}'],
    "bodies": ["3", "no"],
    "format": ["x"],
    "sizes": ["{}", "[]"],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in METADATA.items() for value in values])
def test_metadata_that_makes_no_sense_is_refused(run, tmp_path, name, value):
    def change(opcode, content):
        if opcode != stream.Opcode.METADATA:
            return None
        found = stream.parse(Metadata, content)
        return Metadata(name=found.name, metadata={**found.metadata, name: value, "scene": ""})

    path = rewritten(run, tmp_path / "odd.mcap", change)
    with pytest.raises(st.InvalidInput):
        st.recording.replay(st.recording.load(path))


def test_damaged_files_are_refused_in_a_sentence(run, tmp_path):
    """Bytes changed anywhere: 145 of 1488 gave a traceback."""
    whole = tmp_path / "whole.mcap"
    st.recording.recover(run, whole)
    rng = np.random.default_rng(5)
    refused = different = 0
    for source in (run, whole):
        good = source.read_bytes()
        for _ in range(60):
            bad = bytearray(good)
            for _ in range(rng.integers(1, 4)):
                bad[rng.integers(8, len(bad))] = rng.integers(256)
            path = written(tmp_path / "bad.mcap", bad)
            try:
                log = st.recording.load(path)
                _ = log.reports, log.contacts, log.inputs
                different += not st.recording.replay(log).exact
            except (st.InvalidInput, FileNotFoundError):
                refused += 1
    assert refused > 20 and different > 10
