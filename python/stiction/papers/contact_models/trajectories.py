# SPDX-License-Identifier: BSD-2-Clause
"""Along trajectories (Fig. 17): Solo-12 and Talos with joints locked and free, the Allegro hand around a cube; every solver from zero and warm."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import stiction as st

from ...output.tables import number
from .. import rows
from ..rows import Row, closed_form, independent, published
from ..study import Section, Table
from . import admm_by_hand
from . import published as p
from .measures import AS_PUBLISHED, rigid_options
from .robots import LISTED
from .stances import HAND, NEEDS, SOLO, STANCES, TALOS, Held, Stance, free, hand, locked, push

TEXT = (
    "Mean iterations and processor time of a step, from zero (cold) and from the forces of the step before (warm), solvers as published, stopped by "
    "the judge at the default tolerances. Locked: the paper's setting; the robot is one rigid body, and time is that of the solve alone. Free: "
    "joints under implicit PD, and time is that of the whole step with Python around it. The hand closes its fingers on a cube of 60 mm and 100 g. "
    "The paper drops a ball into it. Times are printed, not judged. The paper's: cold PGS before ADMM before the Newton methods, warm closer."
)
WARM = 0.97  # of the cold iterations: what counts as fewer
ACCURACY = 1e-6  # of the ADMM in NumPy [N]
BEFORE, CLOSING, LIFT = (
    50,
    600,
    300,
)  # steps before the fingers reach the cube, until they hold it, and in which it is pulled
PULL = 1.5  # upwards, over the weight of the cube
Key = tuple[str, str]


@dataclass
class Count:
    cold: float = 0.0  # iterations per step
    warm: float = 0.0
    refused: int = 0  # steps that the judge did not accept
    cold_time: float = 0.0  # [µs]
    warm_time: float = 0.0


Found = dict[str, dict[Key, Count]]


def _options(solver: str) -> dict[str, Any]:
    each: dict[str, Any] = {} if solver in ("newton", "staggered") else {"test_interval": 1}
    return (
        {"max_iterations": 300 if solver == "newton" else 10000}
        | each
        | AS_PUBLISHED.get(solver, {})
        | rigid_options(solver)
    )


Moments = list[list[st.ContactProblem]]  # the problems of each step, one per island


def _locked(stance: Stance, steps: int) -> Moments:
    robot = locked(stance)
    return [[robot.problem(i * p.STEP)] for i in range(steps)]


def _closing(steps: int) -> Moments:
    """Of the hand, from before its fingers reach the cube."""
    held, out = hand(), []  # the target of a step stays that of the next one
    for i in range(BEFORE + steps):
        if i >= BEFORE:
            out.append(held.sim.problems())
        held.sim.step(target=held.target)
    return out


def _along_problems(moments: Moments, law: str, solver: str) -> Count:
    """The same problems for every solver; warm where the step before had an island of the same number and size."""
    out = Count()
    before: dict[tuple[int, int], Any] = {}
    for problems in moments:
        solved = {}
        for island, posed in enumerate(problems):
            problem, start = posed.with_law(law), before.get((island, posed.rows))
            times = [time.process_time()]
            _, cold = st.solve(problem, solver, **_options(solver))
            times.append(time.process_time())
            solved[island, posed.rows], warm = st.solve(problem, solver, warm_start=start, **_options(solver))
            times.append(time.process_time())
            out.cold_time, out.warm_time = out.cold_time + times[1] - times[0], out.warm_time + times[2] - times[1]
            out.cold, out.warm = out.cold + cold.iterations, out.warm + warm.iterations
            out.refused += (cold.status != "converged") + (warm.status != "converged")
        before = solved
    return _mean(out, len(moments))


def _mean(count: Count, steps: int) -> Count:
    micro = 1e6 / steps
    return Count(
        count.cold / steps, count.warm / steps, count.refused, micro * count.cold_time, micro * count.warm_time
    )


def _along_steps(
    make: Callable[..., Held], steps: int, law: str, solver: str, drive: Callable[[Held, int], None]
) -> Count:
    out = Count()
    for cold in (True, False):
        held = make(law=law, solver=solver, solver_options=_options(solver) | {"cold_start": cold})
        iterations, start = 0, time.process_time()
        for i in range(steps):
            drive(held, i)
            report = held.sim.step(target=held.target)
            iterations, out.refused = iterations + report.iterations, out.refused + report.unaccepted
        spent = time.process_time() - start
        if cold:
            out.cold, out.cold_time = iterations, spent
        else:
            out.warm, out.warm_time = iterations, spent
    return _mean(out, steps)


def runs(steps: int) -> Found:
    found: Found = {}
    for stance in STANCES:
        if not stance.here:
            continue
        pushed = lambda held, i, stance=stance: held.sim.apply_wrench(held.sim.robots[0], push(stance, i * p.STEP))
        found[f"{stance.title}, locked"] = {key: _along_problems(_locked(stance, steps), *key) for key in LISTED}
        found[f"{stance.title}, free"] = {
            key: _along_steps(lambda stance=stance, **s: free(stance, **s), steps, *key, pushed) for key in LISTED
        }
    if HAND in st.robots.paths():
        moments = _closing(2 * steps)
        found["Allegro hand"] = {key: _along_problems(moments, *key) for key in LISTED}
    return found


def section(found: Found) -> Section:
    lines = [
        [
            f"{scene}, {law}, {solver}",
            f"{n.cold:.1f}",
            f"{n.warm:.1f}",
            number(n.cold_time),
            number(n.warm_time),
            str(n.refused),
        ]
        for scene, counts in found.items()
        for (law, solver), n in counts.items()
    ]
    table = Table("Per step", ["", "iterations, cold", "warm", "cold [µs]", "warm [µs]", "refused"], lines)
    judged: list[Row] = [] if found else [rows.skipped("Solo-12, Talos, Allegro hand: every row", NEEDS)]
    for scene, counts in found.items():
        judged += [_warm(scene, law, solver, n) for (law, solver), n in counts.items()]
        judged.append(
            rows.told(
                f"{scene}: steps that the judge refused, all solvers", float(sum(n.refused for n in counts.values()))
            )
        )
    judged += _rest() + _grip()
    return Section("Along trajectories: Solo-12, Talos, Allegro hand (Fig. 17)", TEXT, judged, [table])


def _warm(scene: str, law: str, solver: str, n: Count) -> Row:
    row = rows.at_most(
        f"{scene}, {law}, {solver}: warm over cold iterations",
        n.warm / n.cold,
        WARM,
        "improves",
        against=published("Fig. 17"),
    )
    stance = next((s for s in STANCES if scene == f"{s.title}, locked"), None)
    if row.status == "ok" or solver != "admm" or stance is None:
        return row
    proof = rows.at_least("", _by_hand(stance, law), WARM, measured=WARM, against=independent("the same ADMM in NumPy"))
    return rows.differs(row, proof, "forces lie on their cones, where ADMM crawls from wherever it starts")


def _by_hand(stance: Stance, law: str, steps: int = 10) -> float:
    """Warm over cold iterations of the ADMM in NumPy."""
    robot, cold, warm, before = locked(stance), 0, 0, None
    for i in range(steps):
        problem = robot.problem(i * p.STEP, law)
        cold += admm_by_hand.iterations(problem, ACCURACY)
        warm += admm_by_hand.iterations(problem, ACCURACY, start=before)
        before = st.solve(problem, "admm")[0]
    return warm / cold


def _rest() -> list[Row]:
    """Free joints, no push: the floor carries the weight."""
    out = []
    for stance, tolerance in ((SOLO, 1e-6), (TALOS, 1e-4)):
        if stance.here:
            held = free(stance)
            for _ in range(3000):
                held.sim.step(target=held.target)
            force: Any = held.sim.contacts()
            out.append(
                rows.near(
                    f"{stance.title}, free, at rest: normal forces over the weight",
                    None,
                    1.0,
                    float(force["force"][:, 2].sum()) / held.weight,
                    tolerance,
                    against=closed_form("the weight"),
                )
            )
    return out


def on_body(held: Held) -> np.ndarray:
    """Sum of the contact forces on the body that is looked at [N]."""
    found: Any = held.sim.contacts()
    number = held.watched.id
    sign = (found["body_b"] == number).astype(float) - (found["body_a"] == number)
    return np.asarray((sign[:, None] * found["force"]).sum(axis=0))


def _grip() -> list[Row]:
    """The hand holds the cube: against its weight, and against a pull that would lift it."""
    if HAND not in st.robots.paths():
        return []
    held, weight = hand(), np.zeros(3)
    for _ in range(CLOSING):
        held.sim.step(target=held.target)
    carried = on_body(held)
    place, touching = held.sim.pose(held.watched)[0], len(held.sim.contacts())
    for _ in range(LIFT):
        held.sim.apply_wrench(held.watched, (0.0, 0.0, PULL * held.weight))
        held.sim.step(target=held.target)
    moved = float(np.linalg.norm(held.sim.pose(held.watched)[0] - place))
    weight[2] = held.weight
    statics = closed_form("statics of the cube")
    return [
        rows.at_most(
            "Allegro hand: contact forces on the cube from its weight, relative",
            float(np.linalg.norm(carried - weight)) / held.weight,
            1e-4,
            against=statics,
        ),
        rows.at_most(
            f"Allegro hand: the same while it is pulled up by {PULL:g} weights",
            float(np.linalg.norm(on_body(held) + (PULL - 1.0) * weight)) / held.weight,
            1e-3,
            against=statics,
        ),
        rows.at_most(
            "Allegro hand: the cube moves under the pull by [mm]", 1e3 * moved, 1.0, against=closed_form("a grip")
        ),
        rows.told("Allegro hand: contacts with the cube closed in", float(touching)),
    ]
