# SPDX-License-Identifier: BSD-2-Clause
"""Virtual-model control of StarlETH. Oracles: optimality conditions, the engine's kinematics and statics, momentum over whole strides."""

import copy

import numpy as np
import pytest

import stiction as st
from stiction import control
from stiction.control.legs import chain

WEIGHT = 26.82 * 9.81
PERIOD = 2.5e-3


def test_quadratic_programs_meet_their_optimality_conditions():
    """Hx + g = Cᵀu, u ≥ 0, Cx ≥ d, u ⟂ Cx − d of 300 random programs; contradicting rows are told."""
    rng = np.random.default_rng(1)
    bound = 0
    for _ in range(300):
        n, m = rng.integers(2, 13), rng.integers(1, 21)
        A, C = rng.normal(size=(n, n)), rng.normal(size=(m, n))
        H, g = A @ A.T + 0.01 * np.eye(n), 10.0 * rng.normal(size=n)
        d = C @ rng.normal(size=n) - rng.uniform(0.0, 1.0, m)
        found = control.solve_qp(H, g, C, d)
        slack, u = C @ found.x - d, found.multipliers
        assert found.solved and slack.min() >= -1e-8 and u.min() >= 0.0
        assert (
            np.abs(H @ found.x + g - C.T @ u).max() < 1e-8 * (1.0 + np.abs(g).max()) and np.abs(u * slack).max() < 1e-8
        )
        bound += int((u > 0).sum())
    assert bound > 300  # the rows matter
    assert not control.solve_qp(np.eye(1), np.zeros(1), np.array([[1.0], [-1.0]]), np.array([1.0, 1.0])).solved


def test_forces_give_the_wrench_or_stay_inside_the_pyramid():
    """Four feet reach any small wrench to the regularisation; a large sideways one ends on the pyramid with f_n ≥ f_min."""
    limits = control.ForceLimits(mu=0.6, least_normal=5.0)
    share = control.ForceDistribution(limits)
    arms = np.array([[x, y, -0.4] for x in (0.25, -0.25) for y in (0.18, -0.18)])
    wrench = np.array([10.0, -5.0, WEIGHT, 3.0, -4.0, 1.0])
    f = share.forces(arms, wrench)
    got = np.concatenate([f.sum(axis=0), np.cross(arms, f).sum(axis=0)])
    assert np.abs(got - wrench).max() < 0.05
    f = share.forces(arms, np.array([0.0, 400.0, WEIGHT, 0.0, 0.0, 0.0]))
    assert f[:, 2].min() >= 5.0 - 1e-7 and (np.abs(f[:, :2]).max(axis=1) <= 0.6 / np.sqrt(2) * f[:, 2] + 1e-7).all()
    assert np.isclose(np.abs(f[:, 1]), 0.6 / np.sqrt(2) * f[:, 2]).any()


@pytest.fixture(scope="module")
def starleth():
    return control.starleth_world()


def test_legs_agree_with_the_engine(starleth):
    """Feet, Jacobians, centre of mass and gravity torques at random postures; the inverse gives the angles back."""
    legs, joints = control.starleth_legs(), np.array(control.starleth_joints(starleth))
    sim, rng = starleth.simulator(), np.random.default_rng(3)
    for _ in range(5):
        sim.q[7:] = starleth.q0[7:] + 0.3 * rng.uniform(-1, 1, 12)
        state = legs.state(sim.q[7 + joints])
        for i, foot in enumerate(starleth.feet):
            assert state.feet[i] + sim.q[:3] == pytest.approx(sim.frame_pose(foot)[0], abs=1e-12)
            assert state.jacobians[i] == pytest.approx(sim.jacobian(foot)[:3, 6 + joints[i]], abs=1e-12)
        assert state.moment / starleth.mass + sim.q[:3] == pytest.approx(sim.com(), abs=1e-12)
        gravity = np.array([0.0, 0.0, 9.81]) @ state.moment_jacobians
        assert gravity == pytest.approx(sim.bias()[6 + joints], abs=1e-10)
        assert legs.angles(state.feet, range(4)) == pytest.approx(sim.q[7 + joints], abs=1e-10)
        velocity = rng.normal(size=(4, 3))
        rates = legs.rates(sim.q[7 + joints], velocity)
        assert np.einsum("nij,nj->ni", state.jacobians, rates) == pytest.approx(velocity, abs=1e-9)
    far = legs.angles(np.array([[2.0, 0.2, -1.0]]), [0])  # out of reach: stretched towards it
    assert np.isfinite(far).all() and np.hypot(*(chain(np.array(legs.lengths), far)[0][0, [0, 2]])) < 0.51


def test_sixteen_points_can_touch(starleth):
    sim = starleth.simulator()
    sim.q[2] = -1.0
    sim.step()
    assert len(sim.contacts()) == 16
    assert len(control.starleth_world(joints=False).points) == 4


def test_standing_carries_a_quarter_each(starleth):
    """Statics: without motion every foot carries m g / 4, and the torques keep the joints still."""
    sim, stand = starleth.simulator(dt=PERIOD), control.starleth_control(starleth, gait="stand")
    for k in range(100):
        sim.step(stand.control(sim, k * PERIOD))
    assert sim.contacts()["force"][:, 2] == pytest.approx([WEIGHT / 4] * 4, abs=0.05)
    assert stand.forces.sum(axis=0) == pytest.approx([0.0, 0.0, WEIGHT], abs=0.05)
    assert np.abs(sim.v).max() < 1e-3


def trot(legged, seconds, **gains):
    sim, walker = (
        legged.simulator(dt=PERIOD),
        control.starleth_control(legged, gains=control.VirtualModelGains(**gains)),
    )
    normal = []
    for k in range(round(seconds / PERIOD)):
        sim.step(walker.control(sim, k * PERIOD))
        force = np.zeros(4)
        for c in sim.contacts():
            assert c["geom_b"] in legged.points[:4]  # nothing but feet touches
            force[legged.points.index(c["geom_b"])] = c["force"][2]
        normal.append(force)
    return sim, walker, np.array(normal)


def test_trot_goes_forward_on_diagonal_pairs(starleth):
    """Momentum: over whole strides the two standing feet carry the weight; the trunk keeps height, heading and speed."""
    sim, walker, normal = trot(starleth, 3.6)
    assert (
        abs(sim.q[2] - starleth.q0[2]) < 0.01 and abs(sim.q[0] - walker.travel(3.6)[0]) < 0.03 and abs(sim.q[1]) < 0.03
    )
    assert 2 * np.abs(sim.q[3:6]).max() < 0.02
    times = PERIOD * np.arange(len(normal))
    last = times >= 2.0 - 1e-9  # two strides
    standing = np.array([[i not in walker.swinging(t) for i in range(4)] for t in times])
    assert (normal * standing)[last].sum(axis=1).mean() == pytest.approx(WEIGHT, rel=0.02)
    assert (normal * ~standing)[last].sum(axis=1).mean() < 0.02 * WEIGHT
    lifted = standing.sum(axis=1)[times > 0.41]
    assert set(lifted.tolist()) == {2}


def test_the_controller_can_be_copied_and_repeats_itself(starleth):
    sim, walker, _ = trot(starleth, 0.6)
    again, other = copy.deepcopy(walker), sim.clone()
    for k in range(240, 280):
        assert (walker.control(sim, k * PERIOD) == again.control(other, k * PERIOD)).all()
        sim.step(walker.control(sim, k * PERIOD))
        other.step(again.control(other, k * PERIOD))
    assert sim.hash() == other.hash()


@pytest.mark.parametrize("make, words", [
    (lambda: control.VirtualModelGains(stride=0.0), "stride is 0.0"),
    (lambda: control.VirtualModelGains(kp=(1.0, 2.0)), "kp is"),
    (lambda: control.VirtualModelGains(speed=float("nan")), "speed is nan"),
    (lambda: control.ForceLimits(mu=-1.0), "mu is -1.0"),
    (lambda: control.ForceLimits(weights=(1.0,)), "weights are"),
    (lambda: control.starleth_world(thigh=2.0), "thigh is 2.0"),
    (lambda: control.starleth_control(control.starleth_world(), gait="gallop"), "gait is 'gallop'"),
])  # fmt: skip
def test_bad_input_is_named(make, words):
    with pytest.raises(st.InvalidInput, match=words):
        make()
