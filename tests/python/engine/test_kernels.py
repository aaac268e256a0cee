# SPDX-License-Identifier: BSD-2-Clause
"""Kernels against Pinocchio.

Oracle: Pinocchio on the same file and the same random states (crba, nonLinearEffects, frame Jacobians in world axes).
M, bias, Jacobians of the tips and the Delassus matrix G of contact points at the tips agree to 1e-12 relative to the
largest entry. G is the one that the step hands to the solver: it comes from the packed factor (of M + dt·damping), not
from J and M. It is compared at every 50th state, at every one with --full.

Two files are refused because they cannot be simulated: a joint that moves no mass makes M singular, and an inertia that is
not positive definite belongs to no body.
"""

import numpy as np
import pytest

import stiction as st

pin = pytest.importorskip("pinocchio", reason="pip install pin==4.1.0")

TOLERANCE = 1e-12
STATES = 1000
REFUSED = {"romeo": "moves no mass", "romeo_laas_small": "positive definite"}
# Light fingers on a heavy robot: the two mass matrices agree to 1e-15, but M has a condition number above 1e6 and G follows
# from it only to 1.5e-12. The measured value is asserted, rounded up.
G_TOLERANCE = {"pr2": 2e-12}
DT = 1e-3
FAR = 1e3  # look-ahead so large that every contact point is in the problem [m]


def relative(ours, oracle):
    return np.abs(ours - oracle).max() / np.abs(oracle).max()


def oracle_model(path):
    try:
        return pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())
    except Exception:  # what Pinocchio itself cannot read, we refuse as well
        return None


def random_state(model, rng):
    q = pin.neutral(model)
    q = pin.integrate(model, q, rng.uniform(-1.5, 1.5, model.nv))
    q[:3] = rng.uniform(-1.0, 1.0, 3) + (0.0, 0.0, 5.0)
    return q, rng.uniform(-1.0, 1.0, model.nv)


def tips(model):
    """The joints that carry no further joint, at most four."""
    parents = set(model.parents)
    return [j for j in range(1, model.njoints) if j not in parents][:4]


def link_of(model, joint):
    return next(f.name for f in model.frames if f.type == pin.FrameType.BODY and f.parentJoint == joint)


def midpoint_jacobian(J, height):
    """Linear Jacobian half-way between a point and the ground below it, where its contact is evaluated."""
    arm = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]) * (-0.5 * height)
    return J[:3] - arm @ J[3:]  # v + ω × r = v − [r]× ω with r = (0, 0, −height/2)


def refined_solve(A, B):
    """A^-1 B with one step of iterative refinement in extended precision: the oracle must not be the less accurate side."""
    X = np.linalg.solve(A, B)
    rest = B.astype(np.longdouble) - A.astype(np.longdouble) @ X.astype(np.longdouble)
    return X + np.linalg.solve(A, rest.astype(float))


@pytest.mark.parametrize("name", st.robots.list())
def test_kernels_agree_with_pinocchio(name, request):
    every = 1 if request.config.getoption("--full") else 50
    path = st.robots.paths()[name]
    model = oracle_model(path)
    world = st.World()
    world.add_ground()
    if model is None or name in REFUSED:
        with pytest.raises(ValueError, match=REFUSED.get(name)):
            world.add_urdf(str(path))
        return
    robot = world.add_urdf(str(path))
    for joint in tips(model):  # our bodies are Pinocchio's joints, in its order
        world.add_contact_point(robot.base + joint - 1, offset=(0.0, 0.0, 0.0))
    cheap = dict(max_iterations=5)  # G is looked at, not the impulses
    sim = st.Simulator(world, dt=DT, law_options=dict(margin=FAR), solver="nsgs", solver_options=cheap)
    data = model.createData()
    assert (sim.q.size, sim.v.size) == (model.nq, model.nv)
    links = [(model.getFrameId(link), link) for link in (link_of(model, joint) for joint in tips(model))]
    rng = np.random.default_rng(7)
    worst = dict(M=0.0, bias=0.0, J=0.0, G=0.0)
    for state in range(STATES):
        q, v = random_state(model, rng)
        sim.q[:], sim.v[:] = q, v
        M = pin.crba(model, data, q)
        M = np.triu(M) + np.triu(M, 1).T
        worst["M"] = max(worst["M"], relative(sim.mass_matrix(), M))
        worst["bias"] = max(worst["bias"], relative(sim.bias(), pin.nonLinearEffects(model, data, q, v)))
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        world_axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        for frame, link in links:
            J = pin.getFrameJacobian(model, data, frame, world_axes)
            worst["J"] = max(worst["J"], relative(sim.jacobian(link), J))
        if state % every:
            continue
        J = np.vstack(
            [
                midpoint_jacobian(pin.getJointJacobian(model, data, j, world_axes), data.oMi[j].translation[2])
                for j in tips(model)
            ]
        )
        G = J @ refined_solve(M + DT * np.diag(model.damping), J.T)
        worst["G"] = max(worst["G"], relative(contact_matrix(sim, len(tips(model))), G))
    allowed = dict.fromkeys(worst, TOLERANCE) | dict(G=G_TOLERANCE.get(name, TOLERANCE))
    assert all(error <= allowed[key] for key, error in worst.items()), worst


def contact_matrix(sim, points):
    """Rows of the contact points: they were added last, so they are the last contacts; joint limits follow."""
    (problem,) = sim.problems()
    contacts = [b for b in problem.blocks if b.kind == "coulomb"][-points:]
    rows = [b.row + i for b in contacts for i in range(3)]
    return problem.G[np.ix_(rows, rows)]
