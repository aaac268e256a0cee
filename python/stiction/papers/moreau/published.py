# SPDX-License-Identifier: BSD-2-Clause
"""Numbers of Gehring et al. 2014 and of an independent implementation of it. Names: H hard, C compliant; m minimal, E extended,
M maximal coordinates; J jor, S sor; D direct, P prox rows of the joints."""

from __future__ import annotations

NAMES = ("Cm", "HmJ", "HmS", "HEJD", "HEJP", "HESD", "HESP", "HMJD", "HMJP", "HMSD", "HMSP")
ALPHA = {
    "HmJ": 0.6,
    "HmS": 0.6,
    "HEJD": 0.6,
    "HEJP": 0.5,
    "HESD": 0.6,
    "HESP": 0.6,
    "HMJD": 1.0,
    "HMJP": 0.4,
    "HMSD": 1.0,
    "HMSP": 0.6,
}
# per second
EVALUATIONS = dict(zip(NAMES, (8900, 5400, 4700, 2700, 2900, 2500, 2400, 1600, 600, 1600, 800), strict=True))
REALTIME = dict(zip(NAMES, (11.5, 13.5, 11.8, 6.8, 7.1, 6.1, 6.0, 4.1, 1.5, 3.9, 2.0), strict=True))

MASS, GRAVITY = 26.82, 9.81
CONTROL = 2.5e-3  # control period [s]
STEP_HARD, STEP_COMPLIANT = 2.5e-3, 1.25e-3  # [s]
STIFFNESS, DAMPING = 30000.0, 50.0  # [N/m], [N s/m]
TROT = 20.0  # [s]
SINK_TROT = 4.4  # two feet [mm]
# 4.385, 2.193 [mm]
SINK_TROT_EXACT, SINK_STAND_EXACT = 1e3 * MASS * GRAVITY / (2 * STIFFNESS), 1e3 * MASS * GRAVITY / (4 * STIFFNESS)
BILATERAL_DRIFT = 0.59  # while trotting [µm/min]
FOOT_DRIFT, FOOT_DRIFT_MEASURED = 750.0, 625.0  # standing, cold start, alpha .6 [µm/min]

# Largest alpha of jor at pitch .75: published (twice Table 1) and measured.
ALPHA_MAX = {"minimal": (1.2, 1.119), "extended prox": (1.0, 1.047), "extended direct": (1.2, 1.132), "maximal prox": (0.8, 0.750),
             "maximal direct": (2.0, 1.848)}  # fmt: skip

# Measured iterations at pitch .75, dt 2.5 ms, cold start: by coordinates and joints, then alpha: (jor, sor). None: no convergence.
ALPHAS = (0.2, 0.4, 0.6, 0.8, 1.0)
ITERATIONS = {
    "minimal": ((179, 179), (96, 96), (66, 66), (50, 50), (48, 50)),
    "extended direct": ((181, 181), (97, 97), (66, 66), (50, 50), (45, 46)),
    "extended prox": ((221, 213), (120, 110), (83, 72), (64, 52), (52, 48)),
    "maximal direct": ((283, 283), (154, 154), (107, 107), (82, 82), (67, 67)),
    "maximal prox": ((389, 371), (211, 191), (146, 126), (113, 94), (None, 74)),
}

# Bars of this project.
ALPHA_BAR = 0.08  # relative: half of the largest alpha is printed with one digit, and depends on the posture
REALTIME_BAR = 200.0  # HmJ, controller excluded
WEIGHT_BAR = 0.02  # relative: two feet carry the weight
SINK_BAR = 0.05  # relative
DRIFT_BAR = 1.0  # direct joints [µm/min]
GROWTH_BAR = 1e-6  # of the energy in a step after the push [J]
