# SPDX-License-Identifier: BSD-2-Clause
"""The page of `stiction compare --problems`: profiles as plots, then the tables. Opens offline; same records, same bytes."""

from __future__ import annotations

import html
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...output import page as report
from ...output.extras import need
from . import records as profiles
from . import tables as profile_tables
from .records import Record
from .tables import Table

_STYLES = ("-", "--", "-.", ":")
_WIDEST = 1e4  # ratio at the right end of the logarithmic profile


def _draw_profile(axis: Any, ratios: dict[str, np.ndarray], widest: float, styles: dict[str, Any]) -> None:
    for solver, values in ratios.items():
        finite = values[np.isfinite(values) & (values <= widest)]
        x = np.concatenate([[1.0], finite, [widest]])
        y = np.concatenate([[0], np.arange(1, finite.size + 1), [finite.size]]) / max(1, values.size)
        axis.step(x, 100 * y, where="post", label=solver, **styles[solver])
    axis.set_xlim(1.0, widest)
    axis.set_ylim(-2, 102)
    axis.set_xlabel("T: times slower than the fastest")
    axis.set_ylabel("problems solved [%]")


def _draw_shares(axis: Any, records: Sequence[Record], styles: dict[str, Any]) -> None:
    tolerances = sorted({r.tolerance for r in records}, reverse=True)
    for solver, style in styles.items():
        own = [[r.solved for r in records if r.solver == solver and r.tolerance == t] for t in tolerances]
        axis.plot(tolerances, [100 * np.mean(s) for s in own], marker="o", ms=3, label=solver, **style)
    axis.set_xscale("log")
    axis.invert_xaxis()
    axis.set_ylim(-2, 102)
    axis.set_xlabel("tolerance (tighter to the right)")
    axis.set_ylabel("problems solved [%]")


def _draw_budgets(axis: Any, records: Sequence[Record], styles: dict[str, Any]) -> None:
    budgets = sorted({t for r in records for t in r.residual_at}, key=float)
    for solver, style in styles.items():
        own = [[r.residual_at.get(t, 1.0) for r in records if r.solver == solver and r.residual_at] for t in budgets]
        if all(own):
            axis.plot(
                [1e3 * float(t) for t in budgets],
                [max(profiles.median(v), 1e-16) for v in own],
                marker="o",
                ms=3,
                **style,
            )
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlabel("solver time [ms]")
    axis.set_ylabel("B3, median over problems")


def _svg(records: Sequence[Record]) -> str:
    """All plots in one figure, so that ids inside the SVG cannot clash."""
    matplotlib = need("matplotlib")
    from matplotlib.figure import Figure

    counted = profiles.counted(records)
    tolerances = sorted({r.tolerance for r in counted}, reverse=True)
    solvers = list(dict.fromkeys(r.solver for r in counted))
    styles = {s: {"color": f"C{k % 10}", "ls": _STYLES[k % 4], "lw": 1.4} for k, s in enumerate(solvers)}
    with matplotlib.rc_context(report.SVG_STYLE):
        figure = Figure(figsize=(9.0, 2.8 * (len(tolerances) + 1) + 0.6), layout="constrained")
        axes = figure.subplots(len(tolerances) + 1, 2)
        for row, tolerance in zip(axes, [*tolerances, None], strict=True):
            if tolerance is None:
                _draw_shares(row[0], counted, styles)
                row[0].set_title("share solved against tolerance", loc="left", fontsize=9)
                _draw_budgets(row[1], counted, styles)
                row[1].set_title("residual after a fixed time", loc="left", fontsize=9)
                continue
            ratios = profiles.ratios([r for r in counted if r.tolerance == tolerance])
            for axis, widest in zip(row, (10.0, _WIDEST), strict=True):
                _draw_profile(axis, ratios, widest, styles)
                axis.set_title(
                    f"profile to {profile_tables.power(tolerance)}" + (", logarithmic" if widest > 10 else ""),
                    loc="left",
                    fontsize=9,
                )
            row[1].set_xscale("log")
        for axis in axes.ravel():
            axis.grid(True, lw=0.3)
        handles, labels = axes[0][0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=min(6, max(1, len(labels))), fontsize=9)
        return report.svg_text(figure)


def _html_table(table: Table) -> str:
    head = "".join(f"<th>{html.escape(name)}</th>" for name in table.header)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
    return (
        f"<h2>{html.escape(table.title)}</h2><p>{html.escape(table.meaning)}</p>"
        f'<div style="overflow-x: auto"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


_READING = (
    "Read a profile from the left: at T = 1 a curve starts at the share of problems on which that solver is the fastest. At T = 2 it counts "
    "the problems that it solves in at most twice the time of the fastest. Where it ends on the right is the share that it solves at all. "
    "High on the left is fast, high on the right is robust. All problems stay in the count, also those that nobody solves; the same problem "
    "under two names counts once. The last row of plots: how many problems remain solved when the tolerance gets tighter, and how small the "
    "residual B3 of the best iterate is when the solver is stopped after 0.1, 1 and 10 ms."
)


def write(
    path: str | os.PathLike[str], records: Sequence[Record], refused: Sequence[str] = (), pairwise: bool = False
) -> None:
    """Write the report of some records.

    Parameters
    ----------
    path
        The HTML file.
    records
        Of profiles.run.
    refused
        Sentences about solvers that were not run.
    pairwise
        Also the table of pairs.
    """
    first, counted = records[0], profiles.counted(records)
    problems, solvers = {r.problem for r in counted}, {r.solver for r in counted}
    what = (
        f"{len(solvers)} solvers on {len(problems)} contact problems from files, friction law '{first.law}', {first.start} start, one thread, "
        f"at most {first.limit:g} s per run. Every run has its own process. A problem counts as solved only if a judge that no solver feeds "
        "finds B3 (distance from the solution, relative to the largest impulse) within the tolerance and B4 (De Saxce's triple) within "
        "30 times that. Times are the solver's alone."
    )
    runs, *rest = profile_tables.all_tables(records, pairwise)
    notes = "".join(f"<li>{html.escape(line)}</li>" for line in refused)
    body = (
        f"<p>{html.escape(what)}</p><h2>Profiles</h2><p>{html.escape(_READING)}</p>{_svg(records)}"
        + "".join(map(_html_table, rest))
        + _html_table(runs)
        + (f"<h2>Not run</h2><ul>{notes}</ul>" if notes else "")
    )
    report.write_page(path, "stiction compare: solvers on problem files", body)
