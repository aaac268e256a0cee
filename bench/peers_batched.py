# SPDX-License-Identifier: BSD-2-Clause
"""Environment steps per second of batched runs on two threads: stiction.rollout beside mujoco.rollout, ANYmal standing.

Timed: wall time of one call for 64 runs of 200 steps, states of every step written out by both; median of 15 alternations.
"""

import time

import mujoco
import mujoco.rollout
import numpy as np

import stiction as st
from stiction.bench.peers import mujoco_models as mj

BATCH, STEPS, THREADS, ROUNDS = 64, 200, 2, 15

sim = st.scene("anymal_stand")
start = np.tile(np.concatenate([sim.q, sim.v]), (BATCH, 1))
model = mj.anymal("noslip10", sim.dt, 40.0, 1.0)
data = [mujoco.MjData(model) for _ in range(THREADS)]
data[0].qpos[:] = mj.to_qpos(sim, model)
state = np.empty(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
mujoco.mj_getState(model, data[0], state, mujoco.mjtState.mjSTATE_FULLPHYSICS)
control = np.tile(sim.pd_target[mj.joint_order(sim, model)], (BATCH, STEPS, 1))

ours, theirs = [], []
for _ in range(ROUNDS):
    begin = time.perf_counter()
    st.rollout(sim, start, steps=STEPS, threads=THREADS)
    ours.append(BATCH * STEPS / (time.perf_counter() - begin))
    begin = time.perf_counter()
    mujoco.rollout.rollout(model, data, np.tile(state, (BATCH, 1)), control, persistent_pool=True)
    theirs.append(BATCH * STEPS / (time.perf_counter() - begin))
ratio = np.array(ours) / np.array(theirs)
print(
    f"stiction {np.median(ours):.0f} steps/s, mujoco noslip10 {np.median(theirs):.0f} steps/s, "
    f"ratio {np.median(ratio):.2f} (quartiles {np.quantile(ratio, 0.25):.2f} .. {np.quantile(ratio, 0.75):.2f})"
)
