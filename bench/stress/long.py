# SPDX-License-Identifier: BSD-2-Clause
"""Long runs: memory stays what it was, a second run gives the same bits, bodies that spin keep energy and momentum.

python bench/stress/long.py --steps 1000000        five scenes, twice each
python bench/stress/long.py --spin --seconds 60    20 bodies of random inertia at 1 to 200 rad/s, steps of 0.1 to 10 ms
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

import stiction as st

SCENES = ("brick_on_slope", "rolling", "heavy_on_light", "pendulum6", "four_legs")
STEPPERS = ("semi_implicit", "moreau", "stewart_trinkle")


def memory() -> int:
    """Resident memory of this process [bytes]."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def scenes(steps: int) -> bool:
    good = True
    for name in SCENES:
        hashes, sizes = [], []
        for _ in range(2):
            sim = st.scene(name)
            sim.step(n=steps // 10)
            before = memory()
            report = sim.step(n=steps - steps // 10)
            sizes.append(memory() - before)
            hashes.append(sim.hash())
        fine = hashes[0] == hashes[1] and max(sizes) < 1 << 20
        good = good and fine
        print(
            f"{name:16} {steps} steps twice: bits {'equal' if hashes[0] == hashes[1] else 'DIFFER'}, memory +{max(sizes)} bytes, {report.status}",
            flush=True,
        )
    return good


def spin(seconds: float) -> bool:
    """Growth of energy per second and error of momentum of free bodies; the worst of 20."""
    random, good = np.random.default_rng(6), True
    bodies = []
    for _ in range(20):
        moments = np.sort(random.uniform(0.1, 1.0, 3))
        moments[2] = min(moments[2], 0.99 * (moments[0] + moments[1]))
        axis = random.standard_normal(3)
        bodies.append((moments, 10.0 ** random.uniform(0.0, np.log10(200.0)) * axis / np.linalg.norm(axis)))
    for stepper in STEPPERS:
        for dt in (1e-4, 1e-3, 1e-2):
            growth = drift = 0.0
            for moments, rate in bodies:
                world = st.World()
                world.gravity = (0, 0, 0)
                world.add_sphere(radius=0.1, mass=1.0, inertia=moments, angular_velocity=rate)
                sim = st.Simulator(world, dt=dt, stepper=stepper)
                energy, momentum = sim.energy().kinetic, sim.momentum()[3:]
                sim.step(n=round(seconds / dt))
                growth = max(growth, (sim.energy().kinetic / energy - 1.0) / seconds)
                drift = max(drift, np.linalg.norm(sim.momentum()[3:] - momentum) / np.linalg.norm(momentum))
            good = good and growth <= 1e-6 and drift <= 1e-9
            print(
                f"{stepper:16} dt {dt:g} s: energy +{growth:.2g} per second, momentum {drift:.2g} after {seconds:g} s",
                flush=True,
            )
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--spin", action="store_true", help="bodies that spin instead of scenes")
    parser.add_argument("--seconds", type=float, default=60.0, help="of bodies that spin")
    given = parser.parse_args()
    return 0 if (spin(given.seconds) if given.spin else scenes(given.steps)) else 1


if __name__ == "__main__":
    sys.exit(main())
