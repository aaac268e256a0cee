# SPDX-License-Identifier: BSD-2-Clause
"""Solo-12 under model predictive control in the study of contact models. Oracles: the speed asked for, the judge of exact Coulomb friction,
walks on flat ground in the place of walks on bumps."""

from dataclasses import replace

import numpy as np
import pytest

from stiction.papers.contact_models import solo_walking as solo

pytestmark = pytest.mark.skipif(bool(solo.here()), reason=f"needs {solo.here()}")
DURATION = 2.4


@pytest.fixture(scope="module")
def walks():
    cases = solo.CASES[::2]
    flat, bumpy = ([solo.walk(*case, DURATION, height) for case in cases] for height in (0.0, solo.BUMPS))
    return solo.SoloWalks(flat, bumpy, [flat[0], bumpy[0]])


def failed(walks):
    return [row.name for row in solo.judge(walks).rows if row.status == "failed"]


def test_every_row_is_met(walks):
    assert failed(walks) == []
    judged = [row for row in solo.judge(walks).rows if row.judged]
    assert len(judged) == 7


def test_differences_are_not_claimed_of_flat_ground(walks):
    """Walks on flat ground in the place of those on bumps: every row that claims a difference fails, and no other."""
    names = failed(replace(walks, bumpy=walks.flat))
    assert names == [row.name for row in solo.judge(walks).rows if "bumpy over flat" in row.name] and len(names) == 2


def test_same_physics_under_every_name(walks):
    """Coulomb's walks under the names of the other laws: nothing is off on bumps."""
    copies = {
        part: [replace(getattr(walks, part)[0], law=w.law, solver=w.solver) for w in getattr(walks, part)]
        for part in ("flat", "bumpy")
    }
    quiet = [replace(w, residual=np.zeros_like(w.residual)) for w in copies["bumpy"]]
    assert len(failed(replace(walks, flat=copies["flat"], bumpy=quiet))) == 2


@pytest.mark.parametrize(
    ("change", "row"),
    [
        (lambda w: replace(w, fell=True), "within 20 %"),
        (lambda w: replace(w, x=0.7 * w.x), "within 20 %"),
        (lambda w: replace(w, unaccepted=3), "not accepted"),
    ],
)
def test_coulomb_must_walk(walks, change, row):
    for i in (0, 1):
        seeds = list(walks.seeds)
        seeds[i] = change(seeds[i])
        names = failed(replace(walks, seeds=seeds))
        assert len(names) == 1 and row in names[0] and names[0].startswith(("Solo-12, flat", "Solo-12, bumpy")[i])


def test_one_motion_on_flat_ground(walks):
    slower = [*walks.flat[:2], replace(walks.flat[2], x=0.95 * walks.flat[2].x)]
    assert failed(replace(walks, flat=slower)) == ["Solo-12, flat: spread of the speed between laws, relative"]


def test_ground():
    heights = solo.ground(3, 0.05)
    assert heights.min() == 0.0 and heights.max() == pytest.approx(0.05)
    window = np.hanning(heights.shape[1])
    power = (np.abs(np.fft.rfft(window * (heights - heights.mean(axis=1, keepdims=True)), axis=1)) ** 2).sum(axis=0)
    waves = np.fft.rfftfreq(heights.shape[1], solo.GRID)
    assert power[waves > 1.2 / solo.SHORTEST].sum() < 1e-3 * power.sum()  # nothing is shorter than 0.4 m
    assert np.array_equal(heights, solo.ground(3, 0.05)) and not np.array_equal(heights, solo.ground(4, 0.05))


def test_a_slip_is_not_hidden(walks):
    """Under coulomb every step obeys Coulomb's law to 1e-5 N, on bumps too; convex is off by more than a hundredth of the weight."""
    assert max(w.residual.max() for w in (walks.flat[0], walks.bumpy[0])) < 1e-5
    assert walks.bumpy[1].residual.max() > 0.25
