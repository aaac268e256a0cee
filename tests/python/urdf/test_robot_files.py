# SPDX-License-Identifier: BSD-2-Clause
"""Forms of URDF and SDF files: where packages are, what is left out by name, models within models."""

import numpy as np
import pytest

import stiction as st

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


def robot(inside, link_extra=""):
    return f'<robot name="r"><link name="base">{INERTIAL}{link_extra}</link>{inside}</robot>'


MESHED = robot("", '<collision><geometry><mesh filename="package://my_robot/meshes/tet.obj"/></geometry></collision>')


def corners(world):
    return world.describe()["geoms"][0]["corners"]


def test_packages_are_found(tmp_path, monkeypatch):
    """ROS_PACKAGE_PATH, AMENT_PREFIX_PATH (share below a prefix), package_dirs, and a clone of another name whose package.xml says what it is."""
    for place in ("ros", "prefix/share"):
        (tmp_path / place / "my_robot" / "meshes").mkdir(parents=True)
        (tmp_path / place / "my_robot" / "meshes" / "tet.obj").write_text(TETRAHEDRON)
    clone = tmp_path / "clone-7"
    (clone / "meshes").mkdir(parents=True), (clone / "urdf").mkdir()
    (clone / "meshes" / "tet.obj").write_text(TETRAHEDRON)
    (clone / "package.xml").write_text('<?xml version="1.0"?><package format="3"><name>my_robot</name></package>')
    (clone / "urdf" / "r.urdf").write_text(MESHED)

    def load(**options):
        world = st.World()
        world.add_urdf_text(MESHED, **options)
        return corners(world)

    with pytest.raises(FileNotFoundError, match="or in ROS_PACKAGE_PATH or AMENT_PREFIX_PATH"):
        load()
    expected = load(package_dirs=[tmp_path / "ros"])
    for variable, folder in (("ROS_PACKAGE_PATH", "ros"), ("AMENT_PREFIX_PATH", "prefix")):
        monkeypatch.setenv(variable, f"/nowhere:{tmp_path / folder}")
        np.testing.assert_array_equal(load(), expected)
        monkeypatch.delenv(variable)
    world = st.World()
    world.add_urdf(clone / "urdf" / "r.urdf")
    np.testing.assert_array_equal(corners(world), expected)


def test_what_means_something_elsewhere_is_told():
    inside = """<transmission name="drive"><actuator name="m"/></transmission><transmission name="other"/>
      <gazebo reference="base"><mu1>.3</mu1></gazebo><gazebo><plugin name="p"/></gazebo><material name="blue"/>"""
    world = st.World()
    world.add_urdf_text(robot(inside))
    assert [line.split(": ", 1)[1] for line in world.warnings] == [
        "URDF text: left out: <transmission> drive, other",
        "URDF text: left out: <gazebo> base, of the whole robot",
    ]


LINK = """<link name='{name}'><pose>{pose}</pose><inertial><mass>2</mass><inertia><ixx>.1</ixx><iyy>.2</iyy><izz>.25</izz></inertia></inertial>
  <collision name='c'><pose>0 0 .1 0 0 0</pose><geometry><sphere><radius>.1</radius></sphere></geometry></collision></link>"""
JOINT = """<joint name='{name}' type='revolute'><parent>{parent}</parent><child>{child}</child><pose>0 .1 0 0 0 0</pose>
  <axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis></joint>"""


def sdf(tmp_path, inside):
    path = tmp_path / "m.sdf"
    path.write_text(f"<?xml version='1.0'?><sdf version='1.9'><model name='m'>{inside}</model></sdf>")
    world = st.World()
    world.add_sdf(path)
    return st.Simulator(world)


def test_models_within_models(tmp_path):
    """Oracle: the same robot with its links written into one model, poses multiplied by hand (turns about z by a right angle)."""
    quarter = "1.5707963267948966"
    inner = LINK.format(name="palm", pose="0 0 0 0 0 0") + LINK.format(name="tip", pose="1 0 0 0 0 .2")
    hand = f"<model name='hand'><pose>0 2 0 0 0 {quarter}</pose>{inner}{JOINT.format(name='bend', parent='palm', child='tip')}</model>"
    arm = f"<model name='arm'><pose>0 0 1 0 0 {quarter}</pose>{LINK.format(name='base', pose='.5 0 0 0 0 0')}{hand}</model>"
    nested = sdf(tmp_path, LINK.format(name="root", pose="0 0 0 0 0 0") + arm
                 + JOINT.format(name="lift", parent="root", child="arm::base") + JOINT.format(name="turn", parent="arm::base", child="arm::hand::palm"))  # fmt: skip
    flat = sdf(tmp_path, LINK.format(name="root", pose="0 0 0 0 0 0") + LINK.format(name="arm::base", pose=f"0 .5 1 0 0 {quarter}")
               + LINK.format(name="arm::hand::palm", pose="-2 0 1 0 0 3.141592653589793") + LINK.format(name="arm::hand::tip", pose="-3 0 1 0 0 3.341592653589793")
               + JOINT.format(name="lift", parent="root", child="arm::base") + JOINT.format(name="turn", parent="arm::base", child="arm::hand::palm")
               + JOINT.format(name="arm::hand::bend", parent="arm::hand::palm", child="arm::hand::tip"))  # fmt: skip
    assert sorted(nested.robots[0].joint_names) == sorted(flat.robots[0].joint_names)
    assert "arm::hand::bend" in nested.robots[0].joint_names
    for sim in (nested, flat):
        sim.set_joints({"lift": 0.3, "turn": -0.4, "arm::hand::bend": 0.7})
    for link in ("root", "arm::base", "arm::hand::palm", "arm::hand::tip"):
        for ours, theirs in zip(nested.frame_pose(link), flat.frame_pose(link), strict=True):
            np.testing.assert_allclose(ours, theirs, atol=1e-12)
    assert nested.mass == flat.mass == 8.0
    assert sorted(np.linalg.eigvalsh(nested.mass_matrix())) == pytest.approx(
        sorted(np.linalg.eigvalsh(flat.mass_matrix()))
    )


@pytest.mark.parametrize(
    ("inside", "sentence"),
    [
        ("<include><uri>model://hand</uri></include>", r"has an <include>, which is not read; put the model into the file"),
        ("<model name='inner'><static>true</static></model>", "model 'inner' is static within another one"),
        ("<model><link name='a'/></model>", "model in it"),
        (LINK.format(name="a", pose="0 0 0 0 0 0") + "<model name='i'>" + LINK.format(name="b", pose="0 0 0 0 0 0")
         + JOINT.format(name="j", parent="b", child="c") + "</model>", "unknown link 'i::c'"),
    ],
)  # fmt: skip
def test_other_nested_models_are_refused(inside, sentence, tmp_path):
    with pytest.raises(ValueError, match=sentence):
        sdf(tmp_path, LINK.format(name="root", pose="0 0 0 0 0 0") + inside)
