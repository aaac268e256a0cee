# SPDX-License-Identifier: BSD-2-Clause
"""The viewer's server, page and command. Oracles: messages that a client receives, the clock, the text of the page."""

import re
import subprocess
import sys

import numpy as np
import pytest

import stiction as st
from stiction.viewer.page import POLICY
from viewer_client import Listener, collect

pytest.importorskip("viser")
pytestmark = pytest.mark.xdist_group("viewer")  # one server at a time


@pytest.fixture(scope="module")
def viewer():
    with st.view(st.scene("anymal_stand", targets="moving"), port=0) as viewer:
        yield viewer


def test_every_frame_reaches_a_client_that_keeps_up(viewer):
    """Step by step, each awaited: another pose of the trunk and the arrows of its feet arrive every time."""
    viewer.reset()
    viewer.run(0.2)  # onto its feet
    with Listener(viewer) as client:
        for _ in range(30):
            poses, arrows = client.poses, client.arrows
            viewer.step()
            client.wait_until(lambda: client.poses > poses and client.arrows > arrows)  # noqa: B023


def test_playing_keeps_on_sending(viewer):
    viewer.reset()
    viewer.play()
    seen = collect(viewer, seconds=1.0)
    viewer.pause()
    assert 0 < seen.poses <= seen.drawn + 2


def test_viewer_does_not_touch_the_simulator_of_the_caller():
    sim = st.scene("cube_slide")
    before = sim.hash()
    with st.view(sim, port=0) as viewer:
        viewer.run(0.1)
        assert viewer.player.time == pytest.approx(0.1, abs=sim.dt)
    assert sim.hash() == before


def test_compare_keeps_one_clock():
    with st.view(st.scene("cube_slide"), compare=["convex", "anchored"], port=0) as viewer:
        viewer.run(0.2)
        assert [track.title for track in viewer.tracks] == ["coulomb", "convex", "anchored"]
        times = [track.frame(track.at).time for track in viewer.tracks]
        assert np.ptp(times) <= max(track.sim.dt for track in viewer.tracks) + 1e-12


def test_failing_task_pauses_and_the_thread_lives(viewer):
    viewer.player.do(lambda: 1 / 0)
    viewer.step()
    assert not viewer.player.playing


# ---- the page -----------------------------------------------------------------------------------------------------------


def test_exported_page_names_no_outside_source_and_forbids_requests(viewer):
    viewer.run(0.2)
    page = viewer.export()
    assert POLICY in page and "plots and widgets stay behind" in page
    loads = re.findall(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=[\"']?([^\"' >]+)", page)
    assert [url for url in loads if not url.startswith("data:")] == []


def test_command_writes_a_page(tmp_path):
    file = tmp_path / "page.html"
    command = [sys.executable, "-m", "stiction.cli", "view", "cube_slide", "--export", str(file), "--duration", "0.2"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "stay behind" in done.stdout and "<html" in file.read_text()[:2000]


def test_command_refuses_in_a_sentence():
    for arguments, words in (
        (["nowhere"], "unknown"),
        (["cube_slide", "--compare", "hard"], "hard"),
        (["a.mcap"], "a.mcap"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "stiction.cli", "view", *arguments, "--port", "0"], capture_output=True, text=True
        )
        assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr


def test_without_viser_the_extra_is_named(tmp_path):
    (tmp_path / "viser.py").write_text("raise ImportError('no viser here')")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import stiction as st; st.view(st.scene('cube_slide'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install 'stiction[viewer]'" in done.stderr.splitlines()[-1]


def test_import_of_stiction_does_not_import_the_viewer():
    code = "import stiction, sys; print(any(name.startswith(('viser', 'stiction.viewer')) for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"
