# SPDX-License-Identifier: BSD-2-Clause
"""Controllers on stiff soft contact (K = 1e5 N/m, B = 300 N s/m) at the steps that the exponential stepper is made for.

Oracles: the specification's table of stable steps (squat 40 ms, jump 10 ms, trot 2 ms; Romeo 5 ms as an aim; bounded means at
most three times the largest joint rate of the motion, here recorded from fine runs), and runs of other steppers at fine steps:
the motions are robust enough that all of them end at the same place.
"""

import numpy as np
import pytest

import stiction as st
from stiction import control
from stiction.rotations import rotation_error

PERIOD = dict(squat=0.04, jump=0.01, trot=0.002)
STEPS = dict(squat=100, jump=200, trot=750)
RATE = dict(squat=0.75, jump=19.5, trot=7.9)  # largest joint rate of our motions in fine runs [rad/s]


@pytest.fixture(params=["solo12", "quadruped_small"])
def legged(request):
    if request.param == "quadruped_small":
        return control.small_quadruped_world()
    if "solo12" not in st.robots.paths():
        pytest.skip("pip install example-robot-data==6.0.0")
    return control.solo_world()


def controller(name, sim, legged):
    if name == "squat":
        return control.Squat(sim, legged.feet)
    return control.Trot(sim, legged.feet) if name == "trot" else control.Jump(sim, legged.feet, legged.points)


def run(name, legged, dt, stepper):
    """The final state and the largest joint rate at control instants; a trunk that sinks through the floor fails."""
    sim = legged.simulator(law="anchored", stepper=stepper, dt=dt)
    made, period, fastest = controller(name, sim, legged), PERIOD[name], 0.0
    for k in range(STEPS[name]):
        sim.step(made.torque(sim, period * k), n=round(period / dt))
        fastest = max(fastest, float(np.abs(sim.v[6:]).max()))
        assert sim.com()[2] > 0.05
    return sim, fastest


@pytest.mark.parametrize("name", ["squat", "jump", "trot"])
def test_own_motions_are_stable_at_one_step_per_control(legged, name):
    sim, fastest = run(name, legged, PERIOD[name], "exponential")
    assert fastest <= 3.0 * RATE[name]
    assert np.linalg.norm(rotation_error(legged.q0[3:7], sim.q[3:7])) < 0.05
    assert abs(sim.q[2] - legged.q0[2]) < 0.035 and abs(sim.q[1]) < 0.01


def starleth():
    """A robot ten times as heavy, knees inward: legs (hip, thigh, shank) with the feet below the hips."""
    thigh = 0.75
    shank = -np.arcsin(0.2 * np.sin(thigh) / 0.235) - thigh
    fore, hind = (0.0, thigh, shank), (0.0, -thigh, -shank)
    feet = ("LH_foot", "RH_foot", "LF_foot", "RF_foot")
    q0 = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, *fore, *hind, *fore, *hind])  # joints LF, LH, RF, RH
    path = st.robots.paths()["starleth"]
    lifted = control.legged_world(path, feet, q0=q0).simulator()
    q0[2] = -min(lifted.frame_pose(foot)[0][2] for foot in feet) - 1e-5
    return control.legged_world(path, feet, q0=q0)


@pytest.mark.parametrize("name", ["squat", "jump", "trot"])
def test_another_quadruped_does_the_same(name):
    """No gain is changed for StarlETH (26.8 kg, 0.41 m)."""
    legged = starleth()
    sim, _ = run(name, legged, PERIOD[name], "exponential")
    assert np.linalg.norm(rotation_error(legged.q0[3:7], sim.q[3:7])) < 0.02
    assert abs(sim.q[2] - legged.q0[2]) < 0.035 and abs(sim.q[1]) < 0.01


@pytest.mark.parametrize("name, dt, x", [("jump", 1e-2 / 8, 5e-3), ("trot", 1e-3, 2e-3)])
def test_steppers_agree_on_where_the_motion_ends(legged, name, dt, x):
    ends = [run(name, legged, dt, "exponential")[0].q, run(name, legged, dt / 2, "exponential_midpoint")[0].q]
    assert np.abs(ends[0] - ends[1])[:3].max() < x


def test_a_recorded_trot_is_followed(legged):
    """Recorded at 1 ms, followed by joint PD at 2 ms: bounded, and it ends where the recording does."""
    sim = legged.simulator(law="anchored", stepper="exponential", dt=1e-3)
    reference = control.record_reference(
        sim, control.Trot(sim, legged.feet), period=2e-3, steps=500, kp=10.0, kd=0.2, name="trot"
    )
    assert reference.states.shape == (501, 37) and reference.mass == pytest.approx(legged.mass)
    again = legged.simulator(law="anchored", stepper="exponential", dt=2e-3)
    follow = control.LinearFeedback(again, reference, 2e-3)
    follow.start(again)
    for k in range(follow.steps):
        again.step(follow.torque(again, k))
    assert np.abs(again.q - sim.q)[:3].max() < 0.02 and np.abs(again.v).max() < 3.0 * RATE["trot"]
    with pytest.raises(st.InvalidInput, match=r"period is 0.0015 s, expected a multiple of the step 0.001 s"):
        control.record_reference(sim, control.Trot(sim, legged.feet), period=1.5e-3, steps=1, kp=0.0, kd=0.0)
    with pytest.raises(st.InvalidInput, match="steps is 0"):
        control.record_reference(sim, control.Trot(sim, legged.feet), period=2e-3, steps=0, kp=0.0, kd=0.0)


@pytest.mark.parametrize("name, bound, base", [("jump", 108.0, None), ("trot", 38.0, (0.6111, 0.1919))])
def test_published_motions_are_stable(third_party, name, bound, base):
    """Specification, test 20, and the end of the trot in section 13 (base x and z of fine runs, here at 2 ms)."""
    folder = third_party / "consim"
    legged = control.solo_world(folder / "solo12_v3.2.0.urdf")
    sim = legged.simulator(law="anchored", stepper="exponential", dt=PERIOD[name])
    follow = control.LinearFeedback(sim, control.published_reference(folder, name), PERIOD[name])
    follow.start(sim)
    fastest = 0.0
    for k in range(follow.steps):
        sim.step(follow.torque(sim, k))
        fastest = max(fastest, float(np.abs(sim.v).max()))
    assert fastest <= bound
    if base is not None:
        assert sim.q[[0, 2]] == pytest.approx(base, abs=2e-3)


def test_published_squat_ends_where_it_should(third_party):
    """Section 13: base z, x of fine runs after 4 s are 0.2563 and -0.0010."""
    file = third_party / "consim" / "solo12_v3.2.0.urdf"
    sim, fastest = run("squat", control.solo_world(file), 1e-3, "exponential_midpoint")
    assert sim.q[[2, 0]] == pytest.approx((0.2563, -0.0010), abs=1e-4) and fastest <= 5.0


def test_romeo_walks_at_5_ms():
    """The aim of the specification: two steps, the base above 80 % of its start, feet within 20 mm of their paths."""
    pytest.importorskip("proxsuite", reason="pip install proxsuite==0.8.0")
    if "romeo_small" not in st.robots.paths():
        pytest.skip("pip install example-robot-data==6.0.0")
    legged = control.romeo_world()
    sim = legged.simulator(law="anchored", stepper="exponential", dt=5e-3)
    walking, lowest, worst = control.WalkingController(sim, legged.feet), np.inf, 0.0
    for k in range(157):
        sim.step(walking.torque(sim, 0.04 * k), n=8)
        lowest = min(lowest, sim.q[2] / legged.q0[2])
        for side, frame in walking.feet.items():
            worst = max(
                worst, float(np.linalg.norm(sim.frame_pose(frame)[0] - walking.foot_reference(side, 0.04 * (k + 1))[0]))
            )
    assert lowest > 0.8 and worst < 0.02
    assert sim.frame_pose("r_ankle")[0][0] - walking.shift[0] == pytest.approx(0.05, abs=0.01)
    assert sim.frame_pose("l_ankle")[0][0] - walking.shift[0] == pytest.approx(0.10, abs=0.01)
