# SPDX-License-Identifier: BSD-2-Clause
"""Linear feedback along references. Oracles: closed forms on a constructed reference; the published motions where the data is."""

import numpy as np
import pytest

import stiction as st
from stiction import control
from stiction.control.feedback import BASE_DROP
from stiction.control.worlds import SOLO_MASS


@pytest.fixture
def legged():
    return control.small_quadruped_world()


@pytest.fixture
def consim(third_party):
    return third_party / "consim"


def ramp(legged, periods=3):
    """The base moves and turns at a constant body velocity, joints at a constant rate; gains pick out single errors."""
    sim = legged.simulator()
    d = np.concatenate([[0.1, 0.0, 0.02, 0.0, 0.0, 0.5], np.linspace(-1.0, 1.0, 12)])
    q = [sim.integrate(legged.q0, 0.01 * i * d) for i in range(periods + 1)]
    v = [(1.0 + i) * d for i in range(periods + 1)]
    gains = np.zeros((periods, 12, 36))
    gains[:, range(12), range(6, 18)] = 3.0
    gains[:, range(12), range(24, 36)] = 0.5
    controls = np.arange(periods * 12.0).reshape(periods, 12)
    return d, control.Reference(np.hstack([q, v]), controls, gains)


def test_interpolation_is_on_the_manifold(legged):
    d, reference = ramp(legged)
    sim = legged.simulator()
    follow = control.LinearFeedback(sim, reference, 2e-3)
    assert follow.steps == 15
    for k in range(15):
        q, v = follow.states[k][:19], follow.states[k][19:]
        assert sim.difference(legged.q0, q) == pytest.approx(0.002 * k * d, abs=1e-13)
        assert v == pytest.approx((1.0 + k / 5) * d, abs=1e-13)


def test_torques_are_feedforward_plus_gains_times_error(legged):
    d, reference = ramp(legged)
    sim = legged.simulator()
    follow = control.LinearFeedback(sim, reference, 5e-3)
    follow.start(sim)
    assert follow.torque(sim, 0) == pytest.approx(reference.controls[0], abs=1e-12)
    # at instant 3 (15 ms) the reference is ahead by 15 ms of the motion and by 1.5 times the velocity
    expected = reference.controls[1] + 3.0 * 0.015 * d[6:] + 0.5 * 1.5 * d[6:]
    assert follow.torque(sim, 3) == pytest.approx(expected, abs=1e-12)
    assert follow.torque(sim, 1000) == pytest.approx(follow.torque(sim, 5), abs=0.0)  # the last ones stay


def test_wrong_references_are_refused(legged, tmp_path):
    _, good = ramp(legged)
    sim = legged.simulator()
    with pytest.raises(st.InvalidInput, match="do not fit"):
        control.Reference(good.states, good.controls[:2], good.gains)
    with pytest.raises(st.InvalidInput, match="finite"):
        control.Reference(good.states * np.nan, good.controls, good.gains)
    with pytest.raises(st.InvalidInput, match=r"period is 0.003 s, expected a part of the reference's 0.01 s"):
        control.LinearFeedback(sim, good, 3e-3)
    with pytest.raises(st.InvalidInput, match=r"control period is 0.0"):
        control.LinearFeedback(sim, good, 0.0)
    with pytest.raises(st.InvalidInput, match="sizes"):
        control.LinearFeedback(sim, control.Reference(good.states[:, 1:], good.controls, good.gains), 0.01)
    with pytest.raises(st.InvalidInput, match=r"jump_reference_states.npy"):
        control.published_reference(tmp_path, "jump")
    with pytest.raises(st.InvalidInput, match="'backflip', expected one of jump trot"):
        control.published_reference(tmp_path, "backflip")


def test_another_mass_is_refused_and_both_masses_are_named(legged):
    _, good = ramp(legged)
    other = control.Reference(good.states, good.controls, good.gains, name="jump", mass=SOLO_MASS)
    with pytest.raises(st.InvalidInput, match=r"jump was made for a robot of 2.978 kg .*this one weighs 2.508 kg"):
        control.LinearFeedback(legged.simulator(), other, 0.01)


def test_files_are_read_and_lowered(legged, tmp_path):
    _, good = ramp(legged)
    for kind, array in (
        ("reference_states", good.states),
        ("reference_controls", good.controls),
        ("feedback", good.gains),
    ):
        np.save(tmp_path / f"trot_{kind}.npy", array)
    read = control.load_reference(tmp_path, "trot", drop=0.01)
    assert np.abs(good.states[:, 2] - 0.01 - read.states[:, 2]).max() == 0.0
    assert read.duration == pytest.approx(0.03)


@pytest.mark.parametrize("name, samples, height", [("jump", 300, 0.0), ("trot", 301, -5e-5)])
def test_published_motions_fit_their_robot_only(consim, name, samples, height):
    reference = control.published_reference(consim, name)
    assert reference.states.shape == (samples, 37) and BASE_DROP[name] > 0.0
    legged = control.solo_world(consim / "solo12_v3.2.0.urdf")
    assert legged.mass == pytest.approx(SOLO_MASS, abs=1e-3)
    sim = legged.simulator()
    follow = control.LinearFeedback(sim, reference, 0.01 if name == "jump" else 0.002)
    follow.start(sim)
    assert np.abs(np.array([sim.frame_pose(f)[0][2] for f in legged.feet]) - height).max() < 2e-4
    if "solo12" not in st.robots.paths():
        pytest.skip("pip install example-robot-data==6.0.0")
    with pytest.raises(st.InvalidInput, match=r"2.978 kg .*this one weighs 2.500 kg"):
        control.LinearFeedback(control.solo_world().simulator(), reference, 0.01)
