# SPDX-License-Identifier: BSD-2-Clause
"""A real Chromium opens the viewer and uses it as a hand would.

Oracles: the state of the simulator behind the page, pixels of the screenshots (the panel left out), every address the
browser asked for. Screenshots stay in build/reports/viewer for those who want to look.

How it waits and clicks: browser_hand.py.
"""

import time
from urllib.parse import urlsplit

import numpy as np
import pytest

import stiction as st
from browser_hand import (
    PATIENCE,
    PICTURES,
    blue,
    choose,
    click,
    magenta,
    open_tab,
    open_viewer,
    orange,
    picture,
    press,
    slide,
    until,
)
from mjcf_files import servo_scene
from viewer_client import CHROMIUM, FLAGS, widgets

pytest.importorskip("viser")
playwright = pytest.importorskip("playwright.sync_api")
if CHROMIUM is None:
    pytest.skip("no Chromium to drive the viewer with; Debian, Ubuntu: apt install chromium", allow_module_level=True)

pytestmark = pytest.mark.xdist_group("viewer")  # one browser at a time


@pytest.fixture(scope="module")
def viewer():
    with st.view(st.scene("anymal_stand"), port=0, title="anymal_stand") as viewer:
        yield viewer


@pytest.fixture(scope="module")
def pair():
    with st.view(st.scene("cube_slide"), compare=["convex"], port=0) as viewer:
        yield viewer


@pytest.fixture(scope="module")
def arm(tmp_path_factory):
    world = st.World()
    world.add_mjcf(servo_scene(tmp_path_factory.mktemp("arm")))
    with st.view(st.Simulator(world), port=0) as viewer:
        yield viewer


@pytest.fixture(scope="module")
def browser(viewer, pair, arm, tmp_path_factory):
    """Ends before the viewers do: a server waits long for a slow page that it tells to go."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with playwright.sync_playwright() as p:
        profile = str(tmp_path_factory.mktemp("profile"))
        context = p.chromium.launch_persistent_context(
            profile, executable_path=CHROMIUM, args=FLAGS, viewport={"width": 880, "height": 560}, accept_downloads=True
        )
        context.asked = []
        context.on("request", lambda request: context.asked.append(request.url))
        context.on("page", lambda page: page.on("websocket", lambda socket: context.asked.append(socket.url)))
        yield context
        context.close()


@pytest.fixture(scope="module")
def page(browser, viewer):
    page = browser.new_page()
    page.set_default_timeout(1e3 * PATIENCE)
    open_viewer(page, viewer)
    return page


def test_opens_plays_and_pauses(page, viewer):
    press(page, "Play")
    until(lambda: viewer.player.time > 0.5)
    press(page, "Pause")
    until(lambda: not viewer.player.playing)
    viewer.player.wait()
    stopped = viewer.player.time
    time.sleep(0.3)
    assert viewer.player.time == stopped


def test_robot_and_arrows_are_in_the_picture(page):
    pixels = picture(page, "paused", lambda p: orange(p) > 1000 and blue(p) > 300)
    assert orange(pixels) > 1000
    assert blue(pixels) > 300


LINE_PIXELS = """chart => {
  const canvas = chart.querySelector("canvas");
  const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let count = 0;
  for (let i = 0; i < data.length; i += 4)
    count += data[i + 3] > 128 && data[i + 2] > data[i] + 60 && data[i + 2] > data[i + 1] + 40;
  return count;
}"""


def test_plots_are_in_the_panel(page):
    """The first is in the picture of the page; all five hold a line in its colour."""
    charts = page.locator(".uplot")
    until(lambda: charts.count() == 5)
    for i in range(5):
        until(lambda i=i: charts.nth(i).evaluate(LINE_PIXELS) > 50)
    box = charts.nth(0).bounding_box()
    left, top, width, height = (int(box[key]) for key in ("x", "y", "width", "height"))
    assert blue(picture(page, "plots", lambda p: blue(p) > 50, (left, top, left + width, top + height))) > 50


def test_steps_forward_and_back(page, viewer):
    track = viewer.tracks[0]
    step, before = track.now.step, track.sim.hash()
    press(page, "Step")
    until(lambda: track.now.step == step + 1)
    press(page, "Step back")
    until(lambda: track.now.step == step)
    viewer.player.wait()
    assert track.sim.hash() == before
    press(page, "Step back")
    until(lambda: track.now.step == step - 1)


def test_scrubs_through_the_past(page, viewer):
    """Oracle: another simulator that makes as many steps as the frame says."""
    track, [frame] = viewer.tracks[0], widgets(viewer, "Frame")
    index = slide(page, frame, 0.4)
    until(lambda: track.at == index)
    viewer.player.wait()
    assert 0 < index < len(track) - 1
    twin = st.scene("anymal_stand")
    twin.step(n=track.now.step)
    assert track.sim.hash() == twin.hash()
    page.get_by_text(f"step {track.now.step},").wait_for()


def test_switches_the_law(page, viewer):
    open_tab(page, "Method")
    [law], [solver] = widgets(viewer, "Law"), widgets(viewer, "Solver")
    choose(page, law, "convex")
    press(page, "Restart")
    until(lambda: viewer.tracks[0].sim.law == "convex")
    choose(page, solver, "lemke")
    press(page, "Restart")
    page.get_by_text("refused").wait_for()
    assert viewer.tracks[0].sim.solver == "auto"


def test_pulls_a_body(page, viewer):
    open_tab(page, "Pull")
    [body], [on] = widgets(viewer, "Body"), widgets(viewer, "Pull")
    choose(page, body, "0: base")
    box = page.locator(f"[id='{on._impl.uuid}']")
    click(box)
    track = viewer.tracks[0]
    assert track.now.step == 0  # as Restart left it
    until(lambda: track.given.body == 0)
    assert box.is_checked()
    before = track.now.poses[0, 1]
    viewer.run(0.15)  # not by the clock of the wall: a slow machine would let it fall over
    assert track.now.poses[0, 1] > before + 1e-3  # the force points along +y
    pixels = picture(page, "pulled", lambda p: magenta(p) > 100)
    assert magenta(pixels) > 100
    click(box)
    until(lambda: track.given.body == -1)
    assert not box.is_checked()


def test_moves_a_joint(page, viewer):
    """While the robot still falls, the PD brings the joint most of the way to where the slider was put."""
    viewer.reset()
    open_tab(page, "Joints")
    track, [slider] = viewer.tracks[0], widgets(viewer, "LF_HFE")
    at = next(robot.joint_names for robot in track.sim.robots).index("LF_HFE")
    before = track.sim.pd_target[at]
    wanted = slide(page, slider, (before + 0.3 - slider.min) / (slider.max - slider.min))
    assert before + 0.2 < wanted < before + 0.4  # the bar is about 140 pixels long
    until(lambda: track.given.target is not None and track.given.target[at] == wanted)
    viewer.run(0.1)
    cosine, sine = track.sim.q[7 + 2 * at : 9 + 2 * at]  # a joint without limits
    assert abs(np.arctan2(sine, cosine) - wanted) < 0.25 * (wanted - before)


def test_exports_a_page_that_opens_offline(page, viewer, browser, tmp_path):
    open_tab(page, "Show")
    with page.expect_download(timeout=1e3 * PATIENCE) as download:
        press(page, "Export page")
    file = tmp_path / "page.html"
    download.value.save_as(file)
    page.goto("about:blank")  # two pages that render are more than twice as slow
    asked = len(browser.asked)
    browser.set_offline(True)
    try:
        offline = browser.new_page()
        offline.set_default_timeout(1e3 * PATIENCE)
        offline.goto(file.as_uri())
        offline.get_by_text("plots and widgets stay behind").wait_for()
        pixels = picture(offline, "exported", lambda p: orange(p) > 1000 and blue(p) > 300, (0, 0, None, None))
        assert orange(pixels) > 1000 and blue(pixels) > 300
        outside = [url for url in browser.asked[asked:] if not url.startswith(("file:", "data:", "blob:"))]
        assert outside == []
        offline.close()
    finally:
        browser.set_offline(False)


def column(viewer, point):
    """Where the page's camera sees a point of the world [pixels from the left]."""
    from viser.transforms import SO3

    *_, client = until(viewer.server.get_clients).values()
    camera = client.camera
    x, _, depth = SO3(camera.wxyz).inverse() @ (np.asarray(point) - camera.position)
    return int(0.5 * camera.image_width + 0.5 * camera.image_height / np.tan(0.5 * camera.fov) * x / depth)


def test_compares_two_laws_side_by_side(page, pair):
    """Both are in the picture where the camera sees them, at the same time but not at the same height; one can be changed alone."""
    open_viewer(page, pair)
    first, second = pair.tracks
    press(page, "Step")
    until(lambda: first.now.step == second.now.step == 1)
    pair.run(0.2)
    assert first.now.time == second.now.time == pytest.approx(0.2, abs=2e-3)
    assert second.now.poses[0, 2] > first.now.poses[0, 2] + 2e-5  # the convex law lifts what slips

    def arrows(pixels):
        """Near the body that has fewer of them; the camera may still be on its way to its place."""
        x, y = (
            column(pair, stage._offset + track.now.poses[0, :3])
            for stage, track in zip(pair._stages, pair.tracks, strict=True)
        )
        return (
            min(blue(pixels[:, max(x - 50, 0) : x + 50]), blue(pixels[:, max(y - 50, 0) : y + 50]))
            if abs(x - y) > 100
            else 0
        )

    assert arrows(picture(page, "compared", lambda p: arrows(p) > 50)) > 50
    open_tab(page, "Method")
    choose(page, widgets(pair, "Law")[1], "anchored")
    click(page.get_by_role("button", name="Restart", exact=True).nth(1))
    until(lambda: second.sim.law == "anchored")
    assert first.sim.law == "coulomb"
    page.get_by_text("now: anchored").wait_for()


def pixel(page, viewer, point):
    """Where the page's camera sees a point of the world [pixels of the page]; the scene fills the page behind the panel."""
    from viser.transforms import SO3

    *_, client = until(viewer.server.get_clients).values()
    camera = client.camera
    x, y, depth = SO3(camera.wxyz).inverse() @ (np.asarray(point) - camera.position)
    box = page.locator("canvas").first.bounding_box()
    focus = 0.5 * box["height"] / np.tan(0.5 * camera.fov)
    return box["x"] + 0.5 * box["width"] + focus * x / depth, box["y"] + 0.5 * box["height"] + focus * y / depth


def test_keys_play_and_step(page, viewer):
    open_viewer(page, viewer)
    viewer.reset()
    track = viewer.tracks[0]
    page.keyboard.press("ArrowRight")
    until(lambda: track.now.step == 1)
    page.keyboard.press("ArrowRight")
    until(lambda: track.now.step == 2)
    page.keyboard.press("ArrowLeft")
    until(lambda: track.now.step == 1)
    page.keyboard.press("Space")
    until(lambda: viewer.player.playing)
    page.keyboard.press("Space")
    until(lambda: not viewer.player.playing)
    page.keyboard.press("Home")
    until(lambda: track.now.step == 0)


def test_a_click_on_a_contact_says_why_it_holds(page, viewer):
    """Oracle: the numbers of the simulator behind the page."""
    open_viewer(page, viewer)
    viewer.reset()
    viewer.run(0.3)
    open_tab(page, "Why")
    page.get_by_text("Click a contact point").wait_for()
    track = viewer.tracks[0]
    contact = track.now.contacts[0]
    panel = page.get_by_role("tab", name="Run").bounding_box()["x"]
    spot = pixel(page, viewer, contact["point"])
    assert 0 < spot[0] < panel - 12

    def picked():
        page.mouse.click(*spot)
        return viewer._why_panel._picked is not None

    until(picked)
    chosen = track.now.contacts[
        np.argmin(np.linalg.norm(track.now.contacts["point"] - viewer._why_panel._picked[2], axis=1))
    ]
    normal = float(chosen["force"] @ chosen["normal"])
    page.get_by_text(f"{normal:.4g} N").first.wait_for()
    page.screenshot(path=PICTURES / "why.png")
    page.get_by_text("this contact sticks").first.wait_for()  # it stands: its force is inside of the cone
    page.get_by_text("0.8", exact=True).first.wait_for()  # the limit of the scene


def test_actuators_and_keyframes_have_widgets(page, arm):
    """A slider asks a servo for an angle; a keyframe is a start, with its ctrl."""
    open_viewer(page, arm)
    open_tab(page, "Actuators")
    track, [lift], [name] = arm.tracks[0], widgets(arm, "lift"), widgets(arm, "Keyframe")
    wanted = slide(page, lift, 0.8)
    until(lambda: track.given.ctrl is not None and track.given.ctrl[0] == wanted)
    arm.run(1.0)
    assert abs(track.sim.q[0] - wanted) < 0.1
    choose(page, name, "low")
    press(page, "Start here")
    until(lambda: track.now.step == 0 and lift.value == 1.0)
    assert track.sim.q[0] == 1.0


def test_browser_was_sent_nowhere_else(viewer, pair, arm, browser):
    """Last: every address of the whole session."""
    own = {urlsplit(some.url).netloc for some in (viewer, pair, arm)}
    asked = [urlsplit(url) for url in browser.asked]
    assert {url.netloc for url in asked if url.scheme in ("http", "ws")} == own
    assert {url.scheme for url in asked} <= {"http", "ws", "data", "blob", "file", "about"}
