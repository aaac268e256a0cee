# SPDX-License-Identifier: BSD-2-Clause
"""References of the walk. Oracles: the pendulum's own equation by finite differences, the sole, the published file."""

import numpy as np
import pytest

import stiction as st
from stiction import control
from stiction.control.lipm import PUBLISHED_STEPS
from stiction.control.worlds import ROMEO_SOLE

TIMES = np.arange(0.0, 4.8, 0.002)


@pytest.fixture(scope="module")
def walk():
    return control.Walk()


def test_pendulum_equation_and_continuity(walk):
    """c̈ = ω²(c − P), velocity and acceleration are derivatives, and nothing jumps but the acceleration between phases."""
    omega2 = 9.81 / 0.58
    for t in TIMES[1:-1:7]:
        c, dc, ddc = walk.com(t)
        assert ddc[:2] == pytest.approx(omega2 * (c[:2] - walk.cop(t)), abs=1e-12)
        if walk.phase(t - 1e-5) == walk.phase(t + 1e-5):
            assert (walk.com(t + 1e-5)[0] - walk.com(t - 1e-5)[0]) / 2e-5 == pytest.approx(dc, abs=1e-8)
    for end in (1.2, 2.4, 3.6):
        for i in (0, 1):
            assert walk.com(end - 1e-9)[i] == pytest.approx(walk.com(end + 1e-9)[i], abs=1e-7)


def test_pressure_is_inside_the_standing_foot_and_the_end_is_slow(walk):
    """Specification, test 28."""
    x, y = np.array(ROMEO_SOLE)[:, 0], np.array(ROMEO_SOLE)[:, 1]
    for t in TIMES:
        inside = walk.cop(t) - walk.foot(walk.stance(t), t)[0][:2]
        assert x.min() < inside[0] < x.max() and y.min() < inside[1] < y.max()
    assert np.linalg.norm(walk.com(walk.duration - 1e-9)[1]) < 5e-3
    # shift of the first one
    assert np.abs(walk.pressure[0] - PUBLISHED_STEPS[0]).max() == pytest.approx(1.4e-3, abs=1e-4)
    assert walk.com(0.0)[0] == pytest.approx([0.0, -0.096, 0.58], abs=1e-15)
    assert np.abs(walk.com(0.0)[1]).max() == 0.0


def test_feet_swing_from_rest_to_rest(walk):
    assert [walk.stance(t) for t in (0.0, 1.3, 2.5, 3.7, 9.0)] == ["right", "left", "right", "left", "left"]
    for foot, start, top in (("right", 1.2, 1.8), ("left", 2.4, 3.0)):
        for t in (start + 1e-9, start + 1.2 - 1e-9):
            p, v, _ = walk.foot(foot, t)
            assert p[2] == pytest.approx(0.0, abs=1e-12) and np.abs(v).max() < 1e-6
        assert walk.foot(foot, top)[0][2] == pytest.approx(0.05)
        p, v, a = walk.foot(foot, start + 0.37)
        h = 1e-5
        before, after = walk.foot(foot, start + 0.37 - h)[0], walk.foot(foot, start + 0.37 + h)[0]
        assert (after - before) / (2 * h) == pytest.approx(v, abs=1e-8)
        assert (after - 2 * p + before) / h**2 == pytest.approx(a, abs=1e-4)
    assert walk.foot("right", 4.8)[0] == pytest.approx([0.05, -0.096, 0.0]) and walk.foot("left", 4.8)[
        0
    ] == pytest.approx([0.10, 0.096, 0.0])


def test_wrong_plans_are_refused(walk):
    with pytest.raises(st.InvalidInput, match="steps have shape"):
        control.WalkPlan(steps=((0.0, 0.1, 0.2),))
    with pytest.raises(st.InvalidInput, match=r"height is 0.0, expected a number > 0"):
        control.WalkPlan(height=0.0)
    with pytest.raises(FileNotFoundError, match=r"not at nowhere.npz"):
        control.compare_published(walk, "nowhere.npz")
    with pytest.raises(st.InvalidInput, match="'middle', expected 'right' or 'left'"):
        walk.foot("middle", 0.0)


def test_agrees_with_the_published_file(walk, third_party):
    """Specification, section 15: within 1.3 mm and 4 mm/s (the file comes from a sampled program); the feet are the same."""
    file = third_party / "consim" / "romeo_walking_traj_tsid.npz"
    published = np.load(file)
    times = 0.002 * np.arange(published["com"].shape[1])
    apart = control.compare_published(walk, file)
    assert (
        apart["com m"] < 1.3e-3
        and apart["com m/s"] < 4e-3
        and apart["right foot m"] < 1e-12
        and apart["left foot m"] < 1e-12
    )
    for foot, key in (("right", "RF"), ("left", "LF")):
        motion = [walk.foot(foot, t) for t in times]
        for i, name in enumerate(("x", "dx", "ddx")):
            assert np.abs(np.array([m[i] for m in motion]) - published[f"{name}_{key}"].T).max() < 1e-12
    assert all(walk.stance(t) == phase for t, phase in zip(times[:-1], published["contact_phase"], strict=False))
