# SPDX-License-Identifier: BSD-2-Clause
"""Relaxed derivatives. Oracles: the closed form of one contact, the derivative itself as epsilon vanishes, differences of the relaxed law."""

import numpy as np
import pytest

import stiction as st

TIGHT = {"tolerance": 1e-12}


def ball(height, law="coulomb", mu=0.5):
    world = st.World()
    world.add_ground(mu=mu)
    world.add_sphere(radius=0.1, mass=2.0, position=(0, 0, 0.1 + height))
    return st.Simulator(world, law=law, dt=1e-3, solver_options=TIGHT, law_options={"margin": 1e-2})


@pytest.mark.parametrize("law", ["coulomb", "convex"])
@pytest.mark.parametrize("height", [5e-3, 1e-3, 5e-5])
@pytest.mark.parametrize("eps", [1e-2, 1e-4])
def test_one_contact_has_a_closed_form(law, height, eps):
    """Without friction at work: lambda (G lambda + g) = eps, G = 1/m, g = v - dt 9.81 + gap/dt."""
    sim, m, dt = ball(height, law), 2.0, 1e-3
    d = sim.step_derivatives(smooth=eps)
    g = -dt * 9.81 + (height - 1e-6) / dt
    root = np.sqrt(g * g + 4 * eps / m)
    impulse = 0.5 * m * (root - g)
    by_g = 0.5 * m * (g / root - 1.0)  # of the impulse
    assert np.isclose(d.dx[8, 8], 1.0 + by_g / m, rtol=1e-9, atol=1e-12)
    assert np.isclose(d.dx[8, 2], by_g / m / dt, rtol=1e-9, atol=1e-12)
    assert impulse > 0.0 and d.dx[8, 2] < 0.0, "a gradient before it touches"
    assert not sim.step_derivatives().dx[8, 2], "which the step itself does not have"


@pytest.mark.parametrize("law", ["coulomb", "convex"])
def test_it_tends_to_the_derivative(law):
    sim = ball(-5e-4, law)
    sim.v[:] = [0.7, 0.2, -0.4, 1.0, 2.0, 3.0]
    exact, last = sim.step_derivatives().dx, np.inf
    for eps in (1e-4, 1e-6, 1e-8, 1e-10):
        error = np.abs(sim.step_derivatives(smooth=eps).dx - exact).max() / np.abs(exact).max()
        assert error < 0.5 * last
        last = error
    assert last < 1e-5


def test_it_is_unique_where_forces_are_not():
    world = st.World()
    world.add_ground(mu=0.8)
    world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0.0998))
    sim = st.Simulator(world, dt=1e-3, solver_options=TIGHT)
    d = sim.step_derivatives(smooth=1e-6)
    assert d.velocity_unique and np.isfinite(d.dx).all() and not any(k == "mode" for k in d.border_of)
    assert abs(d.dx[6, 6]) < 0.1, "it sticks, nearly"


def test_randomized_smoothing_is_of_the_same_sign():
    sim = ball(2e-5)
    dx, du = st.gradients.randomized(sim, sigma=2e-5, samples=400)
    assert dx.shape == (12, 12) and du.shape == (12, 0)
    assert dx[8, 2] < -10.0 and sim.step_derivatives(smooth=1e-4).dx[8, 2] < -10.0
    again, _ = st.gradients.randomized(sim, sigma=2e-5, samples=400)
    assert np.array_equal(dx, again)


def test_along_a_trajectory():
    sim = ball(5e-3)
    plain = st.linearize(sim, np.zeros((10, 0)))
    smooth = st.linearize(sim, np.zeros((10, 0)), smooth=1e-3)
    assert np.array_equal(plain.q, smooth.q) and not np.allclose(plain.A, smooth.A)
    bar = np.arange(12.0)
    assert np.array_equal(sim.backward(bar, np.zeros((10, 0)), smooth=1e-3).x0, smooth.backward(bar).x0)


def test_wrong_input():
    sim = ball(0.0)
    for wrong in (-1.0, np.nan):
        with pytest.raises(ValueError, match=r"step_derivatives\.smooth"):
            sim.step_derivatives(smooth=wrong)
    with pytest.raises(ValueError, match="sigma"):
        st.gradients.randomized(sim, sigma=0.0)
    world = st.World()
    world.add_ground()
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1))
    with pytest.raises(ValueError, match="anchored"):
        st.Simulator(world, law="anchored", stepper="exponential", dt=1e-3).step_derivatives(smooth=1e-3)
