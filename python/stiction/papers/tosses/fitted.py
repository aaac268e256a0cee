# SPDX-License-Identifier: BSD-2-Clause
"""What was found on the training part: every second toss of it, `EVALUATIONS` predictions of them per method, seed 0 (models.fit).

A toss that is not in the recordings is predicted with `Cube(**CUBES["coulomb, springs"])`.
"""

from __future__ import annotations

EVALUATIONS = 130

CUBES: dict[str, dict[str, float]] = {
    "coulomb, springs": {
        "mu": 0.176135,
        "inertia": 1.66857,
        "centre": 0.00688672,
        "flatness": 0.00243416,
        "rounding": 0.00169722,
        "stiffness": 41506.6,
        "damping": 38.4988,
    },
    "coulomb, Newton's restitution": {
        "mu": 0.180109,
        "inertia": 1.67496,
        "centre": 0.00586589,
        "flatness": 0.0154659,
        "rounding": 0.00129877,
        "restitution": 0.250373,
    },
    "coulomb, moreau": {
        "mu": 0.180213,
        "inertia": 1.71882,
        "centre": 0.00734181,
        "flatness": 0.0451182,
        "rounding": 0.00175571,
        "restitution": 0.151891,
    },
    "convex, springs": {
        "mu": 0.176485,
        "inertia": 1.65514,
        "centre": 0.00595728,
        "flatness": 0.02006,
        "rounding": 0.00266482,
        "stiffness": 47191,
        "damping": 37.1624,
    },
    "MuJoCo, solref": {
        "mu": 0.182559,
        "inertia": 1.89865,
        "centre": 0.00846543,
        "flatness": 0.0754938,
        "rounding": 0.0025224,
        "time": 0.00799635,
        "ratio": 0.692375,
    },
    "MuJoCo, solref, solimp, margin": {
        "mu": 0.179937,
        "inertia": 1.75074,
        "centre": 0.00672024,
        "flatness": -0.00812548,
        "rounding": 0.0016766,
        "time": 0.00799832,
        "ratio": 0.648592,
        "softest": 0.869717,
        "hardest": 0.979153,
        "width": 0.00333118,
        "margin": 8.45648e-06,
    },
    "Bullet, springs": {
        "mu": 0.181995,
        "inertia": 1.58383,
        "centre": 0.00710071,
        "flatness": 0.0108071,
        "rounding": 0.0018165,
        "stiffness": 47143.3,
        "damping": 22.4312,
    },
}
