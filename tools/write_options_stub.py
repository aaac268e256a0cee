# SPDX-License-Identifier: BSD-2-Clause
"""Writes python/stiction/options.pyi from the catalog of the installed package; a test says when that is due.

usage: write_options_stub.py
"""

from __future__ import annotations

from pathlib import Path

import stiction as st

STUB = Path(__file__).resolve().parents[1] / "python" / "stiction" / "options.pyi"

if __name__ == "__main__":
    STUB.write_text(st.options.stub())
