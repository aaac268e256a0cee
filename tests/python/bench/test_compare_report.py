# SPDX-License-Identifier: BSD-2-Clause
"""Work and precision, the report of `stiction compare`, and progress bars. Oracles: the closed form of the error of a first-order
method, and what a terminal would see."""

import json
import subprocess
import sys

import pytest

import stiction as st
from stiction.bench.work_precision import work_precision
from stiction.output import progress


def falling(dt):
    world = st.World()
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 10.0))
    return st.Simulator(world, dt=dt)


def test_the_error_of_a_fall_is_linear_in_the_step():
    """Semi-implicit Euler falls g t (t + dt)/2 in the time t: against steps of dt/8 the error is g t (dt' - dt/8)/2, largest at the end."""
    dt, duration = 1e-3, 0.4
    points = work_precision(falling, dt, duration, "fall")
    assert [p.dt_s for p in points] == [4 * dt, 2 * dt, dt, 0.5 * dt]
    for p in points:
        assert p.error_m == pytest.approx(9.81 * duration * (p.dt_s - dt / 8) / 2, rel=1e-9)
        assert p.us_per_step > 0 and p.ms_per_simulated_second == pytest.approx(1e-3 * p.us_per_step / p.dt_s)


def stiction(*arguments, cwd, code=0, **extra):
    done = subprocess.run(
        [sys.executable, "-m", "stiction.cli", *arguments], cwd=cwd, capture_output=True, text=True, **extra
    )
    assert done.returncode == code, f"{done.stdout}\n{done.stderr}"
    return done


def test_report_of_laws_solvers_and_steppers(tmp_path):
    done = stiction("compare", "cube_drag", "--laws", "coulomb,anchored", "--solvers", "auto,pgs", "--steppers", "auto,stewart_trinkle,euler",
                    "--duration", "0.05", "--report", "report.html", "--json", cwd=tmp_path)  # fmt: skip
    out = json.loads(done.stdout)
    labels = {run["label"] for run in out["runs"]}
    assert {
        "coulomb auto auto",
        "coulomb pgs auto",
        "anchored auto euler",
    } <= labels and "anchored pgs auto" not in labels
    assert any("does not step" in line for line in out["refused"])
    assert len(out["work_precision"]) == 4 * len(labels)
    page = (tmp_path / "report.html").read_text()
    assert page.count("<svg") == 2 and "Work and precision" in page and page.rstrip().endswith("</html>")
    assert "http:" not in page and "https:" not in page and "<script" not in page
    assert page.count(" src=") == page.count(' src="data:image/png;base64,')  # film strips stand in the page itself
    for label in labels:
        assert f"<td>{label}</td>" in page
    assert [f.name for f in tmp_path.iterdir()] == ["report.html"]


def test_one_unknown_stepper_is_refused_by_name(tmp_path):
    done = stiction("compare", "cube_drag", "--steppers", "stewart_trinkl", "--duration", "0.01", cwd=tmp_path, code=2)
    assert "stewart_trinkle" in done.stderr and len(done.stderr.strip().splitlines()) == 1


def test_bars_appear_where_somebody_watches(capsys, monkeypatch):
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setenv("STICTION_PROGRESS", "1")
    assert list(progress.each([1, 2, 3], "counting")) == [1, 2, 3]
    assert "counting" in capsys.readouterr().err
    monkeypatch.setenv("STICTION_PROGRESS", "0")
    assert list(progress.each(["a"], "quiet")) == ["a"]
    monkeypatch.delenv("STICTION_PROGRESS")
    with progress.Progress("not a terminal", 3) as bar:
        bar.advance()
    assert capsys.readouterr().err == ""


def test_bars_wait_for_two_seconds(capsys, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    monkeypatch.setenv("STICTION_PROGRESS", "1")
    with progress.Progress("slow", 10) as bar:
        bar.at(1)
        assert capsys.readouterr().err == ""
        now[0] = 2.1
        bar.at(7)
        assert "slow" in capsys.readouterr().err
