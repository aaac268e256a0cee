# SPDX-License-Identifier: BSD-2-Clause
"""Law `relaxed`, stepper `rk_gill`. Oracles: closed forms, the mass matrix, an independent implementation's trajectory, the paper's claims."""

import numpy as np
import pytest

import stiction as st
from stiction import papers
from stiction.papers.relaxed_contact import runs
from stiction.papers.relaxed_contact.published import CHATTERING, IMPACT, SMOOTH

G = 9.81


def relaxed(world, dt=1e-3, forces="held", **options):
    return st.Simulator(world, law="relaxed", dt=dt, law_options=options, stepper_options={"forces": forces})


def ball(mu=0.5, mass=2.0, position=(0, 0, 0.1), velocity=(0, 0, 0)):
    world = st.World()
    world.add_ground(mu=mu)
    world.add_sphere(radius=0.1, mass=mass, position=position, velocity=velocity)
    return world


@pytest.fixture(scope="module")
def pendulum():
    return runs.record(runs.PROPOSED.simulator(), 5.0)


# --- contact space ----------------------------------------------------------------------------------------------------------------


def quadruped():
    world = st.World()
    world.add_ground(mu=0.8)
    world.add_urdf(st._core.model_path("starleth.urdf"), position=(0, 0, 0.4))
    world.add_box(size=(0.3, 0.2, 0.1), mass=1.5, position=(2, 0, 0.0499), angular_velocity=(0.1, 0.2, 3.0))
    return world


@pytest.mark.parametrize("scene", ["pendulum", "robot"])
def test_unit_forces_give_the_inverse_inertia(scene):
    """Oracle: J M^-1 J^T with the mass matrix, 1e-10 relative; symmetric, positive semidefinite."""
    if scene == "pendulum":
        sim = st.scene("pendulum6", law="relaxed")
        sim.q = np.array([0.3, 0.1, -0.2, 0.3, -0.2, 0.1])
        sim.v = np.array([0.5, 1.0, -2.0, 0.3, 0.7, -0.1])
    else:
        sim = relaxed(quadruped())
        sim.step(n=150)
    view = sim.contact_space()
    A, J = view["A"], view["J"]
    assert len(A) >= 6
    wanted = J @ np.linalg.solve(sim.mass_matrix(), J.T)
    assert np.abs(A - wanted).max() <= 1e-10 * np.abs(wanted).max()
    assert np.abs(A - A.T).max() <= 1e-10 * np.abs(A).max()
    assert np.linalg.eigvalsh(0.5 * (A + A.T)).min() >= -1e-10 * np.abs(A).max()


def test_accelerations_without_contact_are_those_of_the_points():
    """Oracle: differences of point velocities over a small free step."""
    sim = st.scene("pendulum6", law="relaxed", dt=1e-6)
    sim.q = np.array([0.3, 0.1, -0.2, 0.3, -0.2, 0.1])
    sim.v = np.array([0.5, 1.0, -2.0, 0.3, 0.7, -0.1])
    view = sim.contact_space()
    free = st.scene("pendulum6", law="relaxed", dt=1e-6, height=5.0)  # the same chain, out of reach of the ground
    free.q, free.v = sim.q, sim.v
    free.step(n=10)
    before = view["J"] @ sim.v
    sim.q, sim.v = free.q, free.v
    after = sim.contact_space()
    assert after["A"].shape == view["A"].shape
    assert np.abs((after["J"] @ sim.v - before) / 1e-5 - view["a0"]).max() < 1e-2 * np.abs(view["a0"]).max()


def test_energy_without_contact():
    """Section 5.3 (vii): 1e-8 of the swing energy in 5 s."""
    sim = runs.PROPOSED.simulator(height=10.0, viscosity=0.0)
    start = sim.energy().total
    sim.step(n=5000)
    assert abs(sim.energy().total - start) < 1e-8 * 2.65


def test_fourth_order_without_contact():
    ends = []
    for dt in (8e-3, 4e-3, 5e-4):
        sim = st.scene("pendulum6", law="relaxed", law_options=dict(compensation=100.0), dt=dt, height=10.0)
        sim.step(n=round(0.4 / dt))
        ends.append(sim.q)
    ratio = np.abs(ends[0] - ends[2]).max() / np.abs(ends[1] - ends[2]).max()
    assert 13.0 < ratio < 19.0


# --- pendulum ---------------------------------------------------------------------------------------------------------------------


def test_pendulum_first_contact(pendulum):
    first = np.flatnonzero(pendulum.touching.any(axis=1))[0]
    assert pendulum.t[first] == pytest.approx(0.181, abs=1e-9)
    force = pendulum.normal[first : first + 5, 40:].max(axis=1)
    assert np.abs(force - IMPACT).max() < 1e-3


def test_pendulum_follows_the_reference(pendulum, third_party):
    golden = np.loadtxt(third_party / "golden" / "golden_pendulum_prop.csv", delimiter=",", comments="#")
    for until, angle, force in ((0.18, 2e-6, 0.0), (0.30, 1e-5, 1e-3), (0.50, 1e-4, 1e-2)):
        rows = golden[golden[:, 0] <= until + 1e-9]
        k = np.rint(rows[:, 0] / 1e-3).astype(int)
        assert np.abs(pendulum.q[k] - rows[:, 5:11]).max() <= angle
        assert np.abs(pendulum.normal[k, 40:] - rows[:, 17:25]).max() <= force


def test_pendulum_comes_to_rest(pendulum):
    """Pairs identical; contacts at rest hold by static friction; bounded penetration; energy never above the start."""
    pairs = pendulum.normal.reshape(len(pendulum.t), -1, 2)
    assert np.abs(pairs[..., 0] - pairs[..., 1]).max() < 1e-9
    k = pendulum.last(4.0)
    touching, normal, friction = pendulum.touching[k], pendulum.normal[k], pendulum.friction[k]
    assert (touching.sum(axis=1) == 4).all()
    assert pendulum.slip[k][touching].max() < 1e-4
    loaded = touching & (normal > 1e-3)
    assert (friction[loaded] > 0.0).all() and (friction[loaded] <= normal[loaded]).all()
    assert pendulum.depth < 0.01 and pendulum.energy.max() <= pendulum.energy[0] * (1 + 1e-6)


@pytest.mark.parametrize("gain", [*SMOOTH, *CHATTERING])
def test_pendulum_smooth(gain):
    """Section 9, test 13: the k_c dt <= 0.343 rule."""
    method = runs.Method("proposed", "", 1e-3, options={"compensation": gain})
    jump = runs.record(method.simulator(), 5.0).largest_jump(4.0)
    assert jump < 1e-2 if gain in SMOOTH else jump > 1.0


def test_the_stand_in_chatters_and_sinks():
    run = runs.record(runs.MACRO.simulator(), 5.0)
    assert run.largest_jump(4.0) > 1.0 and run.depth > 0.05


def test_the_published_omit_rule_lets_tips_sink():
    """Section 4.4: the reason for the exact problem."""
    method = runs.Method("proposed", "", 1e-3, options={"unilateral": "omit"})
    assert runs.record(method.simulator(), 1.0).depth > 0.02


def test_microscopic_friction_creeps_and_fades_at_rest():
    """No static friction: on a slope that would hold it creeps with the speed at which mu w(v) = tan; on level ground nothing is left."""
    angle, mu, k_w = 0.2, 0.8, 100.0
    options = {"model": "micro", "stiffness": 2e4, "damping": 60.0, "slip_weight": k_w}
    sim = st.scene(
        "brick_on_slope",
        law="relaxed",
        law_options=options,
        stepper_options={"forces": "per_stage"},
        dt=1e-4,
        angle=angle,
        mu=mu,
    )
    sim.step(n=10000)
    assert np.linalg.norm(sim.v[:3]) == pytest.approx(-np.log(1.0 - np.tan(angle) / mu) / k_w, rel=1e-3)
    sim = st.scene(
        "four_legs",
        law="relaxed",
        law_options=options,
        stepper_options={"forces": "per_stage"},
        dt=1e-4,
        speed=0.3,
        mu=mu,
    )
    sim.step(n=10000)
    assert np.abs(sim.contacts()["force"][:, :2]).max() < 1e-3


# --- closed forms -----------------------------------------------------------------------------------------------------------------


def test_depth_at_rest():
    """lambda_r dt f_N / (k_c A_NN)."""
    sim = relaxed(ball(), compensation=100.0, regularisation=0.5)
    sim.step(n=4000)
    assert -sim.contacts()["gap"][0] == pytest.approx(0.5 * 1e-3 * 2.0 * G / (100.0 * 0.5), rel=1e-6)
    assert sim.contacts()["force"][0, 2] == pytest.approx(2.0 * G, rel=1e-9)


@pytest.mark.parametrize("forces", ["held", "per_stage"])
def test_four_legs_carry_a_quarter_each(forces):
    """Statics: the sum is m g, the distribution of least norm is symmetric though A is singular."""
    sim = st.scene("four_legs", law="relaxed", stepper_options={"forces": forces})
    sim.step(n=2000)
    force = sim.contacts()["force"]
    assert len(force) == 4
    assert force[:, 2].sum() == pytest.approx(4.0 * G, rel=1e-9)
    assert np.abs(force[:, 2] - G).max() < 1e-6
    assert np.abs(force[:, :2]).max() < 1e-6


def test_quadruped_stands():
    sim = st.scene("starleth_stand", law="relaxed")
    sim.step(n=2000)
    contacts = sim.contacts()
    assert contacts["force"][:, 2].sum() == pytest.approx(26.82 * G, rel=1e-4)
    assert contacts["slip"].max() < 1e-4


def test_sliding_box_stops_where_it_should():
    """v0^2/(2 mu g); friction fades below 1/k_w, hence the weight is large here."""
    sim = st.scene("four_legs", law="relaxed", law_options={"slip_weight": 1e4}, mu=0.3, speed=1.0)
    sim.step(n=1000)
    assert sim.q[0] == pytest.approx(1.0 / (2 * 0.3 * G), abs=2e-3)
    assert np.abs(sim.v).max() < 1e-4


SLED = """<robot name="sled"><link name="b"/><link name="c"><inertial><mass value="1e-9"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/>
</inertial></link><link name="m"><inertial><mass value="1.5"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="x" type="prismatic"><parent link="b"/><child link="c"/><axis xyz="1 0 0"/><limit lower="-9" upper="9" effort="9" velocity="9"/></joint>
<joint name="z" type="prismatic"><parent link="c"/><child link="m"/><axis xyz="0 0 1"/><limit lower="-9" upper="9" effort="9" velocity="9"/></joint></robot>"""


@pytest.mark.parametrize(("share", "sticks"), [(0.99, True), (1.01, False)])
def test_incline(share, sticks):
    """One contact, no moments: sticks iff mu >= tan(angle), 1 % on either side; else a = g (sin - mu cos)."""
    angle = np.pi / 9
    mu = np.tan(angle) / share
    world = st.World()
    world.gravity = (G * np.sin(angle), 0, -G * np.cos(angle))
    world.add_ground(mu=mu)
    world.add_urdf_text(SLED, fixed=True)
    world.add_contact_point(1, offset=(0, 0, 0))
    sim = relaxed(world, slip_weight=1e5)
    sim.step(n=500)
    middle, speed = sim.q[0], sim.v[0]
    sim.step(n=500)
    if sticks:
        assert abs(sim.q[0] - middle) < 1e-9 and abs(sim.v[0]) < 1e-9
    else:
        assert sim.v[0] - speed == pytest.approx(0.5 * G * (np.sin(angle) - mu * np.cos(angle)), rel=1e-3)


def test_brick_slides_down_the_incline():
    """Four contacts that rattle while they slide: the mean acceleration is right all the same."""
    angle = np.pi / 9
    mu = np.tan(angle) / 1.05
    sim = st.scene("brick_on_slope", law="relaxed", law_options={"slip_weight": 1e4}, angle=angle, mu=mu, dt=1e-3)
    places = [sim.q[:3].copy()]
    for _ in range(2):
        sim.step(n=500)
        places.append(sim.q[:3].copy())
    acceleration = np.linalg.norm(places[2] - 2 * places[1] + places[0]) / 0.25
    assert acceleration == pytest.approx(G * (np.sin(angle) - mu * np.cos(angle)), rel=0.01)


def test_ball_ends_rolling_with_five_sevenths():
    sim = st.scene("ball_rolling", law="relaxed", law_options={"slip_weight": 1e4}, speed=1.5, mu=0.2)
    sim.step(n=500)
    assert sim.v[0] ** 2 + sim.v[1] ** 2 + sim.v[2] ** 2 == pytest.approx((1.5 * 5 / 7) ** 2, rel=2e-3)


# --- state --------------------------------------------------------------------------------------------------------------------------


def test_saved_states_go_on_with_the_same_bits():
    a, b = runs.PROPOSED.simulator(), runs.PROPOSED.simulator()
    a.step(n=183)  # in the middle of the first impact: referential points and friction states count
    b.restore(a.save())
    a.step(n=300), b.step(n=300)
    assert a.hash() == b.hash()


def test_stack_carries_what_is_above():
    """Between box i and i + 1 of n: (n - i) m g. Contacts of two moving bodies."""
    world = st.World()
    world.add_ground(mu=0.5)
    for i in range(3):
        world.add_box(size=(0.2, 0.2, 0.1), mass=1.0, position=(0, 0, 0.05 + 0.1 * i - 1e-6 * (i + 1)))
    sim = relaxed(world)
    sim.step(n=3000)
    contacts = sim.contacts()
    for body, above in ((0, 3), (1, 2), (2, 1)):
        assert contacts["force"][contacts["body_b"] == body, 2].sum() == pytest.approx(above * G, rel=1e-6)


def test_reproduction_has_no_failed_row():
    """Rows of the quick study; those about time are left to the study itself."""
    study = papers.reproduce("relaxed-contact", quick=True)
    judged = [row for row in study.rows if "time of" not in row.name and "slope" not in row.name]
    assert len(judged) > 15 and [row.name for row in judged if row.status == "failed"] == []
    assert len({row.name for row in study.rows}) == len(study.rows)
    for section in study.sections:
        assert section.title in section.as_html()
