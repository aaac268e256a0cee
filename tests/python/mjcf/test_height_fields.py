# SPDX-License-Identifier: BSD-2-Clause
"""Bodies deep in the ridges of a height field: what overlaps has contacts. Oracle: MuJoCo's contacts at the same pose."""

import numpy as np
import pytest

import stiction as st
from two_engines import load

mujoco = pytest.importorskip("mujoco")

FIELD = """<mujoco><asset><mesh name="tetrahedron" vertex="0 0 0  .3 0 0  0 .3 0  0 0 .3"/>
<hfield name="h" nrow="4" ncol="4" size="1 1 .3 .1" elevation="0 1 0 1 2 1 3 1 1 0 0 1 0 1 2 0"/></asset><worldbody>
<geom type="hfield" hfield="h"/><body><freejoint/><geom {}/></body></worldbody></mujoco>"""
SHAPES = {
    "box": 'type="box" size=".2 .1 .1"',
    "cylinder": 'type="cylinder" size=".1 .2"',
    "capsule": 'type="capsule" size=".1 .2"',
    "hull": 'type="mesh" mesh="tetrahedron"',
    "ball": 'size=".2"',
}


@pytest.mark.parametrize("shape", SHAPES)
def test_whatever_overlaps_has_a_contact(shape, tmp_path):
    text = FIELD.format(SHAPES[shape])
    _, _, sim = load(text, tmp_path)
    model = mujoco.MjModel.from_xml_string(text)
    data, random = mujoco.MjData(model), np.random.default_rng(1)
    missed, deep, zero = [], 0, np.zeros(6)
    for _ in range(150):
        turn = random.standard_normal(4)
        data.qpos[:] = [*random.uniform(-0.6, 0.6, 2), random.uniform(0.05, 0.4), *(turn / np.linalg.norm(turn))]
        mujoco.mj_forward(model, data)
        sim.q, sim.v = st.convert.from_mujoco(sim, np.array(data.qpos), zero, model=model)
        sim.step()
        theirs = min((c.dist for c in data.contact), default=0.0)
        ours = sim.contacts()["gap"].min(initial=0.0)
        deep += theirs < -0.02
        if theirs < -1e-3 and not ours < 0.0:
            missed.append((data.qpos.tolist(), theirs))
    assert deep > 30
    assert missed == []
