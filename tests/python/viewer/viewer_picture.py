# SPDX-License-Identifier: BSD-2-Clause
"""Makes the picture of docs/viewer.md: a pushed quadruped in the browser.

usage: python tests/python/viewer/viewer_picture.py docs/figures/viewer.png
"""

import shutil
import sys
import time

from PIL import Image
from playwright.sync_api import sync_playwright

import stiction as st

FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-rasterization"]


def main(path):
    with st.view(st.scene("starleth_push"), port=0, title="starleth_push") as viewer, sync_playwright() as p:
        browser = p.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport={"width": 1040, "height": 620})
        page.set_default_timeout(120000)
        page.goto(viewer.url)
        page.get_by_role("tab", name="Run").wait_for()
        viewer.run(0.7)
        page.locator(".mantine-Notification-closeButton").first.click(force=True)
        time.sleep(5.0)
        page.screenshot(path=path)
        browser.close()
    Image.open(path).convert("RGB").quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
        path, optimize=True
    )


if __name__ == "__main__":
    main(sys.argv[1])
