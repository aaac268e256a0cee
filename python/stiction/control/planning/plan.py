# SPDX-License-Identifier: BSD-2-Clause
"""A motion to be planned: a simulator, how long controls are held, their bounds, and what costs.

States are pairs (q, v); their tangents x = (dq, dv) are those of ``sim.difference`` and ``sim.step_derivatives``. A control acts for
`hold` steps of the engine, so one knot's derivative is a product of theirs:  A ← A_j A,  B ← A_j B + B_j.
What soft contacts remember (anchors) is simulated and taken as fixed by the derivative.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._core import InvalidInput, Simulator

Array = NDArray[np.float64]
State = tuple[Array, Array]


@dataclass(frozen=True)
class Terms:
    """A cost at one knot, to second order in (x, u)."""

    value: float
    x: Array
    xx: Array
    u: Array
    uu: Array
    ux: Array


class Cost(Protocol):
    """What a motion costs: at every knot, and at its end (`control` is None)."""

    def value(self, knot: int, q: Array, v: Array, control: Array | None) -> float: ...

    def terms(self, knot: int, q: Array, v: Array, control: Array | None) -> Terms: ...


_INPUTS = ("tau", "ctrl", "target")


@dataclass
class Plan:
    """What `ilqr` is asked for.

    Parameters
    ----------
    sim
        The model. Its state is the start; it comes back to it.
    knots
        Number of controls.
    cost
        See `Quadratic`.
    hold
        Steps of the engine for which a control acts.
    by
        What controls are: ``"tau"`` [N m], ``"ctrl"`` or ``"target"`` (of the simulator's PD).
    lower, upper
        Bounds of the controls, one number or one per entry.
    """

    sim: Simulator
    knots: int
    cost: Cost
    hold: int = 1
    by: str = "tau"
    lower: ArrayLike = -math.inf
    upper: ArrayLike = math.inf
    width: int = field(init=False)

    def __post_init__(self) -> None:
        if self.by not in _INPUTS:
            raise InvalidInput(f"by is '{self.by}', expected one of {', '.join(_INPUTS)}")
        for name in ("knots", "hold"):
            if getattr(self, name) < 1:
                raise InvalidInput(f"{name} is {getattr(self, name)}, expected a number >= 1")
        if self.by != "tau" and self.sim.law == "anchored":
            raise InvalidInput(f"by is '{self.by}', but law anchored has derivatives by 'tau' only, expected 'tau'")
        self.width = len(self.sim.ctrl) if self.by == "ctrl" else self.sim.ntau
        if self.width == 0:
            raise InvalidInput(f"the simulator has nothing that '{self.by}' moves, expected motors or actuators")
        self.lower = np.broadcast_to(np.asarray(self.lower, dtype=float), (self.width,)).copy()
        self.upper = np.broadcast_to(np.asarray(self.upper, dtype=float), (self.width,)).copy()
        if not (self.lower <= self.upper).all():
            raise InvalidInput("lower is above upper for some control, expected lower <= upper")

    def read_controls(self, controls: ArrayLike) -> Array:
        """(knots, width), within the bounds.

        Parameters
        ----------
        controls
            (knots, width).
        """
        u = np.array(controls, dtype=float)
        if u.shape != (self.knots, self.width) or not np.isfinite(u).all():
            raise InvalidInput(f"controls has shape {u.shape}, expected ({self.knots}, {self.width}) finite numbers")
        return np.clip(u, self.lower, self.upper)

    def state(self) -> State:
        """A copy of where the simulator is."""
        return np.array(self.sim.q), np.array(self.sim.v)

    def put(self, state: State) -> None:
        """Move the simulator there.

        Parameters
        ----------
        state
            (q, v).
        """
        self.sim.q[:], self.sim.v[:] = state

    def advance(self, control: Array) -> bool:
        """One knot on; whether the steps could be made.

        Parameters
        ----------
        control
            (width,), held over the knot.
        """
        if self.by == "tau":
            report = self.sim.step(control, n=self.hold)
        elif self.by == "target":
            report = self.sim.step(target=control, n=self.hold)
        else:
            self.sim.ctrl[:] = control
            report = self.sim.step(n=self.hold)
        return report.status not in ("numerical_failure", "unphysical")

    def derivatives(self, control: Array) -> tuple[Array, Array, bool]:
        """A and B of one knot, which is made, and whether a step of it was on a border of contact modes. Behind q and v they have rows
        for the anchors after the knot and columns for those before it (law `anchored`).

        Parameters
        ----------
        control
            (width,), held over the knot.
        """
        sim = self.sim
        A, B, border = np.empty(0), np.empty(0), False
        hold, self.hold = self.hold, 1
        try:
            for i in range(hold):
                asked: dict[str, Any] = {self.by: control}
                d = sim.step_derivatives(**asked)
                one, by = d.dx, getattr(d, _DERIVATIVE[self.by])
                A, B = (one, by) if i == 0 else (one @ A, one @ B + by)
                border = border or any(d.border)
                self.advance(control)
        finally:
            self.hold = hold
        return A, B, border

    def difference(self, origin: State, state: State) -> Array:
        """The tangent at `origin` that leads to `state`."""
        return np.concatenate([self.sim.difference(origin[0], state[0]), state[1] - origin[1]])

    def moved(self, state: State, x: Array) -> State:
        """Where the tangent x leads.

        Parameters
        ----------
        state
            (q, v) to start from.
        x
            (2 nv,) the tangent.
        """
        nv = self.sim.nv
        return self.sim.integrate(state[0], x[:nv]), state[1] + x[nv:]


_DERIVATIVE = {"tau": "du", "ctrl": "dctrl", "target": "dtarget"}
