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
    LONG,
    LONG_SECONDS,
    SHORT,
    SHORT_SECONDS,
    load_problems,
    make,
    platform,
    run_solver,
    scene_names,
    solver_names,
    state_hash,
)


def record_scene(name: str, old: dict[str, list] | None) -> dict[str, list]:
    """{"short": [steps, hash], "long": [steps, hash]}; slow worlds get fewer steps, and known cases as many as before."""
    try:
        sim = make(name)
    except ValueError as error:
        return {"short": [0, f"refused: {error}"], "long": [0, f"refused: {error}"]}
    start, made, found = time.process_time(), 0, {}
    for kind, most, seconds in (("short", SHORT, SHORT_SECONDS), ("long", LONG, LONG_SECONDS)):
        steps = old[kind][0] if old else most
        while made < steps and (old or made == 0 or time.process_time() - start < seconds):
            sim.step()
            made += 1
        found[kind] = [made, state_hash(sim)]
    return found


def write(scenes: dict, solvers: dict) -> None:
    HASHES.write_text(json.dumps({"platform": platform(), "scenes": scenes, "solvers": solvers}, indent=1) + "\n")


def main(word: str) -> None:
    old = json.loads(HASHES.read_text()) if HASHES.is_file() else {"scenes": {}, "solvers": {}}
    problems = load_problems()
    scenes, solvers = dict(old["scenes"]), dict(old["solvers"])
    for name in tqdm([n for n in scene_names() if word in n]):
        scenes[name] = record_scene(name, old["scenes"].get(name))
        if scenes[name] != old["scenes"].get(name):
            print("changed", name)
        write(scenes, solvers)
    for name in tqdm([n for n in solver_names(problems) if word in n]):
        solvers[name] = run_solver(name, problems)
        if solvers[name] != old["solvers"].get(name):
            print("changed", name)
        write(scenes, solvers)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
