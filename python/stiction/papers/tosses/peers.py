# SPDX-License-Identifier: BSD-2-Clause
"""Other engines on the same tosses, fitted by the same search with the same number of evaluations."""

from __future__ import annotations

import importlib.util

from .bullet_beside import BulletMethod
from .drake_beside import DrakeCube, DrakeMethod
from .models import BODY, REBOUND, SPRING, SUBSTEPS, Model, Unknown
from .mujoco_beside import MujocoCube, MujocoMethod

SOLREF = (Unknown("time", 0.008, 0.3, 1e-3, 1.0, True), Unknown("ratio", 0.5, 0.3, 0.01, 10.0, True))
SOLIMP = (
    Unknown("softest", 0.9, 0.03, 0.01, 0.999),
    Unknown("hardest", 0.95, 0.02, 0.02, 0.9999),
    Unknown("width", 0.001, 0.7, 1e-5, 0.1, True),
)
MARGIN = (Unknown("margin", 0.0, 0.0003, 0.0, 0.02),)
PEERS = (
    Model("MuJoCo, solref", MujocoMethod(SUBSTEPS), BODY + SOLREF, MujocoCube()),
    Model("MuJoCo, solref, solimp, margin", MujocoMethod(SUBSTEPS), BODY + SOLREF + SOLIMP + MARGIN, MujocoCube()),
    Model("Bullet, springs", BulletMethod(SUBSTEPS), BODY + SPRING),
    Model("Bullet, restitution", BulletMethod(SUBSTEPS), BODY + REBOUND),
    Model("Drake, similar", DrakeMethod(SUBSTEPS, "similar"), BODY + (SPRING[0], Unknown("dissipation", 0.5, 0.5, 1e-3, 1e3, True)), DrakeCube()),
    Model("Drake, sap", DrakeMethod(SUBSTEPS, "sap"), BODY + (SPRING[0], Unknown("relaxation", 0.002, 0.5, 1e-5, 1.0, True)), DrakeCube()),
)  # fmt: skip
PACKAGES = {"MuJoCo": "mujoco", "Bullet": "pybullet", "Drake": "pydrake"}


def installed(model: Model) -> bool:
    return importlib.util.find_spec(PACKAGES[model.name.split(",")[0]]) is not None
