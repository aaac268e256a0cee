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
GROWTH = 1.0  # of the way that bodies go in a step: how much deeper they may be at its end
MOST_WORK = 200_000  # iterations of a step
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


def spring_energy(case: worlds.Case, report: st.StepReport) -> float:
    """A bound on what springs of contacts held at the start of the step, from the deepest overlap; their stretch sideways is that of friction [J]."""
    if case.family == "hard":
        return case.loop_energy
    stiffness = case.options["law_options"].get("stiffness", 2e4)
    return 0.5 * stiffness * report.contacts * report.penetration**2 * (1.0 + case.mu**2) + case.loop_energy


def correction_speed(case: worlds.Case, report: st.StepReport) -> float:
    """How fast overlaps and open loops may be taken back [m/s]. Hard laws: three times min(1 m/s, sqrt(30 m/s^2 times the error)). `relaxed`: at its
    own rate, `rigid_euler` within a step. Other soft laws have springs alone."""
    error = report.penetration + (1.0 if case.loops else 0.0)
    if case.family == "relaxed":
        return min(300.0, 1.0 / case.options["dt"]) * error
    if case.options["stepper"] == "rigid_euler":
        return error / case.options["dt"]
    return 3.0 * min(1.0, (30.0 * error) ** 0.5) if case.family in ("hard", "compliant") else 0.0


def allowed(case: worlds.Case, before: Moment, after: Moment, report: st.StepReport) -> float:
    """Energy that a step may gain [J]: motors and loads, springs, weight over a step, bounded corrections, errors of the scheme."""
    sim, dt = case.sim, case.options["dt"]
    gravity, mass, joints = 30.0, sim.mass, sim.ntau
    motors = 0.0
    if joints:
        speed = np.abs(before.v[-joints:])
        torque = np.abs(case.tau) + case.kp * (np.pi + 0.1 * speed)  # continuous joints know no limit of effort
        motors = dt * float(torque @ (np.abs(before.v[-joints:]) + np.abs(after.v[-joints:])))
    correction = 0.5 * mass * correction_speed(case, report) ** 2
    fall = gravity * dt
    weight = fall * np.sqrt(2.0 * mass * after.kinetic) + mass * fall**2
    return (
        2.0 * (motors + spring_energy(case, report) + correction + weight + 0.25 * before.kinetic)
        + before.kinetic
        + 1e-8
    )


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
    if case.family != "hard" or not before.ok or before.corrections_dropped or grown <= GROWTH * reach + 1e-5:
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
