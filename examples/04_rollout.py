# SPDX-License-Identifier: BSD-2-Clause
"""Sixteen runs of a quadruped with different joint targets on two threads, and the same bits on one."""

import numpy as np

import stiction as st

sim = st.scene("anymal_stand")
start = np.concatenate([sim.q, sim.v])
posture = sim.pd_target
batch, steps = 16, 200

bend = 0.01 * np.arange(batch)  # run b bends every joint by b hundredths of a radian
targets = np.broadcast_to((posture + bend[:, None])[:, None, :], (batch, steps, posture.size))

states = st.rollout(sim, np.tile(start, (batch, 1)), targets=targets, threads=2)
for b in range(0, batch, 5):
    print(f"bent by {bend[b]:.2f} rad: height after {steps} steps {states[b, -1, 2]:.6f} m")

alone = st.rollout(sim, start[None], targets=targets[7:8], threads=1)
assert np.array_equal(states[7], alone[0]), "same bits for any thread count and place in the batch"
