# SPDX-License-Identifier: BSD-2-Clause
"""The same MJCF text in stiction and in MuJoCo."""

import numpy as np

import stiction as st

ARM = """<mujoco model="arm"><compiler angle="radian"/>{options}{default}<worldbody>
<body name="upper" pos="0 0 1" {body}><joint name="shoulder" axis="0 1 0" damping="0.05" armature="0.01" {shoulder}/>
  <geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.03" mass="1.2" contype="0" conaffinity="0"/>
  <body name="lower" pos="0 0 -0.3" {body}><joint name="elbow" axis="0 1 0.3" damping="0.02" ref="0.1" {elbow}/>
    <geom type="capsule" fromto="0 0 0 0.1 0 -0.25" size="0.02" mass="0.6" contype="0" conaffinity="0"/>
    <site name="hand" pos="0.1 0.02 -0.25" euler="0.2 0.3 0.1"/>
    <body name="tip" pos="0.1 0 -0.25" {body}><joint name="slide" type="slide" axis="1 0 0.2" damping="0.3" {slide}/>
      <geom type="box" size="0.03 0.02 0.05" mass="0.2" contype="0" conaffinity="0"/></body></body></body>
{world}</worldbody>{more}</mujoco>"""


def arm(more="", **parts):
    return ARM.format(
        **{
            **dict.fromkeys(("options", "default", "body", "shoulder", "elbow", "slide", "world"), ""),
            **parts,
            "more": more,
        }
    )


def load(text, folder, dt=1e-3, **settings):
    path = folder / "file.xml"
    path.write_text(text)
    world = st.World()
    robot = world.add_mjcf(path)
    return world, robot, st.Simulator(world, dt=dt, **settings)


def compare_forces(mujoco, text, folder, states=4, tolerance=1e-8):
    """M, bias, passive and actuator forces at random states, in MuJoCo's coordinates, relative to the largest."""
    _, _, sim = load(text, folder)
    model = mujoco.MjModel.from_xml_string(text)
    data, rng = mujoco.MjData(model), np.random.default_rng(5)
    for _ in range(states):
        qpos, qvel = np.array(model.qpos0), rng.standard_normal(model.nv)
        mujoco.mj_integratePos(model, qpos, rng.standard_normal(model.nv), 0.3)
        data.qpos[:], data.qvel[:], data.ctrl[:] = qpos, qvel, rng.standard_normal(model.nu)
        data.act[:] = rng.standard_normal(model.na)
        mujoco.mj_forward(model, data)
        sim.q, sim.v = st.convert.from_mujoco(sim, qpos, qvel, model=model)
        sim.ctrl, sim.act = data.ctrl, data.act
        T = np.column_stack([st.convert.from_mujoco(sim, qpos, e, model=model)[1] for e in np.eye(model.nv)])
        theirs = np.zeros((model.nv, model.nv))
        for i, unit in enumerate(np.eye(model.nv)):
            mujoco.mj_mulM(model, data, theirs[i], unit)
        np.testing.assert_allclose(T.T @ sim.mass_matrix() @ T, theirs, atol=1e-8 * np.abs(theirs).max(), rtol=0)
        for ours, other in (
            (T.T @ sim.passive_forces(), data.qfrc_passive),
            (T.T @ sim.joint_actuation(), data.qfrc_actuator),
            (sim.actuator_forces(), data.actuator_force),
        ):
            np.testing.assert_allclose(ours, other, atol=tolerance * max(np.abs(other).max(initial=0.0), 1e-6), rtol=0)
    return sim, model


def compare_motion(mujoco, text, folder, ctrl=(), seconds=0.5, dt=1e-4, tolerance=1e-4, **settings):
    """Half a second from the reference position in both engines; returns our simulator and MuJoCo's data."""
    world, _, sim = load(text, folder, dt, **settings)
    world.gravity = (0, 0, -9.81)
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.timestep = dt
    data = mujoco.MjData(model)
    data.ctrl[:] = ctrl
    sim.q, sim.v = st.convert.from_mujoco(sim, np.array(data.qpos), model=model)
    sim.ctrl = data.ctrl
    n = round(seconds / dt)
    report = sim.step(n=n)
    assert report.ok, report.status
    mujoco.mj_step(model, data, n)
    qpos, _ = st.convert.to_mujoco(sim, model=model)
    np.testing.assert_allclose(qpos, data.qpos, atol=tolerance, rtol=0)
    np.testing.assert_allclose(sim.act, data.act, atol=1e-9, rtol=0)
    assert np.abs(data.qpos - model.qpos0).max() > 50 * tolerance  # something has moved
    return sim, data
