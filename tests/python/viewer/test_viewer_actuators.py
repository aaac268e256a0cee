# SPDX-License-Identifier: BSD-2-Clause
"""Sliders of actuators and keyframes. Oracle: a simulator that is given the same ctrl, and what the file says."""

import time

import numpy as np
import pytest

import stiction as st
from mjcf_files import servo_scene
from viewer_client import Hand, widgets

pytest.importorskip("viser")
pytestmark = pytest.mark.xdist_group("viewer")  # one server at a time


@pytest.fixture
def sim(tmp_path):
    world = st.World()
    world.add_mjcf(servo_scene(tmp_path))
    return st.Simulator(world)


def wait_until(condition):
    end = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < end, "did not happen"
        time.sleep(0.01)


def test_ranges_are_those_of_the_file(sim):
    assert sim.ctrl_limits.tolist() == [[-1.0, 1.5], [-np.inf, np.inf]]
    with st.view(sim, port=0) as viewer:
        [lift], [turn] = widgets(viewer, "lift"), widgets(viewer, "turn")
        assert (lift.min, lift.max, lift.value) == (-1.0, 1.5, 0.0)
        assert turn.min < 0.0 < turn.max
        assert widgets(viewer, "shoulder") == []  # no sliders of joints beside those of the actuators


def test_slider_gives_ctrl(sim):
    with st.view(sim, port=0) as viewer, Hand(viewer) as hand:
        track = viewer.tracks[0]
        hand.use("lift", 0.5)
        wait_until(lambda: track.given.ctrl == (0.5, 0.0))
        viewer.run(0.1)
        sim.ctrl[:] = (0.5, 0.0)
        sim.step(n=track.now.step)
        assert track.sim.hash() == sim.hash()
        viewer.back()
        viewer.step()
        assert track.sim.hash() == sim.hash()


def test_keyframe_is_a_start(sim):
    """Its ctrl is that of the sliders; Reset goes there; another method begins there."""
    with st.view(sim, port=0) as viewer, Hand(viewer) as hand:
        track, [lift] = viewer.tracks[0], widgets(viewer, "lift")
        hand.use("lift", -0.5)
        wait_until(lambda: track.given.ctrl is not None)
        viewer.run(0.05)
        hand.use("Keyframe", "low")
        hand.use("Start here", True)
        wait_until(lambda: lift.value == 1.0)
        viewer.player.wait()
        np.testing.assert_array_equal(track.sim.q, (1.0, 0.0))
        np.testing.assert_array_equal(track.sim.ctrl, (1.0, 0.0))
        viewer.run(0.05)
        assert track.sim.ctrl[0] == 1.0  # not what the slider was before
        viewer.reset()
        np.testing.assert_array_equal(track.sim.q, (1.0, 0.0))
        track.restart("convex", "auto", "auto", 1e-3)
        np.testing.assert_array_equal(track.sim.q, (1.0, 0.0))
