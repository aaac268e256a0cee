# SPDX-License-Identifier: BSD-2-Clause
"""A disk that is full: a limit on the size of files stands for it (a write fails in the same way). Oracles: the old file is as it was, nothing
half-written is left beside it, and a recording holds every step that was whole."""

import os
import subprocess
import sys
import textwrap

import pytest

import stiction as st

FULL = """
    import resource, signal, sys
    import numpy as np
    import stiction as st
    from stiction import learn
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    def fill(size):
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
"""


def run(code, folder):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(FULL) + textwrap.dedent(code)],
        cwd=folder,
        env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.split()


WRITERS = {
    "world.xml": "world = st.World(); [world.add_sphere(radius=.1, mass=1., position=(i, 0, 1)) for i in range(99)]; world.save_mjcf",
    "policy.json": "learn.LinearPolicy(np.ones((20, 90)), np.zeros(90), np.ones(90)).save",
    "problem.npz": "(lambda path: st.lcp.save(path, np.eye(60), -np.ones(60)))",
    "problem.hdf5": "(lambda path: st.fclib.save(path, st.ContactProblem(np.eye(60), np.ones(60), mu=.5)))",
    "problem.dat": "(lambda path: st.siconos.save(path, st.ContactProblem(np.eye(60) + .01, np.ones(60), mu=.5)))",
}


@pytest.mark.parametrize("name", WRITERS)
def test_what_was_there_stays(name, tmp_path):
    (tmp_path / name).write_text("what was there before")
    *_, said = run(
        f"""
        write = None
        exec("{WRITERS[name].rpartition("; ")[0]}")
        write = {WRITERS[name].rpartition("; ")[2]}
        fill(1000)
        try:
            write({name!r})
        except (ValueError, OSError) as error:
            print("refused")
        else:
            print("written")
        """,
        tmp_path,
    )
    assert said == "refused"
    assert [p.name for p in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "what was there before"


@pytest.mark.parametrize("size", [30_000, 50_001, 100_123])
def test_a_recording_on_a_full_disk_keeps_its_whole_steps(size, tmp_path):
    """The step itself is made; the sentence comes from the recording, which is complete once there is room to finish it."""
    steps, _ = run(
        f"""
        sim = st.scene("cube_slide")
        recorder = st.record(sim, "run.mcap")
        fill({size})
        try:
            while True:
                sim.step()
        except OSError:
            pass
        steps = recorder.steps
        try:
            recorder.close()
        except (OSError, ValueError):
            pass
        time = sim.time
        sim.step()
        assert sim.time > time
        print(steps, time)
        """,
        tmp_path,
    )
    file = tmp_path / "run.mcap"
    assert file.stat().st_size <= size
    log = st.recording.load(file)
    assert log.step[-1] >= int(steps) - 1 > 0
    whole = st.recording.recover(file, tmp_path / "whole.mcap")
    assert st.recording.replay(whole).exact


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(OSError):
        st.record(st.scene("cube_slide"), tmp_path / "run.mcap")
    with pytest.raises((ValueError, OSError)):
        st.World().save_mjcf(tmp_path / "world.xml")
