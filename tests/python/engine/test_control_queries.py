# SPDX-License-Identifier: BSD-2-Clause
"""What controllers ask of the dynamics, against Pinocchio.

Oracle: Pinocchio on the same file and the same random states: classical frame accelerations at zero joint acceleration
(world axes at the frame's origin), frame velocities, centre of mass (Jacobian and acceleration), and difference,
integrate, interpolate of configurations. Everything agrees to 1e-12 relative to the largest entry.
"""

import itertools

import numpy as np
import pytest

import stiction as st

pin = pytest.importorskip("pinocchio", reason="pip install pin==4.1.0")

TOLERANCE = 1e-12
STATES = 50
WORLD = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED

INERTIA = '<inertial><origin xyz="{c}"/><mass value="{m}"/><inertia ixx=".02" ixy="0" ixz="0" iyy=".03" iyz="0" izz=".04"/></inertial>'
# every joint that a URDF can name: planar, continuous, prismatic, revolute about a skew axis, fixed
TREE = (
    "<robot name='tree'>"
    + "".join(
        f"<link name='{name}'>{INERTIA.format(c=c, m=m)}</link>"
        for name, c, m in (
            ("trunk", "0 .1 0", 2.0),
            ("slab", ".1 0 .1", 1.0),
            ("bird", "0 .2 0", 0.5),
            ("wheel", "0 0 .1", 0.7),
            ("cart", ".3 0 0", 0.4),
            ("arm", "0 0 .2", 0.6),
            ("hand", "0 0 .05", 0.2),
        )
    )
    + "".join(
        f"<joint name='{child}_joint' type='{kind}'><parent link='{parent}'/><child link='{child}'/>"
        f"<origin xyz='.1 .2 .3' rpy='.3 -.2 .5'/><axis xyz='{axis}'/><limit lower='-9' upper='9' effort='9' velocity='9'/></joint>"
        for kind, parent, child, axis in (
            ("planar", "trunk", "slab", "0 0 1"),
            ("continuous", "slab", "bird", "1 0 0"),
            ("continuous", "trunk", "wheel", "0 1 0"),
            ("prismatic", "wheel", "cart", "0 0 1"),
            ("revolute", "cart", "arm", ".6 0 .8"),
            ("fixed", "arm", "hand", "1 0 0"),
        )
    )
    + "</robot>"
)


BALL = """<mujoco><worldbody><body name="base"><freejoint/><geom type="box" size=".1 .2 .3" mass="2"/>
  <body name="arm" pos=".3 0 .1" quat=".8 .6 0 0"><joint name="shoulder" type="ball"/><geom type="capsule" fromto="0 0 0 0 0 .4" size=".03" mass="1"/>
  <body name="hand" pos="0 0 .4"><joint name="wrist" type="ball"/><geom type="box" size=".05 .05 .02" pos=".05 0 0" mass=".3"/></body></body></body></worldbody></mujoco>"""


def load(name, tmp_path):
    """Our simulator and Pinocchio's model of one robot."""
    if name == "ball":
        path = tmp_path / "ball.xml"
        path.write_text(BALL)
        world = st.World()
        robot = world.add_mjcf(path)
        return st.Simulator(world), robot, pin.buildModelFromMJCF(str(path))
    path = tmp_path / "tree.urdf" if name == "tree" else st.robots.paths()[name]
    if name == "tree":
        path.write_text(TREE)
    world = st.World()
    robot = world.add_urdf(path)
    return st.Simulator(world), robot, pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())


def relative(ours, oracle):
    return np.abs(ours - oracle).max() / max(1e-30, np.abs(oracle).max())


@pytest.fixture(params=["tree", "ball", "solo12", "romeo_small", "anymal_prim"])
def pair(request, tmp_path):
    if request.param not in ("tree", "ball") and request.param not in st.robots.paths():
        pytest.skip("pip install example-robot-data==6.0.0")
    return load(request.param, tmp_path)


def states(model, seed=3):
    rng = np.random.default_rng(seed)
    for _ in range(STATES):
        q = pin.integrate(model, pin.neutral(model), rng.uniform(-1.5, 1.5, model.nv))
        yield q, rng.uniform(-2.0, 2.0, model.nv)


def test_accelerations_at_constant_v(pair):
    sim, robot, model = pair
    data, worst = model.createData(), {}
    for q, v in states(model):
        sim.q[:], sim.v[:] = q, v
        zero = np.zeros(model.nv)
        pin.forwardKinematics(model, data, q, v, zero)
        pin.updateFramePlacements(model, data)
        pin.centerOfMass(model, data, q, v, zero)  # acom without gravity
        compare = {"com_drift": (sim.com_drift(), data.acom[0].copy())}
        compare["com_jacobian"] = (sim.com_jacobian(), pin.jacobianCenterOfMass(model, data, q))
        pin.forwardKinematics(model, data, q, v, zero)
        pin.updateFramePlacements(model, data)
        for name in robot.frames:
            frame = model.getFrameId(name)
            oracle = pin.getFrameClassicalAcceleration(model, data, frame, WORLD).vector
            compare[f"drift {name}"] = (sim.frame_drift(name), oracle)
            compare[f"velocity {name}"] = (
                sim.frame_velocity(name),
                pin.getFrameVelocity(model, data, frame, WORLD).vector,
            )
        for key, (ours, oracle) in compare.items():
            worst[key] = max(worst.get(key, 0.0), np.abs(ours - oracle).max() / max(1.0, np.abs(oracle).max()))
    assert max(worst.values()) <= TOLERANCE, worst
    assert sim.mass == pytest.approx(pin.computeTotalMass(model), rel=1e-14)


def test_configurations_on_their_manifold(pair):
    sim, _, model = pair
    worst = dict(difference=0.0, integrate=0.0, interpolate=0.0, back=0.0)
    listed = list(states(model, seed=5))
    for (q0, d), (q1, _) in itertools.pairwise(listed):
        worst["difference"] = max(worst["difference"], relative(sim.difference(q0, q1), pin.difference(model, q0, q1)))
        worst["integrate"] = max(worst["integrate"], same(model, sim.integrate(q0, d), pin.integrate(model, q0, d)))
        worst["interpolate"] = max(
            worst["interpolate"], same(model, sim.interpolate(q0, q1, 0.3), pin.interpolate(model, q0, q1, 0.3))
        )
        worst["back"] = max(worst["back"], same(model, sim.interpolate(q0, q1, 1.0), q1))
    assert max(worst.values()) <= TOLERANCE, worst


def same(model, ours, oracle):
    """A quaternion and its negative are one rotation: compared as configurations."""
    return np.abs(pin.difference(model, ours, oracle)).max()


def test_small_and_large_turns():
    """Closed form: exp6 and log6 undo each other from 1e-12 to almost half a turn; nothing is lost at the series' edge."""
    world = st.World()
    world.add_box(size=(1.0, 1.0, 1.0), mass=1.0)
    sim = st.Simulator(world)
    q = np.array([0.3, -0.2, 0.5, 0.1, 0.2, 0.3, 0.0])
    q[6] = np.sqrt(1.0 - q[3:6] @ q[3:6])
    rng = np.random.default_rng(1)
    for angle in (0.0, 1e-12, 1e-6, 1e-3, 0.0999, 0.1001, 0.5, 2.0, 3.1):
        axis = rng.normal(size=3)
        d = np.concatenate([rng.normal(size=3), angle * axis / np.linalg.norm(axis)])
        assert sim.difference(q, sim.integrate(q, d)) == pytest.approx(d, abs=2e-14 * 10 / max(np.pi - angle, 0.1))


@pytest.mark.parametrize("call", [lambda s: s.frame_drift("FL_FOOTS"), lambda s: s.frame_velocity("FL_FOOTS")])
def test_a_frame_that_does_not_exist_is_named(call):
    world = st.World()
    world.add_urdf(st.robots.paths()["starleth"])
    with pytest.raises(st.InvalidInput, match="FL_FOOTS"):
        call(st.Simulator(world))


def test_sizes_are_checked():
    world = st.World()
    world.add_urdf(st.robots.paths()["starleth"])
    sim = st.Simulator(world)
    with pytest.raises(st.InvalidInput, match=r"difference.q1 has size 3, expected 19"):
        sim.difference(sim.q, np.zeros(3))
    with pytest.raises(st.InvalidInput, match=r"integrate.d has size 19, expected 18"):
        sim.integrate(sim.q, sim.q)
    with pytest.raises(st.InvalidInput, match="part is not finite"):
        sim.interpolate(sim.q, sim.q, float("nan"))


def test_a_contact_within_its_cone_sticks_while_the_body_moves():
    """Feet of a robot that sways roll over their points: the slip of the old point is not zero, the force is within the cone."""
    sim = st.scene("anymal_stand")
    seen = 0
    for _ in range(60):
        sim.step(n=5)
        contacts = sim.contacts()
        normal = np.einsum("ij,ij->i", contacts["force"], contacts["normal"])
        sideways = np.linalg.norm(contacts["force"] - normal[:, None] * contacts["normal"], axis=1)
        within = (normal > 1.0) & (sideways < 0.7 * normal)  # mu is 0.8
        assert (contacts["mode"][within] == st.ContactMode.STICK).all()
        seen += int((within & (contacts["slip"] > 1e-6)).sum())
    assert seen > 0
