# SPDX-License-Identifier: BSD-2-Clause
"""A real Chromium opens the viewer and uses it as a hand would.

Oracles: the state of the simulator behind the page, pixels of the screenshots (the panel left out), every address the
browser asked for. Screenshots stay in build/reports/viewer for those who want to look.
"""

import shutil
import time
from pathlib import Path

import numpy as np
import pytest

import stiction as st

pytest.importorskip("viser")
playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
if CHROMIUM is None:
    pytest.skip("no Chromium to drive the viewer with; Debian, Ubuntu: apt install chromium", allow_module_level=True)

FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-gpu-rasterization", "--disable-accelerated-2d-canvas"]  # fmt: skip
PICTURES = Path(__file__).resolve().parents[2] / "build" / "reports" / "viewer"


@pytest.fixture(scope="module")
def viewer():
    with st.view(st.scene("anymal_stand"), port=0, title="anymal_stand") as viewer:
        yield viewer


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
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
    page.goto(viewer.url)
    page.set_default_timeout(120000)
    page.get_by_role("tab", name="Run").wait_for()
    return page


def until(condition, seconds=120.0):
    """Browsers and threads take their time; what is awaited must come."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("did not happen")


def picture(page, name, wanted=None, x=None):
    """RGB pixels left of the panel. With `wanted` (a test of the pixels) frames are awaited until it holds."""
    from PIL import Image

    edge = x if x is not None else int(page.get_by_role("tab", name="Run").bounding_box()["x"]) - 12
    for _ in range(20):
        page.screenshot(path=PICTURES / f"{name}.png")
        pixels = np.asarray(Image.open(PICTURES / f"{name}.png").convert("RGB")).astype(int)[:, :edge]
        if wanted is None or wanted(pixels):
            break
        time.sleep(0.3)
    return pixels


def orange(pixels):
    """The robot's colour in any light: red over green over blue."""
    r, g, b = np.moveaxis(pixels, -1, 0)
    return int(np.sum((r > g + 25) & (g > b + 25) & (r > 60)))


def blue(pixels):
    """Normal forces."""
    r, g, b = np.moveaxis(pixels, -1, 0)
    return int(np.sum((b > r + 60) & (b > g + 40)))


def magenta(pixels):
    """The pull."""
    r, g, b = np.moveaxis(pixels, -1, 0)
    return int(np.sum((r > g + 60) & (b > g + 60)))


def click(locator):
    """With the mouse; not waiting until two frames are alike, which a browser that renders in software takes long for."""
    locator.click(force=True)


def choose(page, label, value):
    """A list that is still moving may take a click for its neighbour's: looked at, and chosen again."""
    field = page.get_by_label(label, exact=True).first
    for _ in range(10):
        click(field)
        click(page.get_by_role("option", name=value, exact=True))
        if field.input_value() == value:
            return
        page.wait_for_timeout(300)
    raise AssertionError(f"{label} is {field.input_value()}, wanted {value}")


def press(page, name):
    click(page.get_by_role("button", name=name, exact=True))


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
    from PIL import Image

    charts = page.locator(".uplot")
    until(lambda: charts.count() == 5)
    for i in range(5):
        until(lambda i=i: charts.nth(i).evaluate(LINE_PIXELS) > 50)
    box = charts.nth(0).bounding_box()
    left, top, width, height = (int(box[key]) for key in ("x", "y", "width", "height"))
    pixels = np.asarray(Image.open(PICTURES / "paused.png").convert("RGB")).astype(int)
    assert blue(pixels[top : top + height, left : left + width]) > 50


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


def test_switches_the_law(page, viewer):
    click(page.get_by_role("tab", name="Method"))
    choose(page, "Law", "convex")
    press(page, "Restart")
    until(lambda: viewer.tracks[0].sim.law == "convex")
    choose(page, "Solver", "lemke")
    press(page, "Restart")
    page.get_by_text("refused").wait_for()
    assert viewer.tracks[0].sim.solver == "auto"


def test_pulls_a_body(page, viewer):
    click(page.get_by_role("tab", name="Pull"))
    choose(page, "Body", "0: base")
    page.get_by_label("Pull", exact=True).last.check(force=True)
    track = viewer.tracks[0]
    assert track.now.step == 0  # as Restart left it
    until(lambda: track.given.body == 0)
    before = track.now.poses[0, 1]
    viewer.run(0.15)  # not by the clock of the wall: a slow machine would let it fall over
    assert track.now.poses[0, 1] > before + 1e-3  # the force points along +y
    pixels = picture(page, "pulled", lambda p: magenta(p) > 100)
    assert magenta(pixels) > 100
    page.get_by_label("Pull", exact=True).last.uncheck(force=True)
    until(lambda: track.given.body == -1)


def test_exports_a_page_that_opens_offline(page, viewer, browser, tmp_path):
    click(page.get_by_role("tab", name="Show"))
    with page.expect_download(timeout=30000) as download:
        press(page, "Export page")
    file = tmp_path / "page.html"
    download.value.save_as(file)
    asked = len(browser.asked)
    browser.set_offline(True)
    offline = browser.new_page()
    offline.set_default_timeout(120000)
    offline.goto(file.as_uri())
    offline.get_by_text("plots and widgets stay behind").wait_for()
    pixels = picture(offline, "exported", lambda p: orange(p) > 1000 and blue(p) > 300, x=880)
    assert orange(pixels) > 1000 and blue(pixels) > 300
    outside = [url for url in browser.asked[asked:] if not url.startswith(("file:", "data:", "blob:"))]
    assert outside == []
    offline.close()
    browser.set_offline(False)


def test_browser_was_sent_nowhere_else(page, viewer, browser):
    """Last: every address of the whole session."""
    own = (viewer.url, viewer.url.replace("http", "ws"), "data:", "blob:", "file:", "about:")
    assert browser.asked and [url for url in browser.asked if not url.startswith(own)] == []
