# SPDX-License-Identifier: BSD-2-Clause
"""Gehring, Diethelm, Siegwart, Nützi, Leine 2014, "An Evaluation of Moreau's Time-Stepping Scheme for the Simulation of a Legged Robot":
StarlETH stands, trots and falls under eleven configurations of coordinates, solver and joint rows."""

from __future__ import annotations

from ..study import Section, Settings, Study
from . import compliance, fall, figures, legs, split, standing, trotting
from .configurations import HARD, KEPT, Configuration
from .published import ALPHAS, TROT
from .runs import trot

TITLE = "Moreau's time-stepping scheme on a legged robot"
TEXT = (
    "C. Gehring, R. Diethelm, R. Siegwart, G. Nützi, R. Leine, An Evaluation of Moreau's Time-Stepping Scheme for the "
    "Simulation of a Legged Robot, ASME "
    "DETC2014-34374. Published: the paper. Measured: an independent implementation. Ours: this run. Names: H hard, C compliant contact; m minimal, E "
    "extended, M maximal coordinates; J jor, S sor; D direct, P prox rows of the joints."
)
FINE_ALPHAS = tuple(round(0.1 * k, 1) for k in range(1, 20))


def run(settings: Settings) -> Study:
    """Everything; settings.quick trots for 4 s instead of 20 and leaves out the fine steps of alpha."""
    study = Study(TITLE, settings)
    study.add(Section("What this is", TEXT))
    duration = 4.0 if settings.quick else TROT
    trots = trotting.all_trots(duration)
    splits = {name: split.split(done) for name, done in trots.items()}
    kept = trotting.kept_trots(duration)
    table = trotting.section(trots, splits, duration)
    table.rows += trotting.drift_rows(trots, kept)
    damped = trot(Configuration("Cm"), 3.6, dt=1.5625e-4, damping=500.0)
    table.rows += trotting.force_rows(trots["HmJ"], trots["Cm"], damped)
    cycle = {"hard, HmJ": trots["HmJ"], "compliant, Cm": trots["Cm"], "compliant, damping x 10, dt / 8": damped}
    table.figures += [lambda: figures.gait_cycle(cycle), lambda: figures.time_split(splits)]
    study.add(table)
    alphas = standing.over_alpha(ALPHAS)
    iterations = standing.iteration_section(alphas)
    fine = alphas if settings.quick else standing.over_alpha(FINE_ALPHAS)
    iterations.figures.append(lambda: figures.over_alpha(ALPHAS if settings.quick else FINE_ALPHAS, fine))
    study.add(iterations)
    study.add(standing.drift_section())
    study.add(compliance.section())
    falls, held = [fall.fall(c) for c in HARD], [fall.fall(c, stepper_options=KEPT) for c in HARD]
    pushed = fall.section(falls, held, fall.causes())
    pushed.figures.append(lambda: figures.energies(falls, held))
    study.add(pushed)
    scaled = legs.scaling((4, 8)) if settings.quick else legs.scaling()
    grown = standing.scaling_section(scaled)
    grown.figures.append(lambda: figures.scaling(scaled))
    study.add(grown)
    return study


__all__ = ["run"]
