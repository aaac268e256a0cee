# SPDX-License-Identifier: BSD-2-Clause
"""StarlETH on four point feet under static joint torques. Oracle: an independent implementation of Gehring et al. 2014 (bounds, iteration
counts, drift at three postures) and two identities: the Schur complement of the cut joints' rows is G of minimal coordinates, and the
bound 2 / lambda_max is where JOR stops to converge."""

from __future__ import annotations

import numpy as np
import pytest

import stiction as st
from stiction.papers.moreau import legs, spectrum

PITCHES = (0.4, 0.75, 1.0)
BOUNDS = {  # coordinates, direct: alpha_max at the three postures
    ("minimal", False): (1.115, 1.119, 1.110),
    ("extended", False): (1.051, 1.047, 1.042),
    ("extended", True): (1.128, 1.132, 1.125),
    ("maximal", False): (0.764, 0.750, 0.757),
    ("maximal", True): (1.740, 1.848, 2.030),
}
ALPHAS = (0.2, 0.4, 0.6, 0.8, 1.0, 1.1, 1.2, 1.4, 1.6, 1.8)
X, ANY = None, -1  # no convergence; not published
ITERATIONS = {  # coordinates, direct, method: iterations over ALPHAS
    ("minimal", False, "jor"): (179, 96, 66, 50, 48, 248, X, X, X, X),
    ("minimal", False, "sor"): (179, 96, 66, 50, 50, 277, X, X, X, X),
    ("extended", True, "jor"): (181, 97, 66, 50, 45, 169, X, X, X, X),
    ("extended", True, "sor"): (181, 97, 66, 50, 46, 185, X, X, X, X),
    ("extended", False, "jor"): (221, 120, 83, 64, 52, ANY, X, X, X, ANY),
    ("extended", False, "sor"): (213, 110, 72, 52, 48, ANY, X, X, X, ANY),
    ("maximal", True, "jor"): (283, 154, 107, 82, 67, 61, 56, 49, 44, 187),
    ("maximal", True, "sor"): (283, 154, 107, 82, 67, 61, 56, 49, 44, 205),
    ("maximal", False, "jor"): (389, 211, 146, 113, X, ANY, X, X, X, ANY),
    ("maximal", False, "sor"): (371, 191, 126, 94, 74, ANY, 61, 51, 93, ANY),
}


def test_four_legs_are_starleth() -> None:
    """The generator against models/starleth.urdf: same mass, same inertia about the trunk with all joints at zero."""
    ours, file = st.World(), st.World()
    ours.add_urdf_text(legs.urdf(4))
    file.add_urdf(st._core.model_path("starleth.urdf"))
    a, b = st.Simulator(ours), st.Simulator(file)
    assert a.mass == pytest.approx(26.82, abs=1e-12)
    np.testing.assert_allclose(a.mass_matrix()[:6, :6], b.mass_matrix()[:6, :6], atol=1e-12)
    assert sorted(np.diag(a.mass_matrix())) == pytest.approx(sorted(np.diag(b.mass_matrix())), abs=1e-12)


@pytest.mark.parametrize("coordinates", ["extended", "maximal"])
@pytest.mark.parametrize("pitch", PITCHES)
def test_schur_complement_is_minimal(coordinates: str, pitch: float) -> None:
    minimal = legs.standing_problem("minimal", pitch=pitch)
    other = legs.standing_problem(coordinates, pitch=pitch)
    assert other.rows - minimal.rows == {"extended": 20, "maximal": 60}[coordinates]
    np.testing.assert_allclose(spectrum.schur(other), minimal.G, atol=1e-12)


def test_delassus_of_a_foot() -> None:
    for pitch, diagonal in zip(
        PITCHES, [(3.426, 14.437, 3.512), (6.867, 10.908, 3.237), (8.732, 9.028, 2.906)], strict=True
    ):
        t1, t2, n = np.diag(legs.standing_problem(pitch=pitch).G)[:3]
        assert (n, t1, t2) == pytest.approx(diagonal, abs=1e-3)


@pytest.mark.parametrize(("coordinates", "direct"), BOUNDS)
def test_starleth_spectrum(coordinates: str, direct: bool) -> None:
    for pitch, bound in zip(PITCHES, BOUNDS[coordinates, direct], strict=True):
        problem = legs.standing_problem(coordinates, pitch=pitch)
        assert spectrum.alpha_max(problem, direct=direct) == pytest.approx(bound, abs=0.001)


@pytest.mark.parametrize(("coordinates", "below", "above"), [("minimal", 1.115, 1.125), ("maximal", 0.74, 0.76)])
def test_the_bound_is_where_jor_stops_to_converge(coordinates: str, below: float, above: float) -> None:
    """From a start without symmetries; the load itself may not excite the unstable mode."""
    problem = legs.standing_problem(coordinates)
    impulse, _ = st.solve(problem, "jor", alpha=0.6)
    start = impulse + 1e-4 * np.random.default_rng(0).uniform(-1.0, 1.0, problem.rows)
    assert spectrum.iterate(problem, "jor", below, warm_start=start, tolerance=1e-9).converged
    assert not spectrum.iterate(problem, "jor", above, warm_start=start, tolerance=1e-9).converged


@pytest.mark.parametrize(("coordinates", "direct", "method"), ITERATIONS)
def test_starleth_iterations(coordinates: str, direct: bool, method: str) -> None:
    problem = legs.standing_problem(coordinates)
    for alpha, wanted in zip(ALPHAS, ITERATIONS[coordinates, direct, method], strict=True):
        if wanted is ANY:
            continue
        outcome = spectrum.iterate(problem, method, alpha, direct=direct)
        if wanted is X:
            assert not outcome.converged, (alpha, outcome.iterations)
        else:
            assert outcome.converged and abs(outcome.iterations - wanted) <= 1, (alpha, outcome.iterations, wanted)


def micrometres_per_minute(velocity: np.ndarray) -> np.ndarray:
    return 60e6 * velocity


@pytest.mark.parametrize(("dt", "sinking"), [(2.5e-3, (316, 625, 728)), (1.25e-3, (304, 636, 707))])
def test_starleth_drift(dt: float, sinking: tuple[float, ...]) -> None:
    for pitch, wanted in zip(PITCHES, sinking, strict=True):
        velocity = spectrum.foot_drift(legs.standing_problem(pitch=pitch, dt=dt), steps=40)
        assert -micrometres_per_minute(velocity).mean() == pytest.approx(wanted, rel=0.005)


def test_a_warm_start_does_not_drift() -> None:
    velocity = spectrum.foot_drift(legs.standing_problem(), steps=840, warm=True)
    assert np.abs(micrometres_per_minute(velocity[800:])).max() < 1e-3


@pytest.mark.parametrize(("cold", "sinking", "band"), [(True, 625.0, 6.0), (False, 0.0, 5.0)])
def test_the_stepper_sinks_as_predicted(cold: bool, sinking: float, band: float) -> None:
    """Stepper moreau itself, geometry not frozen: gaps of the feet over 0.2 s of standing under static torques."""
    sim = st.Simulator(
        legs.standing_world(), stepper="moreau", dt=legs.DT, solver="jor",
        solver_options=dict(alpha=0.6, stop="change", tolerance=1e-3, cold_start=cold),
    )  # fmt: skip
    tau = legs.static_torque()
    sim.step(tau, n=20)
    before = sim.contacts()["gap"].mean()
    sim.step(tau, n=80)
    rate = micrometres_per_minute((before - sim.contacts()["gap"].mean()) / (80 * legs.DT))
    assert rate == pytest.approx(sinking, abs=band)


def test_more_legs() -> None:
    rows = legs.scaling((4, 8), methods=("jor",), repeat=1)
    assert [r["dof"] for r in rows] == [18, 38, 38, 78, 78, 30, 70, 70, 150, 150]
    assert all(r["converged"] for r in rows)
    carried = st.Simulator(legs.standing_world(8))
    assert carried.mass == pytest.approx(2 * 26.82)
    with pytest.raises(ValueError, match="legs is 5"):
        legs.urdf(5)
