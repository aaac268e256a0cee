# SPDX-License-Identifier: BSD-2-Clause
"""A row of a reproduction: what was published, what others measured, what we get, and whether that is close enough.

A row is judged when it is made; NaN never passes. JSON has exactly the keys name, published, measured, ours, tolerance, status.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..output.tables import number, text_table

Value = float | str | None


@dataclass(frozen=True)
class Row:
    """One number of a paper. `measured` is what an independent implementation found before us."""

    name: str
    published: Value
    measured: Value
    ours: Value
    tolerance: str
    status: str  # ok, failed, skipped
    note: str = ""  # printed beside the status
    digits: int = 3  # significant ones that are shown

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "published": _plain(self.published), "measured": _plain(self.measured),
                "ours": _plain(self.ours), "tolerance": self.tolerance, "status": self.status}  # fmt: skip

    def failed(self, reason: str) -> Row:
        return replace(self, status="failed", note=reason)


def _plain(value: Value) -> Value:
    """JSON knows no infinities and no NumPy numbers."""
    if value is None or isinstance(value, str):
        return value
    x = float(value)
    return x if math.isfinite(x) else str(x)


def _target(published: float | None, measured: float | None) -> float:
    """What a row is held against: the independent measurement where there is one, else the paper."""
    wanted = measured if measured is not None else published
    if wanted is None:
        raise ValueError("a row needs something to be compared with")
    return wanted


def close(name: str, published: float | None, measured: float | None, ours: float, relative: float) -> Row:
    """Within a relative tolerance of the measured value (of the published one where none was measured)."""
    wanted = _target(published, measured)
    ok = abs(ours - wanted) <= relative * abs(wanted)
    return Row(
        name,
        published,
        measured,
        ours,
        f"± {100 * relative:g} %",
        "ok" if ok else "failed",
        digits=3 if relative >= 1e-3 else 6,
    )


def at_most(name: str, ours: float, bound: float, published: Value = None, measured: float | None = None) -> Row:
    return Row(name, published, measured, ours, f"<= {bound:g}", "ok" if ours <= bound else "failed")


def at_least(
    name: str, ours: float, bound: float, published: float | None = None, measured: float | None = None
) -> Row:
    return Row(name, published, measured, ours, f">= {bound:g}", "ok" if ours >= bound else "failed")


def within_halving(name: str, published: float | None, measured: float | None, ours: float) -> Row:
    """At most a factor of two (one halving of the step) from the published or the measured value."""
    wanted = [x for x in (published, measured) if x is not None]
    ok = any(0.499 <= ours / x <= 2.01 for x in wanted)
    return Row(name, published, measured, ours, "one halving", "ok" if ok else "failed")


def told(name: str, ours: float, published: Value = None, measured: Value = None) -> Row:
    """A number that is printed and held against nothing; it only has to be one."""
    return Row(name, published, measured, ours, "printed", "ok" if math.isfinite(ours) else "failed")


def skipped(name: str, needs: str, published: Value = None, measured: Value = None, tolerance: str = "") -> Row:
    return Row(name, published, measured, None, tolerance, "skipped", f"needs {needs}")


def show(value: Value, digits: int = 3) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else number(float(value), digits)


def cells(row: Row) -> list[str]:
    """A row as words: for the terminal and the page."""
    status = f"{row.status} ({row.note})" if row.note else row.status
    return [
        row.name,
        *(show(value, row.digits) for value in (row.published, row.measured, row.ours)),
        row.tolerance or "-",
        status,
    ]


HEADER = ["", "published", "measured", "ours", "tolerance", "status"]


def table(rows: Sequence[Row]) -> str:
    return text_table(HEADER, [cells(row) for row in rows])


def strictly(rows: Sequence[Row]) -> list[Row]:
    """Skipped rows count as failed."""
    return [row.failed(f"skipped: {row.note}") if row.status == "skipped" else row for row in rows]


def closing(rows: Sequence[Row]) -> str:
    count = {status: sum(row.status == status for row in rows) for status in ("ok", "failed", "skipped")}
    return ", ".join(f"{n} {status}" for status, n in count.items())
