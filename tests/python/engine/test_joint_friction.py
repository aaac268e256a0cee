# SPDX-License-Identifier: BSD-2-Clause
"""Dry friction in joints: held, pushed, or a row of the contact problem. Oracles: closed forms of the semi-implicit step, and the
same step with a row for every joint (`problems()`)."""

import numpy as np
import pytest

import stiction as st

DT = 1e-3
G = 9.81


def chain(tmp_path, links, friction, base="", foot=True, limits=""):
    """Links of .2 m and 1 kg in line, axes by turns; a sphere at the end."""
    text = ""
    for i in range(links):
        axis = ("1 0 0", "0 1 0", "0 0 1")[i % 3]
        text += (
            f'<body pos="0 0 -.2"><joint name="j{i}" axis="{axis}" frictionloss="{friction}" armature=".01" {limits}/>'
        )
        text += '<geom type="capsule" fromto="0 0 0 0 0 -.2" size=".02" mass="1" contype="0" conaffinity="0"/>'
    if foot:
        text += '<geom type="sphere" pos="0 0 -.2" size=".03" mass=".1"/>'
    text += "</body>" * links
    path = tmp_path / "chain.xml"
    path.write_text(f"""<mujoco><option timestep="{DT}"/><worldbody><geom type="plane" size="5 5 .1"/>
      <body pos="0 0 {0.2 * links + 0.3}">{base}<geom type="sphere" size=".05" mass="2" contype="0" conaffinity="0"/>{text}</body>
      </worldbody></mujoco>""")
    world = st.World()
    world.add_mjcf(str(path))
    return st.Simulator(world, dt=DT)


def pendulum(tmp_path, friction):
    sim = chain(tmp_path, 1, friction, foot=False)
    sim.q[0] = 0.5
    return sim


def test_a_held_joint_stands_still_to_the_bit(tmp_path):
    weight = 1.0 * G * 0.1 * np.sin(0.5)
    sim = pendulum(tmp_path, 1.01 * weight)
    start = sim.q.copy()
    assert sim.step(n=200).status == "converged"
    assert np.array_equal(sim.q, start) and not sim.v.any()
    loose = pendulum(tmp_path, 0.99 * weight)
    loose.step()
    inertia = loose.mass_matrix()[0, 0]
    assert loose.v[0] == pytest.approx(-DT * 0.01 * weight / inertia, rel=1e-6)


def test_a_wheel_slows_down_and_stops_for_good(tmp_path):
    sim = chain(tmp_path, 3, 0.05, foot=False)  # the third axis is vertical
    inertia = sim.mass_matrix()[2, 2]
    sim.v[2] = speed = 40.5 * DT * 0.05 / inertia
    for k in range(1, 41):
        sim.step()
        assert sim.v[2] == pytest.approx(speed - k * DT * 0.05 / inertia, rel=1e-9)
    sim.step()
    assert sim.v[2] == 0.0
    sim.step(n=50)
    assert sim.v[2] == 0.0


def test_a_joint_that_rests_at_a_limit_needs_no_row(tmp_path):
    """Gravity presses a pendulum against its lower limit: it rests until the torque exceeds weight and friction."""
    weight, friction = 1.0 * G * 0.1 * np.sin(0.5), 0.2
    for torque, expected in (
        (0.0, 0),
        (weight, 0),
        (weight + 0.99 * friction, 0),
        (weight + 1.5 * friction, 0.5 * friction),
    ):
        sim = chain(tmp_path, 1, friction, foot=False, limits='limited="true" range="28.64788975654116 90"')  # .5 rad
        sim.q[0] = 0.5
        sim.step()
        report = sim.step(tau=[torque])
        assert report.status == "converged"
        assert sim.v[0] == pytest.approx(DT * expected / sim.mass_matrix()[0, 0], rel=1e-6, abs=0.0)
        if expected == 0:
            assert report.islands == 0 and sim.q[0] == 0.5
    sim.q[0], sim.v[0] = 0.6, 0.0  # away from the limit nothing bears the weight: it falls
    sim.step()
    fall = (1.0 * G * 0.1 * np.sin(0.6) - friction) / sim.mass_matrix()[0, 0]
    assert sim.v[0] == pytest.approx(-DT * fall, rel=1e-6)


@pytest.mark.parametrize("limits", ["", 'limited="true" range="0 20"'])
@pytest.mark.parametrize("base", ["", "<freejoint/>"])
@pytest.mark.parametrize("friction", [0.02, 0.5, 5.0])
def test_the_step_is_the_one_with_a_row_for_every_joint(tmp_path, base, friction, limits):
    sim = chain(tmp_path, 7, friction, base, limits=limits)
    rng = np.random.default_rng(int(100 * friction))
    first = 6 if base else 0
    sim.v[first:] = rng.uniform(-2, 2, 7) * (rng.uniform(size=7) < 0.5)
    compared = 0
    for k in range(400):
        tau = rng.uniform(-1, 1, 7) * (0 if k < 100 else 0.5)
        (problem,) = sim.problems(tau=tau)
        boxes = [b.row for b in problem.blocks if b.kind == "box"]
        assert len(boxes) == 7
        impulse, report = st.solve(problem, tolerance=1e-10)
        sim.step(tau=tau)
        if not report.ok:
            continue
        u = np.asarray(problem.G) @ impulse + problem.g
        scale = 1.0 + np.abs(sim.v).max()
        assert np.abs(sim.v[first:] - u[boxes]).max() < 1e-6 * scale, k
        compared += 1
    assert compared > 390


def test_a_held_arm_bears_a_load_until_it_is_too_heavy(tmp_path):
    """A ball on a held horizontal paddle: |weight x lever| within the friction, and beyond."""
    for mass, stands in ((0.5, True), (2.0, False)):
        path = tmp_path / "paddle.xml"
        path.write_text(f"""<mujoco><worldbody><body pos="0 0 1"><joint axis="0 1 0" frictionloss="6"/>
          <geom type="box" pos=".25 0 0" size=".25 .1 .01" mass=".5"/></body>
          <body pos=".4 0 .06"><freejoint/><geom type="sphere" size=".05" mass="{mass}" pos="0 0 1"/></body></worldbody></mujoco>""")
        world = st.World()
        world.add_mjcf(str(path))
        sim = st.Simulator(world, dt=DT)
        report = sim.step(n=300)
        assert report.ok
        moved = abs(sim.q[0]) > 1e-6
        assert moved != stands  # .5 g .25 + m g .4: 3.2 and 9.1 N m
