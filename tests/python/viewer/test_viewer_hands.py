# SPDX-License-Identifier: BSD-2-Clause
"""Widgets of the viewer under quick hands. Oracles: what the track was told, in the order in which it was clicked."""

import threading
import time

import pytest

import stiction as st
from viewer_client import Hand

pytest.importorskip("viser")
pytestmark = pytest.mark.xdist_group("viewer")  # one server at a time


def wait_until(condition, seconds=60.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "did not happen"
        time.sleep(0.01)


def test_clicks_are_done_in_the_order_they_were_made():
    """A list of what the track was told: viser's pool of threads would mix them up, or take one for its successor."""
    with st.view(st.scene("cube_slide"), port=0) as viewer, Hand(viewer) as hand:
        track, told = viewer.tracks[0], []
        for name in ("step", "back"):
            method = getattr(track, name)
            setattr(track, name, lambda name=name, method=method: (told.append(name), method())[1])
        clicks = 20 * [("Step", "step"), ("Step", "step"), ("Step back", "back")]
        for button, _ in clicks:
            hand.use("Move", button)
        wait_until(lambda: len(told) == len(clicks))
        assert told == [name for _, name in clicks]
        viewer.player.wait()
        assert track.now.step == 20


def test_restart_takes_the_method_of_its_click():
    """Every choice is followed by its Restart and at once by the next choice."""
    with st.view(st.scene("cube_slide"), port=0) as viewer, Hand(viewer) as hand:
        track, told = viewer.tracks[0], []
        restart = track.restart
        track.restart = lambda law, *rest: (told.append(law), restart(law, *rest))[1]
        laws = 10 * ["convex", "anchored", "coulomb"]
        for law in laws:
            hand.use("Law", law)
            hand.use("Restart", True)
        wait_until(lambda: len(told) == len(laws))
        assert told == laws


def test_last_place_of_a_slider_stays():
    with st.view(st.scene("anymal_stand"), port=0) as viewer, Hand(viewer) as hand:
        track = viewer.tracks[0]
        for i in range(200):
            hand.use("LF_HFE", 0.001 * i)
        wait_until(lambda: track.given.target is not None and track.given.target[1] == pytest.approx(0.199))
        time.sleep(0.2)  # for those that come late
        viewer.player.wait()
        assert track.given.target[1] == pytest.approx(0.199)


def test_second_click_on_play_changes_nothing():
    """Both come before the player has had time for the first, so that the button still says Play."""
    with st.view(st.scene("cube_slide"), port=0) as viewer, Hand(viewer) as hand:
        busy = threading.Event()
        viewer.player.do(busy.wait)
        for _ in range(2):
            hand.use("Play", True)
        hand.use("Speed", "2x")
        wait_until(lambda: viewer.player.speed == 2.0)  # what was sent before has arrived as well
        busy.set()
        viewer.player.wait()
        assert viewer.player.playing
