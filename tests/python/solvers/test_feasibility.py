# SPDX-License-Identifier: BSD-2-Clause
"""Proofs that a problem can or cannot be solved, and the note of the contacts to blame.

Oracles: SciPy's linear programs (HiGHS) on H with G = H H^T, which the code under test never sees; the definitions of certificate,
witness and jam, checked with NumPy; cases worked out by hand.
"""

import json
import subprocess
import sys

import numpy as np
import pytest

import stiction as st

linprog = pytest.importorskip("scipy.optimize").linprog
sparse = pytest.importorskip("scipy.sparse")

KINDS = ("coulomb", "coulomb", "coulomb", "unilateral", "bilateral", "box")
BAND = 1e-7  # margins of the linear program below this, relative, are left out: its own tolerance is 1e-7


class Rows:
    """Random rows H of the kinds above, some of them planted so that they press against each other."""

    def __init__(self, rng, contacts):
        self.kinds = list(rng.choice(KINDS, size=contacts))
        self.mu = rng.choice([0.0, 0.3, 0.8, 1.5], size=contacts)
        sizes = [3 if kind == "coulomb" else 1 for kind in self.kinds]
        self.start = np.concatenate([[0], np.cumsum(sizes)])
        rows = int(self.start[-1])
        velocities = int(rng.integers(1, max(2, rows)))
        self.H = rng.standard_normal((rows, velocities)) * 10 ** rng.uniform(-1, 1, (rows, 1))
        self.g = rng.standard_normal(rows) * np.linalg.norm(self.H, axis=1)
        self.one_sided = [self.last(i) for i, kind in enumerate(self.kinds) if kind in ("coulomb", "unilateral")]
        self.joints = [self.last(i) for i, kind in enumerate(self.kinds) if kind == "bilateral"]

    def last(self, i):
        """The normal row of a contact, the row of anything else."""
        return int(self.start[i + 1]) - 1

    def make_feasible(self, rng):
        """A velocity that keeps a distance from every constraint."""
        self.g = -self.H @ rng.standard_normal(self.H.shape[1])
        for row in self.one_sided:
            self.g[row] += rng.uniform(0.01, 1) * np.linalg.norm(self.H[row])

    def make_infeasible(self, rng):
        """The last one-sided row opposes a random combination of the others, and they close."""
        if len(self.one_sided) < 2:
            return
        *others, last = self.one_sided
        chosen = rng.choice(others, size=int(rng.integers(1, min(4, len(others)) + 1)), replace=False)
        weights = rng.uniform(0.2, 1, chosen.size)
        self.H[last] = -weights @ self.H[chosen]
        self.g[last] = -weights @ self.g[chosen] - rng.uniform(0.01, 1) * np.linalg.norm(self.H[last])

    def problem(self, as_sparse=False):
        make = {"coulomb": st.Block.coulomb, "unilateral": lambda _: st.Block.unilateral(), "bilateral": lambda _: st.Block.bilateral(),
                "box": lambda _: st.Block.box(-1.0, 1.0)}  # fmt: skip
        G = self.H @ self.H.T
        return st.ContactProblem(
            sparse.csr_matrix(G) if as_sparse else G,
            self.g,
            blocks=[make[kind](mu) for kind, mu in zip(self.kinds, self.mu, strict=True)],
        )

    def largest_margin(self):
        """max t: every one-sided row opens at t, joints stay; in units of the rows. None: the joints contradict each other."""
        length = np.linalg.norm(self.H, axis=1)
        scaled, g = self.H / length[:, None], self.g / length
        cost = np.zeros(self.H.shape[1] + 1)
        cost[-1] = -1.0
        inequality = np.hstack([-scaled[self.one_sided], np.ones((len(self.one_sided), 1))])
        equality = np.hstack([scaled[self.joints], np.zeros((len(self.joints), 1))])
        found = linprog(
            cost, A_ub=inequality, b_ub=g[self.one_sided], A_eq=equality, b_eq=-g[self.joints],
            bounds=[(None, None)] * self.H.shape[1] + [(-1e3, 1.0)], method="highs",
        )  # fmt: skip
        return None if found.status == 2 else float(found.x[-1])


def check_proof(rows, problem, found):
    """What is claimed holds by its definition, and nothing is left without a reason."""
    G, g, length = rows.H @ rows.H.T, rows.g, np.linalg.norm(rows.H, axis=1)
    if found.verdict == "infeasible":
        y = found.certificate
        free = np.setdiff1d(np.arange(g.size), [*rows.one_sided, *rows.joints])
        assert np.all(y[rows.one_sided] >= 0) and np.all(y[free] == 0)
        assert np.linalg.norm(rows.H.T @ y) <= 1e-6 * np.sum(length * np.abs(y))  # the root of what is allowed to G y
        assert g @ y < 0 and found.closing_speed == pytest.approx(-g @ y)
        assert found.leak <= 1e-11 and found.push >= 1e-9
    elif found.verdict == "feasible":
        scale = max(np.abs(found.velocity).max(), np.abs(g).max())
        assert np.allclose(G @ found.impulse + g, found.velocity, atol=1e-9 * scale)
        for i, kind in enumerate(rows.kinds):
            u = found.velocity[rows.start[i] : rows.start[i + 1]]
            if kind == "coulomb":
                assert u[2] > rows.mu[i] * np.hypot(u[0], u[1])
            elif kind == "unilateral":
                assert u[0] > 0
            elif kind == "bilateral":
                assert abs(u[0]) <= 1e-9 * scale
    else:
        y = found.jammed
        assert y is not None and np.abs(y).max() > 0
        assert np.linalg.norm(G @ y / length) <= 1e-10 * np.sum(length * np.abs(y))
        for i, kind in enumerate(rows.kinds):
            part = y[rows.start[i] : rows.start[i + 1]]
            if kind == "coulomb":
                assert np.hypot(part[0], part[1]) <= rows.mu[i] * part[2] * (1 + 1e-9) + 1e-15


def test_agrees_with_linear_programs_on_500_problems():
    rng = np.random.default_rng(2024)
    seen = {"feasible": 0, "infeasible": 0, "undecided": 0}
    left_out = 0
    for trial in range(500):
        rows = Rows(rng, int(rng.integers(1, 30)))
        if trial % 3 == 0:
            rows.make_feasible(rng)
        elif trial % 3 == 1:
            rows.make_infeasible(rng)
        margin = rows.largest_margin()
        problem = rows.problem(as_sparse=trial % 2 == 1)
        found = st.check_feasibility(problem)
        if margin is not None and abs(margin) <= BAND:
            left_out += 1
            continue
        seen[found.verdict] += 1
        assert (found.verdict == "infeasible") == (margin is None or margin < 0), (trial, margin, found)
        check_proof(rows, problem, found)
    assert left_out <= 5
    assert min(seen.values()) >= 20, seen


def squeezed(left=0.12, right=0.05, mu=0.5, extra=0):
    """A box of 2 kg that can translate, between two walls that close in; `extra` contacts with the ground."""
    x, y, z = np.eye(3)
    J = np.vstack([[y, z, x], [z, y, -x], *[[x, y, z]] * extra])
    return st.ContactProblem(J @ J.T / 2, [0, 0, -left, 0, 0, -right, *[0, 0, -0.2] * extra], mu=mu)


@pytest.mark.parametrize("mu", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("law", ["coulomb", "convex", "pyramid", "raisim"])
def test_squeezed_under_every_law(law, mu):
    problem = squeezed(mu=mu).with_law(law)
    impulse, report = st.solve(problem)
    assert report.status != "converged" and np.isfinite(impulse).all()
    diagnosis = st.diagnose(problem, impulse)
    assert diagnosis.verdict == "infeasible" and diagnosis.blocks == [0, 1]
    assert diagnosis.closing_speed == pytest.approx(0.085)


@pytest.mark.parametrize("scale_G", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("scale_g", [1e-6, 1.0, 1e6])
def test_scales_do_not_matter(scale_G, scale_g):
    base = squeezed(extra=2)
    problem = st.ContactProblem(scale_G * base.G, scale_g * base.g, mu=0.5)
    diagnosis = st.diagnose(problem, np.zeros(12))
    assert diagnosis.verdict == "infeasible" and diagnosis.blocks == [0, 1]
    assert diagnosis.closing_speed == pytest.approx(0.085 * scale_g)


def test_a_gripper_that_holds_is_solved_and_not_blamed():
    problem = squeezed(left=0.0, right=0.0)
    assert st.check_feasibility(problem).verdict == "undecided"
    impulse, report = st.solve(problem)
    assert report.status == "converged" and st.diagnose(problem, impulse).verdict == "solved"


def test_diagnosis_in_words_and_as_json():
    problem = squeezed(extra=1)
    diagnosis = st.diagnose(problem, np.zeros(9))
    assert diagnosis.sentence.startswith(
        "contacts 0 and 1 push against each other: closing speed 0.085 m/s cannot be stopped"
    )
    assert diagnosis.sentence in repr(diagnosis)
    told = json.loads(json.dumps(diagnosis.to_dict()))
    assert told["verdict"] == "infeasible" and told["blocks"] == [0, 1]
    assert told["wedges"] == [{"blocks": [0, 1], "inside": True, "closing": pytest.approx(0.17)}]
    assert {o["component"] for o in told["violations"]} == {"penetration"}
    assert diagnosis.y[[2, 5]] == pytest.approx([0.5, 0.5]) and not diagnosis.residual.accepted


def test_worst_contact_of_an_unfinished_solve():
    """One body on four contacts; the impulse is right but for one contact that carries too much friction."""
    rng = np.random.default_rng(1)
    J = rng.standard_normal((12, 20))
    problem = st.ContactProblem(J @ J.T, rng.standard_normal(12), mu=0.5)
    impulse, report = st.solve(problem)
    assert report.status == "converged"
    impulse[6] += 5.0 * np.abs(impulse).max()
    diagnosis = st.diagnose(problem, impulse)
    assert (
        diagnosis.verdict == "unsolved" and diagnosis.blocks[0] == 2 and diagnosis.violations[0]["component"] == "cone"
    )
    assert "a solution exists" in diagnosis.sentence and "contact 2" in diagnosis.sentence


def test_wrong_input_is_refused():
    problem = squeezed()
    with pytest.raises(ValueError, match=r"diagnose.impulse"):
        st.diagnose(problem, np.zeros(5))
    with pytest.raises(ValueError, match=r"diagnose.impulse"):
        st.diagnose(problem, np.full(6, np.nan))
    with pytest.raises(ValueError, match="tolerance"):
        st.diagnose(problem, np.zeros(6), tolerance=0.0)
    lcp = st.ContactProblem.lcp([[0.0]], [-1.0])
    assert st.check_feasibility(lcp).verdict == "undecided"
    assert st.diagnose(lcp, [0.0]).verdict == "undecided"


def test_command_line_says_why(tmp_path):
    st.siconos.save(tmp_path / "squeezed.dat", squeezed())
    command = [sys.executable, "-m", "stiction.cli", "solve", "squeezed.dat"]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert told.returncode == 1 and "squeezed.dat: contacts 0 and 1 push against each other" in told.stdout
    (result,) = json.loads(
        subprocess.run([*command, "--json"], cwd=tmp_path, capture_output=True, text=True, timeout=600).stdout
    )
    assert result["diagnosis"]["verdict"] == "infeasible" and result["diagnosis"]["blocks"] == [0, 1]
