# SPDX-License-Identifier: BSD-2-Clause
"""Motions planned on the engine's own derivatives: `Plan` says what is wanted, `ilqr` finds controls, `Mpc` does it while it runs."""

from .cost import Quadratic, StateCost
from .ilqr import Planned, ilqr
from .motions import jump_plan, standing_torque
from .mpc import Mpc
from .plan import Plan

__all__ = ["Mpc", "Plan", "Planned", "Quadratic", "StateCost", "ilqr", "jump_plan", "standing_torque"]
