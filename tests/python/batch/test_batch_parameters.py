# SPDX-License-Identifier: BSD-2-Clause
"""batch.parameters. Oracle: simulators of worlds that were built with these values, bit for bit; a batch whose parameters nobody touched."""

import copy
import pickle
import tempfile
from pathlib import Path

import numpy as np
import pytest

import stiction as st
from batch_worlds import anymal, hashes

ROBOT = """<robot name="r">
 <link name="trunk"><inertial><origin xyz="{cx} 0 0"/><mass value="{mass}"/><inertia ixx="{ixx}" iyy="0.06" izz="0.08" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><geometry><box size="0.4 0.2 0.1"/></geometry></collision></link>
 <link name="left"><inertial><origin xyz="0 0 -0.1"/><mass value="{leg}"/><inertia ixx="0.004" iyy="0.004" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><origin xyz="0 0 -0.2"/><geometry><sphere radius="0.03"/></geometry></collision></link>
 <link name="right"><inertial><origin xyz="0 0 -0.1"/><mass value="0.5"/><inertia ixx="0.004" iyy="0.004" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><origin xyz="0 0 -0.2"/><geometry><sphere radius="0.03"/></geometry></collision></link>
 <joint name="l" type="revolute"><parent link="trunk"/><child link="left"/><origin xyz="0 0.15 0"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="{effort}" velocity="9"/>
  <dynamics damping="{damping}"/></joint>
 <joint name="r" type="revolute"><parent link="trunk"/><child link="right"/><origin xyz="0 -0.15 0"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="30" velocity="9"/></joint>
</robot>"""
PLAIN = {"cx": 0.0, "mass": 3.0, "ixx": 0.03, "leg": 0.5, "effort": 30.0, "damping": 0.2}


def world_of(
    mu=0.6,
    restitution=0.0,
    stiffness=None,
    contact_damping=None,
    gravity=(0, 0, -9.81),
    armature=0.01,
    ball_mass=0.4,
    ball_inertia=None,
    **robot,
):
    world = st.World()
    world.gravity = gravity
    world.add_material("rubber")
    world.add_ground(material="rubber")
    world.set_material_pair(
        "rubber", "rubber", mu=mu, restitution=restitution, stiffness=stiffness, damping=contact_damping
    )
    made = world.add_urdf_text(ROBOT.format(**{**PLAIN, **robot}), position=(0, 0, 0.3), material="rubber")
    for joint in ("l", "r"):
        world.set_joint(made, joint, armature=armature)
    ball = {} if ball_inertia is None else {"inertia": ball_inertia}
    world.add_box(
        (0.1, 0.12, 0.14),
        ball_mass,
        position=(0.6, 0, 0.3),
        angular_velocity=(3, 1, 2),
        material="rubber",
        name="ball",
        **ball,
    )
    return world


def simulator(**values):
    sim = st.Simulator(world_of(**values), dt=4e-3)
    sim.set_pd(20.0, 0.3)
    return sim


def bodies(sim):
    return [body.name for body in sim.bodies]


def pair(batch):
    return batch.parameters.columns("mu").index("rubber/rubber")


CASES = {
    "gravity": (dict(gravity=(0.5, 0, -3.7)), lambda p, b: p["gravity"].__setitem__(1, (0.5, 0, -3.7))),
    "mass": (dict(mass=4.5, leg=0.8), lambda p, b: p["mass"].__setitem__((1, [b["trunk"], b["left"]]), (4.5, 0.8))),
    "com": (dict(cx=0.07), lambda p, b: p["com"].__setitem__((1, b["trunk"], 0), 0.07)),
    "inertia": (dict(ixx=0.05), lambda p, b: p["inertia"].__setitem__((1, b["trunk"], 0, 0), 0.05)),
    "mu": (dict(mu=0.1), lambda p, b: p["mu"].__setitem__((1, b["pair"]), 0.1)),
    "restitution": (dict(restitution=0.5), lambda p, b: p["restitution"].__setitem__((1, b["pair"]), 0.5)),
    "contact_stiffness": (
        dict(stiffness=2e3, contact_damping=30.0),
        lambda p, b: (
            p["contact_stiffness"].__setitem__((1, b["pair"]), 2e3),
            p["contact_damping"].__setitem__((1, b["pair"]), 30.0),
        ),
    ),
    "joint_damping": (dict(damping=1.5), lambda p, b: p["joint_damping"].__setitem__((1, 6), 1.5)),
    "armature": (dict(armature=0.05), lambda p, b: p["armature"].__setitem__((1, [6, 7]), 0.05)),
    "effort_limit": (dict(effort=0.5), lambda p, b: p["effort_limit"].__setitem__((1, 6), 0.5)),
    "free body": (
        dict(ball_mass=0.9, ball_inertia=np.diag([0.002, 0.003, 0.004])),
        lambda p, b: (
            p["mass"].__setitem__((1, b["ball"]), 0.9),
            p["inertia"].__setitem__((1, b["ball"]), np.diag([0.002, 0.003, 0.004])),
        ),
    ),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("threads", [1, 2])
def test_an_environment_is_a_simulator_of_a_world_with_these_values(case, threads):
    values, write = CASES[case]
    plain, varied = simulator(), simulator(**values)
    batch = st.BatchSimulator(plain, 3, threads)
    places = {name: i for i, name in enumerate(bodies(plain))}
    write(batch.parameters, {**places, "pair": pair(batch)})
    target = np.array([0.4, -0.3])
    for _ in range(40):
        batch.step(target=target, n=5)
        for sim in (plain, varied):
            sim.step(target=target, n=5)
    for i, sim in enumerate((plain, varied, plain)):
        assert np.array_equal(batch.q[i], sim.q) and np.array_equal(batch.v[i], sim.v), f"environment {i}"
    assert not np.array_equal(plain.q, varied.q), "the value plays no part in this motion"


MOTORS = """<mujoco><option timestep="0.004"/><worldbody><geom type="plane" size="1 1 1"/>
 <body pos="0 0 1"><joint name="j" axis="0 1 0" damping="0.1"/><geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.03" mass="1"/></body></worldbody>
 <actuator><position name="servo" joint="j" kp="{kp}" kv="{kv}" forcerange="-{limit} {limit}"/></actuator></mujoco>"""


def servo(kp=40, kv=2, limit=5):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "servo.xml"
        path.write_text(MOTORS.format(kp=kp, kv=kv, limit=limit))
        world = st.World()
        world.add_mjcf(path)
    return st.Simulator(world)


def test_motors():
    batch = st.BatchSimulator(servo(), 3, 1)
    assert batch.parameters.columns("motor_strength") == ["servo"]
    batch.parameters["motor_strength"][1] = 0.5
    batch.parameters["actuator_gain"][2] = [[60, 0, 0]]
    batch.parameters["actuator_bias"][2] = [[0, -60, -3]]
    alone = [servo(), servo(kp=20, kv=1, limit=2.5), servo(kp=60, kv=3)]
    for _ in range(3):
        batch.step(ctrl=[0.7], n=50)
        for sim in alone:
            sim.ctrl = [0.7]
            sim.step(n=50)
    for i, sim in enumerate(alone):
        assert np.array_equal(batch.q[i], sim.q) and np.array_equal(batch.v[i], sim.v), i
    assert len({q.tobytes() for q in batch.q}) == 3


def varied_batch(n=8, threads=2):
    batch = st.BatchSimulator(anymal(), n, threads)
    random = np.random.default_rng(0)
    batch.parameters["mass"][:] *= random.uniform(0.8, 1.2, (n, 1))
    batch.parameters["mu"] = random.uniform(0.2, 1.0, (n, 1))
    batch.parameters["com"][:, 0] += random.uniform(-0.02, 0.02, (n, 3))
    batch.parameters["armature"][:, 6:] = random.uniform(0.0, 0.1, (n, 12))
    batch.reset(noise=0.05, seed=1)
    return batch


def test_place_threads_and_order_play_no_part():
    first, second = varied_batch(threads=1), varied_batch(threads=2)
    order = np.random.default_rng(5).permutation(8)
    for name in second.parameters.varied:
        second.parameters[name] = np.array(second.parameters[name])[order]
    second.q, second.v = second.q[order], second.v[order]
    for batch in (first, second):
        batch.step(n=40)
    assert hashes(second) == [hashes(first)[i] for i in order]
    assert len(set(hashes(first))) == 8


def test_what_nobody_asked_for_changes_nothing():
    plain, asked = st.BatchSimulator(anymal(), 4, 2), st.BatchSimulator(anymal(), 4, 2)
    assert (
        list(asked.parameters) == asked.parameters.keys() and "mu" in asked.parameters and "nu" not in asked.parameters
    )
    assert plain.parameters.varied == []
    blob = plain.save()
    for name in asked.parameters:
        if asked.ctrl.shape[1] or ("actuator" not in name and "motor" not in name):
            asked.parameters[name]
    for batch in (plain, asked):
        batch.reset(noise=0.1, seed=3)
        batch.step(n=30)
    assert np.array_equal(plain.q, asked.q) and np.array_equal(plain.v, asked.v)
    plain.restore(blob)


@pytest.mark.parametrize("copied", ["restore", copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_saved_with_the_state(copied):
    batch = varied_batch()
    batch.step(n=10)
    if copied == "restore":
        other = st.BatchSimulator(anymal(), 8, 1)
        other.restore(batch.save())
    else:
        other = copied(batch)
    assert other.hash() == batch.hash() and other.parameters.varied == ["mass", "com", "mu", "armature"]
    for x in (batch, other):
        x.step(n=20)
        x.reset([2], noise=0.05)
        x.step(n=5)
    assert other.hash() == batch.hash()
    fresh = st.BatchSimulator(anymal(), 8, 1)
    start = fresh.save()
    values = np.array(batch.parameters["mass"])
    batch.restore(start, mask=[3])
    assert not np.array_equal(values[3], batch.parameters["mass"][3]), (
        "a blob without parameters has those of the world"
    )
    assert np.array_equal(np.delete(values, 3, axis=0), np.delete(np.array(batch.parameters["mass"]), 3, axis=0))


def test_one_environment_takes_its_parameters_along():
    batch = varied_batch()
    batch.step(n=10)
    one = batch[3]
    assert one.mass == pytest.approx(np.array(batch.parameters["mass"])[3].sum()) != pytest.approx(anymal().mass)
    again = pickle.loads(pickle.dumps(one))
    batch.step(n=20)
    for sim in (one, again):
        sim.step(n=20)
        assert np.array_equal(sim.q, batch.q[3]) and np.array_equal(sim.v, batch.v[3])
    batch[3] = one
    with pytest.raises(st.InvalidInput, match="another world"):
        batch[4] = one


def test_measured_bodies_have_them():
    batch = st.BatchSimulator(anymal(), 2, 1)
    batch.watch(bodies=True)
    before = np.array(batch.body_centres)
    batch.parameters["com"][1, 0] += (0.1, 0.0, 0.0)
    batch.measure()
    moved = np.array(batch.body_centres) - before
    assert np.abs(moved[0]).max() == 0.0 and np.allclose(moved[1, 0], (0.1, 0, 0), atol=1e-12)


WRONG = {
    "negative mu": (lambda p: p["mu"].__setitem__(2, -0.1), r"parameters['mu'][0] is -0.1, expected a number >= 0"),
    "no number": (lambda p: p["mass"].__setitem__((2, 0), np.nan), "parameters['mass'][0] is nan"),
    "no mass": (lambda p: p["mass"].__setitem__((2, 0), 0.0), "parameters['mass'][0] is 0"),
    "bouncing": (lambda p: p["restitution"].__setitem__(2, 1.5), "parameters['restitution'][0] is 1.5, expected 0 to 1"),
    "softness": (lambda p: p["contact_stiffness"].__setitem__(2, 0.0), "parameters['contact_stiffness'][0] is 0, expected a number > 0"),
    "damping": (lambda p: p["contact_damping"].__setitem__(2, np.nan), "parameters['contact_damping'][0] is nan"),
    "inertia": (lambda p: p["inertia"].__setitem__((2, 0, 0, 0), -1.0), "parameters['inertia'][0]"),
    "not symmetric": (lambda p: p["inertia"].__setitem__((2, 0, 0, 1), 0.5), "parameters['inertia'][0]"),
    "gravity": (lambda p: p["gravity"].__setitem__((2, 0), np.inf), "parameters['gravity'][0] is inf"),
    "static friction": (lambda p: p["mu_static"].__setitem__(2, 0.9), "no difference between mu and mu_static"),
    "effort": (lambda p: p["effort_limit"].__setitem__((2, 8), -1.0), "parameters['effort_limit'][8] is -1"),
    "damping of the base": (lambda p: p["joint_damping"].__setitem__((2, 0), 1.0), "damping of a floating base"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_a_value_out_of_bounds_concerns_its_environment_alone(case):
    write, words = WRONG[case]
    healthy, harmed = (st.BatchSimulator(anymal(), 5, 2) for _ in range(2))
    write(harmed.parameters)
    healthy.step(n=5)
    report = harmed.step(n=5)
    assert np.flatnonzero(report.failed).tolist() == [2] and words in report.refused[2], report.refused
    assert np.array_equal(np.delete(healthy.q, 2, axis=0), np.delete(harmed.q, 2, axis=0)) and harmed.time[2] == 0.0


def test_names_shapes_and_settings_that_cannot_be():
    batch = st.BatchSimulator(anymal(), 2, 1)
    before = batch.save()
    with pytest.raises(st.InvalidInput, match="unknown parameter 'mas'; did you mean 'mass'"):
        batch.parameters["mas"]
    with pytest.raises(st.InvalidInput, match=r"parameters\['mass'\]: could not broadcast"):
        batch.parameters["mass"] = np.ones((3, 2))
    with pytest.raises(st.InvalidInput, match="this world has nothing of the kind"):
        batch.parameters["motor_strength"]
    assert np.array_equal(
        np.array(st.BatchSimulator(anymal(), 2, 1).parameters["mass"]), np.array(batch.parameters["mass"])
    )
    soft = st.BatchSimulator(anymal(law="compliant"), 2, 1)
    with pytest.raises(st.InvalidInput, match="parameters vary with the stepper 'semi_implicit'"):
        soft.parameters["mu"]
    cut = st.BatchSimulator(anymal(coordinates="maximal"), 2, 1)
    with pytest.raises(st.InvalidInput, match="coordinates='minimal'"):
        cut.parameters["mu"]
    assert isinstance(before, bytes) and "friction of each pair" in repr(batch.parameters)
    ball = st.World()
    ball.add_sphere(0.1, 1.0)
    free = st.BatchSimulator(st.Simulator(ball), 2, 1)
    free.parameters["com"][1, 0, 0] = 0.01
    assert "frame of a free body" in free.step().refused[1]


def test_a_view_outlives_its_batch():
    values = st.BatchSimulator(anymal(), 2, 1).parameters["mu"]
    assert values.shape[0] == 2 and (np.asarray(values) >= 0).all()


def test_a_damaged_blob_is_refused():
    batch = varied_batch()
    blob = bytearray(batch.save())
    for place in range(20, len(blob), 211):
        damaged = bytearray(blob)
        damaged[place] ^= 0x5A
        with pytest.raises(st.InvalidInput, match="blob"):
            batch.restore(bytes(damaged))
    assert batch.save() == bytes(blob)
