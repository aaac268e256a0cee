# SPDX-License-Identifier: BSD-2-Clause
"""The reference problems RP0 to RP3: every solver under every law it knows, against known answers."""

from __future__ import annotations

import numpy as np

import stiction as st

from ...output.tables import number
from .. import rows
from ..rows import EARLIER, Row, closed_form, published
from ..study import Section, Table
from . import published as p
from .measures import TIGHT, Solved, agrees, farthest, fitting, near, noted, solved

TEXT = (
    "RP0: one contact pressed straight. RP1: a sliding cube on four points, contactbench's own stored problem. RP2: a cube of 1000 kg on one of 1 "
    "g. RP3: a cube at rest that is pulled with 1 N. Every solver of the catalog under every law it knows, from a cold start, with tolerances far "
    "below the defaults except on RP2, where round-off forbids it. A row shows the solver that is farthest from the answer. newton runs proximally "
    "here (its regularised form is in the section on the stack)."
)


def _all(make: str, **options: float) -> dict[str, list[Solved]]:
    problem = getattr(st.reference, make)
    return {law: [solved(problem(law), solver, **options) for solver in fitting(law)] for law in p.LAWS}


def section() -> Section:
    one, cube, stack = _all("rp0", **TIGHT), _all("rp1", **TIGHT), _all("rp2", max_iterations=10000)
    pulled = _all("rp3", **TIGHT)
    judged = _rp0(one)
    for law in p.LAWS:
        judged += _rp1(law, cube[law])
    judged += [*_norms(cube["coulomb"]), *_counts(cube), *_rp2(stack), *_rp3(pulled["coulomb"])]
    return Section(
        "Reference problems (RP0 to RP3)",
        TEXT,
        judged,
        [_table("RP1: iterations and forces [N]", cube), _stack_table(stack)],
    )


def _rp0(found: dict[str, list[Solved]]) -> list[Row]:
    wanted = np.array([0.0, 0.0, 0.00981])
    error = {f"{s.law} {s.solver}": float(np.abs(1e-3 * s.force - wanted).max()) for law in found.values() for s in law}
    who, worst = farthest(error, 0.0)
    return [
        noted(
            rows.at_most(
                f"RP0: distance from (0, 0, 0.00981), {len(error)} solves [N s]",
                worst,
                1e-12,
                against=closed_form("m g dt"),
            ),
            f"farthest: {who}",
        )
    ]


def _rp1(law: str, found: list[Solved]) -> list[Row]:
    sums, tolerances = p.RP1_SUMS[law]
    out = []
    for axis, name in enumerate(("T1", "T2", "N")):
        who, value = farthest({s.solver: float(s.force[:, axis].sum()) for s in found}, sums[axis])
        out.append(
            near(
                f"RP1 {law}: sum of {name}, {_many(found)} [N]",
                sums[axis],
                value,
                tolerances[axis],
                note=_who(who, found),
                against=closed_form("weight, μ N against the slip") if law == "coulomb" else EARLIER,
            )
        )
    angles = {s.solver: float(np.degrees(s.exact.mdp_angle)) for s in found}
    who, value = farthest(angles, p.RP1_ANGLE[law])
    exact = law in ("coulomb", "convex")
    name = f"RP1 {law}: angle between friction and -slip [degrees]"
    out.append(
        near(
            name,
            p.RP1_ANGLE[law],
            value,
            float(np.degrees(1e-6)) if exact else 0.05,
            note=_who(who, found),
            against=closed_form("maximum dissipation") if exact else EARLIER,
        )
    )
    if law == "raisim":  # its own sliding relation (24) of the paper
        out.append(
            rows.at_most(
                "RP1 raisim: angle to its own slip direction [rad]",
                max(s.own.mdp_angle for s in found),
                1e-6,
                against=closed_form("equation (24) of the paper"),
            )
        )
    return out


def _many(found: list[Solved]) -> str:
    return f"{len(found)} solvers" if len(found) > 1 else found[0].solver


def _who(farthest_one: str, found: list[Solved]) -> str:
    return f"farthest: {farthest_one}" if len(found) > 1 else ""


def _norms(found: list[Solved]) -> list[Row]:
    norm = {s.solver: float(np.linalg.norm(s.force)) for s in found}
    wanted = {"admm": p.RP1_NORM, "staggered": p.RP1_NORM, "pgs": p.RP1_NORM_PGS}
    return [
        near(f"RP1 coulomb: norm of the forces, {solver} [N]", value, norm[solver], 1e-5)
        for solver, value in wanted.items()
    ]


def _counts(found: dict[str, list[Solved]]) -> list[Row]:
    sweeps = next(s for s in found["coulomb"] if s.solver == "pgs")
    steps = next(s for s in found["convex"] if s.solver == "admm")
    return [rows.told("RP1 coulomb: sweeps of pgs", float(sweeps.iterations)),
            rows.told("RP1 convex: iterations of admm", float(steps.iterations))]  # fmt: skip


def _floor(s: Solved) -> float:
    return float(s.force[:4, 2].sum())


def _rp2(found: dict[str, list[Solved]]) -> list[Row]:
    every = [s for law in found.values() for s in law]
    out = []
    for law in ("coulomb", "convex"):
        admm = next(s for s in found[law] if s.solver == "admm")
        out += [near(f"RP2 {law}: floor force, admm [N]", p.RP2_FLOOR, _floor(admm), 1e-3, against=closed_form("the weight")),
                rows.at_most(f"RP2 {law}: iterations of admm", float(admm.iterations), 20, against=EARLIER)]  # fmt: skip
    accepted = {f"{s.law} {s.solver}": _floor(s) for s in every if s.converged}
    who, value = farthest(accepted, p.RP2_FLOOR)
    out.append(
        near(
            f"RP2: floor force of {len(accepted)} accepted solves [N]",
            p.RP2_FLOOR,
            value,
            1e-3,
            note=f"farthest: {who}",
            against=closed_form("the weight"),
        )
    )
    wrong = [s for s in every if abs(_floor(s) - p.RP2_FLOOR) > 1.0]
    honest = sum(not s.converged for s in wrong)
    return [
        *out,
        agrees(
            "RP2: solves that miss the answer and say so",
            f"{honest} of {len(wrong)}",
            honest == len(wrong),
            "all",
            against=closed_form("the weight"),
        ),
    ]


def _rp3(found: list[Solved]) -> list[Row]:
    problem, shortest = st.reference.rp3(), st.reference.rp3_minimum_norm()
    cold, _ = st.solve(problem, "admm")
    out = [
        rows.at_most(
            "RP3: cold admm from the shortest impulse, relative",
            float(np.linalg.norm(cold - shortest) / np.linalg.norm(shortest)),
            1e-8,
            against=closed_form("pseudo-inverse"),
        )
    ]
    start = np.random.default_rng(1).uniform(0.0, 1.0, (4, 3)) * (1e-3, 1e-3, 5e-3)
    warm, _ = st.solve(problem, "admm", warm_start=start.ravel())
    out.append(
        rows.at_most(
            "RP3: velocity after a warm start, difference [m/s]",
            float(np.abs(problem.multiply(warm - cold)).max()),
            1e-8,
            against=closed_form("one velocity, many impulses"),
        )
    )
    apart = float(np.linalg.norm(warm - shortest) / np.linalg.norm(shortest))
    out.append(rows.told("RP3: distance from the shortest impulse after a warm start, relative", apart, measured=0.45))
    idle = {s.solver: float(np.linalg.norm(s.force - shortest.reshape(-1, 3) / p.STEP)) for s in found}
    out.append(rows.told("RP3: internal forces, pgs [N]", idle["pgs"]))
    return [
        *out,
        rows.at_most(
            "RP3: internal forces, admm and staggered [N]",
            max(idle["admm"], idle["staggered"]),
            1e-6,
            against=published("Fig. 12, section V B"),
        ),
    ]


def _table(title: str, found: dict[str, list[Solved]]) -> Table:
    lines = [[f"{law}, {s.solver}", s.status, str(s.iterations), *(number(float(x), 6) for x in s.force.sum(axis=0)),
              number(float(np.linalg.norm(s.force)), 7), number(s.exact.natural)] for law in p.LAWS for s in found[law]]  # fmt: skip
    return Table(title, ["law, solver", "status", "iterations", "T1", "T2", "N", "norm", "NCP residual [N]"], lines)


def _stack_table(found: dict[str, list[Solved]]) -> Table:
    lines = [
        [f"{law}, {s.solver}", s.status, str(s.iterations), number(_floor(s), 8), number(s.own.dual)]
        for law in p.LAWS
        for s in found[law]
    ]
    return Table(
        "RP2: at most 10 000 iterations, default tolerances",
        ["law, solver", "status", "iterations", "floor [N]", "dual residual [m/s]"],
        lines,
    )
