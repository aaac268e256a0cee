# SPDX-License-Identifier: BSD-2-Clause
"""Rays against all shapes. Oracles: mj_ray on the same geoms, closed forms."""

import numpy as np
import pytest

import stiction as st

mujoco = pytest.importorskip("mujoco")
SINGLE = 1e-6  # MuJoCo keeps corners of meshes and heights in single precision

SCENE = """<mujoco><asset><hfield name="hills" nrow="9" ncol="7" size="2 1.5 .6 .1" elevation="{heights}"/>
  <mesh name="wedge" vertex="0 0 0  .3 0 0  0 .4 0  0 0 .5  .2 .2 .4"/></asset><worldbody>
  <geom name="floor" type="plane" size="0 0 .1"/>
  <geom name="terrain" type="hfield" hfield="hills" pos="0 0 -4"/>
  <body name="a" pos="0 0 1" euler="10 20 30"><freejoint/><geom name="ball" size=".3"/></body>
  <body name="b" pos="1 0 1" euler="40 20 30"><freejoint/><geom name="pill" type="capsule" size=".1 .3"/></body>
  <body name="c" pos="0 1 1" euler="70 20 30"><freejoint/><geom name="can" type="cylinder" size=".2 .15"/></body>
  <body name="d" pos="-1 0 1" euler="10 20 80"><freejoint/><geom name="crate" type="box" size=".1 .2 .3"/></body>
  <body name="e" pos="0 -1 1"><freejoint/><geom name="wedge" type="mesh" mesh="wedge"/></body>
  </worldbody></mujoco>"""


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    rng = np.random.default_rng(0)
    path = tmp_path_factory.mktemp("rays") / "scene.xml"
    path.write_text(SCENE.format(heights=" ".join(f"{x:.3f}" for x in rng.uniform(size=63))))
    world = st.World()
    world.add_mjcf(path)
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return st.Simulator(world), model, data


def mj_ray(model, data, origin, direction, excluded=-1):
    geom = np.zeros(1, np.int32)
    distance = mujoco.mj_ray(model, data, origin, direction, None, True, excluded, geom)
    return distance, (model.geom(int(geom[0])).name if geom[0] >= 0 else None)


def test_rays_meet_what_mujoco_says(both):
    sim, model, data = both
    rng = np.random.default_rng(1)
    seen = {}
    for _ in range(4000):
        target = np.array([[0, 0, 1], [1, 0, 1], [0, 1, 1], [-1, 0, 1], [0.1, -0.9, 1.1], [0.5, 0.5, 0]])[
            rng.integers(6)
        ]
        origin = rng.uniform(-2, 2, 3) + (0, 0, 4)
        direction = target + 0.25 * rng.standard_normal(3) - origin
        direction /= np.linalg.norm(direction)
        distance, name = mj_ray(model, data, origin, direction)
        hit = sim.cast_ray(origin, direction)
        if distance < 0:
            assert hit is None
            continue
        assert hit.distance == pytest.approx(distance, abs=SINGLE if name == "wedge" else 1e-9), name
        assert hit.point == pytest.approx(origin + hit.distance * direction, abs=1e-12)
        assert np.linalg.norm(hit.normal) == pytest.approx(1)
        assert hit.normal @ direction <= 1e-9  # from outside
        assert (hit.body is None) == (name in ("floor", "terrain"))
        seen[name] = seen.get(name, 0) + 1
    assert set(seen) == {"floor", "ball", "pill", "can", "crate", "wedge"}


def test_rays_from_inside(both):
    sim, model, data = both
    rng = np.random.default_rng(2)
    for centre in ([0, 0, 1], [1, 0, 1], [0, 1, 1], [-1, 0, 1], [0.08, -0.9, 1.1]):
        for _ in range(100):
            direction = rng.standard_normal(3)
            direction /= np.linalg.norm(direction)
            distance, name = mj_ray(model, data, np.array(centre, float), direction)
            close = SINGLE if name == "wedge" else 1e-9
            assert sim.cast_ray(centre, 3 * direction).distance == pytest.approx(distance, abs=close)


def test_heightfield(both):
    """Oracle: mj_ray from above the surface."""
    sim, model, data = both
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(2000):
        origin = np.array([rng.uniform(-1.9, 1.9), rng.uniform(-1.4, 1.4), -3.3])
        direction = np.array([*rng.uniform(-1, 1, 2), -rng.uniform(0.05, 1)])
        direction /= np.linalg.norm(direction)
        distance, name = mj_ray(model, data, origin, direction)
        point = origin + distance * direction
        inside = abs(point[0]) < 1.999 and abs(point[1]) < 1.499 and point[2] > -4
        if name == "terrain" and inside:
            hit = sim.cast_ray(origin, direction)
            assert hit is not None and hit.distance == pytest.approx(distance, abs=SINGLE)
            hits += 1
    assert hits > 1000


def test_ignored_bodies_and_far_ones(both):
    sim, _, _ = both
    body = sim.cast_ray((0, 0, 5), (0, 0, -1)).body
    assert body.name == "a"
    assert sim.cast_ray((0, 0, 5), (0, 0, -1), ignore=body).distance == pytest.approx(5)
    assert sim.cast_ray((0, 0, 5), (0, 0, -1), farthest=3) is None
    assert sim.cast_ray((0, 0, 5), (0, 0, 1)) is None


@pytest.mark.parametrize(
    ("origin", "direction", "sentence"),
    [
        ((0, 0, 0), (0, 0, 0), "direction is zero"),
        ((0, float("nan"), 0), (0, 0, 1), "origin"),
        ((0, 0), (0, 0, 1), "origin"),
    ],
)
def test_bad_rays(both, origin, direction, sentence):
    with pytest.raises(ValueError, match=sentence):
        both[0].cast_ray(origin, direction)


def test_static_mesh_and_moving_body():
    """A mesh of two triangles seen from both sides, and a ball that has moved since."""
    world = st.World()
    world.gravity = (0, 0, 0)
    world.add_static_mesh(([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [(0, 1, 2), (0, 2, 3)]))
    ball = world.add_sphere(radius=0.1, mass=1, position=(0.5, 0.5, 3), velocity=(0, 0, -1))
    world.add_site("eye", position=(0.5, 0.5, 1))
    world.add_sensor("rangefinder", "eye", name="up")
    sim = st.Simulator(world, dt=0.01)
    assert sim.cast_ray((0.5, 0.25, 1), (0, 0, -1)).distance == pytest.approx(1)
    assert sim.cast_ray((0.5, 0.25, -1), (0, 0, 1)).distance == pytest.approx(1)
    assert sim.cast_ray((2, 0.25, -1), (0, 0, 1)) is None
    sim.step(n=50)
    hit = sim.cast_ray((0.5, 0.5, 1), (0, 0, 1))
    assert hit.distance == pytest.approx(1.4) and hit.body.name == ball.name
    assert sim.sensors()["up"] == pytest.approx(1.4)
