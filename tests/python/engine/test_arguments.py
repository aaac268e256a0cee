# SPDX-License-Identifier: BSD-2-Clause
"""Arguments of the wrong kind at functions written in Python: TypeError or ValueError with the name of the argument."""

import numpy as np
import pytest

import stiction as st
from stiction import control, learn
from stiction.output.arguments import named

WRONG = {
    "linearize": (lambda x: st.linearize(x, np.zeros((2, 3))), "sim"),
    "backward": (lambda x: st.backward(x, np.zeros((2, 3)), np.zeros(3)), "sim"),
    "ilqr": (lambda x: control.ilqr(x, 3), "plan"),
    "standing_torque": (lambda x: control.standing_torque(x, []), "sim"),
    "record": (lambda x: st.record(x, "nowhere.mcap"), "sim"),
    "replay": (lambda x: st.recording.replay(x), "log|recording"),
    "picture": (lambda x: st.render.picture(x), "source|sim"),
    "to_mujoco": (lambda x: st.convert.to_mujoco(x), "sim"),
    "evaluate": (lambda x: learn.evaluate(x), "policy"),
    "save": (lambda x: st.fclib.save("nowhere.hdf5", x), "problem"),
    "siconos": (lambda x: st.siconos.save("nowhere.dat", x), "problem"),
}


@pytest.mark.parametrize("thing", [None, 3, np.zeros(3), object()], ids=["None", "int", "array", "object"])
@pytest.mark.parametrize("name", WRONG)
def test_objects_of_other_classes_are_named(name, thing):
    call, argument = WRONG[name]
    with pytest.raises((TypeError, ValueError), match=argument):
        call(thing)


@pytest.mark.parametrize(
    "load", [st.recording.load, st.siconos.load, st.check.robot, learn.load, st.fclib.load, st.lcp.load]
)
def test_names_that_no_file_can_have(load):
    with pytest.raises((ValueError, FileNotFoundError)):
        load("a" * 5000)


@pytest.mark.parametrize("thing", ["", [], (1, 2)])
def test_joints_are_set_by_name(thing):
    with pytest.raises((ValueError, TypeError), match="set_joints"):
        st.Simulator(st.World()).set_joints(thing)


HALF = "half a character: \ud800"
HALVES = {
    "body": lambda: st.Simulator(st.World()).apply_wrench(HALF, (0, 0, 0)),
    "frame": lambda: st.Simulator(st.World()).frame(HALF),
    "law": lambda: st.Simulator(st.World(), law=HALF),
    "key": lambda: st.Simulator(st.World(), law_options={HALF: 1}),
    "robot": lambda: st.World().add_loop(HALF, None),
}


@pytest.mark.parametrize("name", HALVES)
def test_text_that_is_no_text(name):
    """RuntimeError: std::bad_cast."""
    with pytest.raises((ValueError, TypeError)):
        HALVES[name]()


def test_what_works_may_be_of_any_class():
    class Like:
        size = 3

    @named
    def size(sim: st.Simulator, more: int = 0) -> int:
        return sim.size + more

    assert size(Like(), 2) == 5
    with pytest.raises(TypeError, match="sim is of the class int, expected Simulator"):
        size(7)
    with pytest.raises(AttributeError):  # a defect of ours stays one
        size(st.Simulator(st.World()))
