# SPDX-License-Identifier: BSD-2-Clause
"""The exponential step written a second time: Pinocchio for the dynamics, SciPy for the exponential, NumPy for the contacts.

Oracle of kernels, rows, drift terms, anchors, cone map and base update together: 10 ms of a quadruped that stands, slips and
lands, to 1e-9."""

import numpy as np
import pytest

import stiction as st

pin = pytest.importorskip("pinocchio")
linalg = pytest.importorskip("scipy.linalg")

K, B, MU = 1e5, 300.0, 0.6
FEET = ("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT")


class Independent:
    """q, v in Pinocchio's convention; contacts of points with the floor z <= 0."""

    def __init__(self, urdf, dt):
        self.model = pin.buildModelFromUrdf(urdf, pin.JointModelFreeFlyer())
        self.data = self.model.createData()
        self.feet = [self.model.getFrameId(f) for f in FEET]
        self.dt, self.anchor = dt, {}

    def pass_at(self, q, v):
        """Active feet with p, ṗ, J, J̇v and updated anchors."""
        m, d = self.model, self.data
        pin.forwardKinematics(m, d, q, v, np.zeros(m.nv))
        pin.computeJointJacobians(m, d, q)
        pin.updateFramePlacements(m, d)
        frame = pin.LOCAL_WORLD_ALIGNED
        points = []
        for f in self.feet:
            p = d.oMf[f].translation.copy()
            if p[2] > 0.0:
                self.anchor.pop(f, None)
                continue
            velocity = pin.getFrameVelocity(m, d, f, frame).linear
            jacobian = pin.getFrameJacobian(m, d, f, frame)[:3].copy()
            drift = pin.getFrameClassicalAcceleration(m, d, f, frame).linear
            anchor = self.anchor.setdefault(f, p.copy())
            force = K * (anchor - p) - B * velocity
            tangent = np.linalg.norm(force[:2])
            if force[2] >= 0.0 and tangent > MU * force[2]:
                anchor[:2] = p[:2] + force[:2] * (MU * force[2] / tangent) / K
            points.append((p, velocity, jacobian, drift, anchor))
        return points

    @staticmethod
    def project(force):
        out = force.copy()
        for f in out.reshape(-1, 3):
            tangent = np.hypot(f[0], f[1])
            if f[2] < 0.0:
                f[:] = 0.0
            elif tangent > MU * f[2]:
                f[:2] *= MU * f[2] / tangent
        return out

    def step(self, q, v, tau):
        m, d, h = self.model, self.data, self.dt
        points = self.pass_at(q, v)
        M = pin.crba(m, d, q)
        M = np.triu(M) + np.triu(M, 1).T
        u = np.concatenate([np.zeros(6), tau]) - pin.nonLinearEffects(m, d, q, v)
        free = np.linalg.solve(M, u)
        acceleration = [free, free]
        if points:
            J = np.vstack([p[2] for p in points])
            n = len(J)
            upsilon = J @ np.linalg.solve(M, J.T)
            beta = J @ free + np.concatenate([p[3] for p in points])
            x0 = np.concatenate([np.concatenate([p[0] - p[4] for p in points]), np.concatenate([p[1] for p in points])])
            A = np.zeros((2 * n + 3, 2 * n + 3))
            A[:n, n : 2 * n] = np.eye(n)
            A[n : 2 * n, :n], A[n : 2 * n, n : 2 * n] = -K * upsilon, -B * upsilon
            A[n : 2 * n, 2 * n], A[: 2 * n, 2 * n + 1] = beta, x0
            A[2 * n, 2 * n + 1] = A[2 * n + 1, 2 * n + 2] = 1.0
            e = linalg.expm(h * A)
            D = -np.hstack([K * np.eye(n), B * np.eye(n)])
            once, twice = D @ e[: 2 * n, 2 * n + 1] / h, 2.0 * D @ e[: 2 * n, 2 * n + 2] / h**2
            acceleration = [free + np.linalg.solve(M, J.T @ self.project(f)) for f in (once, twice)]
        R = pin.Quaternion(q[3:7]).toRotationMatrix()
        classical = [np.concatenate([a[:3] + np.cross(v[3:6], v[:3]), a[3:]]) for a in acceleration]
        end, mean = v + h * classical[0], v + 0.5 * h * classical[1]
        turned = R @ pin.exp3(h * mean[3:6])
        after = np.concatenate([q[:3] + h * R @ mean[:3], pin.Quaternion(turned).coeffs(), q[7:] + h * mean[6:]])
        end[:3] = turned.T @ (R @ end[:3])
        return after, end


@pytest.mark.parametrize("motion", ["stand", "slip", "land"])
def test_ten_milliseconds_by_two_backends(motion):
    from stiction.control import worlds

    made = worlds.small_quadruped_world(mu=MU, stiffness=K, damping=B)
    sim = made.simulator(
        law="anchored",
        stepper="exponential",
        dt=1e-3,
        stepper_options=dict(approximant="exact", switch_refinement=False),
    )
    sim.q[2] -= {"stand": 1e-4, "slip": 2e-4, "land": -1e-3}[motion]
    sim.v[:3] = {"stand": (0, 0, 0), "slip": (0.8, -0.5, -0.1), "land": (0.1, 0.2, -0.6)}[motion]
    if motion == "land":
        sim.v[3:6] = (0.8, -0.5, 1.0)
    other = Independent(st.robots.paths()["quadruped_small"].as_posix(), 1e-3)
    q, v = sim.q.copy(), sim.v.copy()
    tau = np.tile([0.05, 0.3, -0.7], 4)
    slipped = False
    for _ in range(10):
        sim.step(tau)
        slipped |= bool(sim.anchors()["slipping"].any())
        q, v = other.step(q, v, tau)
    assert slipped == (motion == "slip") or motion == "land"
    assert len(sim.anchors()) > 0
    assert np.abs(sim.difference(sim.q, q)).max() < 1e-9
    assert np.abs(sim.v - v).max() < 1e-9
