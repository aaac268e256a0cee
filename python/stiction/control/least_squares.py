# SPDX-License-Identifier: BSD-2-Clause
"""Inverse dynamics as weighted least squares under the equations of the floating base.

    min over y = (v̇, f)   Σ_k w_k ‖A_k v̇ + C_k f − b_k‖² + w_f ‖f − f_ref‖² + ε ‖y‖²
    subject to            M_b v̇ − J_bᵀ f = −h_b                      (the six rows without torque)
    then                  τ = (M v̇ + h − Jᵀf)_joints

One KKT system of size nv + 3 n + 6 (36 for a quadruped on four feet), solved by LU. No inequality: a task that asks for
pulling or sliding feet gets them, so the caller looks at `Solution.force`. ε = 1e-10 makes the matrix regular.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..output.arguments import named
from .terms import Terms

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Task:
    """Rows A v̇ + C f ≈ b with a weight; most tasks have no C."""

    rows: Array  # A, (m, nv)
    wanted: Array  # b, (m,)
    weight: float
    force_rows: Array | None = None  # C, (m, 3 stance feet)


@dataclass(frozen=True)
class Solution:
    """What the controller wants to happen, and the torques for it."""

    acceleration: Array  # (nv,)
    force: Array  # (stance feet, 3), world axes, on the robot [N]
    torque: Array  # (ntau,)
    base_residual: float  # largest violation of the six base rows [N, N m]


@named
def com_task(
    terms: Terms, position: Array, velocity: Array, acceleration: Array, kp: float, kd: float, weight: float
) -> Task:
    """c̈ = c̈_ref + kp (c_ref − c) + kd (ċ_ref − ċ).

    Parameters
    ----------
    terms
        Of read_terms(): the robot's dynamics at the present state.
    position
        Wanted place, world axes [m].
    velocity
        Wanted velocity [m/s].
    acceleration
        Acceleration of the reference [m/s²].
    kp
        Stiffness [1/s²].
    kd
        Damping [1/s].
    weight
        Of this task against the others [-].
    """
    wanted = acceleration + kp * (position - terms.com) + kd * (velocity - terms.com_velocity) - terms.com_drift
    return Task(terms.com_jacobian, wanted, weight)


@named
def posture_task(error: Array, v: Array, kp: float, kd: float, weight: float) -> Task:
    """q̈ = kp (q_ref − q) − kd q̇ of the joints; error = q_ref ⊖ q over all velocities.

    Parameters
    ----------
    error
        (nv,) q_ref ⊖ q [rad].
    v
        (nv,) velocities.
    kp
        Stiffness [1/s²].
    kd
        Damping [1/s].
    weight
        Of this task against the others [-].
    """
    rows = np.eye(v.size)[6:]
    return Task(rows, kp * error[6:] - kd * v[6:], weight)


@named
def foot_task(
    terms: Terms, foot: int, position: Array, velocity: Array, acceleration: Array, kp: float, kd: float, weight: float
) -> Task:
    """p̈ = p̈_ref + kp (p_ref − p) + kd (ṗ_ref − ṗ) of one foot.

    Parameters
    ----------
    terms
        Of read_terms(): the robot's dynamics at the present state.
    foot
        Its number in terms.
    position
        Wanted place, world axes [m].
    velocity
        Wanted velocity [m/s].
    acceleration
        Acceleration of the reference [m/s²].
    kp
        Stiffness [1/s²].
    kd
        Damping [1/s].
    weight
        Of this task against the others [-].
    """
    wanted = (
        acceleration
        + kp * (position - terms.position[foot])
        + kd * (velocity - terms.velocity[foot])
        - terms.drift[foot]
    )
    return Task(terms.jacobian[foot], wanted, weight)


def momentum_task(terms: Terms, stance: Sequence[int], wanted: Array, weight: float) -> Task:
    """L̇ = Σ (p_i − c) × f_i: rate of the angular momentum about the centre of mass [N m], a matter of forces alone."""
    columns = []
    for i in stance:
        x, y, z = terms.position[i] - terms.com
        columns.append([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return Task(np.zeros((3, terms.bias.size)), wanted, weight, np.hstack(columns))


def _stack(tasks: Sequence[Task], nv: int, nf: int) -> tuple[Array, Array]:
    """All rows, each scaled by the root of its weight."""
    count = sum(len(task.wanted) for task in tasks)
    rows, wanted, at = np.zeros((count, nv + nf)), np.zeros(count), 0
    for task in tasks:
        to, scale = at + len(task.wanted), math.sqrt(task.weight)
        rows[at:to, :nv] = scale * task.rows
        if task.force_rows is not None:
            rows[at:to, nv:] = scale * task.force_rows
        wanted[at:to] = scale * task.wanted
        at = to
    return rows, wanted


@named
def inverse_dynamics(
    terms: Terms,
    tasks: Sequence[Task],
    stance: Sequence[int],
    *,
    force_weight: float = 1e-6,
    force_reference: Array | None = None,
    tikhonov: float = 1e-10,
) -> Solution:
    """Torques that do the tasks as well as the base's equations allow, with forces at the stance feet.

    Parameters
    ----------
    terms
        Of read_terms(): the robot's dynamics at the present state.
    tasks
        What is wanted, each with its weight.
    stance
        Numbers of the standing feet.
    force_weight
        On squared forces, so that they are unique [1/N²].
    force_reference
        (feet, 3) that forces are drawn to [N]; None: zero.
    tikhonov
        Added to the diagonal of the program.
    """
    nv, nf = terms.bias.size, 3 * len(stance)
    n = nv + nf
    jacobian = terms.jacobian[list(stance)].reshape(nf, nv)
    system = np.zeros((n + 6, n + 6))
    right = np.zeros(n + 6)
    hessian = system[:n, :n]
    hessian[np.diag_indices(n)] = tikhonov
    stacked, wanted = _stack(tasks, nv, nf)
    hessian += stacked.T @ stacked
    right[:n] = stacked.T @ wanted
    hessian[range(nv, n), range(nv, n)] += force_weight
    if force_reference is not None:
        right[nv:n] += force_weight * np.asarray(force_reference).reshape(nf)
    base = np.hstack([terms.mass_matrix[:6], -jacobian.T[:6]])
    system[n:, :n], system[:n, n:] = base, base.T
    right[n:] = -terms.bias[:6]
    y: Array = np.asarray(np.linalg.solve(system, right)[:n], dtype=np.float64)
    acceleration, force = y[:nv], y[nv:]
    torque = (terms.mass_matrix @ acceleration + terms.bias - jacobian.T @ force)[6:]
    residual = float(np.abs(base @ y + terms.bias[:6]).max())
    return Solution(acceleration, force.reshape(-1, 3), torque, residual)
