# SPDX-License-Identifier: BSD-2-Clause
"""Sweeps on processes of this machine. Oracle: the same runs one after the other in this process; and the table of an undisturbed sweep."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time

import numpy as np
import pytest

import stiction as st
from commands import stiction
from stiction import cluster
from stiction.cluster.job import make_row
from sweep_tasks import SCRIPT

GRID = dict(values={"mu": [0.2, 0.6], "angle": [0.0, 0.5]}, laws=["coulomb", "convex"], seeds=3, duration=0.05)


def script(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return cluster.Sweep(str(path), {"gain": [1, 2, 3]}, seeds=10)


def test_values():
    assert (
        cluster.values("0.2:1.0:9") == pytest.approx(np.linspace(0.2, 1.0, 9))
        and cluster.values("0.2:1.0:9")[-1] == 1.0
    )
    assert cluster.values("1,2.5,moving,true") == [1, 2.5, "moving", True]
    assert cluster.values("3:4:1") == [3] and cluster.values("a:b:c") == ["a:b:c"]


def test_the_table_is_that_of_single_runs(tmp_path):
    sweep = cluster.Sweep("cube_slide", **GRID)
    summary = cluster.run(sweep, tmp_path / "t.sqlite", workers=2)
    rows = cluster.rows(tmp_path / "t.sqlite", times=False)
    assert summary.runs == len(rows) == 24 and summary.status == {"converged": 24}
    for job, row in zip(sweep.jobs(), rows, strict=True):
        alone = {key: value for key, value in make_row(job).items() if key not in ("seconds", "worker")}
        assert {key: row[key] for key in alone} == alone
    # and a row is the simulator's own run
    sim = st.scene("cube_slide", mu=0.6, angle=0.5, law="convex")
    sim.v = sim.v + np.random.default_rng(2).uniform(-0.01, 0.01, sim.nv)
    sim.step(n=50)
    assert rows[-1]["hash"] == f"{sim.hash():016x}" and (rows[-1]["mu"], rows[-1]["seed"]) == (0.6, 2)
    assert list(tmp_path.iterdir()) == [tmp_path / "t.sqlite"]  # no journal is left


def test_a_killed_worker_loses_nothing(tmp_path, monkeypatch):
    whole = script(tmp_path)
    cluster.run(whole, tmp_path / "whole.sqlite", workers=1)
    (tmp_path / "victim").touch()
    monkeypatch.setenv("SWEEP_KILL", str(tmp_path / "victim"))
    summary = cluster.run(whole, tmp_path / "killed.sqlite", workers=2)
    assert summary.replaced == 1 and not (tmp_path / "victim").exists()
    assert cluster.rows(tmp_path / "killed.sqlite", times=False) == cluster.rows(tmp_path / "whole.sqlite", times=False)
    assert cluster.digest(tmp_path / "killed.sqlite") == cluster.digest(tmp_path / "whole.sqlite")
    assert [row["score"] for row in cluster.rows(tmp_path / "whole.sqlite")][:3] == [0.1, 1.1, 2.1]


def test_a_run_that_always_kills_is_told(tmp_path):
    (tmp_path / "s.py").write_text(
        "import os\ndef run(n):\n    if n == 2: os.kill(os.getpid(), 9)\n    return dict(n2=n * n)"
    )
    summary = cluster.run(cluster.Sweep(str(tmp_path / "s.py"), {"n": [1, 2, 3]}), tmp_path / "t.sqlite", workers=2)
    rows = cluster.rows(tmp_path / "t.sqlite")
    assert summary.status == {"lost": 1, "ok": 2} and [row["n2"] for row in rows] == [1, None, 9]
    assert rows[1]["message"] == "its worker died 3 times, the last time by signal 9"


def finished(path):
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)
    try:
        return db.execute("SELECT count(*) FROM runs").fetchone()[0]
    except sqlite3.OperationalError:
        return 0  # it has only begun
    finally:
        db.close()


def test_a_sweep_that_was_killed_is_resumed(tmp_path):
    """kill -9 of the sweep itself and of all its workers, in the middle."""
    whole = script(tmp_path)
    cluster.run(whole, tmp_path / "whole.sqlite", workers=1)
    words = ["sweep", str(tmp_path / "script.py"), "--set", "gain=1,2,3", "--seeds", "10", "--workers", "2"]
    table = tmp_path / "killed.sqlite"
    process = subprocess.Popen(
        [sys.executable, "-m", "stiction.cli", *words, "--out", str(table)],
        env={**os.environ, "SWEEP_SLOW": "0.1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while not (table.exists() and finished(table) > 4) and process.poll() is None:  # a table may be read while it grows
        time.sleep(0.05)
    with pytest.raises(ValueError, match="is being filled by another sweep"):
        cluster.run(whole, table, resume=True)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = finished(table)
    assert 0 < kept < 30
    again = cluster.run(whole, table, workers=2, resume=True)
    assert (again.found, again.runs, again.status) == (kept, 30, {"fine": 30 - kept})
    assert cluster.digest(table) == cluster.digest(tmp_path / "whole.sqlite")
    with pytest.raises(ValueError, match=r"exists; go on with it by resume \(--resume\)"):
        cluster.run(whole, table)


def test_runs_that_fail_are_rows(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    out = stiction(
        "sweep", "script.py", "--set", "gain=4,5", "--laws", "coulomb,pyramid", "--json", cwd=tmp_path, code=1
    )
    assert json.loads(out.stdout)["status"] == {"error": 2, "fine": 2}
    rows = cluster.rows(tmp_path / "script-sweep.sqlite")
    assert [row["message"] for row in rows] == ["", "", *2 * ["ValueError: five is too much"]]
    assert [row["law_used"] for row in rows[:2]] == ["coulomb", "pyramid"] and rows[0]["nothing"] is None


def test_wrong_input_is_a_sentence(tmp_path):
    sweep = cluster.Sweep("cube_slide", {"mu": [0.5]}, duration=0.01)
    for wrong, sentence in (
        (cluster.Sweep("cube_slid"), "unknown scene 'cube_slid'; did you mean 'cube_slide'"),
        (cluster.Sweep("cube_slide", {"um": [1]}), "unknown parameter of scene 'cube_slide' 'um'"),
        (cluster.Sweep("cube_slide", laws=["coulom"]), "unknown law 'coulom'; did you mean 'coulomb'"),
        (cluster.Sweep("cube_slide", {"mu": []}), "the grid has 0 runs"),
        (cluster.Sweep("cube_slide", dt=-1.0), "dt is -1.0, expected a number > 0"),
        (cluster.Sweep("anymal_stand", {"seed": [1]}, seeds=2), "the seed is given twice"),
    ):
        with pytest.raises(ValueError, match=sentence.replace("(", r"\(")):
            cluster.run(wrong, tmp_path / "t.sqlite")
    with pytest.raises(FileNotFoundError, match=r"the script 'no\.py' was not found"):
        cluster.run(cluster.Sweep("no.py"), tmp_path / "t.sqlite")
    assert list(tmp_path.iterdir()) == []
    cluster.run(sweep, tmp_path / "t.sqlite", workers=1)
    with pytest.raises(ValueError, match=r"is of another sweep: duration \(0.01\)"):
        cluster.run(cluster.Sweep("cube_slide", {"mu": [0.5]}, duration=0.02), tmp_path / "t.sqlite", resume=True)
    (tmp_path / "other").write_text("no table, and long enough to have a header of a hundred bytes" * 9)
    with pytest.raises(ValueError, match="is not the table of a sweep"):
        cluster.run(sweep, tmp_path / "other", resume=True)
