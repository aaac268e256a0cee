# SPDX-License-Identifier: BSD-2-Clause
"""Where the repository is, and the third-party data: STICTION_DATA, else ../shared/data beside it."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("STICTION_DATA", ROOT.parent / "shared" / "data"))
