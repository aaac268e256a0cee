# SPDX-License-Identifier: BSD-2-Clause
"""Who touches whom in an MJCF file. Oracle: MuJoCo's contacts at the same pose, by the names of the geoms."""

import numpy as np
import pytest

import stiction as st

mujoco = pytest.importorskip("mujoco")

BALL = '<geom name="{0}" size=".1"/>'


def body(name, inner="", joint="<freejoint/>", geom=""):
    return f'<body name="{name}">{joint}{geom or BALL.format(name)}{inner}</body>'


HINGE = "<joint/>"
WELDED = body("a", body("a2", joint=""))
ARM = body("shoulder", body("elbow", body("hand", joint=HINGE), joint=HINGE), joint=HINGE)

SCENES = {
    "two free bodies": body("a") + body("b"),
    "a body and what is welded to it": WELDED + body("b"),
    "an exclusion leaves what is welded": (WELDED + body("b"), '<contact><exclude body1="a" body2="b"/></contact>'),
    "parent and child": body("a", body("b", joint=HINGE)),
    "grandchild": body("a", body("b", body("c", joint=HINGE), joint=HINGE)),
    "a child of what is welded": body("a", body("a2", body("b", joint=HINGE), joint="")),
    "jointed to a static body": body("table", body("door", joint=HINGE), joint=""),
    "a fixed arm": '<geom name="wall" type="box" size=".1 .1 .1"/>' + ARM,
    "a fixed arm on a stand": body("stand", ARM, joint=""),
    "an exclusion names a static body": (
        '<geom name="floor" type="plane" size="1 1 1"/>' + body("stand", ARM, joint="") + body("table", joint=""),
        '<contact><exclude body1="stand" body2="shoulder"/></contact>',
    ),
    "an exclusion names the world": (
        '<geom name="floor" type="plane" size="1 1 1"/>' + body("table", joint="") + body("a"),
        '<contact><exclude body1="world" body2="a"/></contact>',
    ),
    "parents are not filtered": (ARM, '<option><flag filterparent="disable"/></option>'),
    "contacts are disabled": (body("a") + body("b"), '<option><flag contact="disable"/></option>'),
    "constraints are disabled": (body("a") + body("b"), '<option><flag constraint="disable"/></option>'),
    "masks": "".join(
        body(n, geom=f'<geom name="{n}" size=".1" contype="{t}" conaffinity="{a}"/>')
        for n, t, a in (("a", 1, 1), ("b", 2, 1), ("c", 0, 2), ("d", 0, 0), ("e", 3, 0))
    ),
    "a pair where masks, parents and exclusions say no": (
        body("a", body("b", joint=HINGE, geom='<geom name="b" size=".1" contype="0" conaffinity="0"/>')) + body("c"),
        '<contact><pair geom1="a" geom2="b"/><pair geom1="b" geom2="c"/><exclude body1="a" body2="c"/>'
        '<exclude body1="b" body2="c"/></contact>',
    ),
    "a frame and a class": (
        f'<frame pos="0 0 .01" childclass="quiet">{body("a")}</frame>' + body("b") + body("c"),
        '<default><default class="quiet"><geom contype="0" conaffinity="0"/></default></default>',
    ),
}


def text_of(scene):
    inside, rest = scene if isinstance(scene, tuple) else (scene, "")
    return f'<mujoco model="m"><worldbody>{inside}</worldbody>{rest}</mujoco>'


def both(tmp_path, text):
    path = tmp_path / "scene.xml"
    path.write_text(text)
    world = st.World()
    world.add_mjcf(path)
    sim, model = st.Simulator(world), mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return world, sim, model, data


def pairs(world, sim, model, data):
    names = [geom["name"] for geom in world.describe()["geoms"]]
    sim.step()
    ours = {tuple(sorted((names[c["geom_a"]], names[c["geom_b"]]))) for c in sim.contacts() if c["gap"] < 0}
    theirs = {tuple(sorted((model.geom(c.geom1).name, model.geom(c.geom2).name))) for c in data.contact}
    return ours, theirs


@pytest.mark.parametrize("name", SCENES)
def test_the_same_geoms_touch(name, tmp_path):
    ours, theirs = pairs(*both(tmp_path, text_of(SCENES[name])))
    assert ours == theirs


def test_self_collision_can_be_switched_off(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(text_of(body("a", body("b", body("c", joint=HINGE), joint=HINGE))))
    for given, touching in ((None, 1), (True, 1), (False, 0)):
        world = st.World()
        world.add_mjcf(path, self_collision=given)
        sim = st.Simulator(world)
        sim.step()
        assert (len(sim.contacts()) > 0) == bool(touching)


def test_numbers_of_pairs_and_priorities(tmp_path):
    """Friction and condim of each contact; a pair has numbers of its own, 1 and 3 unless given."""
    geoms = "".join(
        f'<body name="{n}" pos="{x} 0 .09"><freejoint/><geom name="{n}" size=".1" {more}/></body>'
        for x, (n, more) in enumerate(
            [
                ("a", 'friction=".2"'), ("b", 'friction=".9"'), ("c", 'friction=".1" priority="1"'),
                ("d", 'condim="1" priority="2"'), ("e", 'friction=".2"'), ("f", 'friction=".2"'), ("g", 'condim="1"'),
            ]
        )
    )  # fmt: skip
    text = (
        f'<mujoco><worldbody><geom name="floor" type="plane" size="9 9 1" friction=".5"/>{geoms}</worldbody>'
        '<contact><pair geom1="e" geom2="floor"/><pair geom1="f" geom2="floor" friction=".3"/></contact></mujoco>'
    )
    world, sim, model, data = both(tmp_path, text)
    names = [geom["name"] for geom in world.describe()["geoms"]]
    theirs = {model.geom(c.geom2).name: c.friction[0] if c.dim > 1 else 0.0 for c in data.contact}
    sim.v[:] = 0.0
    sim.v[0::6] = 100.0  # sliding: the tangential force is mu times the normal one
    sim.step()
    ours = {names[c["geom_b"]]: np.hypot(*c["force"][:2]) / c["force"][2] for c in sim.contacts() if c["force"][2] > 0}
    assert ours == pytest.approx(theirs, abs=1e-6) and len(ours) == 7


def test_margins_add_and_hold_surfaces_apart(tmp_path):
    """Oracle: MuJoCo's includemargin; a ball comes to rest that far above the floor."""
    text = """<mujoco><worldbody><geom name="floor" type="plane" size="9 9 1" margin=".01"/>
      <body pos="0 0 .2"><freejoint/><geom name="ball" size=".1" margin=".02"/></body></worldbody></mujoco>"""
    _, sim, model, data = both(tmp_path, text)
    data.qpos[2] = 0.12
    mujoco.mj_forward(model, data)
    assert data.contact[0].includemargin == pytest.approx(0.03)
    sim.step(n=1000)
    assert sim.q[2] == pytest.approx(0.13, abs=2e-6)
    assert sim.contacts()["gap"][0] == pytest.approx(0.03, abs=2e-6)


def test_flags_switch_parts_off(tmp_path):
    inner = body("a", body("b", joint='<joint range="-.1 .1" limited="true" damping="1" frictionloss="2"/>'))
    for flag, key in (
        ("limit", "upper"),
        ("frictionloss", "dry_friction"),
        ("damper", "damping"),
        ("passive", "damping"),
    ):
        world, _, _, _ = both(tmp_path, text_of(inner))
        (tmp_path / "off.xml").write_text(text_of((inner, f'<option><flag {flag}="disable"/></option>')))
        off = st.World()
        off.add_mjcf(tmp_path / "off.xml")
        assert np.isfinite(world.describe()[key][6]) and world.describe()[key][6] > 0.0
        assert off.describe()[key][6] in (0.0, np.inf)


def test_gravity_and_time_step_of_the_file(tmp_path):
    path = tmp_path / "moon.xml"
    path.write_text(text_of((body("a"), '<option gravity="0 0 -1.62" timestep=".004"/>')))
    world = st.World()
    world.add_mjcf(path)
    np.testing.assert_allclose(world.gravity, (0, 0, -1.62))
    assert st.Simulator(world).dt == 0.004 and st.Simulator(world, dt=1e-3).dt == 1e-3
    own = st.World()
    own.gravity = (0, 0, -3)
    own.add_mjcf(path)  # what the user has said wins
    np.testing.assert_allclose(own.gravity, (0, 0, -3))
    assert any("gravity" in text for text in own.warnings)
    (tmp_path / "off.xml").write_text(text_of((body("a"), '<option><flag gravity="disable"/></option>')))
    world = st.World()
    world.add_mjcf(tmp_path / "off.xml")
    assert not np.any(world.gravity) and st.Simulator(world).dt == 1e-3
