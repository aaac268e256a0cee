# SPDX-License-Identifier: BSD-2-Clause
"""Sixteen runs of a quadruped with random joint targets on two threads, and the same bits on one."""

import numpy as np
import stiction as st

sim = st.scene("anymal_stand")
start = np.concatenate([sim.q, sim.v])
random = np.random.default_rng(0)
batch, steps = 16, 200
posture = sim.pd_target
targets = posture + 0.1 * random.standard_normal((batch, 1, posture.size)) * np.ones((1, steps, 1))

states, unaccepted = st.rollout(sim, np.tile(start, (batch, 1)), targets=targets, threads=2, return_unaccepted=True)
print("states", states.shape, "heights at the end:", np.round(states[:, -1, 2], 3))
print("steps not accepted by the judge:", sum(unaccepted))

alone = st.rollout(sim, start[None], targets=targets[7:8], threads=1)
assert np.array_equal(states[7], alone[0]), "same bits for any thread count and place in the batch"
