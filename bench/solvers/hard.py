# SPDX-License-Identifier: BSD-2-Clause
"""Measurements of docs/hard-problems.md that do not depend on time: iterations and residuals. Same numbers at every run.

Usage:

    python bench/solvers/hard.py --output docs/figures        writes hard_sweeps.svg (and .png), prints the tables
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import plots
import sets
import stiction as st
from stiction.output.tables import number, text_table

PLAIN: dict[str, Any] = {"anderson": 0, "stall_window": 0, "test_interval": 1}
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "nsgs, plain": ("nsgs", {"anderson": 0, "stall_window": 0, "max_iterations": 100_000}),
    "nsgs, Anderson": ("nsgs", {"stall_window": 0, "max_iterations": 100_000}),
    "apgd": ("apgd", {"stall_window": 0, "max_iterations": 100_000}),
    "admm": ("admm", {"stall_window": 0, "max_iterations": 20_000}),
    "ppa_newton": ("ppa_newton", {}),
    "interior_point": ("interior_point", {}),
}
HEIGHTS = (1, 2, 3, 5, 8, 12, 16, 20)
FILES = {
    "Rover4622": "Rover4622, easy",
    "BoxesStack1-i100000-32": "BoxesStack1, stall",
    "OneObject-i100000-316": "OneObject-316, cycle",
}
SWEEPS = 3000


def residuals(name: str) -> np.ndarray:
    """B3 after every plain sweep from r = 0."""
    problem = st.fclib.load(sets.fclib_folder() / f"{name}.hdf5")
    _, report = st.solve(problem, solver="nsgs", tolerance=1e-15, max_iterations=SWEEPS, history=True, **PLAIN)
    assert report.history is not None
    return np.asarray(report.history["b3"])


def iterations(problem: st.ContactProblem, method: str, tolerance: float = 1e-8) -> int | None:
    """Until the judge accepts; None if it never does."""
    solver, options = METHODS[method]
    _, report = st.solve(problem, solver=solver, tolerance=tolerance, **options)
    return report.iterations if report.status == "converged" else None


def tower_counts() -> dict[str, list[int | None]]:
    """Iterations of every method on stacks at rest, by height."""
    return {m: [iterations(st.generate.stack(k, form="dense"), m) for k in HEIGHTS] for m in METHODS}


def ratio_counts(ratios: Sequence[float]) -> dict[str, list[int | None]]:
    """Iterations on two cubes, the upper one `ratio` times as heavy."""
    return {m: [iterations(st.generate.mass_ratio(r, 2, form="dense"), m) for r in ratios] for m in METHODS}


def draw(histories: dict[str, np.ndarray], counts: dict[str, list[int | None]]) -> Figure:
    figure = Figure(figsize=(10.0, 4.0), layout="constrained")
    left, right = figure.subplots(1, 2)
    for k, (label, b3) in enumerate(histories.items()):
        left.plot(
            np.arange(1, b3.size + 1),
            b3,
            color=plots.COLOURS[(0, 2, 1)[k]],
            lw=1.3,
            ls=("-", "--", "-")[k],
            label=label,
        )
    left.set(xscale="log", yscale="log", xlabel="sweeps of plain Gauss-Seidel", ylabel="B3", ylim=(1e-15, 3.0))
    left.legend(fontsize=8, frameon=False, loc="lower left")
    left.set_title("an easy problem, a stall and an exact cycle of period 2", loc="left", fontsize=9)
    for k, (method, values) in enumerate(counts.items()):
        known = [(h, v) for h, v in zip(HEIGHTS, values, strict=True) if v is not None]
        right.plot(
            [h for h, _ in known],
            [v for _, v in known],
            color=plots.COLOURS[k],
            marker=plots.MARKERS[k],
            ms=4.5,
            lw=1.3,
            label=method,
        )
    right.set(xscale="log", yscale="log", xlabel="cubes in the stack", ylabel="iterations to 1e-8")
    right.set_xticks(HEIGHTS, [str(h) for h in HEIGHTS])
    right.minorticks_off()
    right.legend(fontsize=8, frameon=False)
    right.set_title("a stack at rest (four contacts per cube, cold start)", loc="left", fontsize=9)
    plots._finish(figure, "", legend=False)
    return figure


def show(title: str, header: Sequence[Any], counts: dict[str, list[int | None]]) -> None:
    rows = [[m, *("never" if v is None else str(v) for v in values)] for m, values in counts.items()]
    print(f"{title}\n\n{text_table(['', *(number(float(h)) for h in header)], rows)}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=Path("out/hard"))
    folder = parser.parse_args().output
    folder.mkdir(parents=True, exist_ok=True)
    histories = {label: residuals(name) for name, label in FILES.items()}
    for label, b3 in histories.items():
        print(f"{label}: B3 {b3.min():.2g} at sweep {int(b3.argmin()) + 1}, {b3[-1]:.2g} at sweep {b3.size}")
    counts = tower_counts()
    show("Iterations to 1e-8 on a stack at rest, by height", HEIGHTS, counts)
    ratios = (1.0, 1e2, 1e4, 1e6)
    show("Iterations to 1e-8 on two cubes at rest, by mass ratio", ratios, ratio_counts(ratios))
    plots.write(folder, "hard_sweeps", partial(draw, histories, counts))


if __name__ == "__main__":
    main()
