# SPDX-License-Identifier: BSD-2-Clause
"""Same bits. Oracle: simulators that are stepped alone, one per environment."""

import numpy as np
import pytest

import stiction as st
from batch_worlds import STEPPERS, anymal, hashes, hopper, scatter

SCENES = [entry.name for entry in st.catalog()["scenes"]]


def compare(sim, n=5, threads=2, rounds=4, steps=5, drive=lambda k: {}):
    """Batch and simulators alone, from different velocities; `drive(k)`: arguments of round k, rows per environment."""
    batch = st.BatchSimulator(sim, n, threads)
    scatter(batch)
    alone = [batch[i] for i in range(n)]
    for k in range(rounds):
        rows = drive(k)
        report = batch.step(n=steps, **rows)
        for i, one in enumerate(alone):
            if "ctrl" in rows:
                one.ctrl = rows["ctrl"][i]
            single = one.step(n=steps, **{key: x[i] for key, x in rows.items() if key != "ctrl"})
            told = (report.status[i], report.steps[i], report.unaccepted[i], report.contacts[i], report.residual[i])
            assert told == (single.status, single.steps, single.unaccepted, single.contacts, single.own.natural)
    assert hashes(batch) == [one.hash() for one in alone]
    assert len(set(hashes(batch))) == n, "the environments differ"
    assert np.array_equal(batch.time, [one.time for one in alone])
    return batch


@pytest.mark.parametrize("name", SCENES)
def test_environments_are_simulators(name):
    """With what drives the scene."""
    big = name in ("kapla", "pile")
    compare(st.scene(name), n=3 if big else 5, rounds=2 if big else 4, steps=3 if big else 10)


@pytest.mark.parametrize(("law", "stepper"), STEPPERS)
def test_every_stepper(law, stepper):
    compare(st.scene("heavy_on_light", law=law, stepper=stepper), n=3)


def test_all_steppers_are_among_them():
    assert {stepper for _, stepper in STEPPERS} == {entry.name for entry in st.catalog()["steppers"]}


@pytest.mark.parametrize("coordinates", ["extended", "maximal"])
def test_cut_joints(coordinates):
    compare(anymal(coordinates=coordinates), n=3)


def test_actuators_with_activations():
    rng = np.random.default_rng(1)
    batch = compare(hopper(), rounds=20, drive=lambda k: {"ctrl": rng.uniform(-1, 1, (5, 2))})
    assert batch.act.shape == (5, 1) and np.ptp(batch.act) > 0.01
    assert batch.ctrl.shape == (5, 2) and np.ptp(batch.ctrl) > 0.1


def test_targets_and_efforts():
    sim, rng = anymal(), np.random.default_rng(2)
    posture = np.array(sim.pd_target)
    compare(
        sim, drive=lambda k: {"target": posture + rng.uniform(-0.2, 0.2, (5, 12)), "tau": rng.uniform(-1, 1, (5, 12))}
    )


def test_one_row_is_for_all():
    sim = hopper()
    one, each = st.BatchSimulator(sim, 3, 1), st.BatchSimulator(sim, 3, 1)
    one.step(ctrl=[0.3, -0.2], n=5)
    each.step(ctrl=np.tile([0.3, -0.2], (3, 1)), n=5)
    assert one.hash() == each.hash() and np.array_equal(one.ctrl[1], [0.3, -0.2])


@pytest.mark.parametrize("make", [anymal, hopper])
def test_threads_and_places(make):
    order = np.random.default_rng(3).permutation(37)
    wanted = None
    for threads in (1, 2, 3):
        batch = st.BatchSimulator(make(), 37, threads)
        scatter(batch, size=0.3)
        moved = st.BatchSimulator(make(), 37, threads)
        moved.q, moved.v = batch.q[order], batch.v[order]
        for _ in range(6):
            batch.step(n=7)
            moved.step(n=7)
        wanted = wanted or hashes(batch)
        assert hashes(batch) == wanted, threads
        assert [wanted[i] for i in order] == hashes(moved), threads


def test_a_batch_of_one_and_of_many():
    many, one = st.BatchSimulator(anymal(), 300, 2), st.BatchSimulator(anymal(), 1, 1)
    scatter(many)
    one.v[0] = many.v[213]
    many.step(n=20)
    one.step(n=20)
    assert one[0].hash() == many[213].hash()


def test_restore_in_the_middle():
    batch = st.BatchSimulator(anymal(), 9, 2)
    scatter(batch)
    batch.step(n=20)
    middle, state = batch.save(), batch.hash()
    batch.step(n=20)
    end = batch.hash()
    assert end != state
    batch.restore(middle)
    assert batch.hash() == state and batch.save() == middle
    batch.step(n=20)
    assert batch.hash() == end
    other = st.BatchSimulator(anymal(), 9, 1)
    other.restore(middle)
    for _ in range(20):
        other.step()
    assert other.hash() == end, "elsewhere, step by step"


def test_rollouts_are_batches():
    sim = anymal()
    posture = np.array(sim.pd_target)
    targets = posture + np.random.default_rng(5).uniform(-0.2, 0.2, (6, 15, 12))
    batch = st.BatchSimulator(sim, 6, 2)
    scatter(batch)
    states = st.rollout(sim, np.hstack([batch.q, batch.v]), targets=targets)
    for k in range(15):
        batch.step(target=targets[:, k])
        assert np.array_equal(states[:, k], np.hstack([batch.q, batch.v]))


def test_pushes_last_for_one_call():
    """Against a simulator that is pushed alike; environment 1 is left alone."""
    sim = anymal()
    batch = st.BatchSimulator(sim, 3, 2)
    force = np.array([[30.0, 0, 0], [0, 0, 0], [0, 40, 0]])
    batch.apply_wrench("base", force, torque=(0, 0, 2.0), mask=[True, False, True])
    batch.apply_wrench("base", (0, 0, 5.0), point=(0.1, 0, 0.5), mask=[2])
    alone = [sim.clone() for _ in range(3)]
    alone[0].apply_wrench("base", force[0], (0, 0, 2.0))
    alone[2].apply_wrench("base", force[2], (0, 0, 2.0))
    alone[2].apply_wrench("base", (0, 0, 5.0), point=(0.1, 0, 0.5))
    for _ in range(2):
        batch.step(n=5)
        for one in alone:
            one.step(n=5)
    assert hashes(batch) == [one.hash() for one in alone] and len(set(hashes(batch))) == 3
