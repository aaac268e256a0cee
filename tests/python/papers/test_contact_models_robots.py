# SPDX-License-Identifier: BSD-2-Clause
"""The robots of the contact-model study: Solo-12, Talos, the Allegro hand, a UR5. Oracles: statics, NumPy, rows that fail where impulses are wrong."""

from dataclasses import replace

import numpy as np
import pytest

import stiction as st
from stiction.papers.contact_models import admm_by_hand, internal, robots, stances, trajectories, wall

needs_robots = pytest.mark.skipif("solo12" not in st.robots.paths(), reason="needs example-robot-data")


def failed(found):
    return [(row.name, row.ours, row.reason) for row in found if row.status == "failed"]


@needs_robots
@pytest.mark.parametrize("stance", stances.STANCES, ids=lambda stance: stance.title)
def test_a_robot_with_locked_joints(stance):
    """One rigid body on its feet. Oracle: equilibrium of the wrench; rows fail where impulses are wrong by a percent."""
    robot = stances.locked(stance)
    found = robots.runs(robot)
    rows = robots._balance(robot, found)
    assert failed(rows) == [] and sum(row.judged for row in rows) == 8
    wrong = {key: tuple(replace(run, force=1.01 * run.force) for run in pair) for key, pair in found.items()}
    assert [row.status for row in robots._balance(robot, wrong) if row.judged] == ["ok", *7 * ["failed"]]


@needs_robots
def test_admm_crawls_where_a_force_lies_on_its_cone():
    """Two implementations of the published ADMM, Talos: a dozen iterations inside the cones, hundreds at a border."""
    robot = stances.locked(stances.TALOS)
    for t, low, high in ((1.0, 5, 30), (2.0, 300, 20000)):
        problem = robot.problem(t)
        assert low < admm_by_hand.iterations(problem, 1e-9) < high
        assert low < robots._counted(problem, "admm", 1e-9).iterations < high
        assert (robots.outside(problem) > 0.0) == (t == 2.0)


@needs_robots
def test_least_norm_in_the_cones():
    """Oracle: the forces balance, lie in their cones, and no admissible change of them is shorter."""
    problem = stances.locked(stances.SOLO).problem(2.0)
    least = internal.least_norm(problem)
    assert np.abs(problem.G @ least + problem.g).max() < 1e-15
    assert np.abs(internal.onto_cones(least, problem.mu) - least).max() < 1e-15
    kernel, rng = np.linalg.svd(problem.G)[2][6:], np.random.default_rng(0)
    for _ in range(200):
        other = least + 1e-4 * kernel.T @ rng.normal(size=6)
        if np.abs(internal.onto_cones(other, problem.mu) - other).max() < 1e-12:
            assert np.linalg.norm(other) > np.linalg.norm(least)


@needs_robots
def test_compliance_removes_internal_forces():
    for stance in stances.STANCES:
        assert failed(internal.internal_rows(stances.locked(stance))) == []


@needs_robots
def test_the_hand_holds_its_cube():
    assert failed(trajectories._grip()) == [] and len(trajectories._grip()) == 4


@needs_robots
def test_the_wall_is_pressed_as_wanted():
    """Oracle: statics; the contact force of the simulator is the one that inverse dynamics foretold."""
    assert failed(wall.section().rows) == []


@needs_robots
@pytest.mark.full
def test_every_row_of_the_robots():
    assert failed(robots.section().rows) == []
    assert failed(trajectories.section(trajectories.runs(20)).rows) == []
