# SPDX-License-Identifier: BSD-2-Clause
"""condim 4 and 6, three numbers of friction, five of a <pair>. Oracle: what MuJoCo makes of the same text, and the mixing rules here."""

import itertools

import numpy as np
import pytest

import stiction as st

SCENE = """<mujoco><option cone="elliptic"/><worldbody>
 <geom name="floor" type="plane" size="1 1 1" {floor}/>
 <body pos="0 0 .0999"><freejoint/><geom name="ball" size=".1" mass="1" {ball}/></body></worldbody>{more}</mujoco>"""
SURFACES = ["", 'condim="4"', 'condim="6"', 'condim="1" friction="2 .3 .2"', 'condim="4" friction=".5 .01" priority="1"', 'condim="6" friction=".3 .02 .003"', 'friction="1 .4 .3"', 'condim="3" priority="2"', 'condim="6" friction=".4" priority="1"']  # fmt: skip
PAIRS = [
    'condim="4"',
    'condim="6" friction=".5 .5 .02 .003 .003"',
    'condim="3" friction=".5 .5 .02"',
    'condim="6"',
    'condim="1"',
]


def ours(tmp_path, **parts):
    """(rows, mu, mu_torsion, mu_rolling) of the one contact, what does not act left out."""
    path = tmp_path / "scene.xml"
    path.write_text(SCENE.format(**{"floor": "", "ball": "", "more": ""} | parts))
    world = st.World()
    world.add_mjcf(path)
    block = st.Simulator(world, dt=1e-3).problems()[0].blocks[0]
    if block.kind != "patch":
        return (block.size, *([block.mu] if block.size == 3 else [])), list(world.warnings)
    numbers = (block.mu, block.mu * block.spin_arm, *([block.mu * block.roll_arm] if block.size == 6 else []))
    return (block.size, *numbers), list(world.warnings)


def theirs(**parts):
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(SCENE.format(**{"floor": "", "ball": "", "more": ""} | parts))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    contact = data.contact[0]
    return (int(contact.dim), *contact.friction[[0, 2, 3]][: {1: 0, 3: 1, 4: 2, 6: 3}[int(contact.dim)]])


@pytest.mark.parametrize(("floor", "ball"), list(itertools.product(SURFACES, SURFACES)))
def test_two_surfaces(floor, ball, tmp_path):
    found, warnings = ours(tmp_path, floor=floor, ball=ball)
    assert not warnings
    assert found == pytest.approx(theirs(floor=floor, ball=ball), rel=1e-12)


@pytest.mark.parametrize("pair", PAIRS)
def test_pairs(pair, tmp_path):
    more = f'<contact><pair geom1="floor" geom2="ball" {pair}/></contact>'
    found, warnings = ours(tmp_path, more=more)
    assert not warnings
    assert found == pytest.approx(theirs(more=more), rel=1e-12)


def test_two_directions_are_told(tmp_path):
    pair = '<contact><pair geom1="floor" geom2="ball" condim="6" friction=".5 .6 .02 .003 .004"/></contact>'
    found, warnings = ours(tmp_path, more=pair)
    assert found == pytest.approx((6, 0.5, 0.02, 0.003))
    assert [w.partition("left out: ")[2] for w in warnings] == ["the friction along its second direction", "the rolling friction about its second direction"]  # fmt: skip


def test_against_ground_of_ones_own(tmp_path):
    """A file's condim 6 acts on ground that names nothing, and the smaller number on ground that does."""
    path = tmp_path / "ball.xml"
    path.write_text('<mujoco><worldbody><body pos="0 0 .0999"><freejoint/><geom size=".1" mass="1" condim="6" friction=".5 .02 .003"/></body></worldbody></mujoco>')  # fmt: skip
    for ground, torsion in (({}, 0.02), ({"mu_torsion": 0.01}, 0.01)):
        world = st.World()
        world.add_ground(**ground)
        world.add_mjcf(path)
        block = st.Simulator(world, dt=1e-3).problems()[0].blocks[0]
        assert (block.size, block.mu * block.spin_arm, block.mu * block.roll_arm) == pytest.approx((6, torsion, 0.003))


def test_bad_friction(tmp_path):
    with pytest.raises(ValueError, match=r"friction is -0\.1"):
        ours(tmp_path, ball='friction="1 -.1"')


def test_both_engines_stop_a_spinning_ball(tmp_path):
    """MuJoCo's contact is soft: its spin falls as fast within 2 %."""
    mujoco = pytest.importorskip("mujoco")
    text = (
        SCENE.format(floor="", ball='condim="4" friction="1 .01"', more="")
        .replace(".0999", ".1")
        .replace('cone="elliptic"', 'cone="elliptic" timestep=".001"')
    )
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qvel[5] = 5.0
    mujoco.mj_step(model, data, 50)
    (tmp_path / "scene.xml").write_text(text)
    world = st.World()
    world.add_mjcf(tmp_path / "scene.xml")
    sim = st.Simulator(world)
    sim.v[5] = 5.0
    sim.step(n=50)
    fallen, expected = 5.0 - sim.v[5], 50 * sim.dt * 0.01 * 9.81 / (0.4 * 0.01)
    assert fallen == pytest.approx(expected, rel=1e-6)
    assert 5.0 - data.qvel[5] == pytest.approx(expected, rel=0.02)
    assert np.abs(sim.v[:5]).max() < 1e-9
