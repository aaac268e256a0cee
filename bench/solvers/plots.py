# SPDX-License-Identifier: BSD-2-Clause
"""Figures of `python bench/solvers`, each as SVG and PNG. All problems stay in every denominator, also those that nobody solves.

Colours are those of Okabe and Ito, which colour-blind readers tell apart; every solver has a marker of its own as well, and the same
colour and marker in every figure. `auto` is black and thick.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from stiction.bench.profiles import records as profiles
from stiction.bench.profiles import tables as profile_tables
from stiction.bench.profiles.records import Record
from stiction.output import page as report

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F", "#8B6D00")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "*")
WIDEST = 1e4  # ratio at the right end of the logarithmic profile
LOWEST = 1e-16  # residual at the bottom of a plot
APART = 0.35  # [%] between curves that would hide one another


def styles(records: Sequence[Record]) -> dict[str, dict[str, Any]]:
    """Colour and marker of every solver; the same for the same list of solvers."""
    out: dict[str, dict[str, Any]] = {}
    for solver in sorted({r.solver for r in records}, key=lambda s: (s != "auto", s)):
        k = len(out) - ("auto" in out)
        own = {"color": "black", "lw": 2.4, "marker": "o", "zorder": 5} if solver == "auto" else {
            "color": COLOURS[k % len(COLOURS)], "lw": 1.3, "marker": MARKERS[(k + 1) % len(MARKERS)], "ls": ("-", "--")[k // len(COLOURS) % 2],
        }  # fmt: skip
        out[solver] = {**own, "ms": 4.5, "label": solver}
    return out


def _profile(axis: Any, ratios: dict[str, np.ndarray], widest: float, style: dict[str, Any]) -> None:
    for solver, look in style.items():
        values = ratios.get(solver, np.array([math.inf]))
        finite = values[np.isfinite(values) & (values <= widest)]
        x = np.concatenate([[1.0], finite, [widest]])
        y = np.concatenate([[0.0], np.arange(1, finite.size + 1), [finite.size]]) / max(1, values.size)
        spread = (
            np.searchsorted(x, np.linspace(1.0, 10.0, 7) if widest <= 10 else np.logspace(0, 4, 9), side="right") - 1
        )
        axis.step(x, 100 * y, where="post", markevery=sorted(set(spread.clip(0, x.size - 1))), **look)
    axis.set(xlim=(1.0, widest), ylim=(-2, 102), xlabel="T: times slower than the fastest on the same problem")
    if widest > 10:
        axis.set_xscale("log")


def profile(records: Sequence[Record], tolerance: float) -> Figure:
    """Dolan and More at one tolerance: T in [1, 10], and logarithmic."""
    at = [r for r in records if r.tolerance == tolerance]
    ratios, style = profiles.ratios(at), styles(records)
    count = len({r.problem for r in at})
    figure = Figure(figsize=(10.0, 4.2), layout="constrained")
    axes = figure.subplots(1, 2, sharey=True)
    for axis, widest in zip(axes, (10.0, WIDEST), strict=True):
        _profile(axis, ratios, widest, style)
    axes[0].set_ylabel(f"share of all {count} problems solved [%]")
    unsolved = count - len({r.problem for r in at if r.solved})
    axes[1].axhline(100 * (1 - unsolved / max(1, count)), color="0.5", lw=0.8, ls=":")
    _finish(
        figure,
        f"Performance profile to {profile_tables.power(tolerance)}, limit {at[0].limit:g} s; nobody solves {unsolved} of {count}",
    )
    return figure


def shares(records: Sequence[Record]) -> Figure:
    """Share solved against tolerance: all problems, and those of 20 contacts or more."""
    tolerances = sorted({r.tolerance for r in records}, reverse=True)
    figure = Figure(figsize=(10.0, 4.2), layout="constrained")
    groups = [
        ("all problems", records),
        (f"{profiles.LARGE} contacts or more", profiles.counted(records, profiles.LARGE)),
    ]
    for axis, (title, group) in zip(figure.subplots(1, 2, sharey=True), groups, strict=True):
        count = len({r.problem for r in group})
        look_of = styles(records)
        for k, (solver, look) in enumerate(look_of.items()):
            solved = [sum(r.solved for r in group if r.solver == solver and r.tolerance == t) for t in tolerances]
            axis.plot(tolerances, [100 * s / max(1, count) - APART * k for s in solved], **look)
        axis.set_xscale("log")
        axis.invert_xaxis()
        axis.set(
            ylim=(-9, 102),
            xticks=tolerances,
            xlabel="tolerance on B3 (tighter to the right)",
            ylabel="problems solved [%]",
        )
        axis.minorticks_off()
        axis.set_title(f"{title} ({count})", loc="left", fontsize=9)
    _finish(
        figure,
        f"Share solved against tolerance, limit {records[0].limit:g} s (curves are drawn {APART:g} % apart, so that none hides another)",
    )
    return figure


def _at_budget(record: Record, key: str) -> float:
    """B3 of what a time limit gave back; 1 (nothing) if the solver took more than twice that time."""
    found = record.budgets.get(key)
    if not found or found["b3"] is None or found["used"] > 2.0 * float(key):
        return 1.0
    return float(np.clip(found["b3"], LOWEST, 1.0))


def budgets(records: Sequence[Record]) -> Figure:
    """B3 of what comes back after .1, 1 and 10 ms: every problem a dot, the median a marker."""
    own = [r for r in records if r.budgets]
    keys = sorted({key for r in own for key in r.budgets}, key=float)
    style = {s: look for s, look in styles(records).items() if any(r.solver == s for r in own)}
    figure = Figure(figsize=(10.0, 4.4), layout="constrained")
    axis = figure.subplots()
    for k, (solver, look) in enumerate(style.items()):
        shape = {name: look[name] for name in ("marker", "color")}
        for i, key in enumerate(keys):
            x = i + 0.84 * ((k + 0.5) / len(style) - 0.5)
            values = np.array([_at_budget(r, key) for r in own if r.solver == solver])
            axis.plot(
                x + np.linspace(-0.2, 0.2, values.size) / len(style), values, ".", color=look["color"], ms=3, alpha=0.45
            )
            axis.plot(
                [x], [np.median(values)], ls="", ms=8, mec="white", zorder=6, label=solver if i == 0 else None, **shape
            )
    for i in range(1, len(keys)):
        axis.axvline(i - 0.5, color="0.8", lw=0.8)
    axis.set_yscale("log")
    axis.set_xticks(range(len(keys)), [f"{1e3 * float(key):g} ms" for key in keys])
    axis.set(
        ylabel="B3 of what is handed back", ylim=(LOWEST / 3, 5.0), xlim=(-0.5, len(keys) - 0.5), xlabel="time limit"
    )
    count = len({r.problem for r in own})
    _finish(
        figure,
        f"Residual at a fixed budget, cold: {count} problems as dots, their median as a marker; on top: nothing within twice the budget",
    )
    return figure


def scaling(records: Sequence[Record], tolerance: float) -> Figure:
    """Time per contact against size; failures on the line at the top."""
    at = [r for r in records if r.tolerance == tolerance]
    style = styles(records)
    solved = [r for r in at if r.solved and r.contacts]
    figure = Figure(figsize=(10.0, 4.6), layout="constrained")
    axis = figure.subplots()
    top = 4 * max((1e6 * r.seconds / r.contacts for r in solved), default=1.0)
    for k, (solver, look) in enumerate(style.items()):
        own = sorted((r.contacts, 1e6 * r.seconds / r.contacts) for r in solved if r.solver == solver)
        shift = 1.0 + 0.012 * (k - len(style) / 2)
        axis.plot([n * shift for n, _ in own], [t for _, t in own], **{**look, "ls": "", "alpha": 0.8})
        lost = [r.contacts for r in at if r.solver == solver and not r.solved]
        axis.plot([n * shift for n in lost], [top * 1.35**k] * len(lost), ls="", marker="x", color=look["color"], ms=5)
    axis.axhline(top / 1.6, color="0.5", lw=0.8, ls=":")
    axis.text(
        0.995,
        top / 1.5,
        "not solved, above",
        transform=axis.get_yaxis_transform(),
        ha="right",
        va="bottom",
        fontsize=8,
        color="0.35",
    )
    axis.set(xscale="log", yscale="log", xlabel="contacts", ylabel="microseconds per contact")
    _finish(
        figure, f"Time per contact to {profile_tables.power(tolerance)}, cold; crosses: not solved in {at[0].limit:g} s"
    )
    return figure


def against_best(rows: Sequence[dict[str, Any]], tolerance: float) -> Figure:
    """Time of auto over that of the fastest single method. What auto does not solve stands on the upper edge."""
    figure = Figure(figsize=(10.0, 4.2), layout="constrained")
    axis = figure.subplots()
    both = [r for r in rows if r["ratio"] is not None]
    axis.axhspan(2.0, 1e3, xmin=0, color="#D55E00", alpha=0.08, lw=0)
    axis.axvspan(1e-6, 0.1, color="0.5", alpha=0.12, lw=0)
    axis.axhline(1.0, color="0.4", lw=0.8)
    axis.axhline(2.0, color="#D55E00", lw=1.0, ls="--")
    for row in both:
        axis.plot(
            1e3 * row["auto"], row["ratio"], "o", ms=5, color="#D55E00" if row["exceeds"] else "#0072B2", alpha=0.85
        )
        if row["exceeds"]:
            axis.annotate(
                row["problem"], (1e3 * row["auto"], row["ratio"]), xytext=(4, 3), textcoords="offset points", fontsize=7
            )
    lost = [r for r in rows if r["auto"] is None and r["best"] is not None]
    values = [r["ratio"] for r in both] or [1.0]
    times = [1e3 * r["auto"] for r in both] or [1.0]
    axis.set(
        xscale="log",
        yscale="log",
        xlim=(min(times) / 2, max(times) * 4),
        ylim=(min([0.5, *values]) / 1.3, 1.4 * max([3.0, *values])),
    )
    axis.set(
        xlabel="time of auto [ms] (grey: below 0.1 ms, where the bar does not apply)",
        ylabel="auto / fastest single method",
    )
    for row in lost:
        axis.plot(1e3 * row["best"], axis.get_ylim()[1] / 1.1, "x", color="#D55E00", ms=8)
        axis.annotate(
            f"{row['problem']}: not solved",
            (1e3 * row["best"], axis.get_ylim()[1] / 1.1),
            xytext=(6, -3),
            textcoords="offset points",
            fontsize=7,
        )
    ticks = [
        t for t in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000) if axis.get_ylim()[0] <= t <= axis.get_ylim()[1]
    ]
    axis.set_yticks(ticks, [f"{t:g}" for t in ticks])
    axis.yaxis.set_minor_locator(NullLocator())
    count = sum(r["exceeds"] for r in rows)
    _finish(
        figure,
        f"auto against the fastest single method on each problem, to {profile_tables.power(tolerance)}: {count} of {len(rows)} above 2",
        False,
    )
    return figure


def _finish(figure: Figure, title: str, legend: bool = True) -> None:
    figure.suptitle(title, x=0.01, ha="left", fontsize=10)
    for axis in figure.axes:
        axis.grid(True, lw=0.3, color="0.85")
        axis.spines[["top", "right"]].set_visible(False)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    if legend and handles:
        figure.legend(handles, labels, loc="outside right center", fontsize=9, frameon=False)


def write(folder: Path, name: str, draw: Callable[[], Figure]) -> list[str]:
    """NAME.svg and NAME.png."""
    with matplotlib.rc_context(
        {**report.SVG_STYLE, "svg.fonttype": "none", "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial"]}
    ):
        figure = draw()
        for ending in ("svg", "png"):
            metadata = {"Date": None} if ending == "svg" else None
            figure.savefig(folder / f"{name}.{ending}", dpi=130, metadata=metadata)
    drawn = folder / f"{name}.svg"
    drawn.write_text(report.both_modes(drawn.read_text(encoding="utf-8")), encoding="utf-8")
    return [f"{name}.svg", f"{name}.png"]
