# SPDX-License-Identifier: BSD-2-Clause
"""Speed against error, stiction and MuJoCo in one run:

    python bench/comparison.py [--quick] [--scenes slope,ball] [--plot docs/figures/comparison.svg] [--page docs/comparison.md]

Every setting of both engines runs the same scenes (comparison_scenes.py) in one process, one after the other, in several rounds; a time
is the median CPU time of the calling thread over the rounds. Prints tables; --json keeps the numbers, --plot draws
them, --page writes the tables of docs/comparison.md.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import comparison_scenes as scenes
import mujoco
import numpy as np

import stiction as st
from stiction.bench.machine import machine
from stiction.output.files import write_text

ELLIPTIC = {"cone": mujoco.mjtCone.mjCONE_ELLIPTIC}
FAST = {"integrator": mujoco.mjtIntegrator.mjINT_IMPLICITFAST}
RK4 = {"integrator": mujoco.mjtIntegrator.mjINT_RK4}
# The ground's own spring for a body of 1 kg: solref (-k, -c), solimp (d, d); d is small, so that gravity is not taken away.
SHARE = 1e-3
SPRING = {"solref": (-scenes.STIFFNESS, -scenes.DAMPING), "solimp": (SHARE, SHARE, 1e-3, 0.5, 1.0)}
NAN = float("nan")

THEIRS: dict[str, dict[str, Any]] = {
    "default": {},
    "elliptic": ELLIPTIC,
    "implicitfast": FAST,
    **{f"pyramidal, noslip {n}": {"noslip_iterations": n} for n in (5, 50)},
    **{f"elliptic, noslip {n}": ELLIPTIC | {"noslip_iterations": n} for n in (1, 5, 10, 20, 50)},
    **{f"elliptic, impratio {n}": ELLIPTIC | {"impratio": float(n)} for n in (10, 100, 1000)},
    "pyramidal, impratio 100": {"impratio": 100.0},
    "elliptic, solref 2 dt": ELLIPTIC | {"solref": "2 dt"},
    "elliptic, implicitfast, noslip 10": ELLIPTIC | FAST | {"noslip_iterations": 10},
    "elliptic, implicitfast, impratio 100, solref 2 dt, noslip 10": ELLIPTIC | FAST
    | {"impratio": 100.0, "solref": "2 dt", "noslip_iterations": 10},
}  # fmt: skip
THEIRS_SOFT = {
    "default": {},
    "solref 2 dt": {"solref": "2 dt"},
    "the ground's spring": SPRING,
    "the ground's spring, implicitfast": SPRING | FAST,
    "the ground's spring, RK4": SPRING | RK4,
}
OURS: dict[str, dict[str, Any]] = {
    "coulomb": {},
    **{
        f"coulomb, tolerance {t:g}": {"solver": "auto", "solver_options": {"tolerance": t}} for t in (1e-3, 1e-5, 1e-11)
    },
    **{
        f"coulomb, {solver}": {"solver": solver}
        for solver in ("nsgs", "admm", "apgd", "ppa_newton", "ac_newton", "interior_point")
    },
    "coulomb, moreau": {"stepper": "moreau"},
    "coulomb, stewart_trinkle": {"stepper": "stewart_trinkle"},
    **{law: {"law": law} for law in ("convex", "pyramid", "raisim", "anchored", "relaxed", "compliant")},
}
OURS_SOFT: dict[str, dict[str, Any]] = {
    "coulomb with the ground's spring": {},
    **{f"anchored, {stepper}": {"law": "anchored", "stepper": stepper}
       for stepper in ("exponential", "exponential_midpoint", "euler", "implicit_euler", "rk4")},
    "compliant": {"law": "compliant"},
}  # fmt: skip


def _made(scene: scenes.Scene, side: str, dt: float, settings: dict[str, Any]) -> Any:
    if side == "stiction":
        return scene.ours(dt, settings)
    if settings.get("solref") == "2 dt":
        settings = settings | {"solref": (2.0 * dt, 1.0)}
    return scene.theirs(dt, settings)


def _run(scene: scenes.Scene, engine: Any) -> tuple[float, float]:
    """CPU time per step [µs], and the error [m]: infinite where a step was refused or the robot fell."""
    engine.restart()
    steps, looks = round(scene.every / engine.dt), round(scene.duration / scene.every)
    places, spent = [], 0.0
    for _ in range(looks):
        start = time.thread_time()
        engine.advance(steps)
        spent += time.thread_time() - start
        places.append(engine.look())
    times = scene.every * np.arange(1, looks + 1)
    error = scene.error(times, np.array(places))
    return 1e6 * spent / (steps * looks), math.inf if engine.lost or not math.isfinite(error) else error


def measure(scene: scenes.Scene, rounds: int) -> list[dict[str, Any]]:
    """A row per setting and step; the rounds go through all of them in turn."""
    ours, theirs = (OURS_SOFT, THEIRS_SOFT) if scene.compliant else (OURS, THEIRS)
    rows, engines = [], []
    for side, known in (("stiction", ours), ("MuJoCo", theirs)):
        for name, settings in known.items():
            for dt in scene.dts:
                try:
                    engines.append(_made(scene, side, dt, settings))
                except st.InvalidInput as error:
                    print(f"{scene.name}: {side} {name}: {error}", file=sys.stderr)
                    continue
                rows.append({"scene": scene.name, "engine": side, "setting": name, "dt": dt, "us": [], "error": NAN})
    for _ in range(rounds):
        for row, engine in zip(rows, engines, strict=True):
            spent, row["error"] = _run(scene, engine)
            row["us"].append(spent)
    for row in rows:
        row["us"] = statistics.median(row["us"])
    return rows


def _length(value: float) -> str:
    if not math.isfinite(value):
        return "falls, or refused"
    for unit, scale in (("m", 1.0), ("mm", 1e3), ("µm", 1e6), ("nm", 1e9)):
        if value * scale >= 0.9995:
            return f"{value * scale:.3g} {unit}"
    return f"{value:.1g} m"


def table(chosen: list[scenes.Scene], rows: list[dict[str, Any]], only: tuple[str, ...] = ()) -> str:
    """Error and µs per step in Markdown: a row per setting, a column per scene and step."""
    columns = [(scene, dt) for scene in chosen for dt in scene.dts]
    head = [f"{scene.name}, dt {1e3 * dt:g} ms" for scene, dt in columns]
    lines = ["| engine, setting | " + " | ".join(head) + " |", "|---" * (1 + len(head)) + "|"]
    found = {(r["engine"], r["setting"], r["scene"], r["dt"]): f"{_length(r['error'])}, {r['us']:.3g}" for r in rows}
    for engine, setting in dict.fromkeys((r["engine"], r["setting"]) for r in rows):
        if only and f"{engine}, {setting}" not in only:
            continue
        cells = [found.get((engine, setting, scene.name, dt), "-") for scene, dt in columns]
        lines.append(f"| {engine}, {setting} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


SHORT = ("stiction, coulomb", "stiction, coulomb, moreau", "stiction, convex", "stiction, anchored", "MuJoCo, default",
         "MuJoCo, elliptic", "MuJoCo, elliptic, impratio 100", "MuJoCo, elliptic, noslip 10", "MuJoCo, " + list(THEIRS)[-1])  # fmt: skip


def write_into(page: Path, results: list[dict[str, Any]], load: str) -> None:
    """The tables between the marks of docs/comparison.md."""
    rigid = [scene for scene in scenes.SCENES if not scene.compliant]
    soft = [scene for scene in scenes.SCENES if scene.compliant]
    by = lambda chosen: [r for r in results if r["scene"] in [scene.name for scene in chosen]]
    parts = {
        "run": f"stiction {st.__version__}, MuJoCo {mujoco.__version__}. Load of the machine during this run: {load}.\n",
        "short": table(rigid, by(rigid), SHORT),
        "ball": table(soft, by(soft)),
        "all": table(rigid, by(rigid)),
    }
    text = page.read_text(encoding="utf-8")
    for name, part in parts.items():
        text, times = re.subn(
            f"(<!-- {name} -->\n).*?(<!-- end -->)", lambda m, part=part: m[1] + part + m[2], text, flags=re.DOTALL
        )
        if times != 1:
            raise SystemExit(f"{page}: expected one mark <!-- {name} --> with its <!-- end -->, found {times}")
    write_text(page, text)


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed against error, stiction and MuJoCo in one run.")
    parser.add_argument("--quick", action="store_true", help="one round instead of five")
    parser.add_argument("--scenes", default=",".join(s.name for s in scenes.SCENES), help="names, separated by commas")
    parser.add_argument("--json", type=Path, help="where numbers, versions and machine are kept")
    parser.add_argument("--plot", type=Path, help="figure to be drawn (.svg)")
    parser.add_argument("--page", type=Path, help="page whose tables are replaced; all scenes are needed")
    wanted = parser.parse_args()
    chosen = [scene for scene in scenes.SCENES if scene.name in wanted.scenes.split(",")]
    begin, results = os.getloadavg()[0], []
    for scene in chosen:
        rows = measure(scene, 1 if wanted.quick else 5)
        results += rows
        print(f"{scene.name}: {scene.truth}\n\n{table([scene], rows)}", flush=True)
    load = f"{begin:.1f} at the start, {os.getloadavg()[0]:.1f} at the end, {os.cpu_count()} cores"
    print(f"stiction {st.__version__}, MuJoCo {mujoco.__version__}; load {load}")
    if wanted.json:
        kept = {"machine": machine(), "load": load, "mujoco": mujoco.__version__, "results": results}
        write_text(wanted.json, json.dumps(kept, indent=1) + "\n")
    if wanted.page:
        write_into(wanted.page, results, load)
    if wanted.plot:
        from comparison_plot import draw

        draw(results, chosen, wanted.plot)


if __name__ == "__main__":
    main()
