# SPDX-License-Identifier: BSD-2-Clause
"""bench/comparison.py. Oracles: Runge-Kutta in fine steps for the ball's closed form, paths made by hand, the page that is in the repository."""

import json
import math
import re
import subprocess
import sys

import numpy as np
import pytest

from repository import ROOT

pytest.importorskip("mujoco")
sys.path.insert(0, str(ROOT / "bench"))
import comparison
import comparison_scenes as scenes


def fine_heights(step):
    """Classical Runge-Kutta; a contact that begins or ends within a step costs it some of its order."""

    def rate(z, v):
        depth = min(0.0, z - scenes.RADIUS)
        push = max(0.0, -scenes.STIFFNESS * depth - scenes.DAMPING * v) if depth < 0.0 else 0.0
        return v, push - scenes.GRAVITY

    z, v, found = scenes.RADIUS + scenes.DROP, 0.0, []
    for k in range(1, round(0.5 / step) + 1):
        a = rate(z, v)
        b = rate(z + 0.5 * step * a[0], v + 0.5 * step * a[1])
        c = rate(z + 0.5 * step * b[0], v + 0.5 * step * b[1])
        d = rate(z + step * c[0], v + step * c[1])
        z += step / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0])
        v += step / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1])
        if k % round(0.01 / step) == 0:
            found.append(z)
    return np.array(found)


def test_the_truth_of_the_ball():
    truth = scenes.ball_heights(0.5, 0.01)
    coarse, fine = (np.abs(fine_heights(step) - truth).max() for step in (1e-3, 1e-5))
    assert fine < 2e-5 and fine < 0.1 * coarse  # of first order at the worst
    assert truth.min() < scenes.RADIUS < truth.max(), "it touches and leaves"


def test_errors_of_paths_made_by_hand():
    by_name = {scene.name: scene for scene in scenes.SCENES}
    times, way = np.array([0.5]), 1.0 / (2 * 0.4 * 9.81)
    there = way * np.array([math.cos(math.pi / 6), 0.5])
    assert by_name["slide"].error(times, there[None]) == pytest.approx(0.0, abs=1e-15)
    assert by_name["slide"].error(times, (there + [0.03, 0.04])[None]) == pytest.approx(0.05)
    assert by_name["slope"].error(times, np.array([[0.0, 3e-3]])) == pytest.approx(3e-3)
    feet = np.zeros((3, 5, 2))
    feet[:, -1, 0] = 0.45  # the trunk's height
    feet[0, 1], feet[2, 1] = (1.0, 1.0), (3e-3, 4e-3)  # before the second half anything may happen
    times = np.array([10.0, 30.0, 60.0])
    assert by_name["stand"].error(times, feet) == pytest.approx(5e-3)
    feet[1, -1, 0] = 0.1
    assert by_name["stand"].error(times, feet) == math.inf


def test_a_run_of_both_engines(tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "bench" / "comparison.py", "--quick", "--scenes", "slide", "--json", "out.json", "--plot", "out.svg"],
        cwd=tmp_path, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = json.loads((tmp_path / "out.json").read_text())["results"]
    assert len(rows) == len(comparison.OURS) + len(comparison.THEIRS)
    found = {(row["engine"], row["setting"]): row["error"] for row in rows}
    # first-order steppers take the velocity at the end of the step: v dt / 2
    assert found["stiction", "coulomb"] == pytest.approx(0.5 * 1.0 * 2e-3, rel=0.01)
    assert found["stiction", "coulomb, moreau"] < 2e-5
    assert 5e-4 < found["MuJoCo", "elliptic"] < 2e-3 < 2e-2 < found["MuJoCo", "default"]
    assert all(row["us"] > 0.0 for row in rows)
    assert "prefers-color-scheme: dark" in (tmp_path / "out.svg").read_text()


def test_the_page_has_every_setting(tmp_path):
    page = (ROOT / "docs" / "comparison.md").read_text()
    everything = re.search(r"<!-- all -->\n(.*?)<!-- end -->", page, re.DOTALL).group(1)
    for engine, known in (("stiction", comparison.OURS), ("MuJoCo", comparison.THEIRS)):
        for setting in known:
            assert f"| {engine}, {setting} |" in everything, setting
    copy = tmp_path / "page.md"
    copy.write_text(page.replace("<!-- ball -->", ""))
    with pytest.raises(SystemExit, match="expected one mark <!-- ball -->"):
        comparison.write_into(copy, [], "none")
