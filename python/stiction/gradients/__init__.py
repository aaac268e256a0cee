# SPDX-License-Identifier: BSD-2-Clause
"""Derivatives along trajectories: products of one-step derivatives, forwards and in reverse; and as others ask for them."""

from .adapters import StepModel, casadi_step
from .arrays import Rollout, for_jax, for_torch, tangent_map
from .randomized import randomized
from .trajectory import Gradient, Linearization, backward, linearize

__all__ = [
    "Gradient",
    "Linearization",
    "Rollout",
    "StepModel",
    "backward",
    "casadi_step",
    "for_jax",
    "for_torch",
    "linearize",
    "randomized",
    "tangent_map",
]
