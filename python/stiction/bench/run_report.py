# SPDX-License-Identifier: BSD-2-Clause
"""The report of some runs: one page with their table and their plots over time, and error against work."""

from __future__ import annotations

import html
import os
from collections.abc import Sequence

from ..output.extras import need
from ..output.page import SVG_STYLE, html_table, svg_text, write_page
from ..output.tables import number
from .film_strip import FilmStrip, strips_html
from .measure import Run
from .run_table import RUN_COLUMNS
from .work_precision import Point

_PLOTS = [
    ("height", "height of the first body [m]", 1.0, False),
    ("tilt", "tilt of the first body [deg]", 57.29577951308232, False),
    ("slip", "slip of all contacts so far [mm]", 1e3, False),
    ("force", "normal contact forces, added up [N]", 1.0, False),
    ("friction", "friction forces, magnitudes added up [N]", 1.0, False),
    ("energy", "mechanical energy since the start [J]", 1.0, False),
    ("ncp", "NCP residual [N]", 1.0, True),
]


def _table(runs: Sequence[Run]) -> str:
    table = html_table(
        [name for name, _, _ in RUN_COLUMNS], [[show(run) for _, show, _ in RUN_COLUMNS] for run in runs]
    )
    meanings = "".join(f"<dt>{html.escape(n)}</dt><dd>{html.escape(m)}</dd>" for n, _, m in RUN_COLUMNS if m)
    return f"{table}<dl>{meanings}</dl>"


def _svg(runs: Sequence[Run]) -> str:
    """All plots in one figure, so that ids inside the SVG cannot clash."""
    matplotlib = need("matplotlib")
    from matplotlib.figure import Figure

    styles = ("-", "--", ":", "-.")
    with matplotlib.rc_context(SVG_STYLE):
        figure = Figure(figsize=(8.5, 2.3 * len(_PLOTS)), layout="constrained")
        axes = figure.subplots(len(_PLOTS), 1, sharex=True)
        for axis, (key, label, scale, logarithmic) in zip(axes, _PLOTS, strict=True):
            for i, run in enumerate(runs):
                values = scale * run.series[key]
                if logarithmic:
                    values = values.clip(min=1e-12)
                axis.plot(run.series["time"], values, styles[i % len(styles)], lw=1.2, label=run.label)
            axis.set_title(label, loc="left", fontsize=9)
            axis.grid(True, lw=0.3)
            if logarithmic:
                axis.set_yscale("log")
        axes[0].legend(ncols=max(1, len(runs)), fontsize=8)
        axes[-1].set_xlabel("time [s]")
        return svg_text(figure)


def _work_figure(points: Sequence[Point]) -> str:
    """Error over CPU time, a line per label; the same salt as the other figure would clash inside one page."""
    matplotlib = need("matplotlib")
    from matplotlib.figure import Figure

    with matplotlib.rc_context({**SVG_STYLE, "svg.hashsalt": "stiction work"}):
        figure = Figure(figsize=(8.5, 4.2), layout="constrained")
        axis = figure.subplots()
        markers = "osD^vP*X"
        for i, label in enumerate(dict.fromkeys(point.label for point in points)):
            mine = [p for p in points if p.label == label]
            axis.loglog(
                [p.ms_per_simulated_second for p in mine],
                [max(p.error_m, 1e-16) for p in mine],
                markers[i % 8] + "-",
                lw=1.2,
                ms=4,
                label=label,
            )
        axis.set_xlabel("CPU time per simulated second [ms]")
        axis.set_ylabel("largest error of a position [m]")
        axis.grid(True, which="both", lw=0.3)
        axis.legend(fontsize=8)
        return svg_text(figure)


def _work_part(points: Sequence[Point]) -> str:
    header = ("", "step [ms]", "us/step", "CPU ms per simulated s", "error [m]")
    lines = [
        (p.label, number(1e3 * p.dt_s), number(p.us_per_step), number(p.ms_per_simulated_second), number(p.error_m))
        for p in points
    ]
    what = (
        "Each run again with longer and shorter steps. The error is the largest distance of any body from where it is with steps of an "
        "eighth of the usual one, same law, solver and stepper. Down and to the left is better."
    )
    return f"<h2>Work and precision</h2><p>{what}</p>{_work_figure(points)}{html_table(header, lines)}"


def write(
    path: str | os.PathLike[str],
    title: str,
    what: str,
    runs: Sequence[Run],
    refused: Sequence[str] = (),
    work: Sequence[Point] = (),
    strips: Sequence[FilmStrip] = (),
) -> None:
    """Write the report of some runs.

    Parameters
    ----------
    path
        The HTML file.
    title, what
        Heading, and sentences that say what is to be seen.
    runs
        Their series are plotted, their numbers tabulated.
    refused
        Sentences about combinations that were not run.
    work
        Points of work_precision(), for a figure and a table.
    strips
        Pictures of the runs, a strip for each.
    """
    notes = "".join(f"<li>{html.escape(line)}</li>" for line in refused)
    body = (
        f"<p>{html.escape(what)}</p>{strips_html(strips)}{_table(runs)}"
        + (f"<h2>Not run</h2><ul>{notes}</ul>" if notes else "")
        + (_work_part(work) if work else "")
        + f"<h2>Over time</h2>{_svg(runs)}"
    )
    write_page(path, title, body)
