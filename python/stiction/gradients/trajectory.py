# SPDX-License-Identifier: BSD-2-Clause
"""A trajectory of a simulator and the derivatives of its steps.

The state is x = (q, v). With A_k = dx_{k+1}/dx_k and B_k = dx_{k+1}/du_k of ``sim.step_derivatives`` a loss L(x_0 ... x_T) has

    p_T = dL/dx_T,    p_k = dL/dx_k + A_k^T p_{k+1},    dL/du_k = B_k^T p_{k+1}

Tangents of q are those of ``sim.difference``: cotangents of floating bases are in base axes. Under law ``anchored`` the anchors belong to the
state: x = (q, v, anchors), three numbers per anchor that the state holds, so A_k changes its shape when a foot touches down or lifts off.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

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
    #: (T,) steps in which something is on the border of two modes: there the gradient is one-sided
    border: NDArray[np.bool_]
    exact: bool  #: whether every step's derivative is
    anchors: Array = field(default_factory=lambda: np.zeros(0))  #: law anchored: by the anchors that the start holds


@dataclass(frozen=True)
class Linearization:
    """A trajectory and its one-step derivatives: dx_{k+1} = A_k dx_k + B_k du_k."""

    q: Array  #: (T + 1, nq)
    v: Array  #: (T + 1, nv)
    A: (
        Array | list[Array]
    )  #: (T, 2 nv, 2 nv); law anchored: a list of T matrices with the rows and columns of the anchors behind
    B: Array | list[Array]  #: (T, 2 nv, m); law anchored: a list likewise
    border: NDArray[np.bool_]  #: (T,)
    modes: list[list[str]]  #: per step, as StepDerivatives.mode
    exact: bool  # : whether every step's derivative is

    def product(self) -> Array:
        """dx_T/dx_0."""
        out = np.eye(self.A[0].shape[1])
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
        steps, n = len(self.A), 2 * self.v.shape[1]
        bars = _cotangents(dL_dx, steps, n)
        p = _widened(bars[steps], self.A[-1].shape[0])
        du = np.empty((steps, self.B[0].shape[1]))
        for k in range(steps - 1, -1, -1):
            du[k] = self.B[k].T @ p
            p = _widened(bars[k], self.A[k].shape[1]) + self.A[k].T @ p
        return Gradient(p[:n], du, self.border, self.exact, p[n:])


@named
def linearize(sim: _core.Simulator, controls: ArrayLike, by: str = "tau", *, smooth: float = 0.0) -> Linearization:
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
    smooth
        Above 0, of rigid contact: derivatives of the steps relaxed by so much [J], along the trajectory as it is. A contact at gap d then carries the
        force smooth/d, so that there is a gradient where a foot is about to touch.

    Returns
    -------
    Linearization: q, v, A, B, border, modes, exact, product(), backward()
    """
    u = _read_controls(sim, controls, by)
    nv, steps = sim.nv, len(u)
    q, v = np.empty((steps + 1, sim.nq)), np.empty((steps + 1, nv))
    A, B = [], []
    border, modes, exact = np.zeros(steps, dtype=bool), [], True
    with _Restored(sim):
        q[0], v[0] = sim.q, sim.v
        for k, row in enumerate(u):
            d = _derivatives(sim, row, by, smooth)
            A.append(d.dx)
            B.append(_by(d, by))
            border[k], exact = any(d.border), exact and d.exact
            modes.append(d.mode)
            _step(sim, row, by, k)
            q[k + 1], v[k + 1] = sim.q, sim.v
    if sim.law == "anchored":
        return Linearization(q, v, A, B, border, modes, exact)
    shaped_a, shaped_b = np.array(A).reshape(steps, 2 * nv, 2 * nv), np.array(B).reshape(steps, 2 * nv, u.shape[1])
    return Linearization(q, v, shaped_a, shaped_b, border, modes, exact)


@named
def backward(
    sim: _core.Simulator,
    controls: ArrayLike,
    dL_dx: ArrayLike,
    by: str = "tau",
    *,
    checkpoints: int | None = None,
    smooth: float = 0.0,
) -> Gradient:
    """The gradient of a function of a rollout, in reverse mode: memory for a few states instead of for all matrices.

    The rollout is made once, keeping the state of some steps; then each stretch between two of them is made again, from the
    last one backwards. The numbers are those of ``linearize(...).backward(dL_dx)``, bit for bit.

    Parameters
    ----------
    sim, controls, by, smooth
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
    p = bars[steps]
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
                d = _derivatives(sim, u[k], by, smooth)
                matrices.append((d.dx, _by(d, by)))
                border[k], exact = any(d.border), exact and d.exact
                if k + 1 < last:
                    _step(sim, u[k], by, k)
            for k in range(last - 1, first - 1, -1):
                a, b = matrices.pop()
                p = _widened(p, a.shape[0])
                du[k] = b.T @ p
                p = _widened(bars[k], a.shape[1]) + a.T @ p
    return Gradient(p[: 2 * nv], du, border, exact, p[2 * nv :])


def backward_of(
    sim: _core.Simulator, dL_dx: ArrayLike, controls: ArrayLike | None = None, by: str = "tau", **options: Any
) -> Gradient:
    """What ``sim.backward(dL_dx, controls)`` calls: the gradient of a function of the rollout from here, in reverse mode.

    Parameters
    ----------
    dL_dx
        (T + 1, 2 nv) cotangents of all states, or (2 nv,) of the last one.
    controls, by
        (T, m), as for ``stiction.linearize``. None: as many steps as dL_dx has, without torques; one step if it is that of the last state.
    checkpoints, smooth
        As for ``stiction.backward``.
    """
    if controls is None:
        bars = np.asarray(dL_dx)
        controls = np.zeros((max(len(bars) - 1, 1) if bars.ndim == 2 else 1, sim.ntau))
    return backward(sim, controls, dL_dx, by, **options)


def rollout_gradients(
    sim: _core.Simulator,
    states0: Any,
    controls: ArrayLike | None,
    targets: ArrayLike | None,
    steps: int,
    vjp: ArrayLike,
) -> list[Gradient]:
    """What ``stiction.rollout(..., vjp=...)`` adds to the states: the gradient of every entry of the batch."""
    if controls is not None and targets is not None:
        raise ValueError("vjp goes with controls or with targets, not with both: their gradients would be two")
    by, u = ("target", targets) if targets is not None else ("tau", controls)
    u = np.zeros((len(states0), steps, sim.ntau)) if u is None else np.asarray(u, dtype=float)
    bars = np.asarray(vjp, dtype=float)
    n = 2 * sim.nv
    if bars.shape not in ((len(states0), n), (len(states0), steps, n)):
        raise ValueError(
            f"vjp has shape {bars.shape}, expected ({len(states0)}, {steps}, {n}): a cotangent of every state of the answer, or "
            f"({len(states0)}, {n}): of the last ones"
        )
    out, own = [], sim.variant()  # without memory of contacts
    cold = own.save()
    for i, start in enumerate(states0):
        own.restore(start if isinstance(start, bytes) else cold)
        if not isinstance(start, bytes):
            own.q[:], own.v[:] = start[: sim.nq], start[sim.nq :]
        bar = bars[i] if bars.ndim == 2 else np.vstack([np.zeros(n), bars[i]])
        out.append(backward(own, u[i], bar, by))
    return out


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


def _widened(x: Array, width: int) -> Array:
    """With zeros for the anchors behind q and v."""
    return np.concatenate([x, np.zeros(width - len(x))])


def _derivatives(sim: _core.Simulator, row: Array, by: str, smooth: float) -> _core.StepDerivatives:
    return sim.step_derivatives(**{by: row}, smooth=smooth)


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
