# SPDX-License-Identifier: BSD-2-Clause
"""The heavy cube on the light one for a hundred steps (Fig. 13): what unsolved problems do to its motion, over mass ratios."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import stiction as st

from ...output.tables import number
from .. import rows
from ..rows import Row, closed_form, published
from ..study import Section, Table
from . import published as p
from .measures import AS_PUBLISHED

STEPS, ITERATIONS = 100, 100  # as in the paper's code
RATIOS = (1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6)
QUICK_RATIOS = (1.0, 1e2, 1e4, 1e6)
PER_CONTACT = (("coulomb", "pgs"), ("convex", "pgs"), ("raisim", "bisection"))
GLOBAL = (("coulomb", "admm"), ("convex", "admm"), ("coulomb", "staggered"), ("convex", "newton"))
Key = tuple[str, str]
TEXT = (
    "100 steps of 1 ms from rest, at most 100 iterations each, warm starts, no drift correction, solvers as published. Sinks: the way of the upper "
    "cube; in free fall it would be 49.5 mm. Residual: the largest dual one, by the judge, of exact Coulomb friction without R."
)


@dataclass(frozen=True)
class Run:
    """Rows: steps."""

    sunk: np.ndarray  # way of the upper cube [m]
    dual: np.ndarray  # [m/s]


Found = dict[Key, dict[float, Run]]


def run(law: str, solver: str, ratio: float) -> Run:
    sim = st.scene("heavy_on_light", law=law, solver=solver, dt=p.STEP, ratio=ratio, law_options=dict(baumgarte=0.0, dead_band=0.0),
                   solver_options={"max_iterations": ITERATIONS} | AS_PUBLISHED.get(solver, {}))  # fmt: skip
    height, sunk, dual = sim.q[9], np.zeros(STEPS), np.zeros(STEPS)
    for i in range(STEPS):
        dual[i] = sim.step().ncp.dual
        sunk[i] = height - sim.q[9]
    return Run(sunk, dual)


def runs(quick: bool) -> Found:
    return {
        key: {ratio: run(*key, ratio) for ratio in (QUICK_RATIOS if quick else RATIOS)} for key in PER_CONTACT + GLOBAL
    }


def section(found: Found) -> Section:
    left, right = published("Fig. 13, left"), published("Fig. 13, right")
    judged: list[Row] = []
    for key in PER_CONTACT:
        name, sunk = ", ".join(key), [abs(float(r.sunk[-1])) for r in found[key].values()]
        judged.append(
            rows.at_least(
                f"{name}, ratio 1e6: the upper cube sinks by [mm]",
                1e3 * sunk[-1],
                10.0,
                "unrealistic trajectories",
                against=left,
            )
        )
        judged.append(rows.judged(f"{name}: sinks less as the ratio goes to one", "yes" if np.all(np.diff(sunk) > 0.0) else "no",
                                  bool(np.all(np.diff(sunk) > 0.0)), "at every ratio", against=right, published="yes"))  # fmt: skip
    for key in GLOBAL:
        name, last = ", ".join(key), found[key][RATIOS[-1]]
        row = rows.at_most(
            f"{name}, ratio 1e6: the upper cube sinks by [mm]",
            1e3 * abs(float(last.sunk[-1])),
            1e-3,
            "robust",
            against=left,
        )
        fall = 1e3 * 0.5 * p.GRAVITY * p.STEP**2 * STEPS * (STEPS + 1)
        proof = rows.close("", None, fall, 1e3 * float(last.sunk[-1]), 0.05, against=closed_form("free fall"))
        judged.append(
            rows.differs(
                row, proof, "what it converges to is a problem softened by R, which lets the heavy cube fall freely"
            )
        )
        if key[1] != "newton":
            judged.append(rows.at_most(f"{name}: largest residual of all ratios [m/s]", max(float(r.dual.max()) for r in found[key].values()), 1e-8,
                                       "less affected", against=right))  # fmt: skip
    lines = [[", ".join(key), *(f"{number(1e3 * float(r.sunk[-1]))}, {number(float(r.dual.max()))}" for r in by_ratio.values())]
             for key, by_ratio in found.items()]  # fmt: skip
    header = ["law, solver", *(f"{ratio:g}" for ratio in found[PER_CONTACT[0]])]
    return Section(
        "Heavy cube on a light one over time (Fig. 13)",
        TEXT,
        judged,
        [Table("Sinks [mm], residual [m/s], by mass ratio", header, lines)],
    )
