# SPDX-License-Identifier: BSD-2-Clause
"""cluster.collect. Oracle: the batch stepped here, chunk by chunk."""

import numpy as np
import pytest

import stiction as st
from stiction import cluster
from sweep_tasks import damp


@pytest.fixture
def batch():
    out = st.BatchSimulator(st.scene("anymal_stand"), n=70, threads=1)
    out.reset(noise=0.02, seed=3)
    return out


def test_the_bits_are_those_of_a_loop(batch):
    before = batch.save()
    found = [cluster.collect(damp, batch, workers=n, steps=3, repeat=2) for n in (1, 2)]
    assert batch.save() == before, "the batch stays as it is"
    for key, value in found[0].items():
        np.testing.assert_array_equal(value, found[1][key])
    assert found[0]["observations"].shape == (70, 4, batch.nq + batch.nv) and found[0]["actions"].shape == (70, 3, 12)
    for k in range(3):
        observation = np.hstack([batch.q, batch.v])
        np.testing.assert_array_equal(found[0]["observations"][:, k], observation)
        np.testing.assert_array_equal(found[0]["actions"][:, k], damp(observation))
        batch.step(target=damp(observation), n=2)
    assert found[0]["hashes"].tolist() == [batch[i].hash() for i in range(70)] and not found[0]["failed"].any()


def test_wrong_input(batch):
    with pytest.raises(ValueError, match="steps is 0, expected a whole number >= 1"):
        cluster.collect(damp, batch, steps=0)
    with pytest.raises(ValueError, match="drive is 'torque', expected ctrl, target, tau or auto"):
        cluster.collect(damp, batch, drive="torque")
    with pytest.raises(RuntimeError, match=r"target.*shape"):
        cluster.collect(np.ravel, batch, workers=1, steps=1)
