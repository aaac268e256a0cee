# SPDX-License-Identifier: BSD-2-Clause
"""A judge of impulses written a second time, in NumPy, from the laws alone (docs/laws.md): whether a `converged` is true.

Every block is asked three things: does the impulse lie in its set, does the velocity lie in the dual set, and is the power that they
exchange what the law says. Errors are divided by what the documented tolerance allows (docs/notation.md): up to 1 they are fine."""

from __future__ import annotations

import numpy as np

import stiction as st

FORCE, VELOCITY, POWER = 1e-6, 1e-9, 1e-9  # absolute tolerances [N, m/s, W]
ROUND_OFF = 1e-15  # of |G||x| + |g|: no smaller velocity means anything


def velocity(problem: st.ContactProblem, x: np.ndarray) -> np.ndarray:
    u = problem.G @ x + problem.g
    return u + problem.compliance * x if len(problem.compliance) else u


def support(problem: st.ContactProblem, v: np.ndarray) -> float:
    """Largest v . d over the friction polygon or disc of radius 1."""
    if problem.law != "pyramid":
        return float(np.hypot(*v))
    half = np.pi / problem.facets
    corners = problem.angle + half + 2.0 * half * np.arange(problem.facets)
    return float(np.max(v[0] * np.cos(corners) + v[1] * np.sin(corners)) / np.cos(half))


def beyond(problem: st.ContactProblem, mu: float, x: np.ndarray) -> float:
    """How far a contact impulse sticks out of the friction cone or pyramid."""
    if problem.law == "pyramid":
        normals = problem.angle + 2.0 * np.pi / problem.facets * np.arange(problem.facets)
        outside = np.max(x[0] * np.cos(normals) + x[1] * np.sin(normals)) - mu * x[2]
    else:
        outside = (np.hypot(x[0], x[1]) - mu * x[2]) / np.hypot(1.0, mu)
    return float(max(outside, -x[2], 0.0))


def contact(
    problem: st.ContactProblem, mu: float, G: np.ndarray, x: np.ndarray, u: np.ndarray
) -> tuple[float, float, float]:
    """Errors of the impulse [N s], of the velocity [m/s] and of the power [J] of one contact."""
    primal, slip = beyond(problem, mu, x), float(np.hypot(u[0], u[1]))
    if problem.law == "convex":
        return primal, max(0.0, (mu * slip - u[2]) / np.hypot(1.0, mu)), abs(float(x @ u))
    dual, normal = max(0.0, -u[2]), abs(x[2] * u[2])
    if problem.law == "raisim":
        radius = mu * x[2]
        away = abs(radius - np.hypot(x[0], x[1])) * slip  # slides: on the rim of the cone
        kappa = mu * mu * x[2] / G[2, 2] if G[2, 2] > 0.0 else 0.0
        d = -x[:2] - kappa * G[2, :2]  # the direction in which it slides
        length = float(np.hypot(*d))
        along = float(d @ u[:2]) / length if length > 0.0 else 0.0
        return primal, dual, max(normal, away, float(np.hypot(x[0], x[1])) * (slip - along))
    missing = mu * x[2] * support(problem, u[:2]) + float(x[:2] @ u[:2])  # friction dissipates all it can
    return primal, dual, max(normal, abs(missing))


def other(block: st.Block, x: np.ndarray, u: np.ndarray) -> tuple[float, float, float]:
    if block.kind == "bilateral":
        return 0.0, float(np.linalg.norm(u)), abs(float(x @ u))
    lo, hi = (0.0, np.inf) if block.kind == "unilateral" else (block.lo, block.hi)
    primal, at = (
        float(max(lo - x[0], x[0] - hi, 0.0)),
        lo if u[0] > 0.0 else hi,
    )  # the bound that the velocity pushes to
    if np.isinf(at):
        return primal, abs(float(u[0])), 0.0
    return primal, 0.0, abs(float((x[0] - at) * u[0]))


LIGHT = 100.0  # contacts lighter by more than this have a force scale of their own


def force_scales(problem: st.ContactProblem, G: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Size of force that a block is compared with: the largest of its kind, or less for contacts between light bodies."""
    blocks, out = problem.blocks, np.empty(len(sizes))
    for angular in (False, True):
        kind = [i for i, b in enumerate(blocks) if b.angular == angular]
        out[kind] = max(sizes[kind], default=0.0)
    light = [i for i, b in enumerate(blocks) if not b.angular and b.kind in ("coulomb", "unilateral")]
    traces = [np.trace(G[b.row : b.row + b.size, b.row : b.row + b.size]) for b in blocks]
    rho = np.array([blocks[i].size / max(traces[i], 1e-300) for i in light])
    for i, r in zip(light, rho, strict=True):
        out[i] = max(sizes[i], out[i] * min(1.0, LIGHT * r / rho.max()))
    return out


def given_speeds(problem: st.ContactProblem, G: np.ndarray, x: np.ndarray, angular: np.ndarray) -> np.ndarray:
    """Size of g of the rows of a kind; where all of it is 0, a bound on what the impulses do to these rows."""
    out = np.zeros(len(angular))
    rows = [slice(b.row, b.row + b.size) for b in problem.blocks]
    weight = np.array([np.trace(G[r, r]) ** 0.5 for r in rows])
    pushed = float(sum(w * np.linalg.norm(x[r]) for w, r in zip(weight, rows, strict=True)))
    for kind in (angular, ~angular):
        if kind.any():
            given = max(float(np.linalg.norm(problem.g[r])) for r, k in zip(rows, kind, strict=True) if k)
            out[kind] = given if given > 0.0 else pushed * weight[kind].max()
    return out


def ratio(problem: st.ContactProblem, x: np.ndarray, tolerance: float = 1e-8) -> float:
    """Largest error over what is allowed. Scales are those of the documented judge."""
    if not np.all(np.isfinite(x)):
        return np.inf
    u, G, g, dt = velocity(problem, x), problem.G, problem.g, problem.dt
    G = G + np.diag(problem.compliance) if len(problem.compliance) else G
    errors, sizes, speeds = [], [], []
    for block, mu in zip(problem.blocks, problem.mu, strict=True):
        rows = slice(block.row, block.row + block.size)
        xi, ui = x[rows], u[rows]
        errors.append(contact(problem, mu, G[rows, rows], xi, ui) if block.kind == "coulomb" else other(block, xi, ui))
        sizes.append(float(np.linalg.norm(xi)))
        speeds.append(max(float(np.linalg.norm(ui)), float(np.linalg.norm(g[rows]))))
    angular = np.array([b.angular for b in problem.blocks])
    primal, dual, power = np.array(errors).T
    force, speed = np.array(sizes), np.array(speeds)
    speed = np.where(angular, max(speed[angular], default=0.0), max(speed[~angular], default=0.0))
    floors = ROUND_OFF * (np.abs(G) @ np.abs(x) + np.abs(g))
    floor = np.array([float(np.max(floors[b.row : b.row + b.size])) for b in problem.blocks])
    if dt is None:  # without a step: relative alone, beside impulses and g, and 30 times as much (B4)
        force = np.where(angular, max(force[angular], default=0.0), max(force[~angular], default=0.0))
        speed = given_speeds(problem, G, x, angular)
        pairs = [(primal, force), (dual, speed), (power, force * speed)]
        return float(
            max(np.max(np.where(e > 0.0, e / np.maximum(30.0 * tolerance * s, 1e-300), 0.0)) for e, s in pairs)
        )
    force = force_scales(problem, G, force) / dt
    return float(max(np.max(primal / dt / (FORCE + tolerance * force)), np.max(dual / (VELOCITY + tolerance * speed + floor)),
                     np.max(power / dt / (POWER + tolerance * force * speed + floor * force))))  # fmt: skip
