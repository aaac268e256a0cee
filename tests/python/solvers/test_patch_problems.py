# SPDX-License-Identifier: BSD-2-Clause
"""Problems with patches: contacts that resist spin and roll. Oracles: a judge in NumPy written from docs/notation.md alone, central
differences, closed forms, the same problem with blocks of three rows."""

import numpy as np
import pytest

import stiction as st

DT = 1e-3
SOLVERS = {"coulomb": ["auto", "nsgs", "pgs", "admm", "interior_point", "apgd"], "convex": ["auto", "pgs", "admm", "interior_point", "apgd"]}  # fmt: skip
REFUSE = sorted(e.name for e in st.catalog()["solvers"] if e.name not in SOLVERS["coulomb"])


def arms(block):
    """Of all rows but the last: T1, T2, then spin and roll."""
    turn = {4: [block.spin_arm], 5: 2 * [block.roll_arm], 6: [block.spin_arm, block.roll_arm, block.roll_arm]}
    return np.array([1.0, 1.0, *turn[block.size]])


def random_blocks(rng, count):
    """Contacts, patches of every size, limits and dry friction of joints."""
    out = []
    for _ in range(count):
        mu, spin, roll = rng.uniform(0.2, 1.0), 10 ** rng.uniform(-3.0, 0.0), 10 ** rng.uniform(-4.0, 0.0)
        kind = rng.integers(7)
        if kind == 0:
            out.append(st.Block.coulomb(mu))
        elif kind < 5:
            out.append(st.Block.patch(mu, (4, 5, 6, 6)[kind - 1], spin_arm=spin, roll_arm=roll))
        else:
            out.append(st.Block.unilateral() if kind == 5 else st.Block.box(-0.1, 0.1, angular=True))
    return out


def scales(blocks):
    return np.concatenate([arms(b).tolist() + [1.0] if b.kind == "patch" else np.ones(b.size) for b in blocks])


def random_problem(rng, law="coulomb", share=0.9):
    """G = J J' of bodies with `share` as many velocities as rows; some velocity opens everything, so that there is a solution."""
    blocks = random_blocks(rng, rng.integers(1, 6))
    rows = sum(b.size for b in blocks)
    J = rng.uniform(-1, 1, (rows, max(3, int(share * rows)))) * scales(blocks)[:, None]
    return st.ContactProblem(J @ J.T, 0.1 * J @ rng.uniform(-1, 1, J.shape[1]), blocks=blocks, law=law, dt=DT)


def project(x, mu):
    """On the cone |x_T| <= mu x_N, N last."""
    n, z = np.linalg.norm(x[:-1]), x[-1]
    if mu * n <= -z:
        return 0.0 * x
    if n <= mu * z:
        return x
    height = (mu * n + z) / (1 + mu * mu)
    return np.append(mu * height / n * x[:-1], height)


def judged(problem, impulse, law):
    """Largest error over what docs/notation.md allows."""
    u = problem.G @ impulse + problem.g
    parts, turning = [], []
    i = 0
    for b in problem.blocks:
        rows = slice(i, i := i + b.size)
        x, v, g, W = impulse[rows], u[rows].copy(), problem.g[rows], problem.G[rows, rows]
        rho = b.size / np.trace(W)
        if b.kind in ("coulomb", "patch"):
            if law == "coulomb":
                v[-1] += b.mu * np.linalg.norm(v[:-1])
            primal, dual = np.linalg.norm(x - project(x, b.mu)), np.linalg.norm(v - project(v, 1 / b.mu))
            natural, power = np.linalg.norm(x - project(x - rho * v, b.mu)), abs(x @ v)
        else:
            lo, hi = (0.0, np.inf) if b.kind == "unilateral" else (b.lo, b.hi)
            primal = natural = abs(x[0] - np.clip(x[0] - rho * v[0], lo, hi))
            dual, power = max(0.0, -v[0]) if b.kind == "unilateral" else 0.0, 0.0
        parts.append(
            (
                b.angular,
                np.linalg.norm(x),
                max(np.linalg.norm(u[rows]), np.linalg.norm(g)),
                primal,
                dual,
                natural,
                power,
            )
        )
        if b.kind == "patch":
            beta = np.linalg.norm(u[rows][:-1]) / (b.mu * x[-1]) if x[-1] > 0 else 0.0
            for k in range(2, b.size - 1):
                arm = arms(b)[k]
                error = min(abs(v[k]), abs(v[k] + beta * x[k])) / arm if x[-1] > 0 else 0.0
                turning.append((error, max(abs(v[k]), abs(g[k])) / arm, 2 * beta / arm))
    worst, S_p = 0.0, {}
    for angular in (False, True):
        own = np.array([p[1:] for p in parts if p[0] == angular])
        if not len(own):
            continue
        S_p[angular], S_d = own[:, 0].max() / DT, own[:, 1].max()
        worst = max(worst, own[:, [2, 4]].max() / DT / (1e-6 + 1e-8 * S_p[angular]))
        worst = max(
            worst, own[:, 3].max() / (1e-9 + 1e-8 * S_d), own[:, 5].max() / DT / (1e-9 + 1e-8 * S_p[angular] * S_d)
        )
    spin = max((t[1] for t in turning), default=0.0)
    blur = (1e-6 + 1e-8 * S_p.get(False, 0.0)) * DT
    return max([worst] + [e / (1e-9 + 1e-8 * spin + blur * b) for e, _, b in turning])


def solve_and_judge(seeds):
    """Every solver on every problem: what it calls converged is a solution. Returns the share that converged per solver."""
    found = {}
    for seed in seeds:
        rng = np.random.default_rng(seed)
        law = "convex" if seed % 3 == 0 else "coulomb"
        problem = random_problem(rng, law, share=0.9 if seed % 2 else 0.6)
        for solver in SOLVERS[law] if seed % 10 == 0 else ["auto", SOLVERS[law][1 + seed % (len(SOLVERS[law]) - 1)]]:
            impulse, report = st.solve(problem, solver)
            assert np.isfinite(impulse).all()
            found.setdefault(solver, []).append(report.status == "converged")
            if report.status == "converged":
                assert judged(problem, impulse, law) <= 1.0 + 1e-6, (seed, solver, law)
    return {name: np.mean(x) for name, x in found.items()}


def test_what_is_called_converged_is_a_solution():
    share = solve_and_judge(range(300))
    assert share["auto"] == 1.0 and all(x > 0.9 for x in share.values()), share


@pytest.mark.full
def test_ten_thousand_problems():
    share = solve_and_judge(range(300, 10_300))
    assert share["auto"] > 0.999 and all(x > 0.9 for x in share.values()), share


def test_the_judge_in_numpy_can_say_no():
    rng = np.random.default_rng(1)
    problem = random_problem(rng)
    impulse, _ = st.solve(problem)
    assert judged(problem, impulse, "coulomb") <= 1.0 < judged(problem, 1.0001 * impulse, "coulomb")
    assert st.evaluate(problem, impulse).ratio <= 1.0 < st.evaluate(problem, 1.0001 * impulse).ratio


def test_small_arms_do_not_hide_spin():
    """1e-8 m/s at an arm of 0.1 mm are 1e-4 rad/s: the judge says so, in rad/s."""
    G = np.diag([1.0, 1.0, 1e-4, 1.0])
    problem = st.ContactProblem(G, [0, 0, 1e-8, -1.0], blocks=[st.Block.patch(0.5, 4, spin_arm=1e-4)], dt=DT)
    assert st.evaluate(problem, [0, 0, 0, 1.0]).dual == pytest.approx(1e-4, rel=1e-9)
    assert st.evaluate(problem, [0, 0, 0, 1.0]).ratio > 1.0 >= st.evaluate(problem, [0, 0, -1e-4, 1.0]).ratio


@pytest.mark.parametrize("law", ["coulomb", "convex"])
def test_all_solvers_find_the_only_answer(law):
    """Compliance makes the solution unique for the convex law, and with little friction for Coulomb's."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        blocks = [st.Block.patch(rng.uniform(0.05, 0.2), int(n), spin_arm=rng.uniform(0.1, 1), roll_arm=rng.uniform(0.1, 1)) for n in rng.integers(4, 7, 3)]  # fmt: skip
        rows = sum(b.size for b in blocks)
        J = rng.uniform(-1, 1, (rows, rows + 3)) * scales(blocks)[:, None]
        problem = st.ContactProblem(
            J @ J.T + 0.1 * np.eye(rows), rng.uniform(-1, 1, rows), blocks=blocks, law=law, dt=DT
        )
        answers = [st.solve(problem, s, tolerance=1e-11, max_iterations=20_000) for s in SOLVERS[law]]
        assert all(r.status == "converged" for _, r in answers), [(r.path, r.status) for _, r in answers]
        for x, report in answers[1:]:
            assert np.abs(x - answers[0][0]).max() <= 1e-7 * np.abs(answers[0][0]).max(), report.path


@pytest.mark.parametrize(
    ("law", "solver"),
    [("coulomb", "nsgs"), *((law, s) for law in ("coulomb", "convex") for s in ("pgs", "admm", "interior_point"))],
)
def test_rows_that_nothing_turns_change_nothing(law, solver):
    """Rows of spin and roll without coupling and velocity: T and N are those of a contact of three rows."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        A = rng.uniform(-1, 1, (3, 3))
        W, g, mu = (
            A @ A.T + 0.1 * np.eye(3),
            np.append(rng.uniform(-1, 1, 2), -rng.uniform(0.1, 1)),
            rng.uniform(0.1, 0.5),
        )
        at = [0, 1, 5]
        G, h = np.diag(np.full(6, 0.3)), np.zeros(6)
        G[np.ix_(at, at)], h[at] = W, g
        few, _ = st.solve(st.ContactProblem(W, g, mu=mu, law=law, dt=DT), "auto", tolerance=1e-12)
        many, report = st.solve(
            st.ContactProblem(G, h, blocks=[st.Block.patch(mu, 6)], law=law, dt=DT), solver, tolerance=1e-12
        )
        assert report.own.ratio < 1e4
        assert np.abs(many[at] - few).max() <= 1e-7 * np.abs(few).max() and np.abs(many[2:5]).max() <= 1e-7 * few[2]


def test_spin_alone():
    """One row of spin slides at mu lambda_N against its velocity, or sticks; together with slip the two share the cone."""
    G, block = np.diag([1.0, 1.0, 2.0, 1.0]), [st.Block.patch(0.5, 4, spin_arm=0.1)]

    def solve(*g):
        return st.solve(st.ContactProblem(G, g, blocks=block, dt=DT))[0]

    assert solve(0, 0, 3.0, -1.0) == pytest.approx([0, 0, -0.5, 1.0], abs=1e-12)
    assert solve(0, 0, 0.6, -1.0) == pytest.approx([0, 0, -0.3, 1.0], abs=1e-12)
    both = solve(3.0, 0, 3.0, -1.0)
    assert np.hypot(both[0], both[2]) == pytest.approx(0.5, rel=1e-12)
    u = G @ both + [3.0, 0, 3.0, -1.0]
    assert u[0] / u[2] == pytest.approx(both[0] / both[2], rel=1e-10)


@pytest.mark.parametrize("law", ["coulomb", "convex"])
def test_derivatives(law):
    """Against central differences, and the adjoint against the forward product."""
    tested, worst, h = set(), 0.0, 1e-6
    for seed in range(12):
        rng = np.random.default_rng(seed)
        blocks = [st.Block.patch(rng.uniform(0.1, 0.6), int(n)) for n in rng.integers(4, 7, 3)] + [
            st.Block.coulomb(0.4)
        ]
        rows = sum(b.size for b in blocks)
        J = 0.3 * rng.uniform(-1, 1, (rows, rows + 4))
        G, g = J @ J.T + 0.05 * np.eye(rows), rng.uniform(-0.4, 0.4, rows)
        normals = np.cumsum([b.size for b in blocks]) - 1
        g[normals] = rng.uniform(-1.2, 0.3, 4)
        dG, dg, dmu = rng.uniform(-1, 1, (rows, rows)), rng.uniform(-1, 1, rows), rng.uniform(-1, 1, 4)
        dG = 0.1 * (dG + dG.T)

        def solution(t):
            moved = [st.Block.patch(b.mu + t * m, b.size) if b.kind == "patch" else st.Block.coulomb(b.mu + t * m) for b, m in zip(blocks, dmu, strict=True)]  # fmt: skip  # noqa: B023
            problem = st.ContactProblem(G + t * dG, g + t * dg, blocks=moved, law=law, dt=DT)  # noqa: B023
            impulse, _ = st.solve(problem, "interior_point", tolerance=1e-13)
            impulse, _ = st.solve(problem, "admm", tolerance=1e-14, warm_start=impulse)
            return problem, impulse

        problem, impulse = solution(0.0)
        d = st.derivatives(problem, impulse, boundary_threshold=1e-3)
        if d.boundary.any():
            continue
        forward = d.jvp(dg=dg, dG=dG, dmu=dmu)
        dx = forward[0] if isinstance(forward, tuple) else forward
        difference = (solution(h)[1] - solution(-h)[1]) / (2 * h)
        worst = max(worst, np.abs(dx - difference).max() / np.abs(difference).max())
        tested |= set(d.modes)
        bar = rng.uniform(-1, 1, rows)
        back = d.vjp(bar)
        assert bar @ dx == pytest.approx(back.g @ dg + np.sum(back.G * dG) + back.mu @ dmu, rel=1e-9)
    assert worst < 1e-5 and {"stick", "slide", "break"} <= tested, (worst, tested)


@pytest.mark.parametrize("solver", REFUSE)
def test_others_refuse_by_name(solver):
    problem = st.ContactProblem(np.eye(4), [0, 0, 0, -1.0], blocks=[st.Block.patch(0.5, 4)], law="convex" if solver in ("newton", "staggered") else "coulomb", dt=DT)  # fmt: skip
    with pytest.raises(ValueError, match=f"solver '{solver}' .*(spin and roll|solves)"):
        st.solve(problem, solver)


@pytest.mark.parametrize(
    ("block", "law", "words"),
    [
        (st.Block.patch(0.5, 3), "coulomb", r"blocks\[0\].size is 3, expected 4"),
        (st.Block.patch(0.5, 7), "coulomb", r"blocks\[0\].size is 7, expected 4"),
        (st.Block.patch(0.0, 4), "coulomb", r"blocks\[0\].mu\) is 0, expected a finite number > 0"),
        (st.Block.patch(0.5, 4, spin_arm=0.0), "coulomb", r"spin_arm is 0, expected a finite length > 0"),
        (st.Block.patch(0.5, 6, roll_arm=-1.0), "coulomb", r"roll_arm is -1, expected a finite length > 0"),
        (st.Block.patch(0.5, 4), "pyramid", r"law is pyramid, expected coulomb or convex: blocks\[0\] is a patch"),
    ],
)
def test_bad_blocks(block, law, words):
    with pytest.raises(ValueError, match=words):
        st.ContactProblem(np.eye(block.size), np.zeros(block.size), blocks=[block], law=law)


def test_files_refuse_what_they_cannot_hold(tmp_path):
    problem = st.ContactProblem(np.eye(4), [0, 0, 0, -1.0], blocks=[st.Block.patch(0.5, 4)], dt=DT)
    impulse, _ = st.solve(problem)
    with pytest.raises(ValueError, match="spin and roll; the format holds contacts of three rows"):
        st.fclib.save(tmp_path / "patch.hdf5", problem, impulse)
    with pytest.raises(ValueError, match="blocks are patch; the format knows contacts"):
        st.siconos.save(tmp_path / "patch.dat", problem)
