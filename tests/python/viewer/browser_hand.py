# SPDX-License-Identifier: BSD-2-Clause
"""What tests do with a page of the viewer in a real browser: wait, look at its pixels, click, slide, choose.

The browser renders in software and may be very slow. So nothing is given a time to happen in; a click is known to have arrived, once,
before anything else is done; and what it changes is awaited on the server before the next one, since viser sends at most one message
in 50 ms, keeps only the newest of those that wait, and drops that one if the tab is left.
"""

import time

import numpy as np
import pytest

from repository import ROOT

playwright = pytest.importorskip("playwright.sync_api")
PICTURES = ROOT / "build" / "reports" / "viewer"
PATIENCE = 120.0  # [s] after which something is taken not to happen at all


def until(condition, seconds=PATIENCE):
    """Browsers and threads take their time; what is awaited must come."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "did not happen"
        time.sleep(0.05)
    return found


def open_viewer(page, viewer):
    """Until the first frame is rendered: viser ignores the widgets of a page that has not told its camera."""
    page.goto(viewer.url)
    page.get_by_role("tab", name="Run").wait_for()
    until(viewer.server.get_clients)


def picture(page, name, wanted, box=None):
    """RGB pixels left of the panel, or in a box (left, top, right, bottom). Frames are awaited until `wanted`, a test of the pixels,
    holds; the last one is returned."""
    from PIL import Image

    end = time.monotonic() + PATIENCE
    left, top, right, bottom = box or (0, 0, int(page.get_by_role("tab", name="Run").bounding_box()["x"]) - 12, None)
    while True:
        page.screenshot(path=PICTURES / f"{name}.png")
        pixels = np.asarray(Image.open(PICTURES / f"{name}.png").convert("RGB")).astype(int)[top:bottom, left:right]
        if wanted(pixels) or time.monotonic() > end:
            return pixels
        time.sleep(0.3)


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


AIM = """(element, x) => {
  element.scrollIntoView({block: "nearest"});
  const box = element.getBoundingClientRect();
  const point = [box.x + x * box.width, box.y + 0.5 * box.height];
  const top = document.elementFromPoint(...point);
  if (!top || !element.contains(top)) return null;
  window.arrived = false;
  element.addEventListener("click", () => { window.arrived = true; }, {once: true, capture: true});
  return point;
}"""


def hit(locator, x=0.5):
    """Try one click of the mouse; whether the element heard it. Something that is closing may lie over it: then nothing is clicked.
    It may move away under the mouse: then it heard nothing. (Playwright's own click waits until two frames are alike, which takes
    long here, and with force=True looks at nothing.)"""
    try:
        point = locator.evaluate(AIM, x, timeout=5000)
    except playwright.TimeoutError:
        return False
    if point is None:
        return False
    locator.page.mouse.click(*point)
    return locator.page.evaluate("window.arrived")


def click(locator, x=0.5):
    """One click that arrives."""
    try:
        until(lambda: hit(locator, x))
    except AssertionError:
        locator.page.screenshot(path=PICTURES / "missed.png")
        raise AssertionError(f"no click reached {locator}; see missed.png") from None


def press(page, name):
    click(page.get_by_role("button", name=name, exact=True))


def open_tab(page, name):
    """Tabs listen to the pointer, not to clicks; opening one twice does no harm."""
    tab = page.get_by_role("tab", name=name, exact=True)

    def opened():
        tab.click(force=True)
        return tab.get_attribute("aria-selected") == "true"

    until(opened)


def choose(page, widget, value):
    """From a list, until the choice has arrived at the server. A list that is still moving may take a click for its neighbour's."""
    field = page.locator(f"[id='{widget._impl.uuid}']")
    options = page.locator("[role=option]:visible")

    def chosen():
        if field.input_value() == value:
            return True
        if options.count() == 0:
            click(field)
        hit(page.get_by_role("option", name=value, exact=True).locator("visible=true"))
        return False  # looked at when the list is gone

    until(lambda: chosen() and options.count() == 0)
    until(lambda: widget.value == value)


def slide(page, widget, x):
    """Press the bar of a slider at the fraction x; the value that has arrived at the server is the page's."""
    before = widget.value
    bar = page.locator(f"[id='{widget._impl.uuid}']")
    click(bar.locator(".mantine-Slider-trackContainer"), x)
    until(lambda: widget.value != before)
    until(lambda: float(bar.get_by_role("slider").get_attribute("aria-valuenow")) == pytest.approx(widget.value))
    return widget.value
