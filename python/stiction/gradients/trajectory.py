# SPDX-License-Identifier: BSD-2-Clause
"""A trajectory of a simulator and the derivatives of its steps.

The state is x = (q, v). With A_k = dx_{k+1}/dx_k and B_k = dx_{k+1}/du_k of ``sim.step_derivatives`` a loss L(x_0 ... x_T) has

    p_T = dL/dx_T,    p_k = dL/dx_k + A_k^T p_{k+1},    dL/du_k = B_k^T p_{k+1}

Tangents of q are those of ``sim.difference``: cotangents of floating bases are in base axes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .. import _core
from ..output.arguments import named

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

_INPUTS = ("tau", "ctrl", "target")


@dataclass(frozen=True)
class Gradient:
    """What a scalar function of a trajectory changes by."""

    x0: Array  #: (2 nv,) by the start
    u: Array  #: (T, m) by the controls
    border: NDArray[
        np.bool_
    ]  #: (T,) steps in which something is on the border of two modes: there the gradient is one-sided
    exact: bool  #: whether every step's derivative is


@dataclass(frozen=True)
class Linearization:
    """A trajectory and its one-step derivatives: dx_{k+1} = A_k dx_k + B_k du_k."""

    q: Array  #: (T + 1, nq)
    v: Array  #: (T + 1, nv)
    A: Array  #: (T, 2 nv, 2 nv)
    B: Array  #: (T, 2 nv, m)
    border: NDArray[np.bool_]  #: (T,)
    modes: list[list[str]]  #: per step, as StepDerivatives.mode
    exact: bool

    def product(self) -> Array:
        """dx_T/dx_0."""
        out = np.eye(self.A.shape[1])
        for a in self.A:
            out = a @ out
        return out

    def backward(self, dL_dx: ArrayLike) -> Gradient:
        """The gradient of a function of the trajectory.

        Parameters
        ----------
        dL_dx
            (T + 1, 2 nv) cotangents of all states, or (2 nv,) of the last one.
        """
        steps = len(self.A)
        bars = _cotangents(dL_dx, steps, self.A.shape[1])
        p = bars[steps].copy()
        du = np.empty((steps, self.B.shape[2]))
        for k in range(steps - 1, -1, -1):
            du[k] = self.B[k].T @ p
            p = bars[k] + self.A[k].T @ p
        return Gradient(p, du, self.border, self.exact)


@named
def linearize(sim: _core.Simulator, controls: ArrayLike, by: str = "tau") -> Linearization:
    """Step a simulator with the given controls and differentiate every step. The simulator comes back to where it was.

    Parameters
    ----------
    sim
        Its state is the start of the trajectory. PD gains and ``ctrl`` that it has act in every step. See
        ``step_derivatives`` for the combinations of law and stepper that have derivatives.
    controls
        (T, m) joint torques, what actuators are asked for, or PD targets, one row per step.
    by
        What the controls are: ``"tau"``, ``"ctrl"`` or ``"target"``.

    Returns
    -------
    Linearization: q, v, A, B, border, modes, exact, product(), backward()
    """
    u = _read_controls(sim, controls, by)
    nv, steps = sim.nv, len(u)
    q, v = np.empty((steps + 1, sim.nq)), np.empty((steps + 1, nv))
    A, B = np.empty((steps, 2 * nv, 2 * nv)), np.empty((steps, 2 * nv, u.shape[1]))
    border, modes, exact = np.zeros(steps, dtype=bool), [], True
    with _Restored(sim):
        q[0], v[0] = sim.q, sim.v
        for k, row in enumerate(u):
            d = _derivatives(sim, row, by)
            A[k], B[k] = d.dx, _by(d, by)
            border[k], exact = any(d.border), exact and d.exact
            modes.append(d.mode)
            _step(sim, row, by, k)
            q[k + 1], v[k + 1] = sim.q, sim.v
    return Linearization(q, v, A, B, border, modes, exact)


@named
def backward(
    sim: _core.Simulator, controls: ArrayLike, dL_dx: ArrayLike, by: str = "tau", *, checkpoints: int | None = None
) -> Gradient:
    """The gradient of a function of a rollout, in reverse mode: memory for a few states instead of for all matrices.

    The rollout is made once, keeping the state of some steps; then each stretch between two of them is made again, from the
    last one backwards. The numbers are those of ``linearize(...).backward(dL_dx)``, bit for bit.

    Parameters
    ----------
    sim, controls, by
        As for ``linearize``.
    dL_dx
        (T + 1, 2 nv) cotangents of all states, or (2 nv,) of the last one.
    checkpoints
        States that are kept; about the square root of T unless given.
    """
    u = _read_controls(sim, controls, by)
    steps, nv = len(u), sim.nv
    bars = _cotangents(dL_dx, steps, 2 * nv)
    if checkpoints is not None and checkpoints < 1:
        raise ValueError(f"checkpoints is {checkpoints}, expected a number >= 1")
    stretch = math.ceil(steps / (checkpoints or max(1, math.isqrt(steps))))
    du, border, exact = np.empty_like(u), np.zeros(steps, dtype=bool), True
    p = bars[steps].copy()
    with _Restored(sim):
        kept = []
        for k, row in enumerate(u):
            if k % stretch == 0:
                kept.append(sim.save())
            _step(sim, row, by, k)
        for number in range(len(kept) - 1, -1, -1):
            first = number * stretch
            last = min(first + stretch, steps)
            sim.restore(kept[number])
            matrices = []
            for k in range(first, last):
                d = _derivatives(sim, u[k], by)
                matrices.append((d.dx, _by(d, by)))
                border[k], exact = any(d.border), exact and d.exact
                if k + 1 < last:
                    _step(sim, u[k], by, k)
            for k in range(last - 1, first - 1, -1):
                a, b = matrices.pop()
                du[k] = b.T @ p
                p = bars[k] + a.T @ p
    return Gradient(p, du, border, exact)


class _Restored:
    """The simulator's state, ctrl and PD target as they were."""

    def __init__(self, sim: _core.Simulator) -> None:
        self.sim = sim

    def __enter__(self) -> None:
        self.blob = self.sim.save()

    def __exit__(self, *_: object) -> None:
        self.sim.restore(self.blob)


def _read_controls(sim: _core.Simulator, controls: ArrayLike, by: str) -> Array:
    if by not in _INPUTS:
        raise ValueError(f"by is {by!r}, expected one of {', '.join(map(repr, _INPUTS))}")
    width = len(sim.ctrl) if by == "ctrl" else sim.ntau
    u = np.array(controls, dtype=float)
    if u.ndim != 2 or u.shape[1] != width:
        raise ValueError(f"controls has shape {u.shape}, expected (steps, {width}): one row of {by} per step")
    if not np.isfinite(u).all():
        raise ValueError(f"controls[{int(np.argwhere(~np.isfinite(u))[0][0])}] holds a number that is not finite")
    return u


def _cotangents(dL_dx: ArrayLike, steps: int, width: int) -> Array:
    bars = np.array(dL_dx, dtype=float)
    if bars.shape == (width,):
        bars = np.vstack([np.zeros((steps, width)), bars])
    if bars.shape != (steps + 1, width):
        raise ValueError(
            f"dL_dx has shape {bars.shape}, expected ({steps + 1}, {width}), or ({width},) for the last state"
        )
    return bars


def _derivatives(sim: _core.Simulator, row: Array, by: str) -> _core.StepDerivatives:
    return sim.step_derivatives(**{by: row})


def _step(sim: _core.Simulator, row: Array, by: str, number: int) -> None:
    if by == "ctrl":
        sim.ctrl[:] = row
        report = sim.step()
    else:
        report = sim.step(row) if by == "tau" else sim.step(target=row)
    if report.status in ("numerical_failure", "unphysical"):
        raise ValueError(
            f"step {number} of the trajectory was not made: {report.status}; take a smaller dt or controls"
        )


def _by(d: _core.StepDerivatives, by: str) -> Array:
    if by == "tau":
        return d.du
    return d.dctrl if by == "ctrl" else d.dtarget
