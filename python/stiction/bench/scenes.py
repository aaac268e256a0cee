# SPDX-License-Identifier: BSD-2-Clause
"""`stiction bench`: steps per second of the scenes beside accuracy, contacts and iterations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import stiction as st

from ..output.progress import each
from ..output.tables import number, text_table
from .measure import measure

Echo = Callable[[str], None] | None


def run(scene: str | None = None, quick: bool = False, echo: Echo = None) -> list[dict[str, Any]]:
    """Bench one scene, or all of them, with default settings."""
    names = [scene] if scene else [entry.name for entry in st.catalog()["scenes"]]
    results = []
    for name in each(names, "bench", unit="scene"):
        make = lambda name=name: st.scene(name)
        duration = 20 * make().dt if quick else None
        results.append({"scene": name, **measure(make, duration, name, repeats=1 if quick else 5).summary()})
    if echo is not None:
        rows = [
            [r["scene"], number(1e6 / r["us_per_step"]), number(r["us_per_step"]), str(r["contacts"]),
             number(r["iterations_per_step"]), number(r["ncp_residual_N"]), number(1e3 * r["penetration_m"]),
             f"{r['unaccepted_steps']} of {r['steps']}"]
            for r in results
        ]  # fmt: skip
        header = [
            "",
            "steps/s",
            "us/step",
            "contacts",
            "iterations",
            "NCP residual [N]",
            "penetration [mm]",
            "unaccepted",
        ]
        echo(text_table(header, rows))
        echo(
            "\n  law coulomb, solver auto, the scene's own dt; CPU time: median of 5 runs of all steps without Python in between"
        )
        echo("  contacts: largest number; iterations: mean per step; NCP residual, penetration: largest of all steps")
    return results


def profile(
    scene: str | None, make: Callable[[str], st.Simulator], quick: bool = False, echo: Echo = None
) -> list[dict[str, Any]]:
    """Time per stage of a step: of what `make` gives for one name, or of all scenes."""
    names = [scene] if scene else [entry.name for entry in st.catalog()["scenes"]]
    results: list[dict[str, Any]] = []
    for name in each(names, "profile", unit="scene"):
        sim = make(name)
        steps = 20 if quick else max(200, round(1.0 / sim.dt))
        sim.step(n=10)
        sim.profile()
        report = sim.step(n=steps)
        stages = {stage: 1e6 * seconds / max(report.steps, 1) for stage, seconds in sim.stage_times().items()}
        results.append({"scene": name, "steps": report.steps, "status": str(report.status), "us": stages})
    if echo is not None and results:
        header = ["", *results[0]["us"], "sum", "status"]
        rows = [
            [r["scene"], *(number(us) for us in r["us"].values()), number(sum(r["us"].values())), r["status"]]
            for r in results
        ]
        echo(text_table(header, rows))
        echo("\n  us per step, wall-clock time; law coulomb, solver auto; the stages of other steppers are one, rest")
    return results
