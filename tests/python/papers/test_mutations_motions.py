# SPDX-License-Identifier: BSD-2-Clause
"""As test_mutations.py, for whole motions: trots of the Moreau study, the motions of the exponential one. All with --full. Not
covered: the falls of the Moreau study."""

import contextlib
from dataclasses import replace

import numpy as np
import pytest

import mutation as m
from breaking import softer
from stiction.papers.exponential import accuracy, forces, goals, harness, romeo, speed, stability, sweeps, tasks
from stiction.papers.exponential.methods import METHODS
from stiction.papers.moreau import trotting
from stiction.papers.moreau.configurations import KEPT, Configuration

pytestmark = pytest.mark.full
SHORT = 3.6  # two strides after the start [s]


def renamed(change):
    """Trots of other configurations under the names of the study."""
    true = trotting.trot
    return m.constant(trotting, "trot", lambda c, *a, **k: true(Configuration(change(c.name)), *a, **k))


def swapped(a, b):
    return renamed(lambda name: name.translate(str.maketrans({a: b, b: a})))


def coordinates(**other):
    """Hm* as H?*P and the other way round: {"m": "M"}."""

    def change(name):
        if name[0] == "C" or name[1] not in other:
            return name
        kind = other[name[1]]
        return f"H{kind}{name[2]}" + ("" if kind == "m" else name[3:] or "P")

    return renamed(change)


def slower(key, value):
    """A quarter of the step factor, of some configurations."""

    def change(keywords):
        if keywords.get(key) != value or not keywords.get("solver_options"):
            return keywords
        options = keywords["solver_options"]
        return keywords | {"solver_options": options | {"alpha": 0.25 * options["alpha"]}}

    return m.settings(change)


def told(name, change):
    """What is recorded of one configuration."""
    true = trotting.trot

    def trot(c, *args, **keywords):
        run = true(c, *args, **keywords)
        return change(run) if c.name == name else run

    return m.constant(trotting, "trot", trot)


def trots():
    runs = trotting.all_trots(SHORT)
    damped = trotting.trot(Configuration("Cm"), SHORT, dt=1.5625e-4, damping=500.0)
    return [*trotting.orderings(runs), *trotting.accuracy(runs),
            *trotting.force_rows(runs["HmJ"], runs["Cm"], damped)]  # fmt: skip


def undamped():
    """The damping of compliant contact stays what it is."""
    true = Configuration.settings
    return m.attribute(Configuration, "settings", lambda self, *, damping=50.0, **k: true(self, damping=50.0, **k))


def drifts():
    names = ("HEJD", "HMSP")
    runs = {name: trotting.trot(Configuration(name), SHORT) for name in names}
    kept = {name: trotting.trot(Configuration(name), SHORT, stepper_options=KEPT) for name in names}
    return trotting.drift_rows(runs, kept)


def twice(keywords):
    """Steps that hold become those that do not."""
    return keywords | ({"dt": 2.0 * keywords["dt"]} if keywords.get("dt") in (1.25e-3, 3.125e-4) else {})


MOREAU = [
    m.Case("trots", trots, {
        "sor and jor change places": swapped("J", "S"), "direct and prox change places": swapped("D", "P"),
        "minimal and maximal change places": coordinates(m="M", M="m"), "extended and maximal change places": coordinates(E="M", M="E"),
        "minimal and extended change places": coordinates(m="E", E="m"), "slower sor": slower("solver", "sor"), "slower jor": slower("solver", "jor"),
        "forces x 1.1": m.forces(lambda f: 1.1 * f), "softer": softer, "undamped": undamped,
        "hard as compliant": renamed(lambda name: "Cm" if name == "HmJ" else name),
        "compliant as hard": renamed(lambda name: "HmJ" if name == "Cm" else name),
        "compliant carries more": told("Cm", lambda run: replace(run, normal=1.2 * run.normal)),
        "slower extended": slower("coordinates", "extended"), "slower minimal": slower("coordinates", "minimal"),
    }),
    m.Case("on their feet", lambda: trotting.standing_rows(trotting.all_trots(1.0), 1.0), {"pushed": m.push(v1=0.05)}),
    m.Case("compliant steps", trotting.step_rows, {"half the step": m.shorter_steps(0.5), "twice the step": m.settings(twice)}),
    m.Case("joints come apart", drifts, {
        "nothing kept": m.settings(lambda k: k | {"stepper_options": {}}), "pushed": m.push(v1=0.05),
        "a gap that only grows": m.constant(trotting.TrotRun, "drift_per_minute", lambda self: 1e3),
    }, frozenset({f"{name}: seconds on its feet with energy_balance and project" for name in ("HEJD", "HMSP")})),
]  # fmt: skip


def every_method(name, *chosen):
    """Another integrator under the names of the tables."""

    @contextlib.contextmanager
    def changed():
        kept = dict(METHODS)
        for key in chosen or kept:
            METHODS[key] = replace(kept[name], name=key, label=kept[key].label)
        try:
            yield
        finally:
            METHODS.update(kept)

    return changed


def with_options(name, **options):
    """A method of the tables with other options."""
    return m.item(METHODS, name, replace(METHODS[name], options={**METHODS[name].options, **options}))


def fewer_substeps():
    """The harness steps Euler four times as far."""
    true = harness.local_errors
    return m.constant(harness, "local_errors", lambda truth, method, n: true(truth, method, max(1, n // 4)))


def jitter(force):
    return force + 1e3 * np.random.default_rng(int(1e6 * abs(force).sum()) % 2**32).normal(size=force.shape)


@pytest.fixture(scope="module")
def motions(third_party):
    return tasks.published_tasks(tasks.find_folder(third_party))


SWAPS = {
    "all Euler": every_method("euler"),
    "all implicit": every_method("implicit"),
    "all midpoint": every_method("midpoint exact"),
    "all [1/1]": every_method("1/1"),
    "all dense": every_method("dense 0"),
}
# rows that compare one method with another
SINGLE = {
    "[1/2] is Euler": every_method("euler", "1/2"), "auto is Euler": every_method("euler", "auto"),
    "auto wants more": with_options("auto", tolerance=1e-12), "refines everything": with_options("refined", error_tolerance=1e-9),
    "longer steps": fewer_substeps(),
}  # fmt: skip


def studied(task):
    """Accuracy, the goals past the paper, and the fault of its harness, on one motion."""
    measured = accuracy.measure(task, True)
    found = [*accuracy.section([(task, *measured)], True, False).rows, *goals.section([(task, measured[2])]).rows]
    return found + harness.section([measured[0]]).rows


def sweep_rows(task):
    """Fig. 4 from its two ends."""
    stiffness = sweeps.measure(task, "stiffness", [1e3, 1e8], sweeps.QUICK_TRUTH, 400)
    damping = sweeps.measure(task, "damping", [0.2, 1.0], sweeps.QUICK_TRUTH, 400)
    return sweeps._claims([stiffness, damping], "")


def force_rows(squat, trot):
    return forces.section(squat, trot, True)[0].rows


MUTANTS = {
    "forces x 1.2": m.forces(lambda f: 1.2 * f),
    "anchors tell twice the force": m.anchors(lambda f: 2.0 * f),
}


@pytest.mark.data
@pytest.mark.parametrize("name", ["squat", "trot"])
def test_errors_of_motions(motions, name):
    m.every_row(m.Case(f"errors, {name}", lambda: studied(motions[name]), SWAPS | SINGLE))


@pytest.mark.data
def test_stable_steps(motions):
    m.every_row(m.Case("stable steps", lambda: stability.section([motions["jump"]], True, False).rows, SWAPS))


@pytest.mark.data
def test_contact_forces(motions):
    case = m.Case("contact forces", lambda: force_rows(motions["squat"], motions["trot"]),
                  MUTANTS | {"lands slowly": m.constant(forces, "DAMPING", 600.0), "rattles": m.anchors(jitter)})  # fmt: skip
    m.every_row(case)


@pytest.mark.data
def test_stiffness_and_damping(motions):
    m.every_row(
        m.Case(
            "Fig. 4",
            lambda: sweep_rows(motions["trot"]),
            SWAPS
            | {
                "explicit is [1/2]": every_method("1/2", "euler"),
                "Newton gives up": with_options("implicit", max_iterations=1),
                "[1/1] is Euler at .5 ms": m.both(every_method("euler", "1/1"), m.item(sweeps.SWEEP_STEPS, "1/1", 0.5)),
            },
        )
    )


@pytest.mark.data
def test_time_of_a_step(motions):
    slow = every_method("dense", "1/2", "default")
    case = m.Case("time of a step", lambda: speed.table(motions["trot"], False, False).rows,
                  {"dense": slow, "slow midpoint": every_method("dense", "midpoint 1/2"), "slow default": every_method("refined", "default")})  # fmt: skip
    m.every_row(case)


def test_romeo_walks():
    made = romeo.section().rows
    if made[0].status == "skipped":
        pytest.skip(made[0].reason)
    m.every_row(
        m.Case(
            "Romeo", lambda: romeo.section().rows, {"all Euler": SWAPS["all Euler"], "all exact": every_method("exact")}
        )
    )


@pytest.mark.parametrize("case", MOREAU, ids=lambda case: case.name)
def test_every_row_of_motions_can_fail(case):
    m.every_row(case)
