# SPDX-License-Identifier: BSD-2-Clause
"""Friction of spin and roll in simulations. Oracles: closed forms of rigid bodies under the one cone
(f_T/mu)^2 + (m_N/mu_torsion)^2 + (m_T/mu_rolling)^2 <= N^2 with maximal dissipation."""

import math
import pickle
import warnings

import numpy as np
import pytest

import stiction as st
from stiction.rotations import rotate

G = 9.81
STEPPERS = ["semi_implicit", "moreau", "stewart_trinkle"]


def ball_world(radius=0.1, mass=2.0, mu=0.6, **options):
    world = st.World()
    world.add_ground(mu=mu, **{k: options.pop(k) for k in ("mu_torsion", "mu_rolling") if k in options})
    ball = world.add_sphere(radius=radius, mass=mass, position=(0, 0, radius), **options)
    return world, ball, 0.4 * mass * radius**2


def motion(sim):
    """Velocity and angular velocity of the ball in world axes."""
    return rotate(sim.q[3:7], sim.v[:3]), rotate(sim.q[3:7], sim.v[3:6])


def spin_of(sim):
    return motion(sim)[1]


@pytest.mark.parametrize("stepper", STEPPERS)
def test_a_spinning_ball_stops(stepper):
    """After I w / (mu_torsion m g), on the spot; until then its spin falls linearly."""
    mu_t, w = 0.01, 7.0
    world, _ball, inertia = ball_world(mu_torsion=mu_t, angular_velocity=(0, 0, w))
    sim = st.Simulator(world, dt=1e-3, stepper=stepper)
    stop = inertia * w / (mu_t * 2.0 * G)
    half = int(0.5 * stop / 1e-3)
    sim.step(n=half)
    assert spin_of(sim)[2] == pytest.approx(w - half * 1e-3 * mu_t * 2.0 * G / inertia, rel=1e-6)
    assert sim.contacts()["torque"][0] == pytest.approx([0, 0, -mu_t * 2.0 * G], rel=1e-6, abs=1e-9)
    sim.step(n=int(stop / 1e-3) - half)
    assert spin_of(sim)[2] > 0
    assert sim.step(n=2).status == "converged"
    assert np.abs(sim.v).max() < 1e-9 and np.abs(sim.q[:2]).max() < 1e-9


def rolling(radius, mass, inertia, mu, mu_r):
    """v/w, dv/dt and dw/dt of a ball that rolls against mu_rolling: friction and torque share the cone, so that it slips by a
    constant share. With x = f/m, a = mu_r/mu:  x I = m (1 - r x)(r + a^2 x)."""
    a = mu_r / mu
    x = np.roots([mass * radius * a**2, inertia + mass * (radius**2 - a**2), -mass * radius])
    x = x[(x.imag == 0) & (x.real > 0)].real.min()
    torque = mu_r * mass * G / math.hypot(1, a * x)
    return radius + a * a * x, x * torque / mass, torque * (1 - radius * x) / inertia


@pytest.mark.parametrize("stepper", STEPPERS)
def test_a_rolling_ball_stops(stepper):
    radius, mass, mu, mu_r, w = 0.1, 2.0, 0.6, 0.004, 5.0
    ratio, dv, dw = rolling(radius, mass, 0.4 * mass * radius**2, mu, mu_r)
    assert dv == pytest.approx(5 / 7 * mu_r * G / radius, rel=2e-3)  # the pure roll of textbooks
    world, _ball, _inertia = ball_world(
        radius, mass, mu, mu_rolling=mu_r, velocity=(ratio * w, 0, 0), angular_velocity=(0, w, 0)
    )
    sim = st.Simulator(world, dt=1e-3, stepper=stepper)
    stop = w / dw
    n = int(0.6 * stop / 1e-3)
    sim.step(n=n)
    assert motion(sim)[0][0] == pytest.approx(ratio * w - n * 1e-3 * dv, rel=1e-6)
    assert spin_of(sim)[1] == pytest.approx(w - n * 1e-3 * dw, rel=1e-6)
    sim.step(n=int(stop / 1e-3) - n + 2)
    assert np.abs(sim.v).max() < 1e-9
    assert sim.q[0] == pytest.approx(0.5 * ratio * w * stop, rel=2e-3)  # the way, to the order of a step


def test_without_it_the_ball_rolls_on():
    world, _ball, _ = ball_world(velocity=(0.5, 0, 0), angular_velocity=(0, 5.0, 3.0))
    sim = st.Simulator(world, dt=1e-3)
    sim.step(n=500)
    assert motion(sim)[0] == pytest.approx([0.5, 0, 0], abs=1e-9) and spin_of(sim)[2] == pytest.approx(3.0, rel=1e-9)
    assert not sim.contacts()["torque"].any()


@pytest.mark.parametrize("excess", [-1e-6, 1e-6])
@pytest.mark.parametrize("mu", [0.6, 1e4])
def test_a_ball_on_a_slope_sticks_up_to_the_angle(mu, excess):
    """tan(angle) hypot(1/mu, r/mu_rolling) <= 1; with much friction that is tan(angle) r <= mu_rolling."""
    radius, mu_r = 0.1, 0.01
    angle = math.atan((1 + excess) / math.hypot(1 / mu, radius / mu_r))
    world = st.World()
    world.gravity = (G * math.sin(angle), 0, -G * math.cos(angle))
    world.add_ground(mu=mu, mu_rolling=mu_r)
    world.add_sphere(radius=radius, mass=1.0, position=(0, 0, radius))
    sim = st.Simulator(world, dt=1e-3, solver_options={"tolerance": 1e-10})
    sim.step(n=200)
    speed = spin_of(sim)[1]
    if excess < 0:
        assert abs(speed) < 1e-9
    else:  # 1e-6 of the torque is left over
        assert speed > 0.1 * excess * G * math.sin(angle) / radius * 0.2


@pytest.mark.parametrize("stepper", STEPPERS)
def test_a_spinning_disc(stepper):
    """Points at the rim: m g hypot(mu R, mu_torsion) takes the spin away."""
    R, mass, mu, mu_t, w = 0.2, 1.5, 0.3, 0.05, 12.0
    world = st.World()
    world.add_ground(mu=mu, mu_torsion=mu_t)
    world.add_cylinder(radius=R, length=0.02, mass=mass, position=(0, 0, 0.01), angular_velocity=(0, 0, w))
    sim = st.Simulator(world, dt=1e-3, stepper=stepper)
    sim.step(n=50)
    rim = np.hypot(*(sim.contacts()["point"][:, :2] - sim.q[:2]).T)
    assert rim == pytest.approx(
        R, rel=1e-5
    )  # `moreau` finds them 2e-6 off where the disc ends up, with and without torsion
    torque = mass * G * math.hypot(mu * R, mu_t)
    assert spin_of(sim)[2] == pytest.approx(w - 0.05 * torque / (0.5 * mass * R**2), rel=1e-6)


GRIPPER = """<mujoco model="gripper"><option timestep="0.002"/>
 <default><geom condim="{condim}" friction="{mu} {mu_t} {mu_r}"/></default>
 <worldbody>
  <body name="left" pos="0 .065 0"><joint name="l" type="slide" axis="0 -1 0"/><geom type="sphere" size=".015" mass=".1"/></body>
  <body name="right" pos="0 -.065 0"><joint name="r" type="slide" axis="0 1 0"/><geom type="sphere" size=".015" mass=".1"/></body>
  <body name="bar" pos="{offset} 0 0"><freejoint/><geom type="box" size=".15 .05 .01" mass=".2"/></body>
 </worldbody>
 <actuator><motor joint="l"/><motor joint="r"/></actuator></mujoco>"""


def gripper(tmp_path, offset, condim=4, mu=0.8, mu_t=0.02, mu_r=0.0001):
    path = tmp_path / "gripper.xml"
    path.write_text(GRIPPER.format(offset=offset, condim=condim, mu=mu, mu_t=mu_t, mu_r=mu_r))
    world = st.World()
    world.add_mjcf(path)
    assert not world.warnings
    return st.Simulator(world)


def needed_grip(offset, mu, mu_t, mass=0.2):
    """Two fingertips, each with half the weight and half its moment about the normal."""
    return 0.5 * mass * G * math.hypot(1 / mu, offset / mu_t)


@pytest.mark.parametrize("share", [1.01, 0.99])
def test_a_pivoting_bar_is_held_by_two_fingers(tmp_path, share):
    """Held off its centre it turns about the axis of the fingers, unless they press hard enough for their torsion."""
    sim = gripper(tmp_path, 0.05)
    sim.ctrl[:] = share * needed_grip(0.05, 0.8, 0.02)
    sim.step(n=5)
    before = sim.q.copy()
    sim.step(n=2500 if share > 1 else 150)
    moved = np.abs(sim.q - before).max()
    if share > 1:
        assert moved < 1e-6, moved  # 5 s
    else:
        assert moved > 1e-4, moved


def test_without_torsion_the_bar_pivots(tmp_path):
    sim = gripper(tmp_path, 0.05, condim=3)
    sim.ctrl[:] = 10 * needed_grip(0.05, 0.8, 0.02)
    sim.step(n=150)
    assert abs(sim.q[-3:]).max() > 0.1 or np.abs(sim.v).max() > 0.5


def test_forces_and_torques_balance(tmp_path):
    """What the contacts do to the bar carries its weight and its moment."""
    sim = gripper(tmp_path, 0.05, condim=6)
    sim.ctrl[:] = 1.5 * needed_grip(0.05, 0.8, 0.02)
    sim.step(n=200)
    bar = max(sim.contacts()["body_b"].max(), sim.contacts()["body_a"].max())
    force, torque = np.zeros(3), np.zeros(3)
    for c in sim.contacts():
        sign = 1.0 if c["body_b"] == bar else -1.0
        force += sign * c["force"]
        torque += sign * (np.cross(c["point"] - sim.q[2:5], c["force"]) + c["torque"])
    assert force == pytest.approx([0, 0, 0.2 * G], abs=1e-6) and torque == pytest.approx([0, 0, 0], abs=1e-6)


def test_states_come_back(tmp_path):
    """Saved, restored, pickled and stepped in a batch, spin and roll repeat themselves bit for bit."""
    sim = gripper(tmp_path, 0.05, condim=6, mu_r=0.001)
    sim.ctrl[:] = 0.97 * needed_grip(0.05, 0.8, 0.02)
    sim.step(n=20)
    blob, other = sim.save(), pickle.loads(pickle.dumps(sim))
    batch = st.BatchSimulator(sim, 3, threads=2)
    sim.step(n=30)
    end = sim.hash()
    other.step(n=30)
    assert other.hash() == end
    batch.step(ctrl=sim.ctrl, n=30)
    assert all(np.array_equal(q, sim.q) for q in batch.q)
    sim.restore(blob)
    sim.step(n=30)
    assert sim.hash() == end


def test_materials():
    """The smaller of two named values, or the one that is named; a pair of materials wins; without friction there is none."""

    def torque(ground, ball, pair=None, mu=0.5):
        world = st.World()
        world.add_material("ground", mu=mu, **ground)
        world.add_material("ball", **ball)
        if pair:
            world.set_material_pair("ground", "ball", **pair)
        world.add_ground(material="ground")
        world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1), angular_velocity=(0, 0, 5), material="ball")
        sim = st.Simulator(world, dt=1e-3)
        sim.step(n=3)
        return -sim.contacts()["torque"][0, 2] / G

    assert torque({"mu_torsion": 0.01}, {}) == pytest.approx(0.01)
    assert torque({"mu_torsion": 0.01}, {"mu_torsion": 0.004}) == pytest.approx(0.004)
    assert torque({"mu_torsion": 0.01}, {"mu_torsion": 0.004}, {"mu_torsion": 0.02}) == pytest.approx(0.02)
    assert torque({"mu_torsion": 0.01}, {}, mu=0.0) == 0.0
    assert torque({}, {"mu_rolling": 0.01}) == 0.0
    with pytest.raises(ValueError, match="mu_torsion is -1"):
        torque({"mu_torsion": -1.0}, {})


def test_laws_and_solvers_say_what_they_do_not_know():
    world, _, _ = ball_world(mu_torsion=0.01)
    with pytest.raises(ValueError, match="solver 'ppa_newton' does not know contacts with friction of spin and roll"):
        st.Simulator(world, solver="ppa_newton")
    for law in ("pyramid", "anchored"):
        with pytest.warns(UserWarning, match=f"law '{law}' knows no friction of spin and roll"):
            st.Simulator(world, law=law).step(n=5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for law in ("coulomb", "convex"):
            st.Simulator(world, law=law).step(n=5)
        st.Simulator(ball_world()[0], law="pyramid").step()


@pytest.mark.parametrize("stepper", ["semi_implicit", "moreau"])
def test_derivatives_of_a_step_are_refused(stepper):
    sim = st.Simulator(ball_world(mu_torsion=0.01)[0], dt=1e-3, stepper=stepper)
    with pytest.raises(
        ValueError, match="step_derivatives: contacts with friction of spin and roll have no derivative"
    ):
        sim.step_derivatives()
    st.Simulator(ball_world(mu_torsion=0.0)[0], dt=1e-3, stepper=stepper).step_derivatives()


@pytest.mark.parametrize("solver", ["auto", "nsgs", "pgs", "admm", "interior_point", "apgd"])
def test_every_solver_steps_a_pile(solver):
    """A box, a ball and a cylinder on one another, all turning: steps converge and the energy falls."""
    world = st.World()
    world.add_ground(mu=0.6, mu_torsion=0.01, mu_rolling=0.002)
    world.add_box(size=(0.4, 0.4, 0.1), mass=2.0, position=(0, 0, 0.05), angular_velocity=(0, 0, 2))
    world.add_cylinder(radius=0.1, length=0.1, mass=1.0, position=(0, 0, 0.15))
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.3), angular_velocity=(1, 0, 5))
    sim = st.Simulator(world, dt=2e-3, solver=solver)
    energy = sim.energy().total
    report = sim.step(n=100)
    assert report.status in ("converged", "stalled") and (
        solver not in ("auto", "nsgs") or report.status == "converged"
    )
    assert sim.energy().total < energy and np.isfinite(sim.q).all()
