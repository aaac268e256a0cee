# SPDX-License-Identifier: BSD-2-Clause
"""What dry friction in every joint costs, standing, swaying and falling:

    python bench/joint_friction.py [--seconds 1] [--friction .5] [FILE.xml ...]

A humanoid of 50 joints that is written here, and robots from files (MJCF, with a floor or without), each with dry friction in every
joint and without any, in turn, in one process. The cost is the CPU time of the one over the other.

standing   held by a PD at the start pose on the floor
swaying    the same, its targets move by 0.05 rad
falling    dropped with the motors off
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

import stiction as st

PARTS = 20
DT = 2e-3


def limb(name: str, links: int, length: float, mass: float, direction: str, foot: bool) -> str:
    """A chain of `links` hinges about x, y, z by turns."""
    x, y, z = {"down": (0, 0, -1), "left": (0, 1, 0), "right": (0, -1, 0), "up": (0, 0, 1)}[direction]
    text, step = "", length / links
    for i in range(links):
        at = "0 0 0" if i == 0 else f"{x * step} {y * step} {z * step}"
        axis = ("1 0 0", "0 1 0", "0 0 1")[(i + 1) % 3]
        text += f'<body name="{name}{i}"{"" if i == 0 else f" pos={chr(34)}{at}{chr(34)}"}>'
        text += f'<joint name="{name}{i}" axis="{axis}" range="-1.5 1.5" armature=".01"/>'
        text += (
            f'<geom type="capsule" fromto="0 0 0 {x * step} {y * step} {z * step}" size=".02" mass="{mass / links}"/>'
        )
    if foot:
        text += f'<geom type="box" pos="{x * step + 0.04} {y * step} {z * step}" size=".1 .05 .02" mass=".5"/>'
    return text + "</body>" * links


def humanoid() -> str:
    """50 hinges: legs of 7, arms of 7 with two fingers of 3 each, a back of 5 and a neck of 5 beside the pelvis."""
    legs = "".join(
        f'<body pos="0 {s * 0.1} 0">{limb(side + "_leg", 7, 0.9, 9, "down", True)}</body>'
        for side, s in (("l", 1), ("r", -1))
    )
    arms = ""
    for side, s, way in (("l", 1, "left"), ("r", -1, "right")):
        arms += f'<body pos="0 {s * 0.2} .5">{limb(side + "_arm", 7, 0.6, 4, way, False)}</body>'
        for f in (1, 2):
            arms += f'<body pos="{0.03 * f} {s * 0.85} .5">{limb(f"{side}_finger{f}", 3, 0.1, 0.2, way, False)}</body>'
    spine = f'<body pos="0 0 .1">{limb("back", 5, 0.3, 12, "up", False)}</body><body pos="0 0 .55">{limb("neck", 5, 0.1, 3, "up", False)}</body>'
    return f"""<mujoco><compiler angle="radian" autolimits="true"/>
      <default><geom contype="0" conaffinity="1"/></default><worldbody><geom type="plane" size="5 5 .1" contype="1"/>
      <body name="pelvis" pos="0 0 .92"><freejoint/><geom type="sphere" size=".08" mass="10"/>{legs}{arms}{spine}</body>
      </worldbody></mujoco>"""


def make(path: Path, friction: float) -> st.World:
    """The robot with the same dry friction in every joint, or without any, on a floor."""
    world = st.World()
    robot = world.add_mjcf(str(path))
    for joint in robot.joint_names:
        world.set_joint(robot, joint, dry_friction=friction)
    if all(geom.body >= 0 for geom in world.geoms):
        world.add_ground()
    return world


class Run:
    """One robot: `standing` on a PD, `swaying` about that pose, or `falling` without motors."""

    def __init__(self, path: Path, way: str, friction: float, drop: float):
        self.sim = st.Simulator(make(path, friction), dt=DT)
        self.way, self.k = way, 0
        self.sim.q[2] += drop + (0.3 if way == "falling" else 0.0)
        if way != "falling":
            self.sim.set_pd(KP, KD, implicit=True)
        self.target = np.array(self.sim.q[7:]) if self.sim.ntau == self.sim.nq - 7 else None
        random = np.random.default_rng(3)
        self.phase, self.rate = random.uniform(0, 6.3, self.sim.ntau), random.uniform(3, 12, self.sim.ntau)
        self.iterations = self.unaccepted = 0

    def go(self, steps: int) -> float:
        """CPU time [s]."""
        targets = None
        if self.way == "swaying":
            t = DT * (self.k + np.arange(steps))
            targets = self.target + 0.05 * np.sin(np.outer(t, self.rate) + self.phase) * np.minimum(t, 1.0)[:, None]
        begin = time.process_time()
        report = self.sim.step(n=steps) if targets is None else self.sim.step(n=steps, target=targets)
        self.k += steps
        self.iterations += report.iterations
        self.unaccepted += report.unaccepted
        return time.process_time() - begin


KP, KD = 400.0, 8.0


def race(path: Path, way: str, friction: float, drop: float, seconds: float) -> None:
    runs = [Run(path, way, f, drop) for f in (friction, 0.0)]
    length = max(1, round(seconds / DT / PARTS))
    times = np.zeros((PARTS, 2))
    for part in range(PARTS):
        for i in (0, 1) if part % 2 == 0 else (1, 0):
            times[part, i] = runs[i].go(length) / length * 1e6
    mean = times.mean(axis=0)
    said = " / ".join(
        f"{r.iterations / r.k:.1f} it, {len(r.sim.contacts())} contacts, {r.unaccepted} unaccepted" for r in runs
    )
    print(
        f"| {path.parent.name}/{path.name} | {way} | {friction:g} | {mean[0]:.1f} | {mean[1]:.1f} | {mean[0] / mean[1]:.2f} | {said} |",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--friction", type=float, default=0.5, help="of every joint [N m]")
    parser.add_argument("--drop", type=float, default=0.0, help="added to the height of the base [m]")
    parser.add_argument("--ways", default="standing,swaying,falling")
    parser.add_argument(
        "--only", choices=("with", "without"), help="for a profiler: one of the two alone, without times"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder) / "humanoid.xml"
        own.write_text(humanoid())
        if not options.only:
            print(
                "| robot | way | friction | with, us/step | without | cost | per step |\n|---|---|---|---|---|---|---|"
            )
        for path in options.files or [own]:
            for way in options.ways.split(","):
                if options.only:
                    Run(path, way, options.friction if options.only == "with" else 0.0, options.drop).go(
                        round(options.seconds / DT)
                    )
                else:
                    race(path, way, options.friction, options.drop, options.seconds)


if __name__ == "__main__":
    main()
