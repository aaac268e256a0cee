# SPDX-License-Identifier: BSD-2-Clause
"""Where contacts switch all the time: tumbling cubes and falling robots, with the default settings and with the published step.

The published step holds the spring of a contact to the end of the step in which it opens, and gains energy there. The default makes such a
step again in halves (switch_refinement). Energy may only fall: nothing drives the cubes, and the robots' joints are held by PD at rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import stiction as st

from ... import robots
from .. import rows
from ..rows import Row, closed_form
from ..study import Section
from .methods import AS_PUBLISHED

TEXT = (
    "Cubes of .1 to 10 kg dropped with random turns at steps from 5 to 40 ms, 4 s each, and robots dropped in random poses at 2, 5 and "
    "10 ms, 6 s each; K and B of the law's defaults. Gain: largest energy over that of the start, above that of rest. A run whose status "
    "tells that a step was not made (unphysical) counts as told, not as right."
)
ROBOTS = ("quadruped_small", "starleth", "anymal", "solo12", "go2")
STEPS = (2e-3, 5e-3, 1e-2)  # of the robots [s]
REST = 1e-2  # largest velocity at rest [m/s, rad/s]


@dataclass(frozen=True)
class Tumble:
    gain: float  # largest energy over that of the start, less one
    speed: float  # largest velocity at the end
    refused: bool  # a status other than converged


def _follow(sim: st.Simulator, duration: float, floor: float, **inputs: Any) -> Tumble:
    first = sim.energy().total - floor
    most = first
    for _ in range(round(duration / sim.dt)):
        report = sim.step(**inputs)
        most = max(most, sim.energy().total - floor)
        if report.status != "converged":
            return Tumble(most / first - 1.0, float(np.abs(sim.v).max()), True)
    return Tumble(most / first - 1.0, float(np.abs(sim.v).max()), False)


def _turn(rng: np.random.Generator) -> tuple[float, ...]:
    x = rng.normal(size=4)
    return tuple((x / np.linalg.norm(x)).tolist())


def cube(seed: int, **options: Any) -> Tumble:
    rng = np.random.default_rng(seed)
    mass, dt = float(10.0 ** rng.uniform(-1.0, 1.0)), float(np.exp(rng.uniform(np.log(5e-3), np.log(40e-3))))
    world = st.World()
    world.add_ground(mu=0.8)
    world.add_box(size=(0.2, 0.2, 0.2), mass=mass, position=(0.0, 0.0, 0.3 + 0.3 * rng.random()), rotation=_turn(rng),
                  velocity=tuple(rng.uniform(-1.0, 1.0, 3)), angular_velocity=tuple(rng.uniform(-5.0, 5.0, 3)))  # fmt: skip
    sim = st.Simulator(world, law="anchored", stepper="exponential", dt=dt, stepper_options=options)
    return _follow(sim, 4.0, mass * 9.81 * 0.1)


def robot(name: str, seed: int, dt: float, options: Mapping[str, Any]) -> Tumble:
    rng = np.random.default_rng(seed)
    world = st.World()
    world.add_ground(mu=0.8)
    robots.load(name, world)
    sim = st.Simulator(world, law="anchored", stepper="exponential", dt=dt, stepper_options=dict(options))
    sim.q[3:7], sim.q[2] = _turn(rng), 1.0 + 0.5 * rng.random()
    sim.v[3:6] = rng.uniform(-2.0, 2.0, 3)
    sim.set_pd(kp=5.0, kd=0.5, implicit=True)
    return _follow(sim, 6.0, 0.0, target=np.array(sim.q[7:]))


def _rows(what: str, made: Sequence[Tumble], at_rest: str, moving: int) -> list[Row]:
    count = len(made)
    gained = sum(not t.gain <= 0.01 for t in made)
    return [
        rows.at_most(f"{count} {what}, default settings: gain more than 1 %", float(gained), 0.0, against=closed_form("nothing gives energy")),
        rows.at_most(f"{count} {what}, default settings: {at_rest}", float(moving), 0.0, against=closed_form("friction and damping take it all")),
        rows.at_most(f"{count} {what}, default settings: steps refused", float(sum(t.refused for t in made)), 0.0,
                     against=closed_form("nothing gives energy")),
    ]  # fmt: skip


def _told(what: str, made: Sequence[Tumble]) -> list[Row]:
    words = f"{len(made)} {what}, as published"
    return [
        rows.told(f"{words}: refused as unphysical", float(sum(t.refused for t in made))),
        rows.told(f"{words}: gain more than 1 %", float(sum(not t.gain <= 0.01 for t in made))),
    ]


def section(quick: bool) -> Section:
    seeds = range(40 if quick else 400)
    cubes, plain = [cube(s) for s in seeds], [cube(s, **AS_PUBLISHED) for s in seeds]
    out = Section("Tumbling cubes and falling robots", TEXT)
    out.rows = _rows("cubes", cubes, "move after 4 s", sum(not t.speed <= REST for t in cubes)) + _told("cubes", plain)
    known = [name for name in (ROBOTS[:1] if quick else ROBOTS) if name in robots.paths()]
    starts = [(name, seed, dt) for name in known for dt in STEPS for seed in range(2 if quick else 6)]
    fallen = [robot(*start, {}) for start in starts]
    out.rows += _rows("falls of robots", fallen, "move after 6 s", sum(not t.speed <= REST for t in fallen))
    out.rows += _told("falls of robots", [robot(*start, AS_PUBLISHED) for start in starts])
    return out
