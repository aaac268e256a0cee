# SPDX-License-Identifier: BSD-2-Clause
"""Races stiction against installed peers and writes bench/results/peers.json: python bench/peers.py [SCENE ...]."""

import json
import sys
from pathlib import Path

from stiction.bench import peers
from stiction.bench.machine import machine

scenes = sys.argv[1:] or list(peers.SCENES)
rows = [row for scene in scenes for row in peers.run(scene, echo=print)]
target = Path(__file__).parent / "results" / "peers.json"
target.parent.mkdir(exist_ok=True)
target.write_text(json.dumps({"machine": machine(), "results": rows}, indent=2) + "\n")
print(f"written: {target}")
