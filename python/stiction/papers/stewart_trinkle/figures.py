# SPDX-License-Identifier: BSD-2-Clause
"""Figures of the paper: rod frames, velocities for several steps, plan and elevation of the balls, impulses of the collision."""

from __future__ import annotations

from typing import Any

import numpy as np

from .runs import BALLS, RodRun, SpheresRun


def _plots(rows: int, columns: int, size: tuple[float, float]) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False)


def rod_frames(run: RodRun) -> Any:
    figure, axes = _plots(1, 1, (7, 4.5))
    ax = axes[0, 0]
    for i in range(0, len(run.t), 4):
        x, z, theta = run.q[i]
        half = 0.25 * np.array([np.cos(theta), np.sin(theta)])
        ax.plot(
            [x - half[0], x + half[0]], [z - half[1], z + half[1]], color=str(0.8 - 0.8 * i / len(run.t)), linewidth=1
        )
    ax.axhline(0.0, color="black", linewidth=1.5)
    ax.axhline(0.05, linewidth=0.5, linestyle="--")
    ax.set(aspect="equal", xlabel="x [m]", ylabel="z [m]",
           title="rod from centre to centre of its ends, light to dark in time\nevery fourth step of 2.5 ms; the "
                 "dashed line is one end's radius above the floor")  # fmt: skip
    return figure


def rod_velocities(runs: list[RodRun]) -> Any:
    figure, axes = _plots(3, 1, (7, 7))
    for run in sorted(runs, key=lambda r: -r.dt):
        for k, ax in enumerate(axes[:, 0]):
            ax.step(run.t, run.v[:, k], where="pre", linewidth=0.9, label=f"dt {run.dt:g} s")
    for ax, label in zip(axes[:, 0], ("horizontal [m/s]", "vertical [m/s]", "ω [rad/s]"), strict=True):
        ax.set(xlabel="t [s]", ylabel=label, xlim=(0.36, 0.6))
    axes[0, 0].legend(fontsize=8)
    axes[0, 0].set_title(
        "velocities of the rod's centre of mass and its rate, from the first impact to rest, linear version"
    )
    return figure


def views(run: SpheresRun) -> Any:
    from matplotlib.patches import Circle

    figure, axes = _plots(2, 1, (7, 7))
    q = run.q.reshape(len(run.q), BALLS, 6)
    for ball in range(BALLS):
        color = f"C{ball}"
        for ax, height in zip(axes[:, 0], (1, 2), strict=True):
            ax.plot(q[:, ball, 0], q[:, ball, height], color=color, label=f"ball {ball + 1}")
            for row, style in ((0, ":"), (-1, "-")):
                ax.add_patch(
                    Circle(
                        (q[row, ball, 0], q[row, ball, height]),
                        0.1,
                        fill=False,
                        color=color,
                        linestyle=style,
                        linewidth=0.8,
                    )
                )
    axes[1, 0].axhline(0.0, color="black", linewidth=1.5)
    title = "paths of the centres over 1 s; balls dotted at the start, drawn out at the end"
    axes[0, 0].set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title=f"plan: {title}")
    axes[1, 0].set(aspect="equal", xlabel="x [m]", ylabel="z [m]", title="elevation")
    axes[0, 0].legend(fontsize=8)
    return figure


def impulses(found: dict[str, tuple[float, float]]) -> Any:
    figure, axes = _plots(1, 1, (6, 3))
    place = np.arange(len(found))
    for k, label in enumerate(("collision step", "next step")):
        axes[0, 0].bar(place + 0.4 * k - 0.2, [pair[k] for pair in found.values()], width=0.4, label=label)
    axes[0, 0].set_xticks(place, list(found))
    axes[0, 0].set(ylabel="normal impulse [N s]", xlabel="contact: ball-ball, or table-ball")
    axes[0, 0].legend(fontsize=8)
    return figure
