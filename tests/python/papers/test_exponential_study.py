# SPDX-License-Identifier: BSD-2-Clause
"""The study of exponential integrators on the motions of the paper: acceptance tests 20 to 23 and 25.

Oracle: papers/exponential/published.py, that is the paper and an independent implementation of it. The motions are third-party
data. Short forms here; `full` runs everything that `stiction reproduce exponential` judges.
"""

import math

import numpy as np
import pytest

from stiction import papers
from stiction.papers.exponential import accuracy, goals, harness, romeo, stability, sweeps, tasks
from stiction.papers.exponential.methods import METHODS
from stiction.papers.exponential.published import (
    AS_STABLE,
    ROMEO,
    ROMEO_LANDED,
    ROMEO_STEPS,
    ROMEO_WALK,
    STABLE,
    SWEEP_SPREAD,
    TASKS,
)
from stiction.papers.exponential.truth import QUICK_STEP, cross_check, local_errors, make_truth


@pytest.fixture(scope="module")
def motions(third_party):
    folder = tasks.find_folder(third_party)
    assert folder is not None, f"no folder {third_party / 'consim'} with {', '.join(tasks.FILES)}"
    return tasks.published_tasks(folder)


@pytest.fixture(scope="module", params=["own", pytest.param("published", marks=pytest.mark.data)])
def trot(request):
    return (tasks.own_tasks() if request.param == "own" else request.getfixturevalue("motions"))["trot"]


@pytest.fixture(scope="module")
def measured(motions):
    """Truth at 1/32 ms, its check, and all errors at the control period."""
    return {name: accuracy.measure(task, quick=True) for name, task in motions.items()}


def failures(made):
    return [" ".join(map(str, (row.name, row.measured, row.ours))) for row in made if row.status == "failed"]


# Test 20. Euler and Runge-Kutta are only run at the step of the table and, where it blows up early, at twice that step.
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", [*AS_STABLE, "1/1", "euler", "rk4"])
def test_stability(motions, task, name):
    wanted = STABLE[name][task][1]
    n = motions[task].substeps(wanted)
    assert stability.run(motions[task], METHODS[name], n).stable
    if n > 1:
        assert not stability.run(motions[task], METHODS[name], n // 2).stable, (
            "the table says that twice the step is too much"
        )


@pytest.mark.parametrize("task", TASKS)
def test_stability_of_implicit_euler(motions, task):
    if not METHODS["implicit"].available:
        pytest.xfail("this build has no stepper implicit_euler")
    step, _ = stability.largest_step(motions[task], METHODS["implicit"])
    assert step >= STABLE["implicit"][task][1]


# Test 20, Romeo: judged until the walk ends; the whole run, by our criterion and by the paper's, is printed for every method.
def test_romeo():
    made = romeo.section().rows
    if made[0].status == "skipped":
        pytest.skip(made[0].reason)
    gains = [row for row in made if "published gains" in row.name]
    made = [row for row in made if row not in gains]
    assert not failures(made) and len(made) == 3 * len(ROMEO)
    assert len(gains) == 2 * sum(known is not None for known in ROMEO.values())
    assert all(row.status == "told" for row in gains)
    for walk, whole, bounded in zip(made[::3], made[1::3], made[2::3], strict=True):
        assert walk.name + ", whole run" == whole.name and whole.status == bounded.status == "told"
        assert whole.ours <= walk.ours and whole.ours <= bounded.ours, (
            "a longer run and a stricter criterion hold no longer steps"
        )


def test_romeo_falls():
    """A run that strays in control step 130 has completed the walk and not the whole run; one that ends at 100 has only landed."""
    height, astray, none = np.full(ROMEO_STEPS, 0.9), np.full(ROMEO_STEPS, 0.01), np.zeros(ROMEO_STEPS, dtype=int)
    astray[129] = 0.021
    late = romeo.Walk(10.0, height, astray, none)
    early = romeo.Walk(20.0, height[:100], astray[:100], none[:100])
    assert [late.upright(n) for n in (ROMEO_LANDED, ROMEO_WALK, 129, 130, ROMEO_STEPS)] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert late.bounded and early.upright(ROMEO_LANDED) and not early.upright(ROMEO_WALK) and not early.bounded
    assert romeo.largest_step([early, late], romeo.HOLDS["until 3.6 s"]) == 20.0
    assert romeo.largest_step([early, late], romeo.HOLDS["until 4.8 s (judged)"]) == 10.0
    assert math.isnan(romeo.largest_step([early, late], romeo.HOLDS["whole run"]))
    assert not romeo.Walk(5.0, np.full(ROMEO_STEPS, 0.79), astray, none).upright(1)


# Test 21
@pytest.mark.parametrize("task", TASKS)
def test_local_errors(motions, measured, task):
    _, check, found = measured[task]
    assert check.median <= accuracy.TRUTH_MEDIAN, "two fine methods agree"
    made = accuracy.section([(motions[task], *measured[task])], quick=True, missing=False).rows
    assert len(made) >= 9 and not failures(made)
    errors = found["exact", TASKS[task][0]]
    assert errors.median <= errors.high <= errors.max and errors.smooth_mean <= errors.mean * (1.0 + 1e-12)


# Test 22: the forces of a reset are replaced, never added; adding them once more makes the published number.
def test_fault_of_the_harness(measured):
    made = harness.section([measured["squat"][0]]).rows
    assert [row.status for row in made] == ["ok", "ok"], made


def test_restoring_twice_changes_nothing(trot):
    truth = make_truth(trot, QUICK_STEP, steps=150)
    for name in ("1/2", "euler", "rk4"):
        sim = trot.simulator(METHODS[name], 4)
        ends = []
        for times in (1, 2, 3):
            for _ in range(times):
                sim.restore(truth.blobs[140], other_stepper=True)
            sim.step(truth.torques[140], n=4)
            ends.append((sim.q.tobytes(), sim.v.tobytes()))
        assert ends[0] == ends[1] == ends[2]


# Test 23, and the goals for accuracy past the paper
@pytest.mark.parametrize("task", TASKS)
def test_goals(motions, measured, task):
    made = goals.section([(motions[task], measured[task][2])]).rows
    assert sum(row.name.startswith("automatic order") for row in made) == 3
    assert len(made) >= 5 and not failures(made)


# Test 25, on the first 0.8 s; the whole motion is in the full run.
def test_error_hardly_depends_on_stiffness(trot):
    sweep = sweeps.measure(trot, "stiffness", [1e3, 1e5, 1e8], sweeps.QUICK_TRUTH, steps=400)
    for name in ("1/1", "1/2"):
        assert sweeps.spread(sweep.errors[name]) < SWEEP_SPREAD
    assert sweeps.spread(sweep.errors["euler"]) > 100.0, "explicit Euler does depend on it"


def test_errors_of_the_truth_itself_vanish(trot):
    """A method at the step of the truth makes the truth again, bit for bit: restore carries all of the contact state."""
    truth = make_truth(trot, QUICK_STEP, steps=150)
    assert local_errors(truth, METHODS["midpoint 1/2"], truth.substeps).max == 0.0
    assert 0.0 < cross_check(truth).median < 1e-6


def test_error_statistics():
    from stiction.papers.exponential.truth import Errors

    values, switched = np.array([1.0, 2.0, 3.0, 94.0]), np.array([False, False, False, True])
    errors = Errors(METHODS["1/2"], 2.0, values, switched, 0, 0, 1.0)
    assert (errors.mean, errors.median, errors.max, errors.smooth_mean) == (25.0, 2.5, 94.0, 2.0)
    assert errors.high == pytest.approx(3.0 + 0.85 * 91.0)
    failed = Errors(METHODS["1/2"], 2.0, np.array([1.0, math.inf, math.inf]), np.array([True] * 3), 0, 0, 1.0)
    assert failed.median == math.inf and math.isnan(failed.smooth_mean)


@pytest.mark.full
def test_whole_study(third_party):
    """Everything but clocks."""
    made = papers.reproduce("exponential", data=third_party)
    assert not failures([row for row in made.rows if not row.name.startswith("time of ")])
