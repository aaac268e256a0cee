# SPDX-License-Identifier: BSD-2-Clause
"""The problems of tests/data: names, files and answers. tests/data/make.py says where the answers come from."""

from __future__ import annotations

import numpy as np

import stiction as st
from repository import OWN_DATA

FCLIB = sorted(path.stem for path in (OWN_DATA / "fclib").glob("*.hdf5"))
CONVEX = [name for name in FCLIB if name.startswith("convex")]
COULOMB = [name for name in FCLIB if name not in CONVEX]
LCPS = sorted(path.stem for path in (OWN_DATA / "lcp").glob("*.npz"))


def fclib(name: str, law: str = "coulomb") -> tuple[st.ContactProblem, np.ndarray]:
    """The problem and its answer."""
    path = OWN_DATA / "fclib" / f"{name}.hdf5"
    impulse = st.fclib.load_solution(path)
    assert impulse is not None
    return st.fclib.load(path, law=law), impulse


def lcp(name: str) -> dict[str, np.ndarray]:
    with np.load(OWN_DATA / "lcp" / f"{name}.npz", allow_pickle=False) as file:
        return {key: file[key] for key in file.files}
