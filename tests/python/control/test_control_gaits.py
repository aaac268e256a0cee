# SPDX-License-Identifier: BSD-2-Clause
"""Trot and jump. Oracles: closed forms of their splines, the base's equations, and what the motion is meant to do."""

import copy

import numpy as np
import pytest

import stiction as st
from stiction import control
from stiction.control.quintic import Quintic
from stiction.rotations import rotate, rotation_error, yaw_of

UP = np.array([0.0, 0.0, 1.0])


@pytest.fixture(params=["solo12", "quadruped_small"])
def legged(request):
    if request.param == "quadruped_small":
        return control.small_quadruped_world()
    if "solo12" not in st.robots.paths():
        pytest.skip("pip install example-robot-data==6.0.0")
    return control.solo_world()


def test_quintic_meets_both_ends():
    rng = np.random.default_rng(2)
    start, end = (tuple(rng.normal(size=(3, 3))) for _ in range(2))
    spline = Quintic(start, end, 0.7)
    for t, wanted in ((0.0, start), (0.7, end)):
        assert all(a == pytest.approx(b, abs=1e-12) for a, b in zip(spline.at(t), wanted, strict=True))
    h = 1e-5
    for t in (0.1, 0.4, 0.6):
        _p, v, a = spline.at(t)
        assert (spline.at(t + h)[0] - spline.at(t - h)[0]) / (2 * h) == pytest.approx(v, abs=1e-7)
        assert (spline.at(t + h)[1] - spline.at(t - h)[1]) / (2 * h) == pytest.approx(a, abs=1e-6)
    with pytest.raises(st.InvalidInput, match=r"length of a quintic is 0.0"):
        Quintic(start, end, 0.0)


def test_rotation_error_turns_now_into_wanted():
    """Rodrigues on the error vector, applied to the axes of `now`, gives those of `wanted`."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        a, b = (x / np.linalg.norm(x) for x in rng.normal(size=(2, 4)))
        e = rotation_error(a, b)
        t = np.linalg.norm(e)
        for axis in np.eye(3):
            x = rotate(b, axis)
            turned = x * np.cos(t) + np.cross(e, x) * np.sin(t) / t + e * (e @ x) * (1 - np.cos(t)) / t**2
            assert turned == pytest.approx(rotate(a, axis), abs=1e-12)
        assert rotation_error(-a, a) == pytest.approx(np.zeros(3), abs=1e-12)
    assert yaw_of((0.0, 0.0, np.sin(0.2), np.cos(0.2))) == pytest.approx(0.4)


def test_trot_walks_forward_level_and_straight(legged):
    """3 s at 0.2 m/s: distance, height and tilt as asked; forces push; diagonal pairs carry in turn."""
    sim = legged.simulator(dt=2e-3)
    trot = control.Trot(sim, legged.feet)
    least, worst, tilt, heights, pairs = np.inf, 0.0, 0.0, [], set()
    for k in range(1500):
        s = trot.solve(sim, 2e-3 * k)
        least, worst = min(least, s.force[:, 2].min()), max(worst, s.base_residual)
        sim.step(s.torque)
        tilt = max(tilt, np.linalg.norm(rotation_error(trot.rotation0, sim.q[3:7])))
        heights.append(sim.q[2])
        pairs.add(tuple(control.touching(sim, legged.points).tolist()))
    assert worst < 1e-10 and least > 0.0
    assert sim.com()[0] == pytest.approx(trot.com0[0] + trot.travel(3.0)[0], abs=0.02) and abs(sim.q[1]) < 0.01
    assert np.ptp(heights) < 0.01 and tilt < 0.02
    assert {(True, False, False, True), (False, True, True, False), (True, True, True, True)} <= pairs


def test_trot_is_the_same_again_and_a_copy_goes_on(legged):
    """Deterministic; deepcopy takes along what it remembers of lift-off."""
    sims = [legged.simulator(dt=2e-3) for _ in range(2)]
    first = control.Trot(sims[0], legged.feet)
    for k in range(250):
        sims[0].step(first.torque(sims[0], 2e-3 * k))
    second = copy.deepcopy(first)
    sims[1].restore(sims[0].save())
    for k in range(250, 300):
        for sim, trot in zip(sims, (first, second), strict=True):
            sim.step(trot.torque(sim, 2e-3 * k))
    assert sims[0].hash() == sims[1].hash()


def test_jump_takes_off_and_lands(legged):
    """Ballistics: from the velocity at take-off the centre of mass rises by v²/2g. It lands, and stands where it stood."""
    sim = legged.simulator(dt=1e-3)
    jump = control.Jump(sim, legged.feet, legged.points)
    heights, flying = [], []
    for k in range(300):
        t = 0.01 * k
        sim.step(jump.torque(sim, t), n=10)
        heights.append(sim.com()[2])
        if jump.phase == "flight":
            flying.append(control.touching(sim, legged.points).any())
    assert list(jump.switches) == ["crouch", "push", "flight", "landing"]
    rise = jump.com0[2] + jump.gains.push_height + jump.gains.rise
    assert max(heights) == pytest.approx(rise, abs=0.03) and sum(flying) <= 2
    flight = jump.switches["landing"] - jump.switches["flight"]
    assert flight == pytest.approx(2.0 * np.sqrt(2.0 * jump.gains.rise / 9.81), abs=0.08)
    assert heights[-1] == pytest.approx(jump.com0[2], abs=2e-3) and np.abs(sim.v).max() < 1e-2


def test_jump_reference_ends_weightless(legged):
    sim = legged.simulator()
    jump = control.Jump(sim, legged.feet, legged.points)
    p, v, a = jump.reference(0.7)
    assert (
        p == pytest.approx(jump.com0 + 0.04 * UP)
        and v == pytest.approx(np.sqrt(2 * 9.81 * 0.06) * UP)
        and a == pytest.approx(-9.81 * UP)
    )


def test_landing_waits_for_the_ground(legged):
    """The floor is measured, not expected: over a pit of 0.3 m the flight lasts as much longer as the fall."""
    sim = legged.simulator(dt=1e-3)
    jump = control.Jump(sim, legged.feet, legged.points)
    for k in range(75):
        sim.step(jump.torque(sim, 0.01 * k), n=10)
    assert jump.phase == "flight"
    sim.q[2] += 0.3
    k = 75
    while jump.phase == "flight" and k < 200:
        sim.step(jump.torque(sim, 0.01 * k), n=10)
        k += 1
    assert jump.phase == "landing" and jump.switches["landing"] > 1.05


def test_wrong_arguments(legged):
    sim = legged.simulator()
    with pytest.raises(st.InvalidInput, match="feet has 3 entries"):
        control.Trot(sim, legged.feet[:3])
    with pytest.raises(st.InvalidInput, match="points has 1 entries, expected one for each of the 4 feet"):
        control.Jump(sim, legged.feet, legged.points[:1])
    with pytest.raises(st.InvalidInput, match=r"period is 0.0"):
        control.TrotGains(period=0.0)
    with pytest.raises(st.InvalidInput, match=r"rise is -1.0"):
        control.JumpGains(rise=-1.0)
    with pytest.raises(st.InvalidInput, match="'bas_link'; did you mean 'base_link'"):
        control.Trot(sim, legged.feet, base="bas_link")
