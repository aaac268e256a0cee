# SPDX-License-Identifier: BSD-2-Clause
"""Every scene and every captured problem gives the bits that were recorded. Oracle: hashes.json (cases.py says what it holds).

After a change that alters bits on purpose: record.py, and a line in the CHANGELOG.
"""

import functools
import json

import pytest

import cases

RECORDED = json.loads(cases.HASHES.read_text())
if RECORDED["platform"] != cases.platform():
    pytest.skip(
        "replay: the bits were recorded with another C library or processor, whose sine and exponential round differently",
        allow_module_level=True,
    )


def by_first_word(names):
    """`scene/law/stepper` by scene, `problem/solver/law` by problem: one test each, since single cases take milliseconds."""
    groups = {}
    for name in names:
        groups.setdefault(name.split("/")[0], []).append(name)
    return groups


SCENES, PROBLEMS = by_first_word(RECORDED["scenes"]), by_first_word(RECORDED["solvers"])
problems = functools.cache(cases.load_problems)


def is_slow(name):
    """A case of which ten steps could not be recorded in ten seconds: dense methods on the tower of kapla."""
    steps, found = RECORDED["scenes"][name]["long"]
    return steps < 10 and not found.startswith("refused")


SLOW_SOLVES = {"tower/auto/pyramid"}  # two minutes of a pivoting method


def check_scene(scene, length):
    changed = {}
    for name in SCENES[scene]:
        if length == "short" and is_slow(name):
            continue  # only in --full
        steps, wanted = RECORDED["scenes"][name][length]
        found = cases.run_scene(name, steps)
        if found != wanted:
            changed[name] = f"{wanted} -> {found}"
    assert not changed


@pytest.mark.parametrize("scene", SCENES)
def test_scene(scene):
    check_scene(scene, "short")


@pytest.mark.full
@pytest.mark.parametrize("scene", SCENES)
def test_scene_for_long(scene):
    check_scene(scene, "long")


def check_solvers(names):
    wanted = {name: RECORDED["solvers"][name] for name in names}
    found = {name: cases.run_solver(name, problems()) for name in wanted}
    assert {name: f"{wanted[name]} -> {found[name]}" for name in wanted if found[name] != wanted[name]} == {}


@pytest.mark.parametrize("problem", PROBLEMS)
def test_solvers(problem):
    check_solvers(set(PROBLEMS[problem]) - SLOW_SOLVES)


@pytest.mark.full
@pytest.mark.parametrize("name", sorted(SLOW_SOLVES))
def test_slow_solvers(name):
    check_solvers([name])


def test_everything_is_recorded():
    """A new scene, law, stepper or solver must be recorded as well."""
    assert set(cases.scene_names()) == set(RECORDED["scenes"])
    assert set(cases.solver_names(problems())) == set(RECORDED["solvers"])
