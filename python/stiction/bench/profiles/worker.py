# SPDX-License-Identifier: BSD-2-Clause
"""Runs of solvers for performance profiles, each in a process of its own that is killed at its limit.

`python -m stiction.bench.profiles.worker` reads one job per line (JSON) and answers one line each. The problem is read once;
every job is a fork, so that a run starts in milliseconds and a crash, a leak or an endless loop ends with it.
Times are of the solver alone: neither reading the file nor judging the result counts.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import sys
import time
from typing import Any

import numpy as np

import stiction as st

from ... import _core, problems

UNLIMITED = 1_000_000_000
LONGEST_HISTORY = 20_000  # samples
LONG = 0.05  # [s]
LONGEST_REPEATED = 0.5  # solves above are timed once [s]
SHORTEST = 1e-3  # solves below are repeated [s]
BUDGET_REPEATS = 9
BUDGETS = (1e-4, 1e-3, 1e-2)  # "residual at fixed time" [s]


def _options(job: dict[str, Any]) -> dict[str, Any]:
    """The budget of a run is its time. Only `auto` keeps its count: it says when to change the method."""
    budget = {} if job["solver"] == "auto" else {"max_iterations": UNLIMITED}
    return {**budget, **job["options"]}


def _solve(loaded: problems.Loaded, job: dict[str, Any]) -> dict[str, Any]:
    """The run that counts: cold, under its limit, judged from outside."""
    options = _options(job)
    begin, cpu = time.perf_counter(), time.thread_time()
    impulse, report = st.solve(
        loaded.problem, solver=job["solver"], tolerance=job["tolerance"], time_limit=job["limit"], **options
    )
    seconds, cpu = time.perf_counter() - begin, time.thread_time() - cpu
    residual = problems.judge(loaded, impulse)
    solved = seconds <= job["limit"] and problems.is_solved(loaded.name, residual, job["tolerance"])
    return {
        "status": report.status, "path": report.path, "iterations": report.iterations, "spent": seconds, "seconds": cpu, "solved": solved,
        "b3": residual.b3, "b4": residual.b4, "ncp_b3": st.evaluate(loaded.problem, impulse, law="coulomb").b3,
        "lcp": loaded.lcp_error(impulse), "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }  # fmt: skip


def _time(loaded: problems.Loaded, job: dict[str, Any], first: dict[str, Any]) -> dict[str, Any]:
    """The median time of a solver that has seen the problem's size before; a long solve is not done again."""
    if first["seconds"] > LONGEST_REPEATED:
        return {"seconds": first["seconds"], "repeats": 1}
    times = _core.time_solve(
        loaded.problem, job["solver"], job["tolerance"], job["limit"], job["repeats"], SHORTEST,
        **_options(job),
    )  # fmt: skip
    return {"seconds": float(np.median(times)), "repeats": len(times)}


def _history(loaded: problems.Loaded, job: dict[str, Any], first: dict[str, Any]) -> dict[str, Any]:
    """Best residual after fixed times, and the time to reach residuals. The judge of every iteration is not timed."""
    options = _options(job)
    if first["iterations"] > LONGEST_HISTORY:
        options["max_iterations"] = LONGEST_HISTORY
    arguments = (loaded.problem, job["solver"], job["tolerance"], job["limit"])
    quick = first["spent"] < LONG  # first allocations matter: the solver sees the problem twice
    history: Any = (
        _core.record_solve(*arguments, **options) if quick else st.solve(*arguments, history=True, **options)[1].history
    )
    best = np.minimum.accumulate(np.nan_to_num(history["b3"], nan=1.0, posinf=1.0))
    at = {str(t): float(best[history["seconds"] <= t][-1]) if (history["seconds"] <= t).any() else 1.0 for t in BUDGETS}
    to = {}
    for goal in job["goals"]:
        reached = (history["b3"] <= goal) & (history["b4"] <= problems.b4_factor(loaded.name) * goal)
        to[str(goal)] = float(history["seconds"][reached][0]) if reached.any() else None
    return {"residual_at": at, "time_to": to}


def _number(x: float) -> float | None:
    """None for what JSON does not know."""
    return float(x) if np.isfinite(x) else None


def _budgets(loaded: problems.Loaded, job: dict[str, Any]) -> dict[str, Any]:
    """What comes back when the solver is given little time: the judge's residuals, the status, the longest CPU time of some solves."""
    out = {}
    for budget in job["budgets"]:
        impulse, report = st.solve(
            loaded.problem, solver=job["solver"], tolerance=job["tolerance"], time_limit=budget, **_options(job)
        )
        residual = problems.judge(loaded, impulse)
        used = _core.time_solve(
            loaded.problem, job["solver"], job["tolerance"], budget, BUDGET_REPEATS, 0.0, **_options(job)
        )
        out[str(budget)] = {
            "used": float(max(used)), "b3": _number(residual.b3), "b4": _number(residual.b4), "status": report.status, "path": report.path,
            "finite": bool(np.isfinite(impulse).all()),
        }  # fmt: skip
    return {"budgets": out}


def _child(loaded: problems.Loaded, job: dict[str, Any], pipe: int) -> None:
    """Says what is known as soon as it is known: one line per phase."""
    say = lambda part: os.write(pipe, (json.dumps(part) + "\n").encode())
    try:
        first = _solve(loaded, job)
        say({key: value for key, value in first.items() if key != "seconds"})
        if first["solved"] and job["repeats"]:
            say(_time(loaded, job, first))
        if job["goals"]:
            say(_history(loaded, job, first))
        if job.get("budgets"):
            say(_budgets(loaded, job))
    except st.InvalidInput as error:
        say({"status": "refused", "reason": str(error)})


def _grace(seconds: float) -> float:
    """A solver looks at the clock once per iteration: a little more than its limit before it is killed [s]."""
    return 1.25 * seconds + 0.5


def run_forked(loaded: problems.Loaded, job: dict[str, Any]) -> dict[str, Any]:
    """One run in its own process; what it said before it ended or was killed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reading)
            _child(loaded, job, writing)
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    deadlines = [
        _grace(job["limit"]),
        _grace(job["limit"] * (job["repeats"] + 1)),
        _grace(job["limit"]),
        _grace(job["limit"]),
    ]
    result: dict[str, Any] = {}
    text = b""
    killed = False
    deadline = time.monotonic() + deadlines[0]
    while True:
        ready, _, _ = select.select([reading], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            os.kill(child, signal.SIGKILL)
            killed = True
            break
        part = os.read(reading, 1 << 16)
        if not part:
            break
        text += part
        *lines, text = text.split(b"\n")
        for line in lines:
            result.update(json.loads(line))
            deadlines.pop(0)
            deadline = time.monotonic() + (deadlines[0] if deadlines else 5.0)
    os.close(reading)
    os.waitpid(child, 0)
    if "status" not in result:
        result["status"] = "killed" if killed else "crashed"
    return result


def serve() -> None:
    """Answers jobs until the input ends."""
    loaded: problems.Loaded | None = None
    key: Any = None
    for line in sys.stdin:
        job = json.loads(line)
        wanted = (
            job["file"],
            job["law"],
            job["solver"] if loaded and loaded.is_lcp else "",
            job["facets"],
            job["angle"],
        )
        if key != wanted:
            # read before by who asks
            loaded = problems.load(job["file"], job["law"], job["solver"], job["facets"], job["angle"])
            key = (*wanted[:2], job["solver"] if loaded.is_lcp else "", *wanted[3:])
        assert loaded is not None
        sys.stdout.write(json.dumps(run_forked(loaded, job)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
