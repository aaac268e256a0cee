# SPDX-License-Identifier: BSD-2-Clause
"""The figures, each from recorded runs. Same numbers, same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...control import VirtualModelGains
from .fall import Fall
from .published import ALPHAS, CONTROL, GRAVITY, GROWTH_BAR, ITERATIONS, MASS
from .runs import TrotRun

STAND = VirtualModelGains().stand  # before the first stride [s]
COLOURS = ("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd")


def _figure(width: float, height: float) -> Any:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def gait_cycle(runs: Mapping[str, TrotRun], foot: int = 0) -> Any:
    """Normal force of one foot over the last stride, beside half the weight."""
    figure = _figure(11.0, 3.4)
    axes = np.atleast_1d(figure.subplots(1, len(runs), sharey=True))
    stride = round(0.8 / CONTROL)
    for axis, (label, run), colour in zip(axes, runs.items(), COLOURS, strict=False):
        force = run.normal[-stride:, foot]
        # the stride begins when the foot is loaded
        force = np.roll(force, round((run.t[-len(force)] - STAND) / CONTROL) % stride)
        axis.plot(CONTROL * np.arange(len(force)), force, lw=0.9, color=colour)
        axis.axhline(0.5 * MASS * GRAVITY, color="gray", lw=0.7, ls="--")
        axis.set_title(label, fontsize=8)
        axis.set_xlabel("t in the stride [s]")
        axis.grid(True, lw=0.3)
    axes[0].set_ylabel("normal force, left front foot [N]")
    axes[0].set_ylim(0.0, 1.15 * max(float(run.normal[-stride:, foot].max()) for run in runs.values()))
    return figure


def over_alpha(alphas: Sequence[float], found: Mapping[str, Mapping[str, Sequence[float]]]) -> Any:
    """Iterations of a standing step; dots are the independent measurement."""
    figure = _figure(10.0, 3.8)
    for axis, (j, solver) in zip(figure.subplots(1, 2, sharey=True), enumerate(("jor", "sor")), strict=True):
        for (kind, by_solver), colour in zip(found.items(), COLOURS, strict=False):
            n = np.array(by_solver[solver], dtype=float)
            axis.semilogy(alphas, np.where(np.isfinite(n), n, np.nan), "-", lw=1.1, color=colour, label=kind)
            dots = [(a, pair[j]) for a, pair in zip(ALPHAS, ITERATIONS[kind], strict=True) if pair[j] is not None]
            axis.semilogy([a for a, _ in dots], [n for _, n in dots], "o", ms=4, mfc="none", color=colour)
        axis.set(xlabel="alpha", title=solver, ylim=(30, 3000))
        axis.grid(True, which="both", lw=0.3)
        axis.legend(fontsize=7)
    figure.axes[0].set_ylabel("iterations")
    return figure


def time_split(parts: Mapping[str, Mapping[str, tuple[float, float]]]) -> Any:
    """parts[configuration][part] = (mean, deviation) in seconds per step; stacked, deviation of the step as whisker. Right: the lower end."""
    figure = _figure(12.0, 3.8)
    names = list(parts)
    labels = [p for p in next(iter(parts.values())) if p != "step"]
    for axis in figure.subplots(1, 2):
        bottom = np.zeros(len(names))
        for label, colour in zip(labels, COLOURS, strict=False):
            height = np.array([1e6 * parts[n][label][0] for n in names])
            axis.bar(names, height, bottom=bottom, color=colour, label=label)
            bottom += height
        axis.errorbar(
            names,
            bottom,
            yerr=[1e6 * parts[n]["step"][1] for n in names],
            fmt="none",
            ecolor="black",
            capsize=3,
            lw=0.8,
        )
        axis.tick_params(axis="x", labelsize=7)
        axis.grid(True, axis="y", lw=0.3)
    left, right = figure.axes
    left.set(ylabel="processor time of a step [µs]")
    left.legend(fontsize=8)
    right.set_ylim(0.0, 1.3e6 * sorted(parts[n]["step"][0] for n in names)[-3] if len(names) > 2 else None)
    return figure


def energies(runs: Sequence[Fall], kept: Sequence[Fall]) -> Any:
    """Mechanical energy after the push, and what appears in a step: as published, and with energy_balance and project."""
    figure = _figure(11.0, 3.6)
    left, right = figure.subplots(1, 2)
    for run in runs:
        left.plot(run.t, run.energy, lw=0.8, label=run.configuration.name)
        right.semilogy(run.t, np.where(run.growth > 0.0, run.growth, np.nan), ".", ms=1.5)
    for i, run in enumerate(kept):
        right.semilogy(
            run.t,
            np.where(run.growth > 0.0, run.growth, np.nan),
            "k.",
            ms=1.5,
            label=None if i else "energy_balance, project",
        )
    left.set(xlabel="t [s]", ylabel="mechanical energy [J]")
    right.set(xlabel="t [s]", ylabel="energy from nowhere in a step [J]")
    right.axhline(GROWTH_BAR, color="0.5", lw=0.8)
    right.legend(fontsize=6, loc="center right")
    for axis in (left, right):
        axis.grid(True, lw=0.3)
    left.legend(fontsize=6, ncols=2)
    return figure


def scaling(found: Sequence[Mapping[str, Any]]) -> Any:
    """Iterations and time of a solve over degrees of freedom."""
    figure = _figure(10.0, 3.8)
    for axis, what, label in zip(
        figure.subplots(1, 2),
        ("iterations", "milliseconds"),
        ("iterations", "processor time of a solve [ms]"),
        strict=True,
    ):
        kinds = sorted({(r["coordinates"], r["bilateral"]) for r in found})
        for (coordinates, bilateral), colour in zip(kinds, COLOURS, strict=False):
            for method, line in (("jor", "o-"), ("sor", "s--")):
                points = [
                    r
                    for r in found
                    if (r["coordinates"], r["bilateral"], r["method"]) == (coordinates, bilateral, method)
                ]
                name = f"{coordinates} {bilateral} {method}".replace(" none", "")
                axis.loglog(
                    [r["dof"] for r in points], [r[what] for r in points], line, ms=4, lw=1.0, color=colour, label=name
                )
        axis.set(xlabel="degrees of freedom", ylabel=label)
        axis.set_xticks([20, 50, 100, 200, 500], ["20", "50", "100", "200", "500"])
        axis.set_xticks([], minor=True)
        axis.grid(True, which="both", lw=0.3)
    counts = figure.axes[0]
    counts.set_yticks([60, 80, 100, 150, 200, 300], ["60", "80", "100", "150", "200", "300"])
    counts.set_yticks([], minor=True)
    counts.legend(fontsize=6, ncols=2)
    return figure
