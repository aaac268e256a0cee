# SPDX-License-Identifier: BSD-2-Clause
"""MJCF robots that others wrote, in stiction and in MuJoCo. As a program, it prints a row per file:

    python tests/python/support/robots_of_others.py pairs|servo|stand FILE.xml ...

pairs   pairs of bodies that overlap by more than 1 mm at the same start, in one engine only
servo   no contacts, dt 0.1 ms, from the first keyframe with its ctrl, half a second: largest difference of a joint [rad, m]; rigid, and
        with softness="file"
stand   with contacts at the file's own step, 5 s from the first keyframe: lowest height of the first moving body over its start, in both
press   5 s from the first keyframe or, with "default" in front of the files, from the default pose: largest impulse of a contact over
        the momentum of what moves
"""

import importlib.util
import itertools
import sys
from pathlib import Path

import numpy as np

import stiction as st
from repository import ROOT

sys.path.insert(0, str(ROOT / "bench"))

import real_robots
import robot_forces


def package_file(package, path):
    """A file of an installed package, which is not imported; None without it."""
    spec = importlib.util.find_spec(package)
    return Path(spec.submodule_search_locations[0]) / path if spec else None


def mujoco_start(path, **options):
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(path))
    for name, value in options.items():
        setattr(model.opt, name, value)
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    return model, data


def our_start(path, model, data, contacts=True, **settings):
    world = st.World()
    world.add_mjcf(str(path))
    if not contacts:
        for i, j in itertools.combinations(range(len(world.describe()["geoms"])), 2):
            world.exclude_geoms(i, j)
    sim = st.Simulator(world, **settings)
    sim.q, sim.v = st.convert.from_mujoco(sim, np.array(data.qpos), np.array(data.qvel), model=model)
    sim.ctrl = data.ctrl
    if len(sim.act) == len(data.act):
        sim.act = data.act
    return sim


def pairs(path, depth=1e-3):
    """(in stiction only, in MuJoCo only)"""
    model, data = mujoco_start(path)
    sim = our_start(path, model, data)
    sim.step()

    return robot_forces.overlapping(sim, model, data, depth)


def stiffen(model):
    """MuJoCo's limits, dry friction and equalities as hard as its step lets them be."""
    reference, impedance = [2 * model.opt.timestep, 1.0], [0.9999, 0.9999, 0.001, 0.5, 2]
    for kind in ("jnt_sol", "dof_sol", "eq_sol"):
        getattr(model, kind + "ref")[:] = reference
        getattr(model, kind + "imp")[:] = impedance


def make_consistent(model, data):
    """Joints into their limits, and loops closed by Gauss-Newton steps of the joints (a floating base stays). Returns how far the largest
    limit and equality were off."""
    import mujoco

    outside = 0.0
    for j in range(model.njnt):
        if model.jnt_limited[j] and model.jnt_type[j] >= 2:
            at = model.jnt_qposadr[j]
            inside = np.clip(data.qpos[at], *(model.jnt_range[j] + [1e-6, -1e-6]))
            outside = max(outside, abs(inside - data.qpos[at]))
            data.qpos[at] = inside
    base = 6 if model.jnt_type[0] == mujoco.mjtJoint.mjJNT_FREE else 0
    open_by = []
    for _ in range(20):
        mujoco.mj_forward(model, data)
        rows = np.flatnonzero(data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY)
        if not len(rows):
            break
        jacobian = np.zeros((data.nefc, model.nv))
        if mujoco.mj_isSparse(model):
            mujoco.mju_sparse2dense(jacobian, data.efc_J, data.efc_J_rownnz, data.efc_J_rowadr, data.efc_J_colind)
        else:
            jacobian[:] = data.efc_J.reshape(-1, model.nv)[: data.nefc]
        jacobian[:, :base] = 0.0
        open_by.append(np.abs(data.efc_pos[rows]).max())
        move = -np.linalg.lstsq(jacobian[rows], data.efc_pos[rows], rcond=1e-8)[0]
        qpos = np.array(data.qpos)
        mujoco.mj_integratePos(model, qpos, move, 1.0)
        data.qpos[:] = qpos
    mujoco.mj_forward(model, data)
    return outside, max(open_by, default=0.0)


def servo_difference(path, softness, seconds=0.5, dt=1e-4, stiff=False, consistent=False, **options):
    """(largest difference of a joint, its name, how far the joints moved); `options` are MuJoCo's"""
    import mujoco

    model, data = mujoco_start(path, timestep=dt, disableflags=int(mujoco.mjtDisableBit.mjDSBL_CONTACT), **options)
    if stiff:
        stiffen(model)
    if consistent:
        make_consistent(model, data)
    sim = our_start(path, model, data, contacts=False, dt=dt, law_options=dict(softness=softness))
    start = np.array(data.qpos)
    sim.step(n=round(seconds / dt))
    mujoco.mj_step(model, data, round(seconds / dt))
    qpos, _ = st.convert.to_mujoco(sim, model=model)
    joints = [j for j in range(model.njnt) if model.jnt_type[j] >= 2]  # slides and hinges
    at = [model.jnt_qposadr[j] for j in joints]
    off = np.abs(qpos - data.qpos)[at]
    worst = int(off.argmax())
    return float(off[worst]), model.joint(joints[worst]).name, float(np.abs(data.qpos - start)[at].max())


def stands(path, seconds=5.0, **settings):
    """Lowest height of the first body that moves over its start, (ours, MuJoCo's)."""
    import mujoco

    model, data = mujoco_start(path)
    sim = our_start(path, model, data, **settings)
    ours = mujoco.MjData(model)
    body = model.jnt_bodyid[0]
    start = data.xpos[body][2]
    lowest = [1.0, 1.0]
    for _ in range(round(seconds / model.opt.timestep)):
        sim.step()
        mujoco.mj_step(model, data)
        ours.qpos[:] = st.convert.to_mujoco(sim, model=model)[0]
        mujoco.mj_kinematics(model, ours)
        lowest = [min(low, d.xpos[body][2] / start) for low, d in zip(lowest, (ours, data), strict=True)]
    return tuple(lowest)


# base height, stiffness of the servos, and bent joints by the end of their names
POSES = {
    "unitree_go1": (0.278, 100.0, {"thigh_joint": 0.9, "calf_joint": -1.8}),
    "unitree_g1": (0.76, 500.0, {"hip_pitch_joint": -0.312, "knee_joint": 0.669, "ankle_pitch_joint": -0.363}),
}


def standing_scene(folder, robot, tmp_path):
    """mjlab's robot on a floor, a servo on every joint and a keyframe in its training pose, as a file that both engines read."""
    import mujoco

    height, stiffness, bent = POSES[robot]
    spec = mujoco.MjSpec.from_file(str(next(Path(folder).glob("g*1.xml"))))
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1])
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    hinges = [joint for joint in spec.joints if joint.type == mujoco.mjtJoint.mjJNT_HINGE]
    for joint in hinges:
        joint.armature = 0.01  # of the motors, which mjlab adds as well
    hinges = [joint.name for joint in hinges]
    target = [next((x for end, x in bent.items() if name.endswith(end)), 0.0) for name in hinges]
    for name in hinges:
        servo = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        servo.set_to_position(kp=stiffness, kv=0.05 * stiffness)
    spec.add_key(name="home", qpos=[0, 0, height, 1, 0, 0, 0, *target], ctrl=target)
    spec.meshdir = str(Path(folder) / spec.meshdir)
    spec.compile()
    path = tmp_path / "scene.xml"
    path.write_text(spec.to_xml())
    return path


def pressing(path, default=False, seconds=5.0):
    """(steps not accepted, largest speed over 3 times MuJoCo's so far + 5, largest impulse of a contact over what explains it).
    What explains an impulse: the mass of everything that moves, times how fast gravity, the bounded correction (three times the law's
    sqrt(g depth)) and the approach move it in a step. The approach: the fastest point among the bodies' origins."""
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    if model.nkey and not default:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    sim = our_start(path, model, data, dt=model.opt.timestep)
    steps = round(seconds / model.opt.timestep)
    ctrl = np.array(data.ctrl) + real_robots.control_noise(model, steps)
    moving = [b for b in range(1, model.nbody) if model.body_weldid[b] != 0]
    mass, gravity = model.body_mass[moving].sum(), max(0.1, np.linalg.norm(model.opt.gravity))
    refused, fastest, theirs, hardest, wild = 0, 0.0, 0.0, 0.0, 0.0
    before = np.array([pose[:3] for pose in sim.poses()])
    for k in range(steps):
        sim.ctrl[:] = data.ctrl[:] = ctrl[k]
        refused += sim.step().unaccepted
        mujoco.mj_step(model, data)
        fastest = max(fastest, np.abs(sim.v).max(initial=0.0))
        theirs = max(theirs, np.abs(data.qvel).max(initial=0.0))
        wild = max(wild, fastest / (3 * theirs + 5))
        after = np.array([pose[:3] for pose in sim.poses()])
        approach = np.linalg.norm(after - before, axis=1).max(initial=0.0) / sim.dt
        contacts, before = sim.contacts(), after
        if len(contacts):
            depth = max(0.0, -contacts["gap"].min())
            explained = mass * (gravity * sim.dt + 3 * np.sqrt(gravity * depth) + approach)
            hardest = max(hardest, sim.dt * np.linalg.norm(contacts["force"], axis=1).max() / explained)
    return refused, wild, hardest


def main(what, *files):
    default = files[0] == "default"
    for path in files[default:]:
        name = "/".join(Path(path).parts[-2:])
        try:
            if what == "pairs":
                ours, theirs = pairs(path)
                print(f"{name:44s} only here {ours} only in MuJoCo {theirs}", flush=True)
            elif what == "servo":
                rows = [servo_difference(path, softness) for softness in ("rigid", "file")]
                words = ", ".join(f"{s} {r[0]:.1e} ({r[1]})" for s, r in zip(("rigid", "file"), rows, strict=True))
                print(f"{name:44s} moved {rows[0][2]:.2f}: {words}", flush=True)
            elif what == "stand":
                print(f"{name:44s} lowest (ours, MuJoCo) {stands(path)}", flush=True)
            elif what == "press":
                print(f"{name:44s} refused, wild, impulse over explained {pressing(path, default)}", flush=True)
        except Exception as error:
            print(f"{name:44s} {type(error).__name__}: {str(error)[:120]}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
