# SPDX-License-Identifier: BSD-2-Clause
"""What a robot weighs, is pushed by and touches, in stiction and in MuJoCo at the same states."""

from __future__ import annotations

from typing import Any

import numpy as np

import stiction as st

STATES = 5
KINDS = ("M", "bias", "passive", "actuator")


def relative(ours: np.ndarray, theirs: np.ndarray) -> float:
    """Largest difference over the largest entry."""
    return float(np.abs(ours - theirs).max(initial=0.0) / max(np.abs(theirs).max(initial=0.0), 1e-6))


def random_controls(model: Any, random: np.random.Generator) -> np.ndarray:
    low, high = model.actuator_ctrlrange.T
    limited = model.actuator_ctrllimited.astype(bool)
    inside = low + random.random(model.nu) * np.where(limited, high - low, 0.0)
    return np.where(limited, inside, random.standard_normal(model.nu))


def velocity_map(sim: st.Simulator, model: Any, qpos: np.ndarray) -> np.ndarray:
    """T with v = T qvel."""
    unit = np.eye(model.nv)
    return np.column_stack([st.convert.from_mujoco(sim, qpos, row, model=model)[1] for row in unit])


def turning_axes(sim: st.Simulator) -> np.ndarray:
    """Of floating bases: d/dt of velocities in body axes at a constant velocity in world axes."""
    out = np.zeros(len(sim.v))
    for body in sim.bodies:
        if body.q_slice.stop - body.q_slice.start == 7:
            v = np.array(sim.v[body.v_slice])
            out[body.v_slice.start : body.v_slice.start + 3] = -np.cross(v[3:], v[:3])
    return out


def forces(sim: st.Simulator, model: Any) -> dict[str, float]:
    """Largest relative differences of mass matrix (scaled by its diagonal), bias, passive and actuator forces at random states."""
    import mujoco

    random, data = np.random.default_rng(2), mujoco.MjData(model)
    worst = dict.fromkeys(KINDS, 0.0)
    for _ in range(STATES):
        qpos, qvel = np.array(model.qpos0), random.standard_normal(model.nv)
        mujoco.mj_integratePos(model, qpos, random.standard_normal(model.nv), 0.3)
        data.qpos[:], data.qvel[:], data.ctrl[:] = qpos, qvel, random_controls(model, random)
        mujoco.mj_forward(model, data)
        sim.q, sim.v = st.convert.from_mujoco(sim, qpos, qvel, model=model)
        sim.ctrl[:] = data.ctrl
        T, ours, theirs = velocity_map(sim, model, qpos), sim.mass_matrix(), np.zeros((model.nv, model.nv))
        for row, unit in zip(theirs, np.eye(model.nv), strict=True):
            mujoco.mj_mulM(model, data, row, unit)
        scale = np.sqrt(np.outer(np.diag(theirs), np.diag(theirs)))
        found = {
            "M": float(np.abs((T.T @ ours @ T - theirs) / scale).max()),
            "bias": relative(T.T @ (sim.bias() + ours @ turning_axes(sim)), np.array(data.qfrc_bias)),
            "passive": relative(T.T @ sim.passive_forces(), np.array(data.qfrc_passive)),
            "actuator": relative(T.T @ sim.joint_actuation(), np.array(data.qfrc_actuator)),
        }
        worst = {name: max(value, found[name]) for name, value in worst.items()}
    return worst


def overlapping(sim: st.Simulator, model: Any, data: Any, depth: float = 1e-3) -> tuple[list, list]:
    """Pairs of bodies that overlap by more than `depth` (in stiction only, in MuJoCo only), after a step of `sim` that began at the state
    of `data`. Bodies without a name in the file cannot be matched."""

    def name(body: int) -> str:
        body = model.body_weldid[body]
        return "world" if body == 0 else model.body(body).name

    theirs = {
        tuple(sorted((name(model.geom_bodyid[c.geom1]), name(model.geom_bodyid[c.geom2]))))
        for c in data.contact
        if c.dist < -depth
    }
    known = {model.body(body).name for body in range(1, model.nbody)}
    bodies = [body.name if body.name in known else "" for body in sim.bodies]
    ours = {
        tuple(sorted("world" if body < 0 else bodies[body] for body in (int(c["body_a"]), int(c["body_b"]))))
        for c in sim.contacts()
        if c["gap"] < -depth
    }
    return tuple(sorted(pair for pair in found if all(pair)) for found in (ours - theirs, theirs - ours))
