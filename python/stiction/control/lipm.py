# SPDX-License-Identifier: BSD-2-Clause
"""References of a walk from the linear inverted pendulum, in closed form.

A mass at constant height z over a centre of pressure P moves by c̈ = ω²(c − P), ω = √(g/z). With ξ = c + ċ/ω (ξ̇ = ω(ξ − P))
and the pressure constant in each phase of length T:

    backward    ξ_i = P_i + e^{−ωT} (ξ_{i+1} − P_i),    ξ_end = P_last
    first       P_1 := (ξ_0 − e^{−ωT} ξ_1) / (1 − e^{−ωT}),    ξ_0 = c_0, at rest over the first foot (a shift of 1.4 mm)
    inside      c = P + (c_i − P) cosh ωt + (ċ_i/ω) sinh ωt

The foot that does not stand swings to its next place over one phase: x, y by the cubic 3s² − 2s³, z up in the first half of
the phase and down in the second by the same cubic. A foot that has nowhere to go stays on the ground. After the last phase
everything rests. The numbers of the published walk of Romeo are the defaults. [Kajita01; Englsberger15, §III]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .._core import InvalidInput
from ..output.arguments import named

Array = NDArray[np.float64]
Motion = tuple[Array, Array, Array]  # position, velocity, acceleration

PUBLISHED_STEPS = ((0.0, -0.096), (0.0, 0.096), (0.05, -0.096), (0.10, 0.096))  # places of the standing foot [m]


@dataclass(frozen=True)
class WalkPlan:
    """Numbers of a walk; phases stand on the right foot, the left, the right, …"""

    steps: Sequence[Sequence[float]] = PUBLISHED_STEPS  # (x, y) of the feet, one after the other [m]
    height: float = 0.58  # of the centre of mass above the feet [m]
    phase: float = 1.2  # length of a phase [s]
    lift: float = 0.05  # of the swinging foot [m]
    gravity: float = 9.81  # [m/s²]

    def __post_init__(self) -> None:
        if np.shape(self.steps)[1:] != (2,) or len(self.steps) < 2:
            raise InvalidInput(f"steps have shape {np.shape(self.steps)}, expected at least two rows (x, y)")
        for name in ("height", "phase", "gravity"):
            if not (math.isfinite(getattr(self, name)) and getattr(self, name) > 0.0):
                raise InvalidInput(f"{name} is {getattr(self, name)}, expected a number > 0")


def _cubic(start: Array, end: Array, s: float, length: float) -> Motion:
    """From rest to rest; s in [0, 1] is the part of `length` seconds that is over."""
    d = end - start
    return start + (3.0 - 2.0 * s) * s * s * d, 6.0 * s * (1.0 - s) / length * d, 6.0 * (1.0 - 2.0 * s) / length**2 * d


class Walk:
    """The centre of mass, the pressure and the feet of a WalkPlan at any time, in the plan's own axes (feet at z = 0)."""

    @named
    def __init__(self, plan: WalkPlan = WalkPlan()) -> None:
        self.plan = plan
        self.omega = math.sqrt(plan.gravity / plan.height)
        steps = np.asarray(plan.steps, dtype=float)
        shrink = math.exp(-self.omega * plan.phase)
        xi = steps[-1]
        for P in steps[:0:-1]:
            xi = P + shrink * (xi - P)
        self.pressure = steps.copy()
        self.pressure[0] = (steps[0] - shrink * xi) / (1.0 - shrink)
        self._start = [(steps[0], np.zeros(2))]  # of every phase: c, ċ
        for i in range(len(steps)):
            c, dc, _ = self._inside(i, plan.phase)
            self._start.append((c, dc))

    @property
    def duration(self) -> float:
        """Of all phases [s]."""
        return len(self.plan.steps) * self.plan.phase

    def phase(self, time: float) -> int:
        """Number of the phase at a time, from 0; the last one lasts for ever."""
        return min(max(int(time / self.plan.phase + 1e-9), 0), len(self.plan.steps) - 1)

    def stance(self, time: float) -> str:
        """The foot that stands: 'right' or 'left'.

        Parameters
        ----------
        time
            Since the start of the motion [s].
        """
        return ("right", "left")[self.phase(time) % 2]

    def _inside(self, i: int, t: float) -> Motion:
        (c, dc), P, w = self._start[i], self.pressure[i], self.omega
        ch, sh = math.cosh(w * t), math.sinh(w * t)
        position = P + (c - P) * ch + dc / w * sh
        return position, (c - P) * w * sh + dc * ch, w * w * (position - P)

    def com(self, time: float) -> Motion:
        """Position, velocity, acceleration of the centre of mass, (3,) each.

        Parameters
        ----------
        time
            Since the start of the motion [s].
        """
        i = self.phase(time)
        t = time - i * self.plan.phase
        if t > self.plan.phase:  # after the end
            c, dc, ddc = self._start[-1][0], np.zeros(2), np.zeros(2)
        else:
            c, dc, ddc = self._inside(i, max(t, 0.0))
        return np.append(c, self.plan.height), np.append(dc, 0.0), np.append(ddc, 0.0)

    def cop(self, time: float) -> Array:
        """Centre of pressure, (2,); under the centre of mass after the end.

        Parameters
        ----------
        time
            Since the start of the motion [s].
        """
        return self.pressure[self.phase(time)] if time <= self.duration else self._start[-1][0]

    def _place(self, foot: str, i: int) -> Array:
        """Where a foot stands (or last stood, or first will) in phase i."""
        mine = [k for k in range(len(self.plan.steps)) if ("right", "left")[k % 2] == foot]
        before = [k for k in mine if k <= i]
        return np.append(self.plan.steps[before[-1] if before else mine[0]], 0.0)

    def foot(self, foot: str, time: float) -> Motion:
        """Position, velocity, acceleration of a foot ('right' or 'left'), (3,) each.

        Parameters
        ----------
        foot
            `right` or `left`.
        time
            Since the start of the motion [s].
        """
        if foot not in ("right", "left"):
            raise InvalidInput(f"foot is '{foot}', expected 'right' or 'left'")
        i, T = self.phase(time), self.plan.phase
        start, end = self._place(foot, i), self._place(foot, i + 1)
        t = min(max(time - i * T, 0.0), T)
        if foot == self.stance(time) or np.array_equal(start, end) or i + 1 >= len(self.plan.steps):
            return start, np.zeros(3), np.zeros(3)
        position, velocity, acceleration = _cubic(start, end, t / T, T)
        down, top = np.zeros(3), np.array([0.0, 0.0, self.plan.lift])
        half = 0.5 * T
        rise = _cubic(down, top, t / half, half) if t < half else _cubic(top, down, t / half - 1.0, half)
        return position + rise[0], velocity + rise[1], acceleration + rise[2]


@named
def compare_published(walk: Walk, file: str | Path) -> dict[str, float]:
    """Largest distances from the published file of Romeo's walk (romeo_walking_traj_tsid.npz, sampled every 2 ms) [m, m/s].

    The centre of mass differs by 1.3 mm and 4 mm/s, because the file comes from a sampled program; the feet are the same.
    """
    if not Path(file).is_file():
        raise FileNotFoundError(f"the published walk is not at {file}; check the path")
    published = np.load(file, allow_pickle=False)
    times = 0.002 * np.arange(published["com"].shape[1])
    found = {}
    for i, (name, unit) in enumerate((("com", "m"), ("dcom", "m/s"))):
        found[f"com {unit}"] = float(np.abs(np.array([walk.com(t)[i] for t in times]) - published[name].T).max())
    for foot, key in (("right", "RF"), ("left", "LF")):
        found[f"{foot} foot m"] = float(
            np.abs(np.array([walk.foot(foot, t)[0] for t in times]) - published[f"x_{key}"].T).max()
        )
    return found
