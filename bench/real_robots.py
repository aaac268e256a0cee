# SPDX-License-Identifier: BSD-2-Clause
"""Robots that other people wrote, in stiction and in MuJoCo at the file's own settings:

    python bench/real_robots.py [--seconds 1] [--runs 3] [--out FILE.json] FILE.xml ...
    python bench/real_robots.py --set --seconds 5 --out FILE.json       every robot of `robot_set.py`

Both engines start from the first keyframe (or the default pose) and get the same slow control noise. One row per file:

M, bias, passive, actuator    largest relative difference of mass matrix and forces at five random states
pairs   of bodies that overlap by more than 1 mm at the start in one engine only
calm    every velocity is finite and at the most 3 times MuJoCo's largest up to the next step + 5 (an impact is felt here in the step in which
        surfaces meet, there in the step after it); nothing is unaccepted in the second half (from 2 s on)
ratio   MuJoCo's CPU time over ours, of the whole run in 20 parts that alternate; the lowest of the runs. Above 1 we are faster

A file is measured in a process of its own, with a time limit: a crash or a hang is a row. `--runs 0` leaves the races out; `--keep` does not
measure again what --out already holds.
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
import robot_forces
import robot_set

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
        if len(self.sim.act) == len(self.data.act):
            self.sim.act = self.data.act

    def command(self, ctrl: np.ndarray) -> None:
        self.data.ctrl[:] = ctrl
        self.sim.ctrl[:] = ctrl


def look_at_every_step(both: Both, ctrl: np.ndarray) -> dict[str, Any]:
    late = min(round(2.0 / both.model.opt.timestep), len(ctrl) // 2)
    unaccepted, resets, ours, theirs = 0, 0, np.zeros(len(ctrl)), np.zeros(len(ctrl))
    for k, row in enumerate(ctrl):
        both.command(row)
        report = both.sim.step()
        if k == 0:
            only_ours, only_theirs = robot_forces.overlapping(both.sim, both.model, both.data)
        before = both.data.time
        both.step_mujoco(both.model, both.data)
        resets += both.data.time < before
        ours[k] = np.nan_to_num(np.abs(both.sim.v), nan=np.inf).max(initial=0.0)
        theirs[k] = np.nan_to_num(np.abs(both.data.qvel), nan=1e9).max(initial=0.0)
        unaccepted += report.unaccepted if k >= late else 0
    ours, theirs = np.maximum.accumulate(ours), np.maximum.accumulate(theirs)
    bound = BURST * theirs + RANGE
    return {
        "calm": bool((ours[:-1] <= bound[1:]).all() and ours[-1] <= bound[-1] and unaccepted == 0),
        "calm_in_the_same_step": bool((ours <= bound).all() and unaccepted == 0),
        "unaccepted": unaccepted, "fastest": float(ours[-1]), "fastest_mujoco": float(theirs[-1]),
        "resets_mujoco": resets,  # where it found its own state beyond repair and began again from the start
        "contacts": len(both.sim.contacts()), "contacts_mujoco": int(both.data.ncon),
        "pairs_ours_only": only_ours, "pairs_mujoco_only": only_theirs,
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
    row["tendons"], row["warnings"] = int(both.model.ntendon), len(both.world.warnings)
    row |= robot_forces.forces(st.Simulator(both.world, dt=both.model.opt.timestep), both.model)
    row |= look_at_every_step(both, ctrl)
    races = [race(Both(path, both.world), ctrl) for _ in range(runs)]
    if races:
        row |= min(races, key=lambda found: found["ratio"]) | {"ratios": [found["ratio"] for found in races]}
    return row


def measure_apart(path: Path, options: argparse.Namespace) -> dict[str, Any]:
    settings = ["--seconds", str(options.seconds), "--runs", str(options.runs)]
    command = [sys.executable, __file__, "--child", *settings, str(path)]
    name = robot_set.name_of(path)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.limit, check=False)
    except subprocess.TimeoutExpired:
        return {"file": name, "error": f"more than {options.limit:g} s"}
    if done.returncode != 0:
        return {"file": name, "error": (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]}
    return {"file": name} | json.loads(done.stdout.splitlines()[-1])


def score(row: dict[str, Any]) -> float:
    """What does not run, or not calmly, counts as 0."""
    return row.get("ratio", 0.0) if row.get("calm") else 0.0


def line(row: dict[str, Any]) -> str:
    if "error" in row:
        return f"| {row['file']} | {row['error']} | | 0 | no | | | |"
    speed = f"{row['us']:.1f} | {row['us_mujoco']:.1f} | {row['ratio']:.2f}" if "ratio" in row else "- | - | -"
    forces = " ".join(f"{row[name]:.0e}" for name in robot_forces.KINDS)
    pairs = len(row["pairs_ours_only"]) + len(row["pairs_mujoco_only"])
    return f"| {row['file']} | {speed} | {'yes' if row['calm'] else 'no'} | {row['contacts']} / {row['contacts_mujoco']} | {forces} | {pairs} |"


def summary(rows: list[dict[str, Any]]) -> str:
    text = f"{len(rows)} files: {sum('error' not in row for row in rows)} run, {sum(bool(row.get('calm')) for row in rows)} calm"
    if not any("ratio" in row for row in rows):
        return text
    scores = sorted(score(row) for row in rows)
    return f"{text}, {sum(x >= 1.0 for x in scores)} at or above MuJoCo, median ratio {scores[len(scores) // 2]:.2f}, lowest {scores[0]:.2f}"


def by_package(rows: list[dict[str, Any]]) -> list[str]:
    """A line per package: files, how many run, are calm, have forces and pairs as MuJoCo's (docs/from-mujoco.md shows them)."""
    lines = [
        "| from | files | run | calm | M | bias | passive | actuator | pairs in one engine only |",
        "|" + "---|" * 9,
    ]
    for package in dict.fromkeys(row["file"].split("/")[0] for row in rows):
        own = [row for row in rows if row["file"].split("/")[0] == package]
        ran = [row for row in own if "error" not in row]
        worst = " | ".join(f"{max((row[name] for row in ran), default=0.0):.0e}" for name in robot_forces.KINDS)
        pairs = sum(len(row["pairs_ours_only"]) + len(row["pairs_mujoco_only"]) for row in ran)
        lines.append(f"| {package} | {len(own)} | {len(ran)} | {sum(row['calm'] for row in ran)} | {worst} | {pairs} |")
    return lines


def write(options: argparse.Namespace, rows: list[dict[str, Any]]) -> None:
    from stiction.bench.machine import machine

    found = {"machine": machine(), "seconds": options.seconds, "results": rows}
    options.out.write_text(json.dumps(found, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--set", action="store_true", help="all files of robot_set.py")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for one file")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--keep", action="store_true", help="files in --out are not measured again")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(measure(str(options.files[0]), options.seconds, options.runs)))
        return
    files = [*options.files, *(robot_set.the_set() if options.set else [])]
    if not files:
        parser.error("give files, or --set with the packages of robot_set.py installed")
    known = {}
    if options.keep and options.out and options.out.exists():
        known = {row["file"]: row for row in json.loads(options.out.read_text())["results"]}
    rows = []
    print(
        "| scene | us/step | MuJoCo us/step | ratio | calm | contacts ours / MuJoCo | M bias passive actuator | pairs |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for path in files:
        rows.append(known.get(robot_set.name_of(path)) or measure_apart(path, options))
        print(line(rows[-1]), flush=True)
        if options.out:
            write(options, rows)
    print("\n" + "\n".join(by_package(rows)) + "\n\n" + summary(rows))


if __name__ == "__main__":
    main()
