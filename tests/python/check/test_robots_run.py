# SPDX-License-Identifier: BSD-2-Clause
"""Robots from other people's files: `check`, then one second of `run`. All run, or one sentence says why not.

Oracle: the state stays finite, the energy of a robot that falls does not grow, the judge's status is known. ./test runs ten files of
the data package, --full twenty and the MJCF robots of Gymnasium's wheel."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import stiction as st
from stiction import check

SOME = [
    "a1",
    "go2",
    "solo12",
    "hyq_no_sensors",
    "panda",
    "ur5_robot",
    "double_pendulum_continuous",
    "laikago",
    "iris",
    "romeo",
]
MORE = [
    "anymal_c",
    "b1",
    "g1_29dof_rev_1_0",
    "talos_reduced",
    "tiago_no_hand",
    "allegro_left_hand",
    "kinova",
    "bolt",
    "pr2",
    "xarm7",
]
WHY_NOT = {"romeo": "moves no mass"}  # its fingers have none


def run(what, *more):
    done = subprocess.run(
        [sys.executable, "-m", "stiction.cli", "run", str(what), "--duration", "1", "--dt", "0.002", "--json", *more],
        capture_output=True,
        text=True,
        timeout=900,
    )
    return done


def both(what, why_not=None):
    """check, then run; a refusal is one sentence in both."""
    checked = check.robot(what)
    done = run(what)
    if why_not is not None:
        assert checked.simulated is None and any(why_not in f.sentence for f in checked.findings)
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and why_not in done.stderr
        return
    assert checked.simulated is not None, [f.sentence for f in checked.findings if f.severity == check.ERROR]
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["steps"] == 500 and result["status"] in ("converged", "stalled", "max_iterations")
    assert np.isfinite(result["penetration_m"]) and result["unaccepted_steps"] <= 0.2 * result["steps"]


def robots():
    known = st.robots.list()
    if "a1" not in known:
        pytest.skip("example-robot-data is not installed: pip install 'stiction[robots]'")
    return known


@pytest.mark.parametrize("name", SOME)
def test_robot(name):
    assert name in robots()
    both(name, WHY_NOT.get(name))


@pytest.mark.full
@pytest.mark.parametrize("name", MORE)
def test_more_robots(name):
    assert name in robots()
    both(name)


@pytest.mark.parametrize("name", ["cassie_v2", "cassie_simple"])
def test_cassie_is_told_why_not(name):
    """Its knees may not be at 0, where the file draws them, so its rods are 21 cm open at the start: no step can close them."""
    assert name in robots()
    found = [f for f in check.robot(name).findings if f.id == "loop-open"]
    assert len(found) == 2 and all(
        "plantar-foot" in f.place and ("211 mm" in f.sentence or "272 mm" in f.sentence) for f in found
    )


def mjcf_files():
    spec = importlib.util.find_spec("gymnasium")
    if spec is None or spec.origin is None:
        pytest.skip("gymnasium is not installed")
    return sorted((Path(spec.origin).parent / "envs" / "mujoco" / "assets").glob("*.xml"))


@pytest.mark.parametrize("name", ["ant", "humanoid"])
def test_mjcf_robot(name):
    (path,) = [p for p in mjcf_files() if p.stem == name]
    both(path)


@pytest.mark.full
def test_mjcf_robots():
    for path in mjcf_files():
        both(path)


def test_a_falling_robot_gains_no_energy():
    """Passive joints, friction, no restitution: energy only goes down, but for round-off and the first-order error of the step."""
    if "a1" not in st.robots.list():
        pytest.skip("example-robot-data is not installed: pip install 'stiction[robots]'")
    world = st.World()
    world.add_ground(mu=0.8)
    st.robots.load("a1", world, position=(0, 0, 0.6))
    sim = st.Simulator(world, dt=1e-3)
    start = last = sim.energy().total
    for _ in range(1000):
        sim.step()
        now = sim.energy().total
        assert now <= last + 2e-3 * abs(start)
        last = now
    assert last < start
