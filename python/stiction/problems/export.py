# SPDX-License-Identifier: BSD-2-Clause
"""The contact problems of a simulation as FCLIB files that others can read, with the solution that was found.

For example:

    sim = st.scene("anymal_stand", targets="hopping")
    st.export.export(sim, range(10, 20), "problems")
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .._core import ContactProblem, InvalidInput, Report, Simulator, solve
from ..output.arguments import named
from . import fclib


@dataclass(frozen=True)
class Written:
    """One island of one step."""

    file: str  # "" if it was not written
    step: int
    island: int
    contacts: int
    rows: int
    status: str  # of the stored solution
    b3: float
    note: str = ""  # why it was not written

    def summary(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


@named
def export(
    sim: Simulator, steps: Iterable[int], folder: str | os.PathLike[str], *, name: str = "", form: str = "local",
    tolerance: float = 1e-10, least: int = 1, tau: Any = None,
) -> list[Written]:  # fmt: skip
    """Step the simulator and write the problems of the steps asked for, one file per island.

    Parameters
    ----------
    steps
        Numbers of steps from here on, ascending; 0 is the next one. The simulator is left before the last of them.
    folder
        Made if it is not there. Files are called name-i00012-4-0.hdf5: step, contacts, island.
    name
        Beginning of the files' names; the scene's by default.
    form
        `local` (W, q) or `global` (M, H, f, w).
    tolerance
        Of the stored solution, by the simulator's own solver from a cold start.
    least
        Problems with fewer contacts are left out.
    tau
        Joint efforts of every step.

    Returns
    -------
    list of Written
        Problems that the format cannot hold (rows with bounds that are not opposite) are listed with a note and no file.
    """
    if form not in ("local", "global"):
        raise InvalidInput(f"export: form is '{form}', expected local or global")
    Path(folder).mkdir(parents=True, exist_ok=True)
    name = name or sim.scene or "problem"
    out: list[Written] = []
    made = 0
    for step in steps:
        if step < made:
            raise InvalidInput(f"export: step {step} comes after step {made}, expected ascending steps")
        if step > made:
            sim.step(tau, n=step - made)
        made = step
        for island, problem in enumerate(sim.problems(tau, bodies=form == "global")):
            if problem.contacts >= least:
                out.append(_write(sim, problem, step, island, Path(folder), name, form, tolerance))
    return out


def _write(
    sim: Simulator,
    problem: ContactProblem,
    step: int,
    island: int,
    folder: Path,
    name: str,
    form: str,
    tolerance: float,
) -> Written:
    file = f"{name}-i{step:05d}-{problem.contacts}-{island}.hdf5"
    plain = problem.with_dt(None)  # judged like a file
    impulse, report = solve(plain, solver=sim.solver, tolerance=tolerance)
    texts = _texts(sim, problem, report, step, island, name)
    note = ""
    try:
        fclib.save(folder / file, problem, impulse, form=form, **texts)
    except InvalidInput as error:
        file, note = "", str(error)
    return Written(file, step, island, problem.contacts, problem.rows, report.status, report.own.b3, note)


def _texts(
    sim: Simulator, problem: ContactProblem, report: Report, step: int, island: int, name: str
) -> dict[str, str]:
    from .. import __version__

    kinds = [block.kind for block in problem.blocks]
    count = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
    what = f"Step {step} (t = {sim.time:g} s) of a simulation of '{name}', island {island}: blocks {count}; step of time {sim.dt:g} s."
    origin = f"Written by stiction {__version__}; law {problem.law}, stepper {sim.stepper}."
    solution = f"Solution by {sim.solver}: {report.status}, B3 {report.own.b3:.2g}, B4 {report.own.b4:.2g}."
    symmetric = "W symmetric, positive semidefinite." if problem.symmetric else "W not symmetric."
    return {
        "title": f"{name}, step {step}, island {island}",
        "description": f"{what} {origin}",
        "math_info": f"{symmetric} {solution}",
    }


__all__ = ["Written", "export"]
