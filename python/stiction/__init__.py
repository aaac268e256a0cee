# SPDX-License-Identifier: BSD-2-Clause
"""Contact simulation for robots: many contact laws, solvers and steppers, judged by one outside measure.

    import stiction as st
    world = st.World()
    world.add_ground(mu=0.8)
    ball = world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 1))
    sim = st.Simulator(world, dt=1e-3)
    report = sim.step(n=1000)
    print(sim.q, report.status)

`help(st.World)`, `help(st.Simulator)` and `stiction list` say what there is.
"""

import importlib as _importlib
from pathlib import Path as _Path
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from . import _core
from ._core import (
    BatchReport,
    BatchSimulator,
    Block,
    Body,
    ContactDerivatives,
    ContactMode,
    ContactProblem,
    Cotangents,
    Diagnosis,
    Energy,
    Feasibility,
    Geom,
    InvalidInput,
    InverseSolution,
    RayHit,
    Report,
    Residual,
    Robot,
    Simulator,
    StepDerivatives,
    StepReport,
    World,
    check_feasibility,
    derivatives,
    diagnose,
    evaluate,
    internal_impulse,
    inverse_dynamics,
    load_mesh,
    polish,
    solve,
)
from .catalog import Entry, Option, catalog
from .gradients import backward, linearize
from .simulate import rollout, scene

_MODELS = _Path(__file__).parent / "models"
if _MODELS.is_dir():
    _core.set_model_directory(str(_MODELS))

from . import check, convert, generate, options, problems, robots  # noqa: E402  (they may ask where the models are)
from .problems import export, fclib, lcp, reference, siconos  # noqa: E402

if _TYPE_CHECKING:
    from . import cluster, control, pinocchio_model, recording, render
    from .recording import record
    from .viewer import view

__version__: str = _core.version

# Imported when they are first used: attribute -> module that has it, or is it.
_LAZY = {
    "cluster": ".cluster",
    "pinocchio_model": ".pinocchio_model",
    "control": ".control",
    "recording": ".recording",
    "render": ".render",
    "record": ".recording",
    "view": ".viewer",
}


def __getattr__(name: str) -> _Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'stiction' has no attribute '{name}'")
    module = _importlib.import_module(_LAZY[name], __name__)
    return module if _LAZY[name] == f".{name}" else getattr(module, name)


__all__ = [
    "BatchReport",
    "BatchSimulator",
    "Block",
    "Body",
    "ContactDerivatives",
    "ContactMode",
    "ContactProblem",
    "Cotangents",
    "Diagnosis",
    "Energy",
    "Entry",
    "Feasibility",
    "Geom",
    "InvalidInput",
    "InverseSolution",
    "Option",
    "RayHit",
    "Report",
    "Residual",
    "Robot",
    "Simulator",
    "StepDerivatives",
    "StepReport",
    "World",
    "backward",
    "catalog",
    "check",
    "check_feasibility",
    "cluster",
    "control",
    "convert",
    "derivatives",
    "diagnose",
    "evaluate",
    "export",
    "fclib",
    "generate",
    "internal_impulse",
    "inverse_dynamics",
    "lcp",
    "linearize",
    "load_mesh",
    "options",
    "pinocchio_model",
    "polish",
    "problems",
    "record",
    "recording",
    "reference",
    "render",
    "robots",
    "rollout",
    "scene",
    "siconos",
    "solve",
    "view",
]
