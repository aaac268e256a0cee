# SPDX-License-Identifier: BSD-2-Clause
"""Captures the problems of problems.npz anew: `python tests/python/replay/capture.py`. Then record.py must be run, too."""

from __future__ import annotations

import json

import numpy as np

import stiction as st
from cases import PROBLEMS

# name: (scene, its parameters, steps made before)
CAPTURED = {
    "slide": ("cube_slide", {}, 30),
    "heavy": ("heavy_on_light", {}, 5),
    "stand": ("anymal_stand", {}, 40),
    "push": ("starleth_push", {}, 120),
    "tower": ("kapla", {"storeys": 2}, 3),
    "pile": ("pile", {"mu": 0.5}, 60),
    "legs": ("four_legs", {}, 20),
}


def describe(block: st.Block) -> list:
    """Kind and arguments of the call that makes the block again."""
    kind = str(block.kind)
    values = {
        "coulomb": [block.mu],
        "unilateral": [block.angular],
        "bilateral": [block.size, block.angular],
        "box": [block.lo, block.hi, block.angular],
    }
    return [kind, *values[kind]]


def pack(name: str, problem: st.ContactProblem, out: dict[str, np.ndarray]) -> None:
    form = {"blocks": [describe(b) for b in problem.blocks], "dt": problem.dt}
    out[f"{name}.g"] = problem.g
    if problem.compliance.size:
        out[f"{name}.compliance"] = problem.compliance
    if problem.bodies is None:
        out[f"{name}.G"] = problem.G
    else:
        start, rows = problem.bodies
        form["velocities"] = int(start[-1])
        out.update({f"{name}.{part}": array for part, array in zip(("indptr", "indices", "data"), rows, strict=True)})
    out[name] = np.array(json.dumps(form))


def made_of_all_blocks(seed: int) -> st.ContactProblem:
    """Contacts, a joint limit, a loop and dry friction that share twelve velocities."""
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(9 + 1 + 3 + 1, 12))
    blocks = [st.Block.coulomb(0.6) for i in range(3)]
    blocks += [st.Block.unilateral(True), st.Block.bilateral(3), st.Block.box(-0.02, 0.02, True)]
    g = rng.normal(size=14)
    g[2:9:3] = -np.abs(g[2:9:3])
    return st.ContactProblem(J @ J.T, g, blocks=blocks, dt=1e-2)


def main() -> None:
    out: dict[str, np.ndarray] = {}
    for name, (scene, parameters, steps) in CAPTURED.items():
        sim = st.scene(scene, **parameters)
        sim.step(n=steps)
        pack(name, max(sim.problems(), key=lambda p: p.rows), out)
    for seed in range(3):
        pack(f"blocks_{seed}", made_of_all_blocks(seed), out)
    np.savez_compressed(PROBLEMS, **out)


if __name__ == "__main__":
    main()
