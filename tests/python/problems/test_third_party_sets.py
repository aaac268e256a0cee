# SPDX-License-Identifier: BSD-2-Clause
"""Data of others is an extra layer: one test per set says that it is left out, or that it is there."""

import pytest

from repository import THIRD_PARTY

SETS = {
    "fclib": ("*.hdf5", 41, "frictional contact problems of the FCLIB collection"),
    "lcp": ("*.npz", 16, "linear complementarity problems of the literature"),
    "golden": ("*.csv", 8, "trajectories of another implementation of three steppers"),
    "consim": ("*.np[yz]", 7, "the published motions of Solo-12 and Romeo"),
}


@pytest.mark.parametrize("name", SETS)
def test_the_set_is_there(name):
    pattern, count, what = SETS[name]
    if THIRD_PARTY is None:
        pytest.skip(f"STICTION_DATA is not set: tests of {what} are left out (docs/install.md)")
    assert len(list((THIRD_PARTY / name).glob(pattern))) >= count
