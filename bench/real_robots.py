# SPDX-License-Identifier: BSD-2-Clause
"""Robots that other people wrote, in stiction and in MuJoCo at the file's own settings:

    python bench/real_robots.py [--seconds 1] [--runs 3] [--out FILE.json] FILE.xml ...

Both engines start from the first keyframe (or the default pose) and get the same slow control noise. One row per file:

calm    every velocity is finite and at the most 3 times MuJoCo's largest so far + 5; nothing is unaccepted in the second half (from 2 s on)
ratio   MuJoCo's CPU time over ours, of the whole run in 20 parts that alternate; the lowest of the runs. Above 1 we are faster

A file is measured in a process of its own, with a time limit: a crash or a hang is a row.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import stiction as st

PARTS = 20
BURST, RANGE = 3.0, 5.0  # of MuJoCo's largest velocity; and what is added [rad/s, m/s]


def control_noise(model: Any, steps: int) -> np.ndarray:
    """(steps, actuators): a random walk of a tenth of each control range, correlated over 0.1 s."""
    low, high = model.actuator_ctrlrange.T
    width = np.where(high > low, high - low, 1.0)
    keep = np.exp(-model.opt.timestep / 0.1)
    random, walk = np.random.default_rng(1), np.zeros((steps, model.nu))
    for k in range(steps):
        walk[k] = keep * walk[k - 1] + np.sqrt(1.0 - keep**2) * random.normal(size=model.nu)
    return 0.1 * walk * width


class Both:
    """The same robot in both engines, at the same state."""

    def __init__(self, path: str, world: st.World | None = None):
        import mujoco

        self.step_mujoco = mujoco.mj_step
        self.model = mujoco.MjModel.from_xml_path(path)
        self.data = mujoco.MjData(self.model)
        if self.model.nkey:
            mujoco.mj_resetDataKeyframe(self.model, self.data, 0)
        mujoco.mj_forward(self.model, self.data)
        if world is None:
            world = st.World()
            world.add_mjcf(path)
        self.world, self.sim = world, st.Simulator(world, dt=self.model.opt.timestep)
        state = np.array(self.data.qpos), np.array(self.data.qvel)
        self.sim.q, self.sim.v = st.convert.from_mujoco(self.sim, *state, model=self.model)

    def command(self, ctrl: np.ndarray) -> None:
        self.data.ctrl[:] = ctrl
        self.sim.ctrl[:] = ctrl


def look_at_every_step(both: Both, ctrl: np.ndarray) -> dict[str, Any]:
    late = min(round(2.0 / both.model.opt.timestep), len(ctrl) // 2)
    calm, unaccepted, fastest, theirs = True, 0, 0.0, 0.0
    for k, row in enumerate(ctrl):
        both.command(row)
        report = both.sim.step()
        both.step_mujoco(both.model, both.data)
        theirs = max(theirs, float(np.nan_to_num(np.abs(both.data.qvel), nan=1e9).max(initial=0.0)))
        fastest = max(fastest, float(np.nan_to_num(np.abs(both.sim.v), nan=np.inf).max(initial=0.0)))
        calm = calm and fastest <= BURST * theirs + RANGE
        unaccepted += report.unaccepted if k >= late else 0
    return {
        "calm": calm and unaccepted == 0, "unaccepted": unaccepted, "fastest": fastest, "fastest_mujoco": theirs,
        "contacts": len(both.sim.contacts()), "contacts_mujoco": int(both.data.ncon),
    }  # fmt: skip


def race(both: Both, ctrl: np.ndarray) -> dict[str, Any]:
    """CPU times of the two [us per step] in alternating parts."""
    length, ours, theirs = len(ctrl) // PARTS, [], []
    for part in range(PARTS):
        both.command(ctrl[part * length])
        for first in (part % 2 == 0, part % 2 == 1):
            begin = time.process_time()
            if first:
                both.sim.step(n=length)
            else:
                both.step_mujoco(both.model, both.data, length)
            (ours if first else theirs).append((time.process_time() - begin) / length * 1e6)
    return {
        "us": float(np.mean(ours)),
        "us_mujoco": float(np.mean(theirs)),
        "ratio": float(np.sum(theirs) / np.sum(ours)),
    }


def measure(path: str, seconds: float, runs: int) -> dict[str, Any]:
    both = Both(path)
    steps = max(2 * PARTS, round(seconds / both.model.opt.timestep))
    ctrl = np.array(both.data.ctrl) + control_noise(both.model, steps)
    row: dict[str, Any] = {"velocities": int(both.model.nv), "actuators": int(both.model.nu)}
    row |= look_at_every_step(both, ctrl)
    races = [race(Both(path, both.world), ctrl) for _ in range(runs)]
    row |= min(races, key=lambda found: found["ratio"]) | {"ratios": [found["ratio"] for found in races]}
    return row


def measure_apart(path: str, options: argparse.Namespace) -> dict[str, Any]:
    command = [
        sys.executable,
        __file__,
        "--child",
        "--seconds",
        str(options.seconds),
        "--runs",
        str(options.runs),
        path,
    ]
    name = "/".join(Path(path).parts[-2:])
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.limit, check=False)
    except subprocess.TimeoutExpired:
        return {"file": name, "error": f"more than {options.limit:g} s"}
    if done.returncode != 0:
        return {"file": name, "error": (done.stderr.strip().splitlines() or ["?"])[-1]}
    return {"file": name} | json.loads(done.stdout.splitlines()[-1])


def score(row: dict[str, Any]) -> float:
    """What does not run, or not calmly, counts as 0."""
    return row["ratio"] if row.get("calm") else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for one file")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(measure(options.files[0], options.seconds, options.runs)))
        return
    rows = []
    print("| scene | us/step | MuJoCo us/step | ratio | calm | contacts ours / MuJoCo |\n|---|---|---|---|---|---|")
    for path in options.files:
        row = measure_apart(path, options)
        rows.append(row)
        if "error" in row:
            print(f"| {row['file']} | {row['error']} | | 0 | no | |", flush=True)
            continue
        print(
            f"| {row['file']} | {row['us']:.1f} | {row['us_mujoco']:.1f} | {row['ratio']:.2f} | {'yes' if row['calm'] else 'no'} "
            f"| {row['contacts']} / {row['contacts_mujoco']} |",
            flush=True,
        )
    scores = sorted(score(row) for row in rows)
    print(
        f"\n{len(rows)} files: {sum('error' not in row for row in rows)} run, {sum(bool(row.get('calm')) for row in rows)} calm, "
        f"{sum(x >= 1.0 for x in scores)} at or above MuJoCo, median ratio {scores[len(scores) // 2]:.2f}, lowest {scores[0]:.2f}"
    )
    if options.out:
        from stiction.bench.machine import machine

        options.out.write_text(
            json.dumps({"machine": machine(), "seconds": options.seconds, "results": rows}, indent=1) + "\n"
        )


if __name__ == "__main__":
    main()
