# SPDX-License-Identifier: BSD-2-Clause
"""Files of tests/data: they were written once and must be read the same for ever. Oracles: their answers, closed forms, each other."""

import numpy as np
import pytest

import own_problems
import second_methods as second
import stiction as st
from repository import OWN_DATA
from stiction import problems

h5py = pytest.importorskip("h5py")


@pytest.mark.parametrize("name", own_problems.FCLIB)
def test_stored_velocities_are_those_of_the_stored_impulses(name):
    """u = W r + q with the file's own u, which no wrong order of rows survives."""
    path = OWN_DATA / "fclib" / f"{name}.hdf5"
    problem, r = own_problems.fclib(name)
    with h5py.File(path) as file:
        u = st.fclib.to_ours(file["solution/u"][()])
    assert name in own_problems.CONVEX or st.fclib.reference(path).stored
    assert np.abs(problem.multiply(r) + problem.g - u).max() <= 1e-12 * np.abs(problem.g).max()


@pytest.mark.parametrize("name", own_problems.FCLIB)
def test_no_file_is_read_transposed(name):
    problem, _ = own_problems.fclib(name)
    values = np.linalg.eigvalsh((problem.G + problem.G.T) / 2)
    assert values[0] >= -1e-12 * values[-1]


def test_one_contact_by_hand():
    problem, r = own_problems.fclib("one_sliding")
    assert np.array_equal(problem.G, np.diag([2.0, 2.0, 1.0])) and np.array_equal(problem.g, [6.0, -8.0, -2.0])
    assert np.array_equal(r, [-0.6, 0.8, 2.0]) and np.array_equal(problem.mu, [0.5])


def test_the_global_form_is_the_generated_box():
    problem, _ = own_problems.fclib("box_global")
    made = st.generate.stack(1)
    assert problem.storage == "body_space"
    assert np.abs(problem.G - made.G).max() <= 1e-14 * np.abs(made.G).max()
    assert np.abs(problem.g - made.g).max() <= 1e-14 * np.abs(made.g).max()


@pytest.mark.parametrize("kind", ["dense", "blocks", "sparse"])
def test_siconos_files_hold_the_same_problem(kind):
    problem, answer = own_problems.fclib("mixed_6")
    read = st.siconos.load(OWN_DATA / "siconos" / f"mixed_6_{kind}.dat")
    assert (
        np.array_equal(read.G, problem.G) and np.array_equal(read.g, problem.g) and np.array_equal(read.mu, problem.mu)
    )
    assert second.natural_error(np.asarray(read.G), read.g, read.mu, answer) < 1e-15


@pytest.mark.parametrize("storage", [0, 1, 2])
@pytest.mark.parametrize("name", ["mixed_20", "redundant_8", "wall_2x2"])
def test_problems_survive_the_format_of_siconos(tmp_path, name, storage):
    problem, answer = own_problems.fclib(name)
    st.siconos.save(tmp_path / "p.dat", problem, storage=storage)
    again = st.siconos.load(tmp_path / "p.dat")
    assert st.evaluate(again, answer).b3 == st.evaluate(problem, answer).b3 < 1e-12


@pytest.mark.parametrize("name", own_problems.LCPS)
def test_enumerated_solutions_have_no_error(name):
    loaded = problems.load(OWN_DATA / "lcp" / f"{name}.npz", solver="lemke")
    for z in own_problems.lcp(name)["sols"]:
        assert loaded.lcp_error(z) <= 1e-12
    assert name == "none_2" or len(own_problems.lcp(name)["sols"])
