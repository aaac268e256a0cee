# SPDX-License-Identifier: BSD-2-Clause
"""The robots of the paper with their joints locked, as its code has them (S4, S5; Figs. 16, 17): contact problems with more rows than
velocities, so that forces are not unique.

A robot with locked joints is one rigid body. With J the velocities of the contact points over the six of the base, M the composite
inertia and w the wrench of gravity and push,  G = J M⁻¹ Jᵀ,  g = dt J M⁻¹ w; both are made here with NumPy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import stiction as st

from .. import rows
from ..rows import Row, closed_form, published
from ..study import Section
from . import published as p
from .measures import TIGHT, Solved, solved

TEXT = (
    "Solo-12 and Talos (example-robot-data), half sitting on the foot points of the paper's code, μ = .9, pushed at the centre of mass by 12 N and "
    "75 N (sin 2t, sin(2t + 1), sin(2t + 2)) as at t = 2 s. All joints are locked, as in that code: twelve and twenty-four rows for six "
    "velocities. Every solver starts from zero and goes on to 1e-9 N. An independent try on Talos needed 746 sweeps with NCP and PGS, 1845 with "
    "CCP and PGS, 5911 with RaiSim's rule and 12 iterations with ADMM."
)
NEEDS = "example-robot-data: pip install 'stiction[robots]'"
FRICTION = 0.9
COMPLIANCE = 1e-3  # [1/kg]
MOMENT = 2.0  # of the push [s]
LISTED = (("coulomb", "admm"), ("coulomb", "pgs"), ("coulomb", "staggered"), ("convex", "admm"), ("convex", "pgs"), ("convex", "newton"),
          ("raisim", "bisection"))  # fmt: skip
TRIED = {
    ("coulomb", "pgs"): 746.0,
    ("convex", "pgs"): 1845.0,
    ("raisim", "bisection"): 5911.0,
    ("coulomb", "admm"): 12.0,
}


@dataclass(frozen=True)
class Stance:
    """How a robot stands: joints [rad], links of the feet, points on each [m] and the radius of their balls, push [N]."""

    robot: str
    title: str
    joints: dict[str, float]
    feet: tuple[str, ...]
    points: tuple[tuple[float, float, float], ...]
    radius: float
    push: float


LEGS = (("FL", 1), ("FR", 1), ("HL", -1), ("HR", -1))
SOLO = Stance(
    "solo12",
    "Solo-12",
    {f"{leg}_{joint}": sign * angle for leg, sign in LEGS for joint, angle in (("HFE", 0.8), ("KFE", -1.6))},
    tuple(f"{leg}_FOOT" for leg, _ in LEGS),
    ((0.0, 0.0, 0.0),),
    0.01910275,
    12.0,
)
TALOS = Stance(
    "talos_reduced", "Talos",
    {f"leg_{side}_{joint}_joint": angle for side in ("left", "right") for joint, angle in ((3, -0.4), (4, 0.8), (5, -0.4))},
    ("leg_left_6_link", "leg_right_6_link"), tuple((x, y, -0.1) for x in (0.09, -0.1) for y in (0.06, -0.06)), 0.01, 75.0,
)  # fmt: skip


@dataclass(frozen=True)
class Locked:
    """The contact problem of a robot that is one rigid body."""

    stance: Stance
    problem: st.ContactProblem
    jacobian: np.ndarray  # (rows, 6)
    wrench: np.ndarray  # of gravity and push, about the base [N, N m]


def locked(stance: Stance) -> Locked:
    world = st.World()
    robot = st.robots.load(stance.robot, world, position=(0.0, 0.0, 1.5))
    sim = st.Simulator(world)
    sim.set_joints(stance.joints)
    base = np.asarray(sim.q[robot.q_slice])[:3]
    points = []
    for foot in stance.feet:
        position, quaternion = sim.frame_pose(f"{robot.name}/{foot}")
        turn = st.rotations.rotation_matrix(quaternion)
        points += [position + turn @ np.array(x) - [0.0, 0.0, stance.radius] for x in stance.points]
    J = np.vstack([np.hstack([np.eye(3), -_cross(x - base)]) for x in points])
    force = np.array([0.0, 0.0, -p.GRAVITY * sim.mass]) + stance.push * np.sin(2.0 * MOMENT + np.arange(3.0))
    wrench = np.concatenate([force, np.cross(sim.com() - base, force)])
    inverse = np.linalg.inv(sim.mass_matrix()[:6, :6])  # the base is not turned: its axes are the world's
    problem = st.ContactProblem(J @ inverse @ J.T, p.STEP * (J @ (inverse @ wrench)), mu=FRICTION, dt=p.STEP)
    return Locked(stance, problem, J, wrench)


def _cross(x: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]])


def runs(robot: Locked) -> dict[tuple[str, str], Solved]:
    return {(law, solver): solved(robot.problem.with_law(law), solver, **TIGHT) for law, solver in LISTED}


def section() -> Section:
    judged: list[Row] = []
    for stance in (SOLO, TALOS):
        if stance.robot not in st.robots.paths():
            judged.append(rows.skipped(f"{stance.title}: every row", NEEDS))
            continue
        robot = locked(stance)
        judged += _rows(robot, runs(robot))
    return Section("Solo-12 and Talos with locked joints (Figs. 16, 17)", TEXT, judged)


def _rows(robot: Locked, found: dict[tuple[str, str], Solved]) -> list[Row]:
    name, problem = robot.stance.title, robot.problem
    rank = float(np.linalg.matrix_rank(problem.G, tol=1e-9 * np.linalg.norm(problem.G, 2)))
    out = [
        rows.near(
            f"{name}: rank of G, of {problem.rows} rows",
            None,
            6.0,
            rank,
            0.0,
            against=closed_form("velocities of one rigid body"),
        )
    ]
    for (law, solver), run in found.items():
        carried = robot.jacobian.T @ run.force.ravel() + robot.wrench
        wrong = float(np.abs(carried).max() / np.abs(robot.wrench).max())
        out.append(
            rows.at_most(
                f"{name}, {law}, {solver}: contact forces against the wrench, relative",
                wrong,
                1e-6,
                against=closed_form("equilibrium"),
            )
        )
        tried = TRIED.get((law, solver)) if robot.stance is TALOS else None
        out.append(rows.told(f"{name}, {law}, {solver}: iterations to 1e-9 N", float(run.iterations), None, tried))
    admm, pgs = found["coulomb", "admm"].iterations, found["coulomb", "pgs"].iterations
    if robot.stance is TALOS:  # where the paper's PGS saturates
        out.append(
            rows.at_most(
                f"{name}: iterations of admm over sweeps of pgs", admm / pgs, 0.2, against=published("Fig. 16")
            )
        )
    return out + _internal(robot, found)


def _internal(robot: Locked, found: dict[tuple[str, str], Solved]) -> list[Row]:
    """R removes internal forces: with it λ = -(G + R)⁻¹ g has no part in the kernel of G."""
    name, problem = robot.stance.title, robot.problem
    kernel = np.linalg.svd(problem.G)[2][6:]
    rigid = found["coulomb", "pgs"].force.ravel()
    soft = st.ContactProblem(
        problem.G, problem.g, mu=problem.mu, dt=problem.dt, compliance=np.full(problem.rows, COMPLIANCE)
    )
    force = solved(soft, "admm", **TIGHT).force.ravel()

    def share(x: np.ndarray) -> float:
        return float(np.linalg.norm(kernel @ x) / np.linalg.norm(x))

    least = -np.linalg.pinv(problem.G) @ problem.g  # without internal forces
    inside = all(np.linalg.norm(x[:2]) < FRICTION * x[2] for x in least.reshape(-1, 3))
    claim, label = (
        published("Fig. 14: R removes internal forces"),
        f"{name}: internal forces over all forces, R = {COMPLIANCE:g}",
    )
    first = (
        rows.at_most(label, share(force), 1e-6, against=claim)
        if inside
        else rows.told(label, share(force), reason="the cones ask for some: -G⁺g leaves them")
    )
    return [
        first,
        rows.told(f"{name}: internal forces over all forces, rigid, pgs", share(rigid)),
    ]
