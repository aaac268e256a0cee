# SPDX-License-Identifier: BSD-2-Clause
"""The tables: what the recordings say of the cube, every method on the part that was not used for fitting, and the fit again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .. import rows
from ..rows import Row, closed_form, independent, own_record
from ..study import Section, Table
from . import flight, peers
from .cube import Cube
from .fitted import CUBES, EVALUATIONS
from .models import OURS, Model, fit
from .recordings import Errors, Toss, compare

MAIN = OURS[0].name  # what is judged beside other engines
UNFITTED = Cube(edge=0.1048, rounding=1e-5, gravity=9.81, centre=0.0, flatness=0.0, inertia=1.25, mu=0.18)
FEWEST = 20
QUICK = 6  # every so many tosses
NOISE = 2e-4  # of the recordings [m]


@dataclass(frozen=True)
class Predicted:
    name: str
    ours: bool
    errors: Errors
    fitted: bool = True


def predictions(tosses: Sequence[Toss], quick: bool) -> list[Predicted]:
    """Every fitted method; others' engines if they are installed."""
    chosen = list(tosses[::QUICK] if quick else tosses)
    out = [Predicted("nothing fitted: coulomb, mu .18", True, compare(chosen, OURS[0].predict(UNFITTED, chosen)))]
    for model in (*OURS, *(m for m in peers.PEERS if peers.installed(m))):
        if model.name in CUBES:
            out.append(Predicted(model.name, model in OURS, compare(chosen, model.predict(cube_of(model), chosen))))
        elif model not in OURS:
            start = model.cube(np.zeros(len(model.unknowns)))
            out.append(
                Predicted(
                    f"{model.name}: not fitted", False, compare(chosen, model.predict(start, chosen)), fitted=False
                )
            )
    return out


def cube_of(model: Model) -> Cube:
    return model.plain.with_values(**CUBES[model.name])


def measured(training: Sequence[Toss], held_out: Sequence[Toss]) -> Section:
    """What needs no simulation, from either half."""
    if min(map(len, (training, held_out))) < FEWEST:
        return Section(
            "The cube in flight and at rest", rows=[rows.skipped("flights", f"{FEWEST} tosses or more in either half")]
        )
    one, two = flight.measure(training), flight.measure(held_out)
    lines = [[name, f"{scale * getattr(one, field):.4g}", f"{scale * getattr(two, field):.4g}"] for name, field, scale in (
        ("acceleration of the middle, down [m/s²]", "gravity", 1.0), ("the same, aside [m/s²]", "aside", 1.0),
        ("edge at rest [mm]", "edge", 1e3), ("the same, spread between faces [mm]", "edge_spread", 1e3),
        ("noise of positions in flight [mm]", "noise", 1e3), ("flights", "flights", 1.0), ("rests on a face", "rests", 1.0))]  # fmt: skip
    text = (
        "Least squares on flights and on cubes at rest. Both lengths are short by 2.2 %: the edge beside 104.8 mm, gravity beside 9.81 m/s². "
        "They are taken as recorded. The centre of mass from flights alone differs by 2.6 mm between the halves, so it is fitted."
    )
    section = Section(
        "The cube in flight and at rest", text, tables=[Table("Measured", ["", "training", "held out"], lines)]
    )
    section.rows = [
        rows.close("gravity over 9.81 is edge over 104.8 mm", None, one.edge / 0.1048, one.gravity / 9.81, 5e-3,
                   against=closed_form("one scale of all lengths")),
        rows.close("gravity of the two halves [m/s²]", None, two.gravity, one.gravity, 2e-3, against=own_record("the other half")),
        rows.close("edge of the two halves [m]", None, two.edge, one.edge, 2e-3, against=own_record("the other half")),
        rows.at_most("noise of positions in flight [m]", one.noise, NOISE, against=own_record("a fifth of a millimetre")),
    ]  # fmt: skip
    return section


def compared(found: Sequence[Predicted]) -> Section:
    """Ours beside every peer, in both errors."""
    text = f"{len(found[0].errors.position)} tosses that nothing was fitted to. ± is the standard error of the mean."
    lines = []
    for p in found:
        (position, rotation), (a, b) = p.errors.mean, p.errors.uncertainty
        lines.append([p.name, f"{position:.2f} ± {a:.2f}", f"{rotation:.2f} ± {b:.2f}"])
    section = Section(
        "Held-out tosses", text, tables=[Table("Mean errors", ["", "position [% of width]", "rotation [deg]"], lines)]
    )
    ours = next(p for p in found if p.name == MAIN)
    section.rows = [row for p in found if not p.ours and p.fitted for row in _beside(ours, p)]
    for p in found:
        if not p.fitted:
            section.rows.append(
                rows.told(
                    f"position [%]: {p.name}", p.errors.mean[0], reason="from the start that all fits have in common"
                )
            )
    section.rows += _better_than_unfitted(ours, found[0])
    for engine in peers.PACKAGES:
        if not any(p.name.startswith(engine) for p in found):
            section.rows.append(rows.skipped(f"beside {engine}", f"the package {peers.PACKAGES[engine]}"))
    return section


def _beside(ours: Predicted, peer: Predicted) -> list[Row]:
    out = []
    for what, a, b in zip(("position [%]", "rotation [deg]"), ours.errors.mean, peer.errors.mean, strict=True):
        out.append(rows.at_most(f"{what}: at or below {peer.name}", a, b, measured=b, against=independent(peer.name)))
    return out


def _better_than_unfitted(ours: Predicted, plain: Predicted) -> list[Row]:
    return [
        rows.at_most(f"{what}: fitted, over nothing fitted", a / b, 0.85, against=own_record("fitting helps"))
        for what, a, b in zip(("position", "rotation"), ours.errors.mean, plain.errors.mean, strict=True)
    ]


def fitting(training: Sequence[Toss]) -> Section:
    """The main method once more, from the same start."""
    model, chosen = OURS[0], list(training[::2])
    cube, found = fit(model, chosen, EVALUATIONS)
    stored = compare(chosen, model.predict(cube_of(model), chosen)).score
    lines = [[u.name, f"{getattr(cube, u.name):.5g}", f"{CUBES[model.name][u.name]:.5g}"] for u in model.unknowns]
    section = Section(f"The fit again: {model.name}", f"{found.evaluations} evaluations on {len(chosen)} tosses of the training part.",
                      tables=[Table("Values", ["", "found", "stored"], lines)])  # fmt: skip
    section.rows = [rows.close("sum of both errors on the fitted tosses", None, stored, found.value, 0.05,
                               against=own_record("fitted.py"))]  # fmt: skip
    section.rows.append(rows.close("moment of inertia over that of a solid cube: six plates have 5/3", None, 5.0 / 3.0, cube.inertia, 0.05,
                                   against=closed_form("a hollow cube")))  # fmt: skip
    return section
