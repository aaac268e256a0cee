# SPDX-License-Identifier: BSD-2-Clause
"""Solvers inside long simulations, written to bench/results/in_simulation_SUBJECT.json.

python bench/solvers_in_simulation.py [tower] [anymal] [--quick]
"""

import json
import sys
from pathlib import Path

from stiction.bench import long_runs
from stiction.bench.machine import machine

quick = "--quick" in sys.argv
for subject in [word for word in sys.argv[1:] if not word.startswith("-")] or ["tower", "anymal"]:
    rows = long_runs.run(subject, quick, echo=print)
    target = Path(__file__).parent / "results" / f"in_simulation_{subject}.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps({"machine": machine(), "results": rows}, indent=2) + "\n")
    print(f"written: {target}\n")
