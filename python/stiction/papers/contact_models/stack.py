# SPDX-License-Identifier: BSD-2-Clause
"""A heavy cube on a light one (Fig. 13): one static step over mass ratios, and how each solver gets there."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import stiction as st

from ...output.tables import number
from .. import rows
from ..rows import EARLIER, Row, closed_form, published
from ..study import Section, Table
from . import published as p
from .measures import agrees, fitting, near, rigid_options, within_factor

Curve = tuple[np.ndarray, np.ndarray]  # calls of the judge, dual residual over the fall of a step
SWEEP = {"test_interval": 10000, "max_iterations": 10000}  # its last iterate, not the best one that the judge met
TEXT = (
    "Masses 1/√ratio below, √ratio above, dt 1 ms: the floor must carry 9.81 (m1 + m2). Gauss-Seidel methods creep; admm, staggered and direct "
    "methods do not care. The primal Newton method with its usual regularisation R calls the problem solved and carries nearly nothing: R is tied "
    "to the diagonal of G, which a light body makes large. The report has both residuals and goes by the true one."
)


def weight(ratio: float) -> float:
    return p.GRAVITY * (math.sqrt(ratio) + 1.0 / math.sqrt(ratio))


def _floor(ratio: float, law: str, solver: str, **options: Any) -> tuple[float, st.Report]:
    impulse, report = st.solve(st.reference.heavy_on_light(ratio, law), solver, **options)
    return float(impulse[2:12:3].sum() / p.STEP), report


def section() -> Section:
    judged: list[Row] = []
    lines: list[list[str]] = []
    for part in (_sweeps, _admm, _staggered, _newton):
        more, table = part()
        judged, lines = judged + more, lines + table
    header = ["solver, law", *(f"ratio {ratio:g}: {weight(ratio):.6g} N" for ratio in p.RATIOS)]
    return Section(
        "Heavy cube on a light one (Fig. 13)",
        TEXT,
        judged,
        [Table("Floor force [N], iterations, status", header, lines)],
    )


def _line(label: str, found: list[tuple[float, st.Report]]) -> list[str]:
    return [label, *(f"{number(force, 6)}, {report.iterations}, {report.status}" for force, report in found)]


def _sweeps() -> tuple[list[Row], list[list[str]]]:
    judged, lines = [], []
    for (solver, law), sweeps in p.SWEEPS_AT_1.items():
        creep = SWEEP | ({"stall_window": 0} if solver == "pgs" else {})
        found = [
            _floor(1.0, law, solver, **(creep | {"test_interval": 1})),
            *(_floor(ratio, law, solver, **creep) for ratio in p.RATIOS[1:]),
        ]
        judged.append(within_factor(f"{solver}, {law}, ratio 1: sweeps", sweeps, found[0][1].iterations, 1.5))
        for wanted, (force, _), ratio in zip(p.SWEEP_FLOOR[solver, law], found[2:], p.RATIOS[2:], strict=True):
            judged.append(
                rows.close(
                    f"{solver}, {law}, ratio {ratio:g}: floor force after 1e4 sweeps [N]",
                    None,
                    wanted,
                    force,
                    0.05,
                    against=EARLIER,
                )
            )
        honest = sum(report.status != "converged" for _, report in found[1:])
        judged.append(
            agrees(
                f"{solver}, {law}: failing cells that say so",
                f"{honest} of 3",
                honest == 3,
                "all",
                against=published("Fig. 13, left"),
            )
        )
        lines.append(_line(f"{solver}, {law}", found))
    return judged, lines


def _admm() -> tuple[list[Row], list[list[str]]]:
    judged, lines = [], []
    for law in ("coulomb", "convex"):
        found = [_floor(ratio, law, "admm", test_interval=1) for ratio in p.RATIOS]
        for ratio, wanted, (_, report) in zip(p.RATIOS, p.ADMM_ITERATIONS, found, strict=True):
            judged.append(within_factor(f"admm, {law}, ratio {ratio:g}: iterations", wanted, report.iterations, 1.5))
        apart = max(abs(force / weight(ratio) - 1.0) for ratio, (force, _) in zip(p.RATIOS, found, strict=True))
        judged.append(
            rows.at_most(
                f"admm, {law}: floor force, relative error of all ratios",
                apart,
                1e-6,
                against=closed_form("the weight"),
            )
        )
        lines.append(_line(f"admm, {law}", found))
    return judged, lines


def _staggered() -> tuple[list[Row], list[list[str]]]:
    found = [_floor(ratio, "coulomb", "staggered") for ratio in p.RATIOS]
    apart = max(abs(force / weight(ratio) - 1.0) for ratio, (force, _) in zip(p.RATIOS, found, strict=True))
    judged = [
        rows.at_most(
            "staggered, coulomb: floor force, relative error of all ratios",
            apart,
            2e-6,
            measured=2e-6,
            against=closed_form("the weight"),
        ),
        rows.at_most(
            "staggered, coulomb, ratio 1: passes", float(found[0][1].iterations), 2, measured=1, against=EARLIER
        ),
    ]
    direct = [_floor(ratio, "pyramid", "lemke") for ratio in p.RATIOS]
    return judged, [_line("staggered, coulomb", found), _line("lemke, pyramid", direct)]


def _newton() -> tuple[list[Row], list[list[str]]]:
    judged, lines = [], []
    for rule, wanted in p.NEWTON_FLOOR.items():
        found = [_floor(ratio, "convex", "newton", regularisation=rule) for ratio in p.RATIOS]
        for ratio, force, (ours, _) in zip(p.RATIOS, wanted, found, strict=True):
            judged.append(
                near(f"newton, R of {rule}, ratio {ratio:g}: floor force [N]", force, ours, max(0.05 * force, 0.005))
            )
        report = found[-1][1]
        if rule != "mujoco":
            judged += [near(f"newton, R of {rule}, ratio 1e6: true dual residual [m/s]", p.HIDDEN_DUAL, report.ncp.dual, 0.1e-3),
                       rows.told(f"newton, R of {rule}, ratio 1e6: dual residual with its R [m/s]", report.regularised.dual)]  # fmt: skip
        honest = sum(r.status != "converged" for _, r in found)
        judged.append(
            agrees(
                f"newton, R of {rule}: cells that are not called converged",
                f"{honest} of 4",
                honest == 4,
                "all",
                against=closed_form("the weight"),
            )
        )
        lines.append(_line(f"newton, R of {rule}", found))
    return judged, lines


def curves(ratio: float, iterations: int = 1000) -> dict[str, Curve]:
    """Dual residual over the speed that a free fall gains in a step; cold starts under the exact law, or the convex
    one for those that know no other."""
    out = {}
    for law in ("coulomb", "convex"):
        for solver in fitting(law):
            label = solver if law == "coulomb" else f"{solver}, convex"
            if solver in out or (law == "convex" and solver in fitting("coulomb")):
                continue
            problem = st.reference.heavy_on_light(ratio, law)
            patient = {"stall_window": 0} if solver in ("nsgs", "pgs", "apgd") else {}
            _, report = st.solve(
                problem, solver, history=True, max_iterations=iterations, **patient, **rigid_options(solver)
            )
            if report.history is not None:
                dual = np.asarray(report.history["dual"]) / (p.GRAVITY * p.STEP)
                out[label] = (np.arange(1, len(dual) + 1), dual)
    return out
