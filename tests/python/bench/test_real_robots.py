# SPDX-License-Identifier: BSD-2-Clause
"""bench/real_robots.py on files of our own: what it says of a robot, and of one that goes wild."""

import sys

import pytest

from mjcf_files import servo_scene
from repository import ROOT

pytest.importorskip("mujoco")
sys.path.insert(0, str(ROOT / "bench"))

import real_robots
import robot_forces
import robot_set


def test_a_calm_robot(tmp_path):
    row = real_robots.measure(str(servo_scene(tmp_path)), 0.2, 1)
    assert row["calm"] and row["calm_in_the_same_step"] and row["resets_mujoco"] == 0
    assert max(row[name] for name in ("M", "bias", "passive", "actuator")) < 1e-8
    assert row["pairs_ours_only"] == [] and row["pairs_mujoco_only"] == []
    assert row["ratio"] > 0.0 and row["velocities"] == 2 and row["actuators"] == 2
    assert "| yes |" in real_robots.line({"file": "x"} | row)


def test_a_wild_robot_and_a_wrong_force_are_seen(tmp_path, monkeypatch):
    both = real_robots.Both(str(servo_scene(tmp_path)))
    both.sim.v = [50.0, 0.0]
    row = real_robots.look_at_every_step(both, real_robots.control_noise(both.model, 20))
    assert not row["calm"]
    text = servo_scene(tmp_path).read_text()
    path = tmp_path / "other.xml"
    path.write_text(text.replace('kp="100"', 'kp="101"').replace('mass=".2"', 'mass=".21"'))
    other = real_robots.Both(str(path))
    found = robot_forces.forces(both.sim, other.model)
    assert found["M"] > 1e-3 and found["bias"] > 1e-3 and found["actuator"] > 1e-4


def test_overlaps_of_one_engine_alone_are_seen(tmp_path):
    text = """<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="a" pos="0 0 .05"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    path = tmp_path / "ball.xml"
    path.write_text(text)
    both = real_robots.Both(str(path))
    both.sim.step()
    assert robot_forces.overlapping(both.sim, both.model, both.data) == ([], [])
    path.write_text(
        text.replace('size=".1"', 'size=".1" contype="0"').replace('size="1 1 1"', 'size="1 1 1" contype="0"')
    )
    other = real_robots.Both(str(path))
    assert robot_forces.overlapping(both.sim, other.model, other.data)[0] == [("a", "world")]


def test_the_set_holds_what_moves(tmp_path, monkeypatch):
    folder = tmp_path / "menagerie" / "robot"
    folder.mkdir(parents=True)
    servo_scene(folder)
    (folder / "scene_still.xml").write_text("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    (folder / "scene_bad.xml").write_text("<mujoco><nonsense/></mujoco>")
    monkeypatch.setenv("STICTION_DATA", str(tmp_path))
    monkeypatch.setattr(robot_set, "PACKAGES", ())
    assert robot_set.the_set() == [folder / "scene.xml"]
    assert robot_set.name_of(folder / "scene.xml") == "menagerie/robot/scene.xml"
