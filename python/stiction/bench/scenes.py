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
