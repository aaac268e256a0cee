# SPDX-License-Identifier: BSD-2-Clause
"""Figures of a recording over time: SVG, PNG, PDF, or one HTML page that opens offline."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .._core import InvalidInput
from ..output.extras import need
from ..output.files import whole_file
from ..output.suggest import unknown_name
from .reader import Recording

Series = list[tuple[np.ndarray, np.ndarray, str]]  # time, values, name


def _columns(name: str) -> Callable[[Recording], Series]:
    def series(r: Recording) -> Series:
        values = getattr(r, name)
        return [(r.time, values[:, i], f"{name}{i}") for i in range(values.shape[1])]

    return series


def _report(*names: str) -> Callable[[Recording], Series]:
    return lambda r: [(r.reports["time"], r.reports[name].astype(float), name) for name in names]


def _energy(r: Recording) -> Series:
    kinetic, potential = r.reports["kinetic"], r.reports["potential"]
    time = r.reports["time"]
    return [(time, kinetic, "kinetic"), (time, potential - potential[:1], "potential, from its start"),
            (time, kinetic + potential - potential[:1], "total, from its start")]  # fmt: skip


def _forces(r: Recording) -> Series:
    normal, friction = np.zeros(len(r.reports["step"])), np.zeros(len(r.reports["step"]))
    for i, step in enumerate(r.reports["step"]):
        c = r.contacts.get(int(step))
        if c is not None and len(c):
            along = np.einsum("ij,ij->i", c["force"], c["normal"])
            normal[i] = along.sum()
            friction[i] = np.linalg.norm(c["force"] - along[:, None] * c["normal"], axis=1).sum()
    return [(r.reports["time"], normal, "normal"), (r.reports["time"], friction, "friction")]


# name: (title, logarithmic, series)
PLOTS: dict[str, tuple[str, bool, Callable[[Recording], Series]]] = {
    "q": ("configuration [m, rad, -]", False, _columns("q")),
    "v": ("velocity [m/s, rad/s]", False, _columns("v")),
    "energy": ("energy [J]", False, _energy),
    "forces": ("contact forces, magnitudes added up [N]", False, _forces),
    "residual": ("distance from exact Coulomb friction and from the law [N]", True, _report("ncp", "own")),
    "penetration": ("deepest overlap [m]", True, _report("penetration")),
    "contacts": ("contact points", False, _report("contacts")),
    "iterations": ("solver iterations", False, _report("iterations")),
}
USUAL = ("q", "v", "energy", "forces", "residual", "penetration")


def figure(recording: Recording, what: Sequence[str] = USUAL) -> Any:
    """A matplotlib figure with one panel for each name of PLOTS."""
    need("matplotlib")
    from matplotlib.figure import Figure

    for name in what:
        if name not in PLOTS:
            raise unknown_name("quantity", name, list(PLOTS))
    out = Figure(figsize=(8.5, 2.3 * len(what)), layout="constrained")
    axes = out.subplots(len(what), 1, sharex=True, squeeze=False)[:, 0]
    for axis, name in zip(axes, what, strict=True):
        title, logarithmic, series = PLOTS[name]
        lines = series(recording)
        for time, values, label in lines:
            axis.plot(time, values.clip(min=1e-12) if logarithmic else values, lw=1.0, label=label)
        axis.set_title(title, loc="left", fontsize=9)
        axis.grid(True, lw=0.3)
        if logarithmic:
            axis.set_yscale("log")
        if len(lines) <= 20:
            axis.legend(fontsize=6, ncols=min(len(lines), 10), loc="best")
    axes[-1].set_xlabel("time [s]")
    return out


def save(recording: Recording, path: str | os.PathLike[str], what: Sequence[str] = USUAL) -> None:
    """Write a figure; the ending of `path` chooses the format: .svg, .png, .pdf or .html."""
    matplotlib = need("matplotlib")
    from ..output import page as report

    target = Path(path)
    if target.suffix not in (".svg", ".png", ".pdf", ".html"):
        raise InvalidInput(f"plot: '{path}' should end in .svg, .png, .pdf or .html")
    with matplotlib.rc_context(report.SVG_STYLE):
        drawn = figure(recording, what)
        if target.suffix == ".html":
            report.write_page(target, f"stiction plot {recording.path.name}", report.svg_text(drawn))
        else:
            dates: dict[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(target.suffix, {})
            with whole_file(target) as part:
                drawn.savefig(part, dpi=150, metadata=dates)
