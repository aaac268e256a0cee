# SPDX-License-Identifier: BSD-2-Clause
"""A rollout as a function of arrays, and what automatic differentiation asks of it.

``Rollout(sim)`` is f(q0, v0, u) -> (q, v) in plain numbers, quaternions included. ``for_torch`` and ``for_jax`` hand it to these libraries as a
custom function: they see arrays and a vector-Jacobian product, and never what is inside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from .trajectory import _INPUTS, _read_controls, _step, backward

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    from .. import _core

    Array = NDArray[np.float64]


def tangent_map(sim: _core.Simulator, q: ArrayLike) -> Array:
    """(nq, nv): how the numbers of q change along its tangents, ``d integrate(q, d)/dd`` at 0. Differenced where a row is not that of a unit.

    Parameters
    ----------
    sim
        Knows which numbers of q are quaternions.
    q
        Where.
    """
    nv, e = sim.nv, 1e-5

    def difference(d: Array) -> Array:
        return (
            8 * (sim.integrate(q, d) - sim.integrate(q, -d)) - sim.integrate(q, 2 * d) + sim.integrate(q, -2 * d)
        ) / (12 * e)

    return np.array([difference(d) for d in e * np.eye(nv)]).T


class Rollout:
    """The states of a rollout as a function of where it starts and of its controls.

    Parameters
    ----------
    sim
        What it is and knows now (contact memory, PD gains, ctrl) is where every call begins, but for q and v. It is copied.
    by
        What the controls are: ``"tau"``, ``"ctrl"`` or ``"target"``.
    smooth
        Above 0, of rigid contact: gradients of the steps relaxed by so much [J]. The states stay as they are.
    """

    def __init__(self, sim: _core.Simulator, by: str = "tau", *, smooth: float = 0.0) -> None:
        if by not in _INPUTS:
            raise ValueError(f"by is {by!r}, expected one of {', '.join(map(repr, _INPUTS))}")
        self.sim, self.by, self.smooth = sim.clone(), by, smooth
        self._start = self.sim.save()

    def _place(self, q0: ArrayLike, v0: ArrayLike) -> _core.Simulator:
        self.sim.restore(self._start)
        self.sim.q[:], self.sim.v[:] = q0, v0
        return self.sim

    def __call__(self, q0: ArrayLike, v0: ArrayLike, u: ArrayLike) -> tuple[Array, Array]:
        """(T + 1, nq) and (T + 1, nv)."""
        sim = self._place(q0, v0)
        controls = _read_controls(sim, u, self.by)
        q, v = [np.array(sim.q)], [np.array(sim.v)]
        for k, row in enumerate(controls):
            _step(sim, row, self.by, k)
            q.append(np.array(sim.q))
            v.append(np.array(sim.v))
        return np.array(q), np.array(v)

    def vjp(
        self, q0: ArrayLike, v0: ArrayLike, u: ArrayLike, bar_q: ArrayLike, bar_v: ArrayLike
    ) -> tuple[Array, Array, Array]:
        """Cotangents of q0, v0 and u from those of the states. That of a quaternion is the one without a part along the quaternion.

        Parameters
        ----------
        q0, v0, u
            Start and controls, as in the call.
        bar_q, bar_v
            (T + 1, nq) and (T + 1, nv), cotangents of all states.
        """
        q, _ = self(q0, v0, u)
        bars = np.array(
            [
                np.concatenate([tangent_map(self.sim, x).T @ b, w])
                for x, b, w in zip(q, np.asarray(bar_q), np.asarray(bar_v), strict=True)
            ]
        )
        sim = self._place(q0, v0)
        g = backward(sim, u, bars, self.by, smooth=self.smooth)
        out = tangent_map(sim, q[0])
        return out @ np.linalg.solve(out.T @ out, g.x0[: sim.nv]), g.x0[sim.nv :], g.u


def for_torch(sim: _core.Simulator, by: str = "tau", *, smooth: float = 0.0) -> Callable[..., Any]:
    """``f(q0, v0, u) -> (q, v)`` of PyTorch tensors, with gradients.

    Parameters
    ----------
    sim, by, smooth
        As for ``Rollout``.
    """
    try:
        import torch
    except ImportError as missing:
        raise ImportError("stiction.gradients.for_torch needs PyTorch: pip install torch") from missing
    rollout = Rollout(sim, by, smooth=smooth)

    def numbers(x: Any) -> Array:
        return x.detach().cpu().numpy().astype(float)

    class Function(torch.autograd.Function):  # type: ignore[misc, name-defined, unused-ignore]
        @staticmethod
        def forward(ctx: Any, q0: Any, v0: Any, u: Any) -> Any:
            ctx.save_for_backward(q0, v0, u)
            return tuple(
                torch.as_tensor(x, dtype=q0.dtype, device=q0.device)
                for x in rollout(numbers(q0), numbers(v0), numbers(u))
            )

        @staticmethod
        def backward(ctx: Any, bar_q: Any, bar_v: Any) -> Any:
            saved = ctx.saved_tensors
            q0, v0, u = map(numbers, saved)
            out = rollout.vjp(q0, v0, u, numbers(bar_q), numbers(bar_v))
            return tuple(torch.as_tensor(x, dtype=s.dtype, device=s.device) for x, s in zip(out, saved, strict=True))

    return cast("Callable[..., Any]", Function.apply)


def for_jax(sim: _core.Simulator, by: str = "tau", *, smooth: float = 0.0) -> Callable[..., Any]:
    """``f(q0, v0, u) -> (q, v)`` of JAX arrays, for ``jax.grad`` and ``jax.jit``.

    JAX computes in float32 unless ``jax_enable_x64`` is set; the rollout itself is in float64 either way.

    Parameters
    ----------
    sim, by, smooth
        As for ``Rollout``.
    """
    try:
        import jax
        import jax.numpy as jnp
    except ImportError as missing:
        raise ImportError("stiction.gradients.for_jax needs JAX: pip install jax") from missing
    rollout, nq, nv = Rollout(sim, by, smooth=smooth), sim.nq, sim.nv

    def made(*x: Any) -> Any:
        kind = x[0].dtype
        return tuple(np.asarray(y, dtype=kind) for y in rollout(*(np.asarray(a, dtype=float) for a in x)))

    def pulled(*x: Any) -> Any:
        kind = x[0].dtype
        return tuple(np.asarray(y, dtype=kind) for y in rollout.vjp(*(np.asarray(a, dtype=float) for a in x)))

    @jax.custom_vjp  # type: ignore[untyped-decorator, unused-ignore]
    def f(q0: Any, v0: Any, u: Any) -> Any:
        steps = u.shape[0] + 1
        shapes = (
            jax.ShapeDtypeStruct((steps, nq), jnp.result_type(q0)),
            jax.ShapeDtypeStruct((steps, nv), jnp.result_type(q0)),
        )
        return jax.pure_callback(made, shapes, q0, v0, u)

    def forward(q0: Any, v0: Any, u: Any) -> Any:
        return f(q0, v0, u), (q0, v0, u)

    def reverse(kept: Any, bars: Any) -> Any:
        shapes = tuple(jax.ShapeDtypeStruct(x.shape, jnp.result_type(kept[0])) for x in kept)
        return jax.pure_callback(pulled, shapes, *kept, *bars)

    f.defvjp(forward, reverse)
    return cast("Callable[..., Any]", f)
