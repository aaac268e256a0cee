# SPDX-License-Identifier: BSD-2-Clause
"""Simulators that tests of batches step: scenes under every stepper, and a robot with servos, filters and a floor."""

import tempfile
from pathlib import Path

import numpy as np

import stiction as st

HOPPER = """<mujoco model="hopper"><option timestep="0.002"/><worldbody><geom type="plane" size="5 5 .1"/>
  <body name="trunk" pos="0 0 .42"><freejoint/><geom type="box" size=".1 .08 .05" mass="3"/>
    <body name="thigh" pos="0 0 -.05"><joint name="hip" axis="0 1 0" range="-60 60"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.15" size=".03" mass=".5"/>
      <body name="shank" pos="0 0 -.15"><joint name="knee" axis="0 1 0" damping=".1"/>
        <geom type="capsule" fromto="0 0 0 0 0 -.15" size=".025" mass=".3"/></body></body></body></worldbody>
  <actuator><position name="servo" joint="hip" kp="30" kv="1"/>
    <general name="muscle" joint="knee" dyntype="filter" dynprm=".02" gainprm="3"/></actuator></mujoco>"""


def is_stepped(law, stepper):
    try:
        st.scene("cube_slide", law=law, stepper=stepper)
    except st.InvalidInput:
        return False
    return True


# every stepper, with a law of every family that it steps
STEPPERS = [
    (law, entry.name)
    for entry in st.catalog()["steppers"]
    for law in ("coulomb", "anchored", "relaxed", "compliant")
    if is_stepped(law, entry.name)
]


def hopper():
    world = st.World()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hopper.xml"
        path.write_text(HOPPER)
        world.add_mjcf(path)
    sim = st.Simulator(world)
    sim.ctrl[:] = [0.2, 0.5]
    return sim


def anymal(**options):
    return st.scene("anymal_stand", **options)


def scatter(batch, seed=0, size=0.02):
    """Different velocities everywhere."""
    batch.v[:] += size * np.random.default_rng(seed).uniform(-1, 1, batch.v.shape)


def hashes(batch):
    return [batch[i].hash() for i in range(len(batch))]
