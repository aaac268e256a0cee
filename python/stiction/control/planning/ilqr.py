# SPDX-License-Identifier: BSD-2-Clause
"""Iterative linear-quadratic regulation with bounds, from a guess that need not be a trajectory.

Knots k hold states x_k and controls u_k. Where the model does not lead from one knot to the next there is a gap
f_{k+1} = F(x_k, u_k) ⊖ x_{k+1}. Backwards from the end, with V' = V_{k+1} taken across the gap (V'_x + V'_xx f):

    Q_x = l_x + AᵀV'_x    Q_xx = l_xx + AᵀV'_xx A    Q_u = l_u + BᵀV'_x    Q_uu = l_uu + BᵀV'_xx B + ρ I    Q_ux = l_ux + BᵀV'_xx A
    d = argmin ½ dᵀQ_uu d + Q_uᵀd within the bounds,    K = −Q_uu⁻¹Q_ux on the free rows, zero on the held ones

Forwards u = u + α d + K (x_new ⊖ x), and a step of length α closes the share α of each gap. α is halved until the cost falls by a
tenth of what the quadratic model promised; ρ grows when no α does.             [Tassa et al. 2014; Mastalli et al. 2020]

A step of rigid contact has kinks, and the derivative is that of one side (docs/gradients.md): an iteration may then fall short of
what was promised, and the shorter steps are there for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._core import InvalidInput
from ...output.arguments import named
from .box_qp import solve_box_qp
from .plan import Plan, State, Terms

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Planned:
    """Controls, the states that they lead to, and how they were found."""

    u: Array  #: (knots, width)
    q: Array  #: (knots + 1, nq)
    v: Array  #: (knots + 1, nv)
    K: Array  #: (knots, width, 2 nv) feedback: u + K (x ⊖ x_k)
    cost: float  # of the trajectory
    gap: float  #: largest entry of a gap that is left; zero for a trajectory
    converged: bool  # whether the last step was small enough
    history: list[float] = field(default_factory=list)  #: cost after each iteration, the guess first
    borders: int = 0  #: knots with a step on the border of two contact modes, in the last linearisation

    @property
    def iterations(self) -> int:
        """How many times the cost fell."""
        return len(self.history) - 1


@dataclass
class _Trajectory:
    states: list[State]
    u: Array
    cost: float
    gaps: list[Array]  # gaps[k]: in front of state k
    made: bool = True

    @property
    def gap(self) -> float:
        return max(float(np.abs(f).max()) for f in self.gaps)


@dataclass
class _Model:
    A: list[Array]
    B: list[Array]
    terms: list[Terms]
    borders: int


@dataclass
class _Policy:
    d: Array
    K: Array
    linear: float  # of the promised change
    quadratic: float


def _total(plan: Plan, states: list[State], u: Array) -> float:
    running = sum(plan.cost.value(k, *states[k], u[k]) for k in range(plan.knots))
    return running + plan.cost.value(plan.knots, *states[-1], None)


def _rolled(plan: Plan, start: bytes, u: Array) -> _Trajectory:
    """The trajectory of these controls."""
    plan.sim.restore(start)
    states, zero = [plan.state()], np.zeros(2 * plan.sim.nv)
    for k in range(plan.knots):
        if not plan.advance(u[k]):
            raise InvalidInput(f"controls lead to a step that cannot be made at knot {k}, expected a calmer guess")
        states.append(plan.state())
    return _Trajectory(states, u, _total(plan, states, u), [zero] * (plan.knots + 1))


def _guessed(plan: Plan, start: bytes, u: Array, q: ArrayLike, v: ArrayLike) -> _Trajectory:
    """Given states with gaps between them."""
    plan.sim.restore(start)
    qs, vs = np.asarray(q, dtype=float), np.asarray(v, dtype=float)
    wanted = (plan.knots + 1, plan.sim.nq), (plan.knots + 1, plan.sim.nv)
    if (qs.shape, vs.shape) != wanted:
        raise InvalidInput(f"states has shapes {qs.shape}, {vs.shape}, expected {wanted[0]}, {wanted[1]}")
    states: list[State] = [plan.state(), *((qs[k], vs[k]) for k in range(1, plan.knots + 1))]
    gaps = [np.zeros(2 * plan.sim.nv)]
    for k in range(plan.knots):
        plan.put(states[k])
        plan.advance(u[k])
        gaps.append(plan.difference(states[k + 1], plan.state()))
    return _Trajectory(states, u, _total(plan, states, u), gaps)


def _linearised(plan: Plan, start: bytes, line: _Trajectory) -> _Model:
    plan.sim.restore(start)
    open_gaps = line.gap > 0.0
    model = _Model([], [], [], 0)
    for k in range(plan.knots):
        if open_gaps:
            plan.put(line.states[k])
        A, B, border = plan.derivatives(line.u[k])
        model.A.append(A)
        model.B.append(B)
        model.borders += border
        model.terms.append(plan.cost.terms(k, *line.states[k], line.u[k]))
    model.terms.append(plan.cost.terms(plan.knots, *line.states[-1], None))
    return model


def _widened(x: Array, size: int) -> Array:
    """A vector or matrix of q and v with zeros for the anchors behind them."""
    return np.pad(x, [(0, size - len(x))] * x.ndim)


def _backward(plan: Plan, line: _Trajectory, model: _Model, rho: float) -> _Policy | None:
    """None where Q_uu is not positive definite."""
    n = 2 * plan.sim.nv
    d, K = np.zeros_like(line.u), np.zeros((plan.knots, plan.width, n))
    Vx, Vxx = _widened(model.terms[-1].x, len(model.A[-1])), _widened(model.terms[-1].xx, len(model.A[-1]))
    linear = quadratic = 0.0
    for k in range(plan.knots - 1, -1, -1):
        A, B, t = model.A[k], model.B[k], model.terms[k]
        gap, width = _widened(line.gaps[k + 1], len(A)), A.shape[1]
        slope = Vx + Vxx @ gap
        linear += float(gap @ slope)
        quadratic -= float(gap @ Vxx @ gap)
        VA, VB = Vxx @ A, Vxx @ B
        Qx, Qu = _widened(t.x, width) + A.T @ slope, t.u + B.T @ slope
        Qxx, Quu, Qux = _widened(t.xx, width) + A.T @ VA, t.uu + B.T @ VB, B.T @ VA
        Qux[:, :n] += t.ux
        H = Quu + rho * np.eye(plan.width)
        try:
            np.linalg.cholesky(H)
        except np.linalg.LinAlgError:
            return None
        lower, upper = np.asarray(plan.lower) - line.u[k], np.asarray(plan.upper) - line.u[k]
        box = solve_box_qp(H, Qu, lower, upper, np.zeros(plan.width))
        d[k] = box.d
        free = np.flatnonzero(box.free)
        if len(free):
            K[k][free] = -np.linalg.solve(H[np.ix_(free, free)], Qux[free, :n])
        own = np.pad(K[k], ((0, 0), (0, width - n)))  # anchors are not fed back
        linear += float(d[k] @ Qu)
        quadratic += float(d[k] @ Quu @ d[k])
        Vx = Qx + own.T @ (Quu @ d[k] + Qu) + Qux.T @ d[k]
        Vxx = Qxx + own.T @ Quu @ own + own.T @ Qux + Qux.T @ own
        Vxx = 0.5 * (Vxx + Vxx.T)
    return _Policy(d, K, linear, quadratic)


def _forward(plan: Plan, start: bytes, line: _Trajectory, policy: _Policy, alpha: float) -> _Trajectory:
    plan.sim.restore(start)
    states, u = [plan.state()], np.empty_like(line.u)
    gaps = [(1.0 - alpha) * f for f in line.gaps]
    for k in range(plan.knots):
        x = plan.difference(line.states[k], states[k])
        u[k] = np.clip(line.u[k] + alpha * policy.d[k] + policy.K[k] @ x, plan.lower, plan.upper)
        if not np.isfinite(u[k]).all() or not plan.advance(u[k]):
            return _Trajectory(states, u, np.inf, gaps, made=False)
        state = plan.state()
        if gaps[k + 1].any():
            state = plan.moved(state, -gaps[k + 1])
            plan.put(state)
        states.append(state)
    return _Trajectory(states, u, _total(plan, states, u), gaps)


def _accepted(line: _Trajectory, tried: _Trajectory, policy: _Policy, alpha: float) -> bool:
    promised = alpha * (policy.linear + 0.5 * alpha * policy.quadratic)  # negative: the cost falls
    change = tried.cost - line.cost
    if promised <= 0.0:
        return change <= 0.1 * promised
    return change <= 2.0 * promised and line.gap > 0.0  # closing gaps may cost something


@named
def ilqr(
    plan: Plan, controls: ArrayLike, *, states: tuple[ArrayLike, ArrayLike] | None = None, iterations: int = 50,
    tolerance: float = 1e-6, rho: float = 1e-6, say: Callable[[str], None] | None = None,
) -> Planned:  # fmt: skip
    """Controls that make the plan's cost small.

    Parameters
    ----------
    plan
        Model, cost and bounds; the state of its simulator is the start.
    controls
        (knots, width): the guess.
    states
        A guess of q (knots + 1, nq) and v (knots + 1, nv); those that the controls lead to unless given. Their first row is
        the simulator's state, whatever is given.
    iterations
        At the most.
    tolerance
        It has converged when the promised change is less than this share of the cost.
    rho
        The first regularisation of Q_uu.
    say
        Is told a line per iteration.
    """
    u, start = plan.read_controls(controls), plan.sim.save()
    try:
        line = _rolled(plan, start, u) if states is None else _guessed(plan, start, u, *states)
        return _iterate(plan, start, line, iterations, tolerance, rho, say or (lambda text: None))
    finally:
        plan.sim.restore(start)


def _iterate(
    plan: Plan, start: bytes, line: _Trajectory, iterations: int, tolerance: float, least: float,
    say: Callable[[str], None],
) -> Planned:  # fmt: skip
    history, rho, converged = [line.cost], least, False
    policy: _Policy | None = None
    model = _linearised(plan, start, line)
    while len(history) <= iterations and rho < 1e10:
        policy = _backward(plan, line, model, rho)
        if policy is None:
            rho *= 10.0
            continue
        promised = -(policy.linear + 0.5 * policy.quadratic)
        if abs(promised) <= tolerance * (abs(line.cost) + 1e-12) and line.gap == 0.0:
            converged = True
            break
        for alpha in 0.5 ** np.arange(10):
            tried = _forward(plan, start, line, policy, float(alpha))
            if tried.made and _accepted(line, tried, policy, float(alpha)):
                break
        else:
            rho *= 10.0
            continue
        if alpha == 1.0:
            tried.gaps = [np.zeros_like(f) for f in tried.gaps]
        line, rho = tried, max(least, rho * (0.2 if alpha > 0.5 else 1.0))
        history.append(line.cost)
        say(f"iteration {len(history) - 1}: cost {line.cost:.6g}, step {alpha:g}, rho {rho:.1e}, gap {line.gap:.1e}")
        model = _linearised(plan, start, line)
    q, v = (np.array([state[i] for state in line.states]) for i in (0, 1))
    K = policy.K if policy is not None else np.zeros((plan.knots, plan.width, 2 * plan.sim.nv))
    return Planned(line.u, q, v, K, line.cost, line.gap, converged, history, model.borders)
