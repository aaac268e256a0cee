# SPDX-License-Identifier: BSD-2-Clause
"""Short versions of the long runs. Oracles: the judge accepts every step; nothing moves that should not. No clock."""

import pytest

from stiction import InvalidInput
from stiction.bench import long_runs


def test_tower_at_rest_is_accepted_and_does_not_creep():
    row = long_runs.tower(100)
    assert row["unaccepted"] == 0
    assert row["drift_m"] <= 1e-6
    assert row["judge_ratio"] <= 1.0


def test_tower_survives_a_kick():
    row = long_runs.tower_pushed(30, axis=0, kept=False)
    assert row["unaccepted"] == 0
    assert row["box_moved_m"] > 1e-3
    assert row["drift_m"] <= 1e-6  # of all other boxes


def test_tower_with_little_noise():
    row = long_runs.tower_noisy(20, 1e-7)
    assert row["unaccepted"] == 0
    assert row["drift_m"] <= 1e-6


@pytest.mark.parametrize("kind", ["moving", "hopping", "fallen"])
def test_anymal(kind):
    row = long_runs.anymal(kind, quick=True)
    assert row["unaccepted"] == 0 and row["unaccepted_single"] == 0
    assert row["steps"] == 400


def test_unknown_subject():
    with pytest.raises(InvalidInput, match="tower anymal"):
        long_runs.run("castle")
