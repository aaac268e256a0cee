# SPDX-License-Identifier: BSD-2-Clause
"""Siconos .dat files that we write. Oracles: the round trip, the same problem through FCLIB, a table's weight."""

import numpy as np
import pytest

import stiction as st


def example(seed=0, contacts=4):
    random = np.random.default_rng(seed)
    jacobian = random.standard_normal((3 * contacts, 3 * contacts + 2))
    jacobian[:3, 6:] = 0.0
    jacobian[6:9, :6] = 0.0
    return st.ContactProblem(
        jacobian @ jacobian.T, random.standard_normal(3 * contacts), mu=random.uniform(0, 1, contacts)
    )


@pytest.mark.parametrize("storage", [0, 1, 2])
def test_written_and_read_again(tmp_path, storage):
    problem = example()
    st.siconos.save(tmp_path / "p.dat", problem, storage=storage)
    again, form = st.siconos.load_form(tmp_path / "p.dat")
    assert form == "local"
    for key in ("G", "g", "mu"):
        assert np.array_equal(getattr(again, key), getattr(problem, key))


@pytest.mark.parametrize("storage", [0, 1, 2])
def test_lcp_written_and_read_again(tmp_path, storage):
    random = np.random.default_rng(2)
    root = random.standard_normal((5, 5))
    problem = st.lcp.problem(root @ root.T, random.standard_normal(5))
    st.siconos.save(tmp_path / "p.dat", problem, storage=storage)
    again, form = st.siconos.load_form(tmp_path / "p.dat")
    assert form == "lcp" and np.array_equal(again.G, problem.G) and np.array_equal(again.g, problem.g)


@pytest.mark.parametrize("storage", [0, 1, 2])
def test_global_written_and_read_again(tmp_path, storage):
    random = np.random.default_rng(3)
    root = random.standard_normal((8, 8))
    mass, jacobian = root @ root.T + np.eye(8), random.standard_normal((8, 6))
    f, w = random.standard_normal(8), random.standard_normal(6)
    st.siconos.save_global(tmp_path / "g.dat", mass, jacobian, f, w, [0.3, 0.4], storage=storage)
    problem, form = st.siconos.load_form(tmp_path / "g.dat")
    assert form == "global"
    assert np.allclose(problem.G, jacobian.T @ np.linalg.solve(mass, jacobian), rtol=1e-10)
    assert np.allclose(problem.g, jacobian.T @ np.linalg.solve(mass, f) + w, rtol=1e-10)
    assert np.array_equal(problem.mu, [0.3, 0.4])


def test_the_solution_does_not_depend_on_the_format(tmp_path):
    """Oracle: the same problem through FCLIB."""
    pytest.importorskip("h5py")
    problem = example(7)
    st.siconos.save(tmp_path / "p.dat", problem)
    st.fclib.save(tmp_path / "p.hdf5", problem)
    a, b = (
        st.solve(load(tmp_path / name))[0] for load, name in ((st.siconos.load, "p.dat"), (st.fclib.load, "p.hdf5"))
    )
    assert np.array_equal(a, b)


def test_files_of_the_study_survive_the_format(tmp_path, third_party):
    """Oracle: the stored solution of an FCLIB file is as good on the problem written as .dat."""
    pytest.importorskip("h5py")
    for name in ("Rover1039", "NESpheres_10_1"):
        path = third_party / "fclib" / f"{name}.hdf5"
        problem, impulse = st.fclib.load(path), st.fclib.load_solution(path)
        for storage in (0, 1, 2):
            st.siconos.save(tmp_path / "p.dat", problem, storage=storage)
            again = st.siconos.load(tmp_path / "p.dat")
            assert st.evaluate(again, impulse).b3 == st.evaluate(problem, impulse).b3 < 1e-12


@pytest.mark.parametrize("storage", [0, 1, 2])
def test_six_digits_are_enough(tmp_path, storage):
    """What %g prints: W is singular in full precision and slightly indefinite in the file; it is read and solved."""
    problem = st.generate.stack(2, speed=0.1, seed=1, form="dense")
    st.siconos.save(tmp_path / "full.dat", problem, storage=storage)
    words = [f"{float(w):g}" if "." in w and w.replace(".", "").replace("-", "").replace("e", "").isdigit() else w
             for line in (tmp_path / "full.dat").read_text().split("\n") for w in [*line.split(" "), "\n"]]  # fmt: skip
    (tmp_path / "six.dat").write_text(" ".join(words))
    read = st.siconos.load(tmp_path / "six.dat")
    values = np.linalg.eigvalsh((read.G + read.G.T) / 2)
    assert -1e-5 * values[-1] <= values[0] < 0.0 and np.abs(read.G - problem.G).max() <= 1e-5 * np.abs(problem.G).max()
    _, report = st.solve(read, tolerance=1e-4)
    assert report.status == "converged"


def test_frictionless_contacts_are_legal(tmp_path):
    problem = st.generate.table(4, mu=0.0, form="sparse")
    st.siconos.save(tmp_path / "p.dat", problem)
    impulse, report = st.solve(st.siconos.load(tmp_path / "p.dat"))
    assert report.status == "converged" and impulse[2::3].sum() == pytest.approx(20 * 9.81 * 0.01)
