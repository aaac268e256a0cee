# SPDX-License-Identifier: BSD-2-Clause
"""Same bits. Oracle: the run itself, made again from a blob, in another simulator, on other threads, elsewhere in a batch."""

import numpy as np
import pytest

import stiction as st

SCENES = [entry.name for entry in st.catalog()["scenes"]]
STEPS = {"kapla": 15, "pile": 40}


def steps_of(name):
    return STEPS.get(name, 120)


@pytest.mark.parametrize("name", SCENES)
def test_restore_and_repeat(name):
    n = steps_of(name)
    sim = st.scene(name)
    start = sim.save()
    sim.step(n=n)
    middle, state = sim.save(), sim.hash()
    sim.step(n=n)
    end = sim.hash()
    assert end != state

    sim.restore(middle)
    assert sim.hash() == state and sim.save() == middle
    sim.step(n=n)
    assert sim.hash() == end, "from the middle"
    sim.restore(start)
    for _ in range(2 * n):
        sim.step()
    assert sim.hash() == end, "step by step from the start"
    other = st.scene(name)
    other.restore(middle)
    other.step(n=n)
    assert other.hash() == end, "in another simulator"


@pytest.mark.parametrize("name", SCENES)
def test_threads_and_place_in_the_batch(name):
    n = steps_of(name)
    sim = st.scene(name)
    hash_before = sim.hash()
    start = np.concatenate([sim.q, sim.v])
    states = np.tile(start, (4, 1))
    states[:, sim.nq] += [0.0, 1e-3, 2e-3, 3e-3]  # different velocities of the first coordinate
    one = st.rollout(sim, states, steps=n, threads=1)
    two = st.rollout(sim, states, steps=n, threads=2)
    assert np.isfinite(one).all() and np.array_equal(one, two)
    reverse = st.rollout(sim, states[::-1], steps=n, threads=2)
    assert np.array_equal(one, reverse[::-1])
    alone = st.rollout(sim, states[2:3], steps=n, threads=2)
    assert np.array_equal(one[2], alone[0])
    assert not np.array_equal(one[0], one[1])
    assert sim.hash() == hash_before, "the simulator itself does not move"


@pytest.mark.parametrize("law", [entry.name for entry in st.catalog()["laws"]])
def test_rollout_from_blobs_continues_the_run(law):
    sim = st.scene("anymal_stand", law=law)
    sim.step(n=50)
    blob = sim.save()
    states, unaccepted = st.rollout(sim, [blob, blob], steps=30, return_unaccepted=True)
    sim.step(n=30)
    assert np.array_equal(states[0, -1], np.concatenate([sim.q, sim.v]))
    assert np.array_equal(states[0], states[1]) and len(unaccepted) == 2


def test_rollout_with_targets_is_stepping_with_targets():
    sim = st.scene("anymal_stand")
    start = np.concatenate([sim.q, sim.v])
    posture = sim.pd_target
    targets = posture + 0.05 * np.sin(np.arange(40)[:, None] * 0.1 + np.arange(posture.size))
    states = st.rollout(sim, start[None], targets=targets[None], threads=1)
    for i in range(40):
        sim.step(target=targets[i])
        assert np.array_equal(states[0, i], np.concatenate([sim.q, sim.v]))


def test_hash_sees_every_number():
    sim = st.scene("cube_slide")
    before = sim.hash()
    sim.q[0] = np.nextafter(sim.q[0], 1.0)
    assert sim.hash() != before
