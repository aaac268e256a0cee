# SPDX-License-Identifier: BSD-2-Clause
"""Derivatives of a contact solve. Oracle: central differences of tight solves; the adjoint identity; closed forms of a cube."""

import numpy as np
import pytest

import stiction as st

LAWS = ["coulomb", "convex"]


def random_problem(seed, law, contacts=4, compliance=None):
    """Contacts of full rank: G = J J^T + 0.05 I."""
    rng = np.random.default_rng(seed)
    n = 3 * contacts
    J = 0.3 * rng.uniform(-1, 1, (n, n + 4))
    g = rng.uniform(-0.5, 0.5, n)
    g[2::3] = -0.5 + 0.7 * rng.uniform(-1, 1, contacts)
    mu = rng.uniform(0.1, 0.7, contacts)
    return dict(G=J @ J.T + 0.05 * np.eye(n), g=g, mu=mu, law=law, dt=1e-3, compliance=compliance)


def solution(data, guess=None):
    """The tightest solve there is, its problem, and the velocity."""
    problem = st.ContactProblem(**data)
    impulse = guess
    for solver in ("ppa_newton", "admm") if data["law"] == "coulomb" else ("admm",):
        impulse, report = st.solve(problem, solver, tolerance=1e-13, warm_start=impulse, max_iterations=20000)
        if report.own.natural <= 1e-9:
            break
    R = 0.0 if data["compliance"] is None else data["compliance"]
    return problem, impulse, data["G"] @ impulse + R * impulse + data["g"]


def directions(data, seed):
    rng = np.random.default_rng(seed)
    n = len(data["g"])
    dG = 0.3 * rng.uniform(-1, 1, (n, n))
    full = dict(g=rng.uniform(-1, 1, n), G=dG + dG.T, mu=rng.uniform(-1, 1, n // 3))
    if data["compliance"] is not None:
        full["compliance"] = rng.uniform(-1, 1, n)
    return [{name: value} for name, value in full.items()] + [full]


def moved(data, change, h):
    return data | {name: data[name] + h * value for name, value in change.items()}


NAMES = {"g": "dg", "G": "dG", "mu": "dmu", "compliance": "dR"}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("compliant", [False, True])
def test_central_differences(law, compliant):
    seen, tested, worst = set(), 0, 0.0
    h = 1e-5
    for seed in range(8):
        data = random_problem(seed, law, compliance=np.full(12, 0.02) if compliant else None)
        problem, impulse, _ = solution(data)
        d = st.derivatives(problem, impulse, boundary_threshold=1e-3)
        assert not d.hyperstatic
        if d.boundary.any():
            continue  # a step of h may cross into the other mode
        tested += 1
        seen |= set(d.modes)
        for change in directions(data, seed):
            dimpulse, dvelocity = d.jvp(**{NAMES[name]: value for name, value in change.items()})
            _, ahead, u_ahead = solution(moved(data, change, h), impulse)
            _, behind, u_behind = solution(moved(data, change, -h), impulse)
            for exact, difference in (
                (dimpulse, (ahead - behind) / (2 * h)),
                (dvelocity, (u_ahead - u_behind) / (2 * h)),
            ):
                worst = max(worst, np.abs(exact - difference).max() / (1 + np.abs(exact).max()))
    assert tested >= 4 and seen == {"break", "stick", "slide"}
    assert worst <= 1e-6


@pytest.mark.parametrize("law", LAWS)
def test_products_are_adjoint(law):
    rng = np.random.default_rng(1)
    for seed in range(6):
        data = random_problem(seed, law, compliance=np.full(12, 0.01))
        problem, impulse, _ = solution(data)
        d = st.derivatives(problem, impulse)
        for change in directions(data, seed):
            forward = d.jvp(**{NAMES[name]: value for name, value in change.items()})
            a, b = rng.uniform(-1, 1, 12), rng.uniform(-1, 1, 12)
            bars = d.vjp(a, velocity=b)
            got = {"g": bars.g, "G": bars.G, "mu": bars.mu, "compliance": bars.R}
            backward = sum(np.sum(got[name] * value) for name, value in change.items())
            assert abs(a @ forward[0] + b @ forward[1] - backward) <= 1e-10 * (1 + np.linalg.norm(forward))
            assert np.array_equal(np.outer(*bars.factors), bars.G)


def cube(pull):
    """A 1 kg cube of edge 0.2 on its four lower corners, pulled along T1 by `pull` newtons for 1 ms."""
    J = []
    for y in (-0.1, 0.1):
        for x in (-0.1, 0.1):
            r = np.array([x, y, -0.1])
            for axis in np.eye(3):
                J.append(np.concatenate([axis, np.cross(r, axis)]))
    J = np.array(J)
    inverse_mass = np.diag([1, 1, 1, 150, 150, 150])
    free = 1e-3 * np.array([pull, 0, -9.81, 0, 0, 0])
    return J, inverse_mass, dict(G=J @ inverse_mass @ J.T, g=J @ free, mu=0.4, law="coulomb", dt=1e-3)


def test_hyperstatic_is_flagged_and_shortest():
    J, _, data = cube(1.0)
    problem = st.ContactProblem(**data)
    impulse = -np.linalg.pinv(data["G"], rcond=1e-10) @ data["g"]
    d = st.derivatives(problem, impulse)
    assert d.hyperstatic and d.rank == 6 and d.unknowns == 12 and d.modes == ["stick"] * 4
    dg = J @ np.array([0.3, -0.2, 0.1, 1.0, 2.0, -1.0])
    dimpulse, dvelocity = d.jvp(dg=dg)
    exact = -np.linalg.pinv(data["G"], rcond=1e-10) @ dg
    assert np.allclose(dimpulse, exact, rtol=0, atol=1e-10 * np.abs(exact).max())
    assert np.abs(dvelocity).max() <= 1e-10 * np.abs(dg).max(), "a body that sticks stays where it is"


def test_boundary_is_flagged():
    """One contact, G = diag(3.5, 3.5, 1), mu = 0.5: friction at its limit without slip."""
    G = np.diag([3.5, 3.5, 1.0])
    at_limit = st.ContactProblem(G, [-1.75, 0, -1], mu=0.5, dt=1e-3)
    assert st.derivatives(at_limit, [0.5, 0, 1]).boundary.tolist() == [True]
    sliding = st.ContactProblem(G, [-4, 0, -1], mu=0.5, dt=1e-3)
    d = st.derivatives(sliding, [0.5, 0, 1])
    assert d.boundary.tolist() == [False] and d.modes == ["slide"]
    dimpulse, dvelocity = d.jvp(dmu=[1.0])
    assert np.allclose(dimpulse, [1, 0, 0], atol=1e-15), "more friction, same pressure"
    assert np.allclose(dvelocity, [3.5, 0, 0], atol=1e-15)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("noise", [0.0, 1e-16, 1e-13, 1e-11])
def test_grazing_is_flagged(law, noise):
    """The second contact touches with zero force and zero velocity, but for what a solver leaves."""
    problem = st.ContactProblem(np.eye(6), [0, 0, -1, -2 * noise, 0, -noise], mu=0.5, law=law, dt=1e-3)
    impulse, _ = st.solve(problem, tolerance=1e-13)
    assert st.derivatives(problem, impulse).boundary.tolist() == [False, True]
    pressed = st.ContactProblem(np.eye(6), [0, 0, -1, -2e-6, 0, -1e-6], mu=0.5, law=law, dt=1e-3)
    impulse, _ = st.solve(pressed, tolerance=1e-13)
    assert st.derivatives(pressed, impulse).boundary.tolist() == [False, False]


def test_other_blocks():
    """Unilateral, box and bilateral rows, uncoupled: closed forms."""
    blocks = [
        st.Block.unilateral(),
        st.Block.unilateral(),
        st.Block.box(-1, 1),
        st.Block.box(-1, 1),
        st.Block.bilateral(1),
    ]
    problem = st.ContactProblem(2 * np.eye(5), [-1, 1, -1, -9, 1], blocks=blocks, dt=1e-3)
    d = st.derivatives(problem, [0.5, 0, 0.5, 1, -0.5])
    assert d.modes == ["stick", "break", "stick", "bound", "stick"] and not d.boundary.any()
    dimpulse, dvelocity = d.jvp(dg=np.ones(5))
    assert np.allclose(dimpulse, [-0.5, 0, -0.5, 0, -0.5], atol=1e-15)
    assert np.allclose(dvelocity, [0, 1, 0, 1, 0], atol=1e-15)


def test_problem_of_the_caller_is_not_touched():
    data = random_problem(0, "coulomb")
    problem, impulse, _ = solution(data)
    before = problem.G.copy(), problem.g.copy(), problem.mu.copy()
    d = st.derivatives(problem, impulse)
    first = d.jvp(dg=np.ones(12))
    d.vjp(np.ones(12))
    assert all(np.array_equal(a, b) for a, b in zip(before, (problem.G, problem.g, problem.mu), strict=True))
    assert np.array_equal(first, d.jvp(dg=np.ones(12)))
    del problem
    assert np.array_equal(first, d.jvp(dg=np.ones(12))), "it keeps its own copy"


def test_wrong_input_is_refused_by_name():
    problem, impulse, _ = solution(random_problem(0, "coulomb"))
    for wrong, words in [
        (lambda: st.derivatives(problem, impulse[:-1]), "derivatives.impulse has size 11, expected 12"),
        (lambda: st.derivatives(problem, np.full(12, np.nan)), r"derivatives.impulse\[0\] is nan"),
        (
            lambda: st.derivatives(problem, impulse + 1e-2),
            "derivatives.impulse is no solution: the judge finds natural=",
        ),
        (lambda: st.derivatives(problem.with_law("pyramid"), impulse), "law 'pyramid'"),
        (lambda: st.derivatives(problem, impulse, tolerance=0), "derivatives.tolerance is 0"),
        (lambda: st.derivatives(problem, impulse, boundary_threshold=-1), "derivatives.boundary_threshold is -1"),
    ]:
        with pytest.raises(st.InvalidInput, match=words):
            wrong()
    d = st.derivatives(problem, impulse)
    for wrong, words in [
        (lambda: d.jvp(dg=np.ones(5)), "jvp.dg has size 5, expected 12"),
        (lambda: d.jvp(dG=np.ones((12, 11))), r"jvp.dG has shape \(12, 11\), expected \(12, 12\)"),
        (lambda: d.jvp(dmu=np.ones(3)), "jvp.dmu has size 3, expected 4"),
        (lambda: d.jvp(dR=[np.inf] * 12), r"jvp.dR\[0\] is inf"),
        (lambda: d.vjp(np.ones(2)), "vjp.cotangent has size 2, expected 12"),
        (lambda: d.vjp(), "vjp needs a cotangent"),
    ]:
        with pytest.raises(st.InvalidInput, match=words):
            wrong()
