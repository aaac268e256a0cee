# SPDX-License-Identifier: BSD-2-Clause
"""What was taken without a word and meant nothing: refused by name. Copies and pickles of simulators go on with the same bits."""

import copy
import pickle

import numpy as np
import pytest

import stiction as st

PROBLEM = st.ContactProblem(np.eye(3), [0.1, 0.0, -1.0], mu=0.5)


def ball():
    world = st.World()
    world.add_ground()
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1), velocity=(1, 0, 0))
    return world


COMPLEX = {
    "G": lambda: st.ContactProblem(np.eye(3) * (1 + 1j), [0, 0, -1], mu=0.5),
    "g": lambda: st.ContactProblem(np.eye(3), np.array([0, 0, -1j]), mu=0.5),
    "mu": lambda: st.ContactProblem(np.eye(3), [0, 0, -1], mu=np.array([0.5j])),
    "data": lambda: st.ContactProblem(([0, 1, 2, 3], [0, 1, 2], np.array([1j, 1, 1])), [0, 0, -1], mu=0.5),
    "warm_start": lambda: st.solve(PROBLEM, warm_start=[1j, 0, 0]),
    "impulse": lambda: st.evaluate(PROBLEM, np.array([1j, 0, 0])),
    "position": lambda: st.World().add_sphere(radius=0.1, mass=1.0, position=(1j, 0, 0)),
    "force": lambda: st.Simulator(ball()).apply_wrench(0, (1j, 0, 0)),
    "heights": lambda: st.World().add_heightfield(np.zeros((4, 5), complex), size=(1, 1)),
    "states0": lambda: st.rollout(st.Simulator(ball()), np.ones((1, 13)) * 1j, steps=1),
}


@pytest.mark.parametrize("field", COMPLEX)
def test_complex_numbers_are_refused(field):
    """Their imaginary parts were dropped."""
    with pytest.raises(st.InvalidInput, match=rf"{field}.* has complex numbers"):
        COMPLEX[field]()


@pytest.mark.parametrize("solver", ["jor", "sor"])
def test_relaxation_beyond_two_is_refused(solver):
    with pytest.raises(st.InvalidInput, match=r"alpha"):
        st.solve(PROBLEM, solver=solver, alpha=3.0)
    st.solve(PROBLEM, solver=solver, alpha=1.9)


def test_a_cap_of_products_needs_the_dense_exponential():
    make = lambda **options: st.Simulator(ball(), law="anchored", stepper="exponential", stepper_options=options)
    with pytest.raises(st.InvalidInput, match="products"):
        make(products=3)
    make(products=3, approximant="dense")
    make(products=-1)


@pytest.mark.parametrize("facets", [10**6, 1002])
def test_a_million_facets_are_refused(facets):
    with pytest.raises(st.InvalidInput, match=r"facets is \d+.*1000"):
        st.Simulator(ball(), law="pyramid", law_options={"facets": facets})
    with pytest.raises(st.InvalidInput, match=r"facets is \d+.*1000"):
        st.ContactProblem(np.eye(3), [0, 0, -1], mu=0.5, law="pyramid", facets=facets)


@pytest.mark.parametrize("index", [2**40, 2**32 + 1, -1, 1.5, 3, 2**70])
def test_an_index_of_a_mesh_is_named(index):
    with pytest.raises(st.InvalidInput, match=r"mesh\[1\]\[0, 2\] is .*0 to 2"):
        st.World().add_static_mesh((np.eye(3), np.array([[0, 1, index]], dtype=float)))


def test_a_contact_that_only_grazes_is_flagged():
    """Beside an impact at 1 m/s, velocities of 1e-16 m/s are round-off: its mode means nothing."""
    problem = st.ContactProblem(np.eye(6), [0, 0, -1, -2e-16, 0, -1e-16], mu=0.5)
    impulse, _ = st.solve(problem)
    assert st.derivatives(problem, impulse).boundary[1]
    alone = st.ContactProblem(1e-9 * np.eye(6), [0.3, 0, -1, 2e-5, 0, -1e-4], mu=0.5)
    impulse, _ = st.solve(alone)
    assert not st.derivatives(alone, impulse).boundary[1], "slow is not yet grazing"


@pytest.mark.parametrize("target", [None, np.zeros((1, 0))])
def test_a_push_of_a_refused_step_acts_once(target):
    """Oracle: a simulator whose step was not refused. The push waited in two places and acted twice."""
    sims = [st.Simulator(ball()) for _ in range(2)]
    for sim in sims:
        sim.set_pd(1.0)
        sim.apply_wrench(0, (3.0, 0, 0))
    height = sims[0].q[2]
    sims[0].q[2] = np.nan
    with pytest.raises(st.InvalidInput, match="nan"):
        sims[0].step(target=target)
    sims[0].q[2] = height
    for sim in sims:
        sim.step(target=target)
        sim.step()
    assert sims[0].hash() == sims[1].hash() and sims[0].v[0] != 0


@pytest.mark.parametrize("make", [lambda: st.Simulator(ball(), dt=2e-3), lambda: st.scene("starleth_push")])
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda sim: pickle.loads(pickle.dumps(sim))])
def test_copies_of_simulators_go_on_with_the_same_bits(make, copied):
    sim = make()
    sim.step(n=7)
    other = copied(sim)
    assert other is not sim and other.hash() == sim.hash() and other.settings == sim.settings
    sim.step(n=9)
    other.step(n=9)
    assert other.hash() == sim.hash()


@pytest.mark.parametrize("thing", [st.World(), PROBLEM], ids=["World", "ContactProblem"])
def test_what_cannot_be_pickled_is_refused_by_name(thing):
    with pytest.raises(TypeError, match=type(thing).__name__):
        pickle.dumps(thing)
    with pytest.raises(TypeError, match=type(thing).__name__):
        copy.deepcopy(thing)
