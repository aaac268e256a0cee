# SPDX-License-Identifier: BSD-2-Clause
"""The rule k_c dt <= 0.343 for held forces, the penetration at rest, and energy without contact."""

from __future__ import annotations

import numpy as np

import stiction as st

from .. import rows
from ..rows import Row
from ..study import Section
from . import published
from .runs import PROPOSED, Method, record


def jump(gain: float) -> float:
    method = Method("proposed", "proposed", PROPOSED.dt, options={"compensation": gain})
    return record(method.simulator(), 5.0).largest_jump(4.0)


def resting_depth() -> Row:
    """One point under a load: depth lambda_r dt f_N/(k_c A_NN)."""
    world = st.World()
    world.add_ground(mu=0.5)
    world.add_sphere(radius=0.1, mass=2.0, position=(0, 0, 0.1))
    gain, weight, dt = 100.0, 0.5, 1e-3
    sim = st.Simulator(world, law="relaxed", law_options={"compensation": gain, "regularisation": weight}, dt=dt)
    sim.step(n=4000)
    wanted = weight * dt * 2.0 * 9.81 / (gain * 0.5)
    return rows.close("depth of a resting ball [m]", None, wanted, -float(np.asarray(sim.contacts())["gap"][0]), 1e-6)


def free_energy() -> float:
    """Relative drift over 5 s without contact and viscosity."""
    sim = PROPOSED.simulator(height=10.0, viscosity=0.0)
    start = sim.energy().total
    sim.step(n=5000)
    return abs(sim.energy().total - start) / published.SWING_ENERGY


def section(quick: bool) -> Section:
    out = []
    for gain in published.SMOOTH if not quick else published.SMOOTH[1:2]:
        out.append(
            rows.at_most(
                f"largest change of f_N at k_c dt = {gain * PROPOSED.dt:g} [N]", jump(gain), 1e-2, None, 0.0013
            )
        )
    for gain, measured in zip(published.CHATTERING, (3.0, 11.5), strict=True):
        out.append(
            rows.at_least(
                f"largest change of f_N at k_c dt = {gain * PROPOSED.dt:g} [N]", jump(gain), 1.0, None, measured
            )
        )
    out.append(resting_depth())
    out.append(
        rows.at_most(
            "energy drift of Runge-Kutta-Gill without contact, of the swing energy", free_energy(), 1e-8, None, 5e-9
        )
    )
    text = "A held force returns a point monotonically only for k_c dt <= 6 - 4 sqrt(2) = 0.343; beyond it contacts chatter. Last second of 5."
    return Section("Gains", text, out)
