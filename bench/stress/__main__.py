# SPDX-License-Identifier: BSD-2-Clause
"""Random worlds under random laws, solvers and steppers, each step checked from outside.

    python bench/stress --seconds 600 --jobs 2         new worlds for ten minutes
    python bench/stress --first 5000 --count 1000      worlds 5000 to 5999
    python bench/stress --world 123                    one of them again, told step by step

Worlds are numbers (worlds.py). Checked (checks.py): states are finite; energy grows by what loads, motors, springs and a bounded correction
can give; momentum of isolated worlds is kept; impulses that a solver calls converged pass a second judge (judge.py); the work of a step is
bounded. Ends with code 1 if something was broken. Worlds that failed once: tests/python/stress/kept.py.
"""

from __future__ import annotations

import argparse
import collections
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
import checks
import worlds

BATCH = 20


def batch(first: int) -> list[checks.Result]:
    return [checks.run(seed) for seed in range(first, first + BATCH)]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python bench/stress", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--first", type=int, default=0, help="number of the first world")
    parser.add_argument("--count", type=int, default=1 << 40, help="worlds at the most")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--world", type=int, help="only this one, step by step")
    return parser.parse_args()


def tell(seed: int) -> int:
    case = worlds.make(seed)
    print(case)
    for k in range(checks.STEPS):
        report = case.sim.step(case.tau) if len(case.tau) else case.sim.step()
        print(k, report, f"kinetic {case.sim.energy().kinetic:.4g} J, deepest {report.penetration:.3g} m")
    broken = checks.run(seed).broken
    print("\n".join(broken) or "nothing broken")
    return 1 if broken else 0


def slow_steps(results: list[checks.Result]) -> str:
    """CPU time per step beside the median of the worlds with about as many contact rows and the same law, solver and stepper."""
    groups: dict[tuple[str, int], list[float]] = collections.defaultdict(list)
    for r in results:
        groups[r.method, int(np.log2(1 + r.rows))] += r.seconds
    over = sum(int(np.sum(np.array(t) > 10.0 * np.median(t))) for t in groups.values())
    every = [s for t in groups.values() for s in t]
    return (
        f"{len(every)} steps, {over} above ten times the median of their size and method, {sum(s > 1.0 for s in every)} above 1 s, "
        f"longest {max(every, default=0.0):.3g} s; most iterations {max((max(r.work, default=0) for r in results), default=0)}"
    )


def main() -> int:
    given = arguments()
    if given.world is not None:
        return tell(given.world)
    end, results = time.monotonic() + given.seconds, []
    firsts = iter(range(given.first, given.first + given.count, BATCH))
    with ProcessPoolExecutor(given.jobs) as pool:
        while time.monotonic() < end:
            starts = [first for _, first in zip(range(given.jobs * 2), firsts, strict=False)]
            if not starts:
                break
            for done in pool.map(batch, starts):
                results += done
                for r in done:
                    if r.broken:
                        print(f"{r.told}\n   {r.broken[0]}", flush=True)
                    if (longest := max(r.seconds, default=0.0)) > 1.0:
                        print(f"{r.told}\n   slow: step {np.argmax(r.seconds)} took {longest:.3g} s", flush=True)
    statuses: collections.Counter[str] = collections.Counter()
    for r in results:
        statuses.update(r.statuses)
    refused = sum(r.outcome == "refused" for r in results)
    failed = [r.seed for r in results if r.broken]
    print(f"{len(results)} worlds, {refused} refused, steps: {dict(statuses)}")
    print(slow_steps(results))
    print(f"{len(failed)} failed: {failed[:50]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
