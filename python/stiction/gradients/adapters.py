# SPDX-License-Identifier: BSD-2-Clause
"""The step and its derivatives as other planners ask for them: a pair calc/calcDiff as in Crocoddyl and Aligator, and CasADi functions."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import tangent_map
from .trajectory import _INPUTS, _by, _read_controls, _step

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    from .. import _core

    Array = NDArray[np.float64]


class StepModel:
    """One step as an action model: ``calc(data, x, u)`` and ``calcDiff(data, x, u)``, x = (q, v), tangents as in Pinocchio.

    No planner is imported. A class of Crocoddyl's or Aligator's that forwards to it takes four lines (docs/gradients.md).

    Parameters
    ----------
    sim
        Copied. Its contact memory, PD gains and wrenches are where every call begins, whatever was called before.
    cost
        ``cost(x, u) -> (l, Lx, Lu, Lxx, Lxu, Luu)`` with tangents of x, or None for no cost.
    by
        What u is: ``"tau"``, ``"ctrl"`` or ``"target"``.
    smooth
        As for ``stiction.linearize``.
    """

    def __init__(
        self,
        sim: _core.Simulator,
        cost: Callable[[Array, Array], tuple[Any, ...]] | None = None,
        by: str = "tau",
        *,
        smooth: float = 0.0,
    ) -> None:
        if by not in _INPUTS:
            raise ValueError(f"by is {by!r}, expected one of {', '.join(map(repr, _INPUTS))}")
        self.sim, self.cost, self.by, self.smooth = sim.clone(), cost, by, smooth
        self.nx, self.ndx, self.nu = sim.nq + sim.nv, 2 * sim.nv, len(sim.ctrl) if by == "ctrl" else sim.ntau
        self._start = self.sim.save()

    def createData(self) -> SimpleNamespace:
        """What calc and calcDiff fill in."""
        n, m = self.ndx, self.nu
        return SimpleNamespace(
            xnext=np.zeros(self.nx), cost=0.0, Fx=np.zeros((n, n)), Fu=np.zeros((n, m)), Lx=np.zeros(n), Lu=np.zeros(m),
            Lxx=np.zeros((n, n)), Lxu=np.zeros((n, m)), Luu=np.zeros((m, m)), border=False, exact=True,
        )  # fmt: skip

    def zero(self) -> Array:
        """The state of the simulator that it was made from."""
        self.sim.restore(self._start)
        return np.concatenate([self.sim.q, self.sim.v])

    def diff(self, x0: ArrayLike, x1: ArrayLike) -> Array:
        """The tangent at x0 that leads to x1."""
        a, b, nq = np.asarray(x0, dtype=float), np.asarray(x1, dtype=float), self.sim.nq
        return np.concatenate([self.sim.difference(a[:nq], b[:nq]), b[nq:] - a[nq:]])

    def integrate(self, x: ArrayLike, dx: ArrayLike) -> Array:
        """Where the tangent dx leads.

        Parameters
        ----------
        x
            (nq + nv,), q and then v.
        dx
            (2 nv,).
        """
        a, d, nq = np.asarray(x, dtype=float), np.asarray(dx, dtype=float), self.sim.nq
        return np.concatenate([self.sim.integrate(a[:nq], d[: self.sim.nv]), a[nq:] + d[self.sim.nv :]])

    def _place(self, x: ArrayLike, u: ArrayLike) -> Array:
        state = np.array(x, dtype=float)
        if state.shape != (self.nx,) or not np.isfinite(state).all():
            raise ValueError(f"x has shape {state.shape}, expected ({self.nx},) finite numbers: q, then v")
        control = _read_controls(self.sim, np.reshape(u, (1, -1)), self.by)[0]
        self.sim.restore(self._start)
        self.sim.q[:], self.sim.v[:] = state[: self.sim.nq], state[self.sim.nq :]
        return control

    def calc(self, data: SimpleNamespace, x: ArrayLike, u: ArrayLike) -> None:
        """Fills data.xnext and data.cost.

        Parameters
        ----------
        data
            Of createData(); is filled in.
        x
            (nq + nv,), q and then v.
        u
            Controls, as `by` says.
        """
        control = self._place(x, u)
        if self.cost is not None:
            data.cost = float(self.cost(np.asarray(x, dtype=float), control)[0])
        _step(self.sim, control, self.by, 0)
        data.xnext = np.concatenate([self.sim.q, self.sim.v])

    def calcDiff(self, data: SimpleNamespace, x: ArrayLike, u: ArrayLike) -> None:
        """Fills data.Fx, data.Fu, and what the cost gives; data.border and data.exact say where the step has a kink.

        Parameters
        ----------
        data
            Of createData(); is filled in.
        x
            (nq + nv,), q and then v.
        u
            Controls, as `by` says.
        """
        control = self._place(x, u)
        d = self.sim.step_derivatives(**{self.by: control}, smooth=self.smooth)
        n = self.ndx
        data.Fx, data.Fu, data.border, data.exact = d.dx[:n, :n], _by(d, self.by)[:n], any(d.border), d.exact
        if self.cost is not None:
            data.Lx, data.Lu, data.Lxx, data.Lxu, data.Luu = map(
                np.asarray, self.cost(np.asarray(x, dtype=float), control)[1:]
            )


def casadi_step(sim: _core.Simulator, name: str = "step", by: str = "tau", *, smooth: float = 0.0) -> Any:
    """A CasADi function ``x, u -> x_next`` in plain numbers (q with its quaternions, then v), with its Jacobian.

    Its numbers are those of the engine; nothing is rebuilt from symbols, so it is called by solvers
    that take first derivatives (IPOPT with ``hessian_approximation="limited-memory"``). Keep the function alive while it is used.

    Parameters
    ----------
    sim, by, smooth
        As for ``StepModel``.
    name
        Of the function.
    """
    try:
        import casadi
    except ImportError as missing:
        raise ImportError("stiction.gradients.casadi_step needs CasADi: pip install casadi") from missing
    model = StepModel(sim, by=by, smooth=smooth)
    nq, nv, nx, nu = sim.nq, sim.nv, model.nx, model.nu

    def lifted(q: Array) -> Array:
        out = np.zeros((nx, 2 * nv))
        out[:nq, :nv], out[nq:, nv:] = tangent_map(model.sim, q), np.eye(nv)
        return out

    class Jacobian(casadi.Callback):  # type: ignore[misc, name-defined, unused-ignore]
        def __init__(self, own: str) -> None:
            casadi.Callback.__init__(self)
            self.construct(own, {})

        def get_n_in(self) -> int:
            return 3

        def get_n_out(self) -> int:
            return 2

        def get_sparsity_in(self, i: int) -> Any:
            return casadi.Sparsity.dense((nx, nu, nx)[i], 1)

        def get_sparsity_out(self, i: int) -> Any:
            return casadi.Sparsity.dense(nx, (nx, nu)[i])

        def eval(self, arguments: Any) -> Any:
            x, u = (np.array(a).ravel() for a in arguments[:2])
            data = model.createData()
            model.calc(data, x, u)
            model.calcDiff(data, x, u)
            before, after = lifted(x[:nq]), lifted(data.xnext[:nq])
            return [after @ data.Fx @ np.linalg.solve(before.T @ before, before.T), after @ data.Fu]

    class Step(casadi.Callback):  # type: ignore[misc, name-defined, unused-ignore]
        def __init__(self) -> None:
            casadi.Callback.__init__(self)
            self.construct(name, {})

        def get_n_in(self) -> int:
            return 2

        def get_n_out(self) -> int:
            return 1

        def get_sparsity_in(self, i: int) -> Any:
            return casadi.Sparsity.dense((nx, nu)[i], 1)

        def get_sparsity_out(self, _: int) -> Any:
            return casadi.Sparsity.dense(nx, 1)

        def eval(self, arguments: Any) -> Any:
            data = model.createData()
            model.calc(data, *(np.array(a).ravel() for a in arguments))
            return [data.xnext]

        def has_jacobian(self) -> bool:
            return True

        def get_jacobian(self, own: str, *_: Any) -> Any:
            self.kept = Jacobian(own)
            return self.kept

    return Step()
