# SPDX-License-Identifier: BSD-2-Clause
"""`stiction bench`: steps per second of the scenes beside accuracy, contacts and iterations."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import stiction as st

from . import _core
from .measure import measure
from .progress import each
from .tables import number, text_table

Echo = Callable[[str], None] | None


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


def machine() -> dict[str, Any]:
    """What a number depends on: processor, system, compiler, version, commit (if run from a repository)."""
    found = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=Path(__file__).parent, check=False
    )
    return {
        "processor": _processor(), "threads": os.cpu_count(), "system": platform.system(), "python": platform.python_version(),
        "compiler": _core.compiler, "stiction": st.__version__, "commit": found.stdout.strip() or None,
    }  # fmt: skip


def run(scene: str | None = None, quick: bool = False, echo: Echo = None) -> list[dict[str, Any]]:
    """Bench one scene, or all of them, with default settings."""
    names = [scene] if scene else [entry.name for entry in st.catalog()["scenes"]]
    results = []
    for name in each(names, "bench", unit="scene"):
        make = lambda name=name: st.scene(name)  # noqa: E731
        duration = 20 * make().dt if quick else None
        results.append({"scene": name, **measure(make, duration, name, repeats=1 if quick else 5).summary()})
    if echo is not None:
        rows = [
            [r["scene"], number(1e6 / r["us_per_step"]), number(r["us_per_step"]), str(r["contacts"]),
             number(r["iterations_per_step"]), number(r["ncp_residual_N"]), number(1e3 * r["penetration_m"]),
             f"{r['unaccepted_steps']} of {r['steps']}"]
            for r in results
        ]  # fmt: skip
        header = ["", "steps/s", "us/step", "contacts", "iterations", "NCP residual [N]", "penetration [mm]", "unaccepted"]
        echo(text_table(header, rows))
        echo("\n  law coulomb, solver auto, the scene's own dt; CPU time: median of 5 runs of all steps without Python in between")
        echo("  contacts: largest number; iterations: mean per step; NCP residual, penetration: largest of all steps")
    return results
