# SPDX-License-Identifier: BSD-2-Clause
"""Random worlds for the stress test. A seed is a world, its law, solver, stepper and step, and what drives it: the same for ever unless
this file changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

import stiction as st

FAMILIES = {
    "hard": (("coulomb", "convex", "pyramid", "raisim"), ("semi_implicit", "stewart_trinkle", "moreau")),
    "anchored": (
        ("anchored",),
        ("exponential", "exponential_midpoint", "euler", "rk4", "implicit_euler", "rigid_euler"),
    ),
    "relaxed": (("relaxed",), ("rk_gill",)),
    "compliant": (("compliant",), ("moreau",)),
}
SHARES = (0.55, 0.3, 0.06, 0.09)  # of the families


@dataclass
class Case:
    """A world and how it is simulated."""

    seed: int
    family: str
    options: dict[str, Any]
    sim: st.Simulator
    tau: np.ndarray  # constant torques of the joints
    kp: float  # of a PD controller that drives the joints as well, 0 for none; kd is at the most a tenth of it
    isolated: bool  # nothing outside acts on the bodies: momentum is kept
    bodies: int
    mu: float  # largest friction coefficient
    loops: bool  # whose ends may be apart
    loop_energy: float  # that soft loops may hold at the start [J]
    gravity: float  # [m/s^2]
    bounces: bool  # Newton's rule at several contacts of different restitution may give energy
    notes: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        o = self.options
        return (
            f"world {self.seed}: {self.bodies} bodies, {o['law']} {o.get('law_options', {})}, {o.get('solver', '-')}, {o['stepper']}, "
            f"dt {o['dt']:.3g}; {', '.join(self.notes)}"
        )


def _log(random: np.random.Generator, low: float, high: float) -> float:
    return float(10.0 ** random.uniform(low, high))


def _rotation(random: np.random.Generator) -> np.ndarray:
    q = random.standard_normal(4)
    return q / np.linalg.norm(q)


def _mu(random: np.random.Generator) -> float:
    return float(random.choice([0.0, random.uniform(0.0, 1.0), _log(random, -2.0, 1.0)], p=[0.15, 0.6, 0.25]))


def _surface(random: np.random.Generator) -> dict[str, float]:
    out = {"mu": _mu(random)}
    if random.random() < 0.2:
        out["restitution"] = float(random.uniform(0.0, 1.0))
    return out


def _shape(random: np.random.Generator, size: float, degenerate: bool) -> tuple[str, tuple[Any, ...]]:
    thin = size * (1e-3 if degenerate else 0.5)
    kind = random.choice(["sphere", "box", "capsule", "cylinder", "convex"])
    if kind == "sphere":
        return "add_sphere", (0.5 * thin if degenerate else 0.5 * size,)
    if kind == "box":
        return "add_box", (random.permutation([size, size * random.uniform(0.2, 1.0), thin]),)
    if kind == "capsule":
        return "add_capsule", (0.5 * thin, float(size))
    if kind == "cylinder":
        return "add_cylinder", ((0.5 * size, thin) if random.random() < 0.5 else (0.5 * thin, size))
    points = random.standard_normal((random.integers(4, 16), 3)) * 0.5 * size
    points[:, 2] *= 1e-3 if degenerate else 1.0
    return "add_convex", (points - points.mean(axis=0),)


def _add_bodies(
    random: np.random.Generator, world: st.World, notes: list[str]
) -> tuple[list[st.Body], float, float, bool]:
    """The bodies, their largest friction coefficient, how far they are apart, and whether they bounce."""
    count = int(min(12, random.geometric(0.25)))
    spread = _log(random, -1.5, 0.5)
    heavy, fast, thin = random.random() < 0.35, random.random() < 0.3, random.random() < 0.2
    bodies, largest, bounces = [], 0.0, False
    for _ in range(count):
        size = _log(random, -1.5, 0.0)
        surface = _surface(random)
        largest, bounces = max(largest, surface["mu"]), bounces or "restitution" in surface
        add, shape = _shape(random, size, thin and random.random() < 0.5)
        top = 3.0 if fast else 0.5
        speed, spin = (
            _log(random, -3.0, top) if random.random() < 0.7 else 0.0,
            _log(random, -3.0, top) if random.random() < 0.5 else 0.0,
        )
        direction = random.standard_normal((2, 3))
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        body = getattr(world, add)(
            *shape, mass=_log(random, -6.0, 6.0) if heavy else _log(random, -1.0, 1.0),
            position=random.uniform(-1, 1, 3) * spread + (0, 0, spread), rotation=_rotation(random), velocity=speed * direction[0],
            angular_velocity=spin * direction[1], **surface,
        )  # fmt: skip
        bodies.append(body)
    notes += [f"spread {spread:.2g}"] + [n for n, on in (("masses", heavy), ("fast", fast), ("thin", thin)) if on]
    return bodies, largest, spread, bounces


def _add_loops(random: np.random.Generator, world: st.World, bodies: list[st.Body], rigid: bool, reach: float) -> float:
    """Loops whose ends may be apart; the energy that soft ones hold, at the most [J]."""
    energy = 0.0
    for _ in range(int(random.integers(1, 3))):
        a = None if random.random() < 0.3 else bodies[random.integers(len(bodies))]
        b = bodies[random.integers(len(bodies))]
        if a is b:
            continue
        kind = str(random.choice(["point", "weld", "hinge", "slider"])) if rigid else "point"
        soft = (
            {} if rigid and random.random() < 0.8 else {"stiffness": _log(random, 1, 6), "damping": _log(random, -1, 3)}
        )
        energy += 0.5 * soft.get("stiffness", 0.0) * reach**2
        world.add_loop(
            a, b, kind=kind, point_a=random.uniform(-0.3, 0.3, 3), point_b=random.uniform(-0.3, 0.3, 3), **soft
        )
    return energy


def _robot(random: np.random.Generator, dry: bool) -> str:
    """A chain of one to five links with limits, dampers and friction."""
    xml = '<link name="l0"><inertial><mass value="1"/><inertia ixx=".01" iyy=".02" izz=".02" ixy="0" ixz="0" iyz="0"/></inertial></link>'
    for k in range(1, int(random.integers(2, 6))):
        mass, length = _log(random, -2, 1), _log(random, -1, 0)
        inertia = mass * length**2 / 12.0
        shape = random.choice(
            [f'<sphere radius="{0.2 * length}"/>', f'<box size="{length} {0.2 * length} {0.2 * length}"/>']
        )
        xml += (
            f'<link name="l{k}"><inertial><origin xyz="{0.5 * length} 0 0"/><mass value="{mass}"/>'
            f'<inertia ixx="{0.1 * inertia}" iyy="{inertia}" izz="{inertia}" ixy="0" ixz="0" iyz="0"/></inertial>'
            f'<collision><origin xyz="{0.5 * length} 0 0"/><geometry>{shape}</geometry></collision></link>'
        )
        kind = random.choice(["revolute", "prismatic", "continuous"], p=[0.6, 0.2, 0.2])
        axis = ("1 0 0", "0 1 0", "0 0 1")[random.integers(3)]
        limit = (
            ""
            if kind == "continuous"
            else f'<limit lower="{-random.uniform(0, 1)}" upper="{random.uniform(0, 1)}" effort="100" velocity="100"/>'
        )
        friction = random.choice([0.0, _log(random, -2, 1)]) if dry else 0.0
        damping = random.choice([0.0, _log(random, -2, 1)])
        xml += (
            f'<joint name="j{k}" type="{kind}"><parent link="l{k - 1}"/><child link="l{k}"/><origin xyz="{length} 0 0"/><axis xyz="{axis}"/>'
            f'{limit}<dynamics friction="{friction}" damping="{damping}"/></joint>'
        )  # fmt: skip
    return f'<robot name="chain">{xml}</robot>'


def _settings(random: np.random.Generator, family: str) -> dict[str, Any]:
    laws, steppers = FAMILIES[family]
    law, dt = str(random.choice(laws)), _log(random, -5.0, -1.0)
    options: dict[str, Any] = {"law": law, "stepper": str(random.choice(steppers)), "dt": dt}
    if family == "hard":
        known = [entry.name for entry in st.catalog()["solvers"] if law in entry.laws]
        options["solver"] = "auto" if random.random() < 0.5 else str(random.choice(known))
    elif family == "relaxed":
        model = str(random.choice(["proposed", "macro", "micro", "hybrid"]))
        options["law_options"] = {"model": model}
        if model == "proposed":
            options["law_options"]["compensation"] = min(300.0, 1.0 / dt)  # above 2 / dt it is refused
    else:
        stiffness = _log(random, 3.0, 8.0)
        options["law_options"] = {"stiffness": stiffness, "damping": stiffness * _log(random, -4.0, -1.0)}
    return options


def make(seed: int) -> Case:
    """World number `seed`. Raises what the package raises where it refuses the world."""
    random = np.random.default_rng([19, seed])
    family = str(random.choice(list(FAMILIES), p=SHARES))
    options, notes = _settings(random, family), []
    world = st.World()
    ground, gravity = random.random() < 0.7, random.random()
    world.gravity = (
        (0, 0, -9.81) if gravity < 0.75 else (0, 0, 0) if gravity < 0.9 else 10.0 * random.standard_normal(3)
    )
    if ground:
        world.add_ground(mu=1.0)
    bodies, mu, spread, bounces = _add_bodies(random, world, notes)
    loops = bool(random.random() < 0.15 and family in ("hard", "anchored"))
    energy = 0.0
    if loops:
        energy = _add_loops(random, world, bodies, family == "hard", 4.0 * spread + 1.0)
        notes.append("loops")
    robot = bool(random.random() < 0.3)
    if robot:
        fixed = bool(random.random() < 0.5)
        world.add_urdf_text(
            _robot(random, family == "hard"), fixed=fixed, position=(random.uniform(-1, 1), 0, random.uniform(0, 1))
        )
        notes.append("fixed robot" if fixed else "robot")
    sim = st.Simulator(world, **options)
    tau, kp = np.zeros(sim.ntau), 0.0
    if robot:
        fastest = _log(random, -1, 1)
        sim.v[-sim.ntau :] = random.uniform(-fastest, fastest, sim.ntau)
        if random.random() < 0.5:
            tau = random.uniform(-1, 1, sim.ntau) * _log(random, -1, 2)
            notes.append("torques")
        if random.random() < 0.3:
            kp = _log(random, 0, 3)
            sim.set_pd(kp, kp * _log(random, -3, -1), implicit=bool(random.random() < 0.7))
            notes.append("pd")
    isolated = not (ground or loops or robot) and 0.75 <= gravity < 0.9
    return Case(
        seed,
        family,
        options,
        sim,
        tau,
        kp,
        isolated,
        len(sim.bodies),
        max(1.0, mu),
        loops,
        energy,
        float(np.linalg.norm(world.gravity)),
        bounces,
        notes,
    )
