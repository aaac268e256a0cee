# SPDX-License-Identifier: BSD-2-Clause
"""Worlds and the squat. Oracles: the base's six equations of motion, the simulator's own acceleration, statics."""

import numpy as np
import pytest

import stiction as st
from stiction import control

PERIOD, DT = 0.04, 2e-3


@pytest.fixture(params=["solo12", "quadruped_small"])
def legged(request):
    if request.param == "quadruped_small":
        return control.small_quadruped_world()
    if "solo12" not in st.robots.paths():
        pytest.skip("pip install example-robot-data==6.0.0")
    return control.solo_world()


def test_only_the_points_of_the_feet_touch(legged):
    sim = legged.simulator(dt=DT)
    sim.q[2] -= 0.01
    sim.step()
    touched = sim.contacts()
    assert sorted(touched["geom_b"]) == sorted(legged.points)
    feet = np.array([sim.frame_pose(foot)[0] for foot in legged.feet])
    order = [list(touched["geom_b"]).index(point) for point in legged.points]
    assert np.abs(touched["point"][order][:, :2] - feet[:, :2]).max() < 2e-3  # within a step's motion
    assert control.touching(sim, legged.points).all()
    assert legged.mass == pytest.approx(sim.mass) and f"{sim.mass:.3f} kg" in legged.model


def test_nothing_clamps_and_nothing_rubs(legged):
    """One step in the air from joint angles beyond any limit, with torques beyond any limit: v⁺ = v + dt M⁻¹(τ − h)."""
    sim = legged.simulator(dt=1e-6)
    sim.q[2], sim.q[7:] = 3.0, np.linspace(-30.0, 30.0, 12)
    sim.v[6:] = np.linspace(3.0, -3.0, 12)
    tau = np.linspace(-500.0, 500.0, 12)
    wanted = np.linalg.solve(sim.mass_matrix(), np.concatenate([np.zeros(6), tau]) - sim.bias())
    before = sim.v.copy()
    sim.step(tau)
    assert (sim.v - before)[6:] / 1e-6 == pytest.approx(wanted[6:], rel=1e-3, abs=1e-3 * np.abs(wanted).max())


def test_squat_obeys_the_base_and_pushes_all_the_way(legged):
    """Specification, test 28: base rows to 1e-10, normal forces positive; the height follows the sine."""
    sim = legged.simulator(dt=DT)
    squat = control.Squat(sim, legged.feet)
    worst, least, heights, wanted = 0.0, np.inf, [], []
    for k in range(100):
        solution = squat.solve(sim, PERIOD * k)
        worst, least = max(worst, solution.base_residual), min(least, solution.force[:, 2].min())
        assert sim.step(solution.torque, n=round(PERIOD / DT)).status == "converged"
        heights.append(sim.com()[2])
        wanted.append(squat.reference(PERIOD * (k + 1))[0][2])
    assert worst < 1e-10
    assert least > 0.0
    assert np.abs(np.array(heights) - wanted).max() < 0.02  # soft gains (kp 2) start from rest against a moving sine
    assert np.abs(sim.q[:2]).max() < 5e-3 and np.ptp(heights) > 0.05


def test_squat_at_rest_carries_the_weight(legged):
    """Statics: nothing moves and nothing is asked for, so the forces sum to the weight and have no moment about the centre."""
    sim = legged.simulator(dt=DT)
    solution = control.Squat(sim, legged.feet, amplitude=0.0).solve(sim, 0.0)
    arms = np.array([sim.frame_pose(foot)[0] for foot in legged.feet]) - sim.com()
    assert solution.force.sum(axis=0) == pytest.approx([0.0, 0.0, 9.81 * legged.mass], abs=1e-3)
    assert np.cross(arms, solution.force).sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-3)
    assert np.abs(solution.acceleration).max() < 1e-2


def test_solution_satisfies_all_equations_of_motion(legged):
    sim = legged.simulator(dt=DT)
    sim.v[:] = np.linspace(-0.3, 0.3, sim.nv)
    s = control.Squat(sim, legged.feet).solve(sim, 0.3)
    load = sum(sim.jacobian(foot)[:3].T @ f for foot, f in zip(legged.feet, s.force, strict=True))
    left = sim.mass_matrix() @ s.acceleration + sim.bias() - load
    assert left == pytest.approx(np.concatenate([np.zeros(6), s.torque]), abs=1e-10)


def test_feet_that_do_not_exist_are_named(legged):
    with pytest.raises(st.InvalidInput, match=r"'HL_FOT'; did you mean 'HL_FOOT'"):
        control.Squat(legged.simulator(), ["HL_FOT", *legged.feet[1:]])
    with pytest.raises(st.InvalidInput, match=r"'FL_FEET'"):
        control.legged_world(st.robots.paths()["quadruped_small"], ["FL_FEET"])


def test_another_body_in_the_world_is_refused(legged):
    world = legged.world.copy()
    world.add_sphere(radius=0.1, mass=1.0, position=(0.0, 0.0, 3.0))
    with pytest.raises(st.InvalidInput, match="one floating robot"):
        control.Squat(st.Simulator(world), legged.feet)


def test_wrong_files_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere.urdf"):
        control.solo_world(tmp_path / "nowhere.urdf")
    (tmp_path / "broken.urdf").write_text("<robot")
    with pytest.raises(st.InvalidInput, match=r"broken.urdf is not XML"):
        control.solo_world(tmp_path / "broken.urdf")
    with pytest.raises(st.InvalidInput, match="q0 has size 3, expected 19"):
        control.small_quadruped_world(q0=np.zeros(3))
