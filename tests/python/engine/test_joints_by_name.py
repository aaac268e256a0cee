# SPDX-License-Identifier: BSD-2-Clause
"""Joints by name, and back to the start. Oracles: the entries of q that the joints have, and bits of a fresh simulator."""

import numpy as np
import pytest

import stiction as st

LINK = """<link name="{}"><inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>"""
LIMIT = '<limit lower="-3" upper="3" effort="100" velocity="9"/>'


def joint(name, kind, parent, child):
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/><origin xyz="0 0 0.3"/>'
        f'<axis xyz="0 1 0"/>{LIMIT}</joint>'
    )


ARM = (
    '<robot name="arm">'
    + "".join(LINK.format(name) for name in ("base", "a", "b", "c"))
    + joint("shoulder", "revolute", "base", "a")
    + joint("wheel", "continuous", "a", "b")
    + joint("rail", "prismatic", "b", "c")
    + "</robot>"
)


def arms(*names, fixed=False, **settings):
    world = st.World()
    robots = [
        world.add_urdf_text(ARM, name=name, fixed=fixed, position=(2.0 * i, 0, 3)) for i, name in enumerate(names)
    ]
    return st.Simulator(world, **settings), robots


def test_every_kind_of_joint_is_set_and_read_by_name():
    sim, (robot,) = arms("arm")
    wanted = {"shoulder": 0.3, "wheel": -2.5, "rail": 0.125}
    sim.set_joints(wanted)
    assert sim.joints() == pytest.approx(wanted, abs=1e-15) and list(sim.joints()) == robot.joint_names
    q = sim.q[robot.q_slice]
    assert np.array_equal(q[7:], [0.3, np.cos(-2.5), np.sin(-2.5), 0.125])
    sim.set_joints({"rail": 1})
    assert sim.joints() == pytest.approx({**wanted, "rail": 1.0}, abs=1e-15)
    assert not sim.v.any() and np.array_equal(q[:7], [0, 0, 3, 0, 0, 0, 1])


def test_index_counts_from_the_start_of_the_slice():
    sim, robots = arms("left", "right")
    for robot in (*robots, *sim.robots):
        assert [robot.index(name) for name in robot.joint_names] == [7, 8, 10]
        assert [robot.index(name, of="v") for name in robot.joint_names] == [6, 7, 8]
        assert [robot.index(name, of="tau") for name in robot.joint_names] == [0, 1, 2]
    sim.set_joints({"right/rail": 0.5})
    assert sim.q[robots[1].q_slice][robots[1].index("rail")] == 0.5
    with pytest.raises(ValueError, match="did you mean 'shoulder'"):
        robots[0].index("sholder")
    with pytest.raises(ValueError, match=r"index.of is 'x'"):
        robots[0].index("rail", of="x")


def test_names_of_several_robots():
    sim, (left, right) = arms("left", "right")
    sim.set_joints({"left/shoulder": 0.1, "right/shoulder": 0.2})
    assert sim.joints()["left/shoulder"] == 0.1 and sim.joints()["right/shoulder"] == 0.2
    sim.set_joints({"shoulder": 0.3}, robot=right)
    sim.set_joints({"shoulder": 0.4}, robot="left")
    assert sim.joints(robot=left)["shoulder"] == 0.4 and sim.joints(robot="right")["shoulder"] == 0.3
    with pytest.raises(ValueError, match=r"several robots.*'left/shoulder', 'right/shoulder'"):
        sim.set_joints({"shoulder": 0.0})
    with pytest.raises(ValueError, match="did you mean 'right'"):
        sim.joints(robot="rigt")


@pytest.mark.parametrize("values, words", [
    ({"sholder": 0.1}, "did you mean 'shoulder'"),
    ({"rail": float("nan")}, "rail.*nan"),
    ({"rail": "far"}, "rail.*far"),
    ({3: 0.1}, "name of a joint"),
])  # fmt: skip
def test_wrong_joints_change_nothing(values, words):
    sim, _ = arms("arm")
    before = sim.hash()
    with pytest.raises(ValueError, match=words):
        sim.set_joints({"shoulder": 0.7, **values})
    assert sim.hash() == before


def test_cut_joints_are_set_and_measured_too():
    """Oracle: minimal coordinates of the same robot."""
    wanted = {"shoulder": 0.3, "wheel": -2.5, "rail": 0.125}
    sim, _ = arms("arm", coordinates="maximal")
    sim.set_joints(wanted)
    assert sim.joints() == pytest.approx(wanted, abs=1e-12)
    assert max(sim.bilateral_drift()) < 1e-12
    plain, _ = arms("arm")
    plain.set_joints(wanted)
    assert np.allclose(sim.pose("c")[0], plain.pose("c")[0], atol=1e-12)
    with pytest.raises(ValueError, match="is cut"):
        sim.robots[0].index("wheel")
    assert sim.robots[0].index("wheel", of="tau") == 1


SETTINGS = [dict(), dict(law="anchored"), dict(law="relaxed"), dict(stepper="moreau"), dict(coordinates="maximal")]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_after_reset_a_run_repeats_bit_for_bit(settings):
    fresh = st.scene("starleth_push", **settings)
    start = fresh.hash()
    fresh.step(n=60)
    sim = st.scene("starleth_push", **settings)
    sim.step(n=40)
    sim.set_pd(kp=1.0)
    sim.apply_wrench("trunk", (100, 0, 0))
    sim.reset()
    assert sim.hash() == start and sim.time == 0.0 and len(sim.contacts()) == 0
    if settings.get("law") == "anchored":
        assert len(sim.anchors()) == 0
    sim.step(n=60)
    assert sim.hash() == fresh.hash()


def test_reset_goes_back_to_what_the_simulator_was_made_with():
    sim = st.scene("anymal_stand")
    q, target = sim.q.copy(), sim.pd_target.copy()
    sim.step(target=target + 0.05, n=5)
    other = sim.clone()
    for one in (sim, other):
        one.reset()
        assert np.array_equal(one.q, q) and np.array_equal(one.pd_target, target) and not one.v.any()
    world = st.World()
    world.add_sphere(radius=0.1, mass=1, position=(0, 0, 2), velocity=(1, 2, 3), angular_velocity=(0, 0, 4))
    ball = st.Simulator(world)
    ball.set_pd(kp=1.0)  # it was made without
    ball.step(n=3)
    ball.reset()
    assert np.array_equal(ball.v, [1, 2, 3, 0, 0, 4]) and ball.pd_target.size == 0 and ball.time == 0.0


def test_ok_says_that_every_step_was_accepted():
    sim = st.scene("pile", solver="nsgs")
    report = sim.step(n=5)
    assert report.ok is (report.unaccepted == 0) is True
    poor = st.scene("pile", solver="jor", solver_options=dict(max_iterations=1)).step(n=5)
    assert not poor.ok and poor.unaccepted > 0
    problem = st.ContactProblem(np.eye(3), [0.3, 0, -1], mu=0.5, dt=1e-3)
    assert st.solve(problem)[1].ok
    dense = np.eye(6) + 0.9
    assert not st.solve(st.ContactProblem(dense, -np.ones(6), mu=[0.5, 0.5]), solver="jor", max_iterations=1)[1].ok


def test_contact_mode_is_one_enum():
    assert [(mode.name, int(mode), str(mode), f"{mode:>6}") for mode in st.ContactMode] == [
        ("OPEN", 0, "open", "  open"), ("STICK", 1, "stick", " stick"), ("SLIP", 2, "slip", "  slip"),
    ]  # fmt: skip
    world = st.World()
    world.add_ground(mu=0.5)
    world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0.1), velocity=(1, 0, 0))
    world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(1, 0, 0.1))
    sim = st.Simulator(world)
    sim.step(n=3)
    contacts = sim.contacts()
    assert contacts["mode"].dtype == np.int32
    assert set(contacts["mode"][contacts["body_b"] == 0]) == {st.ContactMode.SLIP}
    assert set(contacts["mode"][contacts["body_b"] == 1]) == {st.ContactMode.STICK}


def test_names_that_went():
    world = st.World()
    assert not hasattr(world, "add_static_heightfield")
    with pytest.raises(TypeError):
        world.add_sphere(radius=0.1, mass=1.0, spin=(0, 0, 1))
