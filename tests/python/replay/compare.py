# SPDX-License-Identifier: BSD-2-Clause
"""Compares with hashes.json: `python tests/python/replay/compare.py [--long] [WORD]` prints the cases whose bits changed.

Only cases whose name contains WORD, if one is given. --long makes the whole number of recorded steps instead of the first ones.
"""

from __future__ import annotations

import json
import sys

from cases import HASHES, load_problems, platform, run_scene, run_solver


def main(arguments: list[str]) -> int:
    long = "--long" in arguments
    word = next((a for a in arguments if not a.startswith("--")), "")
    recorded = json.loads(HASHES.read_text())
    if recorded["platform"] != platform():
        print("the hashes were recorded with another C library or processor: differences say nothing")
    changed = total = 0
    for name, case in recorded["scenes"].items():
        if word in name:
            steps, wanted = case["long" if long else "short"]
            changed += report(name, run_scene(name, steps), wanted)
            total += 1
    problems = load_problems()
    for name, wanted in recorded["solvers"].items():
        if word in name:
            changed += report(name, run_solver(name, problems), wanted)
            total += 1
    print(f"{changed} of {total} cases changed")
    return 1 if changed else 0


def report(name: str, found: str, wanted: str) -> int:
    if found != wanted:
        print(f"changed {name}: {wanted} -> {found}")
    return found != wanted


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
