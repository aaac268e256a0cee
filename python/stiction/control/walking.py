# SPDX-License-Identifier: BSD-2-Clause
"""A humanoid walks: whole-body quadratic program along the references of a pendulum (lipm.py).

    min over y = (v̇, f)   Σ_k w_k ‖A_k v̇ − b_k‖² + w_f ‖S W f‖²                            f: forces at the vertices of the sole
    subject to            M_b v̇ − J_bᵀ f = −h_b                                            base, 6 rows
                          J_s v̇ = −J̇_s v + kp e_s − kd (velocity of the standing foot)     6 rows, to where it first stood
                          f_n ≥ 0,  |f_1| ≤ μ f_n,  |f_2| ≤ μ f_n                          5 rows per vertex

Vertex forces ≥ 0 keep the centre of pressure inside the sole; those of the swinging foot do not exist. A phase change swaps
the feet at once: the new one is held where it is. Tasks (gains of the published experiment, kp 10, kd 2√kp): centre of mass
1, swinging foot 1, orientation of the base 1e-2, posture 1e-4, forces 1e-5. What is kept small of the forces is the wrench
W f at the foot's frame, scaled by S: pressing costs next to nothing and pressing beside the ankle does cost. (Plain ‖f‖²
pulls the pressure to the middle of the sole, the centre of mass creeps backwards by 25 mm/s and the robot falls.)
One gain is ours: the swinging foot has kp 30, because soft ground throws the foot up when the load leaves it at once (at
K = 1e5 N/m it strays by 30 mm from its path with kp 10, by 17.5 mm with 30; WalkGains(swing_kp=10) is the published one).
                                                                                     [Hammoud22; Del Prete et al., TSID]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._core import InvalidInput, Simulator
from ..output.arguments import named
from ..rotations import rotate, rotation_error
from .least_squares import Task
from .lipm import Motion, Walk
from .qp import DenseQp, QpResult
from .terms import check_robot
from .worlds import ROMEO_SOLE

Array = NDArray[np.float64]
SIDES = ("right", "left")


@dataclass(frozen=True)
class WalkGains:
    """Weights [-], gains kp [1/s²] (kd = 2√kp) and friction of the program."""

    kp: float = 10.0
    swing_kp: float = 30.0  # of the swinging foot
    com_weight: float = 1.0  # of the centre of mass
    foot_weight: float = 1.0  # of both feet
    base_weight: float = 1e-2  # of the trunk's orientation
    posture_weight: float = 1e-4  # of the joints
    force_weight: float = 1e-5  # on squared wrenches
    # force [1/N], moment [1/(N m)] at the foot's frame
    wrench_scale: tuple[float, ...] = (1.0, 1.0, 1e-3, 2.0, 2.0, 2.0)
    mu: float = 1.0  # friction coefficient that wrenches keep to [-]

    @property
    def kd(self) -> float:
        """Gain of the velocity error [1/s]: critical damping."""
        return 2.0 * math.sqrt(self.kp)


@dataclass(frozen=True)
class WalkSolution:
    """Torques of one control instant and what they are meant to do."""

    torque: Array  # (ntau,)
    acceleration: Array  # (nv,)
    force: Array  # (vertices of the standing foot, 3) [N]
    stance: str
    base_residual: float  # largest violation of the six base rows [N, N m]
    solved: bool


class WalkingController:
    """Torques of a walk that starts at the simulator's present state, standing on the first foot of the plan.

    Parameters
    ----------
    sim
        Its state is the start: posture, base orientation and the place of the right foot, to which the plan is moved.
    feet
        Frames of the (right, left) foot.
    walk
        References; the published walk of Romeo unless given.
    base
        Frame whose orientation is kept; the first one of the robot unless given.
    vertices
        Corners of the sole in the foot's frame [m].
    gains
        Weights, gains and friction of the program.
    """

    @named
    def __init__(self, sim: Simulator, feet: Sequence[str], walk: Walk | None = None, *, base: str | None = None,
                 vertices: Sequence[Sequence[float]] = ROMEO_SOLE, gains: WalkGains = WalkGains()) -> None:  # fmt: skip
        if len(feet) != 2:
            raise InvalidInput(f"feet has {len(feet)} entries, expected the frames of the right and the left foot")
        base = sim.robots[0].frames[0] if base is None else base
        check_robot(sim, [*feet, base])
        self.feet = dict(zip(SIDES, feet, strict=True))
        self.walk, self.base, self.gains = walk if walk is not None else Walk(), base, gains
        self.vertices = np.asarray(vertices, dtype=float)
        self.q0, self.base0 = sim.q.copy(), sim.frame_pose(base)[1]
        self.rotation0 = {side: sim.frame_pose(frame)[1] for side, frame in self.feet.items()}
        self.shift = sim.frame_pose(self.feet["right"])[0] - self.walk.foot("right", 0.0)[0]
        self._qp = DenseQp()
        self._stance, self._held = "", (np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))

    def foot_reference(self, side: str, time: float) -> Motion:
        """Motion of a foot's frame in the world.

        Parameters
        ----------
        side
            `right` or `left`.
        time
            Since the start of the walk [s].
        """
        p, v, a = self.walk.foot(side, time)
        return p + self.shift, v, a

    def com_reference(self, time: float) -> Motion:
        """Motion of the centre of mass in the world.

        Parameters
        ----------
        time
            Since the start of the motion [s].
        """
        p, v, a = self.walk.com(time)
        return p + self.shift, v, a

    def _pose_rows(self, sim: Simulator, frame: str, motion: Motion, rotation: Array, kp: float) -> tuple[Array, Array]:
        """J v̇ = b of a frame that follows a motion at a constant orientation, six rows; kd = 2√kp."""
        position, now = sim.frame_pose(frame)
        velocity = sim.frame_velocity(frame)
        error = np.concatenate([motion[0] - position, rotation_error(rotation, now)])
        wanted = np.concatenate([motion[2], np.zeros(3)]) + kp * error
        wanted += 2.0 * math.sqrt(kp) * (np.concatenate([motion[1], np.zeros(3)]) - velocity)
        return sim.jacobian(frame), wanted - sim.frame_drift(frame)

    def _tasks(self, sim: Simulator, time: float, swing: str) -> list[Task]:
        g, nv = self.gains, sim.nv
        c, dc, ddc = self.com_reference(time)
        J = sim.com_jacobian()
        tasks = [Task(J, ddc + g.kp * (c - sim.com()) + g.kd * (dc - J @ sim.v) - sim.com_drift(), g.com_weight)]
        rows, wanted = self._pose_rows(
            sim, self.feet[swing], self.foot_reference(swing, time), self.rotation0[swing], g.swing_kp
        )
        tasks.append(Task(rows, wanted, g.foot_weight))
        still = (np.zeros(3), np.zeros(3), np.zeros(3))
        rows, wanted = self._pose_rows(sim, self.base, still, self.base0, g.kp)
        tasks.append(Task(rows[3:], wanted[3:], g.base_weight))
        error = sim.difference(sim.q, self.q0)
        tasks.append(Task(np.eye(nv)[6:], g.kp * error[6:] - g.kd * sim.v[6:], g.posture_weight))
        return tasks

    def _wrench_map(self, sim: Simulator, frame: str) -> Array:
        """(6, 3 vertices): forces at the corners of a sole to (force, moment) at its frame, world axes."""
        _, rotation = sim.frame_pose(frame)
        columns = []
        for vertex in self.vertices:
            x, y, z = rotate(rotation, vertex)
            columns.append(np.vstack([np.eye(3), [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]]))
        return np.hstack(columns)

    def solve(self, sim: Simulator, time: float) -> WalkSolution:
        """The program at the present state.

        Parameters
        ----------
        sim
            The simulator that is controlled.
        time
            Since the start of the motion [s].
        """
        stance = self.walk.stance(time)
        swing = SIDES[1 - SIDES.index(stance)]
        if stance != self._stance:  # the new foot is held where it is
            self._stance, self._held = stance, sim.frame_pose(self.feet[stance])
        nv, M, h = sim.nv, sim.mass_matrix(), sim.bias()
        corners = self._wrench_map(sim, self.feet[stance])
        vertex = corners.T @ sim.jacobian(self.feet[stance])  # velocities of the corners
        n = nv + len(vertex)
        H, g = 1e-9 * np.eye(n), np.zeros(n)
        for task in self._tasks(sim, time, swing):
            H[:nv, :nv] += task.weight * task.rows.T @ task.rows
            g[:nv] -= task.weight * task.rows.T @ task.wanted
        wrench = np.asarray(self.gains.wrench_scale)[:, None] * corners
        H[nv:, nv:] += self.gains.force_weight * wrench.T @ wrench
        rows, wanted = self._pose_rows(
            sim, self.feet[stance], (self._held[0], np.zeros(3), np.zeros(3)), self._held[1], self.gains.kp
        )
        A = np.block([[M[:6], -vertex.T[:6]], [rows, np.zeros((6, n - nv))]])
        b = np.concatenate([-h[:6], wanted])
        C = np.hstack([np.zeros((5 * len(self.vertices), nv)), self._cones()])
        result: QpResult = self._qp.solve(H, g, A, b, C, np.zeros(len(C)))
        acceleration, force = result.y[:nv], result.y[nv:]
        torque = (M @ acceleration + h - vertex.T @ force)[6:]
        residual = float(np.abs(A[:6] @ result.y - b[:6]).max())
        return WalkSolution(torque, acceleration, force.reshape(-1, 3), stance, residual, result.solved)

    def _cones(self) -> Array:
        """Rows ≥ 0 of the vertices' forces: normal, and μ f_n ± f_1, μ f_n ± f_2 (world axes; the floor is level)."""
        mu = self.gains.mu
        one = np.array([[0, 0, 1], [1, 0, mu], [-1, 0, mu], [0, 1, mu], [0, -1, mu]], dtype=float)
        return np.asarray(np.kron(np.eye(len(self.vertices)), one))

    def torque(self, sim: Simulator, time: float) -> Array:
        """Joint torques at the present state, to be held over a control period [N m].

        Parameters
        ----------
        sim
            The simulator that is controlled.
        time
            Since the start of the motion [s].
        """
        return self.solve(sim, time).torque
