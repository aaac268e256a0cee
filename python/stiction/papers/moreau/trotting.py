# SPDX-License-Identifier: BSD-2-Clause
"""Table 1: the eleven configurations trot; counts, times and accuracy."""

from __future__ import annotations

import itertools

import numpy as np

from .. import rows
from ..rows import Row, closed_form, own_record
from ..rows import published as paper
from ..study import Section, Table
from . import published
from .configurations import BILATERAL_ROWS, CONFIGURATIONS, KEPT, Configuration
from .runs import TrotRun, trot
from .split import PARTS, Split, replayed

Runs = dict[str, TrotRun]
STEPS_TRIED = 3.0  # trots that tell which steps compliant contact bears [s]
TEXT = (
    "All eleven configurations trot at 1.25 Hz with one controller and the published alphas, termination rule and cold start. Times are processor "
    "times of the steps, without the controller; published ones are of a laptop of 2014."
)


def all_trots(duration: float) -> Runs:
    return {c.name: trot(c, duration) for c in CONFIGURATIONS}


def kept_trots(duration: float) -> Runs:
    """Of the configurations that have joint rows, with energy and joints kept."""
    return {c.name: trot(c, duration, stepper_options=KEPT) for c in CONFIGURATIONS if BILATERAL_ROWS[c.coordinates]}


def iterations(run: TrotRun) -> float:
    """Mean per step."""
    return float(run.iterations.mean()) / run.steps


def realtime(run: TrotRun, parts: Split) -> float:
    """Simulated over processor time of the steps."""
    return run.dt / parts["step"][0]


def table(runs: Runs, splits: dict[str, Split]) -> Table:
    header = [
        "",
        "alpha",
        "iterations",
        "joint rows solved directly",
        "evaluations/s published",
        "ours",
        "real time published",
        "ours",
        "ours/published",
    ]
    lines = []
    for name, run in runs.items():
        factor = realtime(run, splits[name])
        lines.append([name, f"{published.ALPHA[name]:g}" if name in published.ALPHA else "-", f"{iterations(run):.1f}",
                      str(_factorised(run.configuration)), str(published.EVALUATIONS[name]), f"{1.0 / splits[name]['step'][0]:.0f}",
                      f"{published.REALTIME[name]:g}", f"{factor:.1f}", f"{factor / published.REALTIME[name]:.1f}"])  # fmt: skip
    return Table("Table 1", header, lines)


def _factorised(c: Configuration) -> int:
    return BILATERAL_ROWS[c.coordinates] if c.hard and c.direct else 0


def standing_rows(runs: Runs, duration: float) -> list[Row]:
    return [rows.at_least(f"{name}: seconds on its feet", run.duration if not run.failed else 0.0, duration, published.TROT,
                          against=paper("section Computation Speed, 25 gait cycles")) for name, run in runs.items()]  # fmt: skip


def _at_most(name: str, fast: float, slow: float, slack: float, where: str) -> Row:
    return rows.judged(
        name, f"{fast:.1f}, {slow:.1f}", fast <= (1.0 + slack) * slow, f"<= {1 + slack:g} x", against=paper(where)
    )


def orderings(runs: Runs) -> list[Row]:
    """The published order on counts, which no clock can blur: who needs more iterations is slower."""
    n = {name: iterations(run) for name, run in runs.items()}
    found = [
        _at_most("iterations of HmJ, HmS: equal", n["HmJ"], n["HmS"], 0.05, "Fig. 6"),
        _at_most("iterations of HmS, HmJ: equal", n["HmS"], n["HmJ"], 0.05, "Fig. 6"),
    ]
    for solver in "JS":
        for joints in "DP":
            e, m = f"HE{solver}{joints}", f"HM{solver}{joints}"
            name = f"iterations of Hm{solver}, {e}: minimal before extended"
            found.append(_at_most(name, n[f"Hm{solver}"], n[e], 0.05, "Table 1"))
            found.append(_at_most(f"iterations of {e}, {m}: extended before maximal", n[e], n[m], 0.05, "Table 1"))
        d, p = f"HM{solver}D", f"HM{solver}P"
        found.append(_at_most(f"iterations of {d}, {p}: direct before prox", n[d], n[p], 0.0, "Table 1"))
    found.append(_at_most("iterations of HMSP, HMJP: sor before jor", n["HMSP"], n["HMJP"], 0.0, "Fig. 6, Table 1"))
    return found


def step_rows() -> list[Row]:
    """How large a step compliant contact bears: two per control update, and a quarter of that with ten times the damping."""
    cases = ((2.5e-3, 1.0, False), (1.25e-3, 1.0, True), (6.25e-4, 10.0, False), (3.125e-4, 10.0, True))
    out = []
    for dt, more, holds in cases:
        run = trot(Configuration("Cm"), STEPS_TRIED, dt=dt, damping=more * published.DAMPING)
        up = not run.fell and not run.failed
        where = "section Computation Speed" if more == 1.0 else "section Accuracy, Fig. 5"
        name = f"Cm, damping x {more:g}, dt {1e3 * dt:g} ms: trots for {STEPS_TRIED:g} s"
        out.append(
            rows.judged(
                name, "holds" if up else "falls", up == holds, "holds" if holds else "falls", against=paper(where)
            )
        )
    return out


def stances(run: TrotRun) -> list[np.ndarray]:
    """Normal forces of the left fore foot, one array per whole stance of the strides at the end [N]."""
    force, down = run.normal[run.cycles(), 0], run.standing[run.cycles(), 0]
    edges = np.flatnonzero(np.diff(down.astype(int))) + 1
    return [force[a:b] for a, b in itertools.pairwise(edges) if down[a]]


def ripple(run: TrotRun) -> float:
    """After touchdown: deviation of the force from its mean over nine updates, in the first 100 ms, over the mean force."""
    window, found = np.ones(9) / 9, []
    for force in stances(run):
        found.append(float((force - np.convolve(force, window, "same"))[8:48].std() / force.mean()))
    return float(np.mean(found))


def force_rows(hard: TrotRun, soft: TrotRun, damped: TrotRun) -> list[Row]:
    """Fig. 5: the normal force of the left fore foot over a stride."""
    figure = paper("Fig. 5")
    mean_hard, mean_soft = (float(np.concatenate(stances(run)).mean()) for run in (hard, soft))
    most = [float(max(force.max() for force in stances(run))) for run in (soft, damped)]
    return [
        rows.close("mean force of a standing foot, compliant over hard", 1.0, None, mean_soft / mean_hard, 0.05, against=figure),
        rows.at_least("ripple of the force after touchdown, compliant", ripple(soft), 0.01, "oscillations", against=figure),
        rows.at_most("ripple of the force after touchdown, hard", ripple(hard), 0.002, "none", against=figure),
        rows.at_most("ripple of the force, damping x 10 over compliant", ripple(damped) / ripple(soft), 0.2, "damped out", against=figure),
        rows.told("largest force of a stance, damping x 10 over compliant", most[1] / most[0], "higher",
                  reason="not seen: this controller sets the feet down without an impact"),
    ]  # fmt: skip


def accuracy(runs: Runs) -> list[Row]:
    sink, exact = runs["Cm"].sink(), published.SINK_TROT_EXACT
    found = [
        rows.close("Cm: sink of the standing feet [mm]", published.SINK_TROT, exact, sink, published.SINK_BAR, against=paper("section Accuracy")),
        rows.close("Cm: sink of the standing feet against m g/(2 c) [mm]", None, exact, sink, published.SINK_BAR, against=closed_form("m g/(2 c)")),
    ]  # fmt: skip
    statics = closed_form("mean force of a stride is the weight")
    for name, run in runs.items():
        feet = f"{name}: two feet carry, over the weight"
        found.append(rows.close(feet, None, 1.0, run.carried(), published.WEIGHT_BAR, against=statics))
    return found


def drift_rows(runs: Runs, kept: Runs) -> list[Row]:
    """As published, without a position term, and with positions put back onto the joints (rate and largest gap)."""
    found = [_joint_drift(runs["HEJD"])]
    closed = closed_form("joints stay closed")
    for name, run in kept.items():
        if name != "HEJD":
            apart = f"{name}: joints come apart, scheme as published [µm/min]"
            found.append(rows.told(apart, runs[name].drift_per_minute(), published.BILATERAL_DRIFT))
        up, rate, most = (
            run.duration if not run.fell else 0.0,
            abs(run.drift_per_minute()),
            1e6 * float(run.drift.max()),
        )
        found += [
            rows.at_least(f"{name}: seconds on its feet with energy_balance and project", up, run.wanted, against=own_record("bar")),
            rows.at_most(f"{name}: joints come apart, with project [µm/min]", rate, published.DRIFT_BAR, published.BILATERAL_DRIFT, against=closed),
            rows.at_most(f"{name}: largest gap of a joint, with project [µm]", most, published.DRIFT_BAR / 60.0, against=closed),
        ]  # fmt: skip
    return found


def _joint_drift(run: TrotRun) -> Row:
    """Direct joints open by ½ dt² ω² r in a step: at half the step half as fast."""
    ours = run.drift_per_minute()
    row = rows.close("HEJD: joints come apart, scheme as published [µm/min]", published.BILATERAL_DRIFT, None, ours, 1.0,
                     against=paper("section Accuracy"))  # fmt: skip
    half = trot(run.configuration, min(run.wanted, 4.0), dt=0.5 * run.dt).drift_per_minute() / ours
    proof = rows.near("", None, 0.5, half, 0.2, against=closed_form("½ dt ω² r per second, half at half the step"))
    return rows.differs(row, proof, "held at the velocity of the end of the step; how .59 was measured is not printed")


def split_table(splits: dict[str, Split]) -> Table:
    lines = [
        [name, *(f"{1e6 * parts[p][0]:.1f} ± {1e6 * parts[p][1]:.1f}" for p in (*PARTS, "step"))]
        for name, parts in splits.items()
    ]
    return Table("Processor time of a step over a stride, mean and deviation [µs]", ["", *PARTS, "step"], lines)


def _cost(ratio: float, hard: Split) -> Row:
    """Hard contact took .85 of the time of compliant contact. Here its sweeps alone are what it takes longer."""
    row = rows.within_factor("time of HmJ over Cm", published.REALTIME["Cm"] / published.REALTIME["HmJ"], None, ratio, 1.2,
                             against=paper("Table 1"))  # fmt: skip
    whole, sweeps = hard["step"][0], hard["iterations"][0]
    bare = ratio * (1.0 - sweeps / whole)
    proof = rows.at_most(
        "",
        bare,
        1.0,
        measured=1.0,
        against=closed_form("a hard step less its sweeps costs no more than two compliant ones"),
    )
    return rows.differs(
        row,
        proof,
        f"72 sweeps from cold impulses are {100.0 * sweeps / whole:.0f} % of the step here; warm start evens it out",
    )


def section(runs: Runs, splits: dict[str, Split], duration: float) -> Section:
    warm = trot(runs["HmJ"].configuration, min(duration, 4.0), warm=True)
    name, wanted = "HmJ: times faster than real time", published.REALTIME["HmJ"]
    cold, table1 = replayed(runs["HmJ"], False), paper("Table 1")
    ratio = realtime(runs["Cm"], splits["Cm"]) / realtime(runs["HmJ"], splits["HmJ"])
    speed = [
        rows.at_least(f"{name}, cold start as published", cold, wanted, wanted, against=table1),
        rows.told(f"{name}, warm start", replayed(warm, True), wanted),
        _cost(ratio, splits["HmJ"]),
    ]
    judged = standing_rows(runs, duration) + orderings(runs) + step_rows() + accuracy(runs) + speed
    return Section("The eleven configurations trot", TEXT, judged, [table(runs, splits), split_table(splits)])
