# SPDX-License-Identifier: BSD-2-Clause
"""What the viewer draws. Oracles: the volume of a solid, bodies of the simulator, text that stays text."""

import html
from dataclasses import replace

import numpy as np
import pytest

import stiction as st
from stiction.drawing import solids
from stiction.drawing.items import BAR
from stiction.output.page import plain_text
from stiction.viewer import Drawing, Frame, RecordedTrack, Source

pytest.importorskip("viser")
pytestmark = pytest.mark.xdist_group("viewer")  # one server at a time


def volume(mesh):
    v, t = mesh
    return sum(np.dot(v[a], np.cross(v[b], v[c])) for a, b, c in t) / 6.0


@pytest.mark.parametrize("kind, size, truth", [
    ("box", (0.2, 0.4, 0.6), 0.2 * 0.4 * 0.6),
    ("sphere", (0.5, 0, 0), 4 / 3 * np.pi * 0.5**3),
    ("cylinder", (0.5, 0.8, 0), np.pi * 0.25 * 0.8),
    ("capsule", (0.5, 0.8, 0), np.pi * 0.25 * 0.8 + 4 / 3 * np.pi * 0.5**3),
])  # fmt: skip
def test_solids_enclose_their_volume_and_face_outwards(kind, size, truth):
    found = volume(solids.mesh(kind, np.array(size, float), None, None))
    assert 0.95 * truth < found <= truth * (1 + 1e-12)  # inscribed


def test_drawing_shows_every_body_of_a_quadruped():
    sim = st.scene("anymal_stand")
    drawing = Drawing.of(sim)
    assert {item.body for item in drawing.items} >= {
        b.id for b in sim.bodies if any(c.parent == b.id for c in sim.bodies)
    }
    assert len(drawing.planes) == 1
    assert 0.3 < drawing.extent < 2.0
    assert drawing.force_unit == pytest.approx(9.81 * sim.mass)


@pytest.mark.parametrize("scene", ["cube_slide", "cube_drag"])
def test_a_block_on_its_corners_is_seen(scene):
    """Oracle: the centres of the balls and points at its corners. A ball alone, and a robot's feet, get no box."""
    sim = st.scene(scene)
    corners = np.array([geom.pose[0] for geom in sim.geoms if geom.body == 0])
    largest = max(Drawing.of(sim).items, key=lambda item: np.ptp(item.vertices, axis=0).prod())
    assert np.allclose(largest.vertices.min(axis=0), corners.min(axis=0), atol=1e-15)
    assert np.allclose(largest.vertices.max(axis=0), corners.max(axis=0), atol=1e-15)
    assert volume((largest.vertices, largest.triangles)) == pytest.approx(np.ptp(corners, axis=0).prod())


@pytest.mark.parametrize("scene", ["ball_bounce", "anymal_stand", "brick_on_slope"])
def test_shapes_that_are_seen_get_no_box(scene):
    sim = st.scene(scene)
    shapes = [geom for geom in sim.geoms if geom.kind not in ("half_space", "point")]
    bars = [item for item in Drawing.of(sim).items if item.colour == BAR]
    assert len(Drawing.of(sim).items) == len(shapes) + len(bars)


def test_visual_shapes_of_a_urdf_file_hang_on_their_links(tmp_path):
    pytest.importorskip(
        "example_robot_data", reason="needs example-robot-data"
    ) if "solo12" not in st.robots.paths() else None
    from stiction.drawing.visuals import visuals_of

    world = st.World()
    st.robots.load("solo12", world)
    sim = st.Simulator(world)
    items = visuals_of(sim)
    assert {item.body for item in items} == {body.id for body in sim.bodies}
    assert all(item.layer == "visual" and len(item.triangles) > 0 for item in items)
    # a robot's look is about as large as its collision hull
    drawing = Drawing.of(sim, items)
    assert 0.2 < drawing.extent < 1.0
    assert drawing.layers == ["collision", "visual"]


class Ball:
    """The smallest source: a ball that rises by one metre per second."""

    title = "ball"

    def __init__(self):
        world = st.World()
        world.add_sphere(radius=0.1, mass=1.0)
        self.sim = st.Simulator(world)
        self.drawing = Drawing.of(self.sim)

    def __len__(self):
        return 11

    def frame(self, index):
        pose = np.array([[0, 0, 0.1 * index, 0, 0, 0, 1.0]])
        return Frame(0.1 * index, index, pose, self.sim.contacts(), {"energy": float(index)})


def test_any_source_can_be_played():
    source = Ball()
    assert isinstance(source, Source)
    track = RecordedTrack(source)
    assert track.advance_to(0.55, 1.0) and track.at == 5
    assert not track.advance_to(2.0, 1.0) and track.at == 10
    track.back()
    assert track.at == 9
    track.go(3), track.step()
    assert track.at == 4
    with st.view(source, port=0) as viewer:
        viewer.step()
        assert viewer.tracks[0].at == 1
        assert "<html" in viewer.export()


def test_words_of_a_recording_are_text():
    """The panel's Markdown is evaluated by the browser, HTML and expressions in braces too: a status ran scripts there."""

    class Evil(Ball):
        def frame(self, index):
            return replace(
                super().frame(index), status="<iframe srcdoc='<script>x</script>'>{alert(1)} [a](javascript:b)"
            )

    with st.view(Evil(), port=0) as shown:
        shown.step()
        shown.player.wait()
        text = shown._run_panel._words.content
    assert "iframe" in text and not set("<{}[]") & set(text), text
    assert html.unescape(plain_text("<b>{1}&amp;")) == "<b>{1}&amp;"
