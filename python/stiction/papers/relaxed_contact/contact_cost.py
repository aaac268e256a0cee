# SPDX-License-Identifier: BSD-2-Clause
"""O(n): processor time of A and b with the number of links, four contacts throughout."""

from __future__ import annotations

import math
import time

import numpy as np

import stiction as st

from ...output.tables import number
from .. import rows
from ..study import Section, Table
from . import figures

LINKS = (6, 12, 24, 48, 96, 192, 384)


def seconds(links: int, repeats: int = 7) -> float:
    """Of one evaluation, the least of several: a chain that hangs down, the four vertices of its end just below the ground."""
    sim = st.scene("pendulum6", links=links, angle=0.0, height=0.1 * links - 1e-6, law="relaxed", dt=1e-3)
    assert sim.contact_space()["a0"].size == 12
    evaluate = sim._contact_space_evaluator()  # type: ignore[attr-defined]  # stubs leave out private names
    count = max(3, 6000 // links)
    best = math.inf
    for _ in range(repeats):
        start = time.process_time()
        for _ in range(count):
            evaluate()
        best = min(best, (time.process_time() - start) / count)
    return best


def slope(links: tuple[int, ...], times: list[float]) -> float:
    return float(np.polyfit(np.log(links), np.log(times), 1)[0])


def section(quick: bool) -> Section:
    chosen = LINKS[:5] if quick else LINKS
    times = [seconds(n) for n in chosen]
    fitted = slope(chosen, times)
    out = Section(
        "Cost of the contact-space model",
        "Kinematics, bias, articulated inertias, unit forces and read-out, four contacts.",
        [
            rows.at_most(
                f"log-log slope, {chosen[0]} to {chosen[-1]} links",
                fitted,
                1.1,
                "O(n)",
                against=rows.published("abstract, section III"),
            )
        ],
        [
            Table(
                "A and b",
                ["links", "time [us]"],
                [[str(n), number(1e6 * t)] for n, t in zip(chosen, times, strict=True)],
            )
        ],
    )
    out.figures.append(lambda: figures.cost(chosen, times, fitted))
    return out
