# SPDX-License-Identifier: BSD-2-Clause
"""Bad input to the law relaxed and its stepper is named."""

import pytest

import stiction as st
from test_relaxed_contact import ball, relaxed

WRONG = {
    "regularisation 0": (dict(regularisation=0.0), "regularisation is 0, expected a finite value > 0"),
    "regularisation negative": (dict(regularisation=-1.0), "regularisation is -1"),
    "compensation": (dict(compensation=-1.0), "compensation"),
    "compensation in a step": (dict(compensation=3000.0), "expected compensation * dt <= 2"),
    "slip_weight": (dict(slip_weight=0.0), "slip_weight"),
    "model": (dict(model="proposd"), "did you mean 'proposed'"),
    "unilateral": (dict(unilateral="exakt"), "did you mean 'exact'"),
    "not of the model": (dict(model="micro", regularisation=2.0), "model 'micro' has no option 'regularisation'"),
    "unknown": (dict(compensaton=2.0), "did you mean 'compensation'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_bad_options_are_named(case):
    options, said = WRONG[case]
    with pytest.raises(ValueError, match="law 'relaxed'") as error:
        relaxed(ball(), **options)
    assert said in str(error.value)


def test_the_law_has_its_stepper_only():
    with pytest.raises(ValueError, match=r"does not step law 'relaxed'.*steppers of this law: rk_gill"):
        st.Simulator(ball(), law="relaxed", stepper="semi_implicit")
    with pytest.raises(ValueError, match="forces of another kind"):
        st.Simulator(ball(), law="relaxed", stepper="exponential")
    with pytest.raises(ValueError, match="does not step law 'coulomb'"):
        st.Simulator(ball(), law="coulomb", stepper="rk_gill")
    with pytest.raises(ValueError, match="needs no solver"):
        st.Simulator(ball(), law="relaxed", solver="pgs")
    with pytest.raises(ValueError, match="gives forces, not contact problems"):
        relaxed(ball()).problems()
    with pytest.raises(ValueError, match="did you mean 'held'"):
        relaxed(ball(), forces="helt")
    with pytest.raises(ValueError, match="contact_space needs the law 'relaxed'"):
        st.Simulator(ball()).contact_space()


def test_loops_are_refused():
    world = ball()
    world.add_loop(0, None, point_a=(0, 0, 0), point_b=(0, 0, 0.2))
    with pytest.raises(ValueError, match="has no form in this law"):
        relaxed(world)
