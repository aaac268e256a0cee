# SPDX-License-Identifier: BSD-2-Clause
"""The chain of `pendulum6` before it touches the ground. Oracle: Lagrange's equations in absolute angles, integrated by SciPy."""

import numpy as np
import pytest

import stiction as st

solve_ivp = pytest.importorskip("scipy.integrate").solve_ivp

LINKS, LENGTH, WIDTH, MASS, VISCOSITY, G = 6, 0.1, 0.04, 0.3, 1e-4, 9.81
INERTIA = MASS * (LENGTH**2 + WIDTH**2) / 12.0


def chain(t, y):
    """Link i has its centre at sum_k lever[i, k] (sin a_k, -cos a_k) of the absolute angles a; viscosity acts on differences of a."""
    a, w = y[:LINKS], y[LINKS:]
    lever = LENGTH * (np.tril(np.ones((LINKS, LINKS)), -1) + 0.5 * np.eye(LINKS))
    pairs = MASS * lever.T @ lever
    apart = a[:, None] - a[None, :]
    mass = pairs * np.cos(apart) + INERTIA * np.eye(LINKS)
    joint = np.diff(w, prepend=0.0)
    torque = -VISCOSITY * (joint - np.append(joint[1:], 0.0))
    force = torque - (pairs * np.sin(apart)) @ w**2 - MASS * G * lever.sum(axis=0) * np.sin(a)
    return np.concatenate([w, np.linalg.solve(mass, force)])


def test_flight_is_that_of_lagrange():
    sim = st.scene("pendulum6", law="relaxed", dt=1e-3)
    start = np.cumsum(sim.q)
    exact = solve_ivp(chain, (0.0, 0.18), np.append(start, np.zeros(LINKS)), method="DOP853", rtol=1e-12, atol=1e-13)
    sim.step(n=180)
    a, w = exact.y[:LINKS, -1], exact.y[LINKS:, -1]
    assert np.abs(np.diff(a, prepend=0.0) - sim.q).max() < 1e-7
    assert np.abs(np.diff(w, prepend=0.0) - sim.v).max() < 2e-6
    assert np.abs(sim.v).max() > 1.0 and np.abs(sim.q[1:]).max() > 1e-3
