# SPDX-License-Identifier: BSD-2-Clause
"""The same tosses in Drake (PyPI: drake): the same eight balls at the corners on a half-space, discrete solver SAP or Similar."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .cube import Cube, start
from .recordings import INTERVAL, Motion, Toss


@dataclass(frozen=True)
class DrakeCube(Cube):
    """Drake's soft contact: stiffness, Hunt and Crossley's dissipation [s/m], relaxation time of SAP [s]."""

    dissipation: float = 1.0
    relaxation: float = 0.01


@dataclass(frozen=True)
class DrakeMethod:
    substeps: int = 4
    approximation: str = "similar"

    def __call__(self, cube: Cube, tosses: list[Toss]) -> list[Motion]:
        from pydrake.systems.framework import DiagramBuilder

        assert isinstance(cube, DrakeCube)
        builder = DiagramBuilder()
        plant = self._plant(cube, builder)
        diagram = builder.Build()
        context = diagram.CreateDefaultContext()
        inner = plant.GetMyMutableContextFromRoot(context)
        first = start(cube, tosses)
        starts = np.hstack([first.rotation[:, [3, 0, 1, 2]], first.position, first.world_spin, first.velocity])
        return [self._toss(diagram, context, plant, inner, toss, x) for toss, x in zip(tosses, starts, strict=True)]

    def _plant(self, cube: DrakeCube, builder):
        from pydrake.geometry import AddContactMaterial, HalfSpace, ProximityProperties, Sphere
        from pydrake.math import RigidTransform
        from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction, DiscreteContactApproximation
        from pydrake.multibody.tree import RotationalInertia, SpatialInertia

        plant, _ = AddMultibodyPlantSceneGraph(builder, INTERVAL / self.substeps)
        plant.set_discrete_contact_approximation(
            getattr(DiscreteContactApproximation, f"k{self.approximation.capitalize()}")
        )
        plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, -cube.gravity])
        about_centre = RotationalInertia(*cube.moments)
        body = plant.AddRigidBody("cube", SpatialInertia.MakeFromCentralInertia(cube.mass, cube.offset, about_centre))
        surface = ProximityProperties()
        # two equal springs in series
        AddContactMaterial(dissipation=0.5 * cube.dissipation, point_stiffness=2.0 * (cube.stiffness or 1e8),
                           friction=CoulombFriction(cube.mu, cube.mu), properties=surface)  # fmt: skip
        surface.AddProperty("material", "relaxation_time", 0.5 * cube.relaxation)
        plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(), HalfSpace(), "plate", surface)
        for i, place in enumerate(cube.balls):
            plant.RegisterCollisionGeometry(body, RigidTransform(place), Sphere(cube.rounding), f"corner{i}", surface)
        plant.Finalize()
        return plant

    def _toss(self, diagram, context, plant, inner, toss: Toss, x: np.ndarray) -> Motion:
        from pydrake.systems.analysis import Simulator

        context.SetTime(0.0)
        plant.SetPositionsAndVelocities(inner, x)
        simulator = Simulator(diagram, context)
        states = np.empty((len(toss), 7))
        states[0] = x[:7]
        for k in range(1, len(toss)):
            simulator.AdvanceTo((k - 0.5 / self.substeps) * INTERVAL)
            states[k] = plant.GetPositions(inner)
        return Motion(states[:, 4:], states[:, [1, 2, 3, 0]])
