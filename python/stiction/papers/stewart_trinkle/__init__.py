# SPDX-License-Identifier: BSD-2-Clause
"""Stewart, Trinkle 2000, "An Implicit Time-Stepping Scheme for Rigid Body Dynamics with Coulomb Friction" (ICRA).

The falling rod and the four spheres: event times, Table 1, the figures, and what the paper leaves out or misprints.
"""

from __future__ import annotations

from ..study import Section, Settings, Study
from . import figures, rod, spheres

TITLE = "Implicit time stepping with Coulomb friction"
TEXT = (
    "D. Stewart, J. Trinkle, An Implicit Time-Stepping Scheme for Rigid Body Dynamics with Coulomb Friction, ICRA 2000. Published: the "
    "paper. Measured: an independent implementation of it. Ours: this run; law pyramid with K friction directions, solver lemke, stepper "
    "stewart_trinkle.\n"
    "What the paper does not print and its results imply: gravity 9.82 m/s², the rod's height 1 m, variation as the largest over the "
    "components, friction vectors of the rod with the radius of its ends. The rod moves in a plane of space with K = 4, of which the two "
    "directions across the plane stay idle."
)


def run(settings: Settings) -> Study:
    """Everything; settings.quick leaves out the steps below .25 ms."""
    study = Study(TITLE, settings)
    study.add(Section("What this is", TEXT))
    events, fallen = rod.events()
    events.figures.append(lambda: figures.rod_frames(fallen))
    study.add(events)
    velocities, traces = rod.convergence(settings.quick)
    velocities.figures.append(lambda: figures.rod_velocities(traces))
    study.add(velocities)
    study.add(rod.painleve(settings.quick))
    table, reference = spheres.table()
    table.figures.append(lambda: figures.views(reference))
    study.add(table)
    collision, impulses = spheres.collision(reference)
    collision.figures.append(lambda: figures.impulses(impulses))
    study.add(collision)
    study.add(spheres.variants())
    return study


__all__ = ["run"]
