# SPDX-License-Identifier: BSD-2-Clause
"""What the viewer costs: pose updates that reach a client which does not render, and CPU time of a step with and without it.

usage: python bench/viewer.py [--seconds 5]       prints JSON

Both measures of a step are CPU time of the stepping thread inside step(). `alone` makes the same calls (as many steps per call, the
same pause between calls) without a viewer, since a processor that idles between calls is slower than one in a tight loop. The two take
turns, and medians are compared.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path

import stiction as st

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "python"))
from viewer_client import collect  # noqa: E402

TICK = 1.0 / 60.0


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


if __name__ == "__main__":
    main()
