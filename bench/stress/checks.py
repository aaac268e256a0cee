# SPDX-License-Identifier: BSD-2-Clause
"""What must hold of every step of every world, whatever the law, solver and stepper. `run` makes the steps of a case and lists what was broken."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

import judge
import stiction as st
import worlds

STEPS = 12
PROBLEM_ROWS = 120  # larger contact problems are not solved a second time
HONEST = 2.0  # of the tolerance: what round-off of the second judge may add
# Of the way that bodies go in a step: how much deeper they may be at its end. Moreau looks at its middle.
GROWTH = {"semi_implicit": 0.05, "stewart_trinkle": 0.25, "moreau": 0.5}
ROUND_OFF, BOUNCING, UNACCEPTED, GUARDED = (
    1e-6,
    0.25,
    1.0,
    1.5,
)  # of the kinetic energy: what a step may gain (scheme_error)
MOST_WORK = 200_000  # iterations of a step
LIMIT_STIFFNESS = 1000.0  # of soft laws, by default
REFUSED = (ValueError,)  # a sentence


@dataclass
class Result:
    seed: int
    outcome: str = "ran"  # or refused
    broken: list[str] = field(default_factory=list)
    statuses: dict[str, int] = field(default_factory=dict)
    work: list[int] = field(default_factory=list)  # iterations per step
    seconds: list[float] = field(default_factory=list)  # of this thread, per step
    rows: int = 0
    told: str = ""
    method: str = ""


@dataclass
class Moment:
    """A state as the checks see it."""

    kinetic: float
    total: float
    momentum: np.ndarray
    q: np.ndarray
    v: np.ndarray
    time: float


def look(sim: st.Simulator) -> Moment:
    energy = sim.energy()
    return Moment(energy.kinetic, energy.total, sim.momentum(), sim.q.copy(), sim.v.copy(), sim.time)


def limit_energy(case: worlds.Case, before: Moment) -> float:
    """What the springs of soft joint limits hold [J]."""
    if not case.sim.ntau:
        return 0.0
    q, (low, high) = before.q[-case.sim.ntau :], np.asarray(case.sim.joint_limits).T
    passed = np.maximum(0.0, np.maximum(low - q, q - high))
    return float(0.5 * LIMIT_STIFFNESS * passed @ passed)


def spring_energy(case: worlds.Case, before: Moment, report: st.StepReport) -> float:
    """A bound on what springs of contacts, loops and joint limits held at the start of the step, from the deepest overlap; their stretch sideways
    is that of friction [J]."""
    if case.family == "hard":
        return case.loop_energy
    stiffness = case.options["law_options"].get("stiffness", 2e4)
    contacts = 0.5 * stiffness * report.contacts * report.penetration**2 * (1.0 + case.mu**2)
    return contacts + case.loop_energy + limit_energy(case, before)


def correction_speed(case: worlds.Case, report: st.StepReport) -> float:
    """How fast overlaps and open loops may be taken back [m/s]. Hard laws: three times min(1 m/s, sqrt(30 m/s^2 times the error)). `relaxed`: at its
    own rate, `rigid_euler` within a step. Other soft laws have springs alone."""
    error = report.penetration + (1.0 if case.loops and case.family == "hard" else 0.0)
    if case.family == "relaxed":
        return min(300.0, 1.0 / case.options["dt"]) * error
    if case.options["stepper"] == "rigid_euler":
        return error / case.options["dt"]
    return 3.0 * min(1.0, (30.0 * error) ** 0.5) if case.family in ("hard", "compliant") else 0.0


def motor_work(case: worlds.Case, before: Moment, after: Moment) -> float:
    joints = case.sim.ntau
    if not joints:
        return 0.0
    speed, end = np.abs(before.v[-joints:]), np.abs(after.v[-joints:])
    away = np.pi + np.abs(before.q[-joints:])  # from where the controller wants them
    torque = np.abs(case.tau) + case.kp * (away + 0.1 * speed)  # continuous joints know no limit of effort
    return case.options["dt"] * float(torque @ (speed + end))


def scheme_error(case: worlds.Case, report: st.StepReport) -> tuple[float, float]:
    """What a scheme may gain: so many times what is given, and a share of the kinetic energy. Hard contact of single bodies takes energy and
    gives none. Newton's rule at several contacts of different restitution may give some, and impulses that the judge refused (a hundredth of
    what rows exchange, which is not known here). Velocity forces of chains of one instant, rows that
    ask for positions (Stewart and Trinkle), explicit springs gain what the guard lets through: twice what it can explain, the kinetic energy
    counted in."""
    if case.family == "hard" and case.options["stepper"] != "stewart_trinkle" and not case.sim.ntau:
        share = BOUNCING if case.bounces else ROUND_OFF
        return 1.0, share if report.status == "converged" else UNACCEPTED
    return 2.0, GUARDED


def allowed(case: worlds.Case, before: Moment, after: Moment, report: st.StepReport) -> float:
    """Energy that a step may gain [J]: motors, springs, bounded corrections, weight to first order, (m g dt)^2 / m, and the error of the scheme."""
    mass, fall = case.sim.mass, case.gravity * case.options["dt"]
    given = motor_work(case, before, after) + spring_energy(case, before, report)
    given += 0.5 * mass * correction_speed(case, report) ** 2 + mass * fall**2
    times, share = scheme_error(case, report)
    if times > 1.0:
        given += fall * np.sqrt(2.0 * mass * after.kinetic)
    return times * given + share * before.kinetic + 1e-8


def same(a: Moment, b: Moment) -> bool:
    return bool((a.q == b.q).all() and (a.v == b.v).all() and a.time == b.time)


def check_step(case: worlds.Case, before: Moment, after: Moment, report: st.StepReport) -> list[str]:
    broken = []
    if not (np.isfinite(after.q).all() and np.isfinite(after.v).all()):
        return ["not finite"]
    if report.status in ("unphysical", "numerical_failure"):
        if report.ok or not same(before, after):
            broken.append(f"{report.status}, but the state moved")
        return broken
    gain = after.total - before.total
    bound = allowed(case, before, after, report)
    if not gain <= bound:
        broken.append(
            f"energy: {before.kinetic:.3g} J, gained {gain:.3g} J where {bound:.3g} J is the most; {report.status}"
        )
    if case.isolated:
        scale = case.sim.mass**0.5 * (2.0 * before.kinetic) ** 0.5
        moved = float(np.abs(after.momentum[:3] - before.momentum[:3]).max())
        if not moved <= 1e-9 * scale + 1e-12:
            broken.append(f"momentum: changed by {moved:.3g} N s of {scale:.3g} N s")
    if report.iterations > MOST_WORK:
        broken.append(f"work: {report.iterations} iterations in a step")
    return broken


def fastest(case: worlds.Case, moment: Moment) -> float:
    """A bound on the speed of any point of any body [m/s]; bodies are smaller than 2 m, velocities of joints count for all of a chain."""
    return float(np.abs(moment.v).sum() * 2.0) if case.sim.ntau else float(3.0 * np.abs(moment.v).max())


def check_overlap(case: worlds.Case, before: st.StepReport, now: st.StepReport, reach: float) -> list[str]:
    """Overlaps at the start of a step against those at the start of the accepted step before: no deeper than its bodies can have moved."""
    grown = now.penetration - before.penetration
    if case.family != "hard" or not before.ok or before.corrections_dropped:
        return []
    if grown <= GROWTH[case.options["stepper"]] * reach + 1e-5:
        return []
    return [f"overlap: grew by {grown:.3g} m in a step of {reach:.3g} m"]


def check_honesty(case: worlds.Case) -> list[str]:
    """The problems of the next step, solved by the solver of the case: what it calls converged, the second judge must accept."""
    broken = []
    for problem in case.sim.problems():
        if problem.rows > PROBLEM_ROWS:
            continue
        impulse, report = st.solve(problem, case.options["solver"])
        if not np.isfinite(impulse).all():
            broken.append(f"honesty: impulses are not finite, {report.status}")
        elif report.ok and (found := judge.ratio(problem, impulse)) > HONEST:
            broken.append(
                f"honesty: converged with {found:.3g} times the tolerance ({report.path or case.options['solver']})"
            )
    return broken


def run(seed: int, steps: int = STEPS) -> Result:
    result = Result(seed)
    try:
        case = worlds.make(seed)
    except REFUSED as sentence:
        result.outcome, result.told = "refused", str(sentence)
        return result
    result.told = str(case)
    result.method = " ".join(str(case.options.get(word, "")) for word in ("law", "solver", "stepper"))
    before, last, reach = look(case.sim), None, 0.0
    for k in range(steps):
        if case.family == "hard" and k % 4 == 0:
            result.broken += check_honesty(case)
        start = time.thread_time()
        report = case.sim.step(case.tau) if len(case.tau) else case.sim.step()
        result.seconds.append(time.thread_time() - start)
        result.work.append(report.iterations)
        result.rows = max(result.rows, 3 * report.contacts)
        result.statuses[report.status] = result.statuses.get(report.status, 0) + 1
        after = look(case.sim)
        result.broken += [f"step {k}: {what}" for what in check_step(case, before, after, report)]
        if last is not None:
            result.broken += [f"step {k}: {what}" for what in check_overlap(case, last, report, reach)]
        last, reach = report, case.options["dt"] * max(fastest(case, before), fastest(case, after))
        if result.broken or report.status in ("unphysical", "numerical_failure"):
            break
        before = after
    return result
