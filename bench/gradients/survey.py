# SPDX-License-Identifier: BSD-2-Clause
"""How far sim.step_derivatives is from central differences of the step, over random states:

    python bench/gradients/survey.py [--what anymal starleth talos arm allegro scenes] [--states 200] [--first 0] [--json FILE]

Differences are extrapolated once, in steps of 1e-4 to 1e-8; a column counts as wrong by the smallest of its errors. Errors are
relative to the largest entry of their kind (rows q and v, columns q, v, torques and ctrl). Laws and steppers take turns. A state is a miss
if its error is above 1e-6 and nothing is flagged: no border, and neither `exact` nor `velocity_unique` is False.
"""

import argparse
import itertools
import json
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
import states

BAR, STEPS = 1e-6, (1e-4, 1e-5, 1e-6, 1e-7, 1e-8)
# What errors are compared with at the least, in rows q and v, by q, v, torques, ctrl: 1 for a state by itself, for the rest what weight does in a
# step of 1 ms. A body that is held has zeros there, and differences have round-off.
LEAST = ((1.0, 1e-3, 1e-3, 1e-3), (1e-2, 1.0, 1e-3, 1e-3))
MAKERS = {
    "anymal": lambda *a: states.legged("anymal", *a),
    "starleth": lambda *a: states.legged("starleth", *a),
    "talos": lambda *a: states.legged("talos_reduced", *a),
    "arm": states.arm_with_loop,
    "allegro": states.allegro,
    "scenes": states.scene,
}


def after(sim, start, change, tau):
    nv, ntau = sim.nv, sim.ntau
    sim.restore(start)
    sim.q[:] = sim.integrate(sim.q, change[:nv])
    sim.v[:] += change[nv : 2 * nv]
    if len(sim.ctrl):
        sim.ctrl[:] += change[2 * nv + ntau :]
    torque = change[2 * nv : 2 * nv + ntau] + (0.0 if tau is None else tau)
    sim.step(torque if ntau else None)
    return sim.q.copy(), sim.v.copy()


def errors(sim, tau):
    """Of every column, the smallest error among the steps; and the derivative."""
    d = sim.step_derivatives(tau)
    mine, nv, ntau = np.hstack([d.dx, d.du, d.dctrl]), sim.nv, sim.ntau
    start, n = sim.save(), mine.shape[1]
    centre = after(sim, start, np.zeros(n), tau)[0]

    def column(j, e):
        (q1, v1), (q0, v0) = after(sim, start, e * np.eye(n)[j], tau), after(sim, start, -e * np.eye(n)[j], tau)
        return np.concatenate([sim.difference(centre, q1) - sim.difference(centre, q0), v1 - v0]) / (2 * e)

    edges, best = [0, nv, 2 * nv, 2 * nv + ntau, n], np.full(n, np.inf)
    sizes = np.zeros((2, n))
    for rows, (first, last) in itertools.product((0, 1), itertools.pairwise(edges)):
        if last > first:
            kind = np.abs(mine[rows * nv : (rows + 1) * nv, first:last]).max()
            sizes[rows, first:last] = max(kind, LEAST[rows][sum(first >= x for x in edges[1:4])])
    for e in STEPS:
        for j in np.flatnonzero(best > 0.1 * BAR):
            wanted = (4 * column(j, 0.5 * e) - column(j, e)) / 3
            off = np.abs(mine[:, j] - wanted)
            best[j] = min(best[j], max(off[:nv].max() / sizes[0, j], off[nv:].max() / sizes[1, j]))
    sim.restore(start)
    return best, d


def survey(what, first, count):
    rows = []
    for seed in range(first, first + count):
        law, stepper = states.LAWS[seed % 2], states.STEPPERS[seed // 2 % 2]
        sim, tau = MAKERS[what](np.random.default_rng([seed, sorted(MAKERS).index(what)]), law, stepper)
        try:
            best, d = errors(sim, tau)
        except ValueError as refused:
            rows.append({"seed": seed, "law": law, "stepper": stepper, "refused": str(refused)})
            continue
        kinds = sorted({k for k in d.border_of if k})
        rows.append(
            {"seed": seed, "law": law, "stepper": stepper, "error": float(best.max()), "column": int(best.argmax()), "border": kinds,
             "exact": d.exact, "unique": d.velocity_unique, "modes": len(d.mode), "active": sum("break" not in m for m in d.mode)}
        )  # fmt: skip
    return rows


def line(what, rows):
    made = [r for r in rows if "error" in r]
    clear = [r for r in made if not r["border"] and r["exact"] and r["unique"]]
    misses = [r for r in clear if not r["error"] <= BAR]
    if clear:
        worst, middle = max(r["error"] for r in clear), float(np.median([r["error"] for r in clear]))
    else:
        worst = middle = float("nan")
    flagged_right = sum(r["error"] <= BAR for r in made if r not in clear)
    print(
        f"{what:9s} {len(made):4d} states  unflagged {len(clear):4d}  largest {worst:.1e}  median {middle:.1e}  misses {len(misses)}"
        f"  flagged {len(made) - len(clear)} (of these within the bar {flagged_right})  refused {len(rows) - len(made)}",
        flush=True,
    )
    for r in misses:
        print("   miss", r, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--what", nargs="+", default=list(MAKERS), choices=list(MAKERS))
    parser.add_argument("--states", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--json")
    arguments = parser.parse_args()
    everything = {}
    for what in arguments.what:
        start = time.process_time()
        everything[what] = survey(what, arguments.first, arguments.states)
        line(what, everything[what])
        print(f"   {time.process_time() - start:.0f} s", flush=True)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(everything, indent=1))


if __name__ == "__main__":
    main()
