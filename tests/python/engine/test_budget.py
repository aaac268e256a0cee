# SPDX-License-Identifier: BSD-2-Clause
"""Steps within a budget of time. Oracles: the same steps without one, bit for bit, where the time suffices; finite states, the judge's
own verdict and the energy that there is where it does not. No assertion on wall time."""

import numpy as np
import pytest

import stiction as st


def pile(**options):
    """Boxes in one heap, thrown at each other: a cold contact problem of some hundred rows."""
    world = st.World()
    world.add_ground(mu=0.5)
    rng = np.random.default_rng(3)
    for k in range(27):
        cell = np.array([k % 3, k // 3 % 3, k // 9])
        world.add_box(size=(0.2, 0.2, 0.2), mass=1.0 + k % 5, position=cell * 0.199 + (0, 0, 0.0995))
    sim = st.Simulator(world, dt=2e-3, **options)
    sim.v[:] = 0.3 * rng.standard_normal(sim.v.size)
    return sim


@pytest.mark.parametrize("stepper", ["semi_implicit", "moreau", "stewart_trinkle"])
@pytest.mark.parametrize("solver", ["auto", "nsgs"])
def test_a_step_with_time_enough_has_the_same_bits(solver, stepper):
    plain, timed = pile(solver=solver, stepper=stepper), pile(solver=solver, stepper=stepper)
    for _ in range(5):
        expected, found = plain.step(), timed.step(budget=1e5)
        assert found.status == expected.status and found.iterations == expected.iterations
    assert plain.hash() == timed.hash()


@pytest.mark.parametrize("solver", ["auto", "nsgs", "admm", "interior_point", "apgd"])
def test_a_step_without_time_is_finite_and_says_so(solver):
    sim = pile(solver=solver)
    energy = sim.energy().total
    refused = 0
    for _ in range(20):
        report = sim.step(budget=1e-9)
        refused += report.unaccepted
        assert report.status != "unphysical"
        assert report.ok == (report.own.ratio <= 1.0)
        assert np.isfinite(sim.q).all() and np.isfinite(sim.v).all()
    assert refused > 10
    assert report.status == "max_iterations"
    assert sim.energy().total < energy + 1e-6


def test_less_time_means_less_work():
    plain, timed = pile(), pile()
    assert timed.step(budget=1e-9).iterations < plain.step().iterations


def test_the_next_step_is_unlimited_again():
    sim = pile()
    assert not sim.step(budget=1e-9).ok
    assert sim.step().ok


def test_steps_of_a_call_have_a_budget_each():
    sim = pile()
    report = sim.step(n=5, budget=1e-9)
    assert report.steps == 5 and report.unaccepted == 5


def test_a_recording_refuses_a_budget(tmp_path):
    sim = pile()
    with st.record(sim, tmp_path / "pile.mcap"):
        with pytest.raises(ValueError, match=r"budget.*replayed"):
            sim.step(budget=1.0)
        assert sim.step().ok
    assert sim.step(budget=10.0).ok


@pytest.mark.parametrize("budget", [0.0, -1.0, float("nan"), float("inf")])
def test_a_budget_is_a_time(budget):
    with pytest.raises(ValueError, match="budget"):
        pile().step(budget=budget)


def test_a_law_without_solver_has_no_budget():
    sim = pile(law="anchored")
    with pytest.raises(ValueError, match=r"anchored.*budget"):
        sim.step(budget=1.0)
