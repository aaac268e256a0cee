# SPDX-License-Identifier: BSD-2-Clause
"""Stepper `moreau` and law `compliant` from Python, and what free flight keeps. Oracles: conserved energy, order of convergence,
published numbers of other engines, closed forms; sentences that name what is wrong."""

from pathlib import Path

import numpy as np
import pytest

import stiction as st

ANYMAL = Path(st.__file__).parent / "models" / "anymal_prim.urdf"
POSTURE = {"LF": (0.03, 0.4, -0.8), "RF": (-0.03, 0.4, -0.8), "LH": (0.03, -0.4, 0.8), "RH": (-0.03, -0.4, 0.8)}


def flying_anymal(**settings):
    world = st.World()
    robot = world.add_urdf(ANYMAL, position=(0, 0, 0.54))
    for leg, angles in POSTURE.items():
        for joint, angle in zip(("HAA", "HFE", "KFE"), angles, strict=True):
            world.set_joint_position(robot, f"{leg}_{joint}", angle)
    return st.Simulator(world, dt=0.01, **settings), robot


def energy_error(**settings):
    """1 s with 2Mg upwards at the centre of mass of the trunk, limp joints; then 2 s without force: mean squared energy error [J²]."""
    sim, robot = flying_anymal(**settings)
    lift = (0.0, 0.0, 2.0 * sim.mass * 9.81)
    for _ in range(100):
        sim.apply_wrench(robot, force=lift)
        sim.step()
    start, errors = sim.energy().total, []
    for _ in range(200):
        assert sim.step().status == "converged"
        errors.append(sim.energy().total - start)
    return float(np.mean(np.square(errors)))


@pytest.mark.parametrize(
    ("settings", "bar"),
    [
        (dict(stepper="moreau"), 2.99),  # a hundredth of MuJoCo's Euler step, 299 J²
        (dict(stepper="moreau", stepper_options=dict(rounds=2)), 1e-3),
        (dict(stepper="moreau", stepper_options=dict(energy_balance=True)), 1e-18),
        (dict(law="anchored", stepper="rk4"), 3.5e-11),  # MuJoCo's RK4
        (dict(law="anchored", stepper="rk4", stepper_options=dict(turns="lie")), 3.5e-11),
    ],
    ids=["moreau", "moreau-rounds", "moreau-balance", "rk4", "rk4-lie"],
)
def test_anymal_in_free_flight_keeps_its_energy(settings, bar):
    """Oracle: energy is constant once the force is gone. Semi-implicit Euler, which MuJoCo, Bullet and DART use, errs by 300 J²."""
    error = energy_error(**settings)
    print(f"mean squared energy error {error:.3g} J^2")
    assert error <= bar


def test_semi_implicit_errs_in_free_flight_as_others_do():
    """Oracle: the published 299 to 330 J² of three engines with the same scheme: the scene is the same."""
    assert energy_error() == pytest.approx(315, rel=0.1)


@pytest.mark.parametrize(("turns", "order"), [("mean", 2), ("lie", 4)])
def test_order_of_rk4_on_a_spinning_body(turns, order):
    """Oracle: the order of convergence, on the rotation of a free body that tumbles about its middle axis."""
    world = st.World()
    world.gravity = (0, 0, 0)
    world.add_box(
        size=(0.3, 0.2, 0.1),
        mass=1.0,
        inertia=(0.02, 0.03, 0.045),
        angular_velocity=(0.3, 4.0, 0.2),
        velocity=(1, 0, 0),
    )

    def end(steps, turns):
        sim = st.Simulator(world, law="anchored", stepper="rk4", stepper_options=dict(turns=turns), dt=1.0 / steps)
        sim.step(n=steps)
        return np.concatenate([sim.q, sim.v])

    exact = end(1600, "lie")
    errors = [np.abs(end(steps, turns) - exact).max() for steps in (25, 50)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.3)


def test_elastic_balls_keep_their_energy_only_with_moreau():
    """Oracle: 24034.5 J. The published error of another engine is 186 J²; semi-implicit flight itself gains and loses."""
    errors = {}
    for stepper in ("moreau", "semi_implicit"):
        sim = st.scene("elastic_balls", stepper=stepper, side=2)
        start = sim.energy().total
        errors[stepper] = 0.0
        for _ in range(2000):
            sim.step()
            errors[stepper] = max(errors[stepper], abs(sim.energy().total - start) / start)
    assert errors["moreau"] <= 1e-10 < 1e-4 < errors["semi_implicit"]


def test_tangential_restitution_sends_the_slip_back():
    """Oracle: slip⁺ = −ε_T slip where friction suffices."""
    world = st.World()
    world.gravity = (0, 0, 0)
    world.add_ground(mu=5.0, restitution=0.5, restitution_tangential=0.6)
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1), velocity=(1, 0, -1))
    sim = st.Simulator(world, stepper="moreau", dt=1e-4)
    sim.step()
    slip = sim.v[0] - 0.1 * sim.v[4]  # nearly no turn in one step
    assert slip == pytest.approx(-0.6, abs=1e-2)
    assert sim.momentum()[2] == pytest.approx(0.5, abs=1e-9)


def test_problems_are_those_of_the_midpoint():
    """Oracle: a ball that closes within half a step has a problem, one that does so later has none."""
    for height, contacts in ((0.1 + 0.4e-2, 1), (0.1 + 0.6e-2, 0)):
        world = st.World()
        world.add_ground()
        world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, height), velocity=(0, 0, -1))
        sim = st.Simulator(world, stepper="moreau", dt=0.01)
        assert len(sim.problems()) == contacts
        assert sim.step().contacts == contacts


def test_starleth_stands_on_compliant_feet():
    """Oracle: four feet carry m g at a depth of m g/(4 c)."""
    sim = st.scene("starleth_stand", law="compliant", dt=1.25e-3)
    sim.step(n=3000)
    contacts = sim.contacts()
    assert contacts["force"][:, 2].sum() == pytest.approx(sim.mass * 9.81, rel=1e-3)
    feet = contacts[contacts["force"][:, 2] > 1.0]
    assert -feet["gap"].mean() == pytest.approx(sim.mass * 9.81 / (4 * 30000.0), rel=0.02)


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
@pytest.mark.parametrize("field", ["restitution", "restitution_tangential"])
def test_restitution_outside_zero_to_one_is_named(field, value):
    world = st.World()
    for call in (
        lambda: world.add_ground(**{field: value}),
        lambda: world.add_material("m", **{field: value}),
        lambda: world.set_material_pair("a", "b", **{field: value}),
        lambda: world.add_sphere(0.1, 1.0, **{field: value}),
        lambda: world.add_static_box((1, 1, 1), **{field: value}),
        lambda: world.add_urdf(ANYMAL, **{field: value}),
    ):
        with pytest.raises(st.InvalidInput, match=rf"\.{field} is .* from 0 to 1"):
            call()


def test_wrong_settings_are_named():
    world = st.World()
    world.add_ground(mu=0.5, restitution_tangential=0.5)
    world.add_sphere(0.1, 1.0, position=(0, 0, 0.1))
    with pytest.raises(st.InvalidInput, match=r"restitution_tangential 0.5, which only the stepper 'moreau' knows"):
        st.Simulator(world)
    for alpha in (-1.0, 0.0, 5.0):
        with pytest.raises(st.InvalidInput, match="alpha"):
            st.Simulator(world, stepper="moreau", solver="sor", solver_options=dict(alpha=alpha))
    with pytest.raises(st.InvalidInput, match="rounds is 0"):
        st.Simulator(world, stepper="moreau", stepper_options=dict(rounds=0))
    with pytest.raises(st.InvalidInput, match="energy_balance and stabilise exclude each other"):
        st.Simulator(world, stepper="moreau", stepper_options=dict(energy_balance=True, stabilise=True))
    with pytest.raises(st.InvalidInput, match="stepper 'moreau' does not step law 'anchored'"):
        st.Simulator(world, law="anchored", stepper="moreau")
    with pytest.raises(st.InvalidInput, match="steppers of this law: moreau"):
        st.Simulator(world, law="compliant", stepper="semi_implicit")
    with pytest.raises(st.InvalidInput, match="gives forces"):
        st.Simulator(world, law="compliant").problems()


@pytest.mark.parametrize("name", ["pile", "rod", "heavy_on_light", "brick_on_slope", "break_shot"])
def test_energy_balance_lets_no_scene_gain_energy(name):
    """Oracle: nothing drives these scenes, so their energy falls. As published, the pile gains 0.2 J in a step of its collapse."""
    sim = st.scene(name, law="coulomb", stepper="moreau", stepper_options=dict(energy_balance=True))
    energies = [sim.energy().total]
    for _ in range(200):
        sim.step()
        energies.append(sim.energy().total)
    assert np.diff(energies).max() <= 1e-13 * abs(energies[0]) + 1e-14


def test_energy_balance_leaves_rest_alone():
    """Oracle: the scheme without it. A brick that comes to rest on a slope lies where it lies: round-off is no reason to put it back."""
    ends = []
    for balance in (False, True):
        sim = st.scene("brick_on_slope", law="coulomb", stepper="moreau", stepper_options=dict(energy_balance=balance))
        sim.step(n=200)
        ends.append(np.array(sim.q))
    assert np.abs(ends[0] - ends[1]).max() < 1e-10
