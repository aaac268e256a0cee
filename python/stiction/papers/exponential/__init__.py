# SPDX-License-Identifier: BSD-2-Clause
"""Hammoud et al. 2022, "Exponential integration for efficient and accurate multibody simulation with stiff viscoelastic contacts".

Tables II and III, Figs. 2 to 6, the goals past the paper, the fault of its harness, and MuJoCo beside. Rules of the comparison:
one truth for all methods, full restore of the contact state, the same contact semantics and dynamics for all integrators,
Runge-Kutta and three forms of Euler included, failures counted.
"""

from __future__ import annotations

from ..study import Section, Settings, Study
from . import accuracy, figures, forces, goals, harness, mujoco_beside, romeo, speed, stability, sweeps, tasks, tumbling
from .tasks import Task

TITLE = "Exponential integration of stiff contacts"
TEXT = (
    "B. Hammoud, L. Olivieri, L. Righetti, J. Carpentier, A. Del Prete, Exponential integration for efficient and accurate multibody "
    "simulation with stiff viscoelastic contacts, Multibody System Dynamics 54, 2022. Contact points with K = 1e5 N/m, B = 300 N s/m, "
    "μ = 1. Published: the paper. Measured: an independent implementation of it. Ours: this run, on {motions}. "
    "Tolerance: of the measured number where there is one, else of the published; one halving: at most a factor of two from either; "
    "printed: held against nothing, ok if it is a number.\n"
    "What differs here. A floating base is updated by the acceleration of its origin in world axes, not in the turning axes of the "
    "base. The pass that moves anchors stands at the start of a step, so that the anchors of an instant are settled when the next step "
    "begins; forces and motion are the same. The exponential is evaluated pole by pole with one 3nc solve each. Implicit Euler has nv "
    "unknowns and exact derivatives; its failures are counted."
)


def run(settings: Settings) -> Study:
    """Everything; settings.quick leaves out the finer steps, Figs. 2, 3 and 6 and the damping sweep."""
    study = Study(TITLE, settings)
    folder = tasks.find_folder(settings.data)
    own = {} if folder and settings.quick else tasks.own_tasks()
    chosen = own if folder is None else tasks.published_tasks(folder)
    study.add(_introduction(chosen["trot"], folder is None))
    _measure(study, chosen, settings.quick, folder is None)
    if folder and not settings.quick:
        _measure_own(study, own)
    study.add(tumbling.section(settings.quick))
    if not settings.quick:
        study.add(romeo.section())
    study.add(mujoco_beside.section([*chosen.values()][: 1 if settings.quick else None]))
    return study


def _introduction(task: Task, missing: bool) -> Section:
    motions = (
        f"motions of our own with {task.legged.model}; the paper's are not here"
        if missing
        else f"the paper's motions with {task.legged.model}"
    )
    return Section("What this is", TEXT.format(motions=motions))


def _measure(study: Study, chosen: dict[str, Task], quick: bool, missing: bool) -> None:
    every = [*chosen.values()]
    study.add(stability.section(every, quick, missing))
    measured = [(task, *accuracy.measure(task, quick)) for task in every]
    found = [(task, results) for task, _, _, results in measured]
    section = accuracy.section(measured, quick, missing)
    if not quick and not missing:
        section.figures.append(lambda: figures.errors(found))
    study.add(section)
    study.add(goals.section(found))
    if not quick and not missing:
        section, factors = speed.figure_section(found)
        section.figures.append(lambda: figures.errors(found, factors))
        study.add(section)
    study.add(speed.table(chosen["trot"], quick, missing))
    section, swept = sweeps.section(chosen["trot"], quick, missing)
    section.figures.append(lambda: figures.sweeps(swept))
    study.add(section)
    section, predictions, traces = forces.section(chosen["squat"], chosen["trot"], quick)
    section.figures.append(lambda: figures.predictions(predictions))
    if traces:
        section.figures.append(lambda: figures.traces(traces))
    study.add(section)
    study.add(
        harness.section(
            [truth for task, truth, _, _ in measured if task.published and not (quick and task.name != "squat")]
        )
    )


def _measure_own(study: Study, own: dict[str, Task]) -> None:
    """Motions of our own beside those of the paper: stability and errors at the control period."""
    study.add(stability.section([*own.values()], False, False))
    measured = [(task, *accuracy.measure(task, False)) for task in own.values()]
    study.add(accuracy.section(measured, False, False))
    study.add(goals.section([(task, results) for task, _, _, results in measured]))


__all__ = ["run"]
