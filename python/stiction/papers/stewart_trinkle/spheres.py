# SPDX-License-Identifier: BSD-2-Clause
"""The four spheres: Table 1, the collision step, and what leaving parts of the scheme out does."""

from __future__ import annotations

from typing import Any

from ..rows import Row, at_least
from ..study import Section, Table
from . import runs
from .rod import near
from .runs import SpheresRun

# dt: velocity error, position error, variation; published and measured
TABLE = {
    0.02: ((0.5050, 0.2505, 19.4046), (0.5050, 0.2505, 19.4046)),
    0.01: ((0.3523, 0.2015, 19.1728), (0.3518, 0.2007, 19.1701)),
    0.005: ((0.1657, 0.0838, 19.1702), (0.1660, 0.0829, 19.1704)),
    0.0025: ((0.0700, 0.0298, 19.0862), (0.0700, 0.0298, 19.0862)),
}
REFERENCE = 0.00125
COLUMNS = ("velocity error", "position error", "variation")
COLLISION = {
    "1-2": (0.7486, 0.0408),
    "2-3": (0.4153, 0.0321),
    "3-4": (0.2105, 0.0236),
    "table-2": (0.3121, 0.0223),
    "table-4": (0.0344, 0.0182),
}
VARIANTS: dict[str, dict[str, Any]] = {
    "linear": {},
    "nonlinear": dict(version="nonlinear"),
    "no re-solve": dict(resolve=False),
    "Anitescu-Potra": dict(version="anitescu_potra"),
    "Anitescu-Potra, no re-solve": dict(version="anitescu_potra", resolve=False),
}


def table() -> tuple[Section, SpheresRun]:
    section = Section("Four spheres, Table 1", "Rows .02, .0025 and .00125 to all printed digits. Rows .01 and .005 "
                                               "are within 1.2 % of the paper, as for the "
                      "independent implementation, with which we agree to all digits; the cause is not known.")  # fmt: skip
    reference = runs.spheres(REFERENCE)
    lines = []
    for dt, (published, measured) in TABLE.items():
        run = runs.spheres(dt)
        ours = (*runs.errors(run, reference), run.variation)
        lines.append(
            [f"{dt:g}", *(f"{p:.4f} / {m:.4f} / {x:.4f}" for p, m, x in zip(published, measured, ours, strict=True))]
        )
        for name, p, m, x in zip(COLUMNS, published, measured, ours, strict=True):
            section.rows.append(_row(f"dt {dt:g}: {name}", p, m, x))
    lines.append([f"{REFERENCE:g}", "-", "-", f"19.0690 / 19.0690 / {reference.variation:.4f}"])
    section.tables.append(Table("published / measured / ours", ["dt [s]", *COLUMNS], lines))
    section.rows.append(_row("dt 0.00125: variation", 19.0690, 19.0690, reference.variation))
    section.rows.append(near("rows of the largest problem", 70, 70, 10.0 * reference.largest, 0))
    return section, reference


def _row(name: str, published: float, measured: float, ours: float) -> Row:
    """1e-4 of the measured value and 1.2 % of the published one; where those two agree, 1e-4 of the published one."""
    ok = abs(ours - measured) <= 1e-4 and abs(ours - published) <= 0.012 * published
    exact = published == measured
    return Row(
        name,
        published,
        measured,
        ours,
        "± 1e-4" if exact else "± 1e-4 of measured, 1.2 % of published",
        "ok" if ok else "failed",
        digits=6,
    )


def collision(reference: SpheresRun) -> tuple[Section, dict[str, tuple[float, float]]]:
    section = Section("The collision step, dt = 1.25 ms", "Contacts 1-2, 2-3 and 3-4 close in one step. Friction "
                                                          "lifts the first ball and presses the second "
                      "on the table.")  # fmt: skip
    step = next(i for i, pairs in enumerate(reference.contacts) if pairs.get("1-2", 0.0) > 0.0)
    landing = next(i for i, pairs in enumerate(reference.contacts) if pairs.get("table-1", 0.0) > 0.0)
    before = reference.v[step]
    section.rows = [
        near("landing, start of the step [s]", 0.42, 0.4275, landing * REFERENCE, 1e-9),
        near("collision, start of the step [s]", 0.59, 0.5825, step * REFERENCE, 1e-9),
        near("ball 1 before it: v_x = 5/7 · 1.5 [m/s]", None, 1.5 * 5 / 7, float(before[0]), 1e-10),
        near("ball 1 before it: omega_y [rad/s]", None, 10.71429, float(before[4]), 1e-5),
    ]
    impulses = {}
    for pair, (first, second) in COLLISION.items():
        impulses[pair] = (reference.contacts[step].get(pair, 0.0), reference.contacts[step + 1].get(pair, 0.0))
        section.rows.append(near(f"impulse {pair} [N s]", None, first, impulses[pair][0], 1e-4))
        section.rows.append(near(f"impulse {pair}, next step [N s]", None, second, impulses[pair][1], 1e-4))
    lift = 1000.0 * float(reference.q[step:, 2].max() - 0.1)
    section.rows.append(near("ball 1 is lifted by [mm]", None, 3.24, lift, 0.01))
    for ball, velocity in enumerate((0.2360, 0.1304, 0.1557, 0.1614)):
        section.rows.append(
            near(f"ball {ball + 1} at 1 s: v_x [m/s]", None, velocity, float(reference.v[-1][6 * ball]), 1e-4)
        )
    return section, impulses


def variants() -> Section:
    """Errors at each step against the same variant at 1.25 ms."""
    section = Section("What the parts of the scheme do", "Each variant against itself at dt = 1.25 ms. Without the "
                                                         "re-solve the collision takes a step per "
                      "ball; Anitescu and Potra's rule freezes gaps at activation. What was measured of it elsewhere, "
                      ".6 mm of overlap of the rod and errors "
                      "1.1 to 1.65 times larger, is what it gives without the re-solve.")  # fmt: skip
    header = ["variant", *(f"velocity, {dt:g}" for dt in TABLE), *(f"position, {dt:g}" for dt in TABLE)]
    lines = []
    for name, options in VARIANTS.items():
        reference = runs.spheres(REFERENCE, **options)
        found = [runs.errors(runs.spheres(dt, **options), reference) for dt in TABLE]
        lines.append([name, *(f"{v:.4f}" for v, _ in found), *(f"{p:.4f}" for _, p in found)])
        if name == "no re-solve":
            section.rows.append(
                at_least("velocity error without re-solve, dt 0.0025", found[-1][0], 0.2, measured=0.27)
            )
        if name == "Anitescu-Potra, no re-solve":
            overlap = 1000.0 * runs.rod(0.0025, **options).penetration
            section.rows.append(near("its overlap of the rod, dt 0.0025 [mm]", None, 0.6, overlap, 0.05))
    section.tables.append(Table("errors", header, lines))
    return section
