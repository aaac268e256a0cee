# SPDX-License-Identifier: BSD-2-Clause
"""Romeo walks. Oracles: the equations of motion, friction cones, and the criterion of a completed walk."""

import subprocess
import sys

import numpy as np
import pytest

import stiction as st
from stiction import control

pytest.importorskip("proxsuite", reason="pip install proxsuite==0.8.0")
if "romeo_small" not in st.robots.paths():
    pytest.skip("pip install example-robot-data==6.0.0", allow_module_level=True)

PERIOD = 0.04


@pytest.fixture(scope="module")
def legged():
    return control.romeo_world()


def test_start_stands_on_the_right_foot(legged):
    sim = legged.simulator()
    assert len(legged.points) == 8 and legged.mass == pytest.approx(40.53, abs=0.01)
    right, left = (sim.frame_pose(foot)[0] for foot in legged.feet)
    assert right[2] == pytest.approx(0.07, abs=2e-4) and left[2] == pytest.approx(0.071, abs=2e-4)
    assert np.abs(sim.com()[:2] - right[:2]).max() < 2e-3


def test_solution_obeys_dynamics_and_cones(legged):
    sim = legged.simulator()
    sim.v[:] = np.linspace(-0.1, 0.1, sim.nv)
    walking = control.WalkingController(sim, legged.feet)
    s = walking.solve(sim, 1.5)  # on the left foot
    assert s.solved and s.stance == "left" and s.base_residual < 1e-6
    foot = sim.frame_pose("l_ankle")[0]
    corners = walking._wrench_map(sim, "l_ankle")
    wrench = corners @ s.force.ravel()
    left_side = sim.mass_matrix() @ s.acceleration + sim.bias() - sim.jacobian("l_ankle").T @ wrench
    assert left_side == pytest.approx(np.concatenate([np.zeros(6), s.torque]), abs=1e-6)
    assert s.force[:, 2].min() > -1e-6
    assert (np.abs(s.force[:, :2]).max(axis=1) - s.force[:, 2]).max() < 1e-6
    assert foot[2] > 0.0
    # the standing foot is held: J v̇ + J̇v = −kd (its velocity), for it is where it is held
    wanted = -2.0 * np.sqrt(10.0) * sim.frame_velocity("l_ankle")
    assert sim.jacobian("l_ankle") @ s.acceleration + sim.frame_drift("l_ankle") == pytest.approx(wanted, abs=1e-5)


def walk(legged, dt, **settings):
    """Runs the walk; height of the base against the start, worst distance of a foot from its path [m]."""
    sim = legged.simulator(dt=dt, **settings)
    walking = control.WalkingController(sim, legged.feet)
    start, lowest, worst = sim.q[2], np.inf, 0.0
    for k in range(157):
        sim.step(walking.torque(sim, PERIOD * k), n=round(PERIOD / dt))
        lowest = min(lowest, sim.q[2] / start)
        for side, frame in walking.feet.items():
            away = sim.frame_pose(frame)[0] - walking.foot_reference(side, PERIOD * (k + 1))[0]
            worst = max(worst, float(np.linalg.norm(away)))
    return lowest, worst


def test_two_steps_are_completed(legged):
    lowest, worst = walk(legged, 5e-3)
    assert lowest > 0.8 and worst < 0.02


def test_wrong_arguments(legged):
    sim = legged.simulator()
    with pytest.raises(st.InvalidInput, match="feet has 1 entries"):
        control.WalkingController(sim, legged.feet[:1])
    with pytest.raises(st.InvalidInput, match="'r_ankel'; did you mean 'r_ankle'"):
        control.WalkingController(sim, ("r_ankel", "l_ankle"))


def test_without_proxsuite_the_extra_is_named():
    code = (
        "import sys; sys.modules['proxsuite'] = None\n"
        "from stiction import control\n"
        "world = control.romeo_world()\n"
        "control.WalkingController(world.simulator(), world.feet)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert "ImportError" in done.stderr and "pip install 'stiction[control]'" in done.stderr
