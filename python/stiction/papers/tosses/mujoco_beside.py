# SPDX-License-Identifier: BSD-2-Clause
"""The same tosses in MuJoCo: a box with an offset centre of mass on a plane. Its contact parameters are fitted as ours are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .cube import Cube, start
from .recordings import INTERVAL, Motion, Toss

MODEL = """
<mujoco>
  <option timestep="{dt!r}" gravity="0 0 {gravity!r}" cone="elliptic" impratio="{impratio!r}"/>
  <default><geom friction="{mu!r} {torsion!r} {rolling!r}" condim="{condim}" solref="{time!r} {ratio!r}"
    solimp="{softest!r} {hardest!r} {width!r}" margin="{margin!r}"/></default>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body><freejoint/><inertial pos="0 0 {centre!r}" mass="{mass!r}" diaginertia="{moments}"/>
      {shape}</body>
  </worldbody>
</mujoco>
"""


@dataclass(frozen=True)
class MujocoCube(Cube):
    """MuJoCo's soft contact: solref (time constant, damping ratio), solimp (dmin, dmax, width), margin, impratio."""

    time: float = 0.01
    ratio: float = 0.5
    softest: float = 0.9
    hardest: float = 0.95
    width: float = 0.001
    margin: float = 0.0
    impratio: float = 1.0

    @property
    def shape(self) -> str:
        """The same eight balls, or a box."""
        if self.rounding == 0.0:
            return f'<geom type="box" size="{0.5 * self.edge!r} {0.5 * self.edge!r} {0.5 * self.edge!r}"/>'
        return "\n".join(
            f'<geom type="sphere" size="{self.rounding!r}" pos="{x!r} {y!r} {z!r}"/>' for x, y, z in self.balls.tolist()
        )

    def text(self, dt: float) -> str:
        spins = self.mu_torsion > 0.0
        return MODEL.format(
            dt=dt, gravity=-self.gravity, impratio=self.impratio, mu=self.mu, torsion=self.mu_torsion if spins else 0.005,
            rolling=self.mu_rolling if spins else 0.0001, condim=6 if spins else 3, time=max(self.time, 2.0 * dt), ratio=self.ratio,
            softest=min(self.softest, self.hardest), hardest=self.hardest, width=self.width, margin=self.margin, centre=self.centre,
            mass=self.mass, moments=" ".join(repr(float(x)) for x in self.moments), shape=self.shape)  # fmt: skip


@dataclass(frozen=True)
class MujocoMethod:
    substeps: int = 4
    options: dict[str, Any] = field(default_factory=dict)

    def __call__(self, cube: Cube, tosses: list[Toss]) -> list[Motion]:
        import mujoco

        assert isinstance(cube, MujocoCube)
        model = mujoco.MjModel.from_xml_string(cube.text(INTERVAL / self.substeps))
        data, first = mujoco.MjData(model), start(cube, tosses)
        out = []
        for i, toss in enumerate(tosses):
            mujoco.mj_resetData(model, data)
            data.qpos[:3], data.qpos[3:] = first.position[i], first.rotation[i][[3, 0, 1, 2]]
            data.qvel[:3], data.qvel[3:] = first.velocity[i], first.spin[i]
            states = np.empty((len(toss), 7))
            states[0] = data.qpos
            for k in range(1, len(toss)):
                mujoco.mj_step(model, data, nstep=self.substeps)
                states[k] = data.qpos
            out.append(Motion(states[:, :3], states[:, [4, 5, 6, 3]]))
        return out
