# SPDX-License-Identifier: BSD-2-Clause
"""The eleven configurations of Table 1 as simulators. The termination rule of the hard ones is the published one: every impulse changes by
less than 1e-6 of itself plus 1e-6 N s; impulses start from zero unless `warm`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import stiction as st
from stiction import control

from .published import ALPHA, CONTROL, DAMPING, NAMES, STEP_COMPLIANT, STEP_HARD, STIFFNESS

COORDINATES = {"m": "minimal", "E": "extended", "M": "maximal"}
BILATERAL_ROWS = {"minimal": 0, "extended": 20, "maximal": 60}
DEGREES = {"minimal": 18, "extended": 38, "maximal": 78}
MU = 0.8
# of the stepper: what the published scheme does not keep
KEPT: dict[str, Any] = dict(energy_balance=True, project=True)


@dataclass(frozen=True)
class Configuration:
    """One column of Table 1."""

    name: str

    @property
    def hard(self) -> bool:
        return self.name[0] == "H"

    @property
    def coordinates(self) -> str:
        return COORDINATES[self.name[1]]

    @property
    def solver(self) -> str:
        return {"J": "jor", "S": "sor"}[self.name[2]]

    @property
    def direct(self) -> bool:
        """Joint rows are solved for in every sweep instead of iterated on."""
        return self.name[3:] == "D"

    @property
    def dt(self) -> float:
        return STEP_HARD if self.hard else STEP_COMPLIANT

    @property
    def steps(self) -> int:
        """Steps per control update."""
        return round(CONTROL / self.dt)

    def settings(self, *, dt: float | None = None, warm: bool = False, alpha: float | None = None, damping: float = DAMPING,
                 **more: Any) -> dict[str, Any]:  # fmt: skip
        """Keywords of Simulator."""
        common = dict(dt=dt if dt is not None else self.dt, stepper="moreau", coordinates=self.coordinates)
        if not self.hard:
            return common | dict(law="compliant", law_options=dict(stiffness=STIFFNESS, damping=damping)) | more
        solver = dict(alpha=ALPHA[self.name] if alpha is None else alpha, stop="change", relative_change=1e-6, absolute_change=1e-6,
                      eliminate_bilateral=self.direct, cold_start=not warm, max_iterations=5000)  # fmt: skip
        return common | dict(law="coulomb", solver=self.solver, solver_options=solver) | more

    def simulator(self, legged: control.LeggedWorld, **settings: Any) -> st.Simulator:
        return legged.simulator(**self.settings(**settings))


CONFIGURATIONS = tuple(Configuration(name) for name in NAMES)
HARD = tuple(c for c in CONFIGURATIONS if c.hard)


def world(**options: Any) -> control.LeggedWorld:
    """StarlETH on 16 points; rigid, compliance is the law's."""
    return control.starleth_world(mu=MU, **options)
