# SPDX-License-Identifier: BSD-2-Clause
"""A quadruped learns to trot at half a metre per second, from nothing, on a CPU.

    python examples/learn_to_trot.py [--minutes 10] [--folder trot] [--resume] [--mujoco]

Proximal policy optimisation (stiction.learn.ppo): a network of 50 observations, twice 32 tanh and 12 joint targets. The environment steps
on the spot while the actions are zero; what is learned is to go forward and not to fall. Sensors are late and noisy, robots are pushed.
After CALM iterations three quarters of the robots stand on soft ground, with other friction and other gains: what walks there walks in
other engines, too. Ends with 20 runs of 20 s that were not seen in training, the learning curve (curve.png) and a film (trot.gif);
--mujoco makes the same runs in MuJoCo. Ctrl-C loses at most 50 iterations: --resume goes on, with the same bits.
"""

import argparse
from pathlib import Path

import stiction as st
from stiction import learn

ENVIRONMENT = "stiction/Quadruped-v0"
OPTIONS = {"command": [0.5, 0.0, 0.0], "stepping": 0.6, "smooth": 0.5, "rush": 0.1}
DISTURBED = {"delay": 1.0, "noise": 0.3, "pushes": 0.3}
MIXED = [
    DISTURBED,
    {**DISTURBED, "stiffness": 1e4, "damping": 300.0, "kp": 70.0},
    {**DISTURBED, "stiffness": 2e4, "damping": 150.0, "mu": 0.5},
    {**DISTURBED, "stiffness": 5e3, "damping": 200.0, "mu": 1.0, "kp": 95.0},
]
CALM = 200  # iterations on rigid ground
SETTINGS = learn.PPOSettings(environments=256, steps=32, hidden=(32, 32))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=10.0, help="CPU time of each of the two parts, at the most")
    parser.add_argument("--iterations", type=int, default=250)
    parser.add_argument("--folder", type=Path, default=Path("trot"))
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=20.0, help="length of the runs at the end")
    parser.add_argument("--mujoco", action="store_true", help="make the runs at the end in MuJoCo as well")
    asked = parser.parse_args()

    policy = learn.train(
        ENVIRONMENT, asked.folder, iterations=min(CALM, asked.iterations), minutes=asked.minutes,
        settings=SETTINGS, options=OPTIONS, trial=DISTURBED, resume=asked.resume,
    )  # fmt: skip
    if asked.iterations > CALM:
        policy = learn.train(
            ENVIRONMENT, asked.folder, iterations=asked.iterations, minutes=asked.minutes,
            settings=SETTINGS, options=OPTIONS, trial=MIXED, resume=True,
        )  # fmt: skip
    for engine in ["stiction", "mujoco"] if asked.mujoco else ["stiction"]:
        walks = learn.evaluate(policy, range(1000, 1000 + asked.runs), asked.seconds, engine=engine)
        falls = sum(walk.fell for walk in walks)
        slowest, fastest = min(walk.speed for walk in walks), max(walk.speed for walk in walks)
        print(f"{engine}: {asked.runs} runs of {asked.seconds:g} s: {falls} falls, {slowest:.3f} to {fastest:.3f} m/s")
    learn.plot_curve(asked.folder, asked.folder / "curve.png")
    seen = learn.replay(policy, min(asked.seconds, 6.0))
    film = st.render.film(seen, asked.folder / "trot.gif", size=(480, 270), fps=25.0, label="trot")
    print(f"{asked.folder / 'policy.json'}, {asked.folder / 'curve.png'}, {film}")
    print(f"stiction view {asked.folder / 'policy.json'}")


if __name__ == "__main__":
    main()
