# SPDX-License-Identifier: BSD-2-Clause
"""add_mjcf(compile="mujoco"). Oracle: MuJoCo's own model of the file."""

import sys

import numpy as np
import pytest

import mjcf_models
import stiction as st

mujoco = pytest.importorskip("mujoco")

BUILT_IN = """<mujoco model="toys"><asset><mesh name="ball" builtin="sphere" params="2"/><mesh name="cone" builtin="cone" params="8 .5"/></asset>
  <worldbody><body name="toy" pos="0 0 1"><freejoint/><geom type="mesh" mesh="ball"/><geom type="mesh" mesh="cone" pos="1 0 0" euler="20 0 10"/></body>
  </worldbody></mujoco>"""


def same(sim, model):
    data = mujoco.MjData(model)
    mujoco.mj_integratePos(model, data.qpos, np.random.default_rng(1).standard_normal(model.nv), 0.2)
    mujoco.mj_forward(model, data)
    sim.q, sim.v = st.convert.from_mujoco(sim, data.qpos, model=model)
    T = np.column_stack([st.convert.from_mujoco(sim, data.qpos, e, model=model)[1] for e in np.eye(model.nv)])
    theirs = np.zeros((model.nv, model.nv))
    for i, unit in enumerate(np.eye(model.nv)):
        mujoco.mj_mulM(model, data, theirs[i], unit)
    np.testing.assert_allclose(T.T @ sim.mass_matrix() @ T, theirs, atol=1e-8 * np.abs(theirs).max(), rtol=0)


def test_what_our_reader_refuses(tmp_path):
    """Meshes that MuJoCo makes itself."""
    path = tmp_path / "toys.xml"
    path.write_text(BUILT_IN)
    with pytest.raises(ValueError, match=r"mesh 'ball' is made by MuJoCo \(builtin=.sphere.\), which is not read"):
        st.World().add_mjcf(path)
    world = st.World()
    world.add_mjcf(path, compile="mujoco")
    assert any(f"toys.xml was compiled by MuJoCo {mujoco.__version__}" in line for line in world.warnings)
    same(st.Simulator(world), mujoco.MjModel.from_xml_path(str(path)))


@pytest.mark.parametrize("name", ["kitchen", "cart", "mesh_legacy", "mesh_convex"])
def test_both_ways_agree(name, tmp_path):
    """With meshes and included files beside the file, classes, replicates; our own reader says nothing about who read."""
    path = mjcf_models.write(tmp_path)[name]
    own, theirs = st.World(), st.World()
    own.add_mjcf(path), theirs.add_mjcf(path, compile="mujoco")
    same(st.Simulator(theirs), mujoco.MjModel.from_xml_path(str(path)))
    assert not any("MuJoCo" in line for line in own.warnings)
    assert [b.name for b in own.bodies] == [b.name for b in theirs.bodies]


def test_it_is_refused_in_a_sentence(tmp_path, monkeypatch):
    (tmp_path / "bad.xml").write_text("<mujoco><worldbody><body><joint/></body></worldbody></mujoco>")
    for call, kind, sentence in (
        (dict(compile="theirs"), ValueError, "compile is 'theirs', expected own or mujoco"),
        (dict(compile="mujoco"), ValueError, r"bad\.xml is refused by MuJoCo: "),
    ):
        with pytest.raises(kind, match=sentence):
            st.World().add_mjcf(tmp_path / "bad.xml", **call)
    with pytest.raises(FileNotFoundError, match="was not found"):
        st.World().add_mjcf(tmp_path / "none.xml", compile="mujoco")
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(ImportError, match=r"pip install 'stiction\[bench\]'"):
        st.World().add_mjcf(tmp_path / "bad.xml", compile="mujoco")
