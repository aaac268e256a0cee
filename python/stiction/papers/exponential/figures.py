# SPDX-License-Identifier: BSD-2-Clause
"""The figures: each function draws one matplotlib figure from measured numbers. Same numbers, same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .accuracy import Results
from .forces import Prediction, Trace
from .methods import METHODS
from .published import SWEEP_STEPS
from .speed import PLOTTED
from .sweeps import Sweep
from .tasks import Task

CEILING = 1e2  # errors above it are failures and left out
STYLES: dict[str, Any] = {
    "exact": {"color": "#1f77b4", "ls": "--"}, "1/2": {"color": "#1f77b4", "marker": "o"}, "1/1": {"color": "#9ecae1", "marker": "s"},
    "midpoint 1/2": {"color": "#2ca02c", "marker": "o"}, "midpoint exact": {"color": "#2ca02c", "ls": "--"},
    "refined": {"color": "#2ca02c", "marker": "*", "ms": 9}, "euler": {"color": "#d62728", "marker": "v"},
    "rk4": {"color": "#ff7f0e", "marker": "^"}, "implicit": {"color": "#9467bd", "marker": "D"},
}  # fmt: skip


def _figure(width: float, height: float) -> Any:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _style(name: str) -> dict[str, Any]:
    return {"lw": 1.1, "ms": 3.5, **STYLES[name]}


def _finish(figure: Any, axes: Any) -> Any:
    handles = {
        label: handle
        for axis in np.ravel(axes)
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
    }
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=4, fontsize=8)
    for axis in np.ravel(axes):
        axis.grid(True, lw=0.3)
    return figure


def errors(
    measured: Sequence[tuple[Task, Results]], factors: Mapping[str, Mapping[tuple[str, float], float]] | None = None
) -> Any:
    """Mean and median errors by step (Fig. 3) or, with factors, by real-time factor (Fig. 2); one column per motion."""
    figure = _figure(9.0, 6.0)
    axes = figure.subplots(2, len(measured), squeeze=False, sharey="row")
    for column, (task, found) in enumerate(measured):
        for row, statistic in enumerate(("mean", "median")):
            axis = axes[row, column]
            for name in PLOTTED:
                points = []
                # along the steps, not the factors
                for (method, step), e in sorted(found.items(), key=lambda item: item[0][1]):
                    x = step if factors is None else factors[task.name].get((name, step))
                    if method == name and x is not None and getattr(e, statistic) < CEILING:
                        points.append((x, getattr(e, statistic)))
                if points:
                    axis.loglog(
                        [p[0] for p in points], [p[1] for p in points], label=METHODS[name].label, **_style(name)
                    )
            axis.set_title(f"{task.name}, {statistic} error", loc="left", fontsize=9)
        axes[1, column].set_xlabel("step [ms]" if factors is None else "real-time factor")
    return _finish(figure, axes)


def sweeps(measured: Sequence[Sweep]) -> Any:
    """Fig. 4."""
    figure = _figure(9.0, 3.6)
    axes = figure.subplots(1, len(measured), squeeze=False, sharey=True)
    for axis, sweep in zip(axes[0], measured, strict=True):
        for name, found in sweep.errors.items():
            label = f"{METHODS[name].label}, {SWEEP_STEPS[name]:g} ms"
            means = [e.mean if e.mean < 1e3 else np.nan for e in found]
            medians = [e.median if e.median < 1e3 else np.nan for e in found]
            axis.plot(sweep.values, means, label=label, **_style(name))
            axis.plot(sweep.values, medians, **{**_style(name), "ls": ":", "marker": ""})
        axis.set_yscale("log")
        if sweep.name == "stiffness":
            axis.set_xscale("log")
        axis.set_xlabel("stiffness K [N/m]" if sweep.name == "stiffness" else "damping ratio ζ")
        axis.set_title("mean error (dotted: median)", loc="left", fontsize=9)
    return _finish(figure, axes)


def predictions(found: Sequence[Prediction]) -> Any:
    """Fig. 5: normal forces over the horizon; of the first foot."""
    figure = _figure(9.0, 3.2)
    axes = figure.subplots(1, len(found), squeeze=False)
    for axis, p in zip(axes[0], found, strict=True):
        axis.plot(1e3 * p.times, p.simulated[:, 0], color="#444", lw=2.0, label="simulated, 512 steps")
        axis.plot(
            1e3 * p.times, p.predicted[:, 0], "--", color="#1f77b4", lw=1.3, label="predicted by the linear model"
        )
        axis.set_title(
            f"normal force of a foot [N], impact {p.impact:g} m/s, error {p.error():.2g}", loc="left", fontsize=9
        )
        axis.set_xlabel("time [ms]")
        axis.set_ylim(bottom=0.0)
    return _finish(figure, axes)


def traces(found: Sequence[Trace]) -> Any:
    """Fig. 6: the whole trace, and the part around the hardest impact."""
    figure = _figure(9.0, 5.0)
    axes = figure.subplots(2, 1, squeeze=False)
    colors = [STYLES[t.method.name]["color"] for t in found[1:]]
    looks: list[dict[str, Any]] = [
        {"color": "#444", "lw": 2.0},
        *({"color": c, "lw": 1.0, "marker": ".", "ms": 3} for c in colors),
    ]
    hit = _hardest(found[0])
    for axis, (begin, end) in zip(axes[:, 0], ((0.0, found[0].times[-1]), (hit - 0.02, hit + 0.03)), strict=True):
        for t, look in zip(found, looks, strict=True):
            part = (t.times >= begin) & (t.times <= end)
            axis.plot(1e3 * t.times[part], t.force[part], label=t.label, **look)
        axis.set_title("normal force of the front right foot [N]", loc="left", fontsize=9)
    axes[1, 0].set_xlabel("time [ms]")
    return _finish(figure, axes)


def _hardest(trace: Trace) -> float:
    """When the largest force acts: the touchdown."""
    return float(trace.times[int(np.argmax(trace.force))])
