# SPDX-License-Identifier: BSD-2-Clause
"""Randomised smoothing: the baseline that asks for nothing but steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .trajectory import _INPUTS, _read_controls, _Restored, _step

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from .. import _core

    Array = NDArray[np.float64]


def randomized(
    sim: _core.Simulator,
    control: ArrayLike | None = None,
    by: str = "tau",
    *,
    sigma: float = 1e-3,
    samples: int = 200,
    seed: int = 0,
    steps: int = 1,
) -> tuple[Array, Array]:
    """dx+/dx and dx+/du of the mean over states and controls drawn around the present ones, by antithetic differences.

    With w of unit variance the estimate is the mean of (f(x + sigma w) - f(x - sigma w)) w^T/(2 sigma). Its error falls with the square root of the
    samples and grows with the number of variables; ``smooth=`` of ``step_derivatives`` has none.

    Parameters
    ----------
    sim
        At the state to differentiate at; it comes back to it.
    control, by
        One row of controls, held for all steps; None is zero.
    sigma
        Standard deviation of what is drawn, in the units of each variable.
    samples
        Pairs of rollouts.
    seed
        Of the numbers that are drawn: same seed, same answer.
    steps
        Steps per rollout.
    """
    if not (sigma > 0.0 and np.isfinite(sigma)):
        raise ValueError(f"sigma is {sigma}, expected a finite number > 0")
    if samples < 1 or steps < 1:
        raise ValueError(f"samples is {samples} and steps {steps}, expected numbers >= 1")
    if by not in _INPUTS:
        raise ValueError(f"by is {by!r}, expected one of {', '.join(map(repr, _INPUTS))}")
    nv, width = sim.nv, len(sim.ctrl) if by == "ctrl" else sim.ntau
    u = _read_controls(sim, np.zeros((1, width)) if control is None else np.reshape(control, (1, -1)), by)[0]
    rng, total = np.random.default_rng(seed), np.zeros((2 * nv, 2 * nv + width))
    with _Restored(sim):
        blob, q, v = sim.save(), np.array(sim.q), np.array(sim.v)

        def after(d: Array) -> tuple[Array, Array]:
            sim.restore(blob)
            sim.q[:], sim.v[:] = sim.integrate(q, d[:nv]), v + d[nv : 2 * nv]
            for k in range(steps):
                _step(sim, u + d[2 * nv :], by, k)
            return np.array(sim.q), np.array(sim.v)

        for _ in range(samples):
            w = rng.normal(size=2 * nv + width)
            (q1, v1), (q0, v0) = after(sigma * w), after(-sigma * w)
            total += np.outer(np.concatenate([sim.difference(q0, q1), v1 - v0]), w)
    total /= 2.0 * sigma * samples
    return total[:, : 2 * nv], total[:, 2 * nv :]
