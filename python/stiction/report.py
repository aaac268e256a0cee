# SPDX-License-Identifier: BSD-2-Clause
"""One HTML file with table and plots. It opens offline: plots are inline SVG, nothing is fetched. Same input, same bytes."""

from __future__ import annotations

import html
import io
import os
import re
from collections.abc import Sequence
from typing import Any

from .files import write_text
from .measure import Run
from .tables import RUN_COLUMNS, number
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

_STYLE = """
body { font: 16px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { padding: .3em .8em; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; }
dt { font-weight: bold; } dd { margin: 0 0 .4em 1.5em; } svg { max-width: 100%; height: auto; }
"""


SVG_STYLE: Any = {"svg.hashsalt": "stiction", "svg.fonttype": "path", "font.size": 9}


def _table(runs: Sequence[Run]) -> str:
    table = html_table([name for name, _, _ in RUN_COLUMNS], [[show(run) for _, show, _ in RUN_COLUMNS] for run in runs])
    meanings = "".join(f"<dt>{html.escape(n)}</dt><dd>{html.escape(m)}</dd>" for n, _, m in RUN_COLUMNS if m)
    return f"{table}<dl>{meanings}</dl>"


def _svg(runs: Sequence[Run]) -> str:
    """All plots in one figure, so that ids inside the SVG cannot clash."""
    import matplotlib
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
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({**SVG_STYLE, "svg.hashsalt": "stiction work"}):
        figure = Figure(figsize=(8.5, 4.2), layout="constrained")
        axis = figure.subplots()
        markers = "osD^vP*X"
        for i, label in enumerate(dict.fromkeys(point.label for point in points)):
            mine = [p for p in points if p.label == label]
            axis.loglog([p.ms_per_simulated_second for p in mine], [max(p.error_m, 1e-16) for p in mine], markers[i % 8] + "-", lw=1.2, ms=4, label=label)
        axis.set_xlabel("CPU time per simulated second [ms]")
        axis.set_ylabel("largest error of a position [m]")
        axis.grid(True, which="both", lw=0.3)
        axis.legend(fontsize=8)
        return svg_text(figure)


def _work_part(points: Sequence[Point]) -> str:
    header = ("", "step [ms]", "us/step", "CPU ms per simulated s", "error [m]")
    lines = [(p.label, number(1e3 * p.dt_s), number(p.us_per_step), number(p.ms_per_simulated_second), number(p.error_m)) for p in points]
    what = (
        "Each run again with longer and shorter steps. The error is the largest distance of any body from where it is with steps of an "
        "eighth of the usual one, same law, solver and stepper. Down and to the left is better."
    )
    return f"<h2>Work and precision</h2><p>{what}</p>{_work_figure(points)}{html_table(header, lines)}"


def html_table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in header)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in line) + "</tr>" for line in lines)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def svg_text(figure: Any) -> str:
    """A figure as SVG inside of HTML; the same figure gives the same bytes within SVG_STYLE."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Type": None, "Format": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    return re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", text)  # HTML knows these namespaces by itself


def write(
    path: str | os.PathLike[str], title: str, what: str, runs: Sequence[Run], refused: Sequence[str] = (), work: Sequence[Point] = ()
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
    """
    notes = "".join(f"<li>{html.escape(line)}</li>" for line in refused)
    body = (
        f"<p>{html.escape(what)}</p>{_table(runs)}"
        + (f"<h2>Not run</h2><ul>{notes}</ul>" if notes else "")
        + (_work_part(work) if work else "")
        + f"<h2>Over time</h2>{_svg(runs)}"
    )
    write_page(path, title, body)


def write_page(path: str | os.PathLike[str], title: str, body: str) -> None:
    """One HTML file around `body`; nothing in it is fetched."""
    page = (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{html.escape(title)}</title><style>{_STYLE}</style></head><body><h1>{html.escape(title)}</h1>"
        f"{body}</body></html>\n"
    )
    write_text(path, page)
