# SPDX-License-Identifier: BSD-2-Clause
"""`stiction reproduce contact-models`. Oracles: numbers of an independent implementation of the paper, closed forms of the two cubes, NumPy."""

import math

import numpy as np
import pytest

import stiction as st
from stiction import papers
from stiction.papers import rows
from stiction.papers.contact_models import (
    accuracy,
    consistency,
    cube,
    drag,
    edges,
    extras,
    figures,
    measures,
    quadruped,
    reference,
    relaxation,
    slide,
    stack,
    stack_runs,
    walking,
)
from stiction.papers.contact_models import published as p


def failed(found):
    return [(row.name, row.ours, row.reason) for row in found if row.status == "failed"]


def ours(section, name):
    (row,) = (r for r in section.rows if r.name == name)
    return row.ours


@pytest.fixture(scope="module")
def slides():
    return slide.runs()


@pytest.fixture(scope="module")
def drags():
    return drag.runs()


def test_rows_with_an_absolute_tolerance_are_judged():
    assert measures.near("x", 1.0, 1.01, 0.02).status == "ok" and measures.near("x", 1.0, 1.03, 0.02).status == "failed"
    assert (
        measures.within_factor("x", 10.0, 15.0, 1.5).status == "ok"
        and measures.within_factor("x", 10.0, 16.0, 1.5).status == "failed"
    )
    nan = math.nan
    assert measures.near("x", 1.0, nan, 1.0).status == measures.within_factor("x", 1.0, nan, 2.0).status == "failed", (
        "NaN never passes"
    )
    assert measures.farthest({"a": 1.0, "b": nan, "c": 5.0}, 1.0)[0] == "b"
    assert measures.fixed(-1e-9, 2) == "0.00" and measures.fixed(-0.126, 2) == "-0.13"


def test_every_solver_of_the_catalog_takes_part():
    named = {e.name for e in st.catalog()["solvers"]} - {"auto"}
    assert {solver for law in p.LAWS for solver in measures.fitting(law)} == named


def test_reference_problems():
    """Oracle: known answers (specification, section 9)."""
    section = reference.section()
    assert failed(section.rows) == [] and len(section.tables) == 2
    assert ours(section, "RP1 coulomb: sum of N, 11 solvers [N]") == pytest.approx(9.81, abs=1e-6)
    assert ours(section, "RP1 convex: sum of N, 7 solvers [N]") == pytest.approx(656.3808, abs=1e-3)
    assert ours(section, "RP1 pyramid: sum of N, 7 solvers [N]") == pytest.approx(10.331303, abs=1e-5)
    assert ours(section, "RP1 raisim: angle between friction and -slip [degrees]") == pytest.approx(20.55, abs=0.05)
    assert ours(section, "RP2 coulomb: floor force, admm [N]") == pytest.approx(9.81 * (1e3 + 1e-3), abs=1e-3)
    assert failed(edges.section().rows) == []


def test_a_wrong_answer_fails_its_row():
    """The rows can fail: the forces of one law held against those of another."""
    found = [measures.solved(st.reference.rp1("convex"), "admm")]
    assert {row.status for row in reference._rp1("coulomb", found)[:3]} == {"failed"}


def test_sliding_cube(slides):
    section = slide.section(slides)
    assert failed(section.rows) == []
    assert slides.by_law["pyramid", 30].stop == pytest.approx(0.220, abs=2e-3)
    along, aside = slide.path(slides.by_law["pyramid", 30], 30)
    # Oracle: each axis brakes on its own, v_a = max(0, v0_a - mu g t), so x comes to rest later than y
    t = p.STEP * np.arange(1, 301)
    x, y = (1e3 * p.STEP * cube.braked(t, speed).sum() for speed in (math.cos(math.pi / 6), math.sin(math.pi / 6)))
    assert (along[-1], aside[-1]) == pytest.approx(
        (math.cos(math.pi / 6) * x + y / 2, math.cos(math.pi / 6) * y - x / 2), abs=1e-3
    )


def test_energy_has_a_potential_part(slides):
    """The measured 0.18736 J of the convex cube at 0.1 s is kinetic energy and that of hovering at dt mu v."""
    run = slides.by_law["convex", 0]
    at = run.at(0.1)
    assert run.x[at, 2] == pytest.approx(p.STEP * p.MU * run.speed[at], rel=1e-2)
    assert run.energy[at] == pytest.approx(0.5 * run.speed[at] ** 2 + 9.81 * run.x[at, 2], rel=1e-6)


def test_dragged_cube(drags):
    assert failed(drag.section(drags).rows) == []
    onset, way, speed = cube.dragged(1.0)
    assert (onset, way, speed) == pytest.approx((0.1962, 1.7311, 6.4609), abs=1e-4)
    assert drags.fixed.lift > 10 * drags.wide.lift, "a fixed margin lets the convex cube hop"


def test_the_cube_by_hand_is_the_engine():
    """Two implementations, one motion: corner points and a free body in NumPy beside the simulator."""
    by_hand, engine = cube.by_hand("coulomb", "admm", 1e-3, speed=1.0, duration=0.3), cube.slide("coulomb", 0, "admm")
    assert np.abs(by_hand.x - engine.x).max() < 1e-9 and np.abs(by_hand.energy - engine.energy).max() < 1e-9


def test_consistency_over_steps():
    """Oracle: the convex cube hovers at dt mu v and is braked for it, dt mu sqrt(1 + mu^2) x(1)."""
    errors = consistency.runs(quick=True)
    assert failed(consistency.section(errors).rows) == []
    wanted = 5e-3 * p.MU * math.sqrt(1.0 + p.MU**2) * cube.dragged(1.0)[1]
    assert errors.truth["convex", "admm"][-1] == pytest.approx(wanted, rel=5e-3)
    drawn = figures.consistency(errors)
    assert len(drawn.axes) == 3


def test_over_relaxation():
    assert failed(relaxation.section().rows) == []


def test_stack_over_time():
    """Oracle: free fall, and rest."""
    found = {key: {1e6: stack_runs.run(*key, 1e6)} for key in (("coulomb", "pgs"), ("coulomb", "admm"))}
    fall = 0.5 * 9.81e-6 * 100 * 101
    assert found["coulomb", "pgs"][1e6].sunk[-1] == pytest.approx(fall, rel=0.05)
    assert abs(found["coulomb", "admm"][1e6].sunk[-1]) < 1e-9
    assert len(figures.sinking(found).axes) == 2


def test_accuracy():
    found = accuracy.runs(quick=True)
    section = accuracy.section(found, quick=True)
    assert failed(section.rows) == []
    assert all(j.result.own.ratio <= 1.0 for judged in found.values() for j in judged if j.result.converged)
    cube_of = {law: found[law, measures.fitting(law)[0]][0] for law in p.LAWS}
    assert cube_of["coulomb"].price < 1e-6 and min(cube_of[law].price for law in ("convex", "pyramid", "raisim")) > 0.1


def test_stack():
    """Oracle: the table measured for figure 13, and the weight."""
    section = stack.section()
    assert failed(section.rows) == []
    assert ours(section, "newton, R of drake, ratio 1e+06: floor force [N]") < 1e-4 * stack.weight(1e6), (
        "regularisation hides the failure"
    )
    curves = stack.curves(1e4, iterations=200)
    assert curves["pgs"][1][-1] > 0.01 > 1e-6 > curves["admm"][1][-1] and len(curves["admm"][0]) <= 15


def test_standing_quadruped():
    standing = quadruped.stand(5)
    counts = quadruped.count(standing)
    assert failed(quadruped.section(standing, counts).rows) == []
    assert all(n.accepted == 10 for n in counts.values())
    u, impulse = quadruped.soft_velocity(standing.settled, np.full(12, 0.01))
    assert np.abs(u + 0.01 * impulse).max() < 1e-10, "u = -R impulse where everything sticks"


def test_terrain_is_the_height_function_of_the_paper():
    heights = walking.terrain()
    x, y = -1.0 + 0.02 * 130, -1.0 + 0.02 * 70
    wanted = math.sin(30 * x) / 5 + math.cos(30 * y**2) / 20 + math.sin(50 * x * y) / 10
    lowest = heights[70, 130] - walking.ROUGHNESS * wanted
    assert heights.shape == (101, 201) and heights.min() == 0.0
    assert heights[0, 0] - lowest == pytest.approx(
        walking.ROUGHNESS * (math.sin(-30.0) / 5 + math.cos(30.0) / 20 + math.sin(50.0) / 10)
    )


def test_trots_on_flat_ground_agree_between_laws():
    found = [
        walking.walk(law, solver, 1.6, bumpy=False)
        for law, solver in (("coulomb", "admm"), ("convex", "admm"), ("raisim", "bisection"))
    ]
    assert failed(walking._flat(found)) == [] and all(w.statuses == {"converged"} for w in found)


def test_bumpy_ground_costs_the_other_laws_their_friction():
    found = [
        walking.walk(law, solver, 1.6, bumpy=True)
        for law, solver in (("coulomb", "admm"), ("convex", "admm"), ("raisim", "bisection"))
    ]
    assert failed(walking._bumpy(found)) == []


def test_rebound_springs_drift():
    assert failed(extras.motion().rows) == []


def test_inverse_dynamics_and_derivatives():
    assert failed(extras.section(quick=True).rows) == []


def test_figures_draw(slides, drags):
    made = [
        figures.slides(slides),
        figures.drags(drags),
        figures.convergence({"stack": stack.curves(1.0, 50)}, "residual"),
    ]
    assert [len(figure.axes) for figure in made] == [3, 3, 1]


@pytest.mark.full
def test_the_whole_study(tmp_path):
    study = papers.reproduce("contact-models")
    assert failed(study.rows) == [] and study.ok
    names = [row.name for row in study.rows]
    assert len(names) == len(set(names)) >= 200
    assert {row.status for row in study.rows} == {"ok", "differs", "told"}
    study.write(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert page.count("<svg") == 10 and "http:" not in page and "<script" not in page
    assert ", 0 failed, " in rows.closing(study.rows) and ", 0 skipped" in rows.closing(study.rows)
