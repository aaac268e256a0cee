# SPDX-License-Identifier: BSD-2-Clause
"""Actuators of MJCF files. Oracles: closed forms; MuJoCo's forces at random states and its motion at a small step."""

import numpy as np
import pytest

import stiction as st
from two_engines import arm, compare_forces, compare_motion, load

mujoco = pytest.importorskip("mujoco")

ACTUATORS = {
    "motor": (
        '<motor joint="shoulder" gear="3"/><motor joint="slide" ctrlrange="-0.2 0.2" forcerange="-0.1 0.3"/>',
        {},
    ),
    "position": ('<position joint="shoulder" kp="40" kv="4"/><position joint="elbow" kp="10" gear="1.5"/>', {}),
    "position dampratio": (
        '<position joint="shoulder" kp="40" dampratio="0.8" gear="2"/><position joint="slide" kp="90" dampratio="1"/>',
        {},
    ),
    "position timeconst": ('<position joint="shoulder" kp="40" kv="4" timeconst="0.05"/><motor joint="elbow"/>', {}),
    "position inheritrange": (
        '<position joint="shoulder" kp="40" kv="4" inheritrange="0.5"/>',
        {"shoulder": 'range="-1 0.4"'},
    ),
    "inheritrange instead of the range of a class": (
        '<position joint="shoulder" kp="40" kv="4" inheritrange="0.5"/><intvelocity class="a" joint="slide" kp="20" kv="2" inheritrange="1"/>',
        {
            "shoulder": 'range="-1 0.4"',
            "slide": 'range="-2 1"',
            "default": '<default><general ctrlrange="-9 9"/><default class="a"><general actrange="-9 9"/></default></default>',
        },
    ),
    "a range instead of inheritrange of a class": (
        '<position joint="shoulder" kp="40" kv="4" ctrlrange="-0.2 0.1"/>',
        {"shoulder": 'range="-1 0.4"', "default": '<default><position inheritrange="1"/></default>'},
    ),
    "velocity": ('<velocity joint="elbow" kv="2"/><velocity joint="slide"/>', {}),
    "intvelocity": ('<intvelocity joint="elbow" kp="20" kv="2" actrange="-1 1"/>', {}),
    "damper": ('<damper joint="elbow" kv="2" ctrlrange="0 3"/>', {}),
    "cylinder": (
        '<cylinder joint="slide" timeconst="0.1" area="2" bias="0.1 -3 -2"/><cylinder joint="slide" diameter="0.5"/>',
        {},
    ),
    "general": ('<general joint="elbow" gainprm="5" biastype="affine" biasprm="0.3 -5 -0.6"/>', {}),
    "general affine gain": ('<general joint="elbow" gaintype="affine" gainprm="1 -2 -0.5" biasprm="1 1 1"/>', {}),
    "general dampratio": ('<general joint="elbow" gainprm="5" biastype="affine" biasprm="0 -5 0.7"/>', {}),
    "general filter": (
        '<general joint="elbow" dyntype="filter" dynprm="0.03" gainprm="2"/><general joint="slide" dyntype="integrator" actlimited="true" actrange="-0.2 0.2"/>',
        {},
    ),
    "two on one joint": (
        '<motor joint="elbow"/><position joint="elbow" kp="7" forcerange="-2 2"/>',
        {"elbow": 'actuatorfrcrange="-1 2.5"'},
    ),
    "site": ('<general site="hand" gear="1 -2 0.5 0.1 0.2 -0.3" biastype="affine" biasprm="0.2 0 -0.7"/>', {}),
    "classes": (
        '<position class="a" joint="shoulder"/><position class="b" joint="elbow" kv="1"/><general class="c" joint="slide"/><motor class="b" joint="slide"/><velocity class="c" joint="elbow"/>',
        {
            "default": '<default><position kp="11" forcerange="-9 9"/><default class="a"><position kv="2" ctrlrange="-0.3 0.3"/></default><default class="b"><general gear="2"/></default><default class="c"><general biasprm="0 -3 -0.2" biastype="affine"/></default></default>'
        },
    ),
    "a class that speaks of another kind": (
        '<position class="a" joint="shoulder"/><general class="a" joint="elbow"/><position class="b" joint="slide"/><velocity class="a" joint="elbow"/>',
        {
            "default": '<default><position kp="10" kv="2"/><default class="a"><motor gear="2"/><default class="b"><position kv="3"/></default></default></default>'
        },
    ),
    "a class of general behind one of another kind": (
        '<position joint="shoulder"/><velocity joint="elbow"/><motor joint="slide"/><cylinder class="a" joint="slide"/>',
        {
            "default": '<default><general gainprm="5" biastype="affine" biasprm="0.1 -2 -0.3"/><default class="a"><velocity kv="2"/></default></default>'
        },
    ),
    "kinds forget each other": (
        '<position joint="shoulder"/><intvelocity joint="elbow" actrange="-1 1"/><cylinder joint="slide"/>',
        {"default": '<default><position kp="10" timeconst="0.3"/><velocity kv="3"/></default>'},
    ),
    "armature and damping": (
        '<motor joint="shoulder" gear="3" armature="0.01" damping="0.02"/><position joint="slide" kp="90" dampratio="1" armature="0.2"/>',
        {},
    ),
    "no clamping": (
        '<motor joint="slide" ctrlrange="-0.2 0.2"/>',
        {"options": '<option><flag clampctrl="disable"/></option>'},
    ),
}


@pytest.mark.parametrize("name", ACTUATORS)
def test_forces_are_mujocos(name, tmp_path):
    text, parts = ACTUATORS[name]
    sim, model = compare_forces(mujoco, arm(f"<actuator>{text}</actuator>", **parts), tmp_path)
    assert len(sim.ctrl) == model.nu and len(sim.act) == model.na


@pytest.mark.parametrize("name", ACTUATORS)
def test_motion_is_mujocos(name, tmp_path):
    text, parts = ACTUATORS[name]
    options = {"options": '<option integrator="implicitfast"/>', **parts}
    n = text.count("joint=") + text.count("site=")
    compare_motion(mujoco, arm(f"<actuator>{text}</actuator>", **options), tmp_path, ctrl=0.25 * np.ones(n))


def test_a_range_is_given_once(tmp_path):
    for servo, name in (("position", "ctrlrange"), ("intvelocity", "actrange")):
        text = arm(
            f'<actuator><{servo} joint="shoulder" inheritrange="1" {name}="-1 1"/></actuator>', shoulder='range="-1 1"'
        )
        with pytest.raises(ValueError, match=f"both inheritrange and {name}"):
            load(text, tmp_path)
        with pytest.raises(ValueError):
            mujoco.MjModel.from_xml_string(text)


FREE = """<mujoco><worldbody><body name="drone" pos="0 0 1"><freejoint name="base"/>
<inertial pos="0.01 0 0.02" mass="0.5" diaginertia="0.01 0.02 0.015"/><site name="rotor" pos="0.1 0.05 0" euler="10 20 0"/>
<body name="ball" pos="0 0 0.2"><joint name="socket" type="ball" damping="0.1"/><geom size="0.05" contype="0" conaffinity="0"/></body></body></worldbody>
<actuator><motor site="rotor" gear="0 0 1 0 0 0.1"/><motor joint="base" gear="1 2 3 0.1 0.2 0.3"/><motor jointinparent="base" gear="1 2 3 0.1 0.2 0.3"/>
<position joint="socket" gear="1 0.3 -0.2" kp="3" kv="0.2"/><motor jointinparent="socket" gear="0.3 1 -0.2"/></actuator></mujoco>"""


def test_sites_balls_and_free_joints(tmp_path):
    compare_forces(mujoco, FREE, tmp_path)
    compare_motion(mujoco, FREE, tmp_path, ctrl=[0.5, 0.1, -0.2, 0.4, 0.05], tolerance=3e-4)


CART = """<mujoco><worldbody><body name="cart"><joint name="x" type="slide" axis="1 0 0" {joint}/>
<geom type="box" size="0.1 0.1 0.1" mass="{mass}" contype="0" conaffinity="0"/></body></worldbody><actuator>{actuator}</actuator></mujoco>"""


def cart(folder, actuator, joint="", mass=2.0, dt=1e-4, **settings):
    return load(CART.format(actuator=actuator, joint=joint, mass=mass), folder, dt, **settings)


def test_step_response_of_a_servo(tmp_path):
    """m x'' = kp (u - x) - kv x', damping ratio 1/2: x = u (1 - e^(-wt/2) (cos w_d t + sin w_d t / sqrt(3)))."""
    _, robot, sim = cart(tmp_path, '<position name="servo" joint="x" kp="200" kv="20"/>')
    assert robot.actuator_names == ["servo"] and sim.ctrl.shape == (1,) and sim.act.shape == (0,)
    sim.ctrl[0] = 0.3
    w, t = 10.0, 0.37
    sim.step(n=3700)
    d = w * np.sqrt(0.75)
    exact = 0.3 * (1 - np.exp(-0.5 * w * t) * (np.cos(d * t) + np.sin(d * t) / np.sqrt(3)))
    assert sim.q[0] == pytest.approx(exact, abs=2e-4)


def test_a_stiff_servo_is_calm_at_a_large_step(tmp_path):
    """kp dt^2 / m = 1000: explicit steps would blow up."""
    _, _, sim = cart(tmp_path, '<position joint="x" kp="2e9" kv="1e5"/>', dt=1e-3)
    sim.ctrl[0] = 0.3
    sim.step(n=200)
    assert sim.q[0] == pytest.approx(0.3, abs=1e-6) and abs(sim.v[0]) < 1e-4


def test_filters(tmp_path):
    """filterexact: act = 1 - e^(-t/T) at any step; integrator: act = u t, cut off by its range."""
    _, _, sim = cart(
        tmp_path,
        '<general joint="x" dyntype="filterexact" dynprm="0.2" gainprm="0"/><general joint="x" dyntype="integrator" gainprm="0" actrange="-1 0.05" actlimited="true"/>',
        dt=0.01,
    )
    sim.ctrl[:] = 1.0, 0.1
    sim.step(n=30)
    assert sim.act[0] == pytest.approx(1 - np.exp(-1.5), abs=1e-12) and sim.act[1] == pytest.approx(0.03, abs=1e-12)
    sim.step(n=100)
    assert sim.act[1] == 0.05


def test_a_file_clamps_only_what_it_says(tmp_path):
    """ctrlrange bounds ctrl; torques of the user are no business of it."""
    _, _, sim = cart(tmp_path, '<motor joint="x" ctrlrange="-1 1" gear="4"/>')
    sim.ctrl[0] = 5.0
    assert sim.joint_actuation() == pytest.approx([4.0]) and sim.actuator_forces() == pytest.approx([1.0])
    sim.step([50.0], n=100)
    assert sim.v[0] == pytest.approx((50.0 + 4.0) / 2.0 * 0.01, rel=1e-9)


def test_ctrl_and_act_are_part_of_the_state(tmp_path):
    _, _, sim = cart(tmp_path, '<position joint="x" kp="20" timeconst="0.1"/>')
    sim.ctrl[0] = 0.7
    sim.step(n=20)
    blob, hash_, q = sim.save(), sim.hash(), sim.q.copy()
    sim.act[0] += 1e-9
    assert sim.hash() != hash_
    sim.ctrl[0], sim.act[0], sim.q[0] = 0.0, 0.0, 1.0
    sim.restore(blob)
    assert sim.hash() == hash_ and sim.ctrl[0] == 0.7 and sim.q[0] == q[0] and sim.act[0] > 0.0
    other = sim.clone()
    assert other.ctrl[0] == 0.7 and other.hash() == hash_
    sim.reset()
    assert sim.ctrl[0] == 0.0 and sim.act[0] == 0.0
    sim.ctrl[0] = np.nan
    with pytest.raises(ValueError, match=r"ctrl\[0\]"):
        sim.step()


def test_what_is_not_simulated_is_told_and_keeps_its_place(tmp_path):
    world, robot, sim = cart(
        tmp_path,
        '<muscle name="m" joint="x"/><motor name="good" joint="x"/><adhesion name="glue" body="cart" ctrlrange="0 1"/>',
    )
    told = " ".join(world.warnings)
    assert robot.actuator_names == ["m", "good", "glue"] and "muscle 'm'" in told and "adhesion 'glue'" in told
    assert "good" not in told and len(sim.act) == 1
    sim.ctrl[:] = 1.0
    assert sim.actuator_forces() == pytest.approx([0.0, 1.0, 0.0])


def test_delay_and_rotors_of_sites_are_told_with_their_line(tmp_path):
    world, _, _ = cart(tmp_path, '<motor name="late" joint="x" delay="0.1" nsample="200"/>')
    assert any("file.xml:" in text and "'late': left out: delay" in text for text in world.warnings)
    text = arm('<actuator><motor name="jet" site="hand" armature="0.1"/></actuator>')
    assert any("'jet': left out: armature" in told for told in load(text, tmp_path)[0].warnings)


@pytest.mark.parametrize("stepper", ["moreau", "stewart_trinkle"])
def test_other_steppers_see_the_same_forces(stepper, tmp_path):
    text = arm(
        '<actuator><position joint="shoulder" kp="40" kv="4"/><motor joint="elbow"/></actuator>',
        slide='stiffness="100"',
    )
    compare_motion(mujoco, text, tmp_path, ctrl=[0.4, 0.1], dt=5e-5, tolerance=5e-4, stepper=stepper)


def test_soft_laws_see_them_too(tmp_path):
    _, _, sim = cart(tmp_path, '<position joint="x" kp="200" kv="20"/>', dt=1e-4, law="anchored", stepper="rk4")
    sim.ctrl[0] = 0.3
    sim.step(n=10000)
    assert sim.q[0] == pytest.approx(
        0.3 * (1 - np.exp(-5.0) * (np.cos(8.66025) + np.sin(8.66025) / np.sqrt(3))), abs=1e-4
    )
    with pytest.raises(ValueError, match="knows no derivatives of the actuator"):
        cart(tmp_path, '<position joint="x" kp="200" kv="20"/>', law="anchored", stepper="implicit_euler")


def test_cut_joints_refuse_actuators(tmp_path):
    with pytest.raises(ValueError, match="cannot be cut: the actuator"):
        cart(tmp_path, '<motor joint="x"/>', coordinates="maximal")


def test_several_robots(tmp_path):
    """Entries of ctrl follow the order in which robots were added."""
    for name, kp in (("a", 10), ("b", 30)):
        (tmp_path / f"{name}.xml").write_text(
            CART.format(actuator=f'<position name="{name}" joint="x" kp="{kp}" timeconst="1"/>', joint="", mass=1.0)
        )
    world = st.World()
    first, second = world.add_mjcf(tmp_path / "a.xml", name="a"), world.add_mjcf(tmp_path / "b.xml", name="b")
    sim = st.Simulator(world)
    assert first.ctrl_slice == slice(0, 1) and second.ctrl_slice == slice(1, 2) and sim.act.shape == (2,)
    sim.act[:] = 1.0, 2.0
    assert sim.joint_actuation() == pytest.approx([10.0, 60.0])
