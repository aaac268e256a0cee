# SPDX-License-Identifier: BSD-2-Clause
"""One moment as it is shown: poses, contacts and what the report said."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from stiction import Simulator, StepReport

# What is plotted, in SI units (us_per_step: microseconds).
QUANTITIES = ("residual", "energy", "penetration", "contacts", "us_per_step")


@dataclass(frozen=True)
class Frame:
    """Everything that is drawn at one moment.

    `contacts` has the fields of Simulator.contacts(). `values` holds numbers by the names of QUANTITIES; NaN or a missing one
    is not plotted.
    """

    time: float  # [s]
    step: int  # its number
    poses: np.ndarray  # (bodies, 7): x y z, qx qy qz qw
    contacts: np.ndarray
    values: dict[str, float] = field(default_factory=dict)
    status: str = ""  # of the step, such as converged


def frame_of(sim: Simulator, step: int, report: StepReport | None = None, us_per_step: float = math.nan) -> Frame:
    """The frame of a simulator as it stands after a step() that gave `report`."""
    values = {"energy": sim.energy().total, "us_per_step": us_per_step}
    contacts: Any = sim.contacts()
    if report is not None:
        values["residual"] = report.ncp.natural
        values["penetration"] = report.penetration
        values["contacts"] = float(report.contacts)
    return Frame(sim.time, step, sim.poses(), contacts, values, "" if report is None else report.status)
