# SPDX-License-Identifier: BSD-2-Clause
"""Oracles: hashes of states (the past is exact), the mesh's own volume, messages that a client receives."""

import html
import subprocess
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

import stiction as st
from stiction.drawing import solids
from stiction.output.page import plain_text
from stiction.viewer import Drawing, Frame, RecordedTrack, Source
from stiction.viewer.live import LiveTrack
from stiction.viewer.page import POLICY
from viewer_client import Hand, Listener, collect

viser = pytest.importorskip("viser")
pytestmark = pytest.mark.xdist_group("viewer")  # one server at a time


@pytest.fixture(scope="module")
def viewer():
    with st.view(st.scene("anymal_stand", targets="moving"), port=0) as viewer:
        yield viewer


def volume(mesh):
    v, t = mesh
    return sum(np.dot(v[a], np.cross(v[b], v[c])) for a, b, c in t) / 6.0


@pytest.mark.parametrize("kind, size, truth", [
    ("box", (0.2, 0.4, 0.6), 0.2 * 0.4 * 0.6),
    ("sphere", (0.5, 0, 0), 4 / 3 * np.pi * 0.5**3),
    ("cylinder", (0.5, 0.8, 0), np.pi * 0.25 * 0.8),
    ("capsule", (0.5, 0.8, 0), np.pi * 0.25 * 0.8 + 4 / 3 * np.pi * 0.5**3),
])  # fmt: skip
def test_solids_enclose_their_volume_and_face_outwards(kind, size, truth):
    found = volume(solids.mesh(kind, np.array(size, float), None, None))
    assert 0.95 * truth < found <= truth * (1 + 1e-12)  # inscribed


# ---- the past ---------------------------------------------------------------------------------------------------------


def test_stepping_back_is_exact_to_the_last_bit():
    track = LiveTrack(st.scene("starleth_push"))
    twin = st.scene("starleth_push")
    hashes = [twin.hash()]
    for _ in range(30):
        twin.step()
        hashes.append(twin.hash())
    dt = track.sim.dt
    for end in (10, 25, 30):
        track.advance_to(end * dt, 1e9)
        assert track.sim.hash() == hashes[end]
    for k in range(29, -1, -1):
        assert track.back()
        assert (track.now.step, track.sim.hash()) == (k, hashes[k])
    assert not track.back()


def test_pull_is_part_of_the_past_and_of_the_future():
    from dataclasses import replace

    track = LiveTrack(st.scene("anymal_stand"))
    free = LiveTrack(st.scene("anymal_stand"))
    track.given = replace(track.given, body=0, force=(0.0, 60.0, 0.0))
    for some in (track, free):
        some.advance_to(0.2, 1e9)
    assert track.now.poses[0, 1] > free.now.poses[0, 1] + 1e-4
    seen = track.sim.hash()
    track.given = replace(track.given, body=-1)
    track.back()
    track.go(track.at + 1)
    assert track.sim.hash() == seen


def test_joint_targets_move_the_joints_and_hold_survives_a_restart():
    """A stiff PD in the air brings every joint near to its target."""
    from dataclasses import replace

    world = st.World()
    st.robots.load("quadruped_small", world, position=(0, 0, 1), fixed=True)
    track = LiveTrack(st.Simulator(world))
    track.hold(200.0, 10.0)
    target = track.sim.pd_target + 0.2
    track.given = replace(track.given, target=tuple(target))
    track.advance_to(2.0, 1e9)
    np.testing.assert_allclose(track.sim.q, target, atol=0.05)
    track.restart("convex", "auto", "auto", 1e-3)
    assert len(track.sim.pd_target) == track.sim.ntau


def test_scrubbing_then_running_forgets_the_old_future():
    track = LiveTrack(st.scene("cube_slide"))
    for i in range(1, 11):
        track.advance_to(0.01 * i, 1e9)
    track.go(5)
    time = track.now.time
    track.step()
    assert len(track) == 7 and track.now.time == pytest.approx(time + track.sim.dt)


def test_restart_with_another_method_begins_at_the_start_and_refusals_change_nothing():
    track = LiveTrack(st.scene("anymal_stand"))
    track.advance_to(0.1, 1e9)
    before = track.sim.hash()
    with pytest.raises(ValueError):
        track.restart("convex", "lemke", "auto", 1e-3)
    assert track.sim.hash() == before and len(track) == 2
    track.restart("convex", "auto", "auto", 1e-3)
    assert (track.sim.law, track.sim.dt, track.now.time, len(track)) == ("convex", 1e-3, 0.0, 1)
    np.testing.assert_array_equal(track.sim.pd_target, st.scene("anymal_stand").pd_target)


# ---- drawing ------------------------------------------------------------------------------------------------------------


def test_drawing_shows_every_body_of_a_quadruped():
    sim = st.scene("anymal_stand")
    drawing = Drawing.of(sim)
    assert {item.body for item in drawing.items} >= {
        b.id for b in sim.bodies if any(c.parent == b.id for c in sim.bodies)
    }
    assert len(drawing.planes) == 1
    assert 0.3 < drawing.extent < 2.0
    assert drawing.force_unit == pytest.approx(9.81 * sim.mass)


def test_visual_shapes_of_a_urdf_file_hang_on_their_links(tmp_path):
    pytest.importorskip(
        "example_robot_data", reason="needs example-robot-data"
    ) if "solo12" not in st.robots.paths() else None
    from stiction.drawing.visuals import visuals_of

    world = st.World()
    st.robots.load("solo12", world)
    sim = st.Simulator(world)
    items = visuals_of(sim)
    assert {item.body for item in items} == {body.id for body in sim.bodies}
    assert all(item.layer == "visual" and len(item.triangles) > 0 for item in items)
    # a robot's look is about as large as its collision hull
    drawing = Drawing.of(sim, items)
    assert 0.2 < drawing.extent < 1.0
    assert drawing.layers == ["collision", "visual"]


class Ball:
    """The smallest source: a ball that rises by one metre per second."""

    title = "ball"

    def __init__(self):
        world = st.World()
        world.add_sphere(radius=0.1, mass=1.0)
        self.sim = st.Simulator(world)
        self.drawing = Drawing.of(self.sim)

    def __len__(self):
        return 11

    def frame(self, index):
        pose = np.array([[0, 0, 0.1 * index, 0, 0, 0, 1.0]])
        return Frame(0.1 * index, index, pose, self.sim.contacts(), {"energy": float(index)})


def test_any_source_can_be_played():
    source = Ball()
    assert isinstance(source, Source)
    track = RecordedTrack(source)
    assert track.advance_to(0.55, 1.0) and track.at == 5
    assert not track.advance_to(2.0, 1.0) and track.at == 10
    track.back()
    assert track.at == 9
    track.go(3), track.step()
    assert track.at == 4
    with st.view(source, port=0) as viewer:
        viewer.step()
        assert viewer.tracks[0].at == 1
        assert "<html" in viewer.export()


def test_words_of_a_recording_are_text():
    """The panel's Markdown is evaluated by the browser, HTML and expressions in braces too: a status ran scripts there."""

    class Evil(Ball):
        def frame(self, index):
            return replace(
                super().frame(index), status="<iframe srcdoc='<script>x</script>'>{alert(1)} [a](javascript:b)"
            )

    with st.view(Evil(), port=0) as shown:
        shown.step()
        shown.player.wait()
        text = shown._run_panel._words.content
    assert "iframe" in text and not set("<{}[]") & set(text), text
    assert html.unescape(plain_text("<b>{1}&amp;")) == "<b>{1}&amp;"


# ---- hands --------------------------------------------------------------------------------------------------------------


def test_clicks_are_done_in_the_order_they_were_made():
    """A list of what the track was told: viser's pool of threads would mix them up, or take one for its successor."""
    with st.view(st.scene("cube_slide"), port=0) as viewer, Hand(viewer) as hand:
        track, told = viewer.tracks[0], []
        for name in ("step", "back"):
            method = getattr(track, name)
            setattr(track, name, lambda name=name, method=method: (told.append(name), method())[1])
        clicks = 20 * [("Step", "step"), ("Step", "step"), ("Step back", "back")]
        for button, _ in clicks:
            hand.use("Move", button)
        wait_until(lambda: len(told) == len(clicks))
        assert told == [name for _, name in clicks]
        viewer.player.wait()
        assert track.now.step == 20


def test_restart_takes_the_method_of_its_click():
    """Every choice is followed by its Restart and at once by the next choice."""
    with st.view(st.scene("cube_slide"), port=0) as viewer, Hand(viewer) as hand:
        track, told = viewer.tracks[0], []
        restart = track.restart
        track.restart = lambda law, *rest: (told.append(law), restart(law, *rest))[1]
        laws = 10 * ["convex", "anchored", "coulomb"]
        for law in laws:
            hand.use("Law", law)
            hand.use("Restart", True)
        wait_until(lambda: len(told) == len(laws))
        assert told == laws


def test_last_place_of_a_slider_stays():
    with st.view(st.scene("anymal_stand"), port=0) as viewer, Hand(viewer) as hand:
        track = viewer.tracks[0]
        for i in range(200):
            hand.use("LF_HFE", 0.001 * i)
        wait_until(lambda: track.given.target is not None and track.given.target[1] == pytest.approx(0.199))
        time.sleep(0.2)  # for those that come late
        viewer.player.wait()
        assert track.given.target[1] == pytest.approx(0.199)


def test_second_click_on_play_changes_nothing():
    """Both come before the player has had time for the first, so that the button still says Play."""
    with st.view(st.scene("cube_slide"), port=0) as viewer, Hand(viewer) as hand:
        busy = threading.Event()
        viewer.player.do(busy.wait)
        for _ in range(2):
            hand.use("Play", True)
        hand.use("Speed", "2x")
        wait_until(lambda: viewer.player.speed == 2.0)  # what was sent before has arrived as well
        busy.set()
        viewer.player.wait()
        assert viewer.player.playing


def wait_until(condition, seconds=60.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "did not happen"
        time.sleep(0.01)


# ---- frames -------------------------------------------------------------------------------------------------------------


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
    import re

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
