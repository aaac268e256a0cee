# SPDX-License-Identifier: BSD-2-Clause
"""The two experiments, recorded step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ... import simulate
from ...rotations import rotation_matrix

BALLS, GRAVITY = 4, 9.82


@dataclass(frozen=True)
class RodRun:
    """Ends of steps. Columns of q: x, z, theta; of v likewise; of normal and friction: the + and the - end [N s]."""

    dt: float
    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    normal: np.ndarray
    friction: np.ndarray
    unaccepted: int
    penetration: float

    @property
    def impact(self) -> float:
        """Start of the first step with an impulse."""
        return float(self.t[np.argmax(self.normal.sum(axis=1) > 0)] - self.dt)

    @property
    def slap(self) -> float:
        """Start of the first step with impulses at both ends."""
        return float(self.t[np.argmax((self.normal > 0).all(axis=1))] - self.dt)

    @property
    def rest(self) -> float:
        """End of the last step that moves."""
        moving = np.flatnonzero(np.abs(self.v).max(axis=1) >= 1e-6)
        return float(self.t[min(moving[-1] + 1, len(self.t) - 1)])


def rod(dt: float, version: str = "linear", duration: float = 0.65, **options: Any) -> RodRun:
    sim = simulate.scene("rod", law="pyramid", law_options=dict(baumgarte=0.0), solver="lemke", stepper="stewart_trinkle", dt=dt,
                         stepper_options=dict(version=version) | options)  # fmt: skip
    steps = round(duration / dt)
    q, v = np.zeros((steps, 3)), np.zeros((steps, 3))
    normal, friction = np.zeros((steps, 2)), np.zeros((steps, 2))
    theta, unaccepted, deepest = np.pi / 6, 0, 0.0
    for i in range(steps):
        report = sim.step()
        unaccepted += report.unaccepted
        deepest = max(deepest, report.penetration)
        linear, omega = rotation_matrix(sim.q[3:7]) @ sim.v[:3], -sim.v[4]
        theta += dt * omega
        q[i], v[i] = (sim.q[0], sim.q[2], theta), (linear[0], linear[2], omega)
        for contact in np.asarray(sim.contacts()):
            end = 0 if (contact["point"][0] > sim.q[0]) == (np.cos(theta) > 0) else 1
            normal[i, end] += dt * contact["force"][2]
            friction[i, end] += dt * contact["force"][0]
    return RodRun(dt, dt * np.arange(1, steps + 1), q, v, normal, friction, unaccepted, deepest)


@dataclass(frozen=True)
class SpheresRun:
    """Row 0 is the start. 24 columns: per ball x y z and the integrals of its rates about them; v likewise."""

    dt: float
    q: np.ndarray
    v: np.ndarray
    contacts: list[dict[str, float]]  # per step: normal impulse by pair [N s]
    impulses: list[dict[str, np.ndarray]]  # per step: whole impulse on the second of the pair, world axes [N s]
    largest: int  # contacts of the largest problem
    unaccepted: int

    @property
    def variation(self) -> float:
        return float(np.abs(np.diff(self.v, axis=0)).sum(axis=0).max())


def spheres(dt: float, duration: float = 1.0, **options: Any) -> SpheresRun:
    sim = simulate.scene("four_spheres", law="pyramid", law_options=dict(facets=8, baumgarte=0.0), solver="lemke", stepper="stewart_trinkle", dt=dt,
                         stepper_options=options)  # fmt: skip
    q, v = [_positions(sim, np.zeros((BALLS, 3)))], [_velocities(sim)]
    pairs, whole, angles, largest, unaccepted = [], [], np.zeros((BALLS, 3)), 0, 0
    for _ in range(round(duration / dt)):
        report = sim.step()
        largest, unaccepted = max(largest, report.contacts), unaccepted + report.unaccepted
        v.append(_velocities(sim))
        angles = angles + dt * v[-1].reshape(BALLS, 6)[:, 3:]
        q.append(_positions(sim, angles))
        contacts = np.asarray(sim.contacts())
        pairs.append({_pair(c): dt * float(np.dot(c["force"], c["normal"])) for c in contacts})
        whole.append({_pair(c): dt * c["force"].copy() for c in contacts})
    return SpheresRun(dt, np.array(q), np.array(v), pairs, whole, largest, unaccepted)


def errors(run: SpheresRun, reference: SpheresRun) -> tuple[float, float]:
    """Integral of the largest velocity difference, largest position difference at common times."""
    ratio = round(run.dt / reference.dt)
    velocity = np.abs(np.repeat(run.v[1:], ratio, axis=0) - reference.v[1:]).max(axis=1).sum() * reference.dt
    return float(velocity), float(np.abs(run.q - reference.q[::ratio]).max())


def component_errors(run: SpheresRun, reference: SpheresRun) -> tuple[float, float]:
    """Integrals of the largest difference of translational and of angular velocities."""
    ratio = round(run.dt / reference.dt)
    apart = np.abs(np.repeat(run.v[1:], ratio, axis=0) - reference.v[1:]).reshape(-1, BALLS, 2, 3)
    linear, angular = (apart[:, :, k].max(axis=(1, 2)).sum() * reference.dt for k in (0, 1))
    return float(linear), float(angular)


def _positions(sim: Any, angles: np.ndarray) -> np.ndarray:
    return np.hstack([sim.q.reshape(BALLS, 7)[:, :3], angles]).ravel()


def _velocities(sim: Any) -> np.ndarray:
    q, v = sim.q.reshape(BALLS, 7), sim.v.reshape(BALLS, 2, 3)
    return np.array([v[i] @ rotation_matrix(q[i, 3:]).T for i in range(BALLS)]).ravel()


def _pair(contact: Any) -> str:
    a, b = int(contact["body_a"]), int(contact["body_b"])
    return f"table-{b + 1}" if a < 0 else f"{a + 1}-{b + 1}"
