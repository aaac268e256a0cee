# SPDX-License-Identifier: BSD-2-Clause
"""The same scenes in MuJoCo: same URDF, masses, friction, gains, start and step; only the contact model is MuJoCo's own."""

from __future__ import annotations

from typing import Any

import numpy as np

import stiction as st

from ... import _core

FRICTION = (0.8, 0.005, 0.0001)  # sliding as ours; torsion and rolling are off with condim 3


def load() -> Any:
    """The module mujoco, or a sentence."""
    try:
        import mujoco
        import mujoco.rollout
    except ImportError as error:
        raise ImportError("bench --peers needs MuJoCo: pip install 'stiction[bench]'") from error
    return mujoco


def _set_contact(mujoco: Any, spec: Any, variant: str) -> None:
    """Contact settings by name: `default` as MuJoCo comes, others as it is usually asked to be accurate."""
    if variant == "default":
        return
    spec.option.solver = mujoco.mjtSolver.mjSOL_NEWTON
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    if variant == "noslip10":
        spec.option.noslip_iterations = 10
    elif variant == "impratio100":
        spec.option.impratio = 100
    elif variant == "cg":
        spec.option.solver = mujoco.mjtSolver.mjSOL_CG
        spec.option.cone = mujoco.mjtCone.mjCONE_PYRAMIDAL
    else:
        raise ValueError(f"unknown variant '{variant}'")


def anymal(variant: str, dt: float, kp: float, kd: float) -> Any:
    """models/anymal_prim.urdf on a plane: floating base, PD as position actuators, no self-collision (as ours)."""
    mujoco = load()
    spec = mujoco.MjSpec.from_file(_core.model_path("anymal_prim.urdf"))
    spec.bodies[1].add_freejoint(name="root")
    for geom in spec.geoms:
        geom.contype, geom.conaffinity, geom.condim, geom.friction = 1, 0, 3, FRICTION
    plane = {"type": mujoco.mjtGeom.mjGEOM_PLANE, "size": [0, 0, 1], "contype": 0, "conaffinity": 1}
    spec.worldbody.add_geom(**plane, condim=3, friction=FRICTION)
    for joint in spec.joints:
        if joint.type == mujoco.mjtJoint.mjJNT_HINGE:
            actuator = spec.add_actuator(name=joint.name, target=joint.name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
            actuator.set_to_position(kp=kp, kv=kd)  # force = kp (ctrl - q) - kd v, explicit
    spec.option.timestep = dt
    _set_contact(mujoco, spec, variant)
    return spec.compile()


def pile(variant: str, dt: float, centres: np.ndarray, radius: float, mass: float) -> Any:
    """Free, frictionless spheres over a plane."""
    mujoco = load()
    spec = mujoco.MjSpec()
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], condim=1)
    for centre in centres:
        body = spec.worldbody.add_body(pos=centre)
        body.add_freejoint()
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[radius, 0, 0], mass=mass, condim=1)
    spec.option.timestep = dt
    _set_contact(mujoco, spec, variant)
    return spec.compile()


def to_qpos(sim: st.Simulator, model: Any) -> np.ndarray:
    """Our q in the order of a MuJoCo model."""
    return st.convert.to_mujoco(sim, model=model)[0]


def joint_order(sim: st.Simulator, model: Any) -> np.ndarray:
    """targets[:, order] are our targets in the order of MuJoCo's actuators."""
    names = sim.robots[0].joint_names
    return np.array([names.index(model.actuator(i).name) for i in range(model.nu)])
