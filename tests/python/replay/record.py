# SPDX-License-Identifier: BSD-2-Clause
"""Records hashes.json anew, after a change that alters bits on purpose: `python tests/python/replay/record.py [WORD]`.

Only cases whose name contains WORD, if one is given. Prints what changed; the CHANGELOG says why.
"""

from __future__ import annotations

import json
import sys
import time

from tqdm import tqdm

from cases import (
    HASHES,
    SHORT,
    load_problems,
    long_steps,
    make,
    platform,
    run_solver,
    scene_names,
    solver_names,
    state_hash,
)


def record_scene(name: str) -> dict[str, str | int]:
    try:
        sim = make(name)
    except ValueError as error:
        return {"short": f"refused: {error}"}
    steps = long_steps(name)
    sim.step(n=SHORT)
    short = state_hash(sim)
    start = time.process_time()
    sim.step(n=steps - SHORT)
    return {"short": short, "long": state_hash(sim), "steps": steps, "seconds": round(time.process_time() - start, 2)}


def main(word: str) -> None:
    old = json.loads(HASHES.read_text()) if HASHES.is_file() else {"scenes": {}, "solvers": {}}
    problems = load_problems()
    scenes, solvers = dict(old["scenes"]), dict(old["solvers"])
    for name in tqdm([n for n in scene_names() if word in n]):
        scenes[name] = record_scene(name)
        if (scenes[name]["short"], scenes[name].get("long")) != (
            old["scenes"].get(name, {}).get("short"),
            old["scenes"].get(name, {}).get("long"),
        ):
            print("changed", name)
    for name in tqdm([n for n in solver_names(problems) if word in n]):
        solvers[name] = run_solver(name, problems)
        if solvers[name] != old["solvers"].get(name):
            print("changed", name)
    HASHES.write_text(json.dumps({"platform": platform(), "scenes": scenes, "solvers": solvers}, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
