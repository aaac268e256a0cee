# SPDX-License-Identifier: BSD-2-Clause
"""Where the repository is, its own test data, and the data of others: STICTION_DATA, or none."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
OWN_DATA = ROOT / "tests" / "data"
THIRD_PARTY = Path(os.environ["STICTION_DATA"]) if os.environ.get("STICTION_DATA") else None
