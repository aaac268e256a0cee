# SPDX-License-Identifier: BSD-2-Clause
"""nsgs on FCLIB files. Oracles: sweep counts, cycle and stall of an independent prototype; bits of one thread."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stiction as st

pytest.importorskip("h5py")

# Sweeps to B3 <= 1e-6 and 1e-8 from zero in natural order: tested after every sweep up to 200, then after every 20th.
COUNTS = {
    "CubeH8": (1, 1), "FrictionContact3D_1c": (1, 1), "FrictionContact3D_RR_1c": (1, 1), "GFC3D_Example0": (1, 1),
    "GFC3D_Example0_SBM": (1, 1), "GFC3D_Example00": (1, 1), "GFC3D_Example00_badly_scaled": (1, 1),
    "GFC3D_Example1": (1, 1), "GFC3D_OneContact": (1, 1), "Rover11035": (1, 1), "FC3D_Example1": (1, 1),
    "FC3D_Example1_SBM": (1, 1), "Confeti-ex13-4contact-Fc3D-SBM": (1, 1), "Box_Stacks-i0035-31-0": (1, 1),
    "Rover1039": (12, 17), "Rover4144": (8, 11), "Rover4493": (7, 10), "Rover4622": (10, 13), "Rover1041": (13, 18),
    "Rover4609": (9, 13), "Rover4613": (10, 13), "LMGC_GlobalFrictionContactProblem00046": (10, 13),
    "NESpheres_10_1": (15, 21), "Box_Stacks-i0122-82-5": (21, 31), "Confeti-ex13-Fc3D-SBM": (33, 45),
    "OneObject-i1028-138": (700, 1040), "Confeti-ex03-Fc3D-SBM": (49, 72), "Spheres-i099-356-679": (144, 220),
}  # fmt: skip

# Sweeps to 1e-2 and 1e-3 in natural order, by first-fit colours and by colours with the most neighbours first.
COLOURED = {
    "gen_wall_20x30": ((19, 170), (31, 260), (22, 192)),
    "gen_spheres_s": ((7, 31), (7, 35), (8, 66)),
    "Spheres-i099-356-679": ((5, 41), (7, 39), (6, 37)),
    "RockPile_tob1": ((11, 77), (12, 82), (16, 89)),
}
ORDERS: tuple[dict[str, Any], ...] = (
    {"order": "natural"}, {"order": "coloured"}, {"order": "coloured", "colouring": "largest_first"},
)  # fmt: skip

CYCLING = "OneObject-i100000-316"


def plain(problem: st.ContactProblem, **options: Any) -> tuple[np.ndarray, st.Report]:
    """The method without acceleration and, unless asked for, without the detector of stalls."""
    return st.solve(problem, solver="nsgs", **{"anderson": 0, "stall_window": 0, **options})


def sweeps_to(history: np.ndarray, tolerance: float) -> int:
    seen = history[(history["iteration"] <= 200) | (history["iteration"] % 20 == 0)]
    return int(seen["iteration"][np.argmax(seen["b3"] <= tolerance)]) if (seen["b3"] <= tolerance).any() else -1


def same_count(found: int, expected: int) -> bool:
    return abs(found - expected) <= (1 if expected < 200 else 20)


@pytest.mark.parametrize("name", COUNTS)
def test_sweep_counts_and_no_false_alarm(third_party, name):
    problem = st.fclib.load(third_party / "fclib" / f"{name}.hdf5")
    _, report = plain(problem, tolerance=1e-10, max_iterations=3000, history=True)
    for tolerance, expected in zip((1e-6, 1e-8), COUNTS[name], strict=True):
        assert same_count(sweeps_to(report.history, tolerance), expected), tolerance
    assert report.status == "converged" and report.cycle == 0
    for interval in (1, 20):  # with the detector of stalls as it is by default
        _, report = plain(problem, max_iterations=3000, stall_window=200, test_interval=interval)
        assert report.status == "converged" and report.cycle == 0


@pytest.mark.parametrize("interval", [1, 20])
def test_cycle_and_stall_are_told_apart(third_party, interval):
    """From zero the sweeps lock into a cycle of two: B3 = 2.4e-3 for ever, amplitude 3e-2 of the largest impulse."""
    problem = st.fclib.load(third_party / "fclib" / f"{CYCLING}.hdf5")
    _, stalled = plain(problem, stall_window=200, test_interval=interval)
    assert (stalled.status, stalled.cycle) == ("stalled", 0)
    assert stalled.iterations <= 400
    _, cycling = plain(problem, test_interval=interval, max_iterations=5000)
    assert (cycling.status, cycling.cycle) == ("stalled", 2)
    assert cycling.iterations <= 1000


def test_the_cycle_is_one_and_the_default_solver_gets_out(third_party):
    """Oracle: sweeps by hand, each from the result of the one before: after two the iterate is back, after one not."""
    problem = st.fclib.load(third_party / "fclib" / f"{CYCLING}.hdf5")
    path = [np.zeros(problem.rows)]
    for _ in range(3000):
        path.append(plain(problem, warm_start=path[-1], max_iterations=1, tolerance=1e-14)[0])
    largest = np.abs(path[-1]).max()
    assert np.abs(path[-1] - path[-2]).max() > 1e-3 * largest
    assert np.abs(path[-1] - path[-3]).max() < 1e-12 * largest
    assert st.evaluate(problem, path[-1]).b3 == pytest.approx(2.4e-3, rel=0.05)
    _, report = st.solve(problem)
    assert report.status == "converged"


def test_coloured_sweeps_have_the_bits_of_one_thread(third_party):
    problem = st.fclib.load(third_party / "fclib" / "gen_wall_20x30.hdf5")
    runs = [
        plain(problem, order="coloured", threads=threads, max_iterations=100)[0].tobytes() for threads in (1, 2, 4, 8)
    ]
    assert all(run == runs[0] for run in runs)
    assert runs[0] != plain(problem, max_iterations=100)[0].tobytes()


@pytest.mark.parametrize("name", COLOURED)
def test_coloured_sweep_counts(third_party, name):
    problem = st.fclib.load(third_party / "fclib" / f"{name}.hdf5")
    for options, counts in zip(ORDERS, COLOURED[name], strict=True):
        limit = max(counts) + 40
        _, report = plain(problem, tolerance=1e-6, max_iterations=limit, test_interval=limit, history=True, **options)
        for tolerance, expected in zip((1e-2, 1e-3), counts, strict=True):
            assert same_count(sweeps_to(report.history, tolerance), expected), (options, tolerance)
