# SPDX-License-Identifier: BSD-2-Clause
"""One run, as workers make it: parameters in, a row out. The row depends on the job alone, but for `seconds` and `worker`."""

from __future__ import annotations

import os
import socket
import time
import types
from typing import Any

import numpy as np

from .._core import Simulator
from ..catalog import catalog
from ..simulate import scene
from .grid import Job

TIMES = ("seconds", "worker")  # columns that two tables of one sweep may differ in
OWN = ("run", "seed", "law", "solver", "stepper", "status", "message", *TIMES)


def make_row(job: Job) -> dict[str, Any]:
    """What goes into the table. A run that is refused or fails is a row, too: status `error`, and the sentence."""
    begin = time.perf_counter()
    row: dict[str, Any] = {"run": job.number, "seed": job.seed, "status": "ok", "message": ""}
    row |= {key: job.settings.get(key) for key in ("law", "solver", "stepper")}
    row |= {column(name): _plain(value) for name, value in job.parameters.items()}
    try:
        row |= _script(job) if job.source else _scene(job)
    except Exception as error:
        row |= {"status": "error", "message": f"{type(error).__name__}: {error}"}
    return row | {"seconds": time.perf_counter() - begin, "worker": f"{socket.gethostname()}/{os.getpid()}"}


def column(name: str) -> str:
    """Of a parameter or result: its name, unless the table has a column of its own with it."""
    return f"{name}_" if name in OWN else name


def _scene(job: Job) -> dict[str, Any]:
    parameters, disturbed = dict(job.parameters), False
    if job.seed is not None:
        options = next(entry.options for entry in catalog()["scenes"] if entry.name == job.what)
        disturbed = all(option.name != "seed" for option in options)
        if not disturbed:
            parameters["seed"] = job.seed
    sim = scene(job.what, **job.settings, **parameters)
    if disturbed:
        sim.v = sim.v + np.random.default_rng(job.seed).uniform(-job.noise, job.noise, sim.nv)
    steps = max(1, round((job.duration or sim.duration or 1.0) / sim.dt))
    return {"law": sim.law, "solver": sim.solver, "stepper": sim.stepper, "dt": sim.dt} | _outcome(
        sim, sim.step(n=steps)
    )


def _outcome(sim: Simulator, report: Any) -> dict[str, Any]:
    com = sim.com()
    return {
        "status": str(report.status),
        "steps": report.steps,
        "unaccepted": report.unaccepted,
        "iterations": report.iterations,
        "contacts": report.contacts,
        "penetration_m": _plain(report.penetration),
        "residual_N": _plain(report.ncp.natural),
        "energy_J": _plain(sim.energy().total),
        "com_x_m": _plain(com[0]),
        "com_y_m": _plain(com[1]),
        "com_z_m": _plain(com[2]),
        "hash": f"{sim.hash():016x}",
    }


def _script(job: Job) -> dict[str, Any]:
    module = types.ModuleType("stiction_sweep_script")
    module.__file__ = job.what
    exec(compile(job.source, job.what, "exec"), module.__dict__)
    function = getattr(module, "run", None)
    if not callable(function):
        raise TypeError(f"{job.what} has no function run(**parameters)")
    seed = {} if job.seed is None else {"seed": job.seed}
    result = function(**job.parameters, **job.settings, **seed)
    if not isinstance(result, dict):
        raise TypeError(f"run() of {job.what} gave {type(result).__name__}, expected a dict of numbers and texts")
    return {("status" if key == "status" else column(str(key))): _plain(value) for key, value in result.items()}


def _plain(value: Any) -> Any:
    """As SQLite keeps it: whole numbers up to 64 bits, doubles, text, nothing. Not a number is nothing."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_, int, np.integer)):
        return int(value) if -(2**63) <= int(value) < 2**63 else str(int(value))
    if isinstance(value, (float, np.floating)):
        return None if np.isnan(value) else float(value)
    raise TypeError(f"a result is {type(value).__name__}, expected a number or a text")
