# SPDX-License-Identifier: BSD-2-Clause
"""Recording processes that are killed or interrupted, and the commands. Oracles: what the process had told before, the public mcap
reader, replay to the same bits."""

import json
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from mcap.reader import make_reader

import stiction as st

CHILD = """
import os, struct, sys, time
import stiction as st
sim = st.scene("starleth_push")
progress = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT)
with st.record(sim, sys.argv[1]):
    step = 0
    while True:
        sim.step()
        step += 1
        os.write(progress, struct.pack("<dQ", time.monotonic(), step))
"""


def kill_and_recover(folder, delay):
    """Kills a recording process `delay` seconds after its first step. Returns what it had told and what was recovered."""
    file, told = folder / "run.mcap", folder / "progress"
    child = subprocess.Popen([sys.executable, "-c", CHILD, file, told])
    try:
        deadline = time.monotonic() + 120
        while not (told.exists() and told.stat().st_size) and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(delay)
        killed = time.monotonic()
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
    data = told.read_bytes()
    entries = np.frombuffer(data[: len(data) // 16 * 16], np.dtype([("time", "<f8"), ("step", "<u8")]))
    log = st.recording.load(file)
    assert not log.complete
    promised = entries["step"][entries["time"] <= killed - 0.1].max(initial=0)
    assert log.step[-1] >= promised, "everything up to 100 ms before the kill"
    assert log.step[-1] >= entries["step"].max(initial=0), "in fact every step that had returned"
    whole = st.recording.recover(file, folder / "whole.mcap")
    with open(whole.path, "rb") as stream:
        assert make_reader(stream, validate_crcs=True).get_summary().statistics.message_count > 0
    out = st.recording.replay(whole)
    assert out.exact and out.steps == log.step[-1] > 0


@pytest.mark.parametrize("seed", range(3))
def test_killed_recordings_lose_nothing(seed, tmp_path):
    kill_and_recover(tmp_path, np.random.default_rng(seed).uniform(0.0, 1.0))


@pytest.mark.full
@pytest.mark.parametrize("seed", range(3, 23))
def test_killed_recordings_lose_nothing_at_twenty_more_moments(seed, tmp_path):
    kill_and_recover(tmp_path, np.random.default_rng(seed).uniform(0.0, 4.0))


def test_interrupt_leaves_a_finished_file(tmp_path):
    """Ctrl-C during `stiction run --record`: exit code 130, and the file is complete."""
    file = tmp_path / "run.mcap"
    command = [sys.executable, "-m", "stiction.cli", "run", "starleth_push", "--duration", "600", "--record", str(file)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 120
    while not (file.exists() and file.stat().st_size > 200_000) and time.monotonic() < deadline:
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    _, error = child.communicate(timeout=60)
    assert child.returncode == 130 and b"Traceback" not in error
    log = st.recording.load(file)
    assert log.complete and st.recording.replay(log).exact


def test_commands(tmp_path):
    def stiction(*arguments, code=0):
        done = subprocess.run(
            [sys.executable, "-m", "stiction.cli", *arguments], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == code, f"{done.stdout}\n{done.stderr}"
        return done

    stiction("run", "cube_slide", "--duration", "0.1", "--record", "run.mcap")
    found = json.loads(stiction("log", "info", "run.mcap", "--json").stdout)
    assert found["complete"] and found["steps"] == 100 and found["scene"] == "cube_slide" and found["law"] == "coulomb"
    assert "all the same to the last bit" in stiction("replay", "run.mcap").stdout
    assert json.loads(stiction("replay", "run.mcap", "--json").stdout)["exact"] is True
    (tmp_path / "short.mcap").write_bytes((tmp_path / "run.mcap").read_bytes()[:-3000])
    assert "cut short" in stiction("log", "info", "short.mcap").stdout
    stiction("log", "recover", "short.mcap", "whole.mcap")
    assert json.loads(stiction("replay", "whole.mcap", "--json").stdout)["exact"] is True
    stiction("log", "export", "run.mcap", "run.npz")
    stiction("plot", "run.mcap", "--out", "figure.html", "--what", "energy,forces,residual")
    page = (tmp_path / "figure.html").read_text()
    assert page.count("<svg") == 1 and "http:" not in page and "https:" not in page
    for wrong in (["replay", "no.mcap"], ["plot", "run.mcap", "--what", "colour"], ["plot", "run.mcap", "--out", "x.txt"],
                  ["log", "export", "run.mcap", "x.txt"], ["log", "recover", "run.mcap", "run.mcap"]):  # fmt: skip
        done = stiction(*wrong, code=2)
        assert len(done.stderr.strip().splitlines()) == 1 and done.stderr.startswith("stiction: ")
    assert {f.name for f in tmp_path.iterdir()} == {"run.mcap", "short.mcap", "whole.mcap", "run.npz", "figure.html"}
