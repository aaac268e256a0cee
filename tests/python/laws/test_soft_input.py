# SPDX-License-Identifier: BSD-2-Clause
"""Bad input to the law anchored and its steppers: named, and nothing has changed."""

import numpy as np
import pytest

import stiction as st
from soft_support import arm, soft


def _ball():
    world = st.World()
    world.add_ground()
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.2))
    return world


WRONG = {
    "stiffness": (dict(law_options=dict(stiffness=0.0)), "stiffness is 0"),
    "damping": (dict(law_options=dict(damping=-1.0)), "damping is -1"),
    "ratio": (dict(law_options=dict(stiffness_ratio_t1=-2.0)), "stiffness_ratio_t1"),
    "limit": (dict(law_options=dict(limit_stiffness=float("nan"))), "limit_stiffness"),
    "0/1": (dict(stepper_options=dict(approximant="0/1")), "0/1"),
    "approximant": (dict(stepper_options=dict(approximant="1/3")), "1/3"),
    "dt": (dict(dt=0.0), "dt is 0"),
    "dt negative": (dict(dt=-1e-3), "dt is"),
    "position": (dict(stepper_options=dict(position="triple")), "triple"),
    "form": (dict(stepper="euler", stepper_options=dict(form="implicit")), "implicit"),
    "scheme": (dict(stepper="rigid_euler", stepper_options=dict(scheme=3)), "scheme is 3"),
    "tolerance": (dict(stepper_options=dict(tolerance=0.0)), "tolerance"),
    "solver": (dict(solver="pgs"), "needs no solver"),
    "hard stepper": (dict(stepper="semi_implicit"), "does not step law 'anchored'"),
    "unknown option": (dict(stepper_options=dict(aproximant="1/2")), "did you mean 'approximant'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_bad_input_is_named(case):
    settings, said = WRONG[case]
    with pytest.raises(ValueError, match=r"(?s).") as error:
        st.Simulator(_ball(), **{"law": "anchored", **settings})
    assert said in str(error.value)


def test_soft_steppers_refuse_hard_laws():
    with pytest.raises(ValueError, match="does not step law 'coulomb'"):
        st.Simulator(_ball(), law="coulomb", stepper="exponential")


def test_what_has_no_soft_form_is_refused():
    world = _ball()
    world.add_loop(0, None, point_a=(0, 0, 0), point_b=(0, 0, 0.2))
    with pytest.raises(ValueError, match="is rigid; give it a finite stiffness"):
        soft(world)


def test_a_soft_law_has_no_contact_problem():
    with pytest.raises(ValueError, match="gives forces, not contact problems"):
        soft(_ball()).problems()


def test_controls_of_wrong_size_change_nothing():
    world = st.World()
    world.add_urdf_text(arm(), fixed=True)
    sim = soft(world)
    before = sim.hash()
    with pytest.raises(ValueError, match="tau"):
        sim.step(np.zeros(4))
    with pytest.raises(ValueError, match="tau"):
        sim.predict_forces([0.01], np.zeros(4))
    with pytest.raises(ValueError, match="times"):
        sim.predict_forces([0.01, -1.0])
    assert sim.hash() == before


def test_a_blob_goes_to_another_stepper_of_the_same_law_only():
    world = _ball()
    a = soft(world, "exponential", 2e-3)
    a.step(n=100)
    b = soft(world, "euler", 1e-4)
    with pytest.raises(ValueError, match="settings"):
        b.restore(a.save())
    b.restore(a.save(), other_stepper=True)
    assert a.hash() == b.hash()
    with pytest.raises(ValueError, match="settings"):
        soft(world, law=dict(stiffness=2e5)).restore(a.save(), other_stepper=True)


def test_nan_never_leaves_a_step():
    """A violent start: the state stays at its last good value and the status says so."""
    world = _ball()
    sim = soft(world, "euler", 1e-3, law=dict(stiffness=1e200, damping=0.0))
    sim.q[2], sim.v[2] = 0.05, -1e200
    for _ in range(20):
        report = sim.step()
        assert np.isfinite(sim.q).all() and np.isfinite(sim.v).all()
    assert report.status == "numerical_failure"
