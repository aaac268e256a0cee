# SPDX-License-Identifier: BSD-2-Clause
"""Tables II and III of the contact-model study, and the four laws in NumPy. Oracles: closed forms, the engine's judge, ticks of the paper."""

import math

import numpy as np
import pytest

import stiction as st
from stiction.papers.contact_models import measures, numpy_judge, tables
from stiction.papers.contact_models import published as p

OF_LAW = {"coulomb": "admm", "convex": "admm", "pyramid": "lemke", "raisim": "bisection"}


@pytest.mark.parametrize("law", p.LAWS)
def test_the_judge_in_numpy_knows_each_law(law):
    """Solutions of a law pass; those of another law, and forces with friction turned by a hundredth of a radian, do not."""
    problem = st.reference.rp1(law)
    force = measures.solved(problem, OF_LAW[law], **measures.TIGHT).force
    assert max(numpy_judge.judge(problem, force)) < 1e-6
    for other in set(p.LAWS) - {law}:
        foreign = measures.solved(st.reference.rp1(other), OF_LAW[other], **measures.TIGHT).force
        assert max(numpy_judge.judge(problem, foreign)) > 0.1, other
    c, s = math.cos(0.01), math.sin(0.01)
    turned = force @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    assert max(numpy_judge.judge(problem, turned)) > 1e-4


@pytest.mark.parametrize("law", ["coulomb", "convex"])
def test_the_judge_in_numpy_is_the_engine_s(law):
    """Random forces that solve nothing: the same three residuals to the last digits."""
    rng = np.random.default_rng(1)
    for seed in range(20):
        problem = st.reference.random_six(seed, 1e2, 0.6, law)
        force = rng.normal(size=(6, 3))
        engine = st.evaluate(problem, 1e-3 * force.ravel())
        assert numpy_judge.judge(problem, force) == pytest.approx(
            (engine.primal, engine.dual, engine.complementarity), rel=1e-12
        )


def test_judge_in_numpy_sees_a_newton():
    """Oracle: 1 N too much tangential force at one contact of the sliding cube leaves the cone by 1/sqrt(1 + mu^2) N."""
    problem = st.reference.rp1()
    force = measures.solved(problem, "admm", **measures.TIGHT).force
    i = int(np.argmax(force[:, 2]))
    force[i, :2] *= 1.0 + 1.0 / np.linalg.norm(force[i, :2])
    assert numpy_judge.judge(problem, force)[0] == pytest.approx(1.0 / math.sqrt(1.0 + 0.9**2), rel=1e-6)
    assert st.evaluate(problem, 1e-3 * force.ravel()).primal == pytest.approx(1.0 / math.sqrt(1.0 + 0.9**2), rel=1e-6)


def test_ticks_of_tables_2_and_3():
    """Every tick of the paper is met, but for the robustness of the regularised Newton methods, which solve another problem."""
    found = {row.name: row for row in tables.section().rows}
    assert {name for name, row in found.items() if row.status == "differs"} == {
        f"CCP, {name}: robust, floor force missing at 1e6" for name in ("MuJoCo", "Drake")
    }
    assert [row.name for row in found.values() if row.status == "failed"] == []
    assert sum(row.status == "ok" for row in found.values()) == 12 + 27 - 2


def test_a_wrong_tick_fails():
    """The rows can fail: Coulomb's ticks held against the solution of the convex law."""
    problem, impulse = st.reference.rp1("coulomb"), st.solve(st.reference.rp1("convex"), "admm")[0]
    rows = [tables._tick("", True, measure(problem, impulse), "Table II") for measure in tables.PRINCIPLES.values()]
    assert [row.status for row in rows] == ["failed", "ok", "ok"]
