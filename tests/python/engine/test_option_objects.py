# SPDX-License-Identifier: BSD-2-Clause
"""stiction.options. Oracles: the catalog that it is made from, and dicts with the same content."""

import ast
import copy
import inspect
import pickle

import numpy as np
import pytest

import stiction as st
from repository import ROOT


def world():
    w = st.World()
    w.add_ground(mu=0.5)
    w.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0.1), velocity=(1, 0.3, 0))
    return w


def test_every_method_has_a_class_with_its_options():
    classes = [getattr(st.options, name) for name in st.options.__all__]
    found = {(c.kind, c.method): c for c in classes if c.method}
    for kind in ("law", "solver", "stepper"):
        for entry in st.catalog()[f"{kind}s"]:
            made = found.pop((kind, entry.name))
            keywords = inspect.signature(made).parameters
            assert {name: p.default for name, p in keywords.items()} == entry.defaults
            for option in entry.options:
                assert option.doc in made.__doc__
            assert made() == {} and made(**entry.defaults) == {}, "defaults are left out"
    assert not found


def test_stub_is_up_to_date():
    """If not: python tools/write_options_stub.py"""
    assert (ROOT / "python" / "stiction" / "options.pyi").read_text() == st.options.stub()
    ast.parse(st.options.stub())


def test_objects_are_dicts_that_know_their_method():
    options = st.options.Nsgs(anderson=0, tolerance=1e-8)
    assert options == {"anderson": 0} and repr(options) == "Nsgs(anderson=0)"
    for twin in (copy.copy(options), copy.deepcopy(options), pickle.loads(pickle.dumps(options))):
        assert twin == options and type(twin) is st.options.Nsgs
    with pytest.raises(ValueError, match="did you mean 'tolerance'"):
        st.options.Nsgs(tolerence=1e-8)


def test_simulators_take_them_as_options_and_as_names():
    dicts = dict(law="pyramid", law_options=dict(angle=0.2), solver="pgs", solver_options=dict(max_iterations=77),
                 stepper="moreau", stepper_options=dict(stabilise=True))  # fmt: skip
    law, solver, stepper = (
        st.options.PyramidLaw(angle=0.2),
        st.options.Pgs(max_iterations=77),
        st.options.MoreauStepper(stabilise=True),
    )
    ways = [
        dicts,
        dict(law=law, solver=solver, stepper=stepper),
        {**dicts, "law_options": law, "solver_options": solver, "stepper_options": stepper},
    ]
    sims = [st.Simulator(world(), **way) for way in ways]
    for sim in sims:
        assert sim.settings == sims[0].settings
        sim.step(n=5)
        assert sim.hash() == sims[0].hash()
    scenes = [st.scene("cube_slide", **way) for way in ways]
    assert all(s.settings == scenes[0].settings for s in scenes) and scenes[0].settings["law_options"] == {"angle": 0.2}
    sims[0].restore(sims[1].save())


def test_solve_takes_them():
    problem = st.ContactProblem(np.eye(6) + 0.5, [0.3, 0, -1, 0.1, 0.2, -1], mu=[0.5, 0.4], dt=1e-3)
    exact, _ = st.solve(problem, solver="nsgs", over_relaxation=0.7, anderson=0)
    same, report = st.solve(problem, solver=st.options.Nsgs(over_relaxation=0.7, anderson=0))
    assert np.array_equal(exact, same) and report.ok
    assert np.array_equal(
        exact, st.solve(problem, solver="nsgs", **st.options.Nsgs(over_relaxation=0.7, anderson=0))[0]
    )
    loose = st.solve(problem, solver=st.options.Nsgs(tolerance=1e-2))[1]
    assert loose.iterations < st.solve(problem, solver="nsgs")[1].iterations, "its own tolerance comes first"


WRONG = {
    "another method": (dict(solver="pgs", solver_options=st.options.Nsgs()), "those of 'nsgs', but solver is 'pgs'"),
    "another kind": (dict(solver=st.options.CoulombLaw()), "options of a law, expected those of a solver"),
    "another kind of options": (dict(law_options=st.options.Nsgs()), "options of a solver, expected those of a law"),
    "options twice": (dict(solver=st.options.Nsgs(), solver_options=dict(anderson=0)), "leave solver_options away"),
    "no name": (dict(solver=3), "solver is 3"),
    "a plain dict for a name": (dict(law=dict(angle=0.2)), "law is"),
    "no dict": (dict(law_options=3), "law_options is 3"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_objects_are_refused(case):
    settings, words = WRONG[case]
    with pytest.raises(ValueError, match=words):
        st.Simulator(world(), **settings)
    with pytest.raises(ValueError, match=words):
        st.scene("cube_slide", **settings)
