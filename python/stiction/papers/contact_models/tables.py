# SPDX-License-Identifier: BSD-2-Clause
"""Tables II and III: which law keeps which principle, and which algorithm has which virtue; every tick is measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import stiction as st

from .. import rows
from ..rows import Row, published
from ..study import Section
from . import published as p
from .accuracy import NUMPY
from .measures import AS_PUBLISHED, TIGHT
from .numpy_judge import judge, velocity
from .stack import weight

HOLDS, BROKEN = 1e-5, 1e-2  # relative: below the one a property holds, above the other it does not; in between neither
TEXT = (
    "Table II on the sliding cube RP1, with NumPy alone: what normal impulses exchange with normal velocities, how far impulses leave the round "
    "cone, how far friction is from opposing the slip; each relative to its terms. Table III: hard contacts and internal forces on the pulled cube "
    "RP3 (upward velocity of the loaded corners; distance from -G⁺g), robustness as the floor force of the stack with a mass ratio of 1e6, after at "
    "most 1e4 iterations. A tick holds below 1e-5 (robust: 1e-3), is missed above 1e-2; between them a row fails. Guarantees of convergence "
    "are proofs and cannot be measured."
)


def signorini(problem: st.ContactProblem, impulse: np.ndarray) -> float:
    """Largest product of normal impulse and normal velocity, over that of the largest impulse and velocity."""
    c, x = velocity(problem, impulse), impulse.reshape(-1, 3)
    return float(np.abs(x[:, 2] * c[:, 2]).max() / (np.abs(x).max() * np.abs(problem.g).max()))


def coulomb(problem: st.ContactProblem, impulse: np.ndarray) -> float:
    """How far impulses leave the cone, over the largest of them."""
    x = impulse.reshape(-1, 3)
    return float(np.maximum(np.hypot(x[:, 0], x[:, 1]) - problem.mu * x[:, 2], 0.0).max() / np.abs(x).max())


def dissipation(problem: st.ContactProblem, impulse: np.ndarray) -> float:
    """Largest angle between friction and what opposes the slip [rad]."""
    c, x = velocity(problem, impulse)[:, :2], impulse.reshape(-1, 3)[:, :2]
    moves = np.linalg.norm(c, axis=1) > 1e-6 * np.abs(problem.g).max()
    loaded = np.linalg.norm(x, axis=1) > 1e-6 * np.abs(x).max()
    angles = [float(np.arctan2(abs(a[0] * b[1] - a[1] * b[0]), -(a @ b))) for a, b in zip(x, c, strict=True)]
    return max((angle for angle, counts in zip(angles, moves & loaded, strict=True) if counts), default=0.0)


PRINCIPLES: dict[str, Callable[[st.ContactProblem, np.ndarray], float]] = {
    "Signorini": signorini, "Coulomb": coulomb, "maximum dissipation": dissipation,
}  # fmt: skip
TABLE_2 = {
    "pyramid": (True, False, False),
    "convex": (False, True, True),
    "raisim": (True, True, False),
    "coulomb": (True, True, True),
}
SOLVER_OF = {"pyramid": "lemke", "convex": "admm", "raisim": "bisection", "coulomb": "admm"}


@dataclass(frozen=True)
class Algorithm:
    """A line of Table III: hard contacts, no internal forces, robust."""

    name: str
    law: str
    solver: str
    ticks: tuple[bool, bool, bool]
    options: dict[str, Any]
    guarantee: bool


def _algorithm(name: str, law: str, solver: str, ticks: str, **options: Any) -> Algorithm:
    hard, free, robust, proof = (x == "x" for x in ticks)
    return Algorithm(name, law, solver, (hard, free, robust), AS_PUBLISHED.get(solver, {}) | options, proof)


TABLE_3 = (
    _algorithm("LCP, PGS", "pyramid", "pgs", "x---"),
    _algorithm("LCP, staggered", "pyramid", "staggered", "xxx-"),
    _algorithm("CCP, PGS", "convex", "pgs", "x--x"),
    _algorithm("CCP, MuJoCo", "convex", "newton", "-xxx", regularisation="mujoco", d=0.95),
    _algorithm("CCP, ADMM", "convex", "admm", "xxxx"),
    _algorithm("CCP, Drake", "convex", "newton", "-xxx", regularisation="drake"),
    _algorithm("RaiSim", "raisim", "bisection", "x---"),
    _algorithm("NCP, PGS", "coulomb", "pgs", "x---"),
    _algorithm("NCP, staggered", "coulomb", "staggered", "xxx-"),
)


def section() -> Section:
    return Section("Tables II and III", TEXT, [*_laws(), *(row for a in TABLE_3 for row in _virtues(a))])


def _tick(name: str, wanted: bool, error: float, where: str, holds: float = HOLDS, broken: float = BROKEN) -> Row:
    ok = error <= holds if wanted else error >= broken
    bound = f"<= {holds:g}" if wanted else f">= {broken:g}"
    return rows.judged(
        name, error, ok, bound, against=published(where), published="holds" if wanted else "does not hold"
    )


def _laws() -> list[Row]:
    out = []
    for law, ticks in TABLE_2.items():
        problem = st.reference.rp1(law)
        impulse, _ = st.solve(problem, SOLVER_OF[law], **TIGHT)
        for (principle, measure), tick in zip(PRINCIPLES.items(), ticks, strict=True):
            out.append(_tick(f"{law}: {principle}", tick, measure(problem, impulse), "Table II"))
    return out


def _solve(problem: st.ContactProblem, a: Algorithm, **options: Any) -> np.ndarray:
    tight = {k: v for k, v in TIGHT.items() if not (a.solver == "newton" and k == "max_iterations")}
    impulse, _ = st.solve(problem, a.solver, **(tight | a.options | options))
    return np.asarray(impulse)


def hardness(a: Algorithm) -> float:
    """Of the pulled cube at rest: velocity of its corners over the fall of a step."""
    problem = st.reference.rp3(a.law)
    return float(np.abs(velocity(problem, _solve(problem, a))).max() / (p.GRAVITY * p.STEP))


def jamming(a: Algorithm) -> float:
    """Of the pulled cube: distance from the forces of least norm, relative."""
    problem = st.reference.rp3(a.law)
    least = -np.linalg.pinv(problem.G) @ problem.g
    impulse = _solve(problem, a)
    inside = impulse - np.linalg.pinv(problem.G) @ (problem.G @ impulse)
    return float(np.linalg.norm(inside) / np.linalg.norm(least))


def standing(a: Algorithm) -> tuple[float, float]:
    """Of the stack: what the floor does not carry, relative; and by NumPy the dual residual over the fall of a step."""
    problem = st.reference.heavy_on_light(1e6, a.law)
    patient = {"stall_window": 0} if a.solver == "pgs" else {}
    more = {} if a.solver == "newton" else {"max_iterations": 10000}
    impulse = _solve(problem, a, **(patient | more))
    _, dual, _ = judge(problem, (impulse / p.STEP).reshape(-1, 3))
    return abs(float(impulse[2:12:3].sum() / p.STEP) / weight(1e6) - 1.0), dual / (p.GRAVITY * p.STEP)


def _virtues(a: Algorithm) -> list[Row]:
    hard, free, robust = a.ticks
    where, (missing, falling) = "Table III", standing(a)
    last = _tick(f"{a.name}: robust, floor force missing at 1e6", robust, missing, where, 1e-3)
    if a.solver == "newton":  # converges, to the solution of another problem
        proof = rows.at_least("", falling, 0.1, measured=0.0, against=NUMPY)
        last = rows.differs(
            last,
            proof,
            "its iteration ends, but R is tied to the diagonal of G: the heavy cube falls through the light one",
        )
    return [
        _tick(f"{a.name}: hard contacts, motion of corners at rest", hard, hardness(a), where),
        _tick(f"{a.name}: no internal forces", free, jamming(a), where),
        last,
        rows.told(f"{a.name}: guarantee of convergence", "-", "yes" if a.guarantee else "no", reason="a proof, not a measurement"),
    ]  # fmt: skip
