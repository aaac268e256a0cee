# SPDX-License-Identifier: BSD-2-Clause
"""Writes python/stiction/options.pyi from the catalog of the installed package; a test says when that is due.

usage: write_options_stub.py
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import stiction as st

STUB = Path(__file__).resolve().parents[1] / "python" / "stiction" / "options.pyi"

if __name__ == "__main__":
    STUB.write_text(st.options.stub())
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", STUB], check=True)
