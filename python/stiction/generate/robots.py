# SPDX-License-Identifier: BSD-2-Clause
"""Contact problems of robots, taken from simulations: walking, landing, fallen on feet and belly.

An episode is a simulation of a robot that is dropped and follows joint targets that change at random; every tenth step
gives its problems (one per island), until enough are there; a fallen one is given two seconds or more to fall.
The same seed gives the same problems on one machine.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from .. import _core
from .. import robots as models
from .._core import ContactProblem, InvalidInput, Simulator
from ..simulate import scene

# name: (URDF, height of the base over the ground, joint targets' amplitude [rad], kp, kd)
ROBOTS: dict[str, tuple[str, float, float, float, float]] = {
    "anymal": ("anymal_prim", 0.56, 0.3, 60.0, 2.0),
    "starleth": ("starleth", 0.45, 0.3, 60.0, 2.0),
    "solo": ("solo12", 0.30, 0.5, 5.0, 0.1),
    "talos": ("talos_reduced", 1.10, 0.3, 800.0, 20.0),
}
BEHAVIOURS = ("stepping", "landing", "fallen")


def available() -> list[str]:
    """Robots whose models are installed."""
    known = models.paths()
    return [name for name, entry in ROBOTS.items() if entry[0] in known]


def _simulator(name: str, behaviour: str, random: np.random.Generator) -> tuple[Simulator, int]:
    """A simulator and the number of its joints."""
    urdf, height, _, kp, kd = ROBOTS[name]
    if name == "anymal" and behaviour != "landing":  # in a posture that stands
        targets = "fallen" if behaviour == "fallen" else str(random.choice(["moving", "hopping"]))
        return scene(
            "anymal_stand", targets=targets, seed=int(random.integers(1 << 30)), mu=float(random.uniform(0.3, 1.0))
        ), 0
    world = _core.World()
    world.add_ground(mu=float(random.uniform(0.3, 1.0)))
    tilt = {"stepping": 0.05, "landing": 0.3, "fallen": 1.5}[behaviour]
    axis = tilt * random.standard_normal(3) / 2
    rotation = np.append(axis, 1.0) / np.linalg.norm(np.append(axis, 1.0))
    drop = {"stepping": 0.0, "landing": 0.3, "fallen": 0.2}[behaviour]
    models.load(urdf, world, position=(0.0, 0.0, height * (1.0 + drop)), rotation=rotation)
    sim = Simulator(world, dt=5e-3)
    weak = 0.1 if behaviour == "fallen" else 1.0
    sim.set_pd(weak * kp, weak * kd, implicit=True)
    return sim, sim.ntau


@lru_cache(maxsize=64)
def episode(name: str, behaviour: str, seed: int, count: int = 40, form: str = "auto") -> tuple[ContactProblem, ...]:
    """Problems of one simulation, at most `count` steps' worth; fewer if contacts stay away for five seconds.

    Parameters
    ----------
    name
        Of the robot: anymal, …
    behaviour
        `stepping`, `landing` or `fallen`.
    seed
        Of what is drawn at random.
    count
        Most problems.
    form
        `auto`, `bodies`, `sparse` or `dense`.
    """
    if name not in ROBOTS or behaviour not in BEHAVIOURS:
        raise InvalidInput(
            f"robot '{name}', behaviour '{behaviour}': known are {' '.join(ROBOTS)}; {' '.join(BEHAVIOURS)}"
        )
    random = np.random.default_rng([seed, *name.encode()])
    sim, joints = _simulator(name, behaviour, random)
    if behaviour == "fallen":
        sim.step(n=int(random.integers(400, 1500)))  # until it lies
    start = sim.pd_target.copy()
    out: list[ContactProblem] = []
    steps = 0
    while steps < 1000 and len(out) < count:
        target = start + ROBOTS[name][2] * random.standard_normal(joints) if joints else None
        for _ in range(int(random.integers(2, 8))):
            sim.step(n=10) if target is None else sim.step(target=target, n=10)
            steps += 10
            out += [as_contacts(p, form) for p in sim.problems(bodies=form == "bodies") if p.contacts > 0]
    return tuple(out[:count])


def as_contacts(problem: ContactProblem, form: str = "auto") -> ContactProblem:
    """The problem without its dt, judged like a file; `auto` leaves G as the simulation has it."""
    whole = problem.condense(dense=form == "dense") if form in ("sparse", "dense") else problem
    return whole.with_dt(None)


def robot(
    name: str = "anymal", behaviour: str = "stepping", *, seed: int = 0, step: int = 20, form: str = "auto"
) -> ContactProblem:
    """One problem of `episode`: the one numbered `step`, counted in tens of time steps with contact, cyclic.

    Parameters
    ----------
    name
        Of the robot: anymal, …
    behaviour
        `stepping`, `landing` or `fallen`.
    seed
        Of what is drawn at random.
    step
        Number of the problem, in tens of time steps with contact.
    form
        `auto`, `bodies`, `sparse` or `dense`.
    """
    problems = episode(name, behaviour, seed, form=form)
    if not problems:
        raise InvalidInput(f"robot '{name}', behaviour '{behaviour}', seed {seed}: it never touched the ground")
    return problems[step % len(problems)]


__all__ = ["BEHAVIOURS", "ROBOTS", "available", "episode", "robot"]
