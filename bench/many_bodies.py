# SPDX-License-Identifier: BSD-2-Clause
"""Many bodies in one scene: growth with their number, islands on several threads, boxes that overlap.

python bench/many_bodies.py growth [--largest 10000]     CPU time of a step of 100 ... spheres, log-log slope
python bench/many_bodies.py threads [--islands 1000]     1000 islands of boxes: wall and CPU time on 1 and 2 threads
python bench/many_bodies.py overlap [--largest 1000]     boxes on a lattice that overlap by 30 %: seconds of CPU per step
"""

import argparse
import time

import numpy as np

import stiction as st


def pile(count: int, mu: float) -> st.World:
    """Spheres six high that fall by a few centimetres and spread."""
    random = np.random.default_rng(0)
    side = int(np.ceil(np.sqrt(count / 6)))
    world = st.World()
    world.add_ground(mu=mu)
    for i in range(count):
        place = [0.21 * (i // 6 % side), 0.21 * (i // 6 // side), 0.15 + 0.21 * (i % 6)]
        world.add_sphere(radius=0.1, mass=1.0, position=place + random.uniform(-0.01, 0.01, 3), mu=mu)
    return world


def stacks(islands: int, height: int) -> st.World:
    """Stacks of boxes that stand apart and slide to a halt."""
    random = np.random.default_rng(0)
    side = int(np.ceil(np.sqrt(islands)))
    world = st.World()
    world.add_ground()
    for i in range(islands):
        push = (*random.uniform(-0.3, 0.3, 2), 0.0)
        for k in range(height):
            place = (0.5 * (i % side), 0.5 * (i // side), 0.1 + 0.2 * k)
            world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=place, velocity=push)
    return world


def overlapping(count: int, share: float = 0.3) -> st.World:
    """Boxes on a cubic lattice whose edges are longer than its cells."""
    side, cell = round(count ** (1 / 3)), 0.2 * (1.0 - share)
    world = st.World()
    world.add_ground()
    for i in range(side**3):
        place = (cell * (i % side), cell * (i // side % side), 0.1 + cell * (i // side**2))
        world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=place)
    return world


def growth(largest: int, mu: float) -> None:
    """One line per size, then the slope."""
    sizes = [n for n in (100, 300, 1000, 3000, 10000) if n <= largest]
    spent = []
    for n in sizes:
        sim = st.Simulator(pile(n, mu), dt=0.01)
        start = time.process_time()
        report = sim.step(n=100)  # the same second for all: piles that have spread cost more
        spent.append((time.process_time() - start) / 100)
        print(f"{n:6d} spheres {1e6 * spent[-1]:10.0f} us/step {1e6 * spent[-1] / n:6.2f} per sphere, {report.islands}")
    print(f"slope {np.polyfit(np.log(sizes), np.log(spent), 1)[0]:.2f}")


def threads(islands: int, height: int) -> None:
    """Alternates between one and two threads; prints medians."""
    world = stacks(islands, height)
    sims = {n: st.Simulator(world, dt=0.005, threads=n) for n in (1, 2)}
    wall: dict[int, list[float]] = {1: [], 2: []}
    own: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(15):
        for n, sim in sims.items():
            begin, used = time.perf_counter(), time.thread_time()
            sim.step(n=10)
            wall[n].append((time.perf_counter() - begin) / 10), own[n].append((time.thread_time() - used) / 10)
    assert sims[1].hash() == sims[2].hash()
    for name, times in (("wall", wall), ("CPU of the calling thread", own)):
        one, two = np.median(times[1]), np.median(times[2])
        print(f"{name}: {1e6 * one:.0f} us/step on one thread, {1e6 * two:.0f} on two: {one / two:.2f}x")


def overlap(largest: int) -> None:
    """Three steps of each size."""
    for n in [n for n in (64, 216, 512, 1000) if n <= largest]:
        sim = st.Simulator(overlapping(n), dt=0.005)
        for _ in range(3):
            start = time.process_time()
            report = sim.step()
            print(f"{n} boxes, {report.contacts} contacts: {time.process_time() - start:.2f} s, {report.status}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["growth", "threads", "overlap"])
    parser.add_argument("--largest", type=int, default=1000)
    parser.add_argument("--islands", type=int, default=1000)
    parser.add_argument("--height", type=int, default=1)
    parser.add_argument("--mu", type=float, default=0.0)
    given = parser.parse_args()
    if given.what == "growth":
        growth(given.largest, given.mu)
    elif given.what == "threads":
        threads(given.islands, given.height)
    else:
        overlap(given.largest)
