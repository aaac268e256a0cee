# SPDX-License-Identifier: BSD-2-Clause
"""Policies of the quadruped in both engines: runs that stay upright, speed, and how far standing feet slip.

    python bench/learning_transfer.py [models/trot.json other.json ...] [--runs 20] [--seconds 20]

A foot stands while its lowest point is less than 2 mm above the ground (or in it); its slip is the horizontal speed of the point of the
shank that touches, whichever engine moved the robot; the median over all standing feet is printed.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from stiction._core import model_path

import stiction as st
from stiction import learn
from stiction.gym.quadruped import Quadruped
from stiction.learn.evaluate import ENGINES, vector_env_in

RADIUS, NEAR = 0.03, 2e-3  # of a foot; how near it is when it stands [m]
FEET = {
    "LF": (0.1, -0.02, -0.299),
    "RF": (0.1, 0.02, -0.299),
    "LH": (-0.1, -0.02, -0.299),
    "RH": (-0.1, 0.02, -0.299),
}  # in the shanks


class Feet:
    """Where feet are and how fast their lowest points move, by our kinematics at the states of any engine."""

    def __init__(self, n: int) -> None:
        self.batch = st.BatchSimulator(Quadruped().simulator(), n, 1)
        self.batch.watch(bodies=True)
        names = [body.name for body in self.batch.simulator.bodies]
        self.shanks = [next(k for k, name in enumerate(names) if name.endswith(f"{leg}_SHANK")) for leg in FEET]
        self.offsets = np.array(list(FEET.values()))

    def slip(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Horizontal speeds of the standing feet of all robots [m/s]."""
        self.batch.q[:], self.batch.v[:] = q, v
        self.batch.measure()
        pose, moving = self.batch.body_poses[:, self.shanks], self.batch.body_velocities[:, self.shanks]
        axis, w = pose[..., 3:6], pose[..., 6:7]
        twice = 2.0 * np.cross(axis, self.offsets)
        arm = self.offsets + w * twice + np.cross(axis, twice)
        lowest = pose[..., :3] + arm - np.array([0.0, 0.0, RADIUS])
        stands = lowest[..., 2] < NEAR
        speed = moving[..., :3] + np.cross(moving[..., 3:], lowest - self.batch.body_centres[:, self.shanks])
        return np.asarray(np.hypot(speed[..., 0], speed[..., 1])[stands])


def typical_slip(policy: learn.Policy, engine: str, runs: int, seconds: float) -> float:
    env = vector_env_in(engine, policy.environment, runs, threads=1, **policy.options)
    observation, _ = env.reset(seed=list(range(1000, 1000 + runs)))
    feet, found = Feet(runs), []
    for k in range(round(seconds / env.task.control_dt)):
        observation = env.step(policy(observation))[0]
        if k >= 50:
            found.append(feet.slip(env.batch.q, env.batch.v))
    return float(np.median(np.concatenate(found)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("policies", nargs="*", type=Path, default=[Path(model_path("trot.json"))])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=20.0)
    asked = parser.parse_args()
    print(f"{asked.runs} runs of {asked.seconds:g} s")
    for path in asked.policies:
        policy = learn.load(path)
        for engine in ENGINES:
            walks = learn.evaluate(policy, range(1000, 1000 + asked.runs), asked.seconds, engine=engine, threads=1)
            speeds = [walk.speed for walk in walks]
            slip = typical_slip(policy, engine, asked.runs, min(asked.seconds, 5.0))
            print(f"{path.name:16} in {engine:14} upright {sum(not walk.fell for walk in walks):3}   at 0.5 m/s "
                  f"{sum(walk.follows(0.5) for walk in walks):3}   {min(speeds):.3f} to {max(speeds):.3f} m/s   slip {slip:.3f} m/s")  # fmt: skip


if __name__ == "__main__":
    main()
