# SPDX-License-Identifier: BSD-2-Clause
"""Robot files come from anywhere. Oracle: `stiction check` and the loaders say one sentence, within seconds, without a signal."""

import os
import subprocess
import sys

import pytest

import stiction as st

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
SCENE = '<scene><instance_visual_scene url="#S"/></scene></COLLADA>'
COLLADA = '<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'


def entities(body):
    lines = "".join(f'<!ENTITY a{i} "' + f"&a{i - 1};" * 10 + '">' for i in range(1, 12))
    return f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a0 "lol">{lines}]>{body}'


def chain(count):
    links = "".join(f'<link name="l{i}">{INERTIAL}</link>' for i in range(count))
    joints = "".join(
        f'<joint name="j{i}" type="continuous"><parent link="l{i}"/><child link="l{i + 1}"/><axis xyz="0 0 1"/></joint>'
        for i in range(count - 1)
    )
    return f'<robot name="r">{links}{joints}</robot>'


def sdf_chain(count):
    links = "".join(f'<link name="l{i}"/>' for i in range(count))
    joints = "".join(
        f'<joint name="j{i}" type="revolute"><parent>l{i}</parent><child>l{i + 1}</child><axis><xyz>0 0 1</xyz></axis></joint>'
        for i in range(count - 1)
    )
    return f'<sdf version="1.7"><model name="m">{links}{joints}</model></sdf>'


def replicate(inner, count):
    return f'<mujoco><worldbody><replicate count="{count}" offset="1 0 0">{inner}</replicate></worldbody></mujoco>'


FILES = {
    "frames.xml": "<mujoco><worldbody>" + "<frame>" * 20000 + "</frame>" * 20000 + "</worldbody></mujoco>",
    "chain.urdf": chain(5000),
    "chain.sdf": sdf_chain(5000),
    "entities.urdf": entities('<robot name="r"><link name="a">&a11;</link></robot>'),
    "entities.xml": entities("<mujoco>&a11;</mujoco>"),
    "entities.sdf": entities("<sdf version='1.7'><model name='m'>&a11;</model></sdf>"),
    "replicate.xml": replicate('<geom size=".1"/>', "1000000000"),
    "replicate_large.xml": replicate('<geom size=".1"/>' * 1000, "90000"),
    "name.urdf": b'<robot name="r"><link name="a\xff\xfe"/></robot>',
    "name.xml": b'<mujoco><worldbody><body name="\xff"><freejoint/><geom size=".1"/></body></worldbody></mujoco>',
    "name.sdf": b'<sdf version="1.7"><model name="m"><link name="\xe9"/></model></sdf>',
    "surrogate.urdf": '<robot name="r"><link name="&#xD800;"/></robot>',
}
MESHES = {
    "cycle.dae": COLLADA
    + '<library_nodes><node id="A"><instance_node url="#B"/></node><node id="B"><instance_node url="#A"/></node></library_nodes>'
    '<library_visual_scenes><visual_scene id="S"><node><instance_node url="#A"/></node></visual_scene></library_visual_scenes>' + SCENE,
    "deep.dae": COLLADA + '<library_visual_scenes><visual_scene id="S">' + "<node>" * 50000 + "</node>" * 50000
    + "</visual_scene></library_visual_scenes>" + SCENE,
    "doubling.dae": COLLADA + "<library_nodes>"
    + "".join(f'<node id="n{i}"><instance_node url="#n{i + 1}"/><instance_node url="#n{i + 1}"/></node>' for i in range(60))
    + '<node id="n60"/></library_nodes><library_visual_scenes><visual_scene id="S"><node><instance_node url="#n0"/></node>'
    "</visual_scene></library_visual_scenes>" + SCENE,
    "long.dae": COLLADA + "<library_nodes>"
    + "".join(f'<node id="n{i}"><instance_node url="#n{i + 1}"/></node>' for i in range(60000))
    + '</library_nodes><library_visual_scenes><visual_scene id="S"><node><instance_node url="#n0"/></node>'
    "</visual_scene></library_visual_scenes>" + SCENE,
}  # fmt: skip

LOAD = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
import stiction as st
path, world = sys.argv[1], st.World()
add = {"urdf": world.add_urdf, "sdf": world.add_sdf, "xml": world.add_mjcf, "dae": world.add_static_mesh}[path.rsplit(".", 1)[1]]
try:
    add(path)
except st.InvalidInput as error:
    print("refused:", error)
"""


def run(*command):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    return subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("name", [*FILES, *MESHES])
def test_loaders_refuse_in_a_sentence(name, tmp_path):
    content = {**FILES, **MESHES}[name]
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    found = run("-c", LOAD, str(tmp_path / name))
    assert found.returncode == 0 and found.stdout.startswith("refused: "), (found.returncode, found.stderr[-500:])
    assert name in found.stdout and len(found.stdout) < 600


@pytest.mark.parametrize("name", FILES)
def test_check_refuses_in_a_sentence(name, tmp_path):
    content = FILES[name]
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    found = run("-m", "stiction.cli", "check", str(tmp_path / name))
    assert found.returncode in (1, 2) and "Traceback" not in found.stderr, found.stderr[-500:]


def test_a_file_that_says_its_encoding_is_read(tmp_path):
    path = tmp_path / "latin.urdf"
    path.write_bytes(
        b'<?xml version="1.0" encoding="ISO-8859-1"?><robot name="r"><link name="caf\xe9">'
        + INERTIAL.encode()
        + b"</link></robot>"
    )
    world = st.World()
    world.add_urdf(path)
    assert [body.name for body in st.Simulator(world).bodies] == ["café"]


def test_comments_may_hold_any_bytes(tmp_path):
    path = tmp_path / "comment.urdf"
    path.write_bytes(b'<robot name="r"><!-- Andr\xe9 --><link name="a">' + INERTIAL.encode() + b"</link></robot>")
    st.World().add_urdf(path)


def test_a_chain_of_a_thousand_joints_is_a_robot():
    world = st.World()
    world.add_urdf_text(chain(1001), fixed=True)
    assert st.Simulator(world).nv == 1000
