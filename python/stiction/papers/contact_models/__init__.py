# SPDX-License-Identifier: BSD-2-Clause
"""Le Lidec, Jallet, Montaut, Laptev, Schmid, Carpentier 2024, "Contact Models in Robotics: a Comparative Analysis": four contact laws and their
solvers on the same cubes, stacks and robots, all judged from outside."""

from __future__ import annotations

from ..study import Section, Settings, Study
from . import (
    accuracy,
    consistency,
    drag,
    edges,
    extras,
    figures,
    quadruped,
    reference,
    relaxation,
    robots,
    slide,
    solo_walking,
    stack,
    stack_runs,
    stances,
    tables,
    trajectories,
    walking,
    wall,
)

TITLE = "Contact models in robotics: a comparative analysis"
TEXT = (
    "Q. Le Lidec, W. Jallet, L. Montaut, I. Laptev, C. Schmid, J. Carpentier, Contact Models in Robotics: a Comparative Analysis, IEEE "
    "Transactions on Robotics 2024. Its figures are curves without printed numbers, so the column 'published' is nearly empty; measured: an "
    "independent implementation of the paper, or a closed form. Ours: this run.\n"
    "Laws: coulomb is the paper's NCP, convex its CCP, pyramid its LCP, raisim its RaiSim. No solver judges itself: every residual is computed "
    "afresh from the impulse that was handed back."
)


def run(settings: Settings) -> Study:
    """Everything; settings.quick takes fewer random problems, shorter walks and a coarser reference of the dragged cube."""
    study = Study(TITLE, settings)
    study.add(Section("What this is", TEXT))
    study.add(reference.section())
    study.add(edges.section())
    study.add(tables.section())
    _cubes(study)
    _solvers(study)
    _robots(study)
    study.add(extras.motion())
    study.add(extras.section(settings.quick))
    return study


def _cubes(study: Study) -> None:
    slides = slide.runs()
    sliding = slide.section(slides)
    sliding.figures.append(lambda: figures.slides(slides))
    study.add(sliding)
    drags = drag.runs()
    dragged = drag.section(drags)
    dragged.figures.append(lambda: figures.drags(drags))
    study.add(dragged)
    errors = consistency.runs(study.settings.quick)
    consistent = consistency.section(errors)
    consistent.figures.append(lambda: figures.consistency(errors))
    study.add(consistent)
    study.add(consistency.stop_section(consistency.stops(), errors))


def _solvers(study: Study) -> None:
    found = accuracy.runs(study.settings.quick)
    accurate = accuracy.section(found, study.settings.quick)
    accurate.figures.append(lambda: figures.accuracy(found))
    study.add(accurate)
    heavy = stack.section()
    curves = {f"mass ratio {ratio:g}": stack.curves(ratio) for ratio in (1.0, 1e4)}
    heavy.figures.append(lambda: figures.convergence(curves, "dual residual over g dt"))
    study.add(heavy)
    sinking = stack_runs.runs(study.settings.quick)
    sunk = stack_runs.section(sinking)
    sunk.figures.append(lambda: figures.sinking(sinking))
    study.add(sunk)
    study.add(relaxation.section())


def _robots(study: Study) -> None:
    quick = study.settings.quick
    standing = quadruped.stand(20 if quick else 100)
    counts = quadruped.count(standing)
    stands = quadruped.section(standing, counts)
    curves = {"standing quadruped": quadruped.curves(standing.problems[-1])}
    stands.figures += [lambda: figures.counts(counts), lambda: figures.convergence(curves, "natural map [N]")]
    study.add(stands)
    locked = robots.section()
    by_robot = {s.title: robots.curves(stances.locked(s)) for s in stances.STANCES if s.here}
    if by_robot:
        locked.figures.append(lambda: figures.convergence(by_robot, "natural map [N]"))
    study.add(locked)
    study.add(trajectories.section(trajectories.runs(20 if quick else 200)))
    study.add(wall.section())
    flat, bumpy = (walking.walks(2.5 if quick else 6.0, rough) for rough in (False, True))
    trots = walking.section(flat, bumpy)
    trots.figures.append(lambda: figures.walks(flat, bumpy))
    study.add(trots)
    study.add(solo_walking.section(quick))


__all__ = ["run"]
