# SPDX-License-Identifier: BSD-2-Clause
"""law_options=dict(softness="file"): solref and solimp of MJCF files act. Oracles: the closed form of the depth at rest,

    m g = k d(r)^2 r / (w (1 - d(r)))        w = 1/m, times mu^2 (1 + mu^2)/2 for the pyramidal cone

and MuJoCo at the same small step."""

import numpy as np
import pytest

import stiction as st

SOFT = dict(softness="file")
DT = 2e-4


def scene(body, option="", rest=""):
    return f"""<mujoco model="m"><option timestep="{DT}" {option}/><worldbody>
      <geom name="floor" type="plane" size="1 1 1"/>{body}</worldbody>{rest}</mujoco>"""


def ball(geom="", pos=0.1):
    return f'<body name="ball" pos="0 0 {pos}"><freejoint/><geom size=".1" mass="2" {geom}/></body>'


def simulator(tmp_path, text, **settings):
    path = tmp_path / "m.xml"
    path.write_text(text)
    world = st.World()
    world.add_mjcf(path)
    return st.Simulator(world, **(dict(law_options=SOFT) | settings))


def theirs(text, seconds):
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.tolerance, model.opt.iterations = 0.0, 200
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, round(seconds / DT))
    return data


def depth_at_rest(solref, solimp, scale):
    """Bisection of the closed form."""
    first, last, width, middle, power = solimp

    def bearing(r):
        x = min(r / width, 1.0)
        y = middle * (x / middle) ** power if x <= middle else 1 - (1 - middle) * ((1 - x) / (1 - middle)) ** power
        d = first + y * (last - first)
        k = 1 / (last * solref[0] * solref[1]) ** 2 if solref[0] > 0 else -solref[0] / last**2
        return k * d * d * r / ((1 - d) * scale)

    low, high = 0.0, 1.0
    for _ in range(100):
        r = 0.5 * (low + high)
        low, high = (r, high) if bearing(r) < 9.81 else (low, r)
    return r


CASES = {
    "usual": ("", "", (0.02, 1), (0.9, 0.95, 0.001, 0.5, 2), 1.0),
    "slippery": ('friction=".5"', "", (0.02, 1), (0.9, 0.95, 0.001, 0.5, 2), 0.25 * 1.25 / 2),
    "elliptic": ('friction=".5"', 'cone="elliptic"', (0.02, 1), (0.9, 0.95, 0.001, 0.5, 2), 1.0),
    "impratio": ("", 'impratio="4"', (0.02, 1), (0.9, 0.95, 0.001, 0.5, 2), 0.25),
    "slow": ('priority="1" solref=".1 .5"', "", (0.1, 0.5), (0.9, 0.95, 0.001, 0.5, 2), 1.0),
    "direct": ('priority="1" solref="-400 -30"', "", (-400, -30), (0.9, 0.95, 0.001, 0.5, 2), 1.0),
    "soft": ('priority="1" solimp=".5 .8 .02 .3 3"', "", (0.02, 1), (0.5, 0.8, 0.02, 0.3, 3), 1.0),
    "mixed": ('solref=".06 1" solmix="3"', "", (0.05, 1), (0.9, 0.95, 0.001, 0.5, 2), 1.0),
}


@pytest.mark.parametrize("case", CASES)
def test_depth_of_a_ball_at_rest(case, tmp_path):
    """The friction of the ball must be the larger one, hence that of the floor is that of the case."""
    geom, option, solref, solimp, scale = CASES[case]
    text = scene(ball(geom), option)
    if case in ("slippery", "elliptic"):
        text = text.replace('size="1 1 1"', 'size="1 1 1" friction=".5"')
    sim = simulator(tmp_path, text)
    report = sim.step(n=round(2.0 / DT))
    depth = 0.1 - sim.q[2]
    assert report.ok and np.abs(sim.v).max() < 1e-6
    assert depth == pytest.approx(depth_at_rest(solref, solimp, scale), rel=1e-5)
    assert depth == pytest.approx(0.1 - theirs(text, 2.0).qpos[2], rel=1e-3)


def test_ball_without_friction(tmp_path):
    text = scene(ball('condim="1"')).replace('size="1 1 1"', 'size="1 1 1" condim="1"')
    sim = simulator(tmp_path, text)
    sim.step(n=round(1.0 / DT))
    assert 0.1 - sim.q[2] == pytest.approx(depth_at_rest((0.02, 1), (0.9, 0.95, 0.001, 0.5, 2), 1.0), rel=1e-5)
    assert sim.q[2] == pytest.approx(theirs(text, 1.0).qpos[2], abs=1e-7)


def test_box_and_its_impact(tmp_path):
    """Four corners share the weight; the way there is MuJoCo's too."""
    text = scene('<body name="box" pos="0 0 .11"><freejoint/><geom type="box" size=".2 .1 .1" mass="3"/></body>')
    sim = simulator(tmp_path, text)
    for seconds in (0.05, 0.06, 0.1, 0.5):
        sim.step(n=round((seconds - sim.time) / DT))
        assert sim.q[2] == pytest.approx(theirs(text, seconds).qpos[2], abs=2e-5)


def test_two_bodies_of_the_file(tmp_path):
    """Inverse masses of both count."""
    text = scene('<body name="a" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>'
                 '<body name="b" pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1" mass="4"/></body>')  # fmt: skip
    sim, data = simulator(tmp_path, text), theirs(text, 2.0)
    sim.step(n=round(2.0 / DT))
    np.testing.assert_allclose(sim.q[[2, 9]], data.qpos[[2, 9]], atol=2e-6)


ARM = """<body name="arm" pos="0 0 2"><joint name="j" axis="0 1 0" {joint}/>
  <geom type="capsule" fromto="0 0 0 .5 0 0" size=".02" mass="1" contype="0" conaffinity="0"/>
  <body name="hand" pos=".5 0 0"><joint name="k" axis="0 1 0" {second}/>
    <geom size=".05" mass=".5" pos=".1 0 0" contype="0" conaffinity="0"/></body></body>"""


@pytest.mark.parametrize(
    ("joint", "second", "rest"),
    [
        ('range="-10 5"', 'range="-10 10"', ""),
        ('range="-10 5" solreflimit=".05 1" solimplimit=".7 .9 .1"', 'range="-10 10"', ""),
        ('frictionloss="20"', 'frictionloss="3" solreffriction=".1 1"', ""),
        ('range="-10 5"', "", '<equality><joint joint1="k" joint2="j" polycoef="0 -1 0 0 0" solref=".04 1"/></equality>'),
        ("", "", '<equality><connect body1="hand" anchor=".1 0 0"/><weld body1="arm" solref=".03 1"/></equality>'),
        ("", "", '<equality><weld body1="arm" solref=".1 1" solimp=".8 .9 .01"/>'
                 '<weld body1="hand" body2="arm" torquescale="2"/></equality>'),
    ],
    ids=["limits", "soft limits", "dry friction", "joint equality", "connect", "welds"],
)  # fmt: skip
def test_joints_and_equalities_are_mujocos(joint, second, rest, tmp_path):
    text = scene(ARM.format(joint=joint, second=second), rest=rest)
    sim = simulator(tmp_path, text)
    for seconds in (0.1, 0.3, 1.0):
        sim.step(n=round((seconds - sim.time) / DT))
        np.testing.assert_allclose(sim.q, theirs(text, seconds).qpos, atol=2e-5)
    rigid = simulator(tmp_path, text, law_options={})
    rigid.step(n=round(1.0 / DT))
    assert np.abs(rigid.q - sim.q).max() > 1e-4  # the option acts


def test_rigid_is_the_default_and_said(tmp_path):
    text = scene(ball('name="skin" solref=".1 1"'))
    sim = simulator(tmp_path, text, law_options={})
    sim.step(n=round(0.5 / DT))
    assert abs(sim.q[2] - 0.1) < 2e-6
    world = st.World()
    world.add_mjcf(tmp_path / "m.xml")
    assert any("softness of contacts" in text and "'skin'" in text for text in world.warnings)


def test_moreau_takes_it_and_others_refuse(tmp_path):
    text = scene(ball())
    sim = simulator(tmp_path, text, stepper="moreau")
    sim.step(n=round(1.0 / DT))
    assert 0.1 - sim.q[2] == pytest.approx(depth_at_rest((0.02, 1), (0.9, 0.95, 0.001, 0.5, 2), 1.0), rel=1e-4)
    with pytest.raises(st.InvalidInput, match=r"stewart_trinkle.*softness"):
        simulator(tmp_path, text, stepper="stewart_trinkle", law="pyramid")
    world = st.World()
    world.add_ground()
    with pytest.raises(st.InvalidInput, match="no MJCF file"):
        st.Simulator(world, law_options=SOFT)
    with pytest.raises(st.InvalidInput, match="softness"):
        simulator(tmp_path, text, law_options=dict(softness="mjcf"))


def test_ground_of_ones_own_is_as_soft_as_the_file_says(tmp_path):
    path = tmp_path / "ball.xml"
    path.write_text(f'<mujoco model="m"><worldbody>{ball()}</worldbody></mujoco>')
    world = st.World()
    world.add_ground(mu=1.0)
    world.add_mjcf(path)
    sim = st.Simulator(world, dt=DT, law_options=SOFT)
    sim.step(n=round(1.0 / DT))
    assert 0.1 - sim.q[2] == pytest.approx(depth_at_rest((0.02, 1), (0.9, 0.95, 0.001, 0.5, 2), 1.0), rel=1e-4)
