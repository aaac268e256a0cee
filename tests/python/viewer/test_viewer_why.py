# SPDX-License-Identifier: BSD-2-Clause
"""The words about a contact. Oracle: statics by hand."""

import math

import numpy as np
import pytest

import stiction as st

pytest.importorskip("viser")
from stiction.viewer.why import HINT, describe, friction_of


@pytest.fixture
def slope():
    """A box of 2 kg on a slope of 20 degrees: friction over normal is tan 20 degrees."""
    world = st.World()
    world.gravity = (9.81 * math.sin(math.radians(20)), 0, -9.81 * math.cos(math.radians(20)))
    world.add_ground(mu=0.5)
    world.add_box(size=(0.2, 0.2, 0.1), mass=2.0, position=(0, 0, 0.05), mu=0.5)
    with st.view(st.Simulator(world), compare=["convex"], port=0) as viewer:
        viewer.run(0.2)
        yield viewer


def aim(viewer, point, away=(3.0, 2.0, 1.5)):
    """Pick by a ray from far away through a point of the first track."""
    origin = np.asarray(point) + viewer._stages[0].offset + away
    found = []
    viewer._do(lambda: found.append(viewer._why_panel.pick(origin, -np.asarray(away, float))))
    return found[0]


def test_a_sticking_contact_tells_how_much_of_its_cone_is_used(slope):
    contacts = slope.tracks[0].now.contacts
    assert aim(slope, contacts["point"][2])
    words = slope._why_panel._words.content
    assert words.count("this contact sticks") == 2  # under both laws
    assert "limit μ | 0.5" in words
    normal = contacts["force"][2] @ contacts["normal"][2]
    assert f"normal force | {normal:.4g} N" in words
    assert "Law `convex`" in words and "off from exact Coulomb friction" in words


def test_used_share_of_the_cone():
    kind = [("force", float, 3), ("normal", float, 3), ("slip", float), ("gap", float), ("mode", int)]
    contact = np.array([((3.0, 0.0, 10.0), (0, 0, 1), 0.0, 0.0, 1)], kind)[0]
    assert "used of the cone | 60 %" in describe(contact, 0.5)
    assert "friction over normal | 0.300" in describe(contact, None)
    assert "used of the cone" not in describe(contact, None)
    contact["mode"] = 2  # told by the speed of a point that turns with its body
    assert "this contact sticks" in describe(contact, 0.5)
    assert "this contact slips" in describe(contact, 0.3)


def test_friction_is_told_if_it_is_the_same_everywhere(slope):
    assert friction_of(slope.tracks[0]) == 0.5
    assert friction_of(object()) is None


def test_a_click_beside_everything_chooses_nothing(slope):
    aim(slope, slope.tracks[0].now.contacts["point"][0])
    assert slope._why_panel._marks[0].visible
    assert not aim(slope, (0.0, 5.0, 5.0))
    assert slope._why_panel._words.content == HINT
    assert not slope._why_panel._marks[0].visible


def test_a_contact_that_is_gone_is_said_to_be(slope):
    aim(slope, slope.tracks[0].now.contacts["point"][0])
    slope.tracks[0].sim.q[2] += 1.0
    slope.step()
    slope._do(slope._why_panel.show)
    assert "does not touch" in slope._why_panel._words.content
