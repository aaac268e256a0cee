# SPDX-License-Identifier: BSD-2-Clause
"""<equality> of MJCF, <mimic> of URDF and SDF. Oracles: closed forms (two geared wheels), MuJoCo's motion, what the equality says."""

import numpy as np
import pytest

import stiction as st
from two_engines import arm, compare_motion, load

mujoco = pytest.importorskip("mujoco")

TIGHT = 'solref="0.0004 1" solimp="0.9999 0.9999 0.001"'


def test_a_polynomial_of_joints_moves_as_in_mujoco(tmp_path):
    text = arm(
        f'<equality><joint joint1="slide" joint2="shoulder" polycoef="0.01 0.2 0.3 -0.1 0" {TIGHT}/></equality>',
        shoulder='stiffness="3" springref="0.5"',
    )
    sim, _ = compare_motion(mujoco, text, tmp_path, tolerance=1e-3)
    x = sim.q[0]
    assert sim.q[2] == pytest.approx(0.01 + 0.2 * x + 0.3 * x**2 - 0.1 * x**3, abs=1e-6)


def test_positions_count_from_the_reference(tmp_path):
    """elbow has ref 0.1: q_elbow - 0.1 = 2 q_shoulder."""
    _, _, sim = load(
        arm(
            '<equality><joint joint1="elbow" joint2="shoulder" polycoef="0 2 0 0 0"/></equality>',
            shoulder='stiffness="3" springref="0.5"',
        ),
        tmp_path,
    )
    assert sim.step(n=500).ok
    assert abs(sim.q[0]) > 0.05 and sim.q[1] - 0.1 == pytest.approx(2 * sim.q[0], abs=1e-6)


def test_one_joint_is_locked_unless_the_equality_is_off(tmp_path):
    for active, moved in (("true", False), ("false", True)):
        _, _, sim = load(arm(f'<equality><joint joint1="elbow" active="{active}"/></equality>'), tmp_path)
        sim.v[0] = 2.0
        assert sim.step(n=300).ok
        assert (abs(sim.q[1] - 0.1) > 1e-2) == moved


WHEELS = """<mujoco><worldbody><body><joint name="a" axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia="0.3 0.3 0.3"/></body>
<body pos="1 0 0"><joint name="b" axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body></worldbody>
<equality><joint joint1="b" joint2="a" polycoef="0 -3 0 0 0"/></equality><actuator><motor joint="a"/></actuator></mujoco>"""


@pytest.mark.parametrize("solver", ["auto", "nsgs", "pgs", "admm", "ppa_newton"])
def test_two_geared_wheels(solver, tmp_path):
    """Seen from a the inertia is I_a + 9 I_b = 1.2: the trees have no other contact."""
    _, _, sim = load(WHEELS, tmp_path, solver=solver)
    sim.ctrl[0] = 2.4
    sim.step(n=100)
    np.testing.assert_allclose(sim.v, [0.2, -0.6], rtol=1e-6)


@pytest.mark.parametrize("stepper", ["moreau", "stewart_trinkle"])
def test_geared_wheels_in_other_steppers(stepper, tmp_path):
    _, _, sim = load(WHEELS, tmp_path, stepper=stepper)
    sim.ctrl[0] = 2.4
    sim.step(n=100)
    np.testing.assert_allclose(sim.v, [0.2, -0.6], rtol=1e-6)


def test_soft_laws_refuse_couplings(tmp_path):
    with pytest.raises(ValueError, match="equality 'b' of joints has no form"):
        load(WHEELS, tmp_path, law="anchored")


SITES = """<mujoco><worldbody><site name="hook" pos="0.3 0 1"/>
<body name="a" pos="0 0 1"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02" contype="0" conaffinity="0"/>
  <body name="b" pos="0.3 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.3 0 -0.1" size="0.02" contype="0" conaffinity="0"/><site name="end" pos="0.3 0 -0.1" euler="0 0 30"/></body></body>
<body name="c" pos="0.7 0 0.9"><freejoint/><geom type="box" size="0.05 0.04 0.03" contype="0" conaffinity="0"/><site name="plug" pos="-0.1 0 0" euler="0 0 30"/></body></worldbody>
<equality>{equality}</equality></mujoco>"""


@pytest.mark.parametrize("kind", ["connect", "weld"])
def test_sites_are_held_together(kind, tmp_path):
    _, _, sim = load(SITES.format(equality=f'<{kind} site1="end" site2="plug"/>'), tmp_path)
    assert sim.step(n=300).ok
    (p, r), (x, s) = sim.frame_pose("end"), sim.frame_pose("plug")
    np.testing.assert_allclose(
        p, x, atol=2e-4
    )  # a tenth of the drift ½ a dt² is taken back in a step: 5 a dt², a < 40 m/s²
    assert (abs(abs(np.dot(r, s)) - 1.0) < 1e-8) == (kind == "weld")


@pytest.mark.parametrize(
    "equality", ['<connect site1="end" site2="plug" {}/>', '<weld site1="end" site2="plug" {}/>', '<connect body1="b" body2="c" anchor="0.3 0 -0.1" {}/>', '<weld body1="b" body2="c" {}/>']
)  # fmt: skip
def test_loops_move_as_in_mujoco(equality, tmp_path):
    compare_motion(mujoco, SITES.format(equality=equality.format(TIGHT)), tmp_path, seconds=0.3, tolerance=1e-3)


PENDULUM = """<mujoco><worldbody><body name="rod"><joint axis="0 1 0"/>
<inertial pos="0 0 -0.25" mass="1" diaginertia="0.02 0.02 0.001"/></body>
<body name="bob" pos="0 0 -0.5"><freejoint/><inertial pos="0 0 0" mass="2" diaginertia="0.03 0.03 0.03"/></body></worldbody>
<equality><weld body1="rod" body2="bob"/></equality></mujoco>"""


def test_period_of_a_welded_pendulum(tmp_path):
    """One body of 3 kg, its centre 5/12 m below the axis: q = q0 cos(w t), w^2 = 3 g 5/12 / (0.02 + 1/16 + 0.03 + 2/4)."""
    _, _, sim = load(PENDULUM, tmp_path, dt=1e-4)
    sim.q[0] = angle = 1e-3
    x = 0.5 * angle
    sim.q[1:8] = (-0.5 * np.sin(angle), 0.0, -0.5 * np.cos(angle), 0.0, np.sin(x), 0.0, np.cos(x))
    w = np.sqrt(9.81 * 1.25 / (0.02 + 0.0625 + 0.03 + 0.5))
    for t in (0.2, 0.5, 1.3):
        assert sim.step(n=round((t - sim.time) / 1e-4)).ok
        assert sim.q[0] == pytest.approx(angle * np.cos(w * t), abs=1e-3 * angle)


URDF = """<robot name="r"><link name="base"/>{links}
<joint name="a" type="{type}"><parent link="base"/><child link="l1"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="9" velocity="9"/></joint>
<joint name="b" type="{type}"><parent link="base"/><child link="l2"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/><limit lower="-9" upper="9" effort="9" velocity="9"/><mimic joint="a" multiplier="-2" offset="0.25"/></joint></robot>"""
LINK = '<link name="{}"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>'


def test_urdf_mimic(tmp_path):
    """I_a + 4 I_b = 0.5 seen from a; the start is where the joint has to be."""
    world = st.World()
    world.add_urdf_text(URDF.format(type="revolute", links=LINK.format("l1") + LINK.format("l2")), fixed=True)
    assert not world.warnings
    sim = st.Simulator(world)
    assert sim.joints()["b"] == 0.25
    sim.step([1.0, 0.0], n=200)
    np.testing.assert_allclose(sim.v, [0.4, -0.8], rtol=1e-6)
    assert sim.joints()["b"] == pytest.approx(0.25 - 2 * sim.joints()["a"], abs=1e-7)
    unknown = URDF.replace('mimic joint="a"', 'mimic joint="none"')
    world.add_urdf_text(unknown.format(type="revolute", links=LINK.format("l1") + LINK.format("l2")))
    assert "<mimic> is left out: unknown joint 'none'" in world.warnings[0]


def test_sdf_mimic(tmp_path):
    link = '<link name="{}"><pose>{} 0 0 0 0 0</pose><inertial><mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial></link>'
    joint = '<joint name="{}" type="revolute"><parent>base</parent><child>{}</child><axis><xyz>0 0 1</xyz><limit><lower>-9</lower><upper>9</upper></limit>{}</axis></joint>'
    mimic = '<mimic joint="a"><multiplier>-2</multiplier><offset>0.25</offset><reference>0.1</reference></mimic>'
    (tmp_path / "r.sdf").write_text(
        '<sdf version="1.11"><model name="r">'
        + link.format("base", 0)
        + link.format("l1", 0)
        + link.format("l2", 1)
        + joint.format("a", "l1", "")
        + joint.format("b", "l2", mimic)
        + "</model></sdf>"
    )
    world = st.World()
    world.add_sdf(tmp_path / "r.sdf", fixed=True)
    sim = st.Simulator(world)
    assert sim.joints()["b"] == pytest.approx(0.45)
    sim.step([1.0, 0.0], n=200)
    assert sim.joints()["b"] == pytest.approx(0.45 - 2 * sim.joints()["a"], abs=1e-7) and sim.joints()["a"] > 1e-3


def four_bar(tmp_path, tilt):
    """Hinges along x, across the plane of motion; `tilt` as in files whose axes are rounded."""
    bar = 'type="capsule" size=".01" contype="0" conaffinity="0"'
    text = f"""<mujoco><option timestep="1e-3"/><worldbody>
      <body><joint axis="1 0 0"/><geom {bar} fromto="0 0 0 0 0 .2" mass=".2"/>
        <body name="coupler" pos="0 0 .2"><joint axis="1 {tilt} 0"/><geom {bar} fromto="0 0 0 0 .3 .05" mass=".3"/></body></body>
      <body name="rocker" pos="0 .3 0"><joint axis="1 0 {tilt}"/><geom {bar} fromto="0 0 0 0 0 .25" mass=".2"/></body>
      </worldbody><equality><connect body1="coupler" body2="rocker" anchor="0 .3 .05"/></equality></mujoco>"""
    _, _, sim = load(text, tmp_path)
    sim.v[0] = sim.v[2] = 1.0
    return sim


def test_axes_that_are_parallel_but_for_round_off_do_not_lock_a_linkage(tmp_path):
    """Oracle: the linkage with parallel axes. Across its plane the row of the loop moves next to nothing, and must hold nothing."""
    parallel, tilted = four_bar(tmp_path, 0.0), four_bar(tmp_path, 1e-6)
    for _ in range(300):
        assert parallel.step().ok and tilted.step().ok
    assert abs(parallel.v[0]) > 4
    assert np.abs(parallel.v - tilted.v).max() < 0.01 * np.abs(parallel.v).max()
