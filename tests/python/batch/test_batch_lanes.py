# SPDX-License-Identifier: BSD-2-Clause
"""Environments side by side in SIMD lanes. Oracle: the same batch with STICTION_LANES=off, whose environments are simulators stepped alone
(test_batch_bits)."""

import numpy as np
import pytest

import stiction as st
from batch_worlds import anymal, hashes, hopper, scatter
from repository import ROOT

WIDTH = {"sse2": 2, "avx2": 4, "avx512": 8}
SCENES = [entry.name for entry in st.catalog()["scenes"]]
BIG = ("kapla", "pile")
ROBOTS = ("anymal_prim", "quadruped_small", "starleth")
MENAGERIE = ("unitree_h1", "booster_t1", "google_barkour_vb", "kinova_gen3", "trossen_wx250s")


@pytest.fixture(params=WIDTH)
def lanes(request, monkeypatch):
    """lanes(name, sim, …): a batch with the instruction set; `lanes.name` is the one of this test."""

    def make(name, *arguments):
        monkeypatch.setenv("STICTION_LANES", name)
        return st.BatchSimulator(*arguments)

    make.name = request.param
    try:
        make(make.name, anymal(), 1, 1)
    except ValueError as lack:
        if "lacks" not in str(lack):
            raise
        pytest.skip(f"this machine has no {make.name}")
    return make


def compare(lanes, sim, n, rounds=4, steps=5, threads=2, drive=lambda k: {}, size=0.02):
    pair = [lanes(name, sim, n, threads) for name in (lanes.name, "off")]
    assert pair[1].lanes == 1
    scatter(pair[0], size=size)
    pair[1].v[:] = pair[0].v
    for k in range(rounds):
        here, there = (batch.step(n=steps, **drive(k)) for batch in pair)
        for field in ("status", "steps", "unaccepted", "contacts", "residual"):
            assert np.array_equal(getattr(here, field), getattr(there, field)), field
    assert hashes(pair[0]) == hashes(pair[1])
    assert pair[0].save() == pair[1].save()
    return pair[0]


@pytest.mark.parametrize("name", SCENES)
def test_scenes(lanes, name):
    big = name in BIG
    compare(lanes, st.scene(name), 2 if big else 11, rounds=1 if big else 3, steps=1 if big else 7)


@pytest.mark.parametrize("n", [1, 2, 7, 1000])
def test_sizes(lanes, n):
    batch = compare(lanes, anymal(), n, rounds=2, steps=4)
    assert batch.lanes == WIDTH[lanes.name]
    alone = lanes("off", anymal(), 1, 1)
    scatter(other := lanes("off", anymal(), n, 1))
    alone.v[0] = other.v[n // 2]
    alone.step(n=8)
    assert alone[0].hash() == batch[n // 2].hash(), "alone, and wherever it stands"


def test_robots_that_thrash(lanes):
    """Targets as wide as in the benchmark: some fall, look twice, drop corrections."""
    rng, sim = np.random.default_rng(0), anymal()
    posture = np.array(sim.pd_target)
    targets = posture + rng.uniform(-1.5, 1.5, (25, 13, 12))
    batch = compare(lanes, sim, 13, rounds=25, steps=4, drive=lambda k: {"target": targets[k]})
    assert (batch.q[:, 2] < 0.4).any()


def test_targets_efforts_and_pushes(lanes):
    rng, sim = np.random.default_rng(2), anymal()
    rows = [
        {"target": np.array(sim.pd_target) + rng.uniform(-0.2, 0.2, (9, 12)), "tau": rng.uniform(-1, 1, (9, 12))}
        for _ in range(4)
    ]
    compare(lanes, sim, 9, drive=lambda k: rows[k])
    pair = [lanes(name, sim, 9, 1) for name in (lanes.name, "off")]
    for batch in pair:
        batch.apply_wrench("base", np.linspace(0, 60, 27).reshape(9, 3), mask=[1, 4, 8])
        batch.step(n=6)
    assert hashes(pair[0]) == hashes(pair[1])


def test_servos_with_activations(lanes):
    ctrl = np.random.default_rng(1).uniform(-1, 1, (6, 9, 2))
    compare(lanes, hopper(), 9, rounds=6, drive=lambda k: {"ctrl": ctrl[k]})


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("fixed", [False, True])
def test_robots(lanes, name, fixed):
    world = st.World()
    world.add_ground(mu=0.7)
    world.add_urdf(ROOT / "models" / f"{name}.urdf", fixed=fixed, position=(0, 0, 0.6))
    compare(lanes, st.Simulator(world, dt=2e-3), 9, rounds=4, steps=20, size=1.0)


@pytest.mark.parametrize("name", MENAGERIE)
def test_robots_of_others(lanes, third_party, name):
    path = third_party / "menagerie" / name / "scene.xml"
    world = st.World()
    world.add_mjcf(path)
    batch = compare(lanes, st.Simulator(world), 9, rounds=2, steps=10, size=0.1)
    assert batch.lanes == WIDTH[lanes.name]


def test_one_that_fails_leaves_its_neighbours_alone(lanes):
    sim = anymal()
    pair = [lanes(name, sim, 8, 1) for name in (lanes.name, "off")]
    for batch in pair:
        batch.v[2] = 1e200
        batch.q[5, 3:7] = 0.0
        report = batch.step(n=3)
        assert np.flatnonzero(report.failed).tolist() == [2, 5]
    assert hashes(pair[0]) == hashes(pair[1])
    assert pair[0].time.tolist() == pair[1].time.tolist()


def test_words_that_are_no_instruction_set(monkeypatch):
    monkeypatch.setenv("STICTION_LANES", "neon")
    with pytest.raises(ValueError, match="STICTION_LANES is 'neon', expected off, sse2, avx2 or avx512"):
        st.BatchSimulator(anymal(), 2)
