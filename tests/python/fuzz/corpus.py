# SPDX-License-Identifier: BSD-2-Clause
"""Small whole files of every format that stiction reads, from which the fuzzer makes broken ones. All are our own."""

import functools
import io
import struct
import sys
import tempfile
from pathlib import Path

import numpy as np

import stiction as st

DATA = Path(__file__).resolve().parents[2] / "data"
INERTIAL = '<inertial><mass value="1.5"/><inertia ixx=".02" iyy=".02" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial>'

URDF = f"""<?xml version="1.0"?>
<robot name="arm"><material name="grey"><color rgba=".5 .5 .5 1"/></material>
<link name="base">{INERTIAL}<visual><geometry><box size=".1 .1 .1"/></geometry><material name="grey"/></visual>
<collision><origin xyz="0 0 .05" rpy="0 0 .3"/><geometry><box size=".1 .2 .1"/></geometry></collision></link>
<link name="upper">{INERTIAL}<collision><geometry><cylinder radius=".04" length=".3"/></geometry></collision></link>
<link name="lower">{INERTIAL}<collision><geometry><sphere radius=".05"/></geometry></collision></link>
<link name="tool"/>
<joint name="a" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 .2"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="10" velocity="5"/><dynamics damping=".1" friction=".05"/></joint>
<joint name="b" type="continuous"><parent link="upper"/><child link="lower"/><axis xyz="1 0 0"/><mimic joint="a" multiplier="2"/></joint>
<joint name="c" type="fixed"><parent link="lower"/><child link="tool"/></joint></robot>"""

SDF = """<sdf version="1.7"><model name="cart"><pose>0 0 1 0 0 0</pose>
<link name="body"><inertial><mass>2</mass><inertia><ixx>.1</ixx><iyy>.1</iyy><izz>.1</izz></inertia></inertial>
<collision name="c"><geometry><box><size>.4 .2 .1</size></box></geometry></collision></link>
<link name="wheel"><pose>.2 0 0 1.57 0 0</pose><inertial><mass>.5</mass></inertial>
<collision name="w"><geometry><cylinder><radius>.1</radius><length>.05</length></cylinder></geometry></collision></link>
<joint name="axle" type="revolute"><parent>body</parent><child>wheel</child><axis><xyz>0 0 1</xyz>
<limit><lower>-1</lower><upper>1</upper><effort>3</effort></limit><dynamics><damping>.1</damping></dynamics></axis></joint>
</model></sdf>"""

MJCF = """<mujoco model="two"><compiler angle="degree" autolimits="true"/><option timestep=".002" gravity="0 0 -9.81"/>
<default><joint damping=".1"/><default class="soft"><geom friction=".4"/></default></default>
<asset><mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale=".1 .1 .1"/></asset>
<worldbody><geom type="plane" size="1 1 .1"/><replicate count="3" offset=".3 0 0"><geom type="box" size=".05 .05 .05"/></replicate>
<body name="a" pos="0 0 1"><joint name="j" axis="0 1 0" range="-40 40" stiffness="2"/><geom type="capsule" size=".05 .2" class="soft"/>
<frame euler="0 0 30"><body name="b" pos=".3 0 0"><joint name="k" type="slide" axis="1 0 0"/><geom type="mesh" mesh="wedge"/>
<site name="s"/></body></frame></body>
<body name="c" pos="2 0 .2"><freejoint/><geom size=".1" mass="1"/></body></worldbody>
<equality><joint joint1="j" joint2="k" polycoef="0 1 0 0 0"/></equality><contact><exclude body1="a" body2="c"/></contact>
<actuator><motor joint="j" gear="2" ctrlrange="-1 1"/><position joint="k" kp="20"/></actuator>
<keyframe><key name="home" qpos="0 0 2 0 .2 1 0 0 0"/></keyframe></mujoco>"""

OBJ = (
    "o box\n"
    + "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1))
    + ("vn 0 0 1\nf 1 2 4\nf 1 4 3\nf 5//1 7//1 8//1\nf 5 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n")
)
STL_TEXT = "solid s\n" + "".join(
    f"facet normal 0 0 1\nouter loop\nvertex {a} 0 0\nvertex 0 {b} 0\nvertex 0 0 {c}\nendloop\nendfacet\n"
    for a, b, c in ((1, 1, 1), (1, 2, 1), (2, 1, 3))
) + "endsolid s\n"  # fmt: skip
DAE = """<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="1"/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common>
<accessor source="#pa" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
</accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 1 2 3 0 3 2</p></triangles></mesh></geometry>
</library_geometries><library_nodes><node id="n"><instance_geometry url="#g"/></node></library_nodes>
<library_visual_scenes><visual_scene id="s"><node><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#g"/>
<node><instance_node url="#n"/></node></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def stl_binary() -> bytes:
    corners = np.random.default_rng(0).normal(size=(6, 4, 3)).astype("<f4")
    return bytes(80) + struct.pack("<I", 6) + b"".join(c.tobytes() + b"\0\0" for c in corners)


def world(robot: bool = True) -> st.World:
    out = st.World()
    out.add_ground()
    out.add_box(size=(0.1, 0.2, 0.3), mass=1.0, position=(0, 0, 0.1))
    out.add_convex(np.random.default_rng(0).normal(size=(9, 3)) * 0.1, mass=1.0, position=(2, 0, 0.3))
    out.add_heightfield(np.zeros((4, 5)), size=(1, 1), position=(4, 0, 0))
    out.add_static_mesh((np.eye(3), [[0, 1, 2]]), position=(5, 0, 0))
    for x in (4.0, 5.3):
        out.add_sphere(radius=0.1, mass=1.0, position=(x, 0.2, 0.1))
    if not robot:
        return out
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "two.xml"
        path.write_text(MJCF)
        out.add_mjcf(path, position=(0, 2, 0))
    out.add_loop("a", None)
    return out


@functools.cache
def simulators() -> list[st.Simulator]:
    out = [
        st.Simulator(world(), dt=1e-3),
        st.Simulator(world(False), dt=1e-3, law="anchored"),
        st.scene("starleth_stand"),
    ]
    for sim in out:
        sim.step(n=3)
    return out


def recordings() -> list[bytes]:
    out = []
    with tempfile.TemporaryDirectory() as folder:
        path, whole = Path(folder) / "a.mcap", Path(folder) / "b.mcap"
        sim = st.Simulator(world(), dt=1e-3)
        with st.record(sim, path, snapshots=3):
            sim.step(n=4)
            sim.apply_wrench(0, (1.0, 0, 0))
            sim.step(tau=np.zeros(sim.ntau))
        st.recording.recover(path, whole)
        out += [path.read_bytes(), whole.read_bytes()]
    return out


def arrays() -> list[bytes]:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, M=2.0 * np.eye(4) - 0.5, q=-np.ones(4))
    return [buffer.getvalue(), *(p.read_bytes() for p in sorted((DATA / "lcp").glob("*.npz"))[:3])]


@functools.cache
def seeds(kind: str) -> list[bytes]:
    """Whole files of a format."""
    folder = lambda name, ending: [p.read_bytes() for p in sorted((DATA / name).glob(f"*.{ending}"))[:4]]
    make = {
        "urdf": lambda: [URDF.encode()], "sdf": lambda: [SDF.encode()], "xml": lambda: [MJCF.encode()],
        "obj": lambda: [OBJ.encode()], "stl": lambda: [STL_TEXT.encode(), stl_binary()], "dae": lambda: [DAE.encode()],
        "hdf5": lambda: folder("fclib", "hdf5"), "dat": lambda: folder("siconos", "dat"), "npz": arrays,
        "world": lambda: [sim.save_world() for sim in simulators()], "state": lambda: [sim.save() for sim in simulators()],
        "mcap": recordings,
    }  # fmt: skip
    return make[kind]()


KINDS = ("urdf", "sdf", "xml", "obj", "stl", "dae", "hdf5", "dat", "npz", "world", "state", "mcap")

if __name__ == "__main__":
    for name in KINDS:
        print(name, [len(x) for x in seeds(name)], file=sys.stderr)
