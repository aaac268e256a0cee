# SPDX-License-Identifier: BSD-2-Clause
"""More closed forms of mechanics over every kind of law and stepper that they apply to: tipping, rolling of any body, impacts, spins."""

import numpy as np
import pytest

import stiction as st
from test_classic_oracles import HARD, RELAXED, SOFT, G, name, share, step_of


@pytest.mark.parametrize("settings", HARD + SOFT, ids=name)
@pytest.mark.parametrize(("tangent", "mu", "fate"), [(0.55, 0.8, "tips"), (0.45, 0.8, "stays"), (0.55, 0.35, "slides")])
def test_box_on_a_slope_tips_or_slides(settings, tangent, mu, fate):
    """Oracle: half-width b, half-height c: it tips iff tan θ > b/c and μ > b/c (here .5), else slides iff tan θ > μ."""
    angle = np.arctan(tangent)
    world = st.World()
    world.gravity = (G * np.sin(angle), 0.0, -G * np.cos(angle))
    world.add_ground(mu=mu)
    world.add_box(size=(0.2, 0.2, 0.4), mass=1.0, position=(0, 0, 0.2), mu=mu)
    sim = st.Simulator(world, dt=step_of(settings), **settings)
    sim.step(n=round(0.5 / sim.dt))
    tilt = 2.0 * np.arcsin(min(1.0, np.linalg.norm(sim.q[3:6])))
    if fate == "tips":
        assert tilt > 0.1
    else:
        # moreau has no position term: corners that close one step apart stay apart by a step of free fall over the width
        landed = G * sim.dt**2 / 0.2 if settings["stepper"] == "moreau" else 1e-6
        assert tilt < share(settings, landed, 2e-3)
        travelled = 0.0 if fate == "stays" else 0.5 * 0.25 * G * (np.sin(angle) - mu * np.cos(angle))
        # v dt/2 late or early
        assert sim.q[0] == pytest.approx(travelled, abs=share(settings, 2.5e-3, 2e-2) * max(travelled, 0.1))


@pytest.mark.parametrize("settings", HARD + SOFT + RELAXED, ids=name)
@pytest.mark.parametrize(("shape", "spin"), [(0.4, 0.0), (0.5, 0.0), (1.0, 0.0), (0.4, 5.0)])
def test_rolling_of_any_round_body(settings, shape, spin):
    """Oracle: inertia κ m R² (ball .4, cylinder .5, hoop 1): v = (v0 + κ R ω0)/(1 + κ); angular momentum about the ground stays."""
    v0, mu, radius, mass = 1.5, 0.2, 0.1, 2.0
    world = st.World()
    world.add_ground(mu=mu)
    inertia = shape * mass * radius**2 * np.eye(3)
    world.add_sphere(
        radius=radius,
        mass=mass,
        inertia=inertia,
        position=(0, 0, radius),
        velocity=(v0, 0, 0),
        angular_velocity=(0, spin, 0),
        mu=mu,
    )
    sim = st.Simulator(world, dt=step_of(settings), **settings)
    wanted = (v0 + shape * radius * spin) / (1.0 + shape)
    before = mass * radius * v0 + inertia[1, 1] * spin
    slide = (v0 - wanted) / (mu * G)  # how long it slides, ẍ = −μ g meanwhile
    sim.step(n=round(1.2 * slide / sim.dt))
    allowed = share(settings, 1e-6, 0.01)
    assert sim.momentum()[0] / mass == pytest.approx(wanted, rel=allowed)
    rate = sim.v[4] if abs(sim.v[3]) + abs(sim.v[5]) < 1e-6 else float("nan")
    assert mass * radius * sim.momentum()[0] / mass + inertia[1, 1] * rate == pytest.approx(before, rel=allowed)
    travelled = v0 * slide - 0.5 * mu * G * slide**2 + wanted * (sim.time - slide)
    assert sim.q[0] == pytest.approx(travelled, rel=share(settings, 2e-3, 0.01))


@pytest.mark.parametrize("settings", HARD, ids=name)
@pytest.mark.parametrize("v", [0.5, 5.0])
def test_oblique_impact_of_a_ball(settings, v):
    """Oracle: it sticks iff (2/7)|s| <= μ (1 + e)|v_n|, then Δv_t = −(2/7) s, else −μ (1 + e)|v_n|; Δω = (5/2R) Δv_t."""
    mu, e, down, radius = 0.3, 0.5, 1.0, 0.1
    world = st.World()
    world.gravity = (0, 0, 0)
    world.add_ground(mu=mu, restitution=e)
    world.add_sphere(radius=radius, mass=1.0, position=(0, 0, radius), velocity=(v, 0, -down), mu=mu, restitution=e)
    sim = st.Simulator(world, dt=1e-4, **settings)
    sim.step()
    drop = min(2.0 / 7.0 * v, mu * (1.0 + e) * down)
    momentum = sim.momentum()[:3]
    assert momentum[0] == pytest.approx(v - drop, abs=1e-6)
    assert momentum[2] == pytest.approx(e * down, abs=1e-6)
    assert np.linalg.norm(sim.v[3:6]) == pytest.approx(2.5 / radius * drop, abs=1e-4)


@pytest.mark.parametrize("settings", HARD, ids=name)
def test_bounces_follow_each_other(settings):
    """Oracle: n-th flight 2 eⁿ √(2H/g), heights e²ⁿ H, at rest after √(2H/g)(1 + e)/(1 − e); a step or so lost at each impact."""
    e, height, dt = 0.5, 0.5, 2.5e-4
    world = st.World()
    world.add_ground(restitution=e)
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1 + height), restitution=e)
    sim = st.Simulator(world, dt=dt, **settings)
    fall = np.sqrt(2.0 * height / G)
    times, tops, before, top = [], [], 0.0, 0.0
    while sim.time < 1.05 * fall * (1.0 + e) / (1.0 - e):
        sim.step()
        if before < 0.0 < sim.v[2]:
            times.append(sim.time)
            tops.append(top)
            top = 0.0
        before, top = sim.v[2], max(top, sim.q[2] - 0.1)
    wanted, flight = fall, 2.0 * e * fall
    for n in range(4):
        assert times[n] == pytest.approx(wanted, abs=(n + 1) * 2 * dt)
        if n > 0:
            assert tops[n] == pytest.approx(e ** (2 * n) * height, abs=2 * dt * G * fall)
        wanted, flight = wanted + flight, flight * e
    assert abs(sim.v[2]) < 1e-6 and sim.q[2] == pytest.approx(0.1, abs=1e-5)


@pytest.mark.parametrize("settings", HARD, ids=name)
@pytest.mark.parametrize(
    ("e", "wanted"), [(0.0, (1 / 3, 1 / 3, 1 / 3)), (0.5, (0.0, 0.5, 0.5)), (1.0, (-1 / 3, 2 / 3, 2 / 3))]
)
def test_three_touching_balls(settings, e, wanted):
    """Oracle: Newton's rule at all contacts at once; not what the toy does, and known for it."""
    world = st.World()
    world.gravity = (0, 0, 0)
    for i in range(3):
        world.add_sphere(
            radius=0.1,
            mass=1.0,
            position=(0.2 * i, 0, 0),
            velocity=(1.0 if i == 0 else 0.0, 0, 0),
            mu=0.0,
            restitution=e,
        )
    sim = st.Simulator(world, dt=1e-3, **settings)
    sim.step()
    assert sim.v[::6] == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize("settings", HARD, ids=name)
def test_one_elastic_contact_without_friction_keeps_the_energy(settings):
    """Oracle: kinetic energy, e = 1, no friction, a tilted box that is hit at one corner."""
    world = st.World()
    world.gravity = (0, 0, 0)
    world.add_ground(mu=0.0, restitution=1.0)
    tilt = np.array([0.2, 0.3, 0.1, 1.0]) / np.linalg.norm([0.2, 0.3, 0.1, 1.0])
    world.add_box(
        size=(0.2, 0.3, 0.4),
        mass=1.0,
        position=(0, 0, 0.4),
        rotation=tilt,
        velocity=(0.3, 0, -2),
        mu=0.0,
        restitution=1.0,
    )
    sim = st.Simulator(world, dt=1e-4, **settings)
    before = sim.energy().kinetic
    for _ in range(3000):
        sim.step()
        if sim.momentum()[2] > 0.0:
            break
    assert sim.momentum()[2] > 0.0
    assert sim.energy().kinetic == pytest.approx(before, rel=1e-5)


@pytest.mark.parametrize("settings", HARD + SOFT + RELAXED, ids=name)
def test_a_free_body_keeps_its_angular_momentum_and_turns_over(settings):
    """Oracle: Euler's equations: L stays, and a spin about the middle axis turns over and over."""
    world = st.World()
    world.gravity = (0, 0, 0)
    world.add_box(size=(1, 1, 1), mass=1.0, inertia=np.diag([1.0, 2.0, 3.0]), angular_velocity=(0.01, 5.0, 0.01))
    sim = st.Simulator(world, dt=5e-4, **settings)
    start, rates = sim.momentum()[3:].copy(), []
    for _ in range(40):
        sim.step(n=200)
        rates.append(sim.v[4])
    assert np.linalg.norm(sim.momentum()[3:] - start) < 0.03 * np.linalg.norm(start)
    assert min(rates) < -4.0 and max(rates) > 4.0


def test_one_problem_three_methods():
    """Oracle: each other (specification, section 7): Lemke with 64 directions, SOR and ADMM on the same G, g, μ. Velocities agree to
    O(1/K), sticking contacts exactly."""
    rng = np.random.default_rng(5)
    sticking = 0
    for trial in range(20):
        mu = 0.5 if trial < 10 else 1.5
        J = rng.normal(size=(9, 18))
        g = rng.normal(size=9)
        g[2::3] -= 1.5  # closing
        if trial >= 10:  # mostly sticking
            g[np.arange(9) % 3 != 2] *= 0.2
        made = {
            law: st.ContactProblem(J @ J.T, g, mu=mu, law=law, dt=1e-3, **more)
            for law, more in (("coulomb", {}), ("pyramid", dict(facets=64)))
        }
        found = {}
        for law, solver in (("pyramid", "lemke"), ("coulomb", "sor"), ("coulomb", "admm")):
            impulse, report = st.solve(made[law], solver=solver, tolerance=1e-8 if solver == "admm" else 1e-10)
            assert report.status == "converged", solver
            found[solver] = (J @ J.T @ impulse + g).reshape(3, 3)
        slip = np.linalg.norm(found["sor"][:, :2], axis=1)
        assert np.abs(found["admm"] - found["sor"]).max() < 1e-5
        assert np.abs(found["lemke"] - found["sor"]).max() < np.pi / 64 * np.abs(g).max()
        if (slip < 1e-7).all():
            sticking += 1
            assert np.abs(found["lemke"] - found["sor"]).max() < 1e-6
    assert sticking > 0
