# SPDX-License-Identifier: BSD-2-Clause
"""Problem files come from anywhere. Oracle: a sentence that names the file, never a traceback, and no memory for what a file only claims."""

import shutil

import h5py
import numpy as np
import pytest

import stiction as st
from repository import OWN_DATA

FCLIB = [OWN_DATA / "fclib" / f"{name}.hdf5" for name in ("box_global", "one_sticking")]


def datasets(path):
    names = []
    with h5py.File(path) as file:
        file.visititems(lambda name, node: names.append(name) if isinstance(node, h5py.Dataset) else None)
    return [name for name in names if name.startswith(("fclib_local", "fclib_global")) and "/info/" not in name]


def changed(path, name, how):
    with h5py.File(path, "r+") as file:
        old = np.ravel(file[name][()])
        del file[name]
        if how == "short":
            file[name] = old[: len(old) // 2]
        elif how == "long":
            file[name] = np.concatenate([old, old, old[:1]])
        elif how == "negative":
            file[name] = -1 - old
        elif how == "large":
            file[name] = old * 0 + 2**30
        elif how == "text":
            file[name] = "words"
        elif how == "huge":
            file.create_dataset(name, shape=(1 << 34,), dtype=old.dtype, chunks=True)


@pytest.mark.parametrize("how", ["short", "long", "negative", "large", "text", "huge"])
@pytest.mark.parametrize("path", FCLIB, ids=lambda p: p.stem)
def test_a_dataset_of_another_length_is_said(path, how, tmp_path):
    """108 of 600 such files gave a traceback."""
    for i, name in enumerate(datasets(path)):
        bad = tmp_path / f"{i}.hdf5"
        shutil.copy(path, bad)
        changed(bad, name, how)
        try:
            for condense in (False, True):
                st.problems.fclib.load(bad, condense=condense)
                st.problems.fclib.load_solution(bad)
        except st.InvalidInput as error:
            assert bad.name in str(error), str(error)


def test_arrays_that_unpack_to_too_much_are_refused(tmp_path, monkeypatch):
    bad = tmp_path / "bomb.npz"
    np.savez_compressed(bad, M=np.zeros((100, 100)), q=np.zeros(100))
    assert st.problems.lcp.load(bad).rows == 100
    monkeypatch.setattr(st.problems.lcp, "MOST_ENTRIES", 9000)
    with pytest.raises(st.InvalidInput, match="unpacks to"):
        st.problems.lcp.load(bad)


@pytest.mark.parametrize(
    "text",
    [
        "3 2000000000\n0 2000000000 2000000000\n2000000000 2000000000\n1 2 3",
        "1000000\n2 1000000 1000000\n1\nCSparse\n1000000-by-1000000, nzmax: 0 nnz: 0\n1 2",
        # NumPy's bincount wrote outside of its array for the index that NaN became
        "3 1\n2 3 3\n1\nCSparse\n3-by-3, nzmax: 3 nnz: 3\n nan 0 : 1\n 1 1 : 1\n 2 2 : 1\n0 0 -1\n.5",
        "3 1e300\n0 3 3\n3 3\n",
        "3 1\n1 3 3\n1 1 1\n3\n3\n2 1\n5 6\n0\n0 1 2 3 4 5 6 7 8 9",
    ],
)
def test_sizes_are_compared_with_the_file_first(text, tmp_path):
    bad = tmp_path / "bad.dat"
    bad.write_text(text)
    with pytest.raises(st.InvalidInput, match=r"bad\.dat"):
        st.problems.siconos.load(bad)


def test_complex_numbers_are_refused():
    with pytest.raises(st.InvalidInput, match="complex"):
        st.problems.lcp.problem(np.eye(2) * 1j, np.ones(2))
