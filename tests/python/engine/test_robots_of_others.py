# SPDX-License-Identifier: BSD-2-Clause
"""MJCF robots that others wrote (MuJoCo Menagerie), half a second or five of each. Oracle: MuJoCo on the same file."""

import pytest

import robots_of_others
from repository import THIRD_PARTY

pytestmark = pytest.mark.full
pytest.importorskip("mujoco")
FOLDER = THIRD_PARTY / "menagerie" if THIRD_PARTY else None
SCENES = sorted(FOLDER.glob("*/scene*.xml")) if FOLDER else []
NAMES = ["/".join(path.parts[-2:]) for path in SCENES]
SERVOS = [path for path in SCENES if not robots_of_others.has_tendons(path)]
STANDING = [
    path
    for path in SCENES
    if path.parent.name in ("google_barkour_vb", "unitree_h1", "booster_t1", "pal_talos", "agility_cassie")
]


@pytest.mark.parametrize("path", SCENES, ids=NAMES)
def test_the_same_pairs_overlap(path, third_party):
    assert robots_of_others.pairs(path) == ([], [])


def servo_case(path):
    name = "/".join(path.parts[-2:])
    # The grippers move by 0.4 rad under stiff servos; MuJoCo at 0.1 ms is 0.9e-4 rad away from itself at half the step.
    late = pytest.mark.xfail(strict=True, reason="1.7e-4 rad at 0.1 ms, asked for 1e-4; 0.8e-4 at 0.05 ms")
    return pytest.param(path, id=name, marks=[late] if name == "pal_talos/scene_position.xml" else [])


@pytest.mark.parametrize("path", [servo_case(path) for path in SERVOS])
def test_servos_move_as_in_mujoco(path, third_party):
    """Limits, dry friction and equalities of MuJoCo are soft: with softness="file" ours are as soft."""
    difference, joint, _ = robots_of_others.servo_difference(path, "file")
    assert difference < 1e-4, joint


@pytest.mark.parametrize("path", STANDING, ids=["/".join(p.parts[-2:]) for p in STANDING])
def test_stands_where_mujoco_does(path, third_party):
    ours, theirs = robots_of_others.stands(path)
    if theirs > 0.8:
        assert ours > 0.8
