# SPDX-License-Identifier: BSD-2-Clause
"""Whether a policy stands what it was not trained on: other contact laws, soft ground, late sensors, weak motors, little friction.

What fails here mostly fails in other engines, and on robots. The variants are options of Quadruped-v0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..output.arguments import named
from .evaluate import Walk, evaluate
from .policy import Policy

VARIANTS: dict[str, dict[str, Any]] = {
    "as trained": {},
    "sensors up to a step late": {"delay": 1.0},
    "pushes of 0.5 m/s": {"pushes": 0.5},
    "noise": {"noise": 0.5},
    "kp 60": {"kp": 60.0},
    "friction 0.5": {"mu": 0.5},
    "ground of 25 kN/m": {"stiffness": 25e3, "damping": 300.0},
    "ground of 10 kN/m": {"stiffness": 10e3, "damping": 500.0},
    "law convex": {"law": "convex"},
    "law anchored": {"law": "anchored"},
    "law relaxed": {"law": "relaxed"},
    "steps of 2 ms": {"dt": 2e-3},
}


@named
def stress(
    policy: Policy,
    seeds: Iterable[int] = range(20),
    duration: float = 10.0,
    *,
    variants: Mapping[str, Mapping[str, Any]] = VARIANTS,
    threads: int | None = None,
) -> dict[str, list[Walk]]:
    """Runs of a policy in variants of its environment.

    Parameters
    ----------
    policy, seeds, duration, threads
        As in `evaluate`; duration in seconds.
    variants
        Options of the environment by the name of the variant; `engine` among them is that of `evaluate`.

    Returns
    -------
    dict
        The runs of each variant: `sum(not walk.fell for walk in runs["kp 60"])` is how many stayed upright.
    """
    numbers = list(seeds)
    return {name: evaluate(policy, numbers, duration, threads=threads, **options) for name, options in variants.items()}
