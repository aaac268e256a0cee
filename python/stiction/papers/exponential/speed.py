# SPDX-License-Identifier: BSD-2-Clause
"""What a step costs: Table III, and the real-time factors of Fig. 2.

A motion is run once in closed loop and its torques are kept; then the same steps are made again and again by `rollout` on one
thread, without Python in between. CPU time of this process, repeats interleaved between the methods, so that what else the
machine does hits all of them alike; the smallest is taken. Ratios within one run are what counts.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

import stiction as st

from ...bench.machine import machine
from ...output.tables import number
from .. import rows
from ..rows import Row, own_record
from ..rows import published as paper
from ..study import NOT_MADE, Section, Table
from .accuracy import Results
from .methods import METHODS, Method
from .published import COST_GOALS, TIMES
from .tasks import NEEDS, Task

# Method and sub-steps per control step of the trot: Table III.
TABLE = {"euler": 16, "1/1": 1, "1/2": 1, "default": 1, "2/3": 1, "exact": 1, "auto": 1, "dense 0": 1, "dense": 1, "midpoint 1/2": 1, "refined": 1,
         "rk4": 16, "implicit": 1}  # fmt: skip
Key = TypeVar("Key")
PLOTTED = ("exact", "1/2", "1/1", "midpoint 1/2", "refined", "euler", "rk4", "implicit")
JUDGED = ("euler", "1/2", "midpoint 1/2", "default")
VARIABLE = ("refined", "implicit")  # cost of a step depends on its length
TEXT = (
    "CPU time of one step of the trot: the steps of a closed-loop run made again without Python in between, one thread, smallest of "
    "interleaved repeats, {machine}. Explicit Euler and Runge-Kutta run at 0.125 ms (they are unstable at 2 ms), all others at 2 ms. "
    "The published times are of an unnamed processor; compare ratios. "
    "One 3nc solve per pole replaces the (6nc+3) matrix exponential; dense is the exponential as published, uncapped and without "
    "balancing, order 1 its fast setting. A step without contacts is the dynamics alone."
)


@dataclass(frozen=True)
class Replay:
    """A run that can be made again: start and torques."""

    method: Method
    sim: Any
    start: bytes
    controls: Any  # (1, steps, ntau)

    @property
    def steps(self) -> int:
        return int(self.controls.shape[1])

    def seconds(self) -> float:
        """CPU time of all steps."""
        begin = time.process_time()
        st.rollout(self.sim, [self.start], self.controls, threads=1)
        return time.process_time() - begin


def record(task: Task, method: Method, substeps: int, control_steps: int, lift: float = 0.0) -> Replay | None:
    """Closed loop once, keeping the torques; None where it leaves its bounds. lift: start in the air, without contacts [m]."""
    sim = task.simulator(method, substeps)
    torque = task.begin(sim)
    sim.q[2] += lift
    start, torques = sim.save(), []
    for k in range(control_steps):
        torques.append(torque(sim, k) if lift == 0.0 else np.zeros(sim.ntau))
        report = sim.step(torques[-1], n=substeps)
        if report.status in NOT_MADE or not np.abs(sim.v).max() <= task.bound:
            return None
    return Replay(method, sim, start, np.repeat(np.array(torques), substeps, axis=0)[None])


def microseconds(replays: Mapping[Key, Replay], repeats: int) -> dict[Key, float]:
    """Smallest time of a step [µs] by name; repeats are interleaved."""
    best = dict.fromkeys(replays, float("inf"))
    for _ in range(repeats):
        for name, replay in replays.items():
            best[name] = min(best[name], 1e6 * replay.seconds() / replay.steps)
    return best


def table(task: Task, quick: bool, missing: bool) -> Section:
    """Table III."""
    control_steps = 300 if quick else task.steps
    chosen = ("euler", "1/1", "1/2", "default", "exact", "midpoint 1/2") if quick else tuple(TABLE)
    made = {name: record(task, METHODS[name], TABLE[name], control_steps) for name in chosen if METHODS[name].available}
    replays = {name: replay for name, replay in made.items() if replay is not None}
    flight = record(task, METHODS["1/2"], 1, control_steps, lift=100.0)
    if flight is not None:
        replays["flight"] = flight
    times = microseconds(replays, 5 if quick else 10)
    if not quick:  # those that are judged, more often: what else the machine does is seldom still for all three at once
        judged = microseconds({name: replays[name] for name in JUDGED}, 30)
        times = {name: min(own, judged.get(name, own)) for name, own in times.items()}
    out = Section("Time of a step (Table III)", TEXT.format(machine=machine()["processor"]))
    lines = []
    for name, own in times.items():
        label = "without contacts" if name == "flight" else METHODS[name].label
        printed = TIMES.get("1/1" if name == "dense 0" else name)
        lines.append(
            [
                label,
                number(printed) if printed else "-",
                number(own),
                number(own / times["euler"]),
                number(own / times["1/2"]),
            ]
        )
    out.tables.append(
        Table(f"trot ({task.source}): one step [µs]", ["", "published", "ours", "over Euler", "over [1/2]"], lines)
    )
    out.rows += parts(times)
    known = TIMES["1/1"] / TIMES["euler"]
    for label, ratio, bound, published in (
        ("time of exponential [1/2] over Euler, trot", times["1/2"] / times["euler"], COST_GOALS["exponential"], known),
        (
            "time of midpoint [1/2] over exponential [1/2], trot",
            times["midpoint 1/2"] / times["1/2"],
            COST_GOALS["midpoint"],
            None,
        ),
        (
            "time of default settings over [1/2] as published, trot",
            times["default"] / times["1/2"],
            COST_GOALS["default"],
            None,
        ),
    ):
        # a short run on a busy machine shows that it works and measures nothing
        if quick:
            out.rows.append(rows.told(label, ratio, published))
        elif published is not None:
            out.rows.append(rows.at_most(label, ratio, published, published, against=paper("Table III")))
            out.rows.append(rows.told(f"{label}, goal {bound:g}", ratio))
        else:
            out.rows.append(rows.at_most(label, ratio, bound, against=own_record("a goal past the paper")))
    if missing:
        out.rows.append(rows.skipped("time of exponential [1/2] over Euler, published trot", NEEDS, known))
    return out


def parts(times: Mapping[str, float]) -> list[Row]:
    """What a step is made of, by differences: Table III has its parts from a profiler, in another language."""
    if not {"euler", "1/2"} <= times.keys():
        return []
    step, whole = times["1/2"], TIMES["1/1"]
    linear = whole - TIMES["euler"]
    return [
        rows.told("share of a step [1/2]: what explicit Euler does as well (dynamics, contacts, forces)", times["euler"] / step,
                  TIMES["euler"] / whole),
        rows.told("share of a step [1/2]: linear contact problem, both averages", (step - times["euler"]) / step, linear / whole,
                  reason="the (6nc+3) exponential of the paper is one solve of 3nc rows per pole here"),
    ]  # fmt: skip


def real_time_factors(task: Task, found: Results) -> dict[tuple[str, float], float]:
    """Simulated over computing time by method and step [ms], from the first that stays bounded on. A smaller step costs
    the same, except for methods whose work depends on its length: these are timed at each."""
    replays: dict[tuple[str, float], Replay] = {}
    timed: dict[tuple[str, float], tuple[str, float]] = {}  # the replay that tells the cost
    for name in PLOTTED:
        last: tuple[str, float] | None = None
        for step in sorted((step for method, step in found if method == name), reverse=True):
            if last is None or name in VARIABLE:
                replay = record(task, METHODS[name], task.substeps(step), min(task.steps, 300))
                if replay is not None:
                    last = (name, step)
                    replays[last] = replay
            if last is not None:
                timed[name, step] = last
    cost = microseconds(replays, 9)
    return {key: 1e3 * key[1] / cost[replay] for key, replay in timed.items()}


def figure_section(
    measured: Sequence[tuple[Task, Results]],
) -> tuple[Section, dict[str, dict[tuple[str, float], float]]]:
    """Fig. 2: accuracy against speed; the speeds by task, for the figure."""
    factors = {task.name: real_time_factors(task, found) for task, found in measured}
    out = Section("Accuracy against speed (Fig. 2)", "Real-time factor: simulated time over CPU time. Steps as in the accuracy section, "
                  "from the first on with which the part that is timed stays bounded (squat 4 s, jump 3 s, trot 0.6 s; over the longer runs of "
                  "the stability section some of these steps are too long).")  # fmt: skip
    lines = []
    for task, found in measured:
        for (name, step), factor in factors[task.name].items():
            error = found[name, step]
            lines.append(
                [
                    f"{task.name}, {METHODS[name].label}",
                    f"{step:.4g}",
                    number(factor),
                    number(error.mean),
                    number(error.median),
                ]
            )
    out.tables.append(Table("real-time factor", ["", "step [ms]", "factor", "mean error", "median error"], lines))
    out.rows = [_best(task, found, factors[task.name]) for task, found in measured]
    return out, factors


def _best(task: Task, found: Results, factors: Mapping[tuple[str, float], float]) -> Row:
    """ "Best in all tests": at the speed of every exponential step, is another method of the paper both faster and more accurate?"""
    beaten = [step for (name, step), factor in factors.items() if name == "exact" and any(
        found[other, s].median < found["exact", step].median and f > factor
        for (other, s), f in factors.items() if other in ("euler", "rk4", "implicit"))]  # fmt: skip
    count = sum(name == "exact" for name, _ in factors)
    label = f"exponential steps that another method beats in both speed and median error, {task.name}"
    row = rows.at_most(label, float(len(beaten)), 0.0, "none: best in all tests", against=paper("Fig. 2"))
    coarse, fine = (found["rk4", s].median for s in sorted(s for name, s in found if name == "rk4")[1::-1])
    order = rows.at_least("order of Runge-Kutta at the finest steps", float(np.log2(coarse / fine)), 3.0, measured=4.0,
                          against=rows.closed_form("Runge-Kutta is of order 4 where nothing switches"))  # fmt: skip
    return rows.differs(
        row,
        order,
        f"{len(beaten)} of {count} steps, the fine ones: where explicit methods are stable their order wins; at large steps it holds",
    )
