# SPDX-License-Identifier: BSD-2-Clause
"""Sweeps on Ray, with a worker and then the whole cluster killed in the middle. Oracle: the table of processes of this machine."""

import importlib.util
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

from stiction import cluster
from sweep_tasks import SCRIPT

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="needs Ray: pip install 'stiction[cluster]'"),
]


def rows_in(table):
    try:
        db = sqlite3.connect(f"file:{table}?mode=ro", uri=True, timeout=10)
        count = db.execute("SELECT count(*) FROM runs").fetchone()[0]
        db.close()
        return count
    except sqlite3.OperationalError:
        return 0


def children(root):
    """Of a process, with theirs: (id, command)."""
    listed = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    lines = [line.split(None, 2) for line in listed.splitlines()[1:]]
    found, out = {root}, []
    for _ in range(6):
        for pid, parent, command in lines:
            if int(parent) in found and int(pid) not in found:
                found.add(int(pid))
                out.append((int(pid), command))
    return out


def test_200_runs_with_a_worker_and_then_the_cluster_killed(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    sweep = cluster.Sweep(str(tmp_path / "script.py"), {"gain": [1, 2, 3, 4]}, seeds=50)
    cluster.run(sweep, tmp_path / "local.sqlite", workers=2)
    (tmp_path / "victim").touch()
    table = tmp_path / "ray.sqlite"
    words = [
        sys.executable,
        "-m",
        "stiction.cli",
        "sweep",
        str(tmp_path / "script.py"),
        "--set",
        "gain=1,2,3,4",
        "--seeds",
        "50",
    ]
    words += ["--ray", "local", "--workers", "2", "--out", str(table), "--json"]
    process = subprocess.Popen(
        words,
        env={**os.environ, "SWEEP_SLOW": "0.2", "SWEEP_KILL": str(tmp_path / "victim")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    deadline = time.monotonic() + 300
    while rows_in(table) < 120 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not (tmp_path / "victim").exists(), "a worker was killed in the middle of run 53, and the sweep went on"
    cluster_of_ours = children(process.pid)
    for pid, command in cluster_of_ours:  # the node: raylet, store, workers
        if "raylet" in command or "gcs_server" in command or "ray::" in command:
            os.kill(pid, signal.SIGKILL)
    process.kill()
    process.wait()
    kept = rows_in(table)
    assert 120 <= kept < 200
    done = subprocess.run([*words, "--resume"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["found"] == kept and told["status"] == {"fine": 200}
    assert cluster.rows(table, times=False) == cluster.rows(tmp_path / "local.sqlite", times=False)
