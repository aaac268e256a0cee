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
from stiction import profile_tables, profiles, report
from stiction.profiles import Record

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F", "#8B6D00")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "*")
WIDEST = 1e4  # ratio at the right end of the logarithmic profile
LOWEST = 1e-16  # residual at the bottom of a plot
UNSOLVED = "never"


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
        spread = np.searchsorted(x, np.linspace(1.0, 10.0, 7) if widest <= 10 else np.logspace(0, 4, 9), side="right") - 1
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
    _finish(figure, f"Performance profile to {profile_tables.power(tolerance)}, limit {at[0].limit:g} s; nobody solves {unsolved} of {count}")
    return figure


def shares(records: Sequence[Record]) -> Figure:
    """Share solved against tolerance: all problems, and those of 20 contacts or more."""
    tolerances = sorted({r.tolerance for r in records}, reverse=True)
    figure = Figure(figsize=(10.0, 4.2), layout="constrained")
    groups = [("all problems", records), (f"{profiles.LARGE} contacts or more", profiles.counted(records, profiles.LARGE))]
    for axis, (title, group) in zip(figure.subplots(1, 2, sharey=True), groups, strict=True):
        count = len({r.problem for r in group})
        for solver, look in styles(records).items():
            solved = [sum(r.solved for r in group if r.solver == solver and r.tolerance == t) for t in tolerances]
            axis.plot(tolerances, [100 * s / max(1, count) for s in solved], **look)
        axis.set_xscale("log")
        axis.invert_xaxis()
        axis.set(ylim=(-2, 102), xlabel="tolerance on B3 (tighter to the right)", ylabel="problems solved [%]")
        axis.set_title(f"{title} ({count})", loc="left", fontsize=9)
    _finish(figure, f"Share solved against tolerance, limit {records[0].limit:g} s")
    return figure


def budgets(records: Sequence[Record]) -> Figure:
    """B3 after .1, 1 and 10 ms: every problem a dot, the median a line."""
    own = [r for r in records if r.residual_at]
    times = sorted({t for r in own for t in r.residual_at}, key=float)
    style = {s: look for s, look in styles(records).items() if any(r.solver == s for r in own)}
    figure = Figure(figsize=(10.0, 4.2), layout="constrained")
    axis = figure.subplots()
    for k, (solver, look) in enumerate(style.items()):
        for i, t in enumerate(times):
            x = i + 0.8 * ((k + 0.5) / len(style) - 0.5)
            values = np.clip([r.residual_at.get(t, 1.0) for r in own if r.solver == solver], LOWEST, 1.0)
            dots = np.full(values.size, x) + np.linspace(-0.15, 0.15, values.size) / len(style)
            axis.plot(dots, values, ".", color=look["color"], ms=3, alpha=0.45)
            axis.plot([x], [np.median(values)], ls="", **{k: v for k, v in look.items() if k in ("marker", "color", "zorder")}, ms=8, mec="white",
                      label=solver if i == 0 else None)  # fmt: skip
    axis.set_yscale("log")
    axis.set_xticks(range(len(times)), [f"{1e3 * float(t):g} ms" for t in times])
    axis.set(ylabel="B3 of the best iterate so far", ylim=(LOWEST / 2, 3.0), xlabel="solver time")
    _finish(figure, f"Residual at a fixed budget: {len({r.problem for r in own})} problems as dots, their median as a marker")
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
    axis.text(0.995, top / 1.5, "not solved, above", transform=axis.get_yaxis_transform(), ha="right", va="bottom", fontsize=8, color="0.35")
    axis.set(xscale="log", yscale="log", xlabel="contacts", ylabel="microseconds per contact")
    _finish(figure, f"Time per contact to {profile_tables.power(tolerance)}, cold; crosses: not solved in {at[0].limit:g} s")
    return figure


def against_best(rows: Sequence[dict[str, Any]], tolerance: float) -> Figure:
    """Time of auto over the fastest single method, by the time of that method. Above 1: auto alone solves or is faster below the line."""
    figure = Figure(figsize=(10.0, 4.2), layout="constrained")
    axis = figure.subplots()
    both = [r for r in rows if r["ratio"] is not None]
    axis.axhspan(2.0, 1e3, xmin=0, color="#D55E00", alpha=0.08, lw=0)
    axis.axvspan(1e-6, 0.1, color="0.5", alpha=0.12, lw=0)
    axis.axhline(1.0, color="0.4", lw=0.8)
    axis.axhline(2.0, color="#D55E00", lw=1.0, ls="--")
    for row in both:
        axis.plot(1e3 * row["auto"], row["ratio"], "o", ms=5, color="#D55E00" if row["exceeds"] else "#0072B2", alpha=0.85)
        if row["exceeds"]:
            axis.annotate(row["problem"], (1e3 * row["auto"], row["ratio"]), xytext=(4, 3), textcoords="offset points", fontsize=7)
    values = [r["ratio"] for r in both] or [1.0]
    times = [1e3 * r["auto"] for r in both] or [1.0]
    axis.set(xscale="log", yscale="log", xlim=(min(times) / 2, max(times) * 4), ylim=(min([0.5, *values]) / 1.3, 1.4 * max([3.0, *values])))
    axis.set(xlabel="time of auto [ms] (grey: below 0.1 ms, where the bar does not apply)", ylabel="auto / fastest single method")
    count = sum(r["exceeds"] for r in both)
    _finish(figure, f"auto against the fastest single method on each problem, to {profile_tables.power(tolerance)}: {count} of {len(rows)} above 2", False)
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
    with matplotlib.rc_context(report.SVG_STYLE):
        figure = draw()
        for ending in ("svg", "png"):
            metadata = {"Date": None} if ending == "svg" else None
            figure.savefig(folder / f"{name}.{ending}", dpi=130, metadata=metadata)
    return [f"{name}.svg", f"{name}.png"]
