# SPDX-License-Identifier: BSD-2-Clause
"""MJCF robots that others wrote, in stiction and in MuJoCo. As a program, it prints a row per file:

    python tests/python/support/robots_of_others.py pairs|servo|stand FILE.xml ...

pairs   pairs of bodies that overlap by more than 1 mm at the same start, in one engine only
servo   no contacts, dt 0.1 ms, from the first keyframe with its ctrl, half a second: largest difference of a joint [rad, m]; rigid, and
        with softness="file"
stand   with contacts at the file's own step, 5 s from the first keyframe: lowest height of the base over that of the start, in both
"""

import itertools
import sys
from pathlib import Path

import numpy as np

import stiction as st

# Parts of the file that act on the motion and are not simulated yet.
TENDONS = ("robotiq_2f85", "shadow_hand", "stanford_tidybot/scene.xml")


def has_tendons(path):
    return any(name in str(path) for name in TENDONS)


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
    """(in stiction only, in MuJoCo only); bodies without a name cannot be matched."""
    model, data = mujoco_start(path)
    sim = our_start(path, model, data)
    sim.step()

    def name(body):
        body = model.body_weldid[body]
        return "world" if body == 0 else model.body(body).name

    theirs = {
        tuple(sorted((name(model.geom_bodyid[c.geom1]), name(model.geom_bodyid[c.geom2]))))
        for c in data.contact
        if c.dist < -depth
    }
    bodies = [b.name for b in sim.bodies]
    ours = {
        tuple(sorted("world" if b < 0 else bodies[b] for b in (int(c["body_a"]), int(c["body_b"]))))
        for c in sim.contacts()
        if c["gap"] < -depth
    }
    named = lambda found: sorted(pair for pair in found if all(pair))
    return named(ours - theirs), named(theirs - ours)


def servo_difference(path, softness, seconds=0.5, dt=1e-4):
    """(largest difference of a joint, its name, how far the joints moved)"""
    import mujoco

    model, data = mujoco_start(path, timestep=dt, disableflags=int(mujoco.mjtDisableBit.mjDSBL_CONTACT))
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
    """Lowest height of the first free body over its start, (ours, MuJoCo's); None if nothing is free."""
    import mujoco

    model, data = mujoco_start(path)
    if not model.njnt or model.jnt_type[0] != 0:
        return None
    sim = our_start(path, model, data, **settings)
    start = data.qpos[2]
    lowest = [1.0, 1.0]
    for _ in range(round(seconds / model.opt.timestep)):
        sim.step()
        mujoco.mj_step(model, data)
        heights = st.convert.to_mujoco(sim, model=model)[0][2], data.qpos[2]
        lowest = [min(low, height / start) for low, height in zip(lowest, heights, strict=True)]
    return tuple(lowest)


def main(what, *files):
    for path in files:
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
        except Exception as error:
            print(f"{name:44s} {type(error).__name__}: {str(error)[:120]}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
