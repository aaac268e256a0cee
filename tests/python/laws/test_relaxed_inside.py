# SPDX-License-Identifier: BSD-2-Clause
"""Law `relaxed` with friction inside the problem, and its islands. Oracles: weight, closed forms of sliding, worlds of one body, saved states."""

import math

import numpy as np
import pytest

import stiction as st

G = 9.81
INSIDE = {"friction": "inside"}
ENERGY = INSIDE | {"norm": "energy", "regularisation": 1e-2}


def relaxed(world, dt=1e-3, **options):
    return st.Simulator(world, law="relaxed", dt=dt, law_options=options)


def stack(count, **options):
    """Boxes of 1 kg with centres up to a centimetre off each other."""
    rng = np.random.default_rng(0)
    world = st.World()
    world.add_ground(mu=0.5)
    for i in range(count):
        x, y = 5e-3 * rng.normal(size=2)
        world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(x, y, 0.1 + 0.2 * i + 1e-4 * (i + 1)))
    return relaxed(world, **options)


def ground_force(sim):
    contacts = sim.contacts()
    return float(contacts["force"][contacts["geom_a"] == 0, 2].sum())


def test_a_tall_stack_is_calm():
    """The ground carries the weight and nothing else; the published law lets ten such boxes fall, and six chatter by 20 N."""
    sim = stack(10, **ENERGY)
    sim.step(n=3000)
    force = [ground_force(sim) for _ in range(300) if sim.step()]
    assert max(force) - min(force) < 1e-2
    assert force[-1] == pytest.approx(10 * G, abs=1e-2)
    assert sim.q[-5] == pytest.approx(1.9, abs=2e-3)
    published = stack(6)
    published.step(n=3000)
    force = [ground_force(published) for _ in range(300) if published.step()]
    assert max(force) - min(force) > 1.0


@pytest.mark.parametrize("options", [INSIDE, ENERGY])
@pytest.mark.parametrize(("ratio", "wanted"), [(1.05, 0.0), (0.95, 0.05 * G * math.sin(math.radians(20)))])
def test_a_brick_on_a_slope(options, ratio, wanted):
    """Closed form: it holds with 5 % more friction than tan 20°, and slides down with the rest of its weight with 5 % less."""
    slope = math.radians(20)
    world = st.World()
    world.gravity = (G * math.sin(slope), 0, -G * math.cos(slope))
    world.add_ground(mu=ratio * math.tan(slope))
    world.add_box(size=(0.2, 0.1, 0.06), mass=1.0, position=(0, 0, 0.03))
    sim = relaxed(world, **options)
    sim.step(n=1000)
    before = sim.q[0]
    sim.step(n=1000)
    assert sim.q[0] - before == pytest.approx(1.5 * wanted, rel=5e-3, abs=1e-9)  # the second second of ½ a t²


@pytest.mark.parametrize("dt", [1e-3, 1e-4])
def test_a_block_slides_as_coulomb_says(dt):
    world = st.World()
    world.add_ground(mu=0.5)
    world.add_box(size=(0.4, 0.4, 0.1), mass=1.0, position=(0, 0, 0.05), velocity=(1, 0, 0))
    sim = relaxed(world, dt, **ENERGY)
    sim.step(n=round(0.1 / dt))
    assert sim.v[0] == pytest.approx(1.0 - 0.5 * G * 0.1, abs=1e-9)


@pytest.mark.parametrize("options", [{}, INSIDE, ENERGY])
def test_islands_are_problems_of_their_own(options):
    """Oracle: each body alone in a world, to the last bit."""

    def world(places):
        out = st.World()
        out.add_ground(mu=0.5)
        for x in places:
            out.add_box(
                size=(0.2, 0.2, 0.2),
                mass=1.0 + x,
                position=(x, 0, 0.12),
                velocity=(0.3, 0.1, 0),
                angular_velocity=(1 + x, 0, 1),
            )
        return relaxed(out, **options)

    together, alone = world((0.0, 1.0, 2.0)), [world((x,)) for x in (0.0, 1.0, 2.0)]
    for sim in (together, *alone):
        sim.step(n=400)
    assert np.array_equal(together.v, np.concatenate([sim.v for sim in alone]))


@pytest.mark.parametrize("options", [INSIDE, ENERGY])
def test_a_restored_run_goes_on_as_it_would_have(options):
    one, other = stack(3, **options), stack(3, **options)
    one.step(n=150)
    other.restore(one.save())
    one.step(n=150)
    other.step(n=150)
    assert one.hash() == other.hash()


@pytest.mark.parametrize(("options", "said"), [
    ({"friction": "beside"}, "friction"), ({"norm": "energy"}, "needs friction 'inside'"), ({"norm": "l1"} | INSIDE, "norm"),
    ({"unilateral": "omit"} | INSIDE, "unilateral 'omit'"), ({"model": "macro"} | INSIDE, "has no option 'friction'"),
])  # fmt: skip
def test_options_that_do_not_fit_are_refused(options, said):
    with pytest.raises(ValueError, match=said):
        stack(1, **options)
