# SPDX-License-Identifier: BSD-2-Clause
"""Closed forms of mechanics, over every kind of law and stepper that they apply to. Soft laws get a share of their own
softness (a spring has to be loaded before it holds) and smaller steps: they slide and roll with an error of first order."""

import numpy as np
import pytest

import stiction as st

G = 9.81
SURFACE = dict(surface_anchoring=True)
HARD = [
    dict(law="coulomb", stepper="semi_implicit"),
    dict(law="pyramid", stepper="semi_implicit"),
    dict(law="coulomb", stepper="stewart_trinkle"),
    dict(law="pyramid", stepper="stewart_trinkle", solver="lemke"),
    dict(law="pyramid", stepper="stewart_trinkle", solver="lemke", stepper_options=dict(version="nonlinear")),
    dict(law="coulomb", stepper="moreau"),
    dict(law="coulomb", stepper="moreau", solver="sor"),
]
SOFT = [
    dict(law="anchored", stepper="exponential", law_options=SURFACE),
    dict(law="anchored", stepper="exponential_midpoint", law_options=SURFACE),
    dict(law="anchored", stepper="implicit_euler", law_options=SURFACE),
]
# explicit: small steps only
COMPLIANT = [dict(law="compliant", stepper="moreau", law_options=dict(stiffness=1e5, damping=300.0))]
RELAXED = [dict(law="relaxed", stepper="rk_gill")]


def name(settings):
    return "-".join([settings["law"], settings["stepper"], *settings.get("stepper_options", {}).values()])


def step_of(settings):
    return 1e-3 if settings in HARD + RELAXED else 2.5e-4


def share(settings, hard, soft):
    return hard if settings in HARD else soft


@pytest.mark.parametrize("settings", HARD + SOFT + COMPLIANT, ids=name)
def test_sliding_block_stops(settings):
    """Oracle: v0²/(2 μ g) after v0/(μ g); impulses lag by at most dt v0/2."""
    mu, v0, dt = 0.3, 1.0, step_of(settings)
    world = st.World()
    world.add_ground(mu=mu)
    world.add_box(size=(0.4, 0.4, 0.1), mass=1.0, position=(0, 0, 0.05), velocity=(v0, 0, 0), mu=mu)
    sim = st.Simulator(world, dt=dt, **settings)
    stop = v0 / (mu * G)
    sim.step(n=round(0.5 * stop / dt))
    assert sim.v[0] == pytest.approx(0.5 * v0, rel=share(settings, 2e-3, 0.02))
    sim.step(n=round(0.7 * stop / dt))
    assert abs(sim.v[0]) < share(settings, 1e-6, 5e-3)
    assert sim.q[0] == pytest.approx(v0**2 / (2.0 * mu * G), rel=share(settings, 3.1e-3, 0.02))


@pytest.mark.parametrize("settings", HARD + SOFT, ids=name)
@pytest.mark.parametrize(("ratio", "sticks"), [(1.02, True), (0.98, False)])
def test_incline(settings, ratio, sticks):
    """Oracle: it sticks if μ ≥ tan θ, else slides with g (sin θ − μ cos θ). The slope lies along an axis of the pyramid."""
    angle, dt = 0.3, 1e-3
    mu = ratio * np.tan(angle)
    world = st.World()
    rotation = (0.0, np.sin(angle / 2), 0.0, np.cos(angle / 2))
    world.add_static_half_space(rotation=rotation, mu=mu)
    up = np.array([np.sin(angle), 0.0, np.cos(angle)])
    world.add_box(size=(0.6, 0.6, 0.1), mass=1.0, position=0.05 * up, rotation=rotation, mu=mu)
    sim = st.Simulator(world, dt=dt, **settings)
    sim.step(n=500)  # soft contacts settle
    world_velocity = [np.linalg.norm(sim.v[:3])]
    sim.step(n=500)
    world_velocity.append(np.linalg.norm(sim.v[:3]))
    gained = (world_velocity[1] - world_velocity[0]) / 0.5
    wanted = 0.0 if sticks else G * (np.sin(angle) - mu * np.cos(angle))
    assert gained == pytest.approx(wanted, abs=share(settings, 1e-5, 6e-3))


@pytest.mark.parametrize("settings", HARD + SOFT + RELAXED + COMPLIANT, ids=name)
def test_ball_ends_rolling(settings):
    """Oracle: 5/7 of the speed, whatever friction does on the way."""
    world = st.World()
    world.add_ground(mu=0.2)
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1), velocity=(1.5, 0, 0), mu=0.2)
    dt = step_of(settings)
    sim = st.Simulator(world, dt=dt, **settings)
    sim.step(n=round(0.5 / dt))
    position_rate = sim.momentum()[0]
    assert position_rate == pytest.approx(1.5 * 5.0 / 7.0, rel=share(settings, 1e-6, 0.01))


@pytest.mark.parametrize("settings", HARD + SOFT + RELAXED, ids=name)
def test_a_stack_carries_what_is_above(settings):
    """Oracle: the force between boxes i and i + 1 of n is (n − i) m g."""
    world = st.World()
    world.add_ground()
    n, mass = 3, 2.0
    for i in range(n):
        world.add_box(size=(0.3, 0.3, 0.2), mass=mass, position=(0, 0, 0.1 + 0.2 * i))
    sim = st.Simulator(world, dt=2e-3, **settings)
    sim.step(n=1500)
    contacts = sim.contacts()
    for i in range(n):
        below = contacts[(contacts["body_a"] == i - 1) & (contacts["body_b"] == i)]
        assert below["force"][:, 2].sum() == pytest.approx((n - i) * mass * G, rel=share(settings, 1e-6, 1e-3)), i


@pytest.mark.parametrize("settings", HARD + SOFT + RELAXED + COMPLIANT, ids=name)
def test_an_isolated_pair_keeps_its_momentum_and_gains_no_energy(settings):
    """Oracle: linear momentum to round-off; plastic contact dissipates."""
    world = st.World()
    world.gravity = (0, 0, 0)
    world.add_sphere(radius=0.1, mass=1.0, position=(-0.15, 0.02, 0), velocity=(1, 0, 0), mu=0.4)
    world.add_sphere(radius=0.1, mass=2.0, position=(0.15, 0, 0), velocity=(-0.5, 0.1, 0), mu=0.4)
    sim = st.Simulator(world, dt=1e-3, **settings)
    momentum, energy = sim.momentum()[:3].copy(), sim.energy().kinetic
    sim.step(n=300)
    assert np.abs(sim.momentum()[:3] - momentum).max() < 1e-12
    assert sim.energy().kinetic < 0.95 * energy  # they met
