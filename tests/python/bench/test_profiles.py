# SPDX-License-Identifier: BSD-2-Clause
"""Performance profiles. Oracle: curves of a few made-up times worked out by hand; the judge; processes that misbehave on purpose."""

import json
import math
import os
import signal
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import stiction as st
from stiction import problems
from stiction.bench.profiles import records as profiles
from stiction.bench.profiles import report as profile_report
from stiction.bench.profiles import run as profile_run
from stiction.bench.profiles import tables as profile_tables
from stiction.bench.profiles import worker as profile_worker
from stiction.bench.profiles.records import Record

pytestmark = pytest.mark.xdist_group("clock")  # they time runs


def made(problem, solver, seconds, contacts=5, **changes):
    solved = math.isfinite(seconds)
    base = Record(
        problem,
        contacts,
        solver,
        "coulomb",
        1e-6,
        10.0,
        "converged" if solved else "stalled",
        solved=solved,
        seconds=seconds,
    )
    return replace(base, **{"b3": 1e-9, "b4": 1e-9, "spent": 1.0, "iterations": 3, **changes})


INF = math.inf
# problem: times of a, b, c. Nobody solves p4.
TIMES = {"p1": (1.0, 2.0, INF), "p2": (4.0, 1.0, 1.5), "p3": (3.0, INF, 30.0), "p4": (INF, INF, INF)}


def records():
    return [
        made(p, s, t, contacts=30 if p == "p3" else 5)
        for p, row in TIMES.items()
        for s, t in zip("abc", row, strict=True)
    ]


def test_curves_by_hand():
    ratios = profiles.ratios(records())
    assert ratios["a"].tolist() == [1, 1, 4, INF]
    assert ratios["b"].tolist() == [1, 2, INF, INF]
    assert ratios["c"].tolist() == [1.5, 10, INF, INF]
    wanted = {"a": (0.5, 0.5, 0.75, 0.75), "b": (0.25, 0.5, 0.5, 0.5), "c": (0, 0.25, 0.5, 0.5)}
    for solver, shares in wanted.items():
        assert tuple(profiles.rho(ratios[solver], T) for T in (1, 2, 10, INF)) == shares


def test_a_failure_has_no_time():
    """A run that the judge did not accept is infinite, whatever it took; a missing record is a failure."""
    lost = [replace(r, solved=False, seconds=1e-9) if (r.problem, r.solver) == ("p1", "b") else r for r in records()]
    assert profiles.ratios(lost)["b"].tolist() == [1, INF, INF, INF]
    missing = [r for r in records() if (r.problem, r.solver) != ("p1", "b")]
    assert profiles.ratios(missing)["b"].tolist() == [1, INF, INF, INF]


def test_duplicates_count_once_and_large_problems_apart():
    twins = [*records(), made("p5", "a", INF, duplicate_of="p1"), made("p5", "b", 1.0, duplicate_of="p1")]
    assert profiles.ratios(profiles.counted(twins))["b"].size == 4
    large = profiles.ratios(profiles.counted(twins, smallest=20))
    assert {s: r.tolist() for s, r in large.items()} == {"a": [1], "b": [INF], "c": [10]}


@pytest.mark.parametrize(
    ("change", "words"),
    [({"tolerance": 1e-8}, "tolerance 1e-08 and 1e-06"), ({"limit": 5.0}, "limit 5 s and 10 s"), ({"law": "convex"}, "law convex and coulomb"),
     ({"start": "warm"}, "start cold and warm")],
)  # fmt: skip
def test_mixing_is_refused(change, words):
    mixed = [replace(r, **change) if r.solver == "b" else r for r in records()]
    for ask in (profiles.ratios, profiles.pairwise):
        with pytest.raises(st.InvalidInput, match=words):
            ask(mixed)
    with pytest.raises(st.InvalidInput, match="cannot be mixed"):
        profiles.merge([r for r in mixed if r.solver == "a"], [r for r in mixed if r.solver == "b"])


def test_merging_adds_solvers_but_no_repetitions():
    parts = [[r for r in records() if r.solver == s] for s in "abc"]
    assert len(profiles.merge(*parts)) == 12
    with pytest.raises(st.InvalidInput, match="a on p1 is there twice"):
        profiles.merge(parts[0], parts[0])


def test_pairs():
    """Where both solved: a/b on p1 0.5 and p2 4; only a solved p3."""
    pairs = profiles.pairwise(records())
    assert pairs["a", "b"] == (2.25, 2, 1, 0)
    assert pairs["b", "c"] == (1 / 1.5, 1, 1, 1)


def test_records_survive_a_file(tmp_path):
    profiles.save(tmp_path / "r.json", records())
    assert "Infinity" not in (tmp_path / "r.json").read_text() and "NaN" not in (tmp_path / "r.json").read_text()
    again = profiles.load(tmp_path / "r.json")
    assert [(r.problem, r.solver, r.seconds, r.solved) for r in again] == [
        (r.problem, r.solver, r.seconds, r.solved) for r in records()
    ]
    (tmp_path / "x.json").write_text("[]")
    with pytest.raises(st.InvalidInput, match="no records"):
        profiles.load(tmp_path / "x.json")


def test_rule_of_the_judge():
    def verdict(name, b3, b4):
        return problems.is_solved(name, SimpleNamespace(b3=b3, b4=b4), 1e-8)

    assert verdict("x", 1e-8, 3e-7) and not verdict("x", 1.1e-8, 0) and not verdict("x", 0, 3.1e-7)
    assert verdict("gen_wall", 1e-8, 2e-6) and not verdict("gen_wall", 0, 2.1e-6)
    assert not verdict("x", math.nan, 0) and not verdict("x", 0, math.nan)


# ---- processes ------------------------------------------------------------------------------------------------------


def spheres(tmp_path, contacts=6, name="p.dat", seed=1, storage=1):
    random = np.random.default_rng(seed)
    jacobian = random.standard_normal((3 * contacts, 3 * contacts + 6))
    g = random.standard_normal(3 * contacts) - np.tile([0.0, 0.0, 1.0], contacts)
    st.siconos.save(tmp_path / name, st.ContactProblem(jacobian @ jacobian.T, g, mu=0.5), storage=storage)
    return str(tmp_path / name)


def job(**changes):
    base = {"solver": "nsgs", "tolerance": 1e-6, "limit": 0.2, "repeats": 2, "options": {}, "goals": [1e-4, 1e-6]}
    return {**base, **changes}


def test_a_run_that_does_not_end_is_killed(tmp_path, monkeypatch):
    loaded = problems.load(spheres(tmp_path))
    monkeypatch.setattr(profile_worker, "_solve", lambda *_: time.sleep(60))
    begin = time.monotonic()
    assert profile_worker.run_forked(loaded, job()) == {"status": "killed"}
    assert time.monotonic() - begin < 10


def test_a_crash_is_one_lost_run(tmp_path, monkeypatch):
    loaded = problems.load(spheres(tmp_path))
    monkeypatch.setattr(profile_worker, "_solve", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    assert profile_worker.run_forked(loaded, job()) == {"status": "crashed"}


def test_what_was_judged_stays_if_the_timing_hangs(tmp_path, monkeypatch):
    loaded = problems.load(spheres(tmp_path))
    monkeypatch.setattr(profile_worker, "_time", lambda *_: time.sleep(60))
    answer = profile_worker.run_forked(loaded, job(limit=0.05, repeats=1))
    assert answer["status"] == "converged" and answer["solved"] and "seconds" not in answer
    record = profile_run._record(made("p", "nsgs", INF), answer)
    assert record.solved and record.seconds == record.spent


def test_the_judge_overrules_the_solver(tmp_path, monkeypatch):
    """Oracle: a solver that says converged with a wrong impulse has solved nothing."""
    loaded = problems.load(spheres(tmp_path))
    honest = st.solve
    monkeypatch.setattr(st, "solve", lambda *a, **k: (1.01 * honest(*a, **k)[0], honest(*a, **k)[1]))
    answer = profile_worker._solve(loaded, job())
    assert answer["status"] == "converged" and not answer["solved"] and answer["b3"] > 1e-4


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    folder = tmp_path_factory.mktemp("profiles")
    files = [spheres(folder, 3, "a.dat"), spheres(folder, 3, "b.dat", storage=2), spheres(folder, 24, "c.dat", seed=2)]
    return profile_run.run(files, ["nsgs", "pgs", "newton"], tolerances=[1e-4, 1e-8], limit=2.0, repeats=3)


def test_a_measured_comparison(measured):
    assert len(measured) == 3 * 3 * 2 and {(r.limit, r.start, r.law) for r in measured} == {(2.0, "cold", "coulomb")}
    for r in measured:
        if r.solver == "newton":  # solves another law
            assert r.status == "refused" and "newton" in r.reason and not r.solved
            continue
        if r.solver == "nsgs":
            assert r.solved and r.b3 <= r.tolerance and 0 < r.seconds < 2.0 and r.repeats == 3
        assert bool(r.residual_at) == (r.tolerance == 1e-8)
    assert {r.problem: r.duplicate_of for r in measured} == {"a": "", "b": "a", "c": ""}
    kept, refused = profile_tables.ran(measured)
    assert {r.solver for r in kept} == {"nsgs", "pgs"} and len(refused) == 1
    assert all(
        r.size == 2 for r in profiles.ratios(profiles.counted([r for r in kept if r.tolerance == 1e-8])).values()
    )


def test_residual_at_fixed_time_falls_and_time_to_residual_grows(measured):
    for r in measured:
        if r.solver == "nsgs" and r.tolerance == 1e-8:
            values = [r.residual_at[str(t)] for t in profile_worker.BUDGETS]
            assert values == sorted(values, reverse=True) and values[-1] <= 1e-8
            assert 0 < r.time_to["0.0001"] <= r.time_to["1e-08"]


def test_what_ran_into_its_limit_is_not_run_again(tmp_path, monkeypatch):
    """Oracle: a worker that counts. One long run at 1e-4, a short one for the history at the tightest; all count as failures."""
    asked = []

    class Slow:
        __enter__ = lambda self: self
        __exit__ = lambda self, *_: None

        def run(self, job):
            asked.append((job["tolerance"], job["limit"]))
            return {
                "status": "max_iterations",
                "solved": False,
                "spent": job["limit"],
                "b3": 0.1,
                "residual_at": {"0.01": 0.5},
            }

    monkeypatch.setattr(profile_run, "_Worker", Slow)
    ask = dict(solvers=["nsgs"], tolerances=[1e-4, 1e-6, 1e-8], limit=3.0)
    found = profile_run.run([spheres(tmp_path)], skip_after_limit=True, **ask)
    assert asked == [(1e-4, 3.0), (1e-8, profile_run.SHORT_LIMIT)]
    assert [r.status for r in found] == ["max_iterations", "skipped", "skipped"] and not any(r.solved for r in found)
    assert {r.limit for r in found} == {3.0} and "0.0001" in found[2].reason and found[2].residual_at == {"0.01": 0.5}
    assert len(profile_run.run([spheres(tmp_path)], **ask)) == 3 and len(asked) == 5


def test_budgets_are_judged(tmp_path):
    """Oracle: the judge. A budget that suffices gives a solution, one of a nanosecond an honest end."""
    (record,) = profile_run.run(
        [spheres(tmp_path, 12)], ["auto"], tolerances=[1e-8], limit=2.0, repeats=1, budgets=[1e-9, 1.0]
    )
    little, enough = (record.budgets[key] for key in ("1e-09", "1.0"))
    assert little["status"] == "max_iterations" and little["finite"]
    assert enough["status"] == "converged" and enough["b3"] <= 1e-8 and 0 < enough["used"] < 1.0
    json.dumps(record.summary(), allow_nan=False)


def test_tables_say_what_the_records_say(measured):
    kept, _ = profile_tables.ran(measured)
    runs, shares, *_ = profile_tables.all_tables(kept)
    assert len(runs.rows) == len(kept) and any("(= a)" in row[0] for row in runs.rows)
    for needed in ("status", "B3", "B4", "iterations", "ms"):
        assert needed in runs.header
    (nsgs,) = [row for row in shares.rows if row[0] == "nsgs"]
    assert nsgs[1:] == ["2 of 2 (100 %)", "2 of 2 (100 %)", "1 of 1 (100 %)", "1 of 1 (100 %)"]


def test_report_opens_offline_and_has_the_same_bytes_again(measured, tmp_path):
    kept, refused = profile_tables.ran(measured)
    for name in ("a.html", "b.html"):
        profile_report.write(tmp_path / name, kept, refused, pairwise=True)
    page = (tmp_path / "a.html").read_text()
    assert page == (tmp_path / "b.html").read_text() and page.rstrip().endswith("</html>")
    assert "http:" not in page and "https:" not in page and "<script" not in page and " src=" not in page
    assert page.count("<svg") == 1 and "Pairwise" in page and "rho(10)" in page and "<td>nsgs</td>" in page


def test_wrong_questions(tmp_path):
    file = spheres(tmp_path)
    for arguments, words in [
        (dict(files=[]), "nothing to run"), (dict(files=[file], solvers=["nsg"]), "unknown solver 'nsg'"),
        (dict(files=[file], tolerances=[0.0]), "tolerances"), (dict(files=[file], limit=-1.0), "limit"),
        (dict(files=[file], repeats=0), "repeats"),
    ]:  # fmt: skip
        with pytest.raises(st.InvalidInput, match=words):
            profile_run.run(**arguments)
    with pytest.raises(FileNotFoundError, match=r"nowhere\.dat"):
        profile_run.run(files=["nowhere.dat"])


def test_json_knows_no_infinity(measured):
    json.dumps([r.summary() for r in measured], allow_nan=False)
