# SPDX-License-Identifier: BSD-2-Clause
"""Friction and softness that vary, in lanes. Oracle: simulators that are stepped alone, bit for bit."""

import numpy as np
import pytest

import stiction as st
from batch_worlds import anymal


@pytest.mark.parametrize("lanes", ["off", "sse2"])
def test_friction_and_softness_vary_in_lanes(lanes, monkeypatch):
    """What laws alone read keeps the lanes; the bits are those of simulators alone, for any instruction set."""
    monkeypatch.setenv("STICTION_LANES", lanes)
    batch = st.BatchSimulator(anymal(), 9, 2)
    random = np.random.default_rng(3)
    batch.parameters["mu"] = random.uniform(0.1, 0.9, (9, 1))
    batch.parameters["contact_stiffness"][::2] = random.uniform(5e3, 5e4, (5, 1))
    batch.parameters["contact_damping"] = random.uniform(50, 300, (9, 1))
    alone = [batch[i] for i in range(9)]
    target = np.array(alone[0].pd_target) + random.uniform(-0.3, 0.3, (9, 12))
    for _ in range(10):
        batch.step(target=target, n=5)
    for i, sim in enumerate(alone):
        sim.step(target=target[i], n=50)
        assert np.array_equal(batch.q[i], sim.q) and np.array_equal(batch.v[i], sim.v), i
