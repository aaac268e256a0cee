# SPDX-License-Identifier: BSD-2-Clause
"""Pictures and films. Oracles: areas of projected shapes in closed form, what must hide what, and the readers of Pillow and ffmpeg."""

import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

import stiction as st
from stiction import _core, render
from stiction.drawing import solids
from stiction.render import surface
from stiction.render.camera import Camera


def test_a_triangle_covers_its_area_and_the_nearer_one_wins():
    points = np.array(
        [
            [10.0, 10.0, 1.0],
            [90.0, 10.0, 1.0],
            [10.0, 70.0, 1.0],
            [0, 0, 0.5],
            [400, 0, 0.5],
            [0, 400, 0.5],
            [0, 0, np.nan],
        ]
    )
    triangles = np.array([[0, 1, 2], [3, 4, 5], [0, 1, 6]], np.int32)
    index, depth = _core.rasterise(points, triangles, 100, 80, 0.0)
    assert abs((index == 0).sum() - 0.5 * 80 * 60) <= 80  # half the rectangle, to a pixel per row
    assert (index[index != 0] == 1).all() and not (index == 2).any()
    assert np.allclose(depth[index == 0], 1.0) and np.allclose(depth[index == 1], 0.5)
    with pytest.raises(st.InvalidInput, match="pixels"):
        _core.rasterise(points, triangles, 0, 80, 0.0)


def test_a_ball_has_the_size_that_perspective_gives_it():
    """A ball of radius r at distance d has the apparent radius F r / sqrt(d^2 - r^2); 24 sides cover 0.9886 of a circle."""
    radius, distance, width, height = 0.3, 2.0, 400, 300
    vertices, triangles = solids.mesh("sphere", np.array([radius, 0, 0]), None, None)
    camera = Camera(np.array([distance, 0.0, 0.0]), np.zeros(3))
    screen = camera.project(vertices, width, height)
    seen = (_core.rasterise(np.ascontiguousarray(screen), triangles, width, height, 0.0)[0] >= 0).sum()
    focus = 0.5 * height / np.tan(0.5 * camera.view)
    apparent = np.pi * focus**2 * radius**2 / (distance**2 - radius**2)
    assert 0.975 * apparent < seen < 1.005 * apparent


def test_what_the_camera_looks_at_is_in_the_middle():
    camera = Camera(np.array([1.0, -2.0, 3.0]), np.array([0.1, 0.2, 0.3]))
    assert np.allclose(camera.project(camera.target[None], 200, 100)[0, :2], [100.0, 50.0])
    rays = camera.rays(200, 100)
    point = camera.eye + 3.7 * rays[20, 30]
    assert np.allclose(camera.project(point[None], 200, 100)[0], [30.5, 20.5, 1 / 3.7])
    above = camera.project(camera.target[None] + [0, 0, 0.1], 200, 100)[0]
    assert above[1] < 50.0  # y runs down
    assert np.isnan(camera.project(2 * camera.eye[None] - camera.target, 200, 100)).all()


@pytest.mark.parametrize(
    "kind, size",
    [("sphere", (0.5, 0, 0)), ("box", (0.2, 0.4, 0.6)), ("cylinder", (0.2, 1.0, 0)), ("capsule", (0.2, 0.8, 0))],
)
def test_normals_point_outwards_and_round_shapes_look_round(kind, size):
    vertices, triangles = solids.mesh(kind, np.array(size, float), None, None)
    corners, normals = vertices[triangles], surface.corner_normals(vertices, triangles)
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    some = area > 1e-9
    assert np.allclose(np.linalg.norm(normals[some], axis=2), 1.0)
    assert (np.einsum("ijk,ijk->ij", normals[some], corners[some] - 0.0) > 0.0).all()
    if kind == "sphere":
        exact = corners[some] / np.linalg.norm(corners[some], axis=2, keepdims=True)
        assert np.einsum("ijk,ijk->ij", normals[some], exact).min() > np.cos(np.radians(5.0))
    if kind == "box":
        assert set(np.round(np.abs(normals).max(axis=2), 12).ravel()) == {1.0}  # edges stay sharp


def resting_cube():
    world = st.World()
    world.add_ground(mu=0.5)
    world.add_box((0.2, 0.2, 0.2), 1.0, position=(0, 0, 0.1))
    sim = st.Simulator(world)
    sim.step(n=20)
    return sim


def blue(picture):
    r, g, b = (picture[..., k].astype(int) for k in range(3))
    return ((b > 120) & (b > 1.6 * r) & (b > 1.4 * g)).sum()


def test_forces_are_drawn_and_shadows_fall(tmp_path):
    sim = resting_cube()
    with_arrows = render.picture(sim, tmp_path / "cube.png", size=(320, 180))
    without = render.picture(sim, size=(320, 180), arrows=False)
    assert with_arrows.shape == (180, 320, 3) and with_arrows.dtype == np.uint8
    assert np.array_equal(np.asarray(Image.open(tmp_path / "cube.png")), with_arrows)
    body = (np.ptp(without.astype(int), axis=2) > 40).sum()  # coloured pixels: the ground and the sky are grey
    assert body > 1000
    assert blue(with_arrows) > blue(without) + 30
    grey = without[np.ptp(without.astype(int), axis=2) < 30].mean(axis=1)
    assert (grey < 165).sum() > 100 and (grey > 200).sum() > 10000  # a shadow on a bright ground


def test_the_same_state_gives_the_same_picture():
    a, b = (render.picture(resting_cube(), size=(160, 90)) for _ in range(2))
    assert np.array_equal(a, b)


def frames_of(path):
    with Image.open(path) as image:
        return image.n_frames


def test_films_have_as_many_pictures_as_the_time_asks_for(tmp_path):
    """0.5 s at 20 pictures per second, start included: 11. At a fifth of the speed: 51."""
    imageio_ffmpeg = pytest.importorskip("imageio_ffmpeg")
    sim = st.scene("cube_slide")
    with st.record(sim, tmp_path / "run.mcap"), render.Filming(sim, tmp_path / "a.gif", (96, 54), fps=20) as camera:
        for _ in range(round(0.5 / sim.dt)):
            sim.step()
            camera(sim)
    assert frames_of(tmp_path / "a.gif") == 11 == camera.film.pictures
    source = st.recording.source(tmp_path / "run.mcap")
    render.film(source, tmp_path / "b.mp4", (96, 54), fps=20, speed=0.2)
    assert imageio_ffmpeg.count_frames_and_secs(str(tmp_path / "b.mp4"))[0] == 51
    render.film(source, tmp_path / "c.png", (96, 54), fps=4)
    assert sorted(f.name for f in tmp_path.glob("*.png")) == ["c_0000.png", "c_0001.png", "c_0002.png"]
    assert not list(tmp_path.glob("*.partial"))


def test_recorded_and_live_pictures_agree(tmp_path):
    sim = st.scene("starleth_push")
    with st.record(sim, tmp_path / "run.mcap"):
        sim.step(n=40)
    painter = render.Painter(st.recording.source(tmp_path / "run.mcap").drawing, (160, 90), follow=False)
    from stiction.drawing.frame import frame_of

    recorded = painter.paint(st.recording.source(tmp_path / "run.mcap").frame(40))
    assert np.array_equal(recorded, painter.paint(frame_of(sim, 40)))


def test_an_interrupted_film_is_a_shorter_film(tmp_path):
    sim = st.scene("cube_slide")
    with pytest.raises(KeyboardInterrupt), render.Filming(sim, tmp_path / "a.gif", (96, 54), fps=100) as camera:
        for i in range(100):
            sim.step(n=10)
            camera(sim)
            if i == 4:
                raise KeyboardInterrupt
    assert frames_of(tmp_path / "a.gif") == 6
    assert [f.name for f in tmp_path.iterdir()] == ["a.gif"]


def test_a_missing_encoder_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(ImportError, match=r"stiction\[video\]"):
        render.Film(tmp_path / "a.mp4", (96, 54))


def test_the_command_films(tmp_path):
    command = [
        sys.executable,
        "-m",
        "stiction.cli",
        "run",
        "cube_slide",
        "--duration",
        "0.2",
        "--size",
        "96x54",
        "--fps",
        "10",
    ]
    done = subprocess.run(
        [*command, "--video", "a.gif", "--record", "a.mcap"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert frames_of(tmp_path / "a.gif") == 3 and st.recording.load(tmp_path / "a.mcap").complete
    for wrong, words in ((["--video", "a.avi"], ".mp4, .gif or .png"), (["--video", "a.gif", "--size", "big"], "WIDTHxHEIGHT"),
                         (["--video", "a.gif", "--camera", "1"], "AZIMUTH"), (["--video", "no/where/a.gif"], "folder")):  # fmt: skip
        done = subprocess.run([*command, *wrong], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 2 and words in done.stderr and len(done.stderr.strip().splitlines()) == 1
