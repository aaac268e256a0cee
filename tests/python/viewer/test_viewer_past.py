# SPDX-License-Identifier: BSD-2-Clause
"""Tracks of the viewer: back, forth and again. Oracle: hashes of states (the past is exact)."""

from dataclasses import replace

import numpy as np
import pytest

import stiction as st
from stiction.viewer.live import LiveTrack

pytest.importorskip("viser")


def test_stepping_back_is_exact_to_the_last_bit():
    track = LiveTrack(st.scene("starleth_push"))
    twin = st.scene("starleth_push")
    hashes = [twin.hash()]
    for _ in range(30):
        twin.step()
        hashes.append(twin.hash())
    dt = track.sim.dt
    for end in (10, 25, 30):
        track.advance_to(end * dt, 1e9)
        assert track.sim.hash() == hashes[end]
    for k in range(29, -1, -1):
        assert track.back()
        assert (track.now.step, track.sim.hash()) == (k, hashes[k])
    assert not track.back()


def test_pull_is_part_of_the_past_and_of_the_future():
    track = LiveTrack(st.scene("anymal_stand"))
    free = LiveTrack(st.scene("anymal_stand"))
    track.given = replace(track.given, body=0, force=(0.0, 60.0, 0.0))
    for some in (track, free):
        some.advance_to(0.2, 1e9)
    assert track.now.poses[0, 1] > free.now.poses[0, 1] + 1e-4
    seen = track.sim.hash()
    track.given = replace(track.given, body=-1)
    track.back()
    track.go(track.at + 1)
    assert track.sim.hash() == seen


def test_joint_targets_move_the_joints_and_hold_survives_a_restart():
    """A stiff PD in the air brings every joint near to its target."""
    world = st.World()
    st.robots.load("quadruped_small", world, position=(0, 0, 1), fixed=True)
    track = LiveTrack(st.Simulator(world))
    track.hold(200.0, 10.0)
    target = track.sim.pd_target + 0.2
    track.given = replace(track.given, target=tuple(target))
    track.advance_to(2.0, 1e9)
    np.testing.assert_allclose(track.sim.q, target, atol=0.05)
    track.restart("convex", "auto", "auto", 1e-3)
    assert len(track.sim.pd_target) == track.sim.ntau


def test_scrubbing_then_running_forgets_the_old_future():
    track = LiveTrack(st.scene("cube_slide"))
    for i in range(1, 11):
        track.advance_to(0.01 * i, 1e9)
    track.go(5)
    time = track.now.time
    track.step()
    assert len(track) == 7 and track.now.time == pytest.approx(time + track.sim.dt)


def test_restart_with_another_method_begins_at_the_start_and_refusals_change_nothing():
    track = LiveTrack(st.scene("anymal_stand"))
    track.advance_to(0.1, 1e9)
    before = track.sim.hash()
    with pytest.raises(ValueError):
        track.restart("convex", "lemke", "auto", 1e-3)
    assert track.sim.hash() == before and len(track) == 2
    track.restart("convex", "auto", "auto", 1e-3)
    assert (track.sim.law, track.sim.dt, track.now.time, len(track)) == ("convex", 1e-3, 0.0, 1)
    np.testing.assert_array_equal(track.sim.pd_target, st.scene("anymal_stand").pd_target)
