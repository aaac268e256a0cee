# SPDX-License-Identifier: BSD-2-Clause
"""Time per stage of a step. Oracle: the clock around it, and that measuring changes no bits."""

import time

import stiction as st


def test_stages_add_up_to_the_time_of_the_steps():
    sim = st.scene("pile")
    sim.step(n=5)
    sim.profile()
    start = time.perf_counter()
    sim.step(n=40)
    spent = time.perf_counter() - start
    stages = sim.stage_times()
    assert 0.5 * spent < sum(stages.values()) <= spent
    assert max(stages, key=stages.get) in ("solve", "assemble", "detect")


def test_off_at_first_and_off_again():
    sim = st.scene("cube_slide")
    sim.step(n=10)
    assert set(sim.stage_times().values()) == {0.0}
    sim.profile()
    sim.step(n=10)
    assert sum(sim.stage_times().values()) > 0
    sim.profile(False)
    assert set(sim.stage_times().values()) == {0.0}
    sim.step(n=10)
    assert set(sim.stage_times().values()) == {0.0}


def test_measuring_changes_no_bits():
    plain, measured = st.scene("pile"), st.scene("pile")
    measured.profile()
    plain.step(n=50), measured.step(n=50)
    assert plain.hash() == measured.hash()


def test_other_steppers_tell_their_whole_time_as_rest():
    sim = st.scene("cube_slide", stepper="moreau")
    sim.profile()
    sim.step(n=20)
    stages = sim.stage_times()
    assert stages["rest"] > 0 and sum(stages.values()) == stages["rest"]
