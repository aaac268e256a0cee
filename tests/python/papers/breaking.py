# SPDX-License-Identifier: BSD-2-Clause
"""The mutations of the studies, made from the hooks of mutation.py: what a wrong solver, law, material or stop rule would do."""

import numpy as np

import mutation as m
import stiction as st
from stiction import _core
from stiction.papers.contact_models import drag
from stiction.papers.moreau import standing


def scaled(factor):
    return m.impulses(lambda impulse: factor * impulse)


def turned(impulse):
    """Friction of every contact across where it should be."""
    out = impulse.copy()
    if len(out) % 3 == 0:
        out[0::3], out[1::3] = -impulse[1::3], impulse[0::3]
    return out


def shifted(impulse):
    return impulse + 1e-5


def solving(**changed):
    """Other options of every solve, where the solver has them."""

    def change(original):
        def solve(problem, solver="auto", **options):
            known = {o.name for e in _catalog() if e.name == solver for o in e.options}
            return original(
                problem,
                solver,
                **(options | {k: v for k, v in changed.items() if k in known | {"tolerance", "warm_start"}}),
            )

        return solve

    return lambda: m.everywhere(_core.solve, change(_core.solve))


def _catalog():
    return st.catalog()["solvers"]


class Flatterer:
    """A report that says converged, whatever happened."""

    status = "converged"

    def __init__(self, report):
        self._report = report

    def __getattr__(self, name):
        return getattr(self._report, name)


def gloomy():
    """Reports that say failed, whatever happened."""
    true = _core.solve

    def solve(*args, **keywords):
        impulse, report = true(*args, **keywords)
        told = Flatterer(report)
        told.status = "numerical_failure"
        return impulse, told

    return m.everywhere(true, solve)


def flattered():
    true = _core.solve

    def solve(*args, **keywords):
        impulse, report = true(*args, **keywords)
        return impulse, Flatterer(report)

    return m.everywhere(true, solve)


def far_start():
    """Solves that start far away take longer."""
    true = _core.solve

    def solve(problem, *args, **keywords):
        start = np.full(problem.rows, 1e3) if problem.rows and problem.law != "lcp" else None
        return true(problem, *args, **(keywords | {"warm_start": start}))

    return m.everywhere(true, solve)


def far_warm_start():
    """Only solves that have a start begin far away."""
    true = _core.solve

    def solve(problem, *args, **keywords):
        start = None if keywords.get("warm_start") is None else np.full(problem.rows, 1e3)
        return true(problem, *args, **(keywords | {"warm_start": start}))

    return m.everywhere(true, solve)


def softer():
    """Springs of the law."""

    def change(keywords):
        options = keywords.get("law_options") or {}
        return keywords | (
            {"law_options": options | {"stiffness": 0.9 * options["stiffness"]}} if "stiffness" in options else {}
        )

    return m.settings(change)()


def softer_ground():
    """Springs of the ground's material."""
    true = _core.World.add_ground

    def add_ground(self, **keywords):
        more = {"stiffness": 0.9 * keywords["stiffness"]} if "stiffness" in keywords else {}
        return true(self, **(keywords | more))

    return m.attribute(_core.World, "add_ground", add_ground)


def shaken():
    """Bodies go up and down by 10 µm from step to step."""
    sign = [1.0]

    def shake(sim, n):
        sign[0] = -sign[0]
        sim.q[2] += 1e-5 * sign[0]

    return m.after_step(shake)


def pulled_less():
    true = drag.cube.by_hand
    return m.attribute(
        drag.cube, "by_hand", lambda *args, **keywords: true(*args, **(keywords | {"rate": 0.95 * keywords["rate"]}))
    )


def minimal_only():
    """All kinds of coordinates are minimal."""
    kinds = standing._problems()
    return m.attribute(standing, "_problems", lambda: dict.fromkeys(kinds, kinds["minimal"]))


def posed_as(law):
    """Every problem is solved under one law, by admm."""
    true = _core.solve

    def solve(problem, solver="auto", **options):
        return true(problem.with_law(law), "admm") if problem.law != "lcp" else true(problem, solver, **options)

    return lambda: m.everywhere(true, solve)


def uneven():
    """Every solve is a little different from the one before."""
    true, calls = _core.solve, [0]

    def solve(*args, **keywords):
        impulse, report = true(*args, **keywords)
        calls[0] += 1
        return impulse + 1e-6 * calls[0], report

    return m.everywhere(true, solve)


def misjudged():
    true = _core.evaluate
    return m.everywhere(
        true, lambda problem, impulse, **keywords: true(problem, 1.01 * np.asarray(impulse), **keywords)
    )


def unpolished():
    return m.everywhere(_core.polish, lambda problem, impulse: _core.solve(problem, "admm", tolerance=1e-2))


def approximant(name):
    def change(keywords):
        options = keywords.get("stepper_options") or {}
        return keywords | ({"stepper_options": options | {"approximant": name}} if "approximant" in options else {})

    return change
