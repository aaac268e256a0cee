# SPDX-License-Identifier: BSD-2-Clause
"""Table 1: the eleven configurations trot; counts, times and accuracy."""

from __future__ import annotations

from .. import rows
from ..rows import Row
from ..study import Section, Table
from . import published
from .configurations import BILATERAL_ROWS, CONFIGURATIONS, KEPT, Configuration
from .runs import TrotRun, trot
from .split import PARTS, Split, replayed

Runs = dict[str, TrotRun]
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
    return [rows.at_least(f"{name}: seconds on its feet", run.duration if not run.failed else 0.0, duration, published=published.TROT)
            for name, run in runs.items()]  # fmt: skip


def _at_most(name: str, fast: float, slow: float, slack: float) -> Row:
    return Row(
        name,
        None,
        None,
        f"{fast:.1f}, {slow:.1f}",
        f"<= {1 + slack:g} x",
        "ok" if fast <= (1.0 + slack) * slow else "failed",
    )


def orderings(runs: Runs) -> list[Row]:
    """Section 5.4 of the specification on counts: who needs more iterations or more factorised joint rows is slower."""
    n = {name: iterations(run) for name, run in runs.items()}
    found = [
        _at_most("iterations of HmJ, HmS: equal", n["HmJ"], n["HmS"], 0.05),
        _at_most("iterations of HmS, HmJ: equal", n["HmS"], n["HmJ"], 0.05),
    ]
    for solver in "JS":
        for joints in "DP":
            e, m = f"HE{solver}{joints}", f"HM{solver}{joints}"
            found.append(
                _at_most(f"iterations of Hm{solver}, {e}: minimal before extended", n[f"Hm{solver}"], n[e], 0.05)
            )
            found.append(_at_most(f"iterations of {e}, {m}: extended before maximal", n[e], n[m], 0.05))
        found.append(
            _at_most(
                f"iterations of HM{solver}D, HM{solver}P: direct before prox", n[f"HM{solver}D"], n[f"HM{solver}P"], 0.0
            )
        )
    found.append(_at_most("iterations of HMSP, HMJP: sor before jor", n["HMSP"], n["HMJP"], 0.0))
    rows_solved = [_factorised(runs[name].configuration) for name in ("HmJ", "HEJD", "HMJD")]
    found.append(Row("joint rows factorised in a step: HmJ, HEJD, HMJD", None, None, "{}, {}, {}".format(*rows_solved), "rising",
                     "ok" if rows_solved == sorted(set(rows_solved)) else "failed"))  # fmt: skip
    hard, soft = runs["HmJ"].steps, runs["Cm"].steps
    found.append(
        Row(
            "evaluations per control update, HmJ and Cm",
            "1, 2",
            None,
            f"{hard}, {soft}",
            "HmJ <= Cm",
            "ok" if hard <= soft else "failed",
        )
    )
    return found


def accuracy(runs: Runs) -> list[Row]:
    found = [
        rows.close(
            "Cm: sink of the standing feet [mm]",
            published.SINK_TROT,
            published.SINK_TROT_EXACT,
            runs["Cm"].sink(),
            published.SINK_BAR,
        )
    ]
    for name, run in runs.items():
        found.append(
            rows.close(f"{name}: two feet carry, over the weight", None, 1.0, run.carried(), published.WEIGHT_BAR)
        )
    return found


def drift_rows(runs: Runs, kept: Runs) -> list[Row]:
    """As published, without a position term (told), and with positions put back onto the joints (judged: rate and largest gap)."""
    found = []
    for name, run in kept.items():
        found.append(
            rows.told(
                f"{name}: joints come apart, scheme as published [µm/min]",
                runs[name].drift_per_minute(),
                published.BILATERAL_DRIFT,
            )
        )
        found.append(
            rows.at_least(
                f"{name}: seconds on its feet with energy_balance and project",
                run.duration if not run.fell else 0.0,
                run.wanted,
            )
        )
        found.append(
            rows.at_most(
                f"{name}: joints come apart, with project [µm/min]",
                abs(run.drift_per_minute()),
                published.DRIFT_BAR,
                published.BILATERAL_DRIFT,
            )
        )
        found.append(
            rows.at_most(
                f"{name}: largest gap of a joint, with project [µm]",
                1e6 * float(run.drift.max()),
                published.DRIFT_BAR / 60.0,
            )
        )
    return found


def split_table(splits: dict[str, Split]) -> Table:
    lines = [
        [name, *(f"{1e6 * parts[p][0]:.1f} ± {1e6 * parts[p][1]:.1f}" for p in (*PARTS, "step"))]
        for name, parts in splits.items()
    ]
    return Table("Processor time of a step over a stride, mean and deviation [µs]", ["", *PARTS, "step"], lines)


def section(runs: Runs, splits: dict[str, Split], duration: float) -> Section:
    warm = trot(runs["HmJ"].configuration, min(duration, 4.0), warm=True)
    name, wanted = "HmJ: times faster than real time", published.REALTIME["HmJ"]
    speed = [rows.at_least(f"{name}, cold start as published", replayed(runs["HmJ"], False), published.REALTIME_BAR, wanted),
             rows.told(f"{name}, warm start", replayed(warm, True), wanted)]  # fmt: skip
    judged = standing_rows(runs, duration) + orderings(runs) + accuracy(runs) + speed
    return Section("The eleven configurations trot", TEXT, judged, [table(runs, splits), split_table(splits)])
