# SPDX-License-Identifier: BSD-2-Clause
"""The falling rod: event times, convergence, Painlevé's range."""

from __future__ import annotations

import itertools

import numpy as np

from ..._core import ContactProblem, solve
from .. import rows
from ..rows import EARLIER, Row, closed_form, near, published
from ..study import Section, Table
from . import runs
from .runs import RodRun

EVENTS = (
    "Times are the starts of the steps. The published ones are those of the linear version. Gravity and height of the start are not printed: "
    "with 9.82 m/s² and 1 m all three times are met; 9.81 moves the impact by .2 ms and nothing else."
)
# dt: velocity error, position error against dt = 5e-5, measured by an independent implementation
MEASURED = {
    "nonlinear": {0.02: (0.2088, 0.0467), 0.01: (0.1114, 0.0336), 0.005: (0.0510, 0.0092), 0.0025: (0.0186, 0.0046), 0.00125: (0.0118, 0.0036),
                  0.0005: (0.0047, 0.0009)},
    "linear": {0.02: (0.2089, 0.0509), 0.01: (0.1996, 0.0772), 0.005: (0.0483, 0.0092), 0.0025: (0.0166, 0.0046), 0.00125: (0.0185, 0.0068),
               0.0005: (0.0044, 0.0009)},
}  # fmt: skip


def events() -> tuple[Section, RodRun]:
    run = runs.rod(0.0025)
    other = runs.rod(0.0025, "nonlinear")
    first = run.normal.sum(axis=1)
    first = first[first > 0][:3]
    section = Section("Falling rod, dt = 2.5 ms (Figs. 2 to 5)", EVENTS)
    section.rows = [
        *_story(run),
        rows.near("impact, end of its step against free fall [s]", None, free_fall(), run.impact + run.dt, run.dt,
                  against=closed_form("y(t) - (l/2)|sin θ(t)| = r")),
        near("slap-down, nonlinear [s]", None, 0.5450, other.slap, 1e-9, against=EARLIER),
        *[
            near(f"impulse of step {154 + i} [N s]", None, m, float(c), 1e-4, against=EARLIER)
            for i, (m, c) in enumerate(zip((1.3197, 1.8756, 0.0004), first, strict=True))
        ],
        near("omega after the impact [rad/s]", None, 2.19, float(run.v[153, 2]), 5e-3, against=EARLIER),
        near("omega one step later [rad/s]", None, 5.15, float(run.v[154, 2]), 5e-3, against=EARLIER),
        rows.at_most("overlap, linear [m]", run.penetration, 7e-7, measured=6.8e-7, against=EARLIER),
        rows.at_most("overlap, nonlinear [m]", other.penetration, 1e-15, measured=1e-16, against=closed_form("g(q⁺) >= 0")),
    ]  # fmt: skip
    return section, run


def free_fall() -> float:
    """When the lower end meets the floor: y - (l/2)|sin θ| = r, θ turning at 4 rad/s from 30 degrees [s]."""
    low, high = 0.3, 0.45
    while high - low > 1e-12:
        t = 0.5 * (low + high)
        gap = 1.0 - 0.5 * runs.GRAVITY * t * t - 0.25 * abs(np.sin(np.pi / 6 + 4.0 * t)) - 0.05
        low, high = (t, high) if gap > 0.0 else (low, t)
    return low


def tip_speed(run: RodRun) -> np.ndarray:
    """Horizontal velocity of the lowest point of the end that hits first, from the impact until both ends lie [m/s]."""
    steps = slice(round(run.impact / run.dt), round(run.slap / run.dt))
    q, v = run.q[steps], run.v[steps]
    side = np.where(np.sin(q[:, 2]) > 0.0, -1.0, 1.0)
    return np.asarray(v[:, 0] + v[:, 2] * (0.05 - 0.25 * side * np.sin(q[:, 2])))


def _story(run: RodRun) -> list[Row]:
    """What section 4.1 says of the rod, sentence by sentence."""
    tip, lies = tip_speed(run), run.v[round(run.slap / run.dt) + 1 :]
    way = [sign for sign in np.sign(tip[np.abs(tip) > 1e-6])]
    turns = way[:1] + [b for a, b in itertools.pairwise(way) if a != b]
    left = bool(len(lies) and lies[0, 0] < 0.0)
    coarse = runs.rod(0.04, duration=0.6)
    fine = run.v[15::16][: len(coarse.v)]
    apart = float(np.abs(coarse.v - fine).max())
    said = published("section 4.1")
    return [
        rows.printed("impact [s]", "0.383", run.impact, against=said, measured=0.3825),
        rows.printed("slap-down [s]", "0.548", run.slap, against=said, measured=0.5475),
        rows.printed("slide after it [s]", "0.02", run.rest - run.slap, against=said, measured=0.0225, units=0.5),
        rows.judged("the tip slides right, stops, slides left", " ".join("right" if s > 0 else "left" for s in turns),
                    turns == [1.0, -1.0], "right left", against=said, published="right, left"),
        rows.judged("it slides left after the slap-down", "left" if left else "right", left, "left", against=said, published="left"),
        rows.at_most("at rest afterwards: largest speed [m/s, rad/s]", float(np.abs(lies[round(0.025 / run.dt) :]).max()), 1e-9,
                     "at rest", against=said),
        rows.at_least("a spike of the angular velocity: next step over the step of the impact",
                      float(run.v[154, 2] / run.v[153, 2]), 2.0, "a spike", against=published("Fig. 5")),
        rows.at_most("no chatter: rises of the vertical velocity after the slap-down [m/s]", float(np.abs(lies[:, 1]).max()), 1e-9,
                     "none", against=published("Figs. 3 to 5")),
        rows.at_least("a step of 1/25 s is too coarse: velocities differ from those of 2.5 ms by [m/s, rad/s]", apart, 1.0,
                      "not sufficient", against=said),
    ]  # fmt: skip


def convergence(quick: bool) -> tuple[Section, list[RodRun]]:
    finest = 2.5e-4 if quick else 5e-5
    section = Section("Falling rod, convergence", f"Errors over .6 s against dt = {finest:g} s of the same version: integral of the largest velocity "
                      "difference, largest position difference. First order; the linear version is not monotone.")  # fmt: skip
    traces = []
    for version, measured in MEASURED.items():
        reference = runs.rod(finest, version, 0.6)
        lines = []
        for dt, (velocity, position) in measured.items():
            if dt <= finest:
                continue
            run = runs.rod(dt, version, 0.6)
            ours = _errors(run, reference)
            lines.append([f"{dt:g}", f"{velocity:.4f}", f"{ours[0]:.4f}", f"{position:.4f}", f"{ours[1]:.4f}"])
            if not quick:
                section.rows += [
                    near(f"{version}, dt {dt:g}: {what} error", None, m, o, 1e-4 + 0.01 * m, against=EARLIER)
                    for what, m, o in (("velocity", velocity, ours[0]), ("position", position, ours[1]))
                ]
            if version == "linear" and dt in (0.01, 0.005, 0.0025):
                traces.append(run)
        section.tables.append(
            Table(version, ["dt [s]", "velocity, measured", "ours", "position, measured", "ours"], lines)
        )
        if version == "linear":
            traces.append(reference)
    return section, traces


def painleve(quick: bool) -> Section:
    section = Section("Painlevé's range", "μ = .6 is above the critical value .302 of this rod. After the impact the "
                                          "lower end slides, and its normal "
                      "acceleration under a contact force f is (K_nn − μ|K_nt|) f + a. Both the factor and a are "
                      "negative there: no f ≥ 0 keeps the end "
                      "from going into the floor. A method that asks for forces must fail, and Lemke's method on that "
                      "one-row problem ends on a ray; with "
                      "friction below the critical value it finds the force. Impulses over a step exist for any dt "
                      "and stay finite as dt → 0.")  # fmt: skip
    run = runs.rod(0.0025)
    theta, omega = run.q[154, 2], run.v[154, 2]
    side, half, radius, inertia, mu = (-1.0 if np.sin(theta) > 0 else 1.0), 0.25, 0.05, 0.002, 0.6
    lever_n, lever_t = side * half * np.cos(theta), radius - side * half * np.sin(theta)
    factor = 1 + lever_n**2 / inertia - mu * abs(lever_n * lever_t) / inertia
    free = -9.82 - side * half * np.sin(theta) * omega**2
    section.rows += [rows.at_most("K_nn − μ|K_nt| after the impact [1/kg]", float(factor), -1.0, measured=-1.56, against=EARLIER),
                     rows.at_most("free normal acceleration [m/s²]", float(free), -3.0, measured=-3.99, against=EARLIER)]  # fmt: skip
    for friction, wanted in ((mu, "numerical_failure"), (0.1, "converged")):
        K = 1 + lever_n**2 / inertia - friction * abs(lever_n * lever_t) / inertia
        _, report = solve(ContactProblem.lcp([[K]], [float(free)]), solver="lemke")
        found = "no force (ray)" if report.status == "numerical_failure" else f"force ({report.status})"
        section.rows.append(rows.judged(f"accelerations instead of impulses, μ = {friction:g}", found, report.status == wanted,
                                        "fails" if wanted == "numerical_failure" else "solved", against=published("section 4.1"),
                                        published="would fail" if wanted == "numerical_failure" else None))  # fmt: skip
    for dt in (1e-3, 5e-4) if quick else (1e-3, 1e-4, 5e-5):
        run = runs.rod(dt)
        momentum = float(np.hypot(runs.GRAVITY * run.impact, 1.0))  # of the fall, and some more for the spin
        section.rows.append(rows.at_most(f"largest impulse, dt {dt:g} [N s]", float(run.normal.max()), momentum,
                                         against=closed_form("m |v| at the impact")))  # fmt: skip
        section.rows.append(
            rows.at_most(
                f"steps without a solution, dt {dt:g}",
                float(run.unaccepted),
                0.0,
                "always one",
                against=published("section 3.3"),
            )
        )
    return section


def _errors(run: RodRun, reference: RodRun) -> tuple[float, float]:
    ratio = round(run.dt / reference.dt)
    velocity = (
        np.abs(np.repeat(run.v, ratio, axis=0)[: len(reference.v)] - reference.v).max(axis=1).sum() * reference.dt
    )
    return float(velocity), float(np.abs(run.q - reference.q[ratio - 1 :: ratio][: len(run.q)]).max())
