# SPDX-License-Identifier: BSD-2-Clause
"""add_mjcf and the converters. Oracle: MuJoCo compiles the same files; masses, inertias, joints, limits, poses and velocities agree."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import mjcf_models
import stiction as st

mujoco = pytest.importorskip("mujoco")

OWN = ["kitchen", "cart", "mesh_legacy", "mesh_exact", "mesh_convex"]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return mjcf_models.write(tmp_path_factory.mktemp("mjcf"))


def gymnasium_files():
    """The MJCF robots that the wheel of Gymnasium brings; read where they are, never copied."""
    spec = importlib.util.find_spec("gymnasium")
    if spec is None or spec.origin is None:
        return []
    return sorted((Path(spec.origin).parent / "envs" / "mujoco" / "assets").glob("*.xml"))


def both(path):
    world = st.World()
    robot = world.add_mjcf(path)
    world.gravity = (0, 0, -9.81)
    return world, robot, st.Simulator(world), mujoco.MjModel.from_xml_path(str(path))


def compare_masses(sim, model, qpos, relative=1e-10):
    """The joint-space inertia holds every mass, centre and inertia, armature included; q and v differ only in the base."""
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_forward(model, data)
    theirs = np.zeros((model.nv, model.nv))
    for i in range(model.nv):  # column by column: M e_i, in MuJoCo's velocities
        unit, column = np.zeros(model.nv), np.zeros(model.nv)
        unit[i] = 1.0
        mujoco.mj_mulM(model, data, column, unit)
        theirs[:, i] = column
    sim.q, sim.v = st.convert.from_mujoco(sim, qpos, model=model)
    ours = sim.mass_matrix()
    # v_ours = T qvel
    T = np.column_stack(
        [st.convert.from_mujoco(sim, qpos, np.eye(model.nv)[i], model=model)[1] for i in range(model.nv)]
    )
    scale = np.sqrt(np.outer(np.diag(theirs), np.diag(theirs)))
    assert np.abs((T.T @ ours @ T - theirs) / scale).max() < relative


def random_state(model, rng):
    qpos = np.array(model.qpos0)
    velocity = rng.standard_normal(model.nv)
    mujoco.mj_integratePos(model, qpos, velocity, 0.7)
    return qpos, rng.standard_normal(model.nv)


def compare_motion(sim, model, rng):
    """Poses of bodies and velocities of their origins at a random state."""
    qpos, qvel = random_state(model, rng)
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = qpos, qvel
    mujoco.mj_forward(model, data)
    sim.q, sim.v = st.convert.from_mujoco(sim, qpos, qvel, model=model)
    for body in range(1, model.nbody):
        name = model.body(body).name
        if not name or name not in sim.robots[0].frames:
            continue
        position, quaternion = sim.frame_pose(name)
        assert np.abs(position - data.xpos[body]).max() < 1e-12
        theirs = data.xquat[body][[1, 2, 3, 0]]
        assert min(np.abs(quaternion - theirs).max(), np.abs(quaternion + theirs).max()) < 1e-12
        velocity = np.zeros(6)
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, body, velocity, 0)  # angular first
        assert np.abs(sim.frame_velocity(name) - velocity[[3, 4, 5, 0, 1, 2]]).max() < 1e-12
    back = st.convert.to_mujoco(sim, model=model)
    again = st.convert.from_mujoco(sim, *back, model=model)
    assert np.abs(again[0] - sim.q).max() < 1e-14 and np.abs(back[1] - qvel).max() < 1e-13
    return qpos


def compare_joints(world, model):
    described = world.describe()
    for body in described["bodies"]:
        if body["joint"] == "free":
            continue
        joint = model.joint(body["joint_name"])
        v, address = body["v"], joint.dofadr[0]
        assert described["armature"][v] == pytest.approx(model.dof_armature[address], rel=1e-12)
        assert described["damping"][v] == pytest.approx(np.ravel(model.dof_damping[address])[0], rel=1e-12)
        assert described["dry_friction"][v] == pytest.approx(model.dof_frictionloss[address], rel=1e-12)
        if body["joint"] != "spherical":
            lower, upper = joint.range if joint.limited[0] else (-np.inf, np.inf)
            assert (described["lower"][v], described["upper"][v]) == pytest.approx((lower, upper), rel=1e-12)
            start = np.clip(model.qpos0[joint.qposadr[0]], lower, upper)
            assert described["q0"][body["q"]] == pytest.approx(start, rel=1e-12, abs=1e-15)


def total_mass(model):
    """Of what moves: bodies welded to the world do not count here."""
    return sum(model.body_mass[i] for i in range(1, model.nbody) if model.body_weldid[i] != 0)


@pytest.mark.parametrize("name", OWN)
def test_our_models(name, files):
    world, _robot, sim, model = both(files[name])
    assert sim.nv == model.nv and len(sim.bodies) == model.njnt
    relative = 2e-6 if "mesh" in name else 1e-10  # MuJoCo keeps the corners of meshes in single precision
    assert sim.mass == pytest.approx(total_mass(model), rel=relative)
    rng = np.random.default_rng(3)
    for _ in range(3):
        compare_masses(sim, model, compare_motion(sim, model, rng), relative)
    compare_joints(world, model)


def test_gymnasium_robots():
    """Every model of the wheel loads, or says in one sentence why not, and moves as MuJoCo's."""
    paths = gymnasium_files()
    if not paths:
        pytest.skip("gymnasium is not installed")
    loaded = []
    for path in paths:
        try:
            world, _, sim, model = both(path)
        except st.InvalidInput as error:
            assert path.name in str(error), "a refusal names the file"
            continue
        loaded.append(path.stem)
        assert sim.nv == model.nv and sim.mass == pytest.approx(total_mass(model), rel=1e-9), path.name
        rng = np.random.default_rng(5)
        compare_masses(sim, model, compare_motion(sim, model, rng))
        compare_joints(world, model)
    assert {"ant", "humanoid", "hopper", "walker2d", "half_cheetah", "swimmer", "reacher"} <= set(loaded)


def test_names_and_order_are_those_of_mujoco(files):
    _, robot, sim, model = both(files["kitchen"])
    ours = [name for name in robot.joint_names]
    assert ours == [model.joint(i).name for i in range(model.njnt) if model.jnt_type[i] != 0]
    assert [f for f in robot.frames] == [model.body(i).name for i in range(1, model.nbody)]
    qpos, qvel = st.convert.to_mujoco(sim)
    np.testing.assert_allclose(st.convert.to_mujoco(sim, model=model)[0], qpos)  # the file's order is ours
    np.testing.assert_allclose(qpos, np.clip(model.qpos0, -10, 10), atol=1e-14)
    assert qvel.shape == (model.nv,)


def test_several_robots_and_free_bodies(files):
    """Two files and a ball: MuJoCo's model of all of them, put together by its own attach."""
    world = st.World()
    world.add_mjcf(files["cart"], name="cart")
    ball = world.add_sphere(radius=0.1, mass=1.0, name="ball", position=(0, 3, 1))
    world.add_mjcf(files["mesh_exact"], name="meshed")
    sim = st.Simulator(world)
    whole = mujoco.MjSpec()
    whole.compiler.degree = False
    for name in ("cart", "mesh_exact"):
        frame = whole.worldbody.add_frame()
        frame.attach_body(mujoco.MjSpec.from_file(str(files[name])).worldbody.first_body(), "", "")
    body = whole.worldbody.add_body(name="ball", pos=(0, 3, 1))
    body.add_freejoint()
    body.add_geom(size=(0.1, 0, 0))
    model = whole.compile()
    rng = np.random.default_rng(1)
    qpos, qvel = random_state(model, rng)
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = qpos, qvel
    mujoco.mj_forward(model, data)
    sim.q, sim.v = st.convert.from_mujoco(sim, qpos, qvel, model=model)
    for name in ("cart", "pole", "a", "b"):
        np.testing.assert_allclose(sim.frame_pose(name)[0], data.body(name).xpos, atol=1e-12)
    np.testing.assert_allclose(sim.pose(ball)[0], data.body("ball").xpos, atol=1e-12)
    back = st.convert.to_mujoco(sim, model=model)
    np.testing.assert_allclose(back[1], qvel, atol=1e-13)


def test_continuous_joints_become_angles():
    """Oracle: cos and sin of the angle; MuJoCo reads the same URDF with an unlimited hinge."""
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    text = f"""<robot name="r"><link name="base"/>
      <link name="a">{inertial}</link><link name="b">{inertial}</link>
      <joint name="turn" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/><origin xyz="0 0 1"/></joint>
      <joint name="lift" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/></joint></robot>"""
    world = st.World()
    world.add_urdf_text(text, fixed=True)
    sim = st.Simulator(world)
    q, v = st.convert.from_mujoco(sim, [2.5, 0.3], [1.0, -2.0])
    np.testing.assert_allclose(q, [np.cos(2.5), np.sin(2.5), 0.3])
    np.testing.assert_allclose(v, [1.0, -2.0])
    np.testing.assert_allclose(st.convert.to_mujoco(sim, q, v)[0], [2.5, 0.3])
    model = mujoco.MjModel.from_xml_string(text)
    np.testing.assert_allclose(st.convert.from_mujoco(sim, [2.5, 0.3], model=model)[0], q)


def test_bad_conversions_are_refused(files):
    _, _, sim, _ = both(files["cart"])
    with pytest.raises(ValueError, match=r"from_mujoco.qpos has shape \(3,\), expected \(2,\)"):
        st.convert.from_mujoco(sim, [0, 0, 0])
    with pytest.raises(ValueError, match="has no joint 'slide'"):
        st.convert.from_mujoco(sim, [0, 0], model=mujoco.MjModel.from_xml_path(str(files["mesh_exact"])))


def test_keyframes_are_starts(files):
    _, _, sim, model = both(files["cart"])
    keys = st.convert.keyframes(files["cart"])
    sim.q, sim.v = st.convert.from_mujoco(sim, keys["up"], model=model)
    np.testing.assert_allclose(sim.q, [0.3, -0.4])


def test_friction_is_mujocos_within_the_file(files):
    """Oracle: the coefficients of MuJoCo's contacts with the floor: the larger of the two, 1.4 at the foot and 0.9 at the shin."""
    _, _, sim, model = both(files["kitchen"])
    data = mujoco.MjData(model)
    data.qpos[2] = 0.35
    mujoco.mj_forward(model, data)
    theirs = {
        float(c.friction[0]) for c in data.contact if "floor" in (model.geom(c.geom1).name, model.geom(c.geom2).name)
    }
    sim.q, sim.v = st.convert.from_mujoco(sim, data.qpos, model=model)
    ours = {float(mu) for problem in sim.problems() for mu in problem.mu if mu > 0.0}  # other rows have none
    assert sorted(ours) == pytest.approx(sorted(theirs)) and max(ours) == pytest.approx(1.4) and len(ours) == 2


def test_worlds_in_which_nothing_moves_convert():
    world = st.World()
    world.add_ground()
    sim = st.Simulator(world)
    assert [x.size for x in (*st.convert.to_mujoco(sim), *st.convert.from_mujoco(sim, []))] == [0, 0, 0, 0]
