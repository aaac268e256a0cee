# SPDX-License-Identifier: BSD-2-Clause
"""MJCF robots that others wrote (MuJoCo Menagerie, and packages where they are installed), half a second or five of each.
Oracle: MuJoCo on the same file."""

import pytest

import robots_of_others
from repository import THIRD_PARTY

pytestmark = pytest.mark.full
pytest.importorskip("mujoco")
FOLDER = THIRD_PARTY / "menagerie" if THIRD_PARTY else None
SCENES = sorted(FOLDER.glob("*/scene*.xml")) if FOLDER else []
NAMES = ["/".join(path.parts[-2:]) for path in SCENES]
LEGGED = ("google_barkour_vb", "unitree_h1", "booster_t1", "pal_talos", "agility_cassie")
STANDING = [path for path in SCENES if path.parent.name in LEGGED]
PACKAGED = [
    robots_of_others.package_file(package, f"{folder}/{name}.xml")
    for package, folder, names in (
        ("gymnasium", "envs/mujoco/assets", "ant half_cheetah hopper humanoid walker2d walker2d_v5"),
        ("dm_control", "suite", "walker cheetah hopper quadruped humanoid humanoid_CMU dog"),
        ("gymnasium_robotics", "envs/multiagent_mujoco/assets", "coupled_half_cheetah"),
    )
    for name in names.split()
]
PACKAGED = [path for path in PACKAGED if path is not None]


@pytest.mark.parametrize("path", SCENES, ids=NAMES)
def test_the_same_pairs_overlap(path, third_party):
    assert robots_of_others.pairs(path) == ([], [])


@pytest.mark.parametrize("path", SCENES, ids=NAMES)
def test_servos_move_as_in_mujoco(path, third_party):
    """Limits, dry friction and equalities of MuJoCo are soft: with softness="file" ours are as soft. The grippers of talos move by 0.4 rad
    under stiff servos, where MuJoCo's implicitfast is wrong by 1.7e-4 rad at this step (8.5e-5 at half of it): there its RK4 is asked."""
    options = dict(integrator=1) if path.name == "scene_position.xml" else {}
    difference, joint, _ = robots_of_others.servo_difference(path, "file", **options)
    assert difference < 1e-4, joint


STIFFER = [path for path in SCENES if path.parent.name in ("wonik_allegro", "trossen_wx250s", "low_cost_robot_arm")]


@pytest.mark.parametrize("path", STIFFER, ids=["/".join(path.parts[-2:]) for path in STIFFER])
def test_mujoco_tends_to_rigid_limits_and_friction(path, third_party):
    """Rigid is what MuJoCo becomes as its limits, dry friction and equalities get stiff: solref at twice the step, impedance near 1."""
    file = robots_of_others.servo_difference(path, "rigid")[0]
    stiff = robots_of_others.servo_difference(path, "rigid", stiff=True)[0]
    assert stiff < min(1e-4, 0.2 * file)


OFF = [
    path for path in SCENES if "/".join(path.parts[-2:]) in ("pal_talos/scene_motor.xml", "agility_cassie/scene.xml")
]


@pytest.mark.parametrize("path", OFF, ids=["/".join(path.parts[-2:]) for path in OFF])
def test_rigid_robots_differ_by_their_start_alone(path, third_party):
    """The keyframe of talos has elbows 3.5e-3 rad outside their limits, cassie's loops are open by 1.5 mm. Rigid ones heal at a bounded
    speed, MuJoCo's by a spring, which throws joints the more the stiffer it is. From a start without errors both engines agree."""
    assert robots_of_others.servo_difference(path, "rigid", stiff=True)[0] > 1e-3
    assert robots_of_others.servo_difference(path, "rigid", stiff=True, consistent=True)[0] < 1e-6


def check_standing(path):
    ours, theirs = robots_of_others.stands(path)
    if theirs > 0.8:
        assert ours > 0.8


@pytest.mark.parametrize("path", STANDING, ids=["/".join(p.parts[-2:]) for p in STANDING])
def test_stands_where_mujoco_does(path, third_party):
    check_standing(path)


@pytest.mark.parametrize("path", PACKAGED, ids=["/".join(p.parts[-2:]) for p in PACKAGED])
def test_stands_where_mujoco_does_in_packages(path):
    check_standing(path)


@pytest.mark.parametrize("robot", ["unitree_g1", "unitree_go1"])
def test_mjlab_robots_stand(robot, tmp_path):
    """The files have neither floor nor motors: both are added, servos hold the pose from which training starts."""
    folder = robots_of_others.package_file("mjlab", f"asset_zoo/robots/{robot}/xmls")
    if folder is None:
        pytest.skip("mjlab is not installed")
    ours, theirs = robots_of_others.stands(robots_of_others.standing_scene(folder, robot, tmp_path))
    assert theirs > 0.8
    assert ours > 0.8


PRESSING = [
    (folder, path)
    for folder, path in (
        ("menagerie", "aloha/scene.xml"),
        ("menagerie", "stanford_tidybot/scene.xml"),
        ("menagerie", "agility_cassie/scene.xml"),
        ("dm_control", "suite/reacher.xml"),
        ("dm_control", "suite/cartpole.xml"),
        ("dm_control", "suite/point_mass.xml"),
    )
]


@pytest.mark.parametrize(("folder", "file"), PRESSING, ids=[file for _, file in PRESSING])
def test_is_calm_and_presses_no_harder_than_it_moves(folder, file):
    """aloha from its default pose, in which its arms overlap by 35 mm; five seconds with noisy controls."""
    path = robots_of_others.package_file(folder, file) if folder != "menagerie" else FOLDER and FOLDER / file
    if path is None:
        pytest.skip(f"no {folder}")
    refused, wild, impulse = robots_of_others.pressing(path, default="aloha" in file)
    assert refused == 0
    assert wild <= 1.0
    assert impulse < 3.0
