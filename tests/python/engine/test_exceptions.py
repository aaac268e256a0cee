# SPDX-License-Identifier: BSD-2-Clause
"""One rule for exceptions. Oracle: the table of docs/architecture.md, Errors: bad input is a ValueError, a missing file a FileNotFoundError
that names it, a missing extra an ImportError with the line for pip, and a numerical outcome is a status and no exception."""

import sys

import numpy as np
import pytest

import stiction as st
from stiction import control
from stiction.bench.peers import mujoco_models
from stiction.problems import loading

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
MESH = '<collision><geometry><mesh filename="{}"/></geometry></collision>'


def write(folder, name, text):
    (folder / name).write_text(text)
    return folder / name


def urdf(folder):
    return write(
        folder, "r.urdf", f'<robot name="r"><link name="base">{INERTIAL}{MESH.format("nowhere.stl")}</link></robot>'
    )


def mjcf(folder, text):
    return write(folder, "r.xml", f'<mujoco model="r">{text}</mujoco>')


MISSING_FILES = {
    "add_urdf": lambda p: st.World().add_urdf(p / "nowhere.urdf"),
    "add_sdf": lambda p: st.World().add_sdf(p / "nowhere.sdf"),
    "add_mjcf": lambda p: st.World().add_mjcf(p / "nowhere.xml"),
    "add_mesh": lambda p: st.World().add_mesh(p / "nowhere.stl", mass=1.0),
    "add_static_mesh": lambda p: st.World().add_static_mesh(p / "nowhere.stl"),
    "load_mesh": lambda p: st.load_mesh(p / "nowhere.obj"),
    "mesh of a URDF": lambda p: st.World().add_urdf(urdf(p)),
    "mesh of an MJCF": lambda p: st.World().add_mjcf(
        mjcf(
            p,
            '<asset><mesh name="m" file="nowhere.stl"/></asset><worldbody><body><geom type="mesh" mesh="m"/></body></worldbody>',
        )
    ),
    "include of an MJCF": lambda p: st.World().add_mjcf(mjcf(p, '<include file="nowhere.xml"/>')),
    "robots.add": lambda p: st.robots.add(p / "nowhere.urdf", st.World()),
    "check.robot": lambda p: st.check.robot(p / "nowhere.urdf"),
    "fclib.load": lambda p: st.fclib.load(p / "nowhere.hdf5"),
    "siconos.load": lambda p: st.siconos.load(p / "nowhere.dat"),
    "lcp.load": lambda p: st.lcp.load(p / "nowhere.npz"),
    "problems.loading.load": lambda p: loading.load(p / "nowhere.dat"),
    "recording.load": lambda p: st.recording.load(p / "nowhere.mcap"),
    "recording.source": lambda p: st.recording.source(p / "nowhere.mcap"),
    "control.solo_world": lambda p: control.solo_world(p / "nowhere.urdf"),
    "control.load_reference": lambda p: control.load_reference(p, "nowhere"),
}


@pytest.mark.parametrize("call", MISSING_FILES)
def test_a_missing_file_is_a_file_not_found(call, tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere") as caught:
        MISSING_FILES[call](tmp_path)
    assert not isinstance(caught.value, ValueError)


def sim():
    world = st.World()
    world.add_ground()
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1), name="ball")
    return st.Simulator(world)


PROBLEM = st.ContactProblem(np.eye(3), [0.1, 0, -1], mu=0.5)

BAD_INPUT = {
    "a broken file": lambda p: st.World().add_urdf(write(p, "r.urdf", "<robot")),
    "a folder for a file": lambda p: st.recording.load(p),
    "a robot's name": lambda p: st.robots.load("starlet", st.World()),
    "a scene's name": lambda p: st.scene("cube_slid"),
    "a scene's parameter": lambda p: st.scene("cube_slide", angel=0.5),
    "a law's name": lambda p: st.Simulator(st.World(), law="coulom"),
    "an option": lambda p: st.Simulator(st.World(), solver_options=dict(tolerence=1)),
    "a body": lambda p: sim().pose("boll"),
    "a joint": lambda p: sim().set_joints({"knee": 0.1}),
    "an array": lambda p: sim().step(tau=[1.0, 2.0]),
    "a blob": lambda p: sim().restore(b"nonsense"),
    "a solver's name": lambda p: st.solve(PROBLEM, solver="nsg"),
    "a warm start": lambda p: st.solve(PROBLEM, warm_start=[1.0]),
    "a matrix": lambda p: st.ContactProblem(np.eye(3), [0, 0], mu=0.5),
    "friction": lambda p: st.ContactProblem(np.eye(3), [0, 0, 1], mu=-1.0),
    "a file that is no recording": lambda p: st.recording.load(write(p, "r.mcap", "text")),
    "a file that is no problem": lambda p: loading.load(write(p, "r.txt", "text")),
}


@pytest.mark.parametrize("call", BAD_INPUT)
def test_bad_input_is_a_value_error(call, tmp_path):
    with pytest.raises(ValueError) as caught:
        BAD_INPUT[call](tmp_path)
    assert isinstance(caught.value, st.InvalidInput) and len(str(caught.value)) > 10


MISSING_EXTRAS = {
    "fclib": ("h5py", lambda p: st.fclib.load(write(p, "r.hdf5", "text"))),
    "viewer": ("viser", lambda p: st.view(sim(), block=False)),
    "video": ("imageio_ffmpeg", lambda p: st.render.Film(p / "a.mp4", (96, 54))),
    "control": ("proxsuite", lambda p: control.qp._proxqp()),
    "bench": ("mujoco", lambda p: mujoco_models.load()),
}


@pytest.mark.parametrize("extra", MISSING_EXTRAS)
def test_a_missing_extra_is_an_import_error_with_the_line_for_pip(extra, tmp_path, monkeypatch):
    module, call = MISSING_EXTRAS[extra]
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=rf"pip install 'stiction\[{extra}\]'"):
        call(tmp_path)


def test_a_robot_of_an_extra_that_is_missing_is_an_import_error(monkeypatch):
    monkeypatch.setattr(st.robots, "_data_folder", lambda: None)
    with pytest.raises(ImportError, match=r"pip install 'stiction\[robots\]'"):
        control.solo_world()


def test_a_numerical_outcome_is_a_status():
    few = st.solve(st.ContactProblem(np.eye(6) + 0.9, -np.ones(6), mu=[0.5, 0.5]), solver="jor", max_iterations=1)[1]
    assert few.status == "max_iterations" and not few.ok
    # one bilateral row that no impulse can move
    blocks = [st.Block.bilateral(1)]
    stuck = st.solve(st.ContactProblem(np.zeros((1, 1)), [1.0], blocks=blocks, dt=1e-3))[1]
    assert stuck.status != "converged" and not stuck.ok
    far = sim()
    far.v[:] = 1e308
    report = far.step(n=3)
    assert report.status == "numerical_failure" and not report.ok and np.isfinite(far.q).all()
