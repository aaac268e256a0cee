# SPDX-License-Identifier: BSD-2-Clause
"""The same tosses in Bullet (PyPI: pybullet): a box with an offset centre of mass on a plane."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .cube import Cube, start
from .recordings import INTERVAL, Motion, Toss, matrices


@dataclass(frozen=True)
class BulletMethod:
    substeps: int = 4

    def __call__(self, cube: Cube, tosses: list[Toss]) -> list[Motion]:
        import pybullet as p

        client = p.connect(p.DIRECT)
        try:
            body = self._world(p, client, cube)
            first = start(cube, tosses)
            starts = zip(*(first.centre(cube)), first.rotation, first.world_spin, strict=True)
            return [self._toss(p, client, body, cube, toss, (x, rotation, v, w))
                    for toss, (x, v, rotation, w) in zip(tosses, starts, strict=True)]  # fmt: skip
        finally:
            p.disconnect(client)

    def _world(self, p, client: int, cube: Cube) -> int:
        p.setGravity(0, 0, -cube.gravity, physicsClientId=client)
        p.setPhysicsEngineParameter(fixedTimeStep=INTERVAL / self.substeps, numSubSteps=0, restitutionVelocityThreshold=0.01,
                                    deterministicOverlappingPairs=1, physicsClientId=client)  # fmt: skip
        plane = p.createCollisionShape(p.GEOM_PLANE, physicsClientId=client)
        ground = p.createMultiBody(0.0, plane, physicsClientId=client)
        if cube.rounding == 0.0:
            shape = p.createCollisionShape(p.GEOM_BOX, halfExtents=[0.5 * cube.edge] * 3, physicsClientId=client)
        else:
            shape = p.createCollisionShapeArray([p.GEOM_SPHERE] * 8, radii=[cube.rounding] * 8,
                                                collisionFramePositions=cube.balls.tolist(), physicsClientId=client)  # fmt: skip
        body = p.createMultiBody(
            cube.mass, shape, baseInertialFramePosition=[0, 0, cube.centre], physicsClientId=client
        )
        for each in (ground, body):
            # Bullet multiplies the two coefficients of friction and restitution
            soft = {} if cube.stiffness is None else dict(contactStiffness=cube.stiffness, contactDamping=cube.damping)
            p.changeDynamics(each, -1, lateralFriction=np.sqrt(cube.mu), restitution=np.sqrt(cube.restitution), linearDamping=0.0,
                             angularDamping=0.0, spinningFriction=cube.mu_torsion, rollingFriction=cube.mu_rolling,
                             physicsClientId=client, **soft)  # fmt: skip
        p.changeDynamics(
            body,
            -1,
            localInertiaDiagonal=list(cube.moments),
            activationState=p.ACTIVATION_STATE_DISABLE_SLEEPING,
            physicsClientId=client,
        )
        return int(body)

    def _toss(self, p, client: int, body: int, cube: Cube, toss: Toss, first) -> Motion:
        position, rotation, velocity, spin = (x.tolist() for x in first)
        p.resetBasePositionAndOrientation(body, position, rotation, physicsClientId=client)
        p.resetBaseVelocity(body, velocity, spin, physicsClientId=client)
        states = np.empty((len(toss), 7))
        states[0] = [*position, *rotation]
        for k in range(1, len(toss)):
            for _ in range(self.substeps):
                p.stepSimulation(physicsClientId=client)
            x, q = p.getBasePositionAndOrientation(body, physicsClientId=client)
            states[k] = [*x, *q]
        return Motion(states[:, :3] - matrices(states[:, 3:]) @ cube.offset, states[:, 3:])
