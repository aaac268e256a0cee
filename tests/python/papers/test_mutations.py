# SPDX-License-Identifier: BSD-2-Clause
"""Rows of the studies can fail: the method behind them is broken from Python (mutation.py), and every judged row has to fail under
one of the mutations of its part. Rows that survive are named, so that their number cannot grow in silence.

Quick parts here; the others run with --full. `pytest -s -k test_every_row` prints the share.
"""

import numpy as np
import pytest

import mutation as m
from breaking import (
    far_start,
    far_warm_start,
    flattered,
    gloomy,
    minimal_only,
    misjudged,
    posed_as,
    pulled_less,
    scaled,
    shaken,
    shifted,
    softer,
    softer_ground,
    solving,
    turned,
    uneven,
    unpolished,
)
from stiction.papers.contact_models import accuracy, drag, edges, extras, quadruped, reference, slide, stack
from stiction.papers.exponential import tumbling
from stiction.papers.moreau import compliance, standing
from stiction.papers.moreau.published import ALPHAS
from stiction.papers.relaxed_contact import gains, pendulum, stacks
from stiction.papers.relaxed_contact import runs as relaxed
from stiction.papers.stewart_trinkle import rod, spheres

LAW = {
    "coulomb instead": m.law("coulomb"), "convex instead": m.law("convex"), "pyramid instead": m.law("pyramid"),
}  # fmt: skip
LEAK, FEED = m.velocities(1.0 - 1e-3), m.velocities(1.0 + 1e-3)
WRONG = {"impulses x 1.01": scaled(1.01), "friction turned": m.impulses(turned), "impulses + 1e-5": m.impulses(shifted)}


def iterating(change):
    """Other options of the iterations of the Moreau study."""
    true = standing.spectrum.iterate
    return m.constant(standing.spectrum, "iterate", lambda p, s, a, **keywords: true(p, s, a, **change(p, keywords)))


_iterate, _diagonal = standing.spectrum.iterate, standing.spectrum.step_diagonal
QUICK = [
    m.Case("rod", lambda: rod.events()[0].rows, {
        "no gravity to speak of": m.after_step(lambda sim, n: sim.v.__setitem__(2, sim.v[2] + 5e-3)),
        "no re-solve": m.options("stepper_options", resolve=False),
        "friction .1": m.settings(lambda k: k | {"mu": 0.1}),
        "Anitescu-Potra": m.options("stepper_options", version="anitescu_potra", resolve=False),
        "feed": m.after_step(lambda sim, n: sim.v.__iadd__(1e-3)),
    }, frozenset({"a step of 1/25 s is too coarse: velocities differ from those of 2.5 ms by [m/s, rad/s]"})),
    m.Case("Painlevé", lambda: rod.painleve(True).rows, {
        "friction .1": m.settings(lambda k: k | {"mu": 0.1}), "feed": FEED, "one pivot": m.options("solver_options", max_iterations=1),
        "turned": m.after_step(lambda sim, n: sim.v.__setitem__(4, 0.0)),
"flattered": flattered, "gloomy": gloomy, "forces x 3": m.forces(lambda f: 3.0 * f),
    }, frozenset({"steps without a solution, dt 0.001", "steps without a solution, dt 0.0005"})),
    m.Case("RP0 to RP3", lambda: reference.section().rows, WRONG | {"flattered": flattered, "far start": far_start}),
    m.Case("sliding cube", lambda: slide.section(slide.runs()).rows, LAW | {
        "leak": LEAK, "feed": m.velocities(1.01), "one iteration": m.options("solver_options", max_iterations=1), "drift": m.push(v1=1e-2),
        "lift": m.push(v2=1e-2),
    }),
    m.Case("stack", lambda: stack.section().rows, WRONG | {
        "flattered": flattered, "loose": solving(tolerance=1e-1), "far start": far_start,
        "one iteration": solving(max_iterations=1), "another R": solving(regularisation="mujoco", d=0.5),
    }),
    m.Case("quadruped", lambda: quadruped.section(s := quadruped.stand(5), quadruped.count(s)).rows, WRONG | {
        "far start": far_start, "far warm start": far_warm_start, "forces x 1.1": m.forces(lambda f: 1.1 * f),
        "rigid": m.heavier_friction(1.0), "no friction": m.heavier_friction(1e-6),
    }, frozenset({"coulomb, admm: warm over cold iterations"})),
    m.Case("iterations over alpha", lambda: standing.iteration_section(standing.over_alpha(ALPHAS)).rows, {
        "alpha x .8": m.constant(standing.spectrum, "iterate", lambda p, s, a, **k: _iterate(p, s, 0.8 * a, **k)),
        "sor as jor": m.constant(standing.spectrum, "iterate", lambda p, s, a, **k: _iterate(p, "jor", a, **k)),
        "jor twice as long": m.constant(standing.spectrum, "iterate", lambda p, s, a, **k: _iterate(p, s, 0.5 * a if s == "jor" else 0.3 * a, **k)),
        "another diagonal": m.constant(standing.spectrum, "step_diagonal", lambda p: 1.5 * _diagonal(p)),
        "one set of coordinates": minimal_only,
        "alpha 1.2": m.constant(standing.spectrum, "iterate", lambda p, s, a, **k: _iterate(p, s, 1.2 - a, **k)),
    }),
]  # fmt: skip

FULL = [
    m.Case("spheres, Table 1", lambda: spheres.table()[0].rows, {
        "linear": m.options("stepper_options", version="linear"), "four directions": m.options("law_options", facets=4),
        "leak": LEAK, "no re-solve": m.options("stepper_options", resolve=False),
    }),
    m.Case("spheres, collision", lambda: spheres.collision(spheres.runs.spheres(spheres.REFERENCE))[0].rows, {
        "no re-solve": m.options("stepper_options", resolve=False), "forces x -1": m.forces(lambda f: -f),
        "friction .1": m.settings(lambda k: k | {"mu": 0.1}), "leak": LEAK, "floats": m.push(v2=0.011), "forces x 1.1": m.forces(lambda f: 1.1 * f),
    }, frozenset({"collisions in that step", "the table's friction on ball 2 resists it: impulse along x [N s]",
                   "they part: spread of their directions at 1 s [rad]"})),
    m.Case("dragged cube", lambda: drag.section(drag.runs()).rows, LAW | {
        "leak": LEAK, "impulses x 1.1": scaled(1.1), "pulled less": pulled_less, "forces + 1": m.forces(lambda f: f + 1.0), "lift": m.push(v2=1e-2),
    }),
    m.Case("accuracy", lambda: accuracy.section(accuracy.runs(True), True).rows, WRONG | {
        "misjudged": misjudged, "uneven": uneven, "as coulomb": posed_as("coulomb"), "as convex": posed_as("convex"),
    }),
    m.Case("rebound, springs, drift", lambda: extras.motion().rows, {
        "restitution - .1": m.settings(lambda k: k | ({"restitution": abs(k["restitution"] - 0.1)} if "restitution" in k else {})),
        "leak": LEAK, "push": m.push(v2=1e-3), "sink": m.push(v2=-1e-2), "shake": shaken(), "softer": softer_ground,
    }, frozenset({"1 mm of overlap: overshoot [m]"})),
    m.Case("pendulum", lambda: [*pendulum.impact_rows(r := relaxed.record(relaxed.PROPOSED.simulator(), 5.0)), *pendulum.rest_rows(r)], {
        "the stand-in": m.settings(lambda k: k | {"law_options": {"model": "macro"}}),
        "springs": m.settings(lambda k: k | {"law_options": {"model": "micro"}}),
        "feed": FEED, "one-sided": m.forces(lambda f: f * (1.0 + 0.1 * (np.arange(len(f)) % 2))[:, None]),
        "no friction": m.forces(lambda f: f * (0.0, 0.0, 1.0)),
    }),
    m.Case("stacks and slopes", lambda: stacks.section(True).rows, {
        "as published": m.item(stacks.VARIANTS, "energy norm", {}),
    }),
    m.Case("gains", lambda: gains.section(True).rows, {
        "k_c 500": m.options("law_options", compensation=500.0), "k_c 300": m.options("law_options", compensation=300.0),
        "leak": LEAK, "push": m.push(v2=1e-2),
    }),
    m.Case("edges", lambda: edges.section().rows, WRONG | {"flattered": flattered, "unpolished": unpolished, "uneven": uneven}),
    m.Case("sinking feet, compliant contact", lambda: [*standing.drift_section().rows, *compliance.section().rows], {
        "tighter": iterating(lambda p, k: k | {"tolerance": 1e-7}), "always cold": iterating(lambda p, k: k | {"warm_start": None}),
        "step matters": iterating(lambda p, k: k | {"tolerance": 1e-6 * (p.dt / 2.5e-3) ** 2}), "push": m.push(v2=-1e-5),
        "steps x 1.1": m.shorter_steps(1.1), "softer": softer,
    }),
    m.Case("tumbling", lambda: tumbling.section(True).rows, {
        "as published": m.options("stepper_options", switch_refinement=False), "feed": m.velocities(1.02), "shake": m.push(v0=0.05),
    }),
]  # fmt: skip


@pytest.mark.parametrize("case", QUICK, ids=lambda case: case.name)
def test_every_row_can_fail(case):
    m.every_row(case)


@pytest.mark.full
@pytest.mark.parametrize("case", FULL, ids=lambda case: case.name)
def test_every_row_of_long_parts_can_fail(case):
    m.every_row(case)


def test_a_row_that_cannot_fail_is_found():
    """The harness itself: a constant survives every mutation."""
    from stiction.papers import rows

    made = [rows.at_most("a constant", 1.0, 2.0, against=rows.own_record("nothing"))]
    assert m.run(m.Case("tautology", lambda: made, WRONG)).survivors == ["a constant"]
