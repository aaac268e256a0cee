# SPDX-License-Identifier: BSD-2-Clause
"""interior_point on FCLIB files. Oracle: iteration counts measured by an independent prototype. Convex objectives: test_targets.py."""

import numpy as np
import pytest

import stiction as st

pytest.importorskip("h5py")

COUNTS = {
    "Rover1039": 8, "Rover1041": 8, "Rover11035": 8, "Rover4144": 8, "Rover4493": 8, "Rover4609": 9, "Rover4613": 8,
    "Rover4622": 8, "BoxesStack1-i100000-32": 9, "OneObject-i1028-138": 13, "OneObject-i100000-316": 13,
    "Spheres-i099-356-679": 19,
}  # fmt: skip


@pytest.mark.parametrize("name", COUNTS)
def test_nipm_iterations(third_party, name):
    problem = st.fclib.load(third_party / "fclib" / f"{name}.hdf5")
    _, report = st.solve(problem, solver="interior_point", tolerance=1e-6)
    assert report.status == "converged"
    assert report.path == "interior_point"
    assert report.iterations <= COUNTS[name] + 2
    assert name.startswith("Rover") or report.iterations >= COUNTS[name] - 2  # those of the Rovers are upper bounds


@pytest.mark.parametrize(("name", "counts"), [("gen_stack_20", (6, 7, 8, 9)), ("gen_stack_push_20", (10, 11, 12, 13))])
def test_nipm_sparse_equals_dense(third_party, name, counts):
    sparse = st.fclib.load(third_party / "fclib" / f"{name}.hdf5")
    dense = st.ContactProblem(np.asarray(sparse.G), sparse.g, mu=sparse.mu)
    for tolerance, expected in zip((1e-4, 1e-6, 1e-8, 1e-10), counts, strict=True):
        for problem in (sparse, dense):
            _, report = st.solve(problem, solver="interior_point", tolerance=tolerance)
            assert report.status == "converged"
            assert abs(report.iterations - expected) <= 1


@pytest.mark.parametrize("tolerance", [1e-8, 1e-12])
def test_files_up_to_400_contacts_are_solved(third_party, tolerance):
    for path in sorted((third_party / "fclib").glob("*.hdf5")):
        problem = st.fclib.load(path)
        if len(problem.mu) <= 400:
            _, report = st.solve(problem, solver="interior_point", tolerance=tolerance)
            assert report.status == "converged", (path.name, report.status, report.own.b3)
