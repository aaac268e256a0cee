# SPDX-License-Identifier: BSD-2-Clause
"""The falling rod: event times, convergence, Painlevé's range."""

from __future__ import annotations

import numpy as np

from ..._core import ContactProblem, solve
from .. import rows
from ..rows import Row
from ..study import Section, Table
from . import runs
from .runs import RodRun

# dt: velocity error, position error against dt = 5e-5, measured by an independent implementation
MEASURED = {
    "nonlinear": {0.02: (0.2088, 0.0467), 0.01: (0.1114, 0.0336), 0.005: (0.0510, 0.0092), 0.0025: (0.0186, 0.0046), 0.00125: (0.0118, 0.0036),
                  0.0005: (0.0047, 0.0009)},
    "linear": {0.02: (0.2089, 0.0509), 0.01: (0.1996, 0.0772), 0.005: (0.0483, 0.0092), 0.0025: (0.0166, 0.0046), 0.00125: (0.0185, 0.0068),
               0.0005: (0.0044, 0.0009)},
}  # fmt: skip


def near(name: str, published: float | None, measured: float, ours: float, tolerance: float) -> Row:
    """Within an absolute distance of the measured value."""
    return Row(
        name,
        published,
        measured,
        ours,
        f"± {tolerance:.2g}",
        "ok" if abs(ours - measured) <= tolerance else "failed",
        digits=6,
    )


def events() -> tuple[Section, RodRun]:
    run = runs.rod(0.0025)
    other = runs.rod(0.0025, "nonlinear")
    first = run.normal.sum(axis=1)
    first = first[first > 0][:3]
    section = Section(
        "Falling rod, dt = 2.5 ms",
        "Times are the starts of the steps. The published ones are those of the linear version.",
    )
    section.rows = [
        near("impact [s]", 0.383, 0.3825, run.impact, 1e-9),
        near("slap-down [s]", 0.548, 0.5475, run.slap, 1e-9),
        near("slide after it [s]", 0.02, 0.0225, run.rest - run.slap, 1e-9),
        near("slap-down, nonlinear [s]", None, 0.5450, other.slap, 1e-9),
        *[
            near(f"impulse of step {154 + i} [N s]", None, m, float(c), 1e-4)
            for i, (m, c) in enumerate(zip((1.3197, 1.8756, 0.0004), first, strict=True))
        ],
        near("omega after the impact [rad/s]", None, 2.19, float(run.v[153, 2]), 5e-3),
        near("omega one step later [rad/s]", None, 5.15, float(run.v[154, 2]), 5e-3),
        rows.at_most("overlap, linear [m]", run.penetration, 7e-7, measured=6.8e-7),
        rows.at_most("overlap, nonlinear [m]", other.penetration, 1e-15, measured=1e-16),
    ]
    return section, run


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
                section.rows.append(
                    near(f"{version}, dt {dt:g}: velocity error", None, velocity, ours[0], 1e-4 + 0.01 * velocity)
                )
                section.rows.append(
                    near(f"{version}, dt {dt:g}: position error", None, position, ours[1], 1e-4 + 0.01 * position)
                )
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
    section.rows += [rows.at_most("K_nn − μ|K_nt| after the impact [1/kg]", float(factor), -1.0, measured=-1.56),
                     rows.at_most("free normal acceleration [m/s²]", float(free), 0.0, measured=-3.99)]  # fmt: skip
    for friction, wanted in ((mu, "numerical_failure"), (0.1, "converged")):
        K = 1 + lever_n**2 / inertia - friction * abs(lever_n * lever_t) / inertia
        _, report = solve(ContactProblem.lcp([[K]], [float(free)]), solver="lemke")
        found = "no force (ray)" if report.status == "numerical_failure" else f"force ({report.status})"
        section.rows.append(Row(f"accelerations instead of impulses, μ = {friction:g}", None, None, found,
                                "fails" if wanted == "numerical_failure" else "solved", "ok" if report.status == wanted else "failed"))  # fmt: skip
    for dt in (1e-3, 5e-4) if quick else (1e-3, 1e-4, 5e-5):
        run = runs.rod(dt)
        section.rows.append(rows.at_most(f"largest impulse, dt {dt:g} [N s]", float(run.normal.max()), 4.0))
        section.rows.append(rows.at_most(f"steps not accepted, dt {dt:g}", float(run.unaccepted), 0.0))
    return section


def _errors(run: RodRun, reference: RodRun) -> tuple[float, float]:
    ratio = round(run.dt / reference.dt)
    velocity = (
        np.abs(np.repeat(run.v, ratio, axis=0)[: len(reference.v)] - reference.v).max(axis=1).sum() * reference.dt
    )
    return float(velocity), float(np.abs(run.q - reference.q[ratio - 1 :: ratio][: len(run.q)]).max())
