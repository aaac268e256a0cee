# SPDX-License-Identifier: BSD-2-Clause
"""The quadruped that policies are carried to in MuJoCo is the same robot. Oracle: both engines, without contact and with MuJoCo's contacts
made as rigid as they go: standing and an open-loop trot end alike. What default contacts do to it is kept as a measured difference."""

import numpy as np
import pytest

import stiction as st

pytest.importorskip("gymnasium")
mujoco = pytest.importorskip("mujoco")

from stiction.bench.peers import mujoco_models  # noqa: E402
from stiction.gym.environments import Environments  # noqa: E402
from stiction.gym.quadruped import Quadruped  # noqa: E402
from stiction.learn.transfer import MujocoBatch  # noqa: E402

DT = 1e-3


def as_rigid_as_it_goes(model):
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_REFSAFE)
    model.geom_solref[:] = [2.0 * model.opt.timestep, 1.0]
    model.geom_solimp[:] = [0.99, 0.999, 0.001, 0.5, 2.0]
    model.opt.cone, model.opt.impratio, model.opt.noslip_iterations = mujoco.mjtCone.mjCONE_ELLIPTIC, 10, 10
    model.opt.tolerance = 1e-12


def trot(stepping, batch=None):
    """(control steps, robots, 7 + 12): places of the base and angles of the joints over a second, all actions zero."""
    task = Quadruped(command=(0, 0, 0), dt=DT, stepping=stepping)
    many = Environments(task, 3, 1, batch)
    many.reset(many.all, [1, 2, 3])
    seen = []
    for _ in range(50):
        many.step(np.zeros((3, 12)))
        seen.append(np.hstack([many.batch.q[:, :7], task._angles(many.all)]))
    return np.array(seen)


def in_mujoco(change):
    batch = MujocoBatch(3)
    batch.model.opt.timestep = batch.dt = DT
    change(batch.model)
    return batch


def test_written_by_save_mjcf_it_has_the_same_masses(tmp_path):
    sim = Quadruped().simulator()
    Quadruped().world().save_mjcf(tmp_path / "robot.xml")
    written = mujoco.MjModel.from_xml_path(str(tmp_path / "robot.xml"))
    model = mujoco_models.anymal("default", 5e-3, 80.0, 2.0)
    sim.v = np.random.default_rng(0).normal(size=sim.nv)
    found = []
    for m in (model, written):
        data = mujoco.MjData(m)
        data.qpos[:], data.qvel[:] = st.convert.to_mujoco(sim, model=m)
        mujoco.mj_forward(m, data)
        dense = np.zeros((m.nv, m.nv))
        for i in range(m.nv):
            one = np.zeros(m.nv)
            one[i] = 1.0
            mujoco.mj_mulM(m, data, dense[i], one)
        names = [mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_JOINT, j).split("/")[-1] for j in range(1, m.njnt)]
        order = np.r_[np.arange(6), 6 + np.argsort(names)]
        found.append((dense[np.ix_(order, order)], data.qfrc_bias[order]))
    assert np.abs(found[0][0] - found[1][0]).max() < 1e-10 and np.abs(found[0][1] - found[1][1]).max() < 1e-9


@pytest.mark.parametrize("stepping", [0.0, 0.6])
def test_it_stands_and_trots_alike_on_rigid_ground(stepping):
    apart = np.abs(trot(stepping) - trot(stepping, in_mujoco(as_rigid_as_it_goes)))
    assert apart[..., :3].max() < 2e-3, "the base [m]"
    assert apart[..., 3:7].max() < 3e-3, "its orientation"
    assert apart[..., 7:].max() < 2e-2 and apart[..., 7:].mean() < 1.5e-3, "joints [rad]"


def test_default_contacts_let_the_feet_creep():
    """Standing: with MuJoCo's default contacts the feet creep outwards and the base sinks by more than 10 mm in a second."""
    ours, theirs = trot(0.0)[-1, :, 2], trot(0.0, in_mujoco(lambda model: None))[-1, :, 2]
    assert (theirs < ours - 0.01).all(), (ours, theirs)
