# SPDX-License-Identifier: BSD-2-Clause
"""What goes wrong. Oracle: a batch in which nothing does; sentences that name the field; nothing has changed."""

import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import stiction as st
from batch_worlds import anymal, hashes, hopper, scatter


def not_a_number_in_q(batch, i):
    batch.q[i, 0] = np.nan
    return {}


def no_rotation(batch, i):
    batch.q[i, 3:7] = [0.0, 0.0, 0.0, 2.0]
    return {}


def not_a_number_in_ctrl(batch, i):
    ctrl = batch.ctrl.copy()
    ctrl[i, 1] = np.nan
    return {"ctrl": ctrl}


def infinite_effort(batch, i):
    tau = np.zeros((len(batch), batch.ntau))
    tau[i, 0] = np.inf
    return {"tau": tau}


def too_fast(batch, i):
    batch.v[i] = 1e200
    return {}


REFUSED = {not_a_number_in_q: r"State\.q\[0\] is nan", no_rotation: r"length 2", not_a_number_in_ctrl: r"ctrl\[1\] is nan",
           infinite_effort: r"tau\[0\] is inf"}  # fmt: skip


@pytest.mark.parametrize("harm", [*REFUSED, too_fast], ids=lambda f: f.__name__)
@pytest.mark.parametrize("threads", [1, 2])
def test_one_that_fails_touches_no_other(harm, threads):
    healthy, harmed = st.BatchSimulator(hopper(), 100, threads), st.BatchSimulator(hopper(), 100, threads)
    for batch in (healthy, harmed):
        scatter(batch, size=0.2)
        batch.step(n=10)
    arguments = harm(harmed, 41)
    before = harmed[41].save()
    healthy.step(n=10)
    report = harmed.step(n=10, **arguments)
    assert np.array_equal(np.flatnonzero(report.failed), [41]) and not report.ok[41]
    assert report.steps[41] < 10 and (np.delete(report.steps, 41) == 10).all()
    if harm in REFUSED:
        assert report.status[41] == "invalid_problem" and list(report.refused) == [41]
        assert re.search(REFUSED[harm], report.refused[41]), report.refused
        assert harmed[41].save() == before, "it stays where it is"
    else:
        assert report.status[41] in ("numerical_failure", "unphysical") and report.refused == {}
    assert np.delete(hashes(healthy), 41).tolist() == np.delete(hashes(harmed), 41).tolist()
    harmed.reset(report.failed)
    assert harmed.step(n=5).failed.sum() == 0


def test_a_deep_overlap_is_its_own():
    healthy, harmed = st.BatchSimulator(anymal(), 64, 2), st.BatchSimulator(anymal(), 64, 2)
    harmed.q[17, 2] -= 0.4  # most of the robot below the floor
    healthy.step(n=20)
    report = harmed.step(n=20)
    assert np.isfinite(harmed.q).all() and np.isfinite(harmed.v).all()
    assert np.delete(report.ok, 17).all()
    assert np.delete(hashes(healthy), 17).tolist() == np.delete(hashes(harmed), 17).tolist()
    assert hashes(healthy)[17] != hashes(harmed)[17]


@pytest.fixture(scope="module")
def batch():
    return st.BatchSimulator(hopper(), 4, 2)


WRONG = {
    "n": (lambda b: b.step(n=0), "step.n is 0"),
    "shape of ctrl": (lambda b: b.step(ctrl=np.zeros((4, 3))), "step.ctrl has shape (4, 3), expected (4, 2), or (2,)"),
    "number of rows": (lambda b: b.step(ctrl=np.zeros((3, 2))), "step.ctrl has shape (3, 2)"),
    "ctrl of all": (lambda b: b.step(ctrl=[0.0, np.nan]), "step.ctrl[1] is nan"),
    "text": (lambda b: b.step(ctrl="fast"), "step.ctrl cannot be read as numbers"),
    "complex": (lambda b: b.step(ctrl=np.zeros((4, 2)) * 1j), "step.ctrl has complex numbers"),
    "target without gains": (lambda b: b.step(target=np.zeros((4, 2))), "step.target needs gains"),
    "q": (lambda b: setattr(b, "q", np.full((4, 9), np.nan)), "BatchSimulator.q[0, 0] is nan"),
    "v of one row": (lambda b: setattr(b, "v", np.full(8, np.inf)), "BatchSimulator.v[0] is inf"),
    "shape of v": (lambda b: setattr(b, "v", np.zeros((8, 4))), "BatchSimulator.v has shape (8, 4)"),
    "time": (lambda b: setattr(b, "time", np.zeros(3)), "BatchSimulator.time has size 3, expected 4"),
    "length of the mask": (lambda b: b.reset([True, False]), "reset.mask has shape (2,), expected 4 bools"),
    "index": (lambda b: b.reset([0, 4]), "reset.mask has the index 4, expected 0 to 3"),
    "mask of numbers": (lambda b: b.reset([0.5]), "reset.mask is [0.5]"),
    "noise": (lambda b: b.reset(noise=-0.1), "reset.noise is -0.1"),
    "noise that is not finite": (lambda b: b.reset(noise={"v": np.nan}), "reset.noise['v'] is nan"),
    "kind of noise": (lambda b: b.reset(noise={"x": 0.1}), "reset.noise has the key 'x', expected 'q' or 'v'"),
    "size of noise": (lambda b: b.reset(noise=[0.1, 0.1]), "reset.noise has size 2, expected 8"),
    "gains": (lambda b: b.set_pd(-1.0), "set_pd.kp is -1"),
    "gains that are not finite": (lambda b: b.set_pd(np.nan), "set_pd.kp is nan"),
    "body": (lambda b: b.apply_wrench("trunc", (0, 0, 1)), "trunc"),
    "force": (lambda b: b.apply_wrench("trunk", np.full((4, 3), np.nan)), "apply_wrench.force[0, 0] is nan"),
    "size of force": (lambda b: b.apply_wrench("trunk", (0, 1)), "apply_wrench.force has shape (2,)"),
    "blob": (lambda b: b.restore(b"nothing"), "blob"),
    "blob cut short": (lambda b: b.restore(b.save()[:-5]), "blob"),
    "blob of another size": (
        lambda b: b.restore(st.BatchSimulator(hopper(), 5, 1).save()),
        "blob has 5 environments, this batch has 4",
    ),
    "blob of another world": (lambda b: b.restore(anymal().save()), "another world"),
    "simulator of another world": (lambda b: b.__setitem__(0, anymal()), "another world"),
    "no environments": (lambda b: st.BatchSimulator(hopper(), 0), "BatchSimulator.n is 0, expected at least 1"),
    "no threads": (lambda b: st.BatchSimulator(hopper(), 2, 0), "BatchSimulator.threads is 0, expected at least 1"),
    "no actuators": (lambda b: st.BatchSimulator(anymal(), 2).step(ctrl=np.zeros((2, 12))), "no actuators; joint efforts are tau="),
    "noise and cut joints": (
        lambda b: st.BatchSimulator(anymal(coordinates="maximal"), 2).reset(noise=0.1),
        "coordinates='minimal'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_is_a_sentence_and_changes_nothing(batch, case):
    call, words = WRONG[case]
    before = batch.save()
    with pytest.raises(ValueError) as refused:
        call(batch)
    assert words in str(refused.value)
    assert batch.save() == before
    assert batch.step().ok.all(), "no push is left"
    batch.restore(before)


def test_a_damaged_blob_is_refused(batch):
    blob = bytearray(batch.save())
    for place in range(0, len(blob), 61):
        damaged = bytearray(blob)
        damaged[place] ^= 0x5A
        with pytest.raises(st.InvalidInput, match="blob"):
            batch.restore(bytes(damaged))
    assert batch.save() == bytes(blob)


def test_ctrl_c_ends_all_after_a_whole_step():
    code = """
        import numpy as np
        import stiction as st
        batch = st.BatchSimulator(st.scene("anymal_stand"), 16, 2)
        print("ready", flush=True)
        try:
            batch.step(n=10**8)
        except KeyboardInterrupt:
            steps = batch.time / batch.dt
            print("stopped", np.isfinite(batch.q).all() and steps.max() > 0 and np.allclose(steps, steps.round()), flush=True)
            batch.reset()
            print(batch.step(n=3).ok.all())
        """
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], env=environment, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    assert child.returncode == 0 and out == "stopped True\nTrue\n"


def test_after_a_fork_the_caller_does_the_work():
    code = """
        import os, signal
        import stiction as st
        batch = st.BatchSimulator(st.scene("anymal_stand"), 5, 2)
        blob = batch.save()
        batch.step(n=5)
        wanted = batch.hash()
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            batch.restore(blob)
            batch.step(n=5)
            os._exit(0 if batch.hash() == wanted else 1)
        print("code", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", textwrap.dedent(code)], env=environment,
                          capture_output=True, text=True, timeout=120)  # fmt: skip
    assert done.stdout == "code 0\n", done.stderr


def test_threads_of_python_may_share_a_batch():
    batch = st.BatchSimulator(anymal(), 8, 2)
    callers = [threading.Thread(target=lambda: [batch.step(n=2) for _ in range(20)]) for _ in range(3)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    alone = st.BatchSimulator(anymal(), 8, 1)
    alone.step(n=120)
    assert batch.hash() == alone.hash()
