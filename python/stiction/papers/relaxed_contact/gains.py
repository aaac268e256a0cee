# SPDX-License-Identifier: BSD-2-Clause
"""The rule k_c dt <= 0.343 for held forces, the penetration at rest, and energy without contact."""

from __future__ import annotations

import numpy as np

import stiction as st

from .. import rows
from ..rows import Row, closed_form
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
    ours = -float(np.asarray(sim.contacts())["gap"][0])
    return rows.close(
        "depth of a resting ball [m]", None, wanted, ours, 1e-6, against=closed_form("lambda_r dt f_N/(k_c A_NN)")
    )


def free_energy() -> float:
    """Relative drift over 5 s without contact and viscosity."""
    sim = PROPOSED.simulator(height=10.0, viscosity=0.0)
    start = sim.energy().total
    sim.step(n=5000)
    return abs(sim.energy().total - start) / published.SWING_ENERGY


def section(quick: bool) -> Section:
    rule = closed_form("k_c dt <= 6 - 4 sqrt(2)")
    out = [
        rows.at_most(_label(gain), jump(gain), 1e-2, None, 0.0013, against=rule)
        for gain in (published.SMOOTH if not quick else published.SMOOTH[1:2])
    ]
    out += [
        rows.at_least(_label(gain), jump(gain), 1.0, None, measured, against=rule)
        for gain, measured in zip(published.CHATTERING, (3.0, 11.5), strict=True)
    ]
    out += [resting_depth(), *thrown()]
    drift = "energy drift of Runge-Kutta-Gill without contact, of the swing energy"
    out.append(rows.at_most(drift, free_energy(), 1e-8, None, 5e-9, against=closed_form("energy is kept")))
    text = (
        "A held force returns a point monotonically only for k_c dt <= 6 - 4 sqrt(2) = 0.343; beyond it contacts chatter, and above 2 every "
        "return overshoots by more than it took back: such gains are refused. Last second of 5."
    )
    return Section("Gains", text, out)


def _label(gain: float) -> str:
    return f"largest change of f_N at k_c dt = {gain * PROPOSED.dt:g} [N]"


def thrown() -> list[Row]:
    """A box at rest with the largest gain that is allowed, one that starts deep in the floor, and a gain beyond 2/dt."""
    rise = {}
    for depth, dt in ((0.0, 1e-3), (0.02, 1e-3)):
        world = st.World()
        world.add_ground(mu=0.5)
        world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0.1 - depth))
        sim = st.Simulator(world, law="relaxed", law_options={"compensation": 300.0}, dt=dt)
        rise[depth] = max(float(sim.q[2]) - 0.1 for _ in range(1000) if sim.step())
    try:
        st.Simulator(world, law="relaxed", law_options={"compensation": 2001.0}, dt=1e-3)
        refused = False
    except st.InvalidInput:
        refused = True
    way = closed_form("taken back at sqrt(g depth) at the most")
    return [
        rows.at_most("a resting box rises by [m]", rise[0.0], 1e-4, against=closed_form("it rests")),
        rows.at_most("a box 20 mm in the floor comes above it by [m]", rise[0.02], 0.5 * 0.02, against=way),
        rows.judged(
            "k_c dt = 2.001",
            "refused" if refused else "taken",
            refused,
            "refused",
            against=closed_form("|1 - k_c dt| > 1 grows"),
        ),
    ]
