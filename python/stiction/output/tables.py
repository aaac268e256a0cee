# SPDX-License-Identifier: BSD-2-Clause
"""Numbers and tables as text."""

from __future__ import annotations

import math
from collections.abc import Sequence


def number(x: float, digits: int = 3) -> str:
    """Short and readable: 0, 0.0123, 4.56e-09."""
    if x == 0.0:
        return "0"
    if not math.isfinite(x):
        return "-" if math.isnan(x) else "inf"
    return f"{x:.{digits}g}"


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """First column to the left, numbers to the right."""
    widths = [max(len(line[i]) for line in [header, *rows]) for i in range(len(header))]
    lines = []
    for line in [header, *rows]:
        cells = [
            cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "  ".join("-" * w for w in widths))
    return "\n".join(lines)
