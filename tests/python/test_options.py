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
        return [0.5 * value + 0.3, 10.0 * value + 1e-12, 0.1 * value, 0.9, 1e-3, 1.5, 3.0, 30.0]
    return [word for word in ("static", "moving", "hopping", "fallen") if word != value]


SCENE_OPTIONS = [(e.name, o) for e in CATALOG["scenes"] for o in e.options]


@pytest.mark.parametrize(("scene", "option"), SCENE_OPTIONS, ids=[f"{s}.{o.name}" for s, o in SCENE_OPTIONS])
def test_scene_parameter_changes_the_run(scene, option):
    def final(**parameters):
        sim = st.scene(scene, **parameters)
        start = sim.hash()
        sim.step(n=20 if scene in ("kapla", "pile") else min(400, round(sim.duration / sim.dt)))
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
def test_solver_option_changes_the_run(entry, option):
    values = changed(option)
    if option.name == "time_limit":
        values = [1e-9]
    if option.name.endswith("tolerance"):
        values = [1e-3, 1.0, 1e3, *values]
    tried = 0
    for contacts, seed in ((6, 0), (6, 1), (20, 2), (60, 3)):
        for law in entry.laws:
            problem = random_problem(seed, contacts, law)
            base = fingerprint(problem, entry.name)
            for value in values:
                # absolute tolerances show only where the relative one is tight
                tight = {"tolerance": 1e-13} if option.name.endswith("tolerance") and option.name != "tolerance" else {}
                try:
                    other = fingerprint(problem, entry.name, **tight | {option.name: value})
                except st.InvalidInput:
                    continue
                tried += 1
                if other != (fingerprint(problem, entry.name, **tight) if tight else base):
                    return
    assert tried, f"{entry.name} lists {option.name} but accepts no other value"
    pytest.fail(f"{entry.name}.{option.name} changes nothing")
