# SPDX-License-Identifier: BSD-2-Clause
"""DLPack with JAX, where it is installed: the same memory."""

import numpy as np
import pytest

import stiction as st
from batch_worlds import anymal


def test_jax_reads_without_a_copy():
    jax = pytest.importorskip("jax", reason="JAX is not installed (pip install jax)")
    jax.config.update("jax_enable_x64", True)
    world = st.World()
    world.add_ground()
    world.add_sensor("gyro", world.add_box((0.2, 0.2, 0.2), 1.0, position=(0, 0, 0.3)))
    watched = st.BatchSimulator(st.Simulator(world), 4, 1)
    watched.watch(sensors=True)
    batch = st.BatchSimulator(anymal(), 4, 1)
    for view in (batch.q, batch.v, watched.sensor_data):
        array = jax.dlpack.from_dlpack(view)
        assert array.shape == view.shape and str(array.dtype) == "float64"
        assert np.array_equal(np.asarray(array), view)
    q = jax.dlpack.from_dlpack(batch.q)
    assert q.unsafe_buffer_pointer() == batch.q.ctypes.data
    before = np.array(q)
    batch.step(n=5)
    assert not np.array_equal(np.asarray(q), before), "the same memory"
    del q, array
