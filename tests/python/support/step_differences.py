# SPDX-License-Identifier: BSD-2-Clause
"""The oracle of step derivatives: central differences of the step itself on the manifold."""

import itertools

import numpy as np


def after(sim, start, change, tau=None, steps=1):
    """The state after steps from `start`, moved by `change` = (tangent of q, v, tau, ctrl)."""
    nv, ntau = sim.nv, sim.ntau
    sim.restore(start)
    sim.q[:] = sim.integrate(sim.q, change[:nv])
    sim.v[:] += change[nv : 2 * nv]
    if len(sim.ctrl):
        sim.ctrl[:] += change[2 * nv + ntau :]
    torque = change[2 * nv : 2 * nv + ntau] + (0.0 if tau is None else tau)
    for _ in range(steps):
        sim.step(torque if ntau else None)
    return sim.q.copy(), sim.v.copy()


def differences(sim, tau=None, e=1e-5, steps=1):
    """(2 nv, 2 nv + ntau + actuators), extrapolated once: right to about e**4 and round-off/e."""
    nv, start = sim.nv, sim.save()
    n = 2 * nv + sim.ntau + len(sim.ctrl)
    centre = after(sim, start, np.zeros(n), tau, steps)[0]

    def column(j, step):
        d = step * np.eye(n)[j]
        (q1, v1), (q0, v0) = after(sim, start, d, tau, steps), after(sim, start, -d, tau, steps)
        return np.concatenate([sim.difference(centre, q1) - sim.difference(centre, q0), v1 - v0]) / (2 * step)

    out = np.array([(4 * column(j, 0.5 * e) - column(j, e)) / 3 for j in range(n)]).T
    sim.restore(start)
    return out


def by_all(d):
    """The same columns of a StepDerivatives."""
    return np.hstack([d.dx, d.du, d.dctrl])


def worst(sim, mine, wanted, least=1e-3):
    """Largest error relative to the largest entry of its kind: rows q and v, columns q, v, tau, ctrl apart. Of v by v it is
    compared with 1 at the least: what holds a body leaves zeros there, and differences round-off of the solver."""
    nv, ntau = sim.nv, sim.ntau
    edges = [0, nv, 2 * nv, 2 * nv + ntau, wanted.shape[1]]
    out = 0.0
    for rows in (0, nv):
        for first, last in itertools.pairwise(edges):
            if last > first:
                own, theirs = mine[rows : rows + nv, first:last], wanted[rows : rows + nv, first:last]
                size = 1.0 if rows == nv and first == nv else least
                out = max(out, np.abs(own - theirs).max() / max(np.abs(theirs).max(), size))
    return out


def error_of(sim, tau=None, steps=(1e-5, 1e-6), least=1e-3):
    """How far step_derivatives is from the best of some differences, and itself. A border nearer than a step spoils only that one."""
    d = sim.step_derivatives(tau)
    mine = by_all(d)
    return min(worst(sim, mine, differences(sim, tau, e), least) for e in steps), d
