# SPDX-License-Identifier: BSD-2-Clause
"""Bodies and trees that turn in free flight. Oracles: energy and momentum of a body that no moment acts on, and Euler's equations
integrated by SciPy."""

import numpy as np
import pytest

import stiction as st

STEPPERS = ["semi_implicit", "moreau", "stewart_trinkle"]


def random_inertia(rng):
    """Of a random box of 1 kg in random axes: the principal moments obey the triangle inequality."""
    edges = rng.uniform(0.02, 0.5, 3) ** 2
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return turn @ np.diag((edges.sum() - edges) / 12.0) @ turn.T


def spinning(stepper, dt, inertia, rate, law="coulomb"):
    world = st.World()
    world.gravity = (0, 0, 0)
    world.add_box(size=(0.1, 0.1, 0.1), mass=1.0, inertia=inertia, velocity=(0.3, -0.2, 0.1), angular_velocity=rate)
    return st.Simulator(world, law=law, dt=dt, stepper=stepper)


def test_the_box_of_the_issue_keeps_its_energy():
    """.3 x .1 x .02 m at (50, 60, 62) rad/s, dt 10 ms: explicit gyroscopic moments reached 4e127 rad/s after 21 steps."""
    world = st.World()
    world.gravity = (0, 0, 0)
    world.add_box(size=(0.3, 0.1, 0.02), mass=1.0, angular_velocity=(50, 60, 62))
    sim = st.Simulator(world, dt=0.01)
    start = sim.energy().total
    assert sim.step(n=2000).ok
    assert sim.energy().total == pytest.approx(start, rel=1e-11)


@pytest.mark.parametrize("stepper", STEPPERS)
def test_energy_and_momentum_stay(stepper):
    rng = np.random.default_rng(5)
    for body in range(20):
        rate = rng.normal(size=3)
        rate *= rng.uniform(1.0, 200.0) / np.linalg.norm(rate)
        dt = [1e-4, 1e-3, 3e-3, 1e-2][body % 4]
        sim = spinning(stepper, dt, random_inertia(rng), rate)
        energy, momentum = sim.energy().total, sim.momentum()
        for _ in range(5):
            assert sim.step(n=1000).ok
            assert abs(sim.energy().total / energy - 1.0) < 1e-6 * 1000 * dt
            assert (
                np.abs(sim.momentum()[3:] - momentum[3:]).max() < 1e-9 * np.linalg.norm(momentum[3:]) + 1e-9 * sim.time
            )


@pytest.mark.parametrize("stepper", STEPPERS)
def test_direction_is_of_second_order(stepper):
    solve_ivp = pytest.importorskip("scipy.integrate").solve_ivp
    inertia = np.diag([1.0, 2.0, 2.5]) * 1e-2
    rate = np.array([3.0, 8.0, 1.0])

    def euler(_, y):
        q, w = y[:4], y[4:]
        x, u = q[:3], q[3]
        turned = np.append(u * w + np.cross(x, w), -x @ w)
        return np.append(0.5 * turned, np.linalg.solve(inertia, np.cross(inertia @ w, w)))

    exact = solve_ivp(euler, (0, 1), np.append([0, 0, 0, 1], rate), rtol=1e-12, atol=1e-13, method="DOP853").y[:, -1]
    errors = []
    for dt in (4e-3, 2e-3):
        sim = spinning(stepper, dt, inertia, rate)
        sim.step(n=round(1 / dt))
        errors.append(2.0 * np.arccos(min(1.0, abs(sim.q[3:7] @ exact[:4]))))
    assert errors[0] < 3e-3 and errors[1] < 0.3 * errors[0]


@pytest.mark.parametrize("stepper", STEPPERS)
def test_a_robot_that_spins_rigidly_gains_nothing(stepper):
    """Joints held by stiff implicit PD: a rigid body of many links, its base far from its centre of mass."""
    world = st.World()
    world.gravity = (0, 0, 0)
    world.add_urdf(st._core.model_path("starleth.urdf"), position=(0, 0, 1))
    sim = st.Simulator(world, dt=2e-3, stepper=stepper)
    sim.set_pd(kp=1e5, kd=1e3, implicit=True)
    sim.v[3:6] = (9.0, 12.0, 4.0)
    sim.step(n=200)  # the joints settle under the load of the spin
    energy, momentum = sim.energy().total, sim.momentum()
    for _ in range(5):
        sim.step(n=400)
        assert sim.energy().total < energy * (1 + 1e-4)
        assert sim.energy().total > energy * 0.8
    assert np.abs(sim.momentum() - momentum).max() < 0.02 * np.linalg.norm(momentum)


def test_bodies_of_equal_moments_keep_their_bits():
    """A spinning cube and ball: what they do is what they always did."""
    sim = spinning("semi_implicit", 1e-3, np.eye(3) * 1e-2, (3.0, -7.0, 11.0))
    sim.step(n=100)
    assert sim.v[3:6] == pytest.approx([3.0, -7.0, 11.0], rel=1e-13)
