# SPDX-License-Identifier: BSD-2-Clause
"""No silent parameter. Oracle: an option that is accepted must be able to change some result, over the whole catalog."""

import numpy as np
import pytest

import stiction as st

CATALOG = st.catalog()


def changed(option):
    """Other values of the same kind, some of which are in range."""
    value = option.default
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 4, value + 1, max(1, value // 2), 1]
    if isinstance(value, float):
        return [0.5 * value + 0.3, 1.3 * value, 10.0 * value + 1e-12, 0.1 * value, 0.9, 1e-3, 1.5, 3.0, 30.0]
    return [word for word in ("static", "moving", "hopping", "fallen") if word != value]


SCENE_OPTIONS = [(e.name, o) for e in CATALOG["scenes"] for o in e.options]


@pytest.mark.parametrize(("scene", "option"), SCENE_OPTIONS, ids=[f"{s}.{o.name}" for s, o in SCENE_OPTIONS])
def test_scene_parameter_changes_the_run(scene, option):
    def final(**parameters):
        sim = st.scene(scene, **parameters)
        start = sim.hash()
        sim.step(n=20 if scene in ("kapla", "pile") else min(800, round(sim.duration / sim.dt)))
        return start, sim.hash(), sim.duration, sim.save()

    base = final()
    others = []
    if option.name == "seed":  # decides how the targets move
        others = [(final(targets="moving"), final(targets="moving", seed=option.default + 1))]
    for value in changed(option):
        try:
            others.append((base, final(**{option.name: value})))
        except st.InvalidInput:
            continue
        if others[-1][0] != others[-1][1]:
            break
    assert others, "no other value was accepted"
    assert any(a != b for a, b in others)


BALL = '<mujoco model="m"><worldbody><body pos="8 0 .12"><freejoint/><geom size=".1"/></body></worldbody></mujoco>'


def slippery(law, law_options, mjcf=None):
    """A scene in which every option of a law matters: fall, impact, rebound, overlap, sliding."""
    world = st.World()
    world.add_ground(mu=0.3, restitution=0.5)
    world.add_box(
        size=(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0.35), velocity=(1, 0.4, 0), angular_velocity=(0.3, 0.2, 1)
    )
    world.add_sphere(radius=0.1, mass=1.0, position=(2, 0, 0.05), velocity=(0.5, 0.2, 0))
    world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(4, 0, 0.1 + 2e-5))
    world.add_urdf_text(LIMITED, position=(6, 0, 1), fixed=True)
    if law == "anchored":
        world.add_urdf_text(
            LIMITED.replace("</joint>", '<dynamics friction="0.4"/></joint>'), position=(8, 0, 1), fixed=True
        )
    if mjcf is not None:
        world.add_mjcf(mjcf)
    sim = st.Simulator(world, law=law, law_options=law_options, dt=2e-3)
    report = sim.step(n=400)
    return np.concatenate([sim.q, sim.v]).tobytes(), report.ncp.natural


# falls on its limit
LIMITED = """<robot name="flap"><link name="b"/><link name="l"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>
<inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="revolute"><parent link="b"/>
<child link="l"/><axis xyz="0 1 0"/><limit lower="-0.5" upper="0.5" effort="100" velocity="10"/></joint></robot>"""


def soft_slide(stepper, options, law_options=None):
    """A scene in which every option of a stepper matters: fall, impact, sliding, sticking."""
    world = st.World()
    world.add_ground(mu=0.3)
    world.add_box(
        size=(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0.13), velocity=(1, 0.4, 0), angular_velocity=(0.3, 0.2, 1)
    )
    law = "relaxed" if stepper == "rk_gill" else "anchored"
    sim = st.Simulator(world, law=law, stepper=stepper, stepper_options=options, dt=5e-3, law_options=law_options or {})
    report = sim.step(n=60)
    return np.concatenate([sim.q, sim.v]).tobytes(), report.substeps, report.estimate


def hard_slide(stepper, options, law_options=None):
    """The same for steppers of hard laws: an oblique slide with a rebound, a ball that drives others together, a box that hangs on a loop."""
    world = st.World()
    world.add_ground(mu=0.3, restitution=0.4)
    world.add_box(
        size=(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0.13), velocity=(1, 0.4, 0), angular_velocity=(0.3, 0.2, 1)
    )
    for i in range(3):
        world.add_sphere(
            radius=0.1, mass=1.0, position=(5 + i * 0.20001, 0, 0.1), velocity=(-2.0 if i == 2 else 0, 0, 0), mu=0.3
        )
    world.add_box(size=(0.1, 0.1, 0.4), mass=1.0, position=(9, 0, 1.0), angular_velocity=(0, 3, 0))
    world.add_loop(None, world.bodies[-1], point_a=(9, 0, 1.2), point_b=(0, 0, 0.2))  # swings, and drifts
    sim = st.Simulator(world, law="pyramid", solver="lemke", stepper=stepper, stepper_options=options, dt=5e-3)
    report = sim.step(n=60)
    return np.concatenate([sim.q, sim.v]).tobytes(), report.substeps, report.estimate


STEPPER_OPTIONS = [(e, o) for e in CATALOG["steppers"] for o in e.options]
WORDS = {
    "approximant": ["1/1", "exact"],
    "position": ["single"],
    "form": ["classic"],
    "scheme": [2],
    "guess": ["current", "euler"],
    "forces": ["per_stage"],
    "turns": ["lie"],
    "version": ["nonlinear"],
    "stop": ["gap"],
    "restitution": ["poisson"],
    "polygon": ["circumscribed"],
    "directions": ["1 0; -1 0; 0 .5; 0 -.5"],
}
NEEDED = {
    "tolerance": dict(approximant="auto"),
    "products": dict(approximant="dense"),
    "balance": dict(approximant="dense"),
    "smallest_step": dict(switch_refinement=True),
    "refresh": dict(substeps=4),
    "fixed_point_iterations": dict(version="nonlinear"),
    "fixed_point_tolerance": dict(version="nonlinear"),
    "stop": dict(version="nonlinear"),
    "gap_tolerance": dict(version="nonlinear", stop="gap"),
}  # what an option belongs to


@pytest.mark.parametrize(("entry", "option"), STEPPER_OPTIONS, ids=[f"{e.name}.{o.name}" for e, o in STEPPER_OPTIONS])
def test_stepper_option_changes_the_run(entry, option):
    owner = entry.name.startswith("exponential") or entry.name == "stewart_trinkle"
    others = NEEDED.get(option.name, {}) if owner else {}
    law = dict(damping_ratio_t1=0.5) if others else {}  # no closed form: the dense exponential is used
    slide = hard_slide if entry.name in ("stewart_trinkle", "moreau") else soft_slide
    base = slide(entry.name, others, law)
    assert base == slide(entry.name, others | {option.name: option.default}, law) or option.name in others
    results = []
    for value in WORDS.get(option.name, changed(option)):
        try:
            results.append(slide(entry.name, others | {option.name: value}, law))
        except st.InvalidInput:
            continue
        if results[-1] != base:
            return
    pytest.fail(f"{entry.name}.{option.name} changes nothing")


LAW_OPTIONS = [(e.name, o) for e in CATALOG["laws"] for o in e.options]
LAW_WORDS = {
    "model": ["macro", "micro", "hybrid"],
    "unilateral": ["omit"],
    "softness": ["file"],
    "friction": ["inside"],
    "norm": ["energy"],
}
# of `relaxed`
MODELS = {
    "normal_bias": "macro",
    "stiffness": "micro",
    "damping": "micro",
    "soft_stiffness": "hybrid",
    "soft_damping": "hybrid",
}
NORM = {"norm": {"friction": "inside"}}


@pytest.mark.parametrize(("law", "option"), LAW_OPTIONS, ids=[f"{s}.{o.name}" for s, o in LAW_OPTIONS])
def test_law_option_changes_the_run(law, option, tmp_path):
    others = {"model": MODELS[option.name]} if law == "relaxed" and option.name in MODELS else {}
    others |= NORM.get(option.name, {}) if law == "relaxed" else {}
    mjcf = tmp_path / "ball.xml" if option.name == "softness" else None
    if mjcf is not None:
        mjcf.write_text(BALL)
    base = slippery(law, others, mjcf)
    results = []
    for value in LAW_WORDS.get(option.name, changed(option)):
        try:
            results.append(slippery(law, others | {option.name: value}, mjcf))
        except st.InvalidInput:
            continue
        if results[-1] != base:
            return
    assert results, f"{law} lists {option.name} but accepts no other value"
    pytest.fail(f"{law}.{option.name} changes nothing")


def random_problem(seed, contacts=6, law="coulomb", dt=1e-2):
    random = np.random.default_rng(seed)
    jacobian = random.standard_normal((3 * contacts, 2 * contacts))  # rank deficient
    g = random.standard_normal(3 * contacts)
    scale = np.repeat(10.0 ** random.uniform(-1, 1, contacts), 3)
    return st.ContactProblem(scale[:, None] * (jacobian @ jacobian.T) * scale, scale * g, mu=0.7, law=law, dt=dt)


def fingerprint(problem, solver, **options):
    guess = np.tile([0.1, -0.2, 0.5], problem.rows // 3)
    impulse, report = st.solve(problem, solver=solver, warm_start=guess, **{"tolerance": 1e-8} | options)
    return impulse.tobytes(), report.status, report.iterations, report.factorisations, report.path


SOLVER_OPTIONS = [(e, o) for e in CATALOG["solvers"] for o in e.options]


@pytest.mark.parametrize(("entry", "option"), SOLVER_OPTIONS, ids=[f"{e.name}.{o.name}" for e, o in SOLVER_OPTIONS])
def test_solver_option_reaches_the_solver(entry, option):
    """Its default changes no bit, a wrong type is refused by name. That other values act is tested in tests/cpp/solver."""
    problem = random_problem(1, law=entry.laws[0])
    base = fingerprint(problem, entry.name)
    if option.name != "tolerance":
        assert fingerprint(problem, entry.name, **{option.name: option.default}) == base
    with pytest.raises((ValueError, TypeError), match=option.name):
        wrong = 0.5 if isinstance(option.default, str) else "wrong"
        st.solve(problem, solver=entry.name, **{option.name: wrong})


def test_solver_options_of_a_simulator_act():
    """Oracle: with a loose tolerance and one iteration the forces differ; the report says that they are not accepted."""
    exact, sloppy = (st.scene("cube_slide", solver="pgs", solver_options=o) for o in ({}, {"max_iterations": 1}))
    assert exact.step(n=50).status == "converged"
    assert sloppy.step(n=50).status == "max_iterations"
    assert exact.hash() != sloppy.hash()
