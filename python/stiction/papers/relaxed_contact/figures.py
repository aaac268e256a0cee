# SPDX-License-Identifier: BSD-2-Clause
"""The figures, each from recorded runs. Same numbers, same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .runs import LINKS, VERTICES, Method, Record

Runs = Sequence[tuple[Method, Record]]
HINGE, LENGTH, WIDTH = 0.42, 0.10, 0.04


def _figure(width: float, height: float) -> Any:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _boxes(q: np.ndarray) -> list[np.ndarray]:
    """Outlines of the links in the plane of motion."""
    at, out = np.array([0.0, HINGE]), []
    for angle in np.cumsum(q):
        along, across = (
            np.array([np.sin(angle), -np.cos(angle)]),
            0.5 * WIDTH * np.array([np.cos(angle), np.sin(angle)]),
        )
        end = at + LENGTH * along
        out.append(np.array([at - across, at + across, end + across, end - across, at - across]))
        at = end
    return out


def snapshots(runs: Runs) -> Any:
    """One row per method, every 0.1 s up to 1 s."""
    times = np.arange(0.1, 1.01, 0.1)
    figure = _figure(11.0, 1.15 * len(runs) + 0.4)
    figure.suptitle("The pendulum every 0.1 s; the line is the ground", fontsize=9)
    axes = figure.subplots(len(runs), len(times), squeeze=False, sharex=True, sharey=True)
    for row, (method, run) in zip(axes, runs, strict=True):
        for axis, time in zip(row, times, strict=True):
            k = min(int(np.searchsorted(run.t, time - 1e-9)), len(run.t) - 1)
            for box in _boxes(run.q[k]):
                axis.plot(box[:, 0], box[:, 1], color="#1f77b4", lw=0.8)
            axis.axhline(0.0, color="black", lw=0.6)
            axis.set(aspect="equal", xlim=(-0.4, 0.55), ylim=(-0.2, 0.5), xticks=[], yticks=[])
            axis.set_title(f"{time:.1f} s", fontsize=7)
        row[0].set_ylabel(method.label, fontsize=7)
    return figure


def forces(runs: Runs, what: str) -> Any:
    """Normal forces, or friction with the largest speed of a touching point beside it, of the last link."""
    friction = what == "friction"
    figure = _figure(11.0, 2.2 * len(runs) + 0.4)
    shown = (
        "Friction (left; cut at 10 N) of each vertex and largest slip of any touching point"
        if friction
        else "Normal force (cut at 10 N) of each vertex"
    )
    figure.suptitle(
        f"{shown}; one curve per vertex of the last link, left and right ones lie on each other", fontsize=9
    )
    axes = figure.subplots(len(runs), 2 if friction else 1, squeeze=False, sharex=True)
    link = slice((LINKS - 1) * VERTICES, LINKS * VERTICES)
    for row, (method, run) in zip(axes, runs, strict=True):
        force = (run.friction if friction else run.normal)[:, link]
        row[0].plot(run.t, force, lw=0.6)
        row[0].set_ylim(0.0, 10.0)
        row[0].set_ylabel("friction [N]" if friction else "normal force [N]", fontsize=8)
        row[0].set_title(method.label, fontsize=8)
        if friction:
            speed = np.where(run.touching, run.slip, 0.0).max(axis=1)
            row[1].semilogy(run.t, np.maximum(speed, 1e-9), lw=0.6, color="#d62728")
            row[1].set_ylabel("largest slip [m/s]", fontsize=8)
    for axis in axes[-1]:
        axis.set_xlabel("t [s]")
    for axis in np.ravel(axes):
        axis.grid(True, lw=0.3)
    return figure


def intervals(found: Mapping[str, tuple[float, float]]) -> Any:
    """Largest stable interval and processor time at it."""
    figure = _figure(9.0, 0.4 * len(found) + 1.0)
    left, right = figure.subplots(1, 2, sharey=True)
    names = list(found)
    left.barh(names, [1e3 * found[n][0] for n in names], color="#1f77b4")
    left.set(xscale="log", xlabel="largest stable interval [ms]")
    right.barh(names, [found[n][1] for n in names], color="#2ca02c")
    right.set(xscale="log", xlabel="processor time of 5 s at it [s]")
    left.invert_yaxis()
    return figure


def cost(links: Sequence[int], seconds: Sequence[float], slope: float) -> Any:
    figure = _figure(5.0, 3.5)
    axis = figure.subplots()
    axis.loglog(links, [1e6 * s for s in seconds], "o-", label=f"A and b, slope {slope:.2f}")
    axis.loglog(links, [1e6 * seconds[0] * n / links[0] for n in links], "--", color="gray", label="slope 1")
    axis.set(xlabel="links", ylabel="processor time [µs]")
    axis.legend(fontsize=8)
    axis.grid(True, lw=0.3)
    return figure
