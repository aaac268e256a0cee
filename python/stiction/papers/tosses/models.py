# SPDX-License-Identifier: BSD-2-Clause
"""What is fitted for each method: which values of the cube, from where, on which scale."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .cube import Cube
from .predict import Method, Predict
from .recordings import Toss, compare
from .search import Found, minimise


@dataclass(frozen=True)
class Unknown:
    """value = start + scale x, or start·exp(scale x); kept within [low, high]."""

    name: str
    start: float
    scale: float
    low: float = -np.inf
    high: float = np.inf
    factor: bool = False

    def value(self, x: float) -> float:
        made = self.start * np.exp(self.scale * x) if self.factor else self.start + self.scale * x
        return float(min(max(made, self.low), self.high))


BODY = (
    Unknown("mu", 0.175, 0.008, 0.01, 1.0), Unknown("inertia", 1.65, 0.15, 0.5, 3.0), Unknown("centre", 0.005, 0.0015),
    Unknown("flatness", 0.05, 0.05, -0.5, 0.5), Unknown("rounding", 0.0025, 0.0007, 1e-5, 0.02),
)  # fmt: skip
SPRING = (Unknown("stiffness", 5e4, 0.5, 1e3, 1e8, True), Unknown("damping", 60.0, 0.4, 0.1, 1e5, True))
REBOUND = (Unknown("restitution", 0.15, 0.05, 0.0, 0.95),)


PLAIN = Cube()


@dataclass(frozen=True)
class Model:
    """A method and its unknowns."""

    name: str
    predict: Predict
    unknowns: tuple[Unknown, ...]
    plain: Cube = PLAIN

    def cube(self, x: np.ndarray) -> Cube:
        return self.plain.with_values(**{u.name: u.value(float(y)) for u, y in zip(self.unknowns, x, strict=True)})


def fit(
    model: Model, tosses: list[Toss], evaluations: int, say: Callable[[int, float], None] | None = None
) -> tuple[Cube, Found]:
    """The values that predict these tosses best."""

    def score(x: np.ndarray) -> float:
        return compare(tosses, model.predict(model.cube(x), tosses)).score

    found = minimise(score, np.zeros(len(model.unknowns)), evaluations, say=say)
    return model.cube(found.x), found


SUBSTEPS = 4
OURS = (
    Model("coulomb, springs", Method(substeps=SUBSTEPS), BODY + SPRING),
    Model("coulomb, Newton's restitution", Method(substeps=SUBSTEPS), BODY + REBOUND),

    Model("coulomb, moreau", Method(stepper="moreau", substeps=SUBSTEPS, stepper_options=dict(stabilise=True)), BODY + REBOUND),
    Model("convex, springs", Method("convex", substeps=SUBSTEPS), BODY + SPRING),
    Model("pyramid, springs", Method("pyramid", substeps=SUBSTEPS), BODY + SPRING),
    Model("raisim, springs", Method("raisim", substeps=SUBSTEPS), BODY + SPRING),
    Model("anchored, exponential", Method("anchored", "exponential", SUBSTEPS, dict(surface_anchoring=True)), BODY + SPRING),
)  # fmt: skip
