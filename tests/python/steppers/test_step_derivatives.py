# SPDX-License-Identifier: BSD-2-Clause
"""sim.step_derivatives: shapes, modes, refusals, and central differences through the Python face (specification, test 24)."""

import numpy as np
import pytest

import stiction as st
from stiction.control import small_quadruped_world


def standing(mu=0.8, **stepper_options):
    robot = small_quadruped_world(mu=mu)
    sim = robot.simulator(law="anchored", stepper="exponential", dt=2e-3, stepper_options=stepper_options)
    sim.set_pd(kp=8.0, kd=0.2)
    sim.step(n=300)
    return sim


def differences(sim, tau, e=1e-6):
    """Columns of dx and du by central differences on the manifold."""
    nv, start = sim.nv, sim.save()
    centre = after(sim, start, np.zeros(2 * nv + sim.ntau), tau)[0]
    columns = []
    for j in range(2 * nv + sim.ntau):
        d = e * np.eye(2 * nv + sim.ntau)[j]
        (q1, v1), (q0, v0) = after(sim, start, d, tau), after(sim, start, -d, tau)
        columns.append(np.concatenate([sim.difference(centre, q1) - sim.difference(centre, q0), v1 - v0]) / (2 * e))
    sim.restore(start)
    return np.array(columns).T


def after(sim, start, d, tau):
    sim.restore(start)
    nv = sim.nv
    sim.q[:] = sim.integrate(sim.q, d[:nv])
    sim.v[:] += d[nv : 2 * nv]
    sim.step(tau + d[2 * nv :])
    return sim.q.copy(), sim.v.copy()


@pytest.mark.parametrize("slip", [False, True])
def test_quadruped_agrees_with_differences(slip):
    sim = standing(mu=0.2 if slip else 0.8)
    if slip:
        sim.v[0] = 0.5
        sim.step(n=2)
    tau = np.linspace(-0.03, 0.04, 12)
    before = sim.hash()
    d = sim.step_derivatives(tau)
    assert sim.hash() == before
    assert d.dx.shape == (48, 48) and d.du.shape == (48, 12) and d.dforce.shape == (12, 48)
    assert len(d.anchors) == 4 and not d.du[36:].any()
    assert all(m.startswith("slip/" if slip else "stick/") for m in d.mode) and len(d.mode) == 4
    assert d.exact
    wanted = differences(sim, tau)
    for mine, theirs in ((d.dx[:36, :36], wanted[:, :36]), (d.du[:36], wanted[:, 36:])):
        for rows in (slice(0, 18), slice(18, 36)):
            assert np.linalg.norm(mine[rows] - theirs[rows]) <= 1e-6 * np.linalg.norm(theirs[rows])


def test_pending_wrenches_take_part():
    sim = standing()
    plain = sim.step_derivatives()
    body = sim.bodies[0]
    sim.apply_wrench(body, force=(0, 0, -20.0), torque=(0, 0, 0))
    pushed = sim.step_derivatives()
    assert np.abs(plain.dx - pushed.dx).max() > 1e-6
    sim.step()
    assert "StepDerivatives" in repr(pushed)


def test_what_is_not_exact_is_told():
    """A ball on flat ground is; one on another ball is not."""
    for pile in (1, 2):
        world = st.World()
        world.add_ground()
        for i in range(pile):
            world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1 + 0.2 * i - 1e-5 * (i + 1)))
        sim = st.Simulator(world, law="anchored", stepper="exponential", dt=1e-3)
        sim.step(n=20)
        d = sim.step_derivatives()
        assert len(d.mode) == pile and d.exact == (pile == 1)


def test_refusals():
    sim = standing()
    with pytest.raises(ValueError, match=r"step_derivatives.tau has size 3, expected 12"):
        sim.step_derivatives([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="exact"):
        standing(approximant="exact").step_derivatives()
    world = st.World()
    world.add_sphere(radius=0.1, mass=1.0)
    with pytest.raises(ValueError, match="'stewart_trinkle' has none; take 'semi_implicit' or 'moreau'"):
        st.Simulator(world, stepper="stewart_trinkle").step_derivatives()
