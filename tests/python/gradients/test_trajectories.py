# SPDX-License-Identifier: BSD-2-Clause
"""Derivatives along trajectories. Oracle: differences of the whole rollout, and the adjoint identity."""

import numpy as np
import pytest
from support.step_differences import differences, worst

import stiction as st

TIGHT = {"tolerance": 1e-13, "force_tolerance": 1e-11, "velocity_tolerance": 1e-15, "power_tolerance": 1e-15}


def falling_ball(**settings):
    """It lands within the horizon, slides, and goes on sliding."""
    world = st.World()
    world.add_ground(mu=0.1)
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1 + 0.0125))
    sim = st.Simulator(world, **({"dt": 1e-3, "solver_options": TIGHT, "law_options": {"dead_band": 1e-9}} | settings))
    sim.v[:] = [1.5, 0.2, -0.5, 1.0, 2.0, 3.0]
    return sim


@pytest.mark.parametrize("stepper", ["semi_implicit", "moreau"])
@pytest.mark.parametrize("law", ["coulomb", "convex"])
def test_through_touchdown_and_slip(law, stepper):
    """Under moreau and convex sliding lifts the ball off, and it touches again. A change of 1e-5 makes that one step earlier or later, where the
    rollout jumps, which no derivative sees; a change of 1e-6 does not."""
    sim = falling_ball(law=law, stepper=stepper)
    before = sim.hash()
    line = st.linearize(sim, np.zeros((50, 0)))
    assert sim.hash() == before
    assert line.modes[0] in ([], ["break"]) and ["slide"] in line.modes
    wanted = differences(sim, e=1e-6, steps=50)
    assert worst(sim, line.product(), wanted) <= 1e-5
    bar = np.random.default_rng(0).normal(size=12)
    for g in (line.backward(bar), st.backward(sim, np.zeros((50, 0)), bar)):
        assert np.allclose(g.x0, wanted.T @ bar, rtol=0, atol=1e-5 * np.abs(wanted.T @ bar).max())
    assert sim.hash() == before


def quadruped():
    world = st.World()
    world.add_ground(mu=0.7)
    st.robots.load("anymal", world)
    sim = st.Simulator(world, dt=1e-3, solver_options=TIGHT)
    sim.set_pd(kp=80.0, kd=2.0)
    sim.step(target=sim.q[7:])
    return sim


@pytest.mark.parametrize("by", ["tau", "target"])
def test_reverse_mode_is_the_transpose(by):
    sim = quadruped()
    rng = np.random.default_rng(1)
    controls = rng.normal(size=(12, sim.ntau)) if by == "tau" else sim.q[7:] + 0.05 * rng.normal(size=(12, sim.ntau))
    line = st.linearize(sim, controls, by=by)
    bars = rng.normal(size=(13, 2 * sim.nv))
    whole = line.backward(bars)
    x, total = rng.normal(size=2 * sim.nv), 0.0
    du = rng.normal(size=controls.shape)
    along = whole.x0 @ x + (whole.u * du).sum()
    total = bars[0] @ x
    for k in range(12):
        x = line.A[k] @ x + line.B[k] @ du[k]
        total += bars[k + 1] @ x
    assert abs(total - along) <= 1e-10 * abs(total)
    for checkpoints in (None, 1, 5, 12):
        again = st.backward(sim, controls, bars, by=by, checkpoints=checkpoints)
        assert np.array_equal(again.x0, whole.x0) and np.array_equal(again.u, whole.u)
        assert np.array_equal(again.border, whole.border) and again.exact == whole.exact


def test_wrong_input_names_the_field():
    sim = falling_ball()
    for wrong, said in (
        (lambda: st.linearize(sim, np.zeros((3, 2))), "controls"),
        (lambda: st.linearize(sim, np.full((3, 0), 0.0), by="torque"), "by is 'torque'"),
        (lambda: st.backward(sim, np.zeros((3, 0)), np.zeros((3, 12))), "dL_dx"),
        (lambda: st.backward(sim, np.zeros((3, 0)), np.zeros(12), checkpoints=0), "checkpoints"),
        (lambda: st.linearize(quadruped(), np.full((1, 12), np.nan)), "controls[0]"),
    ):
        with pytest.raises(ValueError) as refused:
            wrong()
        assert said in str(refused.value)
