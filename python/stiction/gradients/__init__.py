# SPDX-License-Identifier: BSD-2-Clause
"""Derivatives along trajectories: products of one-step derivatives, forwards and in reverse."""

from .trajectory import Gradient, Linearization, backward, linearize

__all__ = ["Gradient", "Linearization", "backward", "linearize"]
