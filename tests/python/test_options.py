# SPDX-License-Identifier: BSD-2-Clause
"""No silent parameter. Oracle: an option that is accepted must be able to change some result, over the whole catalog."""

import numpy as np
import pytest
import stiction as st

CATALOG = st.catalog()


def changed(option):
    """Other values of the same kind, some of which are in range."""
    value = option.default
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 4, value + 1, max(1, value // 2), 1]
    if isinstance(value, float):
        return [0.5 * value + 0.3, 1.3 * value, 10.0 * value + 1e-12, 0.1 * value, 0.9, 1e-3, 1.5, 3.0, 30.0]
    return [word for word in ("static", "moving", "hopping", "fallen") if word != value]


SCENE_OPTIONS = [(e.name, o) for e in CATALOG["scenes"] for o in e.options]


@pytest.mark.parametrize(("scene", "option"), SCENE_OPTIONS, ids=[f"{s}.{o.name}" for s, o in SCENE_OPTIONS])
def test_scene_parameter_changes_the_run(scene, option):
    def final(**parameters):
        sim = st.scene(scene, **parameters)
        start = sim.hash()
        sim.step(n=20 if scene in ("kapla", "pile") else min(800, round(sim.duration / sim.dt)))
        return start, sim.hash(), sim.duration, sim.save()

    base = final()
    others = []
    if option.name == "seed":  # decides how the targets move
        others = [(final(targets="moving"), final(targets="moving", seed=option.default + 1))]
    for value in changed(option):
        try:
            others.append((base, final(**{option.name: value})))
        except st.InvalidInput:
            continue
        if others[-1][0] != others[-1][1]:
            break
    assert others, "no other value was accepted"
    assert any(a != b for a, b in others)


def slippery(law, law_options):
    """A scene in which every option of a law matters: fall, impact, rebound, overlap, sliding."""
    world = st.World()
    world.add_ground(mu=0.3, restitution=0.5)
    world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0.35), velocity=(1, 0.4, 0), spin=(0.3, 0.2, 1))
    world.add_sphere(radius=0.1, mass=1.0, position=(2, 0, 0.05), velocity=(0.5, 0.2, 0))
    world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(4, 0, 0.1 + 2e-5))
    sim = st.Simulator(world, law=law, law_options=law_options, dt=2e-3)
    sim.step(n=400)
    return np.concatenate([sim.q, sim.v]).tobytes()


LAW_OPTIONS = [(e.name, o) for e in CATALOG["laws"] for o in e.options]


@pytest.mark.parametrize(("law", "option"), LAW_OPTIONS, ids=[f"{s}.{o.name}" for s, o in LAW_OPTIONS])
def test_law_option_changes_the_run(law, option):
    base = slippery(law, {})
    results = []
    for value in changed(option):
        try:
            results.append(slippery(law, {option.name: value}))
        except st.InvalidInput:
            continue
        if results[-1] != base:
            return
    assert results, f"{law} lists {option.name} but accepts no other value"
    pytest.fail(f"{law}.{option.name} changes nothing")


def random_problem(seed, contacts=6, law="coulomb", dt=1e-2):
    random = np.random.default_rng(seed)
    jacobian = random.standard_normal((3 * contacts, 2 * contacts))  # rank deficient
    g = random.standard_normal(3 * contacts)
    scale = np.repeat(10.0 ** random.uniform(-1, 1, contacts), 3)
    return st.ContactProblem(scale[:, None] * (jacobian @ jacobian.T) * scale, scale * g, mu=0.7, law=law, dt=dt)


def fingerprint(problem, solver, **options):
    guess = np.tile([0.1, -0.2, 0.5], problem.rows // 3)
    impulse, report = st.solve(problem, solver=solver, warm_start=guess, **{"tolerance": 1e-8} | options)
    return impulse.tobytes(), report.status, report.iterations, report.factorisations, report.path


SOLVER_OPTIONS = [(e, o) for e in CATALOG["solvers"] for o in e.options]


@pytest.mark.parametrize(("entry", "option"), SOLVER_OPTIONS, ids=[f"{e.name}.{o.name}" for e, o in SOLVER_OPTIONS])
def test_solver_option_reaches_the_solver(entry, option):
    """Its default changes no bit, a wrong type is refused by name. That other values act is tested in tests/cpp/solver."""
    problem = random_problem(1, law=entry.laws[0])
    base = fingerprint(problem, entry.name)
    if option.name != "tolerance":
        assert fingerprint(problem, entry.name, **{option.name: option.default}) == base
    with pytest.raises((ValueError, TypeError), match=option.name):
        wrong = 0.5 if isinstance(option.default, str) else "wrong"
        st.solve(problem, solver=entry.name, **{option.name: wrong})


def test_solver_options_of_a_simulator_act():
    """Oracle: with a loose tolerance and one iteration the forces differ; the report says that they are not accepted."""
    exact, sloppy = (st.scene("cube_slide", solver="pgs", solver_options=o) for o in ({}, {"max_iterations": 1}))
    assert exact.step(n=50).status == "converged"
    assert sloppy.step(n=50).status == "max_iterations"
    assert exact.hash() != sloppy.hash()
