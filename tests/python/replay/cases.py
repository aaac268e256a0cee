# SPDX-License-Identifier: BSD-2-Clause
"""What is replayed: every scene under every law and stepper, and captured contact problems under every solver and law.

A case has a name, and running it gives a hash of the bits of its result. `hashes.json` holds what they were when they were
last recorded on purpose; `problems.npz` holds the captured problems. Recording: `python tests/python/replay/record.py`.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import stiction as st

FOLDER = Path(__file__).resolve().parent
HASHES = FOLDER / "hashes.json"
PROBLEMS = FOLDER / "problems.npz"
SHORT, SHORT_SECONDS = 50, 0.5  # steps of a case in `./test`, and the time that they may take when they are recorded
LONG, LONG_SECONDS = 1000, 10.0  # the same in `./test --full`
LARGE = {
    "kapla",
    "pile",
}  # scenes of hundreds of contacts: steppers that put them all into one dense matrix take minutes a step
ONE_MATRIX = {"implicit_euler", "rigid_euler", "rk_gill"}
DENSE_SOLVERS = {
    "lemke",
    "dantzig",
    "lcp_qp",
    "staggered",
    "ac_newton",
}  # minutes on the problems of hundreds of contacts
LARGE_ROWS = 300
ITERATIONS = 200  # of a solver on a captured problem: what has not converged by then has bits, too


def digest(*arrays: np.ndarray) -> str:
    """Sixteen hexadecimal digits of the bits of some arrays of doubles; -0 and 0 differ."""
    total = hashlib.sha256()
    for array in arrays:
        total.update(np.ascontiguousarray(array, dtype=np.float64).tobytes())
    return total.hexdigest()[:16]


@functools.cache
def platform() -> str:
    """The functions of the C library that the engine calls: their last bits differ between libraries and processors."""
    x = np.linspace(-3.0, 3.0, 4001)
    functions = (math.sin, math.cos, math.atan, math.exp, math.tanh)
    values = [f(value) for f in functions for value in x]
    values += [math.hypot(value, 1.7) for value in x] + [math.atan2(value, 0.3) for value in x]
    values += (
        [math.acos(value / 3.1) for value in x]
        + [math.log(4.0 + value) for value in x]
        + [(4.0 + value) ** 0.3 for value in x]
    )
    return digest(np.array(values))


# ---- scenes ----------------------------------------------------------------------------------------------------------


def make(name: str) -> st.Simulator:
    scene, law, stepper = name.split("/")
    # the published step: where many contacts switch all the time, halving every step down to 1/32 ms would take minutes
    options = {"switch_refinement": False} if stepper.startswith("exponential") else {}
    return st.scene(scene, law=law, stepper=stepper, stepper_options=options)


def scene_names() -> list[str]:
    """`scene/law/stepper` of every combination that the engine takes."""
    catalog = st.catalog()
    pairs = []
    for law in catalog["laws"]:
        for stepper in catalog["steppers"]:
            try:
                st.scene("cube_slide", law=law.name, stepper=stepper.name)
            except ValueError:
                continue
            pairs.append((law.name, stepper.name))
    scenes = [scene.name for scene in catalog["scenes"]]
    return [
        f"{s}/{law}/{stepper}" for s in scenes for law, stepper in pairs if not (s in LARGE and stepper in ONE_MATRIX)
    ]


def state_hash(sim: st.Simulator) -> str:
    contacts = sim.contacts()
    return digest(sim.q, sim.v, np.array([sim.time]), contacts["point"], contacts["gap"], contacts["force"])


def run_scene(name: str, steps: int) -> str:
    """The hash after this many steps, or why the world is refused."""
    try:
        sim = make(name)
    except ValueError as error:
        return f"refused: {error}"
    sim.step(n=steps)
    return state_hash(sim)


# ---- captured problems -------------------------------------------------------------------------------------------------


def load_problems() -> dict[str, st.ContactProblem]:
    """The captured problems by name; small ones have a dense G, large ones are in body space."""
    with np.load(PROBLEMS, allow_pickle=False) as file:
        return {name: unpack(json.loads(str(file[name])), file, name) for name in file.files if "." not in name}


def unpack(form: dict, file: np.lib.npyio.NpzFile, name: str) -> st.ContactProblem:
    blocks = [getattr(st.Block, kind)(*values) for kind, *values in form["blocks"]]
    compliance = file[f"{name}.compliance"] if f"{name}.compliance" in file.files else None
    if f"{name}.G" in file.files:
        return st.ContactProblem(
            file[f"{name}.G"], file[f"{name}.g"], blocks=blocks, dt=form["dt"], compliance=compliance
        )
    rows = tuple(file[f"{name}.{part}"] for part in ("indptr", "indices", "data"))
    n = form["velocities"]
    unit = (np.arange(n + 1, dtype=np.int32), np.arange(n, dtype=np.int32), np.ones(n))
    return st.ContactProblem.from_bodies(
        unit, rows, file[f"{name}.g"], blocks=blocks, dt=form["dt"], compliance=compliance
    )


def solver_names(problems: dict[str, st.ContactProblem]) -> Iterator[str]:
    """`problem/solver/law` of every solver and each law that it solves."""
    for name, problem in problems.items():
        for solver in st.catalog()["solvers"]:
            if problem.rows > LARGE_ROWS and solver.name in DENSE_SOLVERS:
                continue
            for law in solver.laws:
                yield f"{name}/{solver.name}/{law}"


def run_solver(name: str, problems: dict[str, st.ContactProblem]) -> str:
    problem, solver, law = name.split("/")
    try:
        impulse, report = st.solve(problems[problem].with_law(law), solver=solver, max_iterations=ITERATIONS)
    except ValueError as error:
        return f"refused: {error}"
    return f"{report.status} {report.iterations} {digest(impulse)}"
