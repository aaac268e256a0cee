# SPDX-License-Identifier: BSD-2-Clause
"""Spatial tendons of MJCF, and sites that are driven from another site. Oracles: MuJoCo's lengths, forces and motion, closed forms
(a string around a wheel, a pulley), what a range or an equality says."""

import numpy as np
import pytest

import stiction as st
from two_engines import arm, compare_forces, compare_motion, load

mujoco = pytest.importorskip("mujoco")

WORLD = """<site name="top" pos="0.1 0.05 1.1"/><site name="far" pos="-0.3 0.2 0.9"/><site name="beside" pos="0.5 0 0.8"/>
<site name="within" pos="0.01 0 0.85"/>
<geom name="ball" type="sphere" size="0.08" pos="0.05 0.03 0.8" contype="0" conaffinity="0"/>
<geom name="roll" type="cylinder" size="0.07 0.3" pos="0.04 0.02 0.8" euler="1.4 0.2 0" contype="0" conaffinity="0"/>"""
FREE = """<body name="box" pos="0.4 0.1 0.6" euler="0.3 0.2 0.1"><freejoint name="f"/><geom type="box" size="0.1 0.05 0.04" mass="0.5"
contype="0" conaffinity="0"/><site name="corner" pos="0.1 0.05 0.04"/>
<geom name="own" type="sphere" size="0.05" pos="0 0.02 0" mass="0.1" contype="0" conaffinity="0"/></body>"""

PATHS = {
    "straight": '<site site="top"/><site site="hand"/>',
    "through the world": '<site site="top"/><site site="hand"/><site site="far"/>',
    "two trees": '<site site="corner"/><site site="hand"/>',
    "sphere": '<site site="top"/><geom geom="ball"/><site site="hand"/>',
    "sphere, by a side": '<site site="top"/><geom geom="ball" sidesite="beside"/><site site="hand"/>',
    "sphere, inside": '<site site="top"/><geom geom="ball" sidesite="within"/><site site="hand"/>',
    "sphere that moves": '<site site="corner"/><geom geom="own"/><site site="hand"/>',
    "cylinder": '<site site="top"/><geom geom="roll"/><site site="hand"/>',
    "cylinder, by a side": '<site site="top"/><geom geom="roll" sidesite="beside"/><site site="hand"/>',
    "cylinder, inside": '<site site="far"/><geom geom="roll" sidesite="within"/><site site="hand"/>',
    "pulley": '<site site="top"/><site site="hand"/><pulley divisor="2"/><site site="hand"/><geom geom="ball"/><site site="far"/>',
}


def tendon(path, values="", more=""):
    return arm(f'<tendon><spatial name="t" {values}>{path}</spatial></tendon>{more}', world=WORLD + FREE)


@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)
@pytest.mark.parametrize(
    ("values", "actuator"),
    [
        ("", '<position tendon="t" kp="7" kv="0.3" gear="2"/>'),
        ('stiffness="5" damping="0.4"', ""),
        ('stiffness="5" springlength="0.3"', '<position tendon="t" kp="7" dampratio="0.8"/>'),
    ],
)
def test_pulls_as_in_mujoco(path, values, actuator, tmp_path):
    """Lengths (by the servo and the spring) and Jacobians. MuJoCo ends its search for the point of a wall at 1e-6 rad."""
    tolerance = 2e-6 if "within" in path else 1e-8
    compare_forces(mujoco, tendon(path, values, f"<actuator>{actuator}</actuator>"), tmp_path, 8, tolerance)


def test_every_way_round_is_taken(tmp_path):
    """A site on a rail behind a sphere or roll: straight, around it on both sides, beside its end. Lengths are MuJoCo's."""
    taken = set()
    for geom, side in (("ball", ""), ("ball", 'sidesite="s"'), ("roll", ""), ("roll", 'sidesite="s"')):
        text = f"""<mujoco><worldbody><geom name="ball" type="sphere" size="0.2" contype="0" conaffinity="0"/><site name="s" pos="0 0.4 0.1"/>
          <geom name="roll" type="cylinder" size="0.2 1" contype="0" conaffinity="0"/><site name="a" pos="-1 0.05 0.1"/>
          <body><joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/>
          <joint name="z" type="slide" axis="0 0 1"/><geom size="0.1" mass="1"/><site name="b"/></body></worldbody>
          <tendon><spatial name="t"><site site="a"/><geom geom="{geom}" {side}/><site site="b"/></spatial></tendon>
          <actuator><position tendon="t" kp="1"/></actuator></mujoco>"""
        _, _, sim = load(text, tmp_path)
        model = mujoco.MjModel.from_xml_string(text)
        data = mujoco.MjData(model)
        rng = np.random.default_rng(3)
        for _ in range(800):
            data.qpos[:] = rng.uniform(-1, 1, 3)
            mujoco.mj_forward(model, data)
            sim.q = data.qpos
            assert -sim.actuator_forces()[0] == pytest.approx(data.ten_length[0], abs=1e-8)
            np.testing.assert_allclose(sim.joint_actuation(), data.qfrc_actuator, atol=1e-8)
            straight = np.linalg.norm(data.site("a").xpos - data.site("b").xpos)
            taken.add((geom, side, data.ten_length[0] > straight + 1e-6, data.qpos[1] > 0))
    assert len(taken) == 16  # straight and wrapped, above and below, with and without a side


def test_string_around_a_wheel(tmp_path):
    """A string wound on a wheel of radius r winds off by r times its turn."""
    text = """<mujoco><compiler angle="radian"/><worldbody><site name="a" pos="1 0.1 0"/>
      <body><joint name="turn" axis="0 0 1"/><geom name="wheel" type="cylinder" size="0.1 0.02" mass="1" contype="0" conaffinity="0"/>
      <site name="pin" pos="-0.1001 0 0"/></body></worldbody>
      <tendon><spatial name="t"><site site="a"/><geom geom="wheel"/><site site="pin"/></spatial></tendon>
      <actuator><motor tendon="t"/></actuator></mujoco>"""
    _, _, sim = load(text, tmp_path)
    sim.ctrl[0] = 3.0
    for q in (-0.3, 0.0, 0.4):
        sim.q = np.array([q])
        assert abs(sim.joint_actuation()[0]) == pytest.approx(3.0 * 0.1, rel=1e-3)


@pytest.mark.parametrize("path", ["sphere", "cylinder", "pulley", "two trees"])
def test_moves_as_in_mujoco(path, tmp_path):
    """Explicit in both engines but for the damping, and soft enough for it."""
    more = '<actuator><position tendon="t" kp="20" kv="1"/></actuator>'
    compare_motion(
        mujoco, tendon(PATHS[path], 'stiffness="9" damping="0.2"', more), tmp_path, ctrl=[0.3], tolerance=5e-4
    )


HANGING = """<mujoco><worldbody><site name="hook" pos="0 0 2"/><body name="b" pos="0.3 0 1.5"><freejoint/>
<geom size="0.05" mass="2" contype="0" conaffinity="0"/><site name="eye"/></body></worldbody>
<tendon><spatial name="t" {values}><site site="hook"/><site site="eye"/></spatial></tendon>{more}</mujoco>"""


@pytest.mark.parametrize("stepper", ["semi_implicit", "moreau", "stewart_trinkle"])
def test_a_string_holds_a_ball(stepper, tmp_path):
    """It falls until the string is tight and swings no farther. Moreau's step sees a range only when it is reached at the midpoint: what
    falls at 2.8 m/s is up to a step of that beyond it."""
    _, _, sim = load(HANGING.format(values='range="0 0.8"', more=""), tmp_path, stepper=stepper)
    farthest = 0.0
    for _ in range(1500):
        assert sim.step().ok
        farthest = max(farthest, np.linalg.norm(sim.q[:3] - [0, 0, 2]))
    assert 0.8 - 1e-3 < farthest < 0.8 + (2.8e-3 if stepper == "moreau" else 2e-4)


def test_equality_keeps_the_length(tmp_path):
    """A rod: length at the reference, sqrt(0.34)."""
    _, _, sim = load(HANGING.format(values="", more='<equality><tendon tendon1="t"/></equality>'), tmp_path)
    for _ in range(1000):
        assert sim.step().ok
        assert np.linalg.norm(sim.q[:3] - [0, 0, 2]) == pytest.approx(np.sqrt(0.34), abs=1e-4)
    assert np.abs(sim.v).max() > 0.1


def test_dry_friction_holds_what_hangs(tmp_path):
    """2 kg pull with 19.6 N along the string once it hangs straight: 25 N of friction hold, 15 N do not."""
    for friction, moves in ((25.0, False), (15.0, True)):
        text = HANGING.format(values=f'frictionloss="{friction}"', more="").replace('pos="0.3 0 1.5"', 'pos="0 0 1.5"')
        _, _, sim = load(text, tmp_path)
        assert sim.step(n=100).ok
        assert bool(abs(sim.q[2] - 1.5) > 1e-2) == moves


def test_saved_worlds_keep_paths(tmp_path):
    text = tendon(PATHS["cylinder, by a side"], 'stiffness="5" damping="1"')
    _, _, sim = load(text, tmp_path)
    again = st._core.simulator_of_world(sim.save_world(), **sim.settings)
    assert sim.step(n=20).ok and again.step(n=20).ok
    assert np.array_equal(sim.q, again.q)
    _, _, other = load(text.replace('sidesite="beside"', ""), tmp_path)
    assert other.save_world() != sim.save_world()


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ('<site site="top"/>', "from site to site"),
        ('<site site="top"/><geom geom="ball"/>', "from site to site"),
        ('<site site="top"/><pulley divisor="2"/><site site="hand"/><site site="far"/>', "from site to site"),
        ('<site site="top"/><site site="nowhere"/>', "nowhere"),
        ('<site site="top"/><geom geom="none"/><site site="hand"/>', "none"),
        ('<site site="top"/><geom geom="box"/><site site="hand"/>', "sphere or a cylinder"),
        ('<pulley divisor="0"/><site site="top"/><site site="hand"/>', "positive"),
    ],
)
def test_damaged_paths_are_refused(path, words, tmp_path):
    text = tendon(path).replace('<geom type="box" size="0.1', '<geom name="box" type="box" size="0.1')
    with pytest.raises(ValueError, match=words):
        load(text, tmp_path)


REFERRED = [
    '<motor site="hand" refsite="top" gear="1 2 3 0 0 0"/>',
    '<position site="hand" refsite="corner" kp="5" kv="0.4" gear="0 0 2 0 0 0"/>',
    '<position site="hand" refsite="top" kp="5" gear="0 0 0 0.3 1 0.2"/>',
    '<position site="corner" refsite="hand" kp="5" dampratio="0.7" gear="0.5 0 1 0 1 0"/>',
    '<position site="hand" refsite="shoulder" kp="5" kv="1" gear="1 0 1 0 1 0"/>',
    '<position site="top" refsite="hand" kp="5" kv="1" gear="1 0 1 0 1 0"/>',
    '<position site="hand" kp="5" dampratio="0.7" gear="0.5 0 1 0 1 0"/>',
]


@pytest.mark.parametrize("actuator", REFERRED)
def test_sites_are_driven_from_another_site(actuator, tmp_path):
    """`shoulder` is on the upper arm: what moves both sites has no part."""
    text = arm(f"<actuator>{actuator}</actuator>", world=WORLD + FREE)
    text = text.replace('<body name="lower"', '<site name="shoulder" pos="0.02 0 -0.1"/><body name="lower"')
    compare_forces(mujoco, text, tmp_path)
