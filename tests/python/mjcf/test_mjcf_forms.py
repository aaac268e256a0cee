# SPDX-License-Identifier: BSD-2-Clause
"""Rarer forms of MJCF. Oracle: MuJoCo compiles the same file; masses, geoms and heights agree."""

import struct
import zlib

import numpy as np
import pytest

import stiction as st

mujoco = pytest.importorskip("mujoco")

WEDGE = 'vertex="0 0 0  1 0 0  0 .5 0  0 0 .3  .2 .2 .6"'
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def load(path):
    world = st.World()
    world.add_mjcf(path)
    return world, st.Simulator(world), mujoco.MjModel.from_xml_path(str(path))


def written(tmp_path, inside, **files):
    for name, text in files.items():
        path = tmp_path / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)
    path = tmp_path / "scene.xml"
    path.write_text(f'<mujoco model="m">{inside}</mujoco>')
    return path


def same_mass(sim, model, relative=2e-6):
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    theirs, unit = np.zeros((model.nv, model.nv)), np.eye(model.nv)
    for i in range(model.nv):
        mujoco.mj_mulM(model, data, theirs[i], unit[i])
    sim.q, sim.v = st.convert.from_mujoco(sim, np.array(data.qpos), model=model)
    columns = [st.convert.from_mujoco(sim, np.array(data.qpos), unit[i], model=model)[1] for i in range(model.nv)]
    change = np.column_stack(columns)
    np.testing.assert_allclose(change.T @ sim.mass_matrix() @ change, theirs, atol=relative * np.abs(theirs).max())


@pytest.mark.parametrize("aabb", ["false", "true"])
@pytest.mark.parametrize("kind", ["box", "sphere", "capsule", "cylinder", "ellipsoid"])
def test_primitives_fitted_to_meshes(kind, aabb, tmp_path):
    path = written(tmp_path, f"""<compiler fitaabb="{aabb}"/><asset><mesh name="w" {WEDGE}/></asset><worldbody>
      <body name="b"><freejoint/><geom type="{kind}" mesh="w" pos=".1 .2 .3" euler="10 20 30" fitscale="1.5"/></body>
      </worldbody>""")  # fmt: skip
    _, sim, model = load(path)
    same_mass(sim, model)


@pytest.mark.parametrize("how", ['refpos=".1 .2 .3"', 'refquat=".5 .5 .5 .5" refpos="1 0 0" scale="2 1 3"'])
@pytest.mark.parametrize("source", ['file="w.obj"', WEDGE])
def test_meshes_with_a_reference_frame(how, source, tmp_path):
    path = written(tmp_path, f"""<asset><mesh name="w" {source} {how}/></asset>
      <worldbody><body><freejoint/><geom type="mesh" mesh="w"/></body></worldbody>""", w_dot_obj=OBJ)  # fmt: skip
    _, sim, model = load(path)
    same_mass(sim, model)


def test_meshes_in_mujocos_own_format(tmp_path):
    points, faces = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
    (tmp_path / "w.msh").write_bytes(struct.pack("<4i12f12i", 4, 0, 0, 4, *points, *faces))
    path = written(
        tmp_path,
        """<asset><mesh file="w.msh" scale="1 2 3" refpos=".1 0 0"/></asset><worldbody><body><freejoint/>
      <geom type="mesh" mesh="w"/></body></worldbody>""",
    )
    _, sim, model = load(path)
    same_mass(sim, model)


def png(values, deep):
    rows, cols = values.shape
    kind = ">u2" if deep else "u1"
    raw = b"".join(b"\0" + row.astype(kind).tobytes() for row in values)
    chunk = lambda tag, data: struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))
    head = struct.pack(">IIBBBBB", cols, rows, 16 if deep else 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b"")


@pytest.mark.parametrize("form", ["elevation", "binary", "png"])
def test_height_fields(form, tmp_path):
    """Heights under four points, by MuJoCo's rays and by balls that are let down until they touch."""
    values = (np.arange(12).reshape(4, 3) ** 2) % 17
    if form == "elevation":
        how = f'nrow="4" ncol="3" elevation="{" ".join(map(str, values.ravel()))}"'
    else:
        how = f'file="hills.{form}"'
        data = png(values * 10, False) if form == "png" else struct.pack("<ii12f", 4, 3, *values.ravel())
        (tmp_path / f"hills.{form}").write_bytes(data)
    path = written(tmp_path, f"""<asset><hfield name="hills" size="1 2 .5 .1" {how}/></asset><worldbody>
      <geom type="hfield" hfield="hills" pos="0 0 .2"/><body pos="0 0 3"><freejoint/><geom size=".001"/></body>
      </worldbody>""")  # fmt: skip
    _, sim, model = load(path)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    hit = np.zeros(1, np.int32)
    for x, y in ((-0.9, -1.9), (0.7, -1.2), (-0.4, 1.7), (0.9, 0.3)):
        height = 3 - mujoco.mj_ray(model, data, np.array([x, y, 3.0]), np.array([0, 0, -1.0]), None, 1, -1, hit)
        sim.reset()
        sim.q[:3] = x, y, height
        sim.step()
        gaps = sim.contacts()["gap"]
        assert len(gaps) and abs(gaps.min()) < 2.1e-3, (x, y, height)


def test_attached_models(tmp_path):
    """A part in degrees with its own classes, meshes and exclusions, twice, in a file in radians."""
    part = """<mujoco model="arm"><compiler angle="degree" meshdir="shapes"/>
      <default><geom density="500"/><default class="thin"><geom type="capsule" size=".02"/></default></default>
      <asset><mesh name="w" file="w.obj" scale=".1 .1 .1"/></asset>
      <worldbody><body name="ground"><body name="upper" euler="0 30 0" childclass="thin"><joint name="j" range="-30 60"/>
        <geom fromto="0 0 0 0 0 .2"/><geom type="mesh" mesh="w"/>
        <body name="lower" pos="0 0 .2"><joint name="k"/><geom name="tip" fromto="0 0 0 0 0 .2"/></body></body></body></worldbody>
      <contact><exclude body1="upper" body2="lower"/></contact></mujoco>"""
    path = written(tmp_path, """<compiler angle="radian"/><default><geom density="3"/></default>
      <asset><model name="arm" file="parts/arm.xml"/></asset>
      <worldbody><body name="a" pos="1 0 0"><attach model="arm" body="upper" prefix="left_"/></body>
      <body name="b" pos="0 1 0"><freejoint/><geom size=".1"/><attach model="arm" body="upper" prefix="right_"/></body>
      </worldbody>""", parts__arm_dot_xml=part, parts__shapes__w_dot_obj=OBJ)  # fmt: skip
    world, sim, model = load(path)
    assert sim.robots[0].joint_names == [model.joint(i).name for i in range(model.njnt) if model.jnt_type[i] != 0]
    same_mass(sim, model)
    np.testing.assert_allclose(world.describe()["upper"][0], np.pi / 3)


def test_actuators_of_attached_models_keep_their_classes(tmp_path):
    """Defaults that kinds share, nested classes, the same part twice, and a part in a part. Oracle: MuJoCo's gains, biases, ranges."""
    hand = """<mujoco model="hand"><default><position kp="3"/></default><worldbody><body name="palm"><joint name="grip" axis="1 0 0"/>
      <geom size=".05"/></body></worldbody><actuator><position name="grip" joint="grip"/></actuator></mujoco>"""
    arm = """<mujoco model="arm"><compiler angle="radian"/><default><general gear="2"/><default class="strong"><position kp="50" kv="4"/>
      <default class="stronger"><motor ctrlrange="-3 4"/></default></default></default><asset><model name="hand" file="hand.xml"/></asset>
      <worldbody><body name="base"><joint name="lift" axis="0 1 0"/><geom size=".1"/><attach model="hand" body="palm" prefix="h_"/></body></worldbody>
      <actuator><position name="servo" class="strong" joint="lift"/><motor name="push" class="stronger" joint="lift"/>
      <motor name="plain" joint="lift"/></actuator></mujoco>"""
    path = written(tmp_path, """<default><motor gear="9"/><position kp="7"/></default><asset><model name="arm" file="arm.xml"/></asset><worldbody>
      <frame pos="1 0 0"><attach model="arm" body="base" prefix="l_"/></frame><attach model="arm" body="base" prefix="r_"/>
      </worldbody><actuator><motor name="own" joint="l_lift"/></actuator>""", arm_dot_xml=arm, hand_dot_xml=hand)  # fmt: skip
    _, sim, model = load(path)
    same_mass(sim, model, 1e-10)
    data = mujoco.MjData(model)
    names = [model.actuator(i).name for i in range(model.nu)]
    assert sorted(sim.robots[0].actuator_names) == sorted(names) and len(names) == 9
    qvel, ctrl = np.linspace(0.2, 0.5, model.nv), np.linspace(-5, 6, model.nu)
    data.qvel[:], data.ctrl[:] = qvel, ctrl
    mujoco.mj_forward(model, data)
    sim.q, sim.v = st.convert.from_mujoco(sim, data.qpos, qvel, model=model)
    sim.ctrl = [ctrl[names.index(name)] for name in sim.robots[0].actuator_names]
    ours = dict(zip(sim.robots[0].actuator_names, sim.actuator_forces(), strict=True))
    np.testing.assert_allclose([ours[name] for name in names], data.actuator_force, rtol=1e-12)


@pytest.mark.parametrize("size", ['mass=".7"', 'density="3"'])
def test_shells(size, tmp_path):
    """Mass on the surface alone: every primitive."""
    shapes = {"sphere": ".1", "capsule": ".1 .2", "cylinder": ".1 .25", "box": ".1 .2 .3", "ellipsoid": ".1 .2 .35"}
    geoms = "".join(
        f'<body name="{kind}"><freejoint/><geom type="{kind}" size="{edges}" {size} pos=".1 0 .2" euler="10 20 30" shellinertia="true"/></body>'
        for kind, edges in shapes.items()
    )
    _, sim, model = load(written(tmp_path, f"<worldbody>{geoms}</worldbody>"))
    same_mass(sim, model, 1e-10)


@pytest.mark.parametrize("root", ["mujocoinclude", "mujoco", "of_any_name"])
def test_includes_from_a_subfolder(root, tmp_path):
    """Names are looked for beside the main file, then beside the file that names them. MuJoCo takes roots of any name."""
    path = written(tmp_path, '<include file="sub/a.xml"/>',
                   sub__a_dot_xml='<mujoco><include file="b.xml"/></mujoco>',
                   sub__b_dot_xml=f"""<{root}><asset><mesh name="w" file="w.obj"/></asset><worldbody><body><freejoint/>
                     <geom type="mesh" mesh="w"/></body></worldbody></{root}>""", sub__w_dot_obj=OBJ)  # fmt: skip
    _, sim, model = load(path)
    same_mass(sim, model)


FORMS = {
    "no bodies": '<worldbody><geom type="plane" size="1 1 1"/></worldbody>',
    "zero inertia on a welded body": """<worldbody><body><freejoint/><geom size=".1"/><body><inertial pos="0 0 0" mass="0"
      diaginertia="0 0 0"/></body></body></worldbody>""",
    "no worldbody": "",
    "zero inertia on a static body": """<worldbody><body name="s"><inertial pos="0 0 0" mass="0" diaginertia="0 0 0"/>
      <geom size=".1"/></body><body><freejoint/><geom size=".1"/></body></worldbody>""",
    "bounds on masses": """<compiler boundmass=".1" boundinertia=".01"/><worldbody><body><freejoint/>
      <geom size=".01" mass="1e-4"/><body name="b"><joint name="b_joint"/></body></body></worldbody>""",
    "replicates inside replicates": """<worldbody><replicate count="3" offset="0 0 .5" euler="0 0 30"><body name="a">
      <joint name="j" axis="0 1 0"/><replicate count="2" offset=".1 0 0"><geom size=".05"/></replicate></body></replicate></worldbody>""",
    "a class in every place": """<default><default class="big"><geom size=".3"/><joint armature="2"/></default></default>
      <worldbody><frame childclass="big"><body><joint name="i"/><geom/></body></frame><body name="big" childclass="big"><freejoint/><geom/>
      <frame><body><joint name="j"/><geom/></body></frame></body><body><joint name="k" class="big"/><geom class="big"/></body></worldbody>""",
    "a second size beside fromto": """<worldbody><body><freejoint/><geom type="box" fromto="0 1 0 1 0 0" size=".1 .2"/>
      <geom type="ellipsoid" fromto="0 1 0 1 0 1" size=".1 .3 .2"/></body></worldbody>""",
    "faces of a mesh": """<asset><mesh name="w" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"
      inertia="shell"/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="w"/></body></worldbody>""",
}


@pytest.mark.parametrize("name", FORMS)
def test_other_forms(name, tmp_path):
    _, sim, model = load(written(tmp_path, FORMS[name]))
    assert len(sim.v) == model.nv
    if model.nv:
        same_mass(sim, model)


HOSTILE = {
    "deep": ("<worldbody>" + "<frame>" * 5000 + "</frame>" * 5000 + "</worldbody>", "deep"),
    "many": ('<worldbody><replicate count="1000000000"><geom size="1"/></replicate></worldbody>', "count"),
    "many inside many": ('<worldbody><replicate count="1000"><replicate count="1000"><geom size="1"/></replicate></replicate></worldbody>', "copies"),
    "itself": ('<include file="scene.xml"/>', "twice"),
    "model of itself": ('<asset><model name="m" file="scene.xml"/></asset><worldbody><body><attach model="m" prefix="x"/></body></worldbody>', "deep"),
    "unclosed": ("<worldbody><body>", "well-formed"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused(name, tmp_path):
    inside, word = HOSTILE[name]
    with pytest.raises(st.InvalidInput, match=word):
        st.World().add_mjcf(written(tmp_path, inside))


def test_declarations_of_entities_are_refused(tmp_path):
    path = tmp_path / "laughs.xml"
    path.write_text('<!DOCTYPE m [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><mujoco model="&b;"><worldbody/></mujoco>')
    with pytest.raises(st.InvalidInput, match="DOCTYPE with declarations"):
        st.World().add_mjcf(path)
