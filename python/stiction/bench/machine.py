# SPDX-License-Identifier: BSD-2-Clause
"""The machine that a number was measured on."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path
from typing import Any

import stiction as st

from .. import _core


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
