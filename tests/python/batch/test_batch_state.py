# SPDX-License-Identifier: BSD-2-Clause
"""Views, reset, seeds, copies, memory. Oracle: identities, NumPy's own views, the size of the process."""

import copy
import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import stiction as st
from batch_worlds import anymal, hashes, hopper, scatter


def test_arrays_are_views_of_one_block():
    batch = st.BatchSimulator(hopper(), 4, 1)
    assert len(batch) == 4 and batch.q.shape == (4, 9) and batch.v.shape == (4, 8) and batch.time.shape == (4,)
    q, v, time = batch.q, batch.v, batch.time
    places = [x.ctypes.data for x in (batch.q, batch.v, batch.ctrl, batch.act, batch.time)]
    assert all(place % 64 == 0 for place in places) and places == sorted(places)
    assert places[-1] - places[0] < 2000, "one block"
    batch.q[2, 2] = 3.0
    batch.step(n=3)
    assert q[2, 2] != 3.0 and np.shares_memory(q, batch.q), "an old view shows the new state"
    assert np.allclose(time, 3 * batch.dt) and v[0, 2] != 0.0
    del batch
    assert q[2, 2] > 2.9, "views keep the batch alive"


def test_dlpack_reads_without_a_copy():
    batch = st.BatchSimulator(hopper(), 4, 1)
    for x in (batch.q, batch.v, batch.ctrl, batch.act, batch.time):
        other = np.from_dlpack(x)
        assert np.shares_memory(other, x) and other.shape == x.shape
    np.from_dlpack(batch.ctrl)[1, 0] = 0.7
    assert batch.ctrl[1, 0] == 0.7


def test_reset_is_the_start_bit_for_bit():
    sim = anymal()
    sim.step(n=30)  # with contact memory and a clock
    batch = st.BatchSimulator(sim, 6, 2)
    start = hashes(batch)
    assert start == [sim.hash()] * 6
    scatter(batch)
    batch.step(n=10)
    moved = hashes(batch)
    batch.reset([False, True, False, False, True, False])
    assert hashes(batch) == [moved[0], start[1], moved[2], moved[3], start[4], moved[5]]
    assert np.array_equal(batch.time > sim.time, [True, False, True, True, False, True])
    batch.reset([0, -1])
    assert hashes(batch) == [start[0], start[1], moved[2], moved[3], start[4], start[5]]
    batch.reset([])
    assert hashes(batch)[2] == moved[2]
    batch.reset()
    assert hashes(batch) == start


def test_reset_drops_pushes():
    batch = st.BatchSimulator(anymal(), 2, 1)
    batch.apply_wrench("base", (500.0, 0, 0))
    batch.reset([0])
    batch.step()
    fresh = st.BatchSimulator(anymal(), 1, 1)
    fresh.step()
    assert batch[0].hash() == fresh[0].hash() != batch[1].hash()


def test_gains_stay_and_the_target_is_the_starts():
    world = st.World()
    robot = st.robots.load("solo12", world)
    batch = st.BatchSimulator(st.Simulator(world), 3, 1)
    with pytest.raises(st.InvalidInput, match=r"step\.target needs gains"):
        batch.step(target=np.zeros(12))
    kp = np.full((3, 12), 5.0) + np.arange(3)[:, None]
    batch.set_pd(kp, kd=0.1)
    batch.step(target=np.full(12, 0.3), n=5)
    batch.reset()
    assert np.array_equal(batch[2].pd_target, [batch.simulator.joints()[name] for name in robot.joint_names])
    alone = st.Simulator(world)
    alone.set_pd(kp[2], kd=0.1)
    assert batch[2].hash() == alone.hash()
    batch.clear_pd()
    with pytest.raises(st.InvalidInput, match="needs gains"):
        batch.step(target=np.zeros(12))


def test_noise_depends_on_seed_place_and_draw_alone():
    all_at_once, one_by_one = st.BatchSimulator(anymal(), 8, 1), st.BatchSimulator(anymal(), 8, 2)
    all_at_once.reset(noise=0.05, seed=7)
    first = hashes(all_at_once)
    assert len(set(first)) == 8
    for i in (5, 2, 7, 0, 1, 3, 6, 4):
        one_by_one.reset([i], noise=0.05, seed=7)
    assert hashes(one_by_one) == first
    all_at_once.reset([3], noise=0.05)
    assert all_at_once[3].hash() != first[3], "the next draw is another one"
    one_by_one.reset(np.arange(8) == 3, noise=0.05)
    assert one_by_one.hash() == all_at_once.hash()
    again = st.BatchSimulator(anymal(), 8, 1)
    again.restore(all_at_once.save())
    again.reset(noise=0.05)
    all_at_once.reset(noise=0.05)
    assert again.hash() == all_at_once.hash(), "what was drawn is saved"
    all_at_once.reset(noise=0.05, seed=7)
    assert hashes(all_at_once) == first


def test_noise_stays_on_the_manifold_and_within_its_bounds():
    sim = anymal()
    batch = st.BatchSimulator(sim, 200, 1)
    batch.reset(noise={"q": 0.1}, seed=1)
    assert np.array_equal(batch.v, np.tile(sim.v, (200, 1))) and np.allclose(np.linalg.norm(batch.q[:, 3:7], axis=1), 1)
    away = np.array([batch[i].difference(sim.q, batch.q[i]) for i in range(200)])
    assert np.abs(away).max() <= 0.1 + 1e-12 and (np.abs(away).max(axis=0) > 0.09).all()
    assert np.abs(away.mean(axis=0)).max() < 5 * 0.1 / np.sqrt(3 * 200)
    scale = np.zeros(sim.nv)
    scale[2] = 0.5
    batch.reset(noise={"v": scale})
    assert np.array_equal(batch.q, np.tile(sim.q, (200, 1)))
    assert np.ptp(batch.v[:, 2]) > 0.9 and np.ptp(np.delete(batch.v, 2, axis=1), axis=0).max() == 0


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
@pytest.mark.parametrize("make", [hopper, lambda: st.scene("starleth_push")])
def test_copies_go_on_with_the_same_bits(make, copied):
    batch = st.BatchSimulator(make(), 5, 2)
    batch.reset(noise=0.01, seed=3)
    batch.step(n=7)
    other = copied(batch)
    assert other is not batch and len(other) == 5 and other.threads == 2 and other.hash() == batch.hash()
    for x in (batch, other):
        x.step(n=9)
        x.reset([1, 2], noise=0.01)
        x.step(n=3)
    assert other.hash() == batch.hash()


def test_one_environment_is_a_copy_and_can_be_put_back():
    batch = st.BatchSimulator(anymal(), 3, 1)
    one = batch[1]
    assert isinstance(one, st.Simulator) and one.scene == "anymal_stand"
    one.step(n=10)
    assert batch.time[1] == 0.0
    batch[-2] = one
    assert batch[1].hash() == one.hash() and batch.time[1] == one.time and np.array_equal(batch.q[1], one.q)
    batch.restore(one.save(), mask=[0])
    assert hashes(batch)[0] == one.hash() != hashes(batch)[2]
    assert len(list(batch)) == 3
    for wrong in (3, -4):
        with pytest.raises(IndexError, match="of a batch of 3"):
            batch[wrong]


def test_memory_per_environment():
    """Bar: 25 kB per quadruped beyond the first. Oracle: resident memory of a process that makes and steps them."""
    found = subprocess.run(
        [sys.executable, "-c", textwrap.dedent("""
            import stiction as st
            resident = lambda: 4096 * int(open("/proc/self/statm").read().split()[1])
            sim = st.scene("anymal_stand")
            first = st.BatchSimulator(sim, 1, 2)
            first.step(n=200)
            before = resident()
            batch = st.BatchSimulator(sim, 4000, 2)
            batch.reset(noise=0.3, seed=1)
            for _ in range(3):
                batch.step(n=20)
            after = resident()
            for _ in range(10):
                batch.step(n=2)
            print((after - before) / 4000, resident() - after)
            """)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    each, growth = map(float, found.stdout.split())
    assert 500 < each < 25e3
    assert growth < 4e6
