# SPDX-License-Identifier: BSD-2-Clause
"""Steppers on soft contacts against closed forms and convergence orders."""

import numpy as np
import pytest

import stiction as st
from soft_support import APPROXIMANTS, STEPPERS, arm, point_mass, soft, start


def held_mass(dt, steps, stepper="exponential", **options):
    world = point_mass(bilateral=True, stiffness=1e5, damping=300.0)
    sim = start(soft(world, stepper, dt, **options), velocity=(0, 0, -1))
    assert sim.step(n=steps).status == "converged"
    return sim.q[2], sim.v[2]


@pytest.mark.parametrize("dt", [1e-4, 1e-3, 1e-2])
def test_damped_oscillator_whatever_the_step(dt):
    """Oracle: m = 1, ω = 316.228, ζ = 0.474342, started at its anchor with −1 m/s under gravity; 12 digits."""
    z, v = held_mass(dt, round(0.01 / dt), approximant="exact")
    assert abs(z - -3.951061638703e-4) < 1e-14
    assert abs(v - 0.2483480463021) < 1e-11
    if dt <= 1e-3:
        z, _ = held_mass(dt, round(0.001 / dt), approximant="exact")
        assert abs(z - -8.540464872325e-4) < 1e-14


def test_one_step_of_100_ms_is_ten_of_10_ms():
    one, ten = held_mass(0.1, 1, approximant="exact"), held_mass(0.01, 10, approximant="exact")
    assert abs(one[0] - ten[0]) < 1e-14 and abs(one[1] - ten[1]) < 1e-11


def test_linear_systems_are_exact_for_any_step():
    """Oracle: SciPy's exponential of the whole system. Masses that springs with different K and B tie to each other and to
    the world at their centres: nothing turns, so the equations are linear."""
    expm = pytest.importorskip("scipy.linalg").expm
    rng = np.random.default_rng(3)
    n, springs = 4, []
    world = st.World()
    masses = rng.uniform(0.5, 2.0, n)
    places, speeds = 0.1 * rng.normal(size=(n, 3)), rng.normal(size=(n, 3))
    bodies = [world.add_sphere(radius=1e-9, mass=masses[i], position=places[i], velocity=speeds[i]) for i in range(n)]
    for i in range(n):
        other = None if i == 0 else int(rng.integers(i))
        k, b = 10 ** rng.uniform(3, 5), 10 ** rng.uniform(0, 2.5)
        frame = rng.normal(size=3) if other is None else np.zeros(3)
        world.add_loop(
            bodies[i],
            None if other is None else bodies[other],
            point_a=(0, 0, 0),
            point_b=frame,
            stiffness=k,
            damping=b,
        )
        springs.append((i, other, k, b, frame))
    sim = soft(world, dt=0.05, approximant="exact")
    sim.step(n=2)
    A = np.zeros((6 * n + 1, 6 * n + 1))  # (positions, velocities, 1)
    for i in range(n):
        A[3 * i : 3 * i + 3, 3 * (n + i) : 3 * (n + i) + 3] = np.eye(3)
        A[3 * (n + i) + 2, -1] += -9.81
    for i, j, k, b, frame in springs:
        for d in range(3):
            row = {m: 3 * m + d for m in (i, *([] if j is None else [j]))}
            for m, sign in ((i, 1.0), *([] if j is None else [(j, -1.0)])):
                at = 3 * n + row[m]
                A[at, row[i]] -= sign * k / masses[m]
                A[at, 3 * n + row[i]] -= sign * b / masses[m]
                A[at, -1] += sign * k * frame[d] / masses[m]
                if j is not None:
                    A[at, row[j]] += sign * k / masses[m]
                    A[at, 3 * n + row[j]] += sign * b / masses[m]
    x = expm(0.1 * A) @ np.concatenate([places.ravel(), speeds.ravel(), [1.0]])
    q = np.array([sim.q[7 * i : 7 * i + 3] for i in range(n)])
    v = np.array([sim.v[6 * i : 6 * i + 3] for i in range(n)])
    assert np.abs(q.ravel() - x[: 3 * n]).max() < 1e-10
    assert np.abs(v.ravel() - x[3 * n : 6 * n]).max() < 1e-9


ARM_END = np.array(
    [0.3691535440472, 0.7302107043237, -0.4604235470770, -0.9867650447336, 0.1919590912551, 3.247213087744]
)


def arm_error(stepper, dt, **options):
    world = st.World()
    world.gravity = (0.0, -9.81, 0.0)
    robot = world.add_urdf_text(arm(), fixed=True)
    q0 = np.array([0.4, 0.7, -0.5])
    tip = np.array(
        [sum(length * f(a) for length, a in zip((0.3, 0.3, 0.2), np.cumsum(q0), strict=True)) for f in (np.cos, np.sin)]
        + [0.0]
    )
    world.add_loop("l2", None, point_a=(0.2, 0, 0), point_b=tip + [1e-3, -5e-4, 0.0], stiffness=1e4, damping=60.0)
    sim = soft(world, stepper, dt, **options)
    sim.q[:] = np.stack([np.cos(q0), np.sin(q0)], axis=1).ravel()
    sim.v[:] = (0.5, -1.0, 2.0)
    sim.step((1.0, 2.0, -0.5), n=round(0.064 / dt))
    assert robot.tau_slice is not None
    angles = np.arctan2(sim.q[1::2], sim.q[::2])
    return np.abs(np.concatenate([angles, sim.v]) - ARM_END).max()


SLOPES = (
    [("exponential", dict(approximant=a), 1.0, 0.05) for a in APPROXIMANTS]
    + [("exponential_midpoint", dict(approximant=a), 2.0, 0.1) for a in APPROXIMANTS]
    + [("euler", dict(form=f), 1.0, 0.05) for f in ("explicit", "semi_implicit", "classic")]
    + [("rk4", {}, 4.0, 0.1)]
)


@pytest.mark.parametrize(("stepper", "options", "order", "allowed"), SLOPES)
def test_convergence_on_a_planar_arm(stepper, options, order, allowed):
    """Oracle: the end state of a planar 3R arm with a held tip (12 digits), and the order of each method."""
    steps = np.array([0.25e-3, 0.125e-3, 0.0625e-3]) if stepper != "rk4" else np.array([0.5e-3, 0.25e-3])
    errors = [arm_error(stepper, h, **options) for h in steps]
    slope = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert abs(slope - order) < allowed, (slope, errors)


@pytest.mark.parametrize(
    ("stepper", "options", "coarse", "fine"),
    [("exponential", dict(approximant="exact"), 1.5e-2, 9.2e-4), ("exponential_midpoint", dict(approximant="exact"), 1.0e-3, 4.0e-6),
     ("rk4", {}, 4.0e-5, 5.4e-10)],
)  # fmt: skip
def test_errors_on_the_arm_are_the_known_ones(stepper, options, coarse, fine):
    """Oracle: errors at 2 ms and 0.125 ms of an independent implementation, within 20 %."""
    assert arm_error(stepper, 2e-3, **options) == pytest.approx(coarse, rel=0.2)
    assert arm_error(stepper, 0.125e-3, **options) == pytest.approx(fine, rel=0.2)


def spinning(stepper, dt, **options):
    world = st.World()
    world.gravity = (0.0, 0.0, 0.0)
    world.add_box(size=(1, 1, 1), mass=1.0, inertia=np.diag([1.0, 2.0, 3.5]), angular_velocity=(2.0, -1.5, 1.0))
    sim = soft(world, stepper, dt, **options)
    sim.step(n=round(1.0 / dt))
    return sim.q[3:7].copy()


def test_orders_on_the_rotation_group():
    """Oracle: a free body with inertia (1, 2, 3.5) turning for 1 s; midpoint and Runge-Kutta have order 2, Euler order 1."""
    truth = spinning("exponential_midpoint", 1e-4)

    def error(q):
        return 2.0 * np.arccos(min(1.0, abs(q @ truth)))

    at = {
        name: [error(spinning(name, h)) for h in (12.5e-3, 6.25e-3)]
        for name in ("exponential_midpoint", "rk4", "euler")
    }
    assert at["exponential_midpoint"][0] == pytest.approx(1.7e-4, rel=0.1)
    slope = {name: np.log2(e[0] / e[1]) for name, e in at.items()}
    assert abs(slope["exponential_midpoint"] - 2.0) < 0.1
    assert abs(slope["rk4"] - 2.0) < 0.1
    assert abs(slope["euler"] - 1.0) < 0.1


def test_flight_is_the_euler_step():
    """Oracle: without contacts the exponential step of bodies with equal moments is explicit Euler; a ball falls by g t²/2."""
    world = st.World()
    world.add_ground()
    world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 1.6), velocity=(1, 2, 3), angular_velocity=(2, -1, 3))
    ball = world.add_sphere(radius=0.01, mass=1.0, position=(5, 0, 0.6))
    a, b = soft(world, "exponential"), soft(world, "euler")
    for _ in range(100):
        a.step(), b.step()
        assert np.abs(a.q - b.q).max() < 1e-14 and np.abs(a.v - b.v).max() < 1e-14
    assert abs(a.pose(ball)[0][2] - (0.6 - 0.5 * 9.81 * 0.01)) < 1e-12


@pytest.mark.parametrize("scheme", [1, 2, 4])
def test_rigid_euler_flies_freely_once_nothing_touches(scheme):
    """Oracle: a parabola; no constraint of an earlier contact is left behind."""
    world = point_mass()
    world.add_ground()
    sim = start(soft(world, "rigid_euler", 1e-3, scheme=scheme), (0, 0, -1e-4), (0, 0, 2.0))
    sim.step(n=1)
    sim.q[2], sim.v[2] = 0.1, 1.0
    sim.step(n=50)
    assert len(sim.contacts()) == 0
    assert abs(sim.v[2] - (1.0 - 9.81 * 0.05)) < 1e-12


def test_rigid_euler_holds_a_pendulum():
    """Oracle: the length of a held mass stays (to the drift of the method) and its energy does."""
    world = st.World()
    world.add_sphere(radius=0.1, mass=1.0, position=(0.5, 0, 0))
    world.add_loop(0, None, point_a=(-0.5, 0, 0), point_b=(0, 0, 0), stiffness=1e5, damping=1.0)
    drift = {}
    for scheme in (1, 2, 4):
        sim = soft(world, "rigid_euler", 1e-3, scheme=scheme)
        start = sim.energy().total
        sim.step(n=300)
        drift[scheme] = abs(sim.energy().total - start)
    assert drift[4] < drift[2] < drift[1] < 0.05


@pytest.mark.parametrize("stepper", STEPPERS)
def test_reset_twice_is_reset_once(stepper):
    """Oracle: bits. The slip flag and the anchors come back with the state."""
    world = point_mass()
    world.add_ground(mu=0.3)
    sim = start(soft(world, stepper, 1e-4, law=dict(stiffness=1e5, damping=200.0)), (0, 0, -1e-4), (0.3, 0, 0))
    sim.step(n=20)
    blob = sim.save()
    ends = []
    for resets in (1, 2):
        sim.step(n=7)
        for _ in range(resets):
            sim.restore(blob)
        sim.step(n=30)
        ends.append((sim.hash(), sim.anchors().tobytes()))
    assert ends[0] == ends[1]


def test_refinement_meets_the_end_of_the_step_and_counts_parts():
    """Oracle: the impact of a ball falling on soft ground, with steps a thousand times smaller."""
    world = point_mass()
    world.add_ground()

    def drop(stepper, dt, **options):
        return start(soft(world, stepper, dt, **options), (0, 0, 0.02))

    fine = drop("exponential_midpoint", 1e-6)
    fine.step(n=80_000)
    plain, refined = drop("exponential", 0.01, switch_refinement=False), drop("exponential", 0.01)
    plain.step(n=8)
    report = refined.step(n=8)
    assert abs(refined.time - 0.08) < 1e-15
    assert report.substeps > 8 and report.switches > 0
    assert abs(refined.q[2] - fine.q[2]) < 0.2 * abs(plain.q[2] - fine.q[2])


def test_error_control_keeps_its_tolerance():
    """Oracle: the same arm; a smaller tolerance makes more parts and smaller errors, and the reported estimate keeps it."""
    world = st.World()
    world.add_urdf_text(arm(), fixed=True)
    ends, parts = [], []
    for tolerance in (1e-2, 1e-3, 1e-4, 1e-6):
        sim = soft(world, "exponential_midpoint", 0.02, error_tolerance=tolerance, smallest_step=1e-9)
        sim.v[:] = (4.0, -6.0, 9.0)
        report = sim.step(n=5)
        assert report.estimate <= tolerance
        ends.append(sim.v.copy())
        parts.append(report.substeps)
    errors = [np.abs(v - ends[-1]).max() for v in ends[:-1]]
    assert errors[0] > errors[1] > errors[2] and parts == sorted(parts) and parts[0] < parts[-1]
