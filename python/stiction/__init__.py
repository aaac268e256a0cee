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

from pathlib import Path as _Path

from . import _core
from ._core import (
    Block,
    Body,
    ContactDerivatives,
    ContactProblem,
    Cotangents,
    Diagnosis,
    Energy,
    Feasibility,
    InvalidInput,
    InverseSolution,
    Report,
    Residual,
    Robot,
    Simulator,
    StepReport,
    World,
    check_feasibility,
    derivatives,
    diagnose,
    evaluate,
    internal_impulse,
    inverse_dynamics,
    polish,
    solve,
)
from .catalog import Entry, Option, catalog
from .simulate import rollout, scene

_MODELS = _Path(__file__).parent / "models"
if _MODELS.is_dir():
    _core.set_model_directory(str(_MODELS))

from . import export, fclib, generate, lcp, reference, robots, siconos  # noqa: E402  (they may ask where the models are)

__version__: str = _core.version

__all__ = [
    "Block",
    "Body",
    "ContactDerivatives",
    "ContactProblem",
    "Cotangents",
    "Diagnosis",
    "Energy",
    "Entry",
    "Feasibility",
    "InvalidInput",
    "InverseSolution",
    "Option",
    "Report",
    "Residual",
    "Robot",
    "Simulator",
    "StepReport",
    "World",
    "catalog",
    "check_feasibility",
    "derivatives",
    "diagnose",
    "evaluate",
    "export",
    "fclib",
    "generate",
    "internal_impulse",
    "inverse_dynamics",
    "lcp",
    "polish",
    "reference",
    "robots",
    "rollout",
    "scene",
    "siconos",
    "solve",
]
