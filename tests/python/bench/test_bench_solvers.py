# SPDX-License-Identifier: BSD-2-Clause
"""bench/solvers. Oracles: bars worked out by hand on made-up records; the commands on a few small problems."""

import json
import math
import subprocess
import sys

import pytest

from repository import ROOT

pytest.importorskip("h5py")
FOLDER = ROOT / "bench" / "solvers"
sys.path.insert(0, str(FOLDER))
import bars  # noqa: E402
from stiction.bench.profiles.records import Record  # noqa: E402


def made(problem, solver, seconds, **changes):
    solved = math.isfinite(seconds)
    return Record(
        problem,
        5,
        solver,
        "coulomb",
        1e-8,
        10.0,
        "converged" if solved else "stalled",
        solved=solved,
        seconds=seconds,
        **changes,
    )


def test_ratio_to_the_fastest_by_hand():
    """Twice and more counts from 0.1 ms on; what only others solve counts always; what nobody solves never."""
    times = {  # auto, a, b; ratio; exceeds
        "fast": (0.9e-4, 1e-5, 1e-3, 9.0, False), "slow": (9e-3, 2e-3, 3e-3, 4.5, True), "good": (3e-3, 2e-3, 1e-1, 1.5, False),
        "alone": (1.0, math.inf, math.inf, None, False), "lost": (math.inf, 1.0, math.inf, None, True),
        "nobody": (math.inf, math.inf, math.inf, None, False),
    }  # fmt: skip
    records = [made(p, s, t) for p, row in times.items() for s, t in zip(("auto", "a", "b"), row[:3], strict=True)]
    rows = {r["problem"]: r for r in bars.against_best(records, 1e-8)}
    for name, (*_, ratio, exceeds) in times.items():
        assert (
            rows[name]["ratio"] == (None if ratio is None else pytest.approx(ratio))
            and rows[name]["exceeds"] == exceeds
        ), name
    table = bars.best_table(list(rows.values()), 1e-8)
    assert "within 2 on 4 of 6, 1 of them" in table.title and len(table.rows) == 6


def test_budgets_by_hand():
    at = lambda used, b3, status="max_iterations", finite=True: {
        "used": used, "b3": b3, "b4": b3, "status": status, "path": "", "finite": finite,
    }  # fmt: skip
    record = made(
        "p",
        "auto",
        1.0,
        budgets={"0.001": at(1.1e-3, 1e-3), "0.0001": at(1.3e-4, 1e-2), "0.01": at(1e-2, 2e-3, "numerical_failure")},
    )
    small, middle, large = bars.budget_rows([record, made("p", "nsgs", 1.0, budgets={"0.001": at(1, 1)})])
    assert not small["kept"] and small["monotone"] and small["honest"]
    assert middle["kept"] and middle["monotone"] and large["kept"] and not large["monotone"] and not large["honest"]


def call(*arguments):
    done = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def test_the_command(tmp_path):
    """Three generated problems, two solvers, two tolerances: every run is stored, every figure written, and drawn again without runs."""
    out = tmp_path / "out"
    ask = [
        "--set",
        "generated",
        "--count",
        3,
        "--largest",
        60,
        "--seed",
        5,
        "--solvers",
        "auto,nsgs",
        "--tolerances",
        "1e-4,1e-8",
    ]
    text = call(FOLDER, *ask, "--time-limit", 2, "--auto-limit", 5, "--repeats", 1, "--jobs", 2, "--output", out)
    stored = json.loads((out / "records.json").read_text())
    problems = len(list((out / "problems").glob("*.hdf5")))
    assert stored["seed"] == 5 and stored["machine"]["compiler"] and stored["limit"] == 2.0 and problems == 3
    kept = {r["problem"] for r in stored["records"]}
    assert len(stored["records"]) == 4 * len(kept) and len(stored["auto"]) == 2 * len(kept) and kept
    assert "Share solved against tolerance" in text and "C: auto against the fastest" in text and "G: budgets" in text
    names = {"shares", "budgets", "scaling", "against_best", "profile_1e-4", "profile_1e-8"}
    assert {p.stem for p in out.glob("*.png")} == names == {p.stem for p in out.glob("*.svg")}
    before = (out / "shares.svg").read_bytes()
    call(FOLDER, "--replot", out)
    assert (out / "shares.svg").read_bytes() == before


def test_fresh_problems(tmp_path):
    text = call(
        FOLDER / "fresh.py",
        "--count",
        8,
        "--adversarial",
        4,
        "--infeasible",
        0,
        "--max-contacts",
        40,
        "--seed",
        3,
        "--output",
        tmp_path,
    )
    stored = json.loads((tmp_path / "fresh.json").read_text())
    assert stored["seed"] == 3 and {k["kind"]: k["good"] for k in stored["kinds"]} == {"physical": 8, "adversarial": 4}
    assert not stored["failures"] and "seed 3" in text
