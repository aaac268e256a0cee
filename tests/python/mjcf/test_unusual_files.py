# SPDX-License-Identifier: BSD-2-Clause
"""Files of our own that use what is rare in MJCF. Oracle: MuJoCo's mass matrix, forces, keyframes and start poses."""

import numpy as np
import pytest

import stiction as st
from two_engines import compare_forces, load
from unusual_models import UNUSUAL

mujoco = pytest.importorskip("mujoco")


@pytest.mark.parametrize("name", UNUSUAL)
def test_mass_and_forces_are_mujocos(name, tmp_path):
    compare_forces(mujoco, UNUSUAL[name], tmp_path)


@pytest.mark.parametrize("name", UNUSUAL)
def test_start_and_keyframes_are_mujocos(name, tmp_path):
    _, robot, sim = load(UNUSUAL[name], tmp_path)
    model = mujoco.MjModel.from_xml_string(UNUSUAL[name])
    assert np.abs(st.convert.to_mujoco(sim, model=model)[0] - model.qpos0).max() < 1e-12 or any(
        "is not within" in w or "limit" in w for w in robot.warnings
    )
    data = mujoco.MjData(model)
    for key in range(model.nkey):
        mujoco.mj_resetDataKeyframe(model, data, key)
        sim.set_keyframe(robot.keyframes[key])
        q, v = st.convert.to_mujoco(sim, model=model)
        assert np.abs(q - data.qpos).max() < 1e-12 and np.abs(v - data.qvel).max() < 1e-12
