# SPDX-License-Identifier: BSD-2-Clause
"""Anchors as state: products of one-step derivatives under law `anchored`. Oracle: differences of the whole rollout."""

import numpy as np
import pytest
from support.step_differences import differences

import stiction as st
from stiction.control import small_quadruped_world


def quadruped(height, speed, mu, approximant="1/2"):
    robot = small_quadruped_world(mu=mu)
    sim = robot.simulator(
        law="anchored",
        stepper="exponential",
        dt=1e-3,
        stepper_options={"approximant": approximant, "switch_refinement": False},
    )
    sim.set_pd(kp=8.0, kd=0.2)
    sim.step(target=sim.q[7:])
    sim.q[2] += height
    sim.v[:] = 0.0
    sim.step()  # lifted, it forgets what it touched
    sim.v[:] = 0.0
    sim.v[0], sim.v[1], sim.v[2], sim.v[4] = speed, 0.3 * speed, -0.3, 0.2
    return sim


def standing(mu):
    sim = quadruped(0.0, 0.0, mu)
    sim.step(n=300)
    return sim


@pytest.mark.parametrize("approximant", ["1/1", "1/2", "2/3"])
@pytest.mark.parametrize(
    ("height", "speed", "mu"), [(0.0, 0.0, 1.0), (0.0, 0.8, 0.2), (2.05e-3, 0.8, 0.2), (2.05e-3, 0.3, 1.0)]
)
def test_a_horizon(height, speed, mu, approximant):
    """Sticking, sliding, touching down and sliding, touching down and sticking."""
    sim = quadruped(height, speed, mu, approximant)
    if height == 0.0:
        sim.v[2] = 0.0
        sim.step(n=20)
    before = sim.hash()
    line = st.linearize(sim, np.zeros((50, sim.ntau)))
    assert sim.hash() == before
    n, modes = 2 * sim.nv, {word for step in line.modes for point in step for word in point.split("/")}
    assert "slip" in modes if mu < 0.5 else "stick" in modes
    if height > 0.0:
        assert line.A[0].shape == (n, n) and line.A[-1].shape[1] > n
    wanted = differences(sim, e=1e-6, steps=50)[:, :n]
    mine = line.product()[:n, :n]
    for rows in (slice(0, sim.nv), slice(sim.nv, n)):
        for columns in (slice(0, sim.nv), slice(sim.nv, n)):
            assert np.abs(mine - wanted)[rows, columns].max() <= 1e-5 * np.abs(wanted[rows, columns]).max()
    bar = np.random.default_rng(0).normal(size=n)
    for g in (line.backward(bar), st.backward(sim, np.zeros((50, sim.ntau)), bar)):
        assert np.allclose(g.x0, wanted.T @ bar, rtol=0, atol=1e-5 * np.abs(wanted.T @ bar).max())


def test_rows_and_columns_chain():
    sim = quadruped(2.05e-3, 0.8, 0.2)
    before = []
    for _ in range(30):
        d = sim.step_derivatives()
        n = 2 * sim.nv
        assert d.anchors_before == before
        assert d.dx.shape == (n + 3 * len(d.anchors), n + 3 * len(before)) and d.du.shape == (len(d.dx), sim.ntau)
        before = d.anchors
        sim.step()
    assert len(before) == 4 and len(set(before)) == 4


def test_an_anchor_that_sticks_stays():
    sim = standing(1.0)
    d, n = sim.step_derivatives(), 2 * sim.nv
    assert np.array_equal(d.dx[n:, n:], np.eye(12)) and not d.dx[n:, :n].any()
    assert np.abs(d.dx[:n, n:]).max() > 1e-3, "what an anchor moves by pulls the foot"
