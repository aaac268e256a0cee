# SPDX-License-Identifier: BSD-2-Clause
"""Small random contact problems through a solver, judged from outside: how many are solved of those that have a solution, and whether a
`converged` is ever false.

    python bench/stress/small.py --count 20000 --jobs 2                  all four laws with auto
    python bench/stress/small.py --law raisim --problem 77               one of them again

Problems are numbers (problems.py). They count if `check_feasibility` grants a solution.
Bars: 99.9 % coulomb and convex, 99 % pyramid, 97 % raisim."""

from __future__ import annotations

import argparse
import collections
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import judge
import problems
import stiction as st

BARS = {"coulomb": 0.999, "convex": 0.999, "pyramid": 0.99, "raisim": 0.97}
BATCH = 200


@dataclass
class Count:
    granted: int = 0  # problems that have a solution
    solved: int = 0
    asked: int = 0
    false: list[tuple[int, float, str]] = field(default_factory=list)  # converged, but not so by the other judge
    unsolved: list[int] = field(default_factory=list)
    paths: collections.Counter[str] = field(default_factory=collections.Counter)
    kinds: collections.Counter[tuple[str, bool]] = field(
        default_factory=collections.Counter
    )  # of those granted: solved or not

    def add(self, other: Count) -> None:
        self.granted += other.granted
        self.solved += other.solved
        self.asked += other.asked
        self.false += other.false
        self.unsolved += other.unsolved
        self.paths.update(other.paths)
        self.kinds.update(other.kinds)

    def by_kind(self) -> str:
        share = {k: (self.kinds[k, True], self.kinds[k, True] + self.kinds[k, False]) for k in problems.KINDS}
        return ", ".join(f"{k} {solved} of {granted}" for k, (solved, granted) in share.items())


def count(law: str, first: int, number: int, solver: str = "auto") -> Count:
    out = Count()
    for seed in range(first, first + number):
        problem = problems.make(law, seed)
        impulse, report = st.solve(problem, solver)
        out.asked += 1
        kind = problems.KINDS[seed % 4]
        if report.ok:
            out.solved += 1
            out.granted += 1
            out.kinds[kind, True] += 1
            out.paths[report.path] += 1
            if (found := judge.ratio(problem, impulse)) > 2.0:
                out.false.append((seed, found, report.path))
        elif st.check_feasibility(problem).verdict == "feasible":
            out.granted += 1
            out.unsolved.append(seed)
            out.kinds[kind, False] += 1
            out.paths[f"({report.path})"] += 1
    return out


def _batch(job: tuple[str, int, str]) -> Count:
    return count(job[0], job[1], BATCH, job[2])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--law", choices=BARS, help="only this law")
    parser.add_argument("--solver", default="auto")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=2000, help="problems per law")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--problem", type=int, help="only this one")
    given = parser.parse_args()
    laws = [given.law] if given.law else list(BARS)
    if given.problem is not None:
        for law in laws:
            problem = problems.make(law, given.problem)
            impulse, report = st.solve(problem, given.solver)
            print(
                law,
                problem,
                report,
                f"other judge {judge.ratio(problem, impulse):.3g}",
                st.check_feasibility(problem).verdict,
            )
        return 0
    good = True
    with ProcessPoolExecutor(given.jobs) as pool:
        for law in laws:
            total = Count()
            for part in pool.map(
                _batch, [(law, k, given.solver) for k in range(given.first, given.first + given.count, BATCH)]
            ):
                total.add(part)
            share = total.solved / max(1, total.granted)
            good = good and share >= BARS[law] and not total.false
            print(
                f"{law}: {total.asked} problems, {total.granted} solvable, {total.solved} solved ({100 * share:.2f} %), {len(total.false)} false"
            )
            print(
                f"   {total.by_kind()}\n   paths {dict(total.paths.most_common(8))}\n   unsolved {total.unsolved[:12]} false {total.false[:6]}",
                flush=True,
            )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
