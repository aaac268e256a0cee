# SPDX-License-Identifier: BSD-2-Clause
"""Planned motions. Oracles: active sets by enumeration, Riccati's equation, differences, the simulator that replays a plan."""

import itertools
import runpy

import numpy as np
import pytest

import stiction as st
from repository import ROOT
from stiction import control
from stiction.control.planning.box_qp import solve_box_qp

PUSHER = """<robot name="pusher"><link name="rail"/>
<joint name="x" type="prismatic"><parent link="rail"/><child link="finger"/><axis xyz="1 0 0"/>
<limit lower="-5" upper="5" effort="100" velocity="10"/></joint>
<link name="finger"><inertial><mass value="0.5"/><inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><sphere radius="0.02"/></geometry></collision></link></robot>"""


def pusher(mu=0.5, cube=True, finger=0.5):
    """A finger on a rail beside a cube on the floor."""
    world = st.World()
    world.add_ground(mu=mu)
    if cube:
        world.add_box((0.1,) * 3, 0.5, position=(0, 0, 0.05))
    world.add_urdf_text(PUSHER, position=(-0.07, 0, 0.05), fixed=True, mu=finger)
    return st.Simulator(world, dt=5e-3, solver_options={"tolerance": 1e-10})


def push(sim, target=0.3, knots=60, **bounds):
    """The cube shall lie still at `target`."""
    q, weights = sim.q.copy(), np.zeros(14)
    q[0] = target
    weights[[0, 1, 5, 7, 13]] = 1e6, 1e4, 1e2, 1e3, 1e2
    cost = control.Quadratic(sim, control=1e-3, at={knots: control.StateCost(weights, q, np.zeros(7))})
    return control.Plan(sim, knots, cost, hold=2, **bounds)


def replayed(plan, planned):
    """Largest difference of the states that the controls lead to from those of the plan."""
    sim, worst = plan.sim.clone(), 0.0
    for k, u in enumerate(planned.u):
        for _ in range(plan.hold):
            sim.step(u)
        worst = max(worst, np.abs(sim.q - planned.q[k + 1]).max(), np.abs(sim.v - planned.v[k + 1]).max())
    return worst


def test_box_qp_against_every_active_set():
    rng = np.random.default_rng(0)
    for _ in range(60):
        n = int(rng.integers(1, 5))
        root = rng.normal(size=(n, n))
        H, g = root @ root.T + 0.1 * np.eye(n), 3 * rng.normal(size=n)
        lower = -rng.uniform(0, 1, n)
        upper = lower + rng.uniform(0, 2, n)
        best, best_cost = None, np.inf
        for held in itertools.product((-1, 0, 1), repeat=n):
            held = np.array(held)
            free = held == 0
            d = np.where(held < 0, lower, upper)
            if free.any():
                d[free] = np.linalg.solve(H[np.ix_(free, free)], -g[free] - H[np.ix_(free, ~free)] @ d[~free])
            inside = (d >= lower - 1e-12).all() and (d <= upper + 1e-12).all()
            if inside and 0.5 * d @ H @ d + g @ d < best_cost:
                best, best_cost = d, 0.5 * d @ H @ d + g @ d
        found = solve_box_qp(H, g, lower, upper, np.zeros(n))
        assert found.solved and found.d == pytest.approx(best, abs=1e-8)


def test_a_free_finger_is_riccatis():
    """No contact: the model is linear, one iteration is the optimum, and K is the gain of Riccati's recursion."""
    sim, knots, r = pusher(cube=False), 30, 1e-2
    weights = np.array([100.0, 1.0])
    end = control.StateCost(weights, np.array([0.2]), np.zeros(1))
    running = control.StateCost(0.1 * weights, np.array([0.2]), np.zeros(1))
    plan = control.Plan(sim, knots, control.Quadratic(sim, control=r, running=running, at={knots: end}))
    planned = control.ilqr(plan, np.zeros((knots, 1)), rho=1e-14)
    dt, m = sim.dt, 0.5
    A, B = np.array([[1, dt], [0, 1]]), np.array([[dt * dt / m], [dt / m]])
    P, x, gains = np.diag(weights), np.array([-0.2, 0.0]), []
    for _ in range(knots):
        K = np.linalg.solve(r + B.T @ P @ B, B.T @ P @ A)
        gains.append(-K)
        P = 0.1 * np.diag(weights) + A.T @ P @ (A - B @ K)
    gains.reverse()
    for k in range(knots):
        u = gains[k] @ x
        assert planned.u[k] == pytest.approx(u, rel=1e-6, abs=1e-8)
        x = A @ x + B @ u
    assert np.array(planned.K) == pytest.approx(np.array(gains), rel=1e-6)
    assert planned.converged and planned.iterations <= 2


def test_cost_and_knot_derivatives_against_differences():
    """Of a cube that slides while it is pushed: tangents of poses in the cost, products over `hold` in the model.

    The finger is smooth: one that holds the cube's face could carry a part of its weight, and the motion would not be unique.
    """
    sim = pusher(finger=0.0)
    sim.step([6.0], n=30)
    reference = sim.integrate(sim.q, 0.3 * np.arange(1.0, 8.0) / 7)
    part = control.StateCost(np.arange(1.0, 15.0), reference, np.zeros(7))
    plan = control.Plan(sim, 1, control.Quadratic(sim, control=0.5, running=part, reference=1.0), hold=3)
    u, start, blob = np.array([6.0]), plan.state(), sim.save()
    terms = plan.cost.terms(0, *start, u)
    A, B, border = plan.derivatives(u)
    assert not border
    h = 1e-6
    for i in range(14):
        e = h * np.eye(14)[i]
        up, down = plan.moved(start, e), plan.moved(start, -e)
        slope = (plan.cost.value(0, *up, u) - plan.cost.value(0, *down, u)) / (2 * h)
        assert slope == pytest.approx(terms.x[i], rel=1e-6, abs=1e-6)
        if i in (7, 13):  # speeds along the rail; other directions have kinks: a gap that opens, a cube that is lifted
            ends = []
            for state in (up, down):
                sim.restore(blob)
                plan.put(state)
                plan.advance(u)
                ends.append(plan.state())
            assert plan.difference(ends[1], ends[0]) / (2 * h) == pytest.approx(A[:, i], abs=2e-5)
    ends = []
    for change in (1e-4, -1e-4):
        sim.restore(blob)
        plan.advance(u + change)
        ends.append(plan.state())
    assert plan.difference(ends[1], ends[0]) / 2e-4 == pytest.approx(B[:, 0], abs=1e-6)
    assert terms.u[0] == pytest.approx(0.5 * 5.0)


def test_cube_pushed_through_friction_lies_on_its_target():
    """The bar: within 1 mm in 30 iterations from rest. The guess is a constant push that moves it."""
    plan = push(pusher(), lower=-40, upper=40)
    planned = control.ilqr(plan, np.full((60, 1), 5.0), iterations=30)
    assert planned.iterations <= 30 and abs(planned.q[-1, 0] - 0.3) < 1e-4 and abs(planned.v[-1, 0]) < 5e-3
    assert all(after <= before for before, after in itertools.pairwise(planned.history))
    assert replayed(plan, planned) == 0.0 and planned.gap == 0.0
    assert plan.sim.time == 0.0 and plan.sim.q[0] == 0.0  # the simulator is where it was


def test_bounds_hold_and_matter():
    free = control.ilqr(push(pusher(), lower=-40, upper=40), np.full((60, 1), 5.0))
    tight = control.ilqr(push(pusher(), lower=-1.0, upper=6.0), np.full((60, 1), 5.0))
    assert free.u.max() > 6.5 and tight.u.max() == 6.0 and tight.u.min() >= -1.0
    assert abs(tight.q[-1, 0] - 0.3) < 1e-3


def test_states_with_gaps_become_a_trajectory():
    """A straight line from rest to the target is no motion of the model: its gaps are closed."""
    plan = push(pusher(), lower=-40, upper=40)
    q, v = np.tile(plan.sim.q, (61, 1)), np.zeros((61, 7))
    q[:, 0] = q[:, 7] = np.linspace(0.0, 0.3, 61)
    v[:-1, [0, 6]] = 0.3 / 0.6
    planned = control.ilqr(plan, np.full((60, 1), 3.0), states=(q, v), iterations=60)
    assert planned.gap == 0.0 and replayed(plan, planned) < 1e-9
    assert abs(planned.q[-1, 0] - 0.3) < 1e-3


def test_mpc_finds_its_way_under_another_law_and_weight():
    """Model: coulomb, mu .5, 10 ms. Plant: anchored ground of mu .6 at 1 ms. Planned open loop, the cube stops short."""
    world = st.World()
    world.add_ground(mu=0.6)
    world.add_box((0.1,) * 3, 0.5, position=(0, 0, 0.05))
    world.add_urdf_text(PUSHER, position=(-0.07, 0, 0.05), fixed=True, mu=0.6)
    ends = {}
    for closed in (False, True):
        plant = st.Simulator(world, law="anchored", stepper="exponential", dt=1e-3)
        model = push(pusher(), target=0.2, lower=-40, upper=40)
        first = control.ilqr(model, np.full((60, 1), 5.0))

        def shorter(tick, model=model, cost=model.cost):
            part, left = cost.at[60], max(60 - tick, 10)
            return control.Quadratic(model.sim, control=1e-3, at={k: part for k in range(left, 61)})

        mpc = control.Mpc(model, first.u, cost=shorter, iterations=2)
        for tick in range(60):
            plant.step(mpc.control(plant.q, plant.v) if closed else first.u[tick], n=10)
        ends[closed] = abs(plant.q[0] - 0.2)
    assert ends[False] > 0.02 and ends[True] < 0.5 * ends[False]


def test_bad_input_names_the_field():
    sim = pusher()
    cost = control.Quadratic(sim, control=1.0)
    with pytest.raises(st.InvalidInput, match=r"by is 'force', expected one of tau, ctrl, target"):
        control.Plan(sim, 3, cost, by="force")
    with pytest.raises(st.InvalidInput, match=r"knots is 0"):
        control.Plan(sim, 0, cost)
    with pytest.raises(st.InvalidInput, match=r"lower is above upper"):
        control.Plan(sim, 3, cost, lower=1.0, upper=0.0)
    with pytest.raises(st.InvalidInput, match=r"controls has shape \(2, 1\), expected \(3, 1\)"):
        control.ilqr(control.Plan(sim, 3, cost), np.zeros((2, 1)))
    with pytest.raises(st.InvalidInput, match=r"weights has shape \(3,\), expected \(14,\)"):
        control.Quadratic(sim, control=1.0, running=control.StateCost(np.ones(3), sim.q, sim.v))
    with pytest.raises(st.InvalidInput, match=r"states has shapes"):
        control.ilqr(control.Plan(sim, 3, cost), np.zeros((3, 1)), states=(np.zeros((2, 8)), np.zeros((2, 7))))


def height_and_clearance(sim, feet, q):
    """Of the centre of mass and of the lowest foot [m]."""
    sim.q[:], sim.v[:] = q, 0.0
    return sim.com()[2], min(sim.frame_pose(foot)[0][2] for foot in feet)


@pytest.fixture(scope="module")
def reference_rise():
    """What StarlETH's centre of mass rises by in the jump of the controller (control.Jump)."""
    legged = control.starleth_world(joints=False)
    sim = legged.simulator(dt=1e-3)
    jump, start, top = control.Jump(sim, legged.feet, legged.points), sim.com()[2], 0.0
    for k in range(180):
        sim.step(jump.torque(sim, 5e-3 * k), n=5)
        top = max(top, sim.com()[2] - start)
    assert 0.09 < top < 0.12
    return top


@pytest.mark.parametrize("law", ["coulomb", "anchored"])
def test_starleth_jumps_as_high_as_its_controller(law, reference_rise):
    """The bar: 80 % of the reference's height, in flight, and it stands again; the simulator makes the same jump."""
    legged = control.starleth_world(joints=False)
    plan, guess = control.jump_plan(legged, rise=reference_rise, law=law)
    planned = control.ilqr(plan, guess, iterations=25)
    assert planned.cost < 0.2 * planned.history[0] and replayed(plan, planned) == 0.0
    sim = plan.sim.clone()
    seen = np.array([height_and_clearance(sim, legged.feet, q) for q in planned.q])
    top = seen[:, 0].argmax()
    assert seen[top, 0] - seen[0, 0] > 0.8 * reference_rise
    assert seen[top, 1] > 0.02  # the feet are off the ground then: legs alone could lift the trunk by 95 mm
    assert abs(seen[-1, 0] - seen[0, 0]) < 0.03 and abs(planned.q[-1, 3:6]).max() < 0.02
    stand = control.standing_torque(legged.simulator(), legged.feet)
    assert abs(planned.u - stand).max() <= 80.0 + 1e-9


def test_the_example_reaches_its_target(capsys):
    """It checks itself: within a millimetre."""
    runpy.run_path(str(ROOT / "examples" / "plan_a_push.py"))
    assert "from its target" in capsys.readouterr().out
