# SPDX-License-Identifier: BSD-2-Clause
"""Oracle: one thread. Any number of threads over the islands of a world gives the same bits, step by step."""

import itertools

import numpy as np
import pytest

import stiction as st


def scattered_stacks(stacks: int = 60) -> st.World:
    """Stacks of one to three boxes and some balls that fall apart, slide and meet again; islands of many sizes."""
    random = np.random.default_rng(3)
    world = st.World()
    world.add_ground()
    for i in range(stacks):
        x, y = 0.45 * (i % 8), 0.45 * (i // 8)
        push = tuple(random.uniform(-1.5, 1.5, 2)) + (0.0,)
        for k in range(1 + i % 3):
            world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(x, y, 0.1 + 0.2001 * k), velocity=push)
        world.add_sphere(radius=0.05, mass=0.2, position=(x + 0.22, y, 0.3), velocity=push)
    return world


@pytest.mark.parametrize(("law", "stepper"), [("coulomb", "semi_implicit"), ("coulomb", "moreau"), ("convex", "auto")])
def test_same_bits_for_any_number_of_threads(law: str, stepper: str) -> None:
    world = scattered_stacks()
    sims = [st.Simulator(world, law=law, stepper=stepper, dt=0.005, threads=n) for n in (1, 2, 3, 5)]
    islands = set()
    for _ in range(60):
        reports = [sim.step() for sim in sims]
        islands.add(reports[0].islands)
        assert len({sim.hash() for sim in sims}) == 1
        for report in reports[1:]:
            assert report.iterations == reports[0].iterations
            assert report.status == reports[0].status
            assert report.own.primal == reports[0].own.primal
            assert report.penetration == reports[0].penetration
        for one, other in itertools.pairwise([sim.contacts() for sim in sims]):
            assert np.array_equal(one["force"], other["force"])
    assert max(islands) > 20  # the worlds do have islands to share out
    assert len(islands) > 3  # and they change


def test_threads_may_change_between_steps_and_are_not_part_of_the_state() -> None:
    world = scattered_stacks(30)
    one = st.Simulator(world, dt=0.005)
    other = st.Simulator(world, dt=0.005)
    for n in (2, 1, 4):
        other.threads = n
        assert other.threads == n
        one.step(n=10), other.step(n=10)
        assert one.hash() == other.hash()
    blob = other.save()
    one.step(n=10)
    other.restore(blob)
    other.step(n=10)
    assert one.hash() == other.hash()


def test_a_number_of_threads_that_makes_no_sense_is_refused() -> None:
    world = scattered_stacks(2)
    with pytest.raises(ValueError, match="threads is 0, expected at least 1"):
        st.Simulator(world, threads=0)
    with pytest.raises(ValueError, match="threads"):
        st.Simulator(world).threads = -1
