# SPDX-License-Identifier: BSD-2-Clause
"""The figure of comparison.py: speed against error, a panel per scene. It follows the colour mode of who looks at it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from stiction.output.files import write_text
from stiction.output.page import SVG_STYLE, both_modes, svg_text

# Okabe and Ito, and shapes of their own for who sees no colours: (words in a setting, engine, colour, mark, name in the legend)
FAMILIES = (
    ("anchored relaxed compliant", "stiction", "#CC79A7", "v", "stiction, soft laws"),
    ("convex pyramid raisim", "stiction", "#56B4E9", "s", "stiction, other hard laws"),
    ("", "stiction", "#0072B2", "o", "stiction, coulomb"),
    ("noslip", "MuJoCo", "#D55E00", "^", "MuJoCo, noslip"),
    ("impratio", "MuJoCo", "#E69F00", "D", "MuJoCo, impratio"),
    ("spring", "MuJoCo", "#009E73", "P", "MuJoCo, given the true spring"),
    ("", "MuJoCo", "#8A6D00", "x", "MuJoCo, others"),
)
TITLES = {
    "slope": "rigid: a box stays on a slope",
    "slide": "rigid: a box slides and stops",
    "stand": "rigid: ANYmal stands",
    "ball": "compliant: a ball on a spring-damper ground",
}
# powers of ten on the axes, letters as text
STYLE = SVG_STYLE | {
    "text.parse_math": True,
    "svg.fonttype": "none",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial"],
}
LEAST = 1e-12  # errors below are drawn here [m]


def _family(row: dict[str, Any]) -> tuple[str, str, str, str, str]:
    return next(
        f for f in FAMILIES if f[1] == row["engine"] and (not f[0] or any(w in row["setting"] for w in f[0].split()))
    )


def _panel(axis: Axes, scene: Any, rows: list[dict[str, Any]]) -> None:
    for family in FAMILIES:
        mine = [r for r in rows if _family(r) == family]
        settings = dict.fromkeys(r["setting"] for r in mine)
        for setting in settings if len(scene.dts) > 1 else [None]:  # steps of one setting are a line
            chosen = [r for r in mine if setting in (None, r["setting"]) and math.isfinite(r["error"])]
            cost = [1e-3 * r["us"] / r["dt"] for r in chosen]  # [ms/s]
            axis.plot(cost, [max(r["error"], LEAST) for r in chosen], color=family[2], marker=family[3], markersize=5,
                      ls="-" if setting else "none", lw=0.8, alpha=0.9, label=family[4])  # fmt: skip
    lost = sum(not math.isfinite(r["error"]) for r in rows)
    axis.set(xscale="log", yscale="log", xlabel="CPU time per simulated second [ms]", ylabel="error [m]",
             title=TITLES[scene.name] + (f" ({lost} fall or are refused)" if lost else ""))  # fmt: skip
    low, high = axis.get_xlim()
    axis.set_xlim(min(low, math.sqrt(low * high) / 4.0), max(high, math.sqrt(low * high) * 4.0))
    axis.xaxis.set_minor_formatter(NullFormatter())
    axis.yaxis.set_minor_formatter(NullFormatter())
    axis.title.set_fontsize(8.5)
    axis.grid(lw=0.3)
    axis.spines[["top", "right"]].set_visible(False)


def draw(results: list[dict[str, Any]], chosen: list[Any], path: Path) -> None:
    """Writes the figure, an SVG with both colour modes."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(8.4, 3.1 * math.ceil(len(chosen) / 2) + 0.6), layout="constrained")
        axes = figure.subplots(math.ceil(len(chosen) / 2), 2, squeeze=False).ravel()
        for axis, scene in zip(axes, chosen, strict=False):
            _panel(axis, scene, [r for r in results if r["scene"] == scene.name])
        for axis in axes[len(chosen) :]:
            axis.set_visible(False)
        found = {name: mark for axis in axes for mark, name in zip(*axis.get_legend_handles_labels(), strict=True)}
        figure.legend(list(found.values()), list(found), loc="outside lower center", ncols=4, frameon=False, fontsize=8)
        write_text(path, both_modes(svg_text(figure, alone=True)))
