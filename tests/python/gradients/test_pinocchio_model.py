# SPDX-License-Identifier: BSD-2-Clause
"""Pinocchio's models in and out. Oracle: Pinocchio's own mass matrix and bias."""

import numpy as np
import pytest

import stiction as st

pin = pytest.importorskip("pinocchio")


@pytest.mark.parametrize(
    "made", [pin.buildSampleModelManipulator, pin.buildSampleModelHumanoid], ids=["manipulator", "humanoid"]
)
def test_in(made):
    model = made()
    if made is pin.buildSampleModelHumanoid and any(model.nvs[i] != 1 for i in range(2, model.njoints)):
        with pytest.raises(ValueError, match="only joints of one velocity"):
            st.pinocchio_model.load(model, st.World())
        return
    compare(model)


def quadruped():
    """A free flyer with four legs of three joints, one of them without limits, one a slider, in no special order of names."""
    model, rng = pin.Model(), np.random.default_rng(0)
    root = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "root")
    model.appendBodyToJoint(root, pin.Inertia.Random(), pin.SE3.Identity())
    kinds = (pin.JointModelRX, pin.JointModelRUBY, pin.JointModelPZ)
    for leg in ("z", "b", "y", "a"):
        parent = root
        for i, kind in enumerate(kinds):
            joint = pin.JointModelRevoluteUnaligned(np.array([0.6, 0.0, 0.8])) if leg == "y" and i == 0 else kind()
            parent = model.addJoint(parent, joint, pin.SE3.Random(), f"{leg}{i}")
            model.appendBodyToJoint(parent, pin.Inertia.Random(), pin.SE3.Random())
        model.addFrame(
            pin.Frame(f"foot_{leg}", parent, 0, pin.SE3(np.eye(3), rng.normal(size=3)), pin.FrameType.OP_FRAME)
        )
    return model


def test_a_quadruped():
    compare(quadruped())


def compare(model):
    world = st.World()
    loaded = st.pinocchio_model.load(model, world)
    sim = st.Simulator(world)
    rng = np.random.default_rng(1)
    q = pin.integrate(model, pin.neutral(model), 0.3 * rng.normal(size=model.nv))
    v = rng.normal(size=model.nv)
    sim.q[loaded.q], sim.v[loaded.v] = q, v
    data = model.createData()
    M = pin.crba(model, data, q)
    M = np.triu(M) + np.triu(M, 1).T
    assert np.allclose(sim.mass_matrix()[np.ix_(loaded.v, loaded.v)], M, rtol=0, atol=1e-9 * np.abs(M).max())
    bias = pin.nonLinearEffects(model, data, q, v)
    assert np.allclose(sim.bias()[loaded.v], bias, rtol=0, atol=1e-9 * np.abs(bias).max())


def test_out():
    model = quadruped()
    world = st.World()
    loaded = st.pinocchio_model.load(model, world)
    again = st.pinocchio_model.export(world)
    assert again.nv == model.nv and {*again.names[2:]} == {*model.names[2:]}
    sim, data = st.Simulator(world), again.createData()
    M = pin.crba(again, data, pin.neutral(again))
    M = np.triu(M) + np.triu(M, 1).T
    order = [again.idx_vs[again.getJointId(n)] for n in loaded.robot.joint_names]
    mine = sim.mass_matrix()[6:, 6:]
    assert np.allclose(mine, M[np.ix_(order, order)], rtol=0, atol=1e-6 * np.abs(mine).max())
