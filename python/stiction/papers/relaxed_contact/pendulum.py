# SPDX-License-Identifier: BSD-2-Clause
"""The pendulum itself: first impact, the last second at rest, forces of each method, and what 5 s of motion cost."""

from __future__ import annotations

import math

import numpy as np

from ...output.tables import number
from .. import rows
from ..rows import EARLIER, Row, closed_form
from ..rows import published as paper
from ..study import Section, Table
from . import figures, published
from .runs import HYBRID, LINKS, MACRO, METHODS, MICRO, PROPOSED, VERTICES, Method, Record, processor_time, record

DURATION, REST = 5.0, 4.0
SLIP_WEIGHT, MU_KINETIC = 100.0, 0.4  # k_w of the law [s/m], kinetic friction of the scene
FEET = slice((LINKS - 1) * VERTICES, LINKS * VERTICES)


def impact_rows(run: Record) -> list[Row]:
    """The first impact, before the motion becomes chaotic."""
    first = int(np.flatnonzero(run.touching.any(axis=1))[0])
    start = "first contact, start of the step [s]"
    out = [rows.close(start, None, published.FIRST_CONTACT, float(run.t[first]), 1e-6, against=EARLIER)]
    force = run.normal[first : first + len(published.IMPACT), FEET].max(axis=1)
    for k, wanted in enumerate(published.IMPACT):
        if wanted > 0.0:
            name = f"normal force per vertex at {run.t[first + k]:.3f} s [N]"
            out.append(rows.close(name, None, wanted, float(force[k]), 1e-4, against=EARLIER))
    return out


def rest_rows(run: Record) -> list[Row]:
    """The last second: what a resting chain must do, whatever its posture."""
    k = run.last(REST)
    normal, friction, touching, slip = (x[k] for x in (run.normal, run.friction, run.touching, run.slip))
    loaded = touching & (normal > 0.0)
    pairs = run.normal.reshape(len(run.t), -1, 2)
    ratio = np.where(loaded, friction / np.where(loaded, normal, 1.0), 0.0)
    smooth, static = paper("Fig. 13"), paper("Fig. 14")
    contacts = np.unique(touching.sum(axis=1))
    return [
        rows.at_most("largest change of a normal force between steps, last second [N]", run.largest_jump(REST), 1e-2, "smooth", 5e-4, against=smooth),
        rows.at_most("left and right vertices differ, all 5 s [N]", float(np.abs(pairs[..., 0] - pairs[..., 1]).max()), 1e-9, "the same", 0.0,
                     against=smooth),
        rows.at_most("largest slip of a touching point, last second [m/s]", float(slip[touching].max()), 1e-4, "almost zero", 2e-6, against=static),
        rows.at_least("static friction: over the normal force at rest, smallest", float(ratio[loaded].min()), 1e-3, "static friction", 0.27,
                      against=static),
        rows.near("contacts in the last second", 4.0, 4.0, float(contacts[0]) if len(contacts) == 1 else math.nan, 0.0, against=smooth),
        rows.told("largest penetration, 5 s [mm]", 1e3 * run.depth, None, 7.0),
        rows.at_most("energy over that of the start", float((run.energy / run.energy[0]).max()), 1.0 + 1e-6, None, 1.0,
                     against=closed_form("nothing gives energy")),
    ]  # fmt: skip


def compare(runs: list[tuple[Method, Record]]) -> Table:
    lines = []
    for method, run in runs:
        last = run.last(min(REST, 0.8 * float(run.t[-1])))
        friction = run.friction[last].sum(axis=1).mean()
        lines.append([method.label, number(1e3 * method.dt), method.forces, number(run.largest_jump(float(run.t[last[0]]))), number(float(friction)),
                      number(1e3 * run.depth), number(float(run.energy.max() / run.energy[0])), "yes" if run.failed else "no"])  # fmt: skip
    return Table("Methods, last second (or last fifth of a shorter run)",
                 ["", "dt [ms]", "forces", "largest jump of f_N [N]", "sum of friction [N]", "penetration [mm]",
                  "energy / start", "failed"], lines)  # fmt: skip


def _fading(micro: Record, row: Row) -> Row:
    """Friction of the microscopic method goes with the slip: what is left is what creeps."""
    k = micro.last(REST)
    size = 1.0 - np.exp(-SLIP_WEIGHT * micro.slip[k])
    law = np.where(micro.touching[k], MU_KINETIC * micro.normal[k] * size, 0.0)
    off = float(np.abs(micro.friction[k] - law).max() / micro.normal[k].max())
    proof = rows.near("friction law", None, 0.0, off, 0.02, against=closed_form("f_T = mu f_N (1 - exp(-k_w slip))"))
    return rows.differs(
        row,
        proof,
        "what leans has to be held: it creeps at the speed at which fading friction holds it, and has not come to rest after 5 s",
    )


def apart_at(time: float) -> float:
    """Largest difference of the absolute angles of the links between the proposed and the microscopic method [deg]."""
    ends = []
    for method, dt in ((PROPOSED, PROPOSED.dt), (MICRO, 5e-5)):
        sim = method.simulator(dt)
        sim.step(n=round(time / dt))
        ends.append(np.cumsum(sim.q))
    return float(np.degrees(np.abs(ends[0] - ends[1]).max()))


def section(quick: bool) -> Section:
    chosen = [m for m in METHODS if not (quick and m is MICRO)]
    runs = [(m, record(m.simulator(), DURATION, 100 if m is MICRO else 1)) for m in chosen]
    proposed, macro = runs[0][1], runs[1][1]
    found = impact_rows(proposed) + rest_rows(proposed)
    same, apart = "links differ from the microscopic method at 0.2 s, largest [deg]", apart_at(0.2)
    found.append(rows.at_most(same, apart, 4.0, "almost the same", 4.0, against=paper("Figs. 6 to 8")))
    chatter, most = (
        "the macroscopic stand-in chatters: its largest change of a normal force [N]",
        macro.largest_jump(REST),
    )
    found.append(rows.at_least(chatter, most, 1.0, "chatters", published.MACRO_JUMP, against=paper("Fig. 11")))
    found.append(
        rows.at_least(
            "over that of the proposed method",
            most / proposed.largest_jump(REST),
            100.0,
            "smooth",
            against=paper("Figs. 11 and 13"),
        )
    )
    text = (
        "Root hinge at 0.42 m, start at 60 degrees from the downward vertical, 5 s. The motion is chaotic after the "
        "first impacts; postures are not compared. Without static "
        "friction the microscopic method does not come to rest: what leans creeps with the speed at which fading friction holds it."
    )
    if not quick:
        micro = runs[2][1]
        k = micro.last(REST)
        found.append(
            rows.told(
                "microscopic, last second: largest slip of a touching point [m/s]",
                float(micro.slip[k][micro.touching[k]].max()),
            )
        )
        creep = "microscopic, last second: largest friction over largest normal force of a point"
        share = float(micro.friction[k].max() / micro.normal[k].max())
        found.append(_fading(micro, rows.at_most(creep, share, 1e-3, "zero at rest", against=paper("Fig. 10"))))
    out = Section("The pendulum", text, found, [compare(runs)])
    out.figures += [
        lambda: figures.snapshots(runs),
        lambda: figures.forces(runs, "normal"),
        lambda: figures.forces(runs, "friction"),
    ]
    return out


def timing(quick: bool) -> Section:
    """Processor time of 5 s; the microscopic method's is scaled up from a shorter run if quick."""
    share = 0.1 if quick else 1.0
    times = {m.name: processor_time(m, DURATION, repeats=3) for m in (PROPOSED, MACRO, HYBRID)}
    times["micro"] = processor_time(MICRO, share * DURATION) / share
    lines = [
        [m.label, number(1e3 * m.dt), number(published.WALL_TIME.get(m.name, float("nan"))), number(times[m.name])]
        for m in METHODS
    ]
    ratio = times["proposed"] / times["macro"]
    found = [
        rows.at_least("time of micro / proposed", times["micro"] / times["proposed"], published.MICRO_BY_PROPOSED, published.MICRO_BY_PROPOSED,
                      against=paper("section IV C")),
        rows.told("time of proposed / macro stand-in", ratio, published.PROPOSED_BY_MACRO,
                  reason="not the method of the paper: the stand-in costs an eigenvalue decomposition per step"),
    ]  # fmt: skip
    text = "Ratios only: the machines differ. Micro at dt 1e-5 with forces at every stage, the others at 1e-3, held."
    return Section(
        "What 5 s cost",
        text,
        found,
        [Table("Processor time of 5 s of motion", ["", "dt [ms]", "published [s]", "ours [s]"], lines)],
    )
