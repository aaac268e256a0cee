# SPDX-License-Identifier: BSD-2-Clause
"""The figures, each from recorded runs. Same numbers, same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import cube
from . import published as p
from .accuracy import Found
from .consistency import Errors
from .drag import Drags
from .quadruped import Count
from .slide import Slides, path
from .stack_runs import Found as Sinking
from .walking import CONTROL, Walk

COLOURS = {"coulomb": "#1f77b4", "convex": "#d62728", "pyramid": "#2ca02c", "raisim": "#9467bd"}
TINY = 1e-17  # zeros on logarithmic axes
Curves = Mapping[str, tuple[np.ndarray, np.ndarray]]


def _figure(width: float, height: float) -> Any:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _finish(axis: Any, **words: Any) -> None:
    axis.set(**words)
    axis.grid(True, lw=0.3)
    if axis.get_legend_handles_labels()[1]:
        axis.legend(fontsize=7)


def slides(found: Slides) -> Any:
    """Paths (Fig. 9), heights and energies (Fig. 10), all at 30 degrees."""
    figure = _figure(12.0, 3.6)
    paths, heights, energies = figure.subplots(1, 3)
    for law, colour in COLOURS.items():
        run = found.by_law[law, 30]
        along, aside = path(run, 30)
        style = dict(color=colour, lw=1.1, label=law, ls="--" if law == "raisim" else "-")  # on top of coulomb
        paths.plot(along, aside, **style)
        heights.plot(run.t, 1e3 * run.x[:, 2], **style)
        energies.plot(run.t, run.energy, **style)
    t = found.by_law["coulomb", 30].t
    energies.plot(t[::15], 0.5 * cube.braked(t[::15]) ** 2, "k.", ms=3, label="closed form")
    _finish(
        paths, xlabel="along the first velocity [mm]", ylabel="aside [mm]", title="path, velocity at 30° to the pyramid"
    )
    _finish(heights, xlabel="t [s]", ylabel="rise of the centre [mm]", title="height")
    _finish(energies, xlabel="t [s]", ylabel="energy [J]", title="kinetic and potential energy")
    return figure


def drags(found: Drags) -> Any:
    """Speeds around the onset of slip (Fig. 12), forces across, and the height of the convex cube."""
    figure = _figure(12.0, 3.6)
    onset, side, heights = figure.subplots(1, 3)
    shown = {"coulomb": "pgs", "convex": "pgs", "pyramid": "pgs", "raisim": "bisection"}
    for law, solver in shown.items():
        run = found.runs[law, solver]
        early = run.t <= 0.25
        onset.plot(run.t[early], run.speed[early], color=COLOURS[law], lw=1.1, label=law)
        side.plot(run.t, run.side, color=COLOURS[law], lw=0.9, label=f"{law}, {solver}")
    t = np.linspace(0.15, 0.25, 21)
    onset.plot(t, [cube.dragged(x)[2] for x in t], "k.", ms=3, label="closed form")
    admm = found.runs["coulomb", "admm"]
    side.plot(admm.t, admm.side, "k--", lw=0.9, label="coulomb, admm")
    free, convex = found.fixed, found.runs["convex", "admm"]
    heights.plot(free.t, 1e3 * free.x[:, 2], color="#ff9896", lw=1.0, label="margin fixed at 1 mm")
    heights.plot(convex.t, 1e3 * convex.x[:, 2], color=COLOURS["convex"], lw=1.1, label="margin of the engine")
    heights.plot(convex.t[::50], 1e3 * convex.dt * p.MU * convex.speed[::50], "k.", ms=3, label="dt μ v")
    _finish(onset, xlabel="t [s]", ylabel="speed [m/s]", title="onset of slip", xlim=(0.15, 0.25))
    _finish(side, xlabel="t [s]", ylabel="largest force across [N]", title="internal forces")
    _finish(heights, xlabel="t [s]", ylabel="rise of the centre [mm]", title="convex: hovering and hopping")
    return figure


def consistency(found: Errors) -> Any:
    """Errors over the step against the exact law (Fig. 11) and against oneself (Fig. 15), and what the step does to the energy."""
    figure = _figure(13.0, 3.6)
    against, own, energy = figure.subplots(1, 3)
    for key in found.own:
        style = dict(
            color=COLOURS[key[0]],
            lw=1.1,
            ls="--" if key[1] == "admm" and key[0] == "coulomb" else "-",
            label=", ".join(key),
        )
        against.loglog(found.steps, found.truth[key], **style)
        own.loglog(found.steps, found.own[key], **style)
    for law, measured in p.CONSISTENCY.items():
        own.loglog(p.CONSISTENCY_STEPS, measured, "o", mfc="none", color=COLOURS[law], ms=5, label=f"{law}, measured")
    for key in (("coulomb", "pgs"), ("convex", "admm"), ("raisim", "bisection")):
        reference = found.runs[key, found.finest]
        for dt, dash in zip(found.steps[-2:], (":", "-"), strict=True):
            run, ratio = found.runs[key, dt], round(dt / found.finest)
            off = run.energy - reference.energy[ratio - 1 :: ratio]
            energy.plot(run.t, off, dash, color=COLOURS[key[0]], lw=1.0, label=f"{key[0]}, {1e3 * dt:g} ms")
    _finish(against, xlabel="dt [s]", ylabel="Σ |x − x_ref| dt [m s]", title="against coulomb, pgs")
    _finish(own, xlabel="dt [s]", title="against itself")
    _finish(energy, xlabel="t [s]", ylabel="energy from that of the reference [J]", title="energy")
    return figure


def accuracy(found: Found) -> Any:
    """Exact Coulomb residual of every accepted impulse, with medians; drawn as a picture, there are thousands of points."""
    figure = _figure(11.0, 3.8)
    axis = figure.subplots()
    labels = [f"{law}\n{solver}" for law, solver in found]
    for at, ((law, _), judged) in enumerate(found.items()):
        prices = [max(j.price, TINY) for j in judged if j.result.converged]
        axis.semilogy([at] * len(prices), prices, ".", ms=2, color=COLOURS[law], alpha=0.35, rasterized=True)
        axis.semilogy([at - 0.35, at + 0.35], [np.median(prices)] * 2, "-", color=COLOURS[law], lw=2)
    axis.set_xticks(range(len(labels)), labels, rotation=90, fontsize=6)
    _finish(
        axis,
        ylabel="NCP residual, relative",
        title="accepted impulses: distance from exact Coulomb friction; bars are medians",
        ylim=(1e-16, 3),
    )
    return figure


def convergence(found: Mapping[str, Curves], quantity: str) -> Any:
    """One plot per title: residual over calls of the judge."""
    figure = _figure(5.8 * len(found), 4.0)
    for axis, (title, curves) in zip(
        np.atleast_1d(figure.subplots(1, len(found), sharey=True)), found.items(), strict=True
    ):
        for at, (label, (n, residual)) in enumerate(curves.items()):
            style = dict(color=f"C{at % 10}", ls="-" if at < 10 else "--", marker="." if len(n) < 30 else None)
            axis.loglog(n, np.maximum(residual, TINY), lw=1.1, ms=4, label=label, **style)
        _finish(axis, xlabel="iteration", ylabel=quantity, title=title)
    return figure


def counts(found: Mapping[tuple[str, str], Count]) -> Any:
    """Iterations per step of the standing robot, cold and warm (cf. Fig. 17)."""
    figure = _figure(11.0, 3.8)
    axis = figure.subplots()
    at = np.arange(len(found))
    axis.bar(at - 0.2, [np.mean(n.cold) for n in found.values()], 0.4, color="#7f7f7f", label="cold")
    axis.bar(at + 0.2, [np.mean(n.warm[1:]) for n in found.values()], 0.4, color="#ff7f0e", label="warm")
    axis.set_yscale("log")
    axis.set_xticks(at, [f"{law}\n{solver}" for law, solver in found], rotation=90, fontsize=6)
    _finish(axis, ylabel="mean iterations of a step")
    return figure


def walks(flat: Sequence[Walk], bumpy: Sequence[Walk]) -> Any:
    """Residual of exact Coulomb friction over time, running maximum of 50 ms (cf. Figs. 18 and 19)."""
    figure = _figure(12.0, 3.8)
    for axis, found, title in zip(figure.subplots(1, 2, sharey=True), (flat, bumpy), ("flat", "bumpy"), strict=True):
        for w in found:
            n = len(w.residual) // 20 * 20
            worst = np.maximum(w.residual[:n].reshape(-1, 20).max(axis=1), 1e-12)
            axis.semilogy(
                20 * CONTROL * np.arange(len(worst)),
                worst,
                lw=0.8,
                color=COLOURS[w.law],
                ls=":" if w.solver == "pgs" else "-",
                label=w.label,
            )
        _finish(axis, xlabel="t [s]", ylabel="NCP residual [N]", title=title)
    return figure


def sinking(found: Sinking) -> Any:
    """Way of the upper cube at the largest mass ratio, and residuals over the ratio (Fig. 13)."""
    figure = _figure(10.0, 3.6)
    ways, ratios = figure.subplots(1, 2)
    for at, ((law, solver), by_ratio) in enumerate(found.items()):
        style = dict(
            color=f"C{at}", lw=1.1, label=f"{law}, {solver}", ls="--" if solver in ("admm", "staggered") else "-"
        )
        run = by_ratio[max(by_ratio)]
        ways.plot(np.arange(1, len(run.sunk) + 1), 1e3 * run.sunk, **style)
        ratios.loglog(list(by_ratio), [max(r.dual.max(), TINY) for r in by_ratio.values()], marker=".", **style)
    _finish(ways, xlabel="step", ylabel="sunk [mm]", title="mass ratio 1e6")
    _finish(ratios, xlabel="mass ratio", ylabel="largest dual residual [m/s]", title="by mass ratio")
    return figure
