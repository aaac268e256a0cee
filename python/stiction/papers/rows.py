# SPDX-License-Identifier: BSD-2-Clause
"""A row of a reproduction: what was published, what others measured, what we get, what that is compared with, and how it ends.

Every judged row says what it is compared with: `published` (figure or table named), `closed form`, `independent code` (named) or
`own record`. Statuses: ok, failed; `differs`: a published number is missed, and something independent says that ours is right;
`told`: printed, held against nothing and never counted as ok; `skipped`. A row is judged when it is made; NaN never passes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..output.tables import number, text_table

Value = float | str | None
STATUSES = ("ok", "failed", "differs", "told", "skipped")
JUDGED = ("ok", "failed", "differs")


def published(where: str) -> str:
    """Compared with the paper: its figure, table or section."""
    return f"published: {where}"


def closed_form(what: str) -> str:
    """Compared with a formula or a law of mechanics."""
    return f"closed form: {what}"


def independent(code: str) -> str:
    """Compared with somebody else's program, or with a second one in another language or by another method."""
    return f"independent code: {code}"


def own_record(what: str) -> str:
    """Compared with what this program gave before, or with a bar of this project."""
    return f"own record: {what}"


EARLIER = independent("an earlier implementation of the paper, not published")
KINDS = ("published", "closed form", "independent code", "own record")


@dataclass(frozen=True)
class Row:
    """One number or claim of a paper. `measured` is what an independent implementation found before us, or a closed form."""

    name: str
    published: Value
    measured: Value
    ours: Value
    tolerance: str
    status: str
    compared_with: str = ""
    reason: str = ""  # printed beside the status
    digits: int = 3  # significant ones that are shown

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(f"row '{self.name}': status is '{self.status}', expected one of {' '.join(STATUSES)}")
        if self.status in JUDGED and self.compared_with.split(":")[0] not in KINDS:
            raise ValueError(f"row '{self.name}' is judged and does not say what it is compared with")
        if self.status == "differs" and not self.reason:
            raise ValueError(f"row '{self.name}' differs without a reason")

    @property
    def judged(self) -> bool:
        return self.status in JUDGED

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "published": _plain(self.published), "measured": _plain(self.measured), "ours": _plain(self.ours),
                "tolerance": self.tolerance, "compared_with": self.compared_with, "status": self.status, "reason": self.reason}  # fmt: skip

    def failed(self, reason: str) -> Row:
        return replace(self, status="failed", reason=reason)

    def noted(self, reason: str) -> Row:
        return replace(self, reason=reason)


def _plain(value: Value) -> Value:
    """JSON knows no infinities and no NumPy numbers."""
    if value is None or isinstance(value, str):
        return value
    x = float(value)
    return x if math.isfinite(x) else str(x)


def _target(name: str, paper: float | None, measured: float | None, against: str) -> float:
    """The paper's number if the row is compared with the paper, else the other one."""
    wanted = paper if against.startswith("published") else measured
    if wanted is None:
        raise ValueError(f"row '{name}' is compared with {against}, but has no such number")
    return wanted


def judged(
    name: str, ours: Value, ok: bool, tolerance: str, *, against: str, published: Value = None, measured: Value = None,
    reason: str = "", digits: int = 3,
) -> Row:  # fmt: skip
    """A row whose verdict the caller has: a property in words, an order, a count."""
    return Row(name, published, measured, ours, tolerance, "ok" if ok else "failed", against, reason, digits)


def close(
    name: str, published: float | None, measured: float | None, ours: float, relative: float, *, against: str
) -> Row:
    """Within a relative tolerance of the number that `against` names."""
    wanted = _target(name, published, measured, against)
    ok = abs(ours - wanted) <= relative * abs(wanted)
    return judged(name, ours, ok, f"± {100 * relative:g} %", against=against, published=published, measured=measured,
                  digits=3 if relative >= 1e-3 else 6)  # fmt: skip


def near(
    name: str, published: float | None, measured: float | None, ours: float, tolerance: float, *, against: str,
    reason: str = "",
) -> Row:  # fmt: skip
    """Within an absolute distance of the number that `against` names; shown down to that distance."""
    wanted = _target(name, published, measured, against)
    digits = 3 if wanted == 0.0 or tolerance == 0.0 else math.ceil(math.log10(max(abs(wanted) / tolerance, 1.0))) + 1
    return judged(name, ours, abs(ours - wanted) <= tolerance, f"± {tolerance:.2g}", against=against, published=published,
                  measured=measured, reason=reason, digits=min(max(3, digits), 12))  # fmt: skip


def printed(
    name: str, paper: str, ours: float, *, against: str, measured: float | None = None, units: float = 2.0
) -> Row:
    """Within so many units of the last digit that the paper prints; the number comes as it is printed."""
    decimals = len(paper.partition(".")[2])
    return near(name, float(paper), measured, ours, units * 10.0**-decimals * (1.0 + 1e-9), against=against)


def at_most(
    name: str, ours: float, bound: float, published: Value = None, measured: float | None = None, *, against: str
) -> Row:
    return judged(name, ours, ours <= bound, f"<= {bound:g}", against=against, published=published, measured=measured)


def at_least(
    name: str, ours: float, bound: float, published: Value = None, measured: float | None = None, *, against: str
) -> Row:
    return judged(name, ours, ours >= bound, f">= {bound:g}", against=against, published=published, measured=measured)


def within_factor(
    name: str, published: float | None, measured: float | None, ours: float, factor: float, *, against: str
) -> Row:
    wanted = _target(name, published, measured, against)
    ok = wanted / factor <= ours <= wanted * factor
    return judged(
        name, ours, ok, f"factor {factor:g}", against=against, published=published, measured=measured, digits=4
    )


def within_halving(name: str, published: float | None, measured: float | None, ours: float, *, against: str) -> Row:
    """At most a factor of two (one halving of the step) from the number that `against` names."""
    wanted = _target(name, published, measured, against)
    ok = 0.499 <= ours / wanted <= 2.01
    return judged(name, ours, ok, "one halving", against=against, published=published, measured=measured)


def differs(row: Row, evidence: Row, reason: str) -> Row:
    """A row compared with the paper that may miss it, if `evidence`, compared with something else, is met. Within the tolerance it
    is ok as any other."""
    if row.status == "ok":
        return row
    if evidence.status != "ok":
        return row.failed(
            f"and {evidence.compared_with}: {show(evidence.ours)}, wanted {show(evidence.measured)} {evidence.tolerance}"
        )
    return replace(row, status="differs", reason=f"{reason} ({evidence.compared_with}: {evidence.tolerance})",
                   measured=row.measured if row.measured is not None else evidence.measured)  # fmt: skip


def told(name: str, ours: Value, published: Value = None, measured: Value = None, reason: str = "") -> Row:
    """A number that is printed, held against nothing and not counted."""
    return Row(name, published, measured, ours, "", "told", "", reason)


def missing(name: str, *, against: str, published: Value = None, measured: Value = None) -> Row:
    """A number that should have been measured and was not."""
    return Row(name, published, measured, math.nan, "", "failed", against, "not measured")


def skipped(name: str, needs: str, published: Value = None, measured: Value = None, tolerance: str = "") -> Row:
    return Row(name, published, measured, None, tolerance, "skipped", "", f"needs {needs}")


def show(value: Value, digits: int = 3) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else number(float(value), digits)


def cells(row: Row) -> list[str]:
    """A row as words: for the terminal and the page."""
    status = f"{row.status} ({row.reason})" if row.reason else row.status
    return [
        row.name,
        *(show(value, row.digits) for value in (row.published, row.measured, row.ours)),
        row.tolerance or "-",
        row.compared_with or "-",
        status,
    ]


HEADER = ["", "published", "measured", "ours", "tolerance", "compared with", "status"]


def table(rows: Sequence[Row]) -> str:
    return text_table(HEADER, [cells(row) for row in rows])


def strictly(rows: Sequence[Row]) -> list[Row]:
    """Skipped rows count as failed."""
    return [
        replace(
            row,
            status="failed",
            reason=f"skipped: {row.reason}",
            compared_with=row.compared_with or published("skipped"),
        )
        if row.status == "skipped"
        else row
        for row in rows
    ]


def closing(rows: Sequence[Row]) -> str:
    """How many rows ended how, and what the ok ones are compared with."""
    count = Counter(row.status for row in rows)
    text = ", ".join(f"{count[status]} {status}" for status in STATUSES)
    kinds = Counter(row.compared_with.split(":")[0] for row in rows if row.status == "ok")
    return text + (" (ok against: " + ", ".join(f"{kinds[k]} {k}" for k in KINDS if kinds[k]) + ")" if kinds else "")
