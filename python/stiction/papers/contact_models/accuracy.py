# SPDX-License-Identifier: BSD-2-Clause
"""Every solver under every law on the same problems, judged by one judge: its own law's residual, and that of exact Coulomb friction (the price of
the model). The judge itself is checked against NumPy, and solvers against each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

import stiction as st

from ...output.tables import number
from .. import rows
from ..rows import Row, closed_form, independent, published
from ..study import Section, Table
from . import published as p
from .measures import Solved, fitting, noted, solved
from .numpy_judge import judge, relative

NUMPY = independent("NumPy, from the definitions")
MASS_RATIOS, FRICTIONS = (1.0, 1e2, 1e4), (0.0, 1e-3, 0.05, 0.6)
TEXT = (
    "Random problems of six contacts on two bodies (masses 1 : 1, 1e2, 1e4; μ 0, .001, .05, .6), on which solvers that judge themselves have "
    "accepted errors of .9, the sliding cube RP1 and the pulled cube RP3. Accepted: the judge found the impulse within the default tolerances, of "
    "at most each solver's usual number of iterations. Own: the law's own residual over its tolerance, so at most 1. NCP: distance from exact "
    "Coulomb friction, relative to the largest force; where the law is another one this is what the model costs, however well it is solved."
)


@dataclass(frozen=True)
class Judged:
    problem: st.ContactProblem
    result: Solved

    @property
    def price(self) -> float:
        """Natural map of exact Coulomb friction, relative."""
        return self.result.exact.natural / max(self.result.exact.force_scale, 1e-300)


Found = dict[tuple[str, str], list[Judged]]


def _problems(law: str, seeds: int) -> Iterator[st.ContactProblem]:
    yield from (st.reference.rp1(law), st.reference.rp3(law))
    for ratio in MASS_RATIOS:
        for mu in FRICTIONS:
            yield from (st.reference.random_six(seed, ratio, mu, law) for seed in range(seeds))


def runs(quick: bool) -> Found:
    found: Found = {}
    for law in p.LAWS:
        for problem in _problems(law, 4 if quick else 40):
            for solver in fitting(law):
                found.setdefault((law, solver), []).append(Judged(problem, solved(problem, solver)))
    return found


def section(found: Found, quick: bool) -> Section:
    lines = []
    for (law, solver), judged in found.items():
        accepted = [j for j in judged if j.result.converged]
        iterations = sorted(j.result.iterations for j in accepted)
        lines.append([f"{law}, {solver}", f"{len(accepted)} of {len(judged)}", number(max(j.result.own.ratio for j in accepted)),
                      *_spread([j.price for j in accepted]), f"{np.median(iterations):.0f}", str(iterations[-1])])  # fmt: skip
    header = ["law, solver", "accepted", "worst own", "median NCP", "worst NCP", "median iterations", "most"]
    judged_rows = [*_honest(found), _numpy(found), *_prices(found), *_cross(10 if quick else 250)]
    return Section("Accuracy of every solver under every law", TEXT, judged_rows, [Table("Cold starts", header, lines)])


def _spread(x: Sequence[float]) -> list[str]:
    return [number(float(np.median(x))), number(max(x))]


def _honest(found: Found) -> list[Row]:
    """What solvers of each law handed back and the judge accepted, measured by hand."""
    out = []
    for wanted in p.LAWS:
        worst, who = 0.0, ""
        for (law, solver), judged in found.items():
            for j in (j for j in judged if law == wanted and j.result.converged):
                # the shortest force that is no round-off of a contact that carries nothing
                error = relative(j.problem, j.result.force, p.GRAVITY * p.STEP, p.MASS * p.GRAVITY)
                worst, who = (error, solver) if not error <= worst else (worst, who)
        name = f"{wanted}: accepted impulses, largest relative residual by hand"
        out.append(noted(rows.at_most(name, worst, 1e-6, against=NUMPY), f"worst: {who}"))
    return out


def _numpy(found: Found) -> Row:
    """Velocities are sums of large terms: differences count relative to those, which the judge's round-off floor is 2⁻⁵² of."""
    worst = 0.0
    for judged in found.values():
        for j in judged[:60]:
            e = j.result.exact
            ours, terms = judge(j.problem, j.result.force, "coulomb"), e.floor * 2.0**52
            scale = (e.force_scale, terms, e.force_scale * terms)
            worst = max(
                [
                    worst,
                    *(
                        abs(a - b) / s
                        for a, b, s in zip(ours, (e.primal, e.dual, e.complementarity), scale, strict=True)
                        if s > 0.0
                    ),
                ]
            )
    return rows.at_most(
        "judge against NumPy: largest difference, relative to the terms summed", worst, 1e-14, against=NUMPY
    )


def _prices(found: Found) -> list[Row]:
    """On the sliding cube: a law that is not Coulomb's is far from it, solved as well as may be."""
    out = []
    said = {"coulomb": closed_form("solved under the exact law"), "convex": published("Fig. 10, section III"),
            "pyramid": published("Figs. 6 and 9"), "raisim": published("Fig. 12, section III")}  # fmt: skip
    for law in p.LAWS:
        prices = [judged[0].price for (of, _), judged in found.items() if of == law]
        name = f"{law}: NCP residual on the sliding cube RP1, relative to the largest force"
        out.append(
            rows.at_most(name, max(prices), 1e-6, against=said[law])
            if law == "coulomb"
            else rows.at_least(name, min(prices), 1e-2, against=said[law])
        )
    return out


def random_problem(seed: int, law: str) -> st.ContactProblem:
    """Four contacts of full rank: G = J Jᵀ + 0.05 I."""
    rng = np.random.default_rng(seed)
    J, g = 0.3 * rng.uniform(-1.0, 1.0, (12, 16)), rng.uniform(-0.5, 0.5, 12)
    g[2::3] = -0.5 + 0.7 * rng.uniform(-1.0, 1.0, 4)
    return st.ContactProblem(J @ J.T + 0.05 * np.eye(12), g, mu=rng.uniform(0.1, 0.7, 4), law=law, dt=p.STEP)


def _cross(problems: int) -> list[Row]:
    """Test 31 of the specification. Coulomb's law may have several solutions, so there differences are counted, not failed."""
    apart: dict[str, list[float]] = {"coulomb": [], "convex": []}
    for law, differences in apart.items():
        for seed in range(problems):
            problem = random_problem(seed, law)
            impulses = [
                p.STEP * s.force.ravel()
                for s in (solved(problem, solver, tolerance=1e-10) for solver in fitting(law))
                if s.converged
            ]
            seen = impulses if law == "convex" else [problem.G @ x + problem.g for x in impulses]
            differences.append(max(float(np.abs(x - seen[0]).max()) for x in seen) / float(np.abs(seen[0]).max()))
    same = sum(x <= 1e-6 for x in apart["coulomb"])
    return [rows.at_most(f"convex: impulses of {len(fitting('convex'))} solvers differ, {problems} random problems, "
                         "relative", max(apart["convex"]), 1e-6, against=independent("the solvers of the law against each other")),
            rows.told(f"coulomb: velocities of {len(fitting('coulomb'))} solvers agree to 1e-6", f"{same} of {problems}")]  # fmt: skip
