# SPDX-License-Identifier: BSD-2-Clause
"""A quadruped learns to trot at half a metre per second, from nothing, on a CPU.

    python examples/learn_to_trot.py [--minutes 10] [--folder trot] [--resume]

Augmented random search (stiction.learn.ars): a linear policy from 50 observations to 12 joint targets. The environment steps on the spot while
the actions are zero; what is learned is to go forward and not to fall. First without disturbance, then on other friction and with other masses
in every episode and with pushes in every other one. Ends with 20 runs of 20 s that were not seen in
training, the learning curve (curve.png) and a film (trot.gif). Ctrl-C loses nothing: --resume goes on, with the same bits.
"""

import argparse
from pathlib import Path

import stiction as st
from stiction import learn

ENVIRONMENT = "stiction/Quadruped-v0"
OPTIONS = {"command": [0.5, 0.0, 0.0], "stepping": 0.6}
CALM = 260  # iterations without disturbance
SETTINGS = learn.Settings(directions=32, best=16, step=0.03, noise=0.04, steps=300)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=10.0, help="CPU time of the disturbed part")
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--folder", type=Path, default=Path("trot"))
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=20.0, help="length of the runs at the end")
    asked = parser.parse_args()

    if not asked.resume:
        learn.train(
            ENVIRONMENT, asked.folder, iterations=min(CALM, asked.iterations), settings=SETTINGS, options=OPTIONS
        )
    policy = learn.train(
        ENVIRONMENT, asked.folder, iterations=asked.iterations, minutes=asked.minutes, settings=SETTINGS,
        options=OPTIONS, trial={"pushes": 0.4, "randomise": True}, resume=True,
    )  # fmt: skip
    walks = learn.evaluate(policy, seeds=range(1000, 1000 + asked.runs), duration=asked.seconds)
    falls = sum(walk.fell for walk in walks)
    slowest, fastest = min(walk.speed for walk in walks), max(walk.speed for walk in walks)
    print(f"{asked.runs} runs of {asked.seconds:g} s: {falls} falls, {slowest:.3f} to {fastest:.3f} m/s")
    learn.plot_curve(asked.folder, asked.folder / "curve.png")
    seen = learn.replay(policy, min(asked.seconds, 6.0))
    film = st.render.film(seen, asked.folder / "trot.gif", size=(480, 270), fps=25.0, label="trot")
    print(f"{asked.folder / 'policy.json'}, {asked.folder / 'curve.png'}, {film}")
    print(f"stiction view {asked.folder / 'policy.json'}")


if __name__ == "__main__":
    main()
