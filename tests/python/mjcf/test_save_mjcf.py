# SPDX-License-Identifier: BSD-2-Clause
"""World.save_mjcf. Oracles: MuJoCo reads the file and finds the masses and forces of the world; add_mjcf reads it and moves alike."""

import warnings

import numpy as np
import pytest

import stiction as st
import written_worlds

mujoco = pytest.importorskip("mujoco")

NAMES = [
    "starleth", "quadruped", "anymal", "joints", "built", "brick_on_slope", "heavy_on_light", "rolling",
    "kitchen", "cart", "mesh_legacy", "mesh_exact", "machine", "two_files",
]  # fmt: skip


@pytest.fixture(scope="module")
def worlds(tmp_path_factory):
    return written_worlds.written_worlds(tmp_path_factory.mktemp("worlds"))


def save(world, path):
    """The file, and what is said of it: the warnings are the list that comes back."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        told = world.save_mjcf(path)
    assert [str(w.message) for w in caught] == ["save_mjcf: " + line for line in told]
    return told


def turning(sim):
    """d/dt of body axes: M dv/dt of ours is M (a − ω × v) of theirs, whose linear velocities lie in fixed axes."""
    out = np.zeros(sim.nv)
    for body in sim.bodies:
        q, at = body.q_slice, body.v_slice.start
        if q.stop - q.start == 7:
            v = np.array(sim.v[body.v_slice])
            out[at : at + 3] = -np.cross(v[3:], v[:3])
        elif st.convert._kind(sim, body) == "planar":
            v = np.array(sim.v[body.v_slice])
            out[at : at + 2] = v[2] * v[1], -v[2] * v[0]
    return out


def relative(ours, theirs):
    return np.abs(ours - theirs).max(initial=0.0) / max(np.abs(theirs).max(initial=0.0), 1e-3)


def largest_differences(sim, model, named=True, states=4):
    data, rng, worst = mujoco.MjData(model), np.random.default_rng(2), {}
    by = dict(model=model) if named else {}  # by names, or in our order
    for _ in range(states):
        qpos, qvel = np.array(model.qpos0), rng.standard_normal(model.nv)
        mujoco.mj_integratePos(model, qpos, rng.standard_normal(model.nv), 0.3)
        data.qpos[:], data.qvel[:], data.ctrl[:] = qpos, qvel, rng.standard_normal(model.nu)
        data.act[:] = rng.standard_normal(model.na)
        mujoco.mj_forward(model, data)
        sim.q, sim.v = st.convert.from_mujoco(sim, qpos, qvel, **by)
        sim.ctrl, sim.act = data.ctrl, data.act
        T = np.column_stack([st.convert.from_mujoco(sim, qpos, e, **by)[1] for e in np.eye(model.nv)])
        theirs = np.zeros((model.nv, model.nv))
        for i, unit in enumerate(np.eye(model.nv)):
            mujoco.mj_mulM(model, data, theirs[i], unit)
        ours, size = sim.mass_matrix(), np.sqrt(np.outer(np.diag(theirs), np.diag(theirs)))
        found = {
            "M": np.abs((T.T @ ours @ T - theirs) / size).max(initial=0.0),
            "bias": relative(T.T @ (sim.bias() + ours @ turning(sim)), data.qfrc_bias),
            "passive": relative(T.T @ sim.passive_forces(), data.qfrc_passive),
            "actuator": relative(T.T @ sim.joint_actuation(), data.qfrc_actuator),
        }
        worst = {key: max(worst.get(key, 0.0), value) for key, value in found.items()}
    return worst


@pytest.mark.parametrize("name", NAMES)
def test_mujoco_finds_the_same_masses_and_forces(name, worlds, tmp_path):
    save(worlds[name], tmp_path / "out.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "out.xml"))
    if name in ("machine", "two_files"):  # rows here, a part of M there
        assert model.tendon_armature[0] == 0.05
        model.tendon_armature[:] = 0.0
    worst = largest_differences(
        st.Simulator(worlds[name]), model, named=name != "two_files"
    )  # whose names had to be changed
    assert max(worst.values()) < 1e-10, worst


def test_the_wind_blows_alike(worlds, tmp_path):
    """MuJoCo with the file that was read and with the one that is written. (Our added mass of an ellipsoid is another quadrature.)"""
    save(worlds["wind"], tmp_path / "out.xml")
    (tmp_path / "in.xml").write_text(written_worlds.WIND)
    forces, rng = [], np.random.default_rng(3)
    states = [rng.standard_normal(9) for _ in range(5)]
    for name in ("in.xml", "out.xml"):
        model = mujoco.MjModel.from_xml_path(str(tmp_path / name))
        data = mujoco.MjData(model)
        for velocity in states:
            mujoco.mj_integratePos(model, data.qpos, velocity[: model.nv], 0.3)
            data.qvel[:] = velocity[: model.nv]
            mujoco.mj_forward(model, data)
            forces.append(np.array(data.qfrc_passive))
    assert np.abs(forces[0]).max() > 1e-3
    np.testing.assert_allclose(forces[:5], forces[5:], atol=1e-12)


@pytest.mark.parametrize("name", [*NAMES, "kapla", "wind"])
def test_read_back_it_moves_alike(name, worlds, tmp_path):
    """Names, start and 100 steps. Round-off alone is in between: of poses that became quaternions."""
    save(worlds[name], tmp_path / "out.xml")
    world = st.World()
    world.add_mjcf(tmp_path / "out.xml")
    one, two = (st.Simulator(w, dt=1e-3) for w in (worlds[name], world))
    if "start" in two.robots[0].keyframes:
        two.set_keyframe("start")
    for sim in (one, two):
        if len(sim.ctrl):
            sim.ctrl = np.linspace(-0.3, 0.4, len(sim.ctrl))
    assert [b.name for b in one.bodies if b.name in {o.name for o in two.bodies}], "names are kept"
    for _ in range(100):
        one.step(), two.step()
    theirs = {b.name: two.pose(b) for b in two.bodies}
    frames = [b for b in one.bodies if b.name in theirs and (name != "two_files" or b.name != "cart")]
    assert len(frames) >= len(one.bodies) - (3 if name == "two_files" else 1)
    tolerance = 1e-5 if name == "joints" else 1e-12  # a planar joint became three: other velocities are integrated
    for body in frames:
        np.testing.assert_allclose(one.pose(body)[0], theirs[body.name][0], atol=tolerance, err_msg=body.name)


def test_sensors_and_keyframes_are_kept(worlds, tmp_path):
    told = save(worlds["machine"], tmp_path / "out.xml")
    assert [line for line in told if "sensors" in line] == [], told
    world = st.World()
    world.add_mjcf(tmp_path / "out.xml")
    one, two = st.Simulator(worlds["machine"]), st.Simulator(world)
    one.set_keyframe("home"), two.set_keyframe("home")
    for ours, theirs in zip((one.q, one.v, one.ctrl, one.act), (two.q, two.v, two.ctrl, two.act), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-15)
    readings, again = one.sensors(), two.sensors()
    assert readings.keys() == again.keys() and len(readings) == 15
    for key, value in readings.items():
        np.testing.assert_allclose(again[key], value, atol=1e-6 if key in ("acc", "ft") else 1e-11, err_msg=key)


def test_contacts_are_the_same(worlds, tmp_path):
    """Filters, friction and margins: every pair of bodies pressed into one another has the same contacts with the same friction."""
    for name in ("machine", "built", "kitchen", "kapla"):
        save(worlds[name], tmp_path / f"{name}.xml")
        world = st.World()
        world.add_mjcf(tmp_path / f"{name}.xml")
        sims = [st.Simulator(w, dt=1e-3) for w in (worlds[name], world)]
        rng, seen = np.random.default_rng(0), 0
        for _ in range(20):
            q, d = sims[0].q.copy(), rng.standard_normal(sims[0].nv)
            q = sims[0].integrate(q, d * rng.choice([0.1, 0.5, 1.0]))
            found = []
            for sim in sims:
                sim.q, sim.v = q, np.zeros(sim.nv)
                found.append(sorted(float(m) for p in sim.problems() for m in p.mu if np.isfinite(m) and m > 0))
            assert found[0] == pytest.approx(found[1], abs=1e-12), name
            seen += len(found[0])
        assert seen > 20, name


def test_what_mjcf_cannot_say_is_told(tmp_path):
    world = st.World()
    world.add_ground(mu=0.5, restitution=0.4, mu_static=0.7)
    ball = world.add_sphere(0.1, 1.0, position=(0, 0, 1), name="ball", velocity=(1, 0, 0))
    world.add_contact_point(ball, offset=(0, 0, 0.2), bilateral=True, stiffness=100.0)
    told = save(world, tmp_path / "out.xml")
    for words in ("restitution", "static friction", "loops held by springs: hold ball", "keyframe 'start'"):
        assert sum(words in line for line in told) == 1, (words, told)


def test_it_is_refused_in_a_sentence(tmp_path):
    world = st.World()
    with pytest.raises(ValueError, match=r"path is '.*out.txt', expected a file that ends in .xml or .mjcf"):
        world.save_mjcf(tmp_path / "out.txt")
    with pytest.raises(ValueError, match=r"cannot write .*; give a folder that exists"):
        world.save_mjcf(tmp_path / "nowhere" / "out.xml")
    assert list(tmp_path.iterdir()) == []


def test_numbers_are_kept_to_the_last_bit(tmp_path):
    world, rng = st.World(), np.random.default_rng(1)
    for k in range(20):
        position, mass = rng.standard_normal(3) * 10.0 ** rng.integers(-8, 8), float(10.0 ** rng.uniform(-6, 6))
        world.add_sphere(0.1, mass, position=position, name=f"b{k}")
    save(world, tmp_path / "out.xml")
    again = st.World()
    again.add_mjcf(tmp_path / "out.xml")
    one, two = st.Simulator(world), st.Simulator(again)
    assert (one.q == two.q).all() and (one.mass_matrix() == two.mass_matrix()).all()


def test_names_that_mjcf_keeps_for_itself(tmp_path):
    """A body may be called world here (as the links of many robots are), and names hold what XML escapes."""
    world = st.World()
    world.add_sphere(0.1, 1.0, name="world")
    world.add_sphere(0.1, 1.0, position=(0, 0, 1), name='a <b> & "c"')
    told = save(world, tmp_path / "out.xml")
    assert told == ["renamed, since names of MJCF must differ: body world to world_2"]
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "out.xml"))
    assert [model.body(i).name for i in (1, 2)] == ["world_2", 'a <b> & "c"']
