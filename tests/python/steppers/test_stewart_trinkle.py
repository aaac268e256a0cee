# SPDX-License-Identifier: BSD-2-Clause
"""Stepper stewart_trinkle from Python. Oracles: the published rows, energy, weight on feet, other steppers as dt goes to zero."""

import numpy as np
import pytest

import stiction as st
from stiction import papers


def test_reproduction_agrees_with_the_paper(tmp_path):
    study = papers.reproduce("stewart-trinkle", quick=True)
    assert [row.name for row in study.rows if row.status != "ok"] == []
    table = [row for row in study.rows if row.compared_with == "published: Table 1"]
    assert len(table) == 13 and all(abs(row.ours - row.published) <= 5.0001e-5 for row in table)
    study.write(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text().count("<svg") == 4


@pytest.mark.parametrize(("law", "law_options"), [("pyramid", dict(facets=8)), ("coulomb", {})])
@pytest.mark.parametrize("restitution", [0.0, 0.9])
def test_break_shot_never_gains_energy(law, law_options, restitution):
    solver = "lemke" if law == "pyramid" else "auto"
    sim = st.scene(
        "break_shot",
        law=law,
        law_options=law_options,
        solver=solver,
        stepper="stewart_trinkle",
        restitution=restitution,
    )
    energy, contacts = [sim.energy().kinetic], 0
    for _ in range(100):
        report = sim.step()
        assert report.status == "converged"
        assert report.penetration < 1e-9
        energy.append(sim.energy().kinetic)
        contacts = max(contacts, report.contacts)
    assert contacts >= 30  # the whole rack in one step
    if restitution == 0.0:
        assert np.diff(energy).max() < 1e-12 * energy[0]


@pytest.mark.parametrize(("law", "solver"), [("pyramid", "lemke"), ("pyramid", "auto"), ("coulomb", "auto")])
def test_quadruped_stands(law, solver):
    """Feet carry the weight, nothing sinks in: gaps obey the law at the end of every step."""
    sim = st.scene("anymal_stand", law=law, solver=solver, stepper="stewart_trinkle")
    sim.step(n=400)
    report = sim.step(n=100)
    assert report.status == "converged"
    assert report.penetration < 1e-9
    weight = 9.81 * sim.mass
    assert abs(sum(c["force"][2] for c in sim.contacts()) - weight) < 0.02 * weight


def test_stack_of_boxes_stands():
    """The force between box i and i + 1 is the weight above it."""
    world = st.World()
    world.add_ground(mu=0.5)
    for i in range(5):
        world.add_box(size=(0.2, 0.2, 0.1), mass=1.0, position=(0, 0, 0.05 + 0.1 * i), mu=0.5)
    sim = st.Simulator(world, law="coulomb", stepper="stewart_trinkle", dt=2e-3)
    report = sim.step(n=200)
    assert report.status == "converged"
    contacts = sim.contacts()
    for below in range(-1, 4):
        force = contacts["force"][(contacts["body_a"] == below) & (contacts["body_b"] == below + 1)][:, 2].sum()
        assert abs(force - 9.81 * (4 - below)) < 1e-4


# leave some of these problems to the fallback within their default iterations
SLOW = ("pgs", "jor", "bisection", "newton")
FITTING = [
    (law, e.name)
    for e in st.catalog()["solvers"]
    for law in e.laws
    if law in ("coulomb", "convex", "pyramid", "raisim")
]


@pytest.mark.parametrize(("law", "solver"), FITTING)
def test_every_solver_of_a_fitting_law(law, solver):
    """Oracle: weights in a stack of boxes at rest beside a ball that rolls; the judge accepts every step. What fell back is told."""
    world = st.World()
    world.add_ground(mu=0.5)
    for i in range(3):
        world.add_box(size=(0.2, 0.2, 0.1), mass=1.0, position=(0, 0, 0.05 + 0.1 * i), mu=0.5)
    world.add_sphere(
        radius=0.1, mass=1.0, position=(1, 0, 0.1), velocity=(0.5, 0, 0), angular_velocity=(0, 5, 0), mu=0.5
    )
    sim = st.Simulator(world, law=law, solver=solver, stepper="stewart_trinkle", dt=2e-3)
    report = sim.step(n=100)
    contacts = sim.contacts()
    for below in range(-1, 2):
        force = contacts["force"][(contacts["body_a"] == below) & (contacts["body_b"] == below + 1)][:, 2].sum()
        assert force == pytest.approx(9.81 * (2 - below), rel=1e-3)
    assert sim.v[18:21] @ sim.v[18:21] == pytest.approx(0.25, rel=1e-3)
    assert report.unaccepted == 0 and (report.fallbacks == 0 or solver in SLOW)


def test_rod_agrees_with_the_semi_implicit_step():
    """Two steppers, one limit: where the rod comes to rest."""
    ends = []
    for stepper in ("stewart_trinkle", "semi_implicit"):
        sim = st.scene("rod", law="coulomb", stepper=stepper, dt=1e-4)
        sim.step(n=6500)
        ends.append(sim.q[0])
    assert abs(ends[0] + 0.2275) < 3e-4
    assert abs(ends[1] - ends[0]) < 2e-3


def slide(options):
    """Every option matters: an oblique slide with a rebound, and a ball that drives others together."""
    world = st.World()
    world.add_ground(mu=0.3, restitution=0.4)
    world.add_box(
        size=(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0.13), velocity=(1, 0.4, 0), angular_velocity=(0.3, 0.2, 1)
    )
    for i in range(3):
        world.add_sphere(
            radius=0.1, mass=1.0, position=(5 + i * 0.20001, 0, 0.1), velocity=(-2.0 if i == 2 else 0, 0, 0), mu=0.3
        )
    sim = st.Simulator(
        world, law="pyramid", solver="lemke", stepper="stewart_trinkle", stepper_options=options, dt=5e-3
    )
    sim.step(n=60)
    return np.concatenate([sim.q, sim.v]).tobytes()


OTHER = {"version": ["nonlinear", "anitescu_potra"], "restitution": ["poisson", "none"], "polygon": ["circumscribed"],
         "directions": ["1 0; -1 0; 0 .5; 0 -.5"], "resolve": [False], "growth_tolerance": [0.1], "fixed_point_iterations": [1],
         "fixed_point_tolerance": [1e-3], "stop": ["gap"], "gap_tolerance": [1e-9]}  # fmt: skip


def test_no_option_is_silent():
    """Defaults change no bit, every other value does."""
    (entry,) = (e for e in st.catalog()["steppers"] if e.name == "stewart_trinkle")
    assert {o.name for o in entry.options} == set(OTHER)
    for option in entry.options:
        needed = dict(version="nonlinear") if option.name.startswith("fixed_point") or option.name == "stop" else {}
        needed = dict(version="nonlinear", stop="gap", gap_tolerance=1e-3) if option.name == "gap_tolerance" else needed
        base = slide(needed)
        if option.name not in needed:
            assert slide(needed | {option.name: option.default}) == base, option.name
        for value in OTHER[option.name]:
            assert slide(needed | {option.name: value}) != base, (option.name, value)


def test_soft_laws_and_materials_are_refused():
    with pytest.raises(st.InvalidInput, match="stewart_trinkle"):
        st.scene("rod", law="anchored", stepper="stewart_trinkle")
    world = st.World()
    world.add_ground(stiffness=1e5, damping=100.0)
    world.add_sphere(radius=0.1, mass=1.0)
    with pytest.raises(st.InvalidInput, match="stiffness"):
        st.Simulator(world, stepper="stewart_trinkle")


def groove(**options):
    """A box in a groove of 90 degrees, friction 3: every step has to be solved."""
    world = st.World()
    for side in (-1, 1):
        turn = (0.0, side * np.sin(np.pi / 8), 0.0, np.cos(np.pi / 8))
        world.add_static_box(size=(1.0, 1.0, 0.2), position=(side * 0.35, 0, 0.35), rotation=turn, mu=3.0)
    world.add_box(
        size=(0.2, 0.2, 0.2),
        mass=1.0,
        position=(0.01, 0, 0.75),
        velocity=(0.3, 0.1, -1),
        angular_velocity=(1, 2, 3),
        mu=3.0,
    )
    return st.Simulator(
        world, law="pyramid", law_options=dict(facets=8, baumgarte=0.0), solver="lemke", stepper="stewart_trinkle", dt=2e-3,
        stepper_options=options,
    )  # fmt: skip


def test_anitescu_potra_always_has_a_solution():
    sim = groove(version="anitescu_potra")
    assert sum(sim.step().unaccepted for _ in range(1000)) == 0


@pytest.mark.parametrize("dt", [5e-3, 1e-2])
def test_balls_do_not_pass_through_each_other_in_silence(dt):
    """At 10 ms the cue ball of break_shot is beyond the first balls at q + dt v: such a step says that it failed."""
    sim = st.scene(
        "break_shot", law="pyramid", law_options=dict(facets=8), solver="lemke", stepper="stewart_trinkle", dt=dt
    )
    deepest = 0.0
    for _ in range(round(0.4 / dt)):
        report = sim.step()
        if report.penetration > deepest + 1e-3:
            assert report.status == "stalled"
        deepest = max(deepest, report.penetration)
    assert deepest < 1e-9 or dt == 1e-2


def test_poisson_ends_converged():
    """Oracle: e = .5 of the normal impulse is given back, friction takes its share of both."""
    world = st.World()
    world.add_ground(mu=0.3, restitution=0.5)
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1), velocity=(0.5, 0, -2), mu=0.3, restitution=0.5)
    sim = st.Simulator(world, law="pyramid", law_options=dict(facets=8), solver="lemke", stepper="stewart_trinkle", dt=1e-4,
                       stepper_options=dict(restitution="poisson"))  # fmt: skip
    report = sim.step()
    assert report.status == "converged" and abs(sim.v[2] - 1.0) < 2e-3


def sleds(directions):
    world = st.World()
    world.add_ground(mu=1.0)
    for i, name in enumerate(("sled", "skate")):
        world.add_box(name=name, size=(0.2, 0.2, 0.02), mass=1.0, position=(0, i, 0.01), velocity=(1, 0, 0))
    return st.Simulator(
        world, law="pyramid", stepper="stewart_trinkle", dt=1e-3, stepper_options=dict(directions=directions)
    )


@pytest.mark.parametrize("others", ["1 0; -1 0; 0 1; 0 -1 | ", ""])
def test_bodies_have_friction_directions_of_their_own(others):
    """Closed form: each is braked by μ g times the length of its direction; without a nameless set the others have the polygon."""
    sim = sleds(others + "skate: .3 0; -.3 0; 0 .6; 0 -.6")
    assert sim.step(n=50).status == "converged"
    assert sim.v[0] == pytest.approx(1.0 - 9.81 * 0.05, abs=1e-9)
    assert sim.v[6] == pytest.approx(1.0 - 0.3 * 9.81 * 0.05, abs=1e-9)


def test_names_of_direction_sets_are_checked():
    with pytest.raises(ValueError, match="name 'sledge', which is no body or shape"):
        sleds("sledge: 1 0; -1 0; 0 1; 0 -1")
    with pytest.raises(ValueError, match="two sets without a name"):
        sleds("1 0; -1 0; 0 1; 0 -1 | 1 0; -1 0; 0 1; 0 -1")
