# SPDX-License-Identifier: BSD-2-Clause
"""Recordings. Oracles: the simulator itself stepped without a recorder, the public mcap reader, an independent decoder of ROS 2
messages, and identities (what was put in comes out; a world read back has the fingerprint of the original)."""

import numpy as np
import pytest
from mcap.reader import make_reader

import stiction as st
from stiction.viewer import Source


def drive(sim, steps=30):
    """Uses every way to act on a simulator."""
    reports = [sim.step(n=5)]
    for i in range(steps):
        if i == 10:
            sim.apply_wrench(sim.bodies[0], (30.0, -20.0, 5.0), (0.1, 0.2, 0.3))
        if i == 12:
            sim.apply_wrench(0, (5.0, 0.0, 0.0), point=(0.1, 0.2, 0.3))
        if i == 15:
            sim.v[:3] += 0.25  # somebody writes to the state
        if i == 20:
            sim.set_pd(kp=60.0, kd=2.0)
        target = np.full(sim.ntau, 0.01 * i) if i % 7 == 0 else None
        reports.append(sim.step(np.full(sim.ntau, 0.1 * i) if i % 3 else None, target))
    table = np.linspace(0.0, 0.1, 4 * sim.ntau).reshape(4, -1)
    reports.append(sim.step(target=table, n=4))
    blob = sim.save()
    reports.append(sim.step(n=3))
    sim.restore(blob)  # back in time
    reports.append(sim.step(n=3))
    return reports


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    path = tmp_path_factory.mktemp("recording") / "run.mcap"
    sim, alone = st.scene("starleth_stand"), st.scene("starleth_stand")
    with st.record(sim, path, snapshots=13):
        reports = drive(sim)
    return path, sim, alone, reports, drive(alone)


def test_recording_changes_neither_bits_nor_reports(recorded):
    _, sim, alone, reports, others = recorded
    assert sim.save() == alone.save() and sim.hash() == alone.hash()
    assert [repr(r) for r in reports] == [repr(r) for r in others]


def test_replay_gives_the_same_bits(recorded):
    path, *_ = recorded
    log = st.recording.load(path)
    out = st.recording.replay(log)
    assert out.exact and out.notes == []
    assert out.compared == out.steps == int(log.step[-1]) == len(log) - 1 == 45
    assert [s.reason for s in log.snapshots].count("edited") == 3  # velocity, gains, restore
    # snapshots are taken every 13 steps, and after the edit at step 20
    for start, first in ((19, 13), (20, 20), (30, 26)):
        later = st.recording.replay(log, start)
        assert later.exact and later.steps == 45 - first


def test_what_was_put_in_comes_out(recorded):
    path, sim, *_ = recorded
    log = st.recording.load(path)
    assert log.complete and log.settings == sim.settings and log.info["version"] == st.__version__
    assert np.array_equal(log.q[-1], sim.q) and np.array_equal(log.v[-1], sim.v)
    assert log.hash[-1] == sim.hash() and log.time[-1] == sim.time
    contacts = sim.contacts()
    last = log.contacts[45]
    assert len(last) == len(contacts) == log.reports["contacts"][-1] > 0
    for name in ("point", "normal", "force", "gap", "slip", "body_a", "geom_b", "mode"):
        assert np.array_equal(last[name], contacts[name]), name
    source = st.recording.source(log)
    assert isinstance(source, Source) and len(source) == 46  # what `stiction view RECORDING` plays
    shown = source.frame(45)
    assert list(shown.contacts["mode"]) == list(contacts["mode"])
    assert np.array_equal(shown.poses, sim.poses())
    given = log.inputs[5 + 11]  # the tenth step after the first five, counted from one
    assert given.wrenches["force"].tolist() == [[30.0, -20.0, 5.0]] and not given.wrenches["at_point"][0]
    assert np.array_equal(given.tau, np.full(sim.ntau, 1.0))
    energy = sim.energy()
    assert log.reports["kinetic"][-1] == energy.kinetic and log.reports["potential"][-1] == energy.potential


def test_other_programs_read_it(recorded, tmp_path):
    """The mcap package reads the finished file by its summary; a decoder of ROS 2 messages written by others reads the messages."""
    mcap_ros2 = pytest.importorskip("mcap_ros2.decoder")
    path, _sim, *_ = recorded
    whole = tmp_path / "whole.mcap"
    st.recording.recover(path, whole)
    log = st.recording.load(path)
    for file in (path, whole):
        with open(file, "rb") as stream:
            reader = make_reader(stream, validate_crcs=True, decoder_factories=[mcap_ros2.DecoderFactory()])
            summary = reader.get_summary()
            counts = {summary.channels[i].topic: n for i, n in summary.statistics.channel_message_counts.items()}
            assert counts["/state"] == 46 and counts["/contacts"] == counts["/report"] == 45
            assert [m.name for m in reader.iter_metadata()] == ["stiction"]
            assert [a.name for a in reader.iter_attachments()] == ["world"]
            seen = 0
            for _, channel, _, message in reader.iter_decoded_messages(log_time_order=False):
                if channel.topic == "/state":
                    i = int(np.nonzero(log.step == message.step)[0][-1])
                    assert (
                        message.q == log.q[i].tolist()
                        and message.v == log.v[i].tolist()
                        and message.hash == int(log.hash[i])
                    )
                    seen += 1
                elif channel.topic == "/contacts":
                    ours = log.contacts[message.step]
                    assert [list(c.force) for c in message.contacts] == ours["force"].tolist()
                    assert [c.geom_b for c in message.contacts] == ours["geom_b"].tolist()
                elif channel.topic == "/report":
                    i = message.step - 1
                    assert message.status == log.reports["status"][i] and message.ncp == log.reports["ncp"][i]
                elif channel.topic == "/input":
                    ours = log.inputs[message.step]
                    assert list(message.tau) == ours.tau.tolist() and len(message.wrenches) == len(ours.wrenches)
                elif channel.topic == "/snapshot":
                    assert bytes(message.blob) in [s.blob for s in log.snapshots]
            assert seen == 46


def test_same_run_same_bytes(tmp_path):
    for name in ("a", "b"):
        with st.record(st.scene("cube_slide"), tmp_path / name) as recorder:
            recorder._sim.step(n=20)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_difference_is_found_and_named(recorded, tmp_path):
    """One bit of one state is turned over: replay must name that step."""
    path, *_ = recorded
    log = st.recording.load(path)
    data = bytearray(path.read_bytes())
    hash_of_step_17 = int(log.hash[17]).to_bytes(8, "little")
    at = data.index(hash_of_step_17)
    data[at] ^= 1
    wrong = tmp_path / "wrong.mcap"
    wrong.write_bytes(data)
    out = st.recording.replay(st.recording.load(wrong))
    assert out.differs == 17 and out.compared == 17


@pytest.mark.parametrize("cut", [0.05, 0.3, 0.61, 0.9, 0.999])
def test_cut_anywhere_it_is_read_as_far_as_it_goes(recorded, tmp_path, cut):
    path, *_ = recorded
    data = path.read_bytes()
    short = tmp_path / "short.mcap"
    short.write_bytes(data[: int(cut * len(data))])
    try:
        log = st.recording.load(short)
    except st.InvalidInput as error:
        assert (cut == 0.05 and "nothing to recover" in str(error)) or "lacks the metadata" in str(error)
        return
    assert not log.complete and st.recording.replay(log).exact
    whole = st.recording.recover(short, tmp_path / "whole.mcap")
    assert whole.complete and np.array_equal(whole.hash, log.hash) and st.recording.replay(whole).exact


def test_exports_hold_the_numbers(recorded, tmp_path):
    from stiction.recording import export

    path, *_ = recorded
    log = st.recording.load(path)
    export.save(log, tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz") as archive:
        assert np.array_equal(archive["q"], log.q) and np.array_equal(archive["report_ncp"], log.reports["ncp"])
        assert len(archive["contacts"]) == len(archive["contact_step"]) == sum(map(len, log.contacts.values()))
    files = export.save(log, tmp_path / "run.csv")
    table = np.genfromtxt(files[0], delimiter=",", names=True, dtype=None, encoding="utf-8")
    assert np.array_equal(table["q3"], log.q[:, 3]) and np.array_equal(table["v5"], log.v[:, 5])  # to the last bit
    points = np.genfromtxt(files[1], delimiter=",", names=True, dtype=None, encoding="utf-8")
    assert np.array_equal(
        points["force_z"], np.concatenate([log.contacts[s]["force"][:, 2] for s in sorted(log.contacts)])
    )


def test_bad_use_is_refused(tmp_path):
    sim = st.scene("cube_slide")
    with pytest.raises(st.InvalidInput, match="every is 0"):
        st.record(sim, tmp_path / "a.mcap", every=0)
    with st.record(sim, tmp_path / "a.mcap"), pytest.raises(st.InvalidInput, match="already recorded"):
        st.record(sim, tmp_path / "b.mcap")
    assert not (tmp_path / "b.mcap").exists()
    (tmp_path / "c.mcap").write_bytes(b"not a recording")
    with pytest.raises(st.InvalidInput, match="not a recording"):
        st.recording.load(tmp_path / "c.mcap")
    # bad input is refused as without a recorder, and nothing is recorded
    with pytest.raises(st.InvalidInput, match="step"), st.record(sim, tmp_path / "d.mcap"):
        sim.step(n=0)
    assert len(st.recording.load(tmp_path / "d.mcap")) == 1
