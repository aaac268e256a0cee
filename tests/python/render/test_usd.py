# SPDX-License-Identifier: BSD-2-Clause
"""Runs as USD files. Oracle: OpenUSD's own reader (usd-core), asked for world transforms, beside the poses of the recording."""

import numpy as np
import pytest

import stiction as st
from stiction import render

pytest.importorskip("pxr", reason="no usd-core for this Python")
from pxr import Gf, Usd, UsdGeom


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("usd")
    sim = st.scene("starleth_push", force=200)
    with st.record(sim, folder / "run.mcap"):
        sim.step(n=120)
    source = st.recording.source(folder / "run.mcap")
    return source, render.usd(source, folder / "run.usda", fps=25.0)


def test_openusd_finds_the_bodies_where_the_recording_has_them(written):
    source, path = written
    stage = Usd.Stage.Open(str(path))
    assert UsdGeom.GetStageUpAxis(stage) == "Z" and UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    moving = [p for p in stage.GetDefaultPrim().GetChildren() if UsdGeom.Xformable(p).TransformMightBeTimeVarying()]
    assert len(moving) == len(source.drawing.bodies)
    point = np.array([0.1, -0.2, 0.3])
    for index in (0, 57, 120):
        frame = source.frame(index)
        code = Usd.TimeCode(25.0 * frame.time)
        for prim, pose in zip(moving, frame.poses, strict=True):
            found = UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(code).Transform(Gf.Vec3d(*point))
            assert np.abs(np.array(found) - (rotate(pose[3:], point) + pose[:3])).max() < 1e-8, prim.GetName()


def rotate(xyzw, point):
    """q p q* written out."""
    w, u = xyzw[3], np.asarray(xyzw[:3])
    return point + 2.0 * np.cross(u, np.cross(u, point) + w * point)


def test_shapes_are_closed_meshes_of_the_same_size(written):
    source, path = written
    stage = Usd.Stage.Open(str(path))
    meshes = [UsdGeom.Mesh(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh)]
    shapes = [mesh for mesh in meshes if not mesh.GetPrim().GetParent().GetName().startswith("ground")]
    assert len(shapes) == len(source.drawing.items) and len(meshes) == len(shapes) + len(source.drawing.planes)
    extents = sorted(np.ptp(np.array(mesh.GetPointsAttr().Get()), axis=0).max() for mesh in shapes)
    expected = sorted(np.ptp(item.vertices, axis=0).max() for item in source.drawing.items)
    assert np.allclose(extents, expected, rtol=1e-6)
    for mesh in meshes:
        counts, indices = mesh.GetFaceVertexCountsAttr().Get(), np.array(mesh.GetFaceVertexIndicesAttr().Get())
        assert UsdGeom.Mesh.ValidateTopology(indices.tolist(), list(counts), len(mesh.GetPointsAttr().Get()))[0]


def test_time_codes_are_seconds_times_the_rate(written):
    source, path = written
    stage = Usd.Stage.Open(str(path))
    assert stage.GetTimeCodesPerSecond() == 25.0 and stage.GetStartTimeCode() == 0.0
    assert stage.GetEndTimeCode() == pytest.approx(25.0 * source.frame(len(source) - 1).time, abs=1e-9)


def test_bad_paths_and_rates_are_sentences(written, tmp_path):
    source, _ = written
    with pytest.raises(ValueError, match=r"usd\.path is .*expected a name that ends in \.usda"):
        render.usd(source, tmp_path / "run.usd")
    for fps in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match=r"usd\.fps is .*expected a number > 0"):
            render.usd(source, tmp_path / "run.usda", fps=fps)
    assert not list(tmp_path.iterdir())
