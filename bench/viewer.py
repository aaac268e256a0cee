# SPDX-License-Identifier: BSD-2-Clause
"""What the viewer costs: pose updates that reach a client which does not render, and CPU time of a step with and without it.

usage: python bench/viewer.py [--seconds 5]       prints JSON, one line for each speed and one for the browser

Both measures of a step are CPU time of the stepping thread inside step(). `alone` makes the same calls (as many steps per call, the
same pause between calls) without a viewer, since a processor that idles between calls is slower than one in a tight loop. The two take
turns, and medians are compared. The frame rate of a real browser is printed, not judged: it renders in software here, on the processors
that the simulation uses as well, and says little about a desk with a graphics card.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path

import stiction as st

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "python" / "viewer"))
from viewer_client import CHROMIUM, FLAGS, collect

TICK = 1.0 / 60.0
COUNT_FRAMES = """seconds => new Promise(done => {
  let frames = -1, start;
  const count = now => {
    start ??= now;
    frames += 1;
    if (now - start >= 1e3 * seconds) done(1e3 * frames / (now - start)); else requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
})"""


def moving_quadruped() -> st.Simulator:
    """Targets that sway: a pose that does not change is not sent."""
    return st.scene("anymal_stand", targets="moving")


def alone(speed: float, seconds: float) -> float:
    """Median CPU time of a step [us] in calls as the viewer makes them."""
    sim = moving_quadruped()
    spent, due, wanted = [], time.perf_counter(), 0.0
    end = due + seconds
    while time.perf_counter() < end:
        wanted += TICK * speed
        steps = int((wanted - sim.time) / sim.dt + 1e-6)
        if steps:
            cpu = time.thread_time()
            sim.step(n=steps)
            spent.append(1e6 * (time.thread_time() - cpu) / steps)
        due += TICK
        time.sleep(max(0.0, due - time.perf_counter()))
    return statistics.median(spent)


def with_viewer(speed: float, seconds: float) -> dict[str, float]:
    with st.view(moving_quadruped(), port=0) as viewer:
        viewer.player.speed = speed
        viewer.play()
        cpu = time.process_time()
        seen = collect(viewer, seconds)
        cpu = time.process_time() - cpu
        viewer.pause()
        track = viewer.tracks[0]
        costs = [track.frame(i).values["us_per_step"] for i in range(1, len(track))]
    return {"updates_per_s": seen.poses / seen.seconds, "drawn_per_s": seen.drawn / seen.seconds,
            "us_per_step": statistics.median(costs), "process_cores": cpu / seen.seconds}  # fmt: skip


def browser_frames_per_s(seconds: float) -> float | None:
    """Frames that Chromium gives the page while the quadruped moves; None where there is no browser, or nothing to drive it."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    if CHROMIUM is None:
        return None
    with st.view(moving_quadruped(), port=0) as viewer, sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 880, "height": 560})
        page.goto(viewer.url, timeout=120000)
        page.get_by_role("tab", name="Run").wait_for(timeout=120000)
        while not viewer.server.get_clients():  # until the first frame is rendered
            time.sleep(0.1)
        viewer.play()
        rate: float = page.evaluate(COUNT_FRAMES, seconds)
        browser.close()
    return rate


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=5.0)
    options = parser.parse_args()
    for speed in (1.0, 20.0):
        rounds = [(alone(speed, options.seconds), with_viewer(speed, options.seconds)) for _ in range(3)]
        ratio = statistics.median(a / b["us_per_step"] for a, b in rounds)
        print(json.dumps({
            "speed": speed, "kept_speed": round(ratio, 3),
            "us_per_step_alone": round(statistics.median(a for a, _ in rounds), 2),
            **{key: round(statistics.median(b[key] for _, b in rounds), 2) for key in rounds[0][1]},
        }), flush=True)  # fmt: skip
    rate = browser_frames_per_s(options.seconds)
    print(json.dumps({"browser_frames_per_s": None if rate is None else round(rate, 2), "judged": False}), flush=True)


if __name__ == "__main__":
    main()
