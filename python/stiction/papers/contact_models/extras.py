# SPDX-License-Identifier: BSD-2-Clause
"""What the paper's code does beside its figures: rebounds, springs, drift correction, inverse dynamics and derivatives of the contact solve."""

from __future__ import annotations

from typing import Any

import numpy as np

import stiction as st

from .. import rows
from ..rows import Row, closed_form, independent
from ..study import Section
from . import published as p
from .accuracy import random_problem
from .measures import TIGHT, agrees, near

MOTION_TEXT = (
    "A ball dropped from 1 m with restitution e: Newton's rule at every impact, not at the first alone. A cube on four springs rests at m g/(4 k). "
    "A cube that starts 1 mm inside the floor comes out without a jump."
)
TEXT = (
    "Inverse dynamics: a foot of four corners on three driven sliders, R = .05, random velocities; the torques found are put into the forward "
    "problem, which must give back the impulses. Derivatives of the impulse by g, G and μ against central differences of tight solves, contacts "
    "that stick, slide and break, and the adjoint identity.\n"
    "Not redone: derivatives by q through a rigid step."
)


def motion() -> Section:
    return Section("Rebound, springs, drift", MOTION_TEXT, [*_elastic(), *_inelastic(), *_springs(), *_drift()])


def section(quick: bool) -> Section:
    return Section(
        "Inverse dynamics and derivatives",
        TEXT,
        [*_inverse(), _reaction(), *_derivatives(4 if quick else 16), *_flags()],
    )


def bounces(restitution: float, dt: float, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Of the impacts of a ball dropped from 1 m: speed after over speed before, and energy after over that at the start."""
    sim = st.scene("ball_bounce", restitution=restitution, dt=dt)
    ratio, energy, before = [], [], 0.0
    for _ in range(round(100.0 / dt)):
        sim.step()
        speed = float(sim.v[2])
        if speed > before + 0.5 * p.GRAVITY * dt:  # nothing but an impact adds upward velocity
            ratio.append(-speed / before)
            energy.append((0.5 * speed**2 + p.GRAVITY * (sim.q[2] - 0.1)) / p.GRAVITY)
        if len(ratio) >= most:
            break
        before = speed
    return np.array(ratio), np.array(energy)


def _elastic() -> list[Row]:
    out = []
    for dt, gain in p.BOUNCE_GAIN.items():
        _, energy = bounces(1.0, dt, 100)
        out.append(
            near(
                f"ball, e = 1, dt {1e3 * dt:g} ms: energy above the start [%]",
                gain,
                100.0 * float(energy[0] - 1.0),
                0.005,
            )
        )
        out.append(
            rows.at_most(
                f"ball, e = 1, dt {1e3 * dt:g} ms: energy of 100 bounces differs, relative",
                float(np.ptp(energy) / energy[0]),
                1e-9,
                against=closed_form("e = 1 keeps the energy"),
            )
        )
    return out


def _inelastic() -> list[Row]:
    ratio, _ = bounces(0.5, 1e-3, 6)
    sim = st.scene("ball_bounce", restitution=0.0, dt=1e-3)
    rise = max(float(sim.v[2]) for _ in range(1000) if sim.step())
    return [
        rows.at_most(
            "ball, e = 0.5: speed ratio from 0.5, six impacts",
            float(np.abs(ratio - 0.5).max()),
            1e-6,
            against=closed_form("Newton's rule"),
        ),
        rows.at_most("ball, e = 0: rebound [m/s]", rise, 1e-9, against=closed_form("e = 0")),
    ]


def _cube(**floor: Any) -> st.World:
    world = st.World()
    world.add_ground(mu=0.5, **floor)
    world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(0.0, 0.0, 0.1))
    return world


def _springs() -> list[Row]:
    stiffness, out = 1e4, []
    for dt in (5e-4, 1e-3, 2e-3):
        sim = st.Simulator(_cube(stiffness=stiffness, damping=300.0), dt=dt)
        sim.step(n=round(1.0 / dt))
        out.append(
            near(
                f"cube on springs, dt {1e3 * dt:g} ms: depth over m g/(4 k)",
                1.0,
                float(0.1 - sim.q[2]) * 4.0 * stiffness / p.GRAVITY,
                1e-3,
                against=closed_form("m g/(4 k)"),
            )
        )
    return out


def _drift() -> list[Row]:
    sim = st.Simulator(_cube(), dt=1e-3)
    sim.q[2] -= 1e-3
    gap, speed = [], []
    for _ in range(500):
        sim.step()
        gap.append(float(sim.q[2]) - 0.1)
        speed.append(float(sim.v[2]))
    steady = bool((np.diff(gap) >= -1e-12).all())
    return [
        agrees(
            "1 mm of overlap: decays",
            "monotonically" if steady else "not monotonically",
            steady,
            "monotonic",
            against=closed_form("bounded correction: sqrt(g depth)"),
        ),
        rows.at_most(
            "1 mm of overlap: overshoot [m]", max(gap), 1e-4, against=closed_form("bounded correction: sqrt(g depth)")
        ),
        rows.at_most(
            "1 mm of overlap: fastest correction [m/s]",
            max(speed),
            float(np.sqrt(p.GRAVITY * 1e-3)),
            against=closed_form("bounded correction: sqrt(g depth)"),
        ),
    ]


def _sliders() -> st.World:
    """Every velocity has a motor, so that any reference can be reached."""
    links, inertia = '<link name="rail"/>', '<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/>'
    for parent, child, axis in (("rail", "x", "1 0 0"), ("x", "y", "0 1 0"), ("y", "foot", "0 0 1")):
        shape = '<collision><geometry><box size="0.2 0.3 0.1"/></geometry></collision>' if child == "foot" else ""
        links += (
            f'<link name="{child}"><inertial><mass value="0.7"/>{inertia}</inertial>{shape}</link>'
            f'<joint name="{parent}_{child}" type="prismatic">'
            f'<parent link="{parent}"/><child link="{child}"/><axis xyz="{axis}"/>'
            '<limit lower="-9" upper="9" effort="1e9" velocity="1e9"/></joint>'
        )
    world = st.World()
    world.add_ground(mu=0.5)
    world.add_urdf_text(f'<robot name="sliders">{links}</robot>', position=(0.0, 0.0, 0.05), fixed=True, mu=0.5)
    return world


def _inverse() -> list[Row]:
    out, R = [], 0.05
    for law in ("coulomb", "convex"):
        sim, rng, worst, pressed = st.Simulator(_sliders(), law=law, dt=p.STEP), np.random.default_rng(2), 0.0, 0
        for _ in range(20):
            sim.v[:] = 0.2 * rng.uniform(-1.0, 1.0, 3)
            found = st.inverse_dynamics(sim, 0.2 * rng.uniform(-1.0, 1.0, 3), compliance=R)
            problem = sim.problems(found.tau)[0]
            soft = st.ContactProblem(
                problem.G, problem.g, mu=problem.mu, law=law, dt=p.STEP, compliance=np.full(problem.rows, R)
            )
            forward, _ = st.solve(soft, "admm", **(TIGHT | {"tolerance": 1e-13}))
            worst, pressed = (
                max(worst, float(np.abs(forward - found.impulse.ravel()).max())),
                pressed + bool(np.any(found.impulse[:, 2] > 0.0)),
            )
        out.append(
            rows.at_most(
                f"inverse dynamics, {law}: impulses of the way back, {pressed} of 20 pressed [N s]",
                worst,
                1e-10,
                against=closed_form("the forward problem of the inverse one"),
            )
        )
    return out


def _reaction() -> Row:
    """Two boxes that touch only each other, seen from the origin; neither is turned."""
    world, places = st.World(), ((0.3, -0.2, 0.5), (0.35, -0.15, 0.6995))
    for place, mass, fall in zip(places, (1.0, 3.0), (0.0, -1.0), strict=True):
        world.add_box(size=(0.2, 0.2, 0.2), mass=mass, position=place, velocity=(0.3 * -fall, 0.1 * -fall, fall))
    sim = st.Simulator(world, dt=p.STEP)
    found = st.inverse_dynamics(sim, sim.v)
    wrench = found.constraint.reshape(2, 2, 3)
    total = np.concatenate(
        [wrench[:, 0].sum(axis=0), sum(w[1] + np.cross(x, w[0]) for x, w in zip(places, wrench, strict=True))]
    )
    return rows.at_most(
        "inverse dynamics: contact wrenches of two bodies add up to, relative",
        float(np.abs(total).max() / np.abs(wrench).max()),
        1e-12,
        against=closed_form("action and reaction"),
    )


def _solution(G: np.ndarray, g: np.ndarray, mu: np.ndarray, law: str, guess: np.ndarray | None = None) -> np.ndarray:
    problem = st.ContactProblem(G, g, mu=mu, law=law, dt=p.STEP)
    return st.solve(
        problem, "interior_point" if guess is None else "admm", warm_start=guess, **(TIGHT | {"tolerance": 1e-13})
    )[0]


def _derivatives(problems: int) -> list[Row]:
    out, h = [], 1e-5
    for law in ("coulomb", "convex"):
        rng, apart, adjoint, tested = np.random.default_rng(3), 0.0, 0.0, 0
        modes: set[str] = set()
        for seed in range(problems):
            problem = random_problem(seed, law)
            G, g, mu = problem.G, problem.g, problem.mu
            impulse = _solution(G, g, mu, law, _solution(G, g, mu, law))
            d = st.derivatives(problem, impulse, boundary_threshold=1e-3)
            if d.boundary.any():
                continue  # a step of h may cross into another mode
            dg, dmu, dG = rng.uniform(-1.0, 1.0, 12), rng.uniform(-1.0, 1.0, 4), 0.3 * rng.uniform(-1.0, 1.0, (12, 12))
            exact, _ = d.jvp(dg=dg, dG=dG + dG.T, dmu=dmu)
            ahead, behind = (_solution(G + s * (dG + dG.T), g + s * dg, mu + s * dmu, law, impulse) for s in (h, -h))
            apart = max(apart, float(np.abs(exact - (ahead - behind) / (2.0 * h)).max() / (1.0 + np.abs(exact).max())))
            a = rng.uniform(-1.0, 1.0, 12)
            back = d.vjp(a)
            product = float(back.g @ dg + (back.G * (dG + dG.T)).sum() + back.mu @ dmu)
            adjoint, modes, tested = (
                max(adjoint, abs(float(a @ exact) - product) / (1.0 + abs(product))),
                modes | set(d.modes),
                tested + 1,
            )
        out.append(
            rows.at_most(
                f"derivatives, {law}: from central differences, {tested} problems, {len(modes)} modes",
                apart,
                1e-6,
                against=independent("central differences"),
            )
        )
        out.append(
            rows.at_most(
                f"derivatives, {law}: adjoint identity, relative",
                adjoint,
                1e-10,
                against=closed_form("adjoint identity"),
            )
        )
    return out


def _flags() -> list[Row]:
    """A cube on four points is held more often than it can move."""
    problem = st.reference.rp3()
    found = st.derivatives(problem, st.solve(problem, "admm", **TIGHT)[0])
    return [
        agrees(
            "derivatives: hyperstatic cube",
            "flagged" if found.hyperstatic else "not flagged",
            found.hyperstatic,
            "flagged",
            against=closed_form("rank of J"),
        )
    ]
