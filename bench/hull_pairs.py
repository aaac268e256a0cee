# SPDX-License-Identifier: BSD-2-Clause
"""Hull against hull of 200 vertices: stiction, Coal and MuJoCo on the same pairs, in one run.

usage: python bench/hull_pairs.py PROGRAM      (stiction_bench_hull_pairs, built with -DSTICTION_BENCH=ON; needs mujoco)

MuJoCo's time is that of mj_collision over 200 explicit pairs, divided by their number: its bounding spheres, its GJK and EPA and
its contact points. Coal's is its distance alone. Lowest of 30 runs each.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import mujoco


def mujoco_time(path: Path) -> tuple[float, int]:
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_fwdPosition(model, data)
    best = float("inf")
    for _ in range(30):
        begin = time.perf_counter()
        mujoco.mj_collision(model, data)
        best = min(best, (time.perf_counter() - begin) / model.npair)
    return 1e6 * best, len({(c.geom1, c.geom2) for c in data.contact})


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = subprocess.run([sys.argv[1], folder], capture_output=True, text=True, check=True).stdout
        rows = [line.split() for line in out.splitlines()]
        for case in ("apart", "touching"):
            us, contacts = mujoco_time(Path(folder) / f"{case}.xml")
            rows.append([case, "mujoco", f"{us:.3f}", str(contacts)])
    print(f"{'case':<10} {'program':<14} {'us per pair':>11} {'in contact':>10}")
    for case, program, us, contacts in sorted(rows):
        print(f"{case:<10} {program:<14} {us:>11} {contacts:>10}")


if __name__ == "__main__":
    main()
