# SPDX-License-Identifier: BSD-2-Clause
"""Model predictive trot. Oracles: the centroidal motion integrated knot by knot, weight, a gait of joint PD beside it."""

import numpy as np
import pytest

from stiction import control
from stiction.control.starleth import starleth_joints, starleth_legs

pytest.importorskip("proxsuite")

KICK, KICKED, LASTS = 30.0, 2.0, 0.2  # [N s], when, how long [s]


def cost(mpc, now, places, speeds, feet, forces):
    """Simulated knot by knot: what the program minimises."""
    o, (x, v), total = mpc.options, np.array([[*now.com, *now.turn], [*now.velocity, *now.spin]]), 0.0
    for k, (standing, push) in enumerate(zip(feet, forces, strict=True)):
        moment = sum(np.cross(p - places[k, :3], f) for p, f in zip(standing, push, strict=True))
        a = np.array([*(push.sum(axis=0) / mpc.mass - (0, 0, 9.81)), *np.linalg.solve(mpc.inertia, moment)])
        x, v = x + o.step * v + 0.5 * o.step**2 * a, v + o.step * a
        total += (x - places[k]) ** 2 @ np.array(o.weights[:6]) + (v - speeds[k]) ** 2 @ np.array(o.weights[6:])
        total += o.force_weight * (push**2).sum()
    return total


def program(**options):
    mpc = control.CentroidalMpc(2.5, np.diag([0.02, 0.03, 0.04]), control.CentroidalOptions(**options))
    n = mpc.options.knots
    now = control.Body(np.array([0.01, 0.0, 0.2]), np.array([0.02, -0.03, 0.0]), np.array([0.1, 0.0, 0.0]), np.zeros(3))
    places, speeds = np.tile([0.0, 0.0, 0.2, 0.0, 0.0, 0.0], (n, 1)), np.zeros((n, 6))
    pairs = [np.array([[0.2, 0.15, 0.0], [-0.2, -0.15, 0.0]]), np.array([[0.2, -0.15, 0.0], [-0.2, 0.15, 0.0]])]
    return mpc, (now, places, speeds, [pairs[(k // 4) % 2] for k in range(n)])


def test_no_other_forces_are_cheaper():
    mpc, asked = program(knots=8, force_weight=1e-3, mu=2.0)
    forces = mpc.forces(*asked)
    best, draw = cost(mpc, *asked, forces), np.random.default_rng(0)
    for _ in range(20):
        other = [f + 0.05 * draw.standard_normal(f.shape) for f in forces]
        assert cost(mpc, *asked, other) > best
    flat = np.concatenate([f.ravel() for f in forces])
    for i in range(0, len(flat), 5):  # stationary: nothing is at a bound here
        e = 1e-3 * np.eye(len(flat))[i]
        ends = [cost(mpc, *asked, np.split((flat + s * e).reshape(-1, 3), 8)) for s in (1, -1)]
        assert abs(ends[0] - ends[1]) / 2e-3 < 1e-3 * best


def test_forces_stay_in_the_cone():
    mpc, (now, *rest) = program(mu=0.1)
    fast = control.Body(now.com, now.turn, np.array([0.0, 2.0, 0.0]), now.spin)
    forces = np.concatenate(mpc.forces(fast, *rest))
    sideways = np.abs(forces[:, :2]).max(axis=1) - 0.1 / np.sqrt(2.0) * forces[:, 2]
    assert sideways.max() < 1e-4 and sideways.max() > -1e-3
    assert forces[:, 2].min() > 0.49 and forces[:, 2].max() < 40.01


def starleth(gait, kick, side=1.0, duration=3.5):
    """Time until StarlETH is down or done, and the controller's share; `gait(sim, legged)` drives it."""
    legged = control.starleth_world(joints=False)
    sim = legged.simulator(dt=1e-3, stepper="semi_implicit")
    drive = gait(sim, legged)
    for k in range(round(duration * 1e3)):
        t = 1e-3 * k
        if KICKED <= t < KICKED + LASTS:
            sim.apply_wrench(sim.robots[0].base, (0.0, side * kick / LASTS, 0.0))
        drive(t)
        if sim.q[2] < 0.3 or np.abs(sim.q[3:5]).max() > 0.5:
            return t
    return duration


def predictive(sim, legged):
    order = [2, 3, 0, 1]
    gains = control.MpcTrotGains(
        speed=0.3, period=0.5, stand=0.5, lift=0.08, capture=0.12, reach=0.4, swing_kd=50.0, drift=0.1
    )
    options = control.CentroidalOptions(mu=0.6, least_normal=5.0, most_normal=500.0, force_weight=1e-7)
    walker = control.MpcTrot(
        sim, [legged.feet[i] for i in order], [legged.points[i] for i in order], gains=gains, options=options
    )
    return lambda t: sim.step(walker.torque(sim, t))


def joint_pd(sim, legged):
    """The same trot on the spot, as joint angles that a PD follows."""
    legs, joints = starleth_legs(), np.array(starleth_joints(legged)).ravel()
    stand, target = legs.state(legged.q0[7 + joints].reshape(4, 3)).feet, np.zeros(12)
    sim.set_pd(400.0, 10.0, implicit=True)

    def drive(t):
        feet, clock = stand.copy(), (t - 0.5) / 0.5 % 1.0
        if t > 0.5:
            up = (0, 3) if clock < 0.5 else (1, 2)
            feet[list(up), 2] += 0.03 * (1.0 - np.cos(4.0 * np.pi * (clock % 0.5)))
        target[joints] = legs.angles(feet, range(4)).ravel()
        sim.step(target=target)

    return drive


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_kick_of_30_newton_seconds(side):
    """1.1 m/s for 26.8 kg. The PD gait trots, and falls when it is kicked; the predictive one goes on."""
    assert starleth(predictive, KICK, side) == 3.5
    assert starleth(joint_pd, 0.0) == 3.5
    assert starleth(joint_pd, KICK, side) < 3.0


def test_small_quadruped_walks_as_fast_as_it_is_told():
    legged = control.small_quadruped_world(stiffness=None, damping=None)
    sim = legged.simulator(dt=1e-3, stepper="semi_implicit")
    walker = control.MpcTrot(sim, legged.feet, legged.points, gains=control.MpcTrotGains(speed=0.2, most_torque=8.0))
    largest, x = 0.0, []
    for k in range(2500):
        tau = walker.torque(sim, 1e-3 * k)
        largest = max(largest, np.abs(tau).max())
        sim.step(tau)
        x.append(sim.q[0])
    assert largest <= 8.0
    assert (x[-1] - x[1219]) / 1.28 == pytest.approx(0.2, rel=0.2)


def test_input():
    legged = control.small_quadruped_world()
    sim = legged.simulator(dt=1e-3)
    with pytest.raises(ValueError, match="feet and points have 3 and 4 entries, expected four each"):
        control.MpcTrot(sim, legged.feet[:3], legged.points)
    with pytest.raises(ValueError, match="weights has 3 entries"):
        control.CentroidalOptions(weights=(1.0, 2.0, 3.0))
