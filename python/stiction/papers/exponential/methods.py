# SPDX-License-Identifier: BSD-2-Clause
"""The integrators that are compared: a name, a stepper and its options. All run on the law `anchored`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import stiction as st


@dataclass(frozen=True)
class Method:
    name: str  # as in published.py
    label: str  # as in the tables
    stepper: str
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def available(self) -> bool:
        """Whether this build has the stepper."""
        return any(entry.name == self.stepper for entry in st.catalog()["steppers"])


AS_PUBLISHED = {"switch_refinement": False}  # steps in which contacts open or close are made as any other


def _expo(approximant: str, **options: Any) -> Method:
    label = f"exponential [{approximant}]" if "/" in approximant else f"exponential {approximant}"
    return Method(approximant, label, "exponential", {"approximant": approximant, **AS_PUBLISHED, **options})


def _midpoint(name: str, label: str, **options: Any) -> Method:
    return Method(name, label, "exponential_midpoint", {**AS_PUBLISHED, **options})


_ALL = [
    *(_expo(a) for a in ("exact", "1/2", "2/3", "1/1", "2/2", "3/3", "auto")),
    _midpoint("midpoint 1/2", "midpoint [1/2]", approximant="1/2"),
    _midpoint("midpoint exact", "midpoint exact", approximant="exact"),
    _midpoint("refined", "midpoint auto, refined", approximant="auto", tolerance=1e-4, switch_refinement=True),
    _midpoint("refined 1/2", "midpoint [1/2], refined", approximant="1/2", switch_refinement=True),
    Method(
        "plain refined",
        "exponential exact, refined",
        "exponential",
        {"approximant": "exact", "switch_refinement": True},
    ),
    Method("default", "exponential, default settings", "exponential"),
    Method("euler", "Euler explicit", "euler", {"form": "explicit"}),
    Method("euler semi", "Euler semi-implicit", "euler", {"form": "semi_implicit"}),
    Method("euler classic", "Euler classic", "euler", {"form": "classic"}),
    Method("rk4", "Runge-Kutta 4", "rk4"),
    Method("implicit", "Euler implicit", "implicit_euler", {"tolerance": 1e-6}),
    Method(
        "dense", "exponential dense, no cap", "exponential", {"approximant": "dense", "balance": False, **AS_PUBLISHED}
    ),
    Method(
        "dense 0", "exponential dense, order 1", "exponential", {"approximant": "dense", "products": 0, **AS_PUBLISHED}
    ),
]
METHODS = {method.name: method for method in _ALL}
