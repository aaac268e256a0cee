# SPDX-License-Identifier: BSD-2-Clause
"""Trots of StarlETH under one configuration, recorded once per control update."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import stiction as st
from stiction import control

from ..study import NOT_MADE
from .configurations import Configuration, world
from .published import CONTROL, GRAVITY, MASS

FALLEN = 0.25  # a trunk lower than this, or turned by more than 45 degrees, has fallen [m]
STRIDE, SAMPLE = round(0.8 / CONTROL), 20  # control updates of a stride; from one sampled state to the next


@dataclass(frozen=True)
class TrotRun:
    """Rows: control updates, up to the fall if there is one."""

    configuration: Configuration
    dt: float
    t: np.ndarray
    normal: np.ndarray  # (n, 4) normal forces of the feet [N]
    depth: np.ndarray  # (n, 4) below the floor [m]
    standing: np.ndarray  # (n, 4) by the clock of the gait
    height: np.ndarray  # of the trunk [m]
    iterations: np.ndarray  # of the update's steps
    factorisations: np.ndarray
    torques: np.ndarray  # (n, 12)
    drift: np.ndarray  # (n + 1,) how far the worst joint has come apart, the last at the end [m]
    distance: float  # [m]
    fell: bool
    failed: int  # steps that were not made
    wanted: float  # seconds that were asked for
    # states (q, v of its own coordinates) and torques over the last stride
    samples: list[tuple[np.ndarray, np.ndarray]]

    @property
    def duration(self) -> float:
        return len(self.t) * CONTROL

    @property
    def steps(self) -> int:
        return round(CONTROL / self.dt)

    def cycles(self) -> slice:
        """The whole strides at the end, without the start."""
        strides = (len(self.t) - round(2.0 / CONTROL)) // STRIDE
        return slice(len(self.t) - max(strides, 1) * STRIDE, len(self.t))

    def carried(self) -> float:
        """Mean normal force of the standing feet over the weight."""
        at = self.cycles()
        return float((self.normal * self.standing)[at].sum(axis=1).mean() / (MASS * GRAVITY))

    def sink(self) -> float:
        """Mean depth of the loaded standing feet [mm]."""
        at = self.cycles()
        loaded = self.standing[at] & (self.normal[at] > 0.0)
        return float(1e3 * self.depth[at][loaded].mean())

    def drift_trend(self) -> float:
        """Largest gap of a joint in the second half of the run over that in the first half: about 1 or less if it is bounded."""
        half = len(self.drift) // 2
        return float(self.drift[half + 1 :].max() / self.drift[: half + 1].max())

    def drift_per_minute(self) -> float:
        """Growth of the worst joint's gap over the whole strides at the end, at equal phases of the gait [µm/min]."""
        at = self.cycles()
        strides = (at.stop - at.start) // STRIDE
        return float(60e6 * (self.drift[-1] - self.drift[-1 - strides * STRIDE]) / (strides * STRIDE * CONTROL))


def is_down(q: np.ndarray) -> bool:
    upright = 1.0 - 2.0 * (q[3] ** 2 + q[4] ** 2)  # z of the trunk's z axis
    return not (q[2] > FALLEN and upright > 0.7)


def foot_forces(sim: st.Simulator, legged: control.LeggedWorld) -> tuple[np.ndarray, np.ndarray]:
    """Normal forces [N] and depths [m] of the four feet in the last step; zero where a foot did not touch."""
    normal, depth = np.zeros(4), np.zeros(4)
    contacts = np.asarray(sim.contacts())
    for geom, force, gap in zip(
        contacts["geom_b"].tolist(), contacts["force"][:, 2].tolist(), contacts["gap"].tolist(), strict=True
    ):
        if geom in legged.points[:4]:
            i = legged.points.index(geom)
            normal[i], depth[i] = force, -gap
    return normal, depth


def trot(configuration: Configuration, duration: float, *, legged: control.LeggedWorld | None = None, dt: float | None = None,
         **settings: Any) -> TrotRun:  # fmt: skip
    """Stands, then trots until `duration` is over or the robot is down."""
    legged = legged or world()
    sim = configuration.simulator(legged, dt=dt, **settings)
    walker = control.starleth_control(legged)
    inner, n = round(CONTROL / sim.dt), round(duration / CONTROL)
    rows: list[tuple[float, ...]] = []
    normal, depth, torques = np.zeros((n, 4)), np.zeros((n, 4)), np.zeros((n, sim.ntau))
    samples: list[tuple[np.ndarray, np.ndarray]] = []
    drift: list[float] = []
    fell, failed = False, 0
    for k in range(n):
        q, v = sim.minimal_state()
        if is_down(q):
            fell = True
            break
        torques[k] = walker.torque(q, v, k * CONTROL)
        if k >= n - STRIDE and (n - k) % SAMPLE == 0:
            samples.append((np.concatenate([sim.q, sim.v]), torques[k]))
        drift.append(sim.bilateral_drift()[0])
        report = sim.step(torques[k], n=inner)
        rows.append((q[2], report.iterations, report.factorisations))
        normal[k], depth[k] = foot_forces(sim, legged)
        failed += report.status in NOT_MADE
    k = len(rows)
    t = CONTROL * np.arange(k)
    standing = np.array([[i not in walker.swinging(at) for i in range(4)] for at in t], dtype=bool).reshape(-1, 4)
    height, iterations, factorisations = np.array(rows, dtype=float).reshape(-1, 3).T
    return TrotRun(configuration, sim.dt, t, normal[:k], depth[:k], standing, height, iterations, factorisations, torques[:k],
                   np.array([*drift, sim.bilateral_drift()[0]]), float(sim.minimal_state()[0][0]), fell, failed, n * CONTROL, samples)  # fmt: skip
