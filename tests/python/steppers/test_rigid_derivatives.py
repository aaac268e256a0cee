# SPDX-License-Identifier: BSD-2-Clause
"""Derivatives of the rigid step. Oracle: central differences of the step itself, at solver tolerance 1e-12."""

import numpy as np
import pytest
from support.step_differences import error_of

import stiction as st

TIGHT = {"tolerance": 1e-12}
STEPPERS = ["semi_implicit", "moreau"]
LAWS = ["coulomb", "convex"]
BOTH = pytest.mark.parametrize("stepper", STEPPERS)
ALL = [pytest.mark.parametrize("law", LAWS), BOTH]


def over_all(test):
    for mark in ALL:
        test = mark(test)
    return test


def simulate(world, **settings):
    return st.Simulator(world, **({"dt": 1e-3, "solver_options": TIGHT} | settings))


def check(sim, tau=None, bar=1e-6, least=1e-3):
    error, d = error_of(sim, tau, least=least)
    assert error <= bar, (error, d.mode, d.border)
    assert d.exact
    return d


def scene(rng, kind):
    """One or two bodies that touch, deep enough that no difference crosses the dead band."""
    world = st.World()
    mu, depth = rng.uniform(0.1, 1.0), rng.uniform(1e-4, 1e-3)
    turn = rng.normal(size=4)
    turn /= np.linalg.norm(turn)
    if kind == "ball":
        world.add_ground(mu=mu)
        world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1 - depth), rotation=turn)
    elif kind == "balls":
        way = rng.normal(size=3)
        world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0), mu=mu)
        world.add_sphere(radius=0.15, mass=2.0, position=(0.25 - depth) * way / np.linalg.norm(way), mu=mu)
    elif kind == "corner":  # a box on one corner
        world.add_ground(mu=mu)
        world.add_box(size=(0.1, 0.2, 0.3), mass=1.0, rotation=turn)
    elif kind == "capsule":
        world.add_ground(mu=mu)
        tilted = np.array([0, 1, 0, 1]) + 0.002 * turn
        tilted /= np.linalg.norm(tilted)
        world.add_capsule(radius=0.1, length=0.3, mass=1.0, position=(0, 0, 0.1 - depth), rotation=tilted)
    else:  # ball on a box
        world.add_box(size=(0.3, 0.3, 0.1), mass=1.0, position=(0, 0, 0), mu=mu)
        world.add_sphere(radius=0.15, mass=2.0, position=(0.05, 0.02, 0.2 - depth), mu=mu)
    return world, kind, depth


def start(rng, made, **settings):
    world, kind, depth = made
    sim = simulate(world, **settings)
    if kind == "corner":
        x, y, z, w = sim.q[3:7]
        up = np.array([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)])
        sim.q[2] = np.abs(up) @ [0.05, 0.1, 0.15] - depth
    sim.v[:] = 0.5 * rng.normal(size=sim.nv)
    sim.v[sim.nv - 4] -= 0.5  # downwards
    return sim


@over_all
@pytest.mark.parametrize("kind", ["ball", "balls", "corner", "capsule", "ball on a box"])
def test_shapes(law, stepper, kind):
    modes = set()
    for seed in range(4):
        rng = np.random.default_rng(seed)
        d = check(start(rng, scene(rng, kind), law=law, stepper=stepper))
        modes |= set(d.mode)
    assert modes & {"stick", "slide"}


@over_all
def test_a_spinning_body_in_flight(law, stepper):
    world = st.World()
    world.add_box(size=(0.1, 0.2, 0.3), mass=1.0, position=(0, 0, 1))
    sim = simulate(world, law=law, stepper=stepper)
    sim.v[:] = [0.1, 0.2, 0.3, 30, 40, 50]
    check(sim)


def robot_state(name, rng, height=None, **settings):
    """A robot whose feet press into the ground, or in the air, in a random posture and motion."""
    world = st.World()
    world.add_ground(mu=0.7)
    st.robots.load(name, world)
    sim = simulate(world, **settings)
    nq, start_q = sim.nq - 7, sim.q.copy()
    sim.q[7:] = start_q[7:] + 0.05 * rng.normal(size=nq)
    sim.v[:] = 0.3 * rng.normal(size=sim.nv)
    sim.v[2] = -0.3
    sim.q[2] = 3.0
    if height is None:  # lowered until the deepest point is 0.3 mm under the ground
        low, high = 0.0, 3.0
        for _ in range(50):
            sim.q[2] = 0.5 * (low + high)
            other = sim.clone()
            other.step()
            deep = other.contacts()["gap"]
            deepest = deep.min() if len(deep) else 1.0
            low, high = (sim.q[2], high) if deepest < -3e-4 else (low, sim.q[2])
    return sim


@over_all
@pytest.mark.parametrize("name", ["anymal", "starleth"])
def test_robots(law, stepper, name):
    rng = np.random.default_rng(1)
    sim = robot_state(name, rng, law=law, stepper=stepper)
    d = check(sim, rng.normal(size=sim.ntau))
    assert set(d.mode) & {"stick", "slide"}


@BOTH
def test_a_robot_in_flight(stepper):
    rng = np.random.default_rng(2)
    sim = robot_state("anymal", rng, height=3.0, stepper=stepper)
    assert not sim.step_derivatives().mode
    check(sim, rng.normal(size=sim.ntau))


LINK = """<joint name="j{i}" type="revolute"><parent link="l{before}"/><child link="l{i}"/><axis xyz="{axis}"/>
<origin xyz="0.05 0.02 0.2" rpy="0.1 0.2 0.3"/><limit lower="-1" upper="1" effort="{effort}" velocity="100"/></joint>
<link name="l{i}"><inertial><origin xyz="0.01 0.02 0.1"/><mass value="0.8"/>
<inertia ixx="0.01" iyy="0.012" izz="0.005" ixy="0.001" ixz="0.0005" iyz="0"/></inertial></link>"""


def arm(effort=1000, **settings):
    links = "".join(
        LINK.format(i=i, before=i - 1, axis=("0 0 1", "0 1 0", "1 0 0")[i % 3], effort=effort) for i in range(1, 5)
    )
    world = st.World()
    robot = world.add_urdf_text(f'<robot name="arm"><link name="l0"/>{links}</robot>', fixed=True)
    return world, robot


@over_all
def test_motors_and_limits(law, stepper):
    rng = np.random.default_rng(3)
    world, _ = arm()
    sim = simulate(world, law=law, stepper=stepper)
    for gains in ({}, {"kp": 50.0, "kd": 2.0}, {"kp": 500.0, "kd": 20.0, "implicit": True}):
        sim.q[:], sim.v[:] = rng.uniform(-0.8, 0.8, 4), rng.normal(size=4)
        if gains:
            sim.set_pd(**gains)
            sim.step(target=rng.normal(size=4))
        check(sim, rng.normal(size=4))
    before, target, e = sim.hash(), 0.1 * rng.normal(size=4), 1e-5
    d = sim.step_derivatives(target=target)
    assert sim.hash() == before
    for j in range(4):
        up, down = sim.clone(), sim.clone()
        up.step(target=target + e * np.eye(4)[j])
        down.step(target=target - e * np.eye(4)[j])
        wanted = (up.v - down.v) / (2 * e)
        assert np.allclose(d.dtarget[4:, j], wanted, rtol=0, atol=1e-6 * np.abs(d.dtarget).max())
    sim.q[:], sim.v[:] = [0.2, -1.001, 1.002, 0.999], [1, -1, 2, 3]
    assert {"limit 1 stick", "limit 2 stick"} <= set(check(sim).mode)


def test_a_motor_at_its_limit():
    world, _ = arm(effort=2.0)
    sim = simulate(world)
    d = check(sim, np.array([3.0, 0.1, 0.2, -5.0]))
    assert not d.du[:, [0, 3]].any() and d.du[:, 1].any()
    at_limit = sim.step_derivatives([2.0, 0, 0, 0])
    assert [m for m, b in zip(at_limit.mode, at_limit.border, strict=True) if b] == ["motor 0 bound"]


@over_all
def test_dry_friction_of_joints(law, stepper):
    world, robot = arm()
    for i, friction in enumerate((50.0, 0.3, 0.3, 0.0), start=1):
        world.set_joint(robot, f"j{i}", dry_friction=friction, damping=0.1, armature=0.02)
    sim = simulate(world, law=law, stepper=stepper)
    sim.q[:], sim.v[:] = [0.2, 0.3, 0.1, -0.2], [0.0, 0.7, -0.5, 0.4]
    d = check(sim, np.array([0.1, 0.2, 0.3, 0.4]))
    assert d.mode == ["friction 0 stick", "friction 1 bound", "friction 2 bound"]


MJCF = """<mujoco><option gravity="0 0 -9.81"/><worldbody><geom type="plane" size="5 5 .1"/><body pos="0 0 .5">
<joint name="a" type="hinge" axis="0 1 0" damping=".1" stiffness="3" armature=".01"/>
<geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="1"/><body pos=".3 0 0">
<joint name="b" type="hinge" axis="0 1 0" damping=".05"/><geom type="capsule" fromto="0 0 0 .3 0 -.1" size=".03" mass=".5"/>
<body pos=".3 0 -.1"><joint name="c" type="slide" axis="1 0 .3"/><geom type="sphere" size=".04" mass=".5"/></body></body></body>
</worldbody><actuator><position joint="a" kp="{kp}" kv="2"/><motor joint="b" gear="3"/><velocity joint="c" kv="20"/></actuator>
</mujoco>"""


@BOTH
@pytest.mark.parametrize("kp", [100, 6000, 1e5])
def test_servos(tmp_path, stepper, kp):
    """Soft (explicit), within the ramp in which stiffness becomes implicit, and stiff."""
    path = tmp_path / "servos.xml"
    path.write_text(MJCF.format(kp=kp))
    world = st.World()
    world.add_mjcf(path)
    sim = simulate(world, stepper=stepper)
    sim.q[:], sim.v[:], sim.ctrl[:] = [0.2, 0.3, 0.05], [0.5, -0.4, 0.3], [0.3, 0.2, 0.1]
    d = check(sim, np.array([0.1, 0.2, 0.3]))
    assert d.dctrl.shape == (6, 3) and d.dctrl.any(axis=0).all()


@over_all
@pytest.mark.parametrize("kind", ["point", "weld", "hinge", "slider"])
@pytest.mark.parametrize("soft", [False, True])
def test_loops(law, stepper, kind, soft):
    rng = np.random.default_rng(5)
    world = st.World()
    a = world.add_box(size=(0.1, 0.2, 0.3), mass=1.0, position=(0, 0, 1))
    b = world.add_box(size=(0.1, 0.2, 0.1), mass=0.7, position=(0.3, 0, 1.1))
    spring = {"stiffness": 1e4, "damping": 10.0} if soft else {}
    world.add_loop(
        a, b, kind=kind, point_a=(0.2, 0.01, 0.02), point_b=(-0.101, 0.012, -0.082), axis=(0, 0.6, 0.8), **spring
    )
    sim = simulate(world, law=law, stepper=stepper)
    sim.v[:] = 0.5 * rng.normal(size=12)
    check(sim)


@over_all
def test_restitution(law, stepper):
    world = st.World()
    gap = -1e-4 if stepper == "moreau" else 1e-4
    world.add_ground(mu=0.5, restitution=0.5, restitution_tangential=0.1 if stepper == "moreau" else None)
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1 + gap), restitution=0.5)
    sim = simulate(world, law=law, stepper=stepper)
    sim.v[:] = [0.3, 0.1, -1.0, 0.5, 0.2, 1.0]
    check(sim)
    still = sim.clone()
    still.step()
    assert still.v[2] > 0.2, "it rebounds"


@BOTH
def test_a_box_on_more_points_than_it_needs(stepper):
    world = st.World()
    world.add_ground(mu=0.8)
    world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0.1 - 2e-4))
    sim = simulate(world, stepper=stepper)
    d = check(sim, least=1.0)  # all is held: zeros, beside the round-off of the solver
    assert d.mode == ["stick"] * 4 and d.velocity_unique


def test_grazing_is_flagged():
    """A ball that comes to touch exactly at the end of the step: zero force, zero gap velocity."""
    world = st.World()
    world.add_ground(mu=0.5)
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1))
    sim = simulate(world)
    sim.v[:] = [0.3, 0, 9.81e-3, 0, 0, 0]  # weight takes just this
    d = sim.step_derivatives()
    assert d.border == [True]
    sim.v[2] = 0.02
    assert not any(sim.step_derivatives().border)
    sim.v[2] = -0.1
    d = sim.step_derivatives()
    assert d.mode == ["slide"] and d.border == [False]


def test_the_state_is_not_changed():
    sim = robot_state("anymal", np.random.default_rng(4))
    before, contacts = sim.hash(), sim.contacts()["gap"].copy()
    first, second = sim.step_derivatives(), sim.step_derivatives()
    assert sim.hash() == before and np.array_equal(sim.contacts()["gap"], contacts)
    assert np.array_equal(first.dx, second.dx)


def ground(**settings):
    world = st.World()
    world.add_ground()
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1))
    return simulate(world, **settings)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"law": "pyramid"}, "take 'coulomb' or 'convex'"),
        ({"law": "raisim", "solver_options": {}}, "take 'coulomb' or 'convex'"),
        ({"stepper": "stewart_trinkle", "solver_options": {}}, "take 'semi_implicit' or 'moreau'"),
        ({"stepper": "moreau", "stepper_options": {"project": True}}, "take stabilise=True"),
        ({"stepper": "moreau", "stepper_options": {"energy_balance": True}}, "leave it away"),
        ({"stepper": "moreau", "stepper_options": {"rounds": 2}}, "take rounds=1"),
    ],
)
def test_what_has_no_derivative_is_refused(settings, said):
    with pytest.raises(ValueError, match="step_derivatives") as refused:
        ground(**settings).step_derivatives()
    assert said in str(refused.value)
