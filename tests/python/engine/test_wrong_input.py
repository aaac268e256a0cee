# SPDX-License-Identifier: BSD-2-Clause
"""Wrong input is refused before anything changes. Oracle: the sentence names field, value and what was wanted."""

import re

import numpy as np
import pytest

import stiction as st

URDF = """<robot name="r"><link name="base"><inertial><mass value="{mass}"/>
<inertia ixx="{ixx}" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
<collision><geometry><sphere radius="0.1"/></geometry></collision></link></robot>"""


def world():
    w = st.World()
    w.add_ground(mu=0.8)
    w.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1), name="ball")
    return w


def simulator(**settings):
    return st.Simulator(world(), **settings)


def write(tmp_path, text):
    path = tmp_path / "robot.urdf"
    path.write_text(text)
    return path


WRONG_WORLDS = {
    "broken xml": (lambda w, p: w.add_urdf(write(p, "<robot><link")), ["robot.urdf"]),
    "not a robot": (lambda w, p: w.add_urdf(write(p, "<cake/>")), ["robot.urdf"]),
    "negative mass in a file": (lambda w, p: w.add_urdf(write(p, URDF.format(mass=-1, ixx=1))), ["mass", "-1"]),
    "bad inertia in a file": (lambda w, p: w.add_urdf(write(p, URDF.format(mass=1, ixx=-1))), ["inertia"]),
    "negative mass": (lambda w, p: w.add_sphere(radius=0.1, mass=-2.0), ["mass", "-2"]),
    "zero radius": (lambda w, p: w.add_sphere(radius=0.0, mass=1.0), ["radius", "0"]),
    "nan radius": (lambda w, p: w.add_sphere(radius=float("nan"), mass=1.0), ["radius", "nan"]),
    "negative size": (lambda w, p: w.add_box(size=(1, -1, 1), mass=1.0), ["-1"]),
    "indefinite inertia": (lambda w, p: w.add_box(size=(1, 1, 1), mass=1, inertia=np.diag([1, 1, -1])), ["inertia"]),
    "inertia of wrong shape": (
        lambda w, p: w.add_box(size=(1, 1, 1), mass=1, inertia=np.eye(2)),
        ["inertia", "(2, 2)"],
    ),
    "negative mu": (lambda w, p: w.add_sphere(radius=1, mass=1, mu=-0.5), ["mu", "-0.5"]),
    "restitution above one": (lambda w, p: w.add_sphere(radius=1, mass=1, restitution=1.5), ["restitution", "1.5"]),
    "negative stiffness": (lambda w, p: w.add_sphere(radius=1, mass=1, stiffness=-1), ["stiffness", "-1"]),
    "position of two numbers": (lambda w, p: w.add_sphere(radius=1, mass=1, position=(0, 0)), ["position", "2", "3"]),
    "nan position": (lambda w, p: w.add_sphere(radius=1, mass=1, position=(0, 0, np.nan)), ["position[2]", "nan"]),
    "text for a position": (lambda w, p: w.add_sphere(radius=1, mass=1, position="here"), ["position", "here"]),
    "not a rotation": (lambda w, p: w.add_sphere(radius=1, mass=1, rotation=(0, 0, 0, 2)), ["rotation", "2"]),
    "mesh without faces": (lambda w, p: w.add_static_mesh((np.eye(3), [])), ["face"]),
    "mesh with a wrong index": (lambda w, p: w.add_static_mesh((np.eye(3), [[0, 1, 7]])), ["7"]),
    "flat hull": (lambda w, p: w.add_convex(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]]), mass=1.0), ["convex"]),
    "heightfield of one row": (lambda w, p: w.add_heightfield(np.zeros((1, 5)), size=(1, 1)), ["height"]),
    "unknown body": (lambda w, p: w.add_contact_point("bal"), ["bal", "ball"]),
    "gravity of two numbers": (lambda w, p: setattr(w, "gravity", (0, 0)), ["gravity", "2", "3"]),
    "unknown loop kind": (lambda w, p: w.add_loop("ball", None, kind="glue"), ["glue", "weld"]),
}


@pytest.mark.parametrize("case", WRONG_WORLDS)
def test_world_refuses(case, tmp_path):
    build, words = WRONG_WORLDS[case]
    w = world()
    before, fingerprint = repr(w), st.Simulator(w).save()
    with pytest.raises(ValueError) as caught:
        build(w, tmp_path)
    for word in words:
        assert word.lower() in str(caught.value).lower(), str(caught.value)
    assert repr(w) == before
    st.Simulator(w).restore(fingerprint)  # the world is the same bit for bit, or this is refused


def test_material_that_nobody_describes_is_refused_when_the_world_is_compiled():
    """Materials may be named before they are described, so the world is complete only here."""
    w = world()
    w.add_material("rubber", mu=1.0)
    w.add_static_box(size=(1, 1, 1), material="ruber")
    with pytest.raises(ValueError, match="did you mean 'rubber'"):
        st.Simulator(w)


WRONG_SETTINGS = {
    "dt": (dict(dt=0.0), ["dt", "0"]),
    "negative dt": (dict(dt=-1e-3), ["dt"]),
    "nan dt": (dict(dt=float("nan")), ["dt"]),
    "law": (dict(law="coulom"), ["coulom", "did you mean 'coulomb'"]),
    "solver": (dict(solver="nsg"), ["nsg", "did you mean 'nsgs'"]),
    "stepper": (dict(stepper="semi_implict"), ["did you mean 'semi_implicit'"]),
    "coordinates": (dict(coordinates="maximl"), ["maximl", "did you mean 'maximal'"]),
    "law option": (dict(law_options=dict(baumgart=0.1)), ["baumgart", "did you mean 'baumgarte'"]),
    "solver option": (dict(solver_options=dict(tolerence=1e-8)), ["did you mean 'tolerance'"]),
    "option of a wrong type": (dict(solver_options=dict(max_iterations="many")), ["max_iterations"]),
    "option out of range": (dict(solver_options=dict(tolerance=-1.0)), ["tolerance", "-1"]),
    "option that is no number": (dict(solver_options=dict(tolerance=[1])), ["tolerance"]),
    "time limit": (dict(solver_options=dict(time_limit=1.0)), ["time_limit"]),
    "senseless pair": (dict(law="pyramid", solver="nsgs"), ["nsgs", "pyramid"]),
    "pyramid's option elsewhere": (dict(law="coulomb", law_options=dict(facets=8)), ["facets"]),
}


@pytest.mark.parametrize("case", WRONG_SETTINGS)
def test_simulator_refuses(case):
    settings, words = WRONG_SETTINGS[case]
    with pytest.raises(ValueError) as caught:
        simulator(**settings)
    for word in words:
        assert word in str(caught.value)


WRONG_CALLS = {
    "nan in q": (lambda s: (s.q.__setitem__(0, np.nan), s.step()), ["q", "nan"]),
    "infinite v": (lambda s: (s.v.__setitem__(3, np.inf), s.step()), ["v", "inf"]),
    "quaternion": (lambda s: (s.q.__setitem__(slice(3, 7), 0.0), s.step()), ["quaternion"]),
    "tau of wrong size": (lambda s: s.step(tau=[1.0]), ["step.tau", "size 1", "expected 0"]),
    "target without gains": (lambda s: s.step(target=[]), ["set_pd"]),
    "n": (lambda s: s.step(n=0), ["step.n", "0"]),
    "negative gain": (lambda s: st.scene("anymal_stand").set_pd(kp=-1.0), ["kp", "-1"]),
    "force of wrong size": (lambda s: s.apply_wrench(0, (1, 2)), ["force", "2", "3"]),
    "nan force": (lambda s: s.apply_wrench(0, (1, 2, np.nan)), ["force[2]", "nan"]),
    "unknown body": (lambda s: s.apply_wrench(3, (1, 2, 3)), ["body", "3"]),
    "unknown name": (lambda s: s.pose("boll"), ["did you mean 'ball'"]),
    "unknown frame": (lambda s: s.frame_pose("foot"), ["foot"]),
    "blob of bytes": (lambda s: s.restore(b"nonsense"), ["blob"]),
    "blob of another world": (lambda s: s.restore(st.scene("cube_slide").save()), ["world"]),
    "blob of another dt": (lambda s: s.restore(simulator(dt=2e-3).save()), ["dt"]),
    "blob of another law": (lambda s: s.restore(simulator(law="convex").save()), ["law"]),
    "states of wrong shape": (lambda s: st.rollout(s, np.zeros((2, 3)), steps=1), ["states0", "(2, 3)", "13"]),
    "controls of wrong shape": (
        lambda s: st.rollout(s, np.zeros((2, 13)), np.zeros((3, 4, 0))),
        ["controls", "(3, 4, 0)"],
    ),
    "no steps": (lambda s: st.rollout(s, np.zeros((2, 13))), ["steps"]),
    "no threads": (lambda s: st.rollout(s, np.zeros((2, 13)), steps=1, threads=0), ["threads", "0"]),
}


@pytest.mark.parametrize("case", WRONG_CALLS)
def test_call_refuses(case):
    call, words = WRONG_CALLS[case]
    sim = simulator()
    blob = sim.save()
    with pytest.raises(ValueError) as caught:
        call(sim)
    for word in words:
        assert word in str(caught.value), str(caught.value)
    sim.q[:], sim.v[:] = simulator().q, simulator().v  # what the caller wrote himself
    assert sim.save() == blob, "nothing else changed"


ALMOST_THE_SAME = [("dt", 1e-7, 2e-7), ("dt", 1e-3, float(np.nextafter(1e-3, 1))), ("dead_band", 1e-8, 2e-8)]


@pytest.mark.parametrize(("name", "mine", "other"), ALMOST_THE_SAME)
def test_blob_of_other_settings_is_refused(name, mine, other):
    def build(value):
        return simulator(dt=value) if name == "dt" else simulator(law="pyramid", law_options={name: value})

    blob, sim = build(mine).save(), build(other)
    build(mine).restore(blob)
    before = sim.save()
    with pytest.raises(ValueError) as caught:
        sim.restore(blob)
    named = {float(x) for x in re.findall(rf"{name}=([-+.e0-9]*[0-9])", str(caught.value))}
    assert named == {mine, other}, str(caught.value)
    assert sim.save() == before


WRONG_PROBLEMS = {
    "G of wrong shape": (dict(G=np.eye(2)), ["G", "(2, 2)"]),
    "nan in G": (dict(G=np.full((3, 3), np.nan)), ["G", "nan"]),
    "g of wrong size": (dict(g=[0.0, 1.0]), ["g", "2"]),
    "infinite g": (dict(g=[0.0, 1.0, np.inf]), ["g[2]", "inf"]),
    "no mu": (dict(mu=None), ["mu"]),
    "negative mu": (dict(mu=-0.1), ["mu", "-0.1"]),
    "too many mu": (dict(mu=[0.1, 0.2]), ["mu", "2", "1"]),
    "negative dt": (dict(dt=-1.0), ["dt", "-1"]),
    "negative compliance": (dict(compliance=-1e-3), ["compliance", "-0.001"]),
    "unknown law": (dict(law="colomb"), ["did you mean 'coulomb'"]),
    "odd facets": (dict(law="pyramid", facets=1), ["facets", "1"]),
    "mu and blocks": (dict(blocks=[st.Block.coulomb(0.5)]), ["mu", "blocks"]),
    "rows of blocks": (dict(mu=None, blocks=[st.Block.bilateral(2)]), ["blocks", "2", "3"]),
    "empty box": (dict(mu=None, blocks=[st.Block.bilateral(2), st.Block.box(1.0, -1.0)]), ["1", "-1"]),
    "broken CSR": (dict(G=([0, 1, 2, 3], [0, 1, 9], [1.0, 1.0, 1.0])), ["CSR"]),
}


@pytest.mark.parametrize("case", WRONG_PROBLEMS)
def test_problem_refuses(case):
    changes, words = WRONG_PROBLEMS[case]
    arguments = {"G": np.eye(3), "g": [0.1, 0.0, -1.0], "mu": 0.5} | changes
    with pytest.raises(ValueError) as caught:
        st.ContactProblem(**arguments)
    for word in words:
        assert word in str(caught.value), str(caught.value)


def test_solve_refuses():
    problem = st.ContactProblem(np.eye(3), [0, 0, -1], mu=0.5)
    with pytest.raises(ValueError, match="did you mean 'pgs'"):
        st.solve(problem, solver="pg")
    with pytest.raises(ValueError, match=r"warm_start has size 2, expected 3"):
        st.solve(problem, warm_start=[0, 1])
    with pytest.raises(ValueError, match="not pyramid"):
        st.solve(problem.with_law("pyramid"), solver="nsgs")
    with pytest.raises(ValueError, match="impulse has size 4"):
        st.evaluate(problem, np.zeros(4))


def test_scene_refuses():
    with pytest.raises(ValueError, match="did you mean 'cube_slide'"):
        st.scene("cube_slid")
    with pytest.raises(ValueError, match="did you mean 'angle'"):
        st.scene("cube_slide", angel=0.5)
    with pytest.raises(ValueError, match="mu"):
        st.scene("cube_slide", mu=-1.0)


def test_robots_refuse():
    with pytest.raises(ValueError, match="unknown robot 'starlet'"):
        st.robots.load("starlet", st.World())


def test_invalid_input_is_a_value_error():
    assert issubclass(st.InvalidInput, ValueError)
