# SPDX-License-Identifier: BSD-2-Clause
"""Numbers that the study is held against, with their tolerances. All of them are here and nowhere else.

PAPER: B. Hammoud, L. Olivieri, L. Righetti, J. Carpentier, A. Del Prete, "Exponential integration for efficient and accurate
multibody simulation with stiff viscoelastic contacts", Multibody System Dynamics 54(4), 2022. MEASURED: an independent
implementation of the same experiments (own rigid-body dynamics and integrators; Solo-12 of example-robot-data v3.2.0).
Steps are in milliseconds, errors mix metres, radians and their rates (largest component).
"""

from __future__ import annotations

from dataclasses import dataclass, field

# Task: control period [ms], control steps, control steps of the stability run, bound on |v| at control instants (three times
# the largest rate of the reference) [m/s, rad/s].                                                         [paper, section 5]
TASKS = {
    "squat": (40.0, 100, 250, 5.0),
    "jump": (10.0, 299, 299, 108.0),
    "trot": (2.0, 1500, 1500, 38.0),
}
# [-, N/m, N s/m]                                                                                          [paper, section 5]
MU, STIFFNESS, DAMPING = 1.0, 1e5, 300.0

# Largest stable step [ms] by task: (published, measured).                                        [paper, Table II]
STABLE: dict[str, dict[str, tuple[float | None, float]]] = {
    "exact": {"squat": (40.0, 40.0), "jump": (10.0, 10.0), "trot": (2.0, 2.0)},
    "1/2": {"squat": (None, 40.0), "jump": (None, 10.0), "trot": (None, 2.0)},
    "2/3": {"squat": (None, 40.0), "jump": (None, 10.0), "trot": (None, 2.0)},
    "midpoint 1/2": {"squat": (None, 40.0), "jump": (None, 10.0), "trot": (None, 2.0)},
    "midpoint exact": {"squat": (None, 40.0), "jump": (None, 10.0), "trot": (None, 2.0)},
    "1/1": {"squat": (None, 10.0), "jump": (None, 1.25), "trot": (None, 2.0)},
    "2/2": {"squat": (None, 20.0), "jump": (None, 5.0), "trot": (None, 2.0)},
    "3/3": {"squat": (None, 40.0), "jump": (None, 5.0), "trot": (None, 2.0)},
    "euler": {"squat": (0.078125, 0.078125), "jump": (0.15625, 0.15625), "trot": (0.125, 0.125)},
    "implicit": {"squat": (20.0, 20.0), "jump": (5.0, 2.5), "trot": (2.0, 2.0)},
    "rk4": {"squat": (None, 0.3125), "jump": (None, 0.3125), "trot": (None, 0.5)},
}
AS_STABLE = ("exact", "1/2", "2/3", "midpoint 1/2", "midpoint exact")  # must reach the whole control period

# Local errors over control steps: task -> statistic -> method -> {step [ms]: value}, and the tolerance.
# Means of squat; medians of jump and trot: their means come from the few steps in which a contact switches.
ERROR_TOLERANCE = {"squat": 0.15, "jump": 0.25, "trot": 0.25}
ERRORS: dict[str, tuple[str, dict[str, dict[float, float]]]] = {
    "squat": ("mean", {
        "exact": {40.0: 1.17e-2, 20.0: 6.0e-3, 10.0: 3.05e-3, 5.0: 1.5e-3, 2.5: 7.7e-4, 1.25: 3.8e-4, 0.625: 1.9e-4},
        "1/1": {40.0: 1.27e-2, 20.0: 6.4e-3, 10.0: 3.7e-3, 5.0: 1.9e-3, 2.5: 8.2e-4, 1.25: 3.7e-4, 0.625: 1.8e-4},
        "2/2": {40.0: 1.23e-2, 10.0: 4.2e-3},
        "3/3": {40.0: 1.47e-2, 10.0: 3.1e-3},
        "1/2": {40.0: 1.18e-2, 10.0: 3.06e-3},
        "2/3": {40.0: 1.19e-2, 10.0: 3.06e-3},
        "midpoint 1/2": {40.0: 3.9e-4, 10.0: 9.7e-5},
        "midpoint exact": {40.0: 2.2e-4, 20.0: 1.0e-4, 10.0: 8.6e-5, 5.0: 5.9e-5, 2.5: 3.2e-5, 1.25: 1.5e-5, 0.625: 5.7e-6},
        "implicit": {20.0: 5.8e-3, 10.0: 2.8e-3, 5.0: 1.4e-3, 2.5: 7.0e-4, 1.25: 3.5e-4, 0.625: 1.8e-4},
        "euler": {0.078125: 2.3e-5},
    }),
    "jump": ("median", {
        "1/1": {10.0: 2.2e-3}, "2/2": {10.0: 1.3e-3}, "3/3": {10.0: 2.2e-3}, "1/2": {10.0: 1.5e-3}, "2/3": {10.0: 1.4e-3},
        "exact": {10.0: 1.5e-3}, "midpoint 1/2": {10.0: 1.7e-4}, "midpoint exact": {10.0: 1.6e-4},
    }),
    "trot": ("median", {
        "1/1": {2.0: 3.6e-3}, "2/2": {2.0: 3.3e-3}, "3/3": {2.0: 3.0e-3}, "1/2": {2.0: 2.7e-3}, "2/3": {2.0: 2.4e-3},
        "exact": {2.0: 2.3e-3}, "midpoint 1/2": {2.0: 2.8e-4}, "midpoint exact": {2.0: 2.1e-4},
    }),
}  # fmt: skip

# Means of jump and trot, shown beside ours: each method against its own truth, as in the paper's Figs. 2 and 3 but without the
# fault of its harness.
MEANS: dict[str, dict[str, dict[float, float]]] = {
    "jump": {
        "exact": {10.0: 0.24, 5.0: 0.13, 2.5: 0.12, 1.25: 9.1e-3, 0.625: 4.3e-3, 0.3125: 1.4e-3, 0.15625: 4.9e-4},
        "1/1": {10.0: 0.25, 5.0: 0.19, 2.5: 0.13, 1.25: 6.7e-2, 0.625: 2.7e-2, 0.3125: 6.2e-3, 0.15625: 8.4e-4},
        "implicit": {10.0: 0.54, 5.0: 0.83, 2.5: 5.9e-2, 1.25: 2.6e-2, 0.625: 1.4e-2, 0.3125: 7.8e-3, 0.15625: 5.0e-3},
        "rk4": {2.5: 13.0, 1.25: 5.8, 0.625: 0.62, 0.3125: 0.12, 0.15625: 1.2e-3},
        "euler": {10.0: 2.9, 5.0: 67.0, 2.5: 138.0, 1.25: 11.0, 0.625: 10.0, 0.3125: 1.0, 0.15625: 0.15, 0.078125: 2.1e-3,
                  0.0390625: 8.7e-4, 0.01953125: 3.8e-4},
    },
    "trot": {
        "exact": {2.0: 5.8e-2, 1.0: 2.6e-2, 0.5: 1.2e-2, 0.25: 5.8e-3, 0.125: 3.0e-3},
        "1/1": {2.0: 6.8e-2, 1.0: 4.6e-2, 0.5: 2.5e-2, 0.25: 8.0e-3, 0.125: 2.6e-3},
        "implicit": {2.0: 4.4e-2, 1.0: 1.2e-2, 0.5: 5.5e-3, 0.25: 3.1e-3, 0.125: 1.5e-3},
        "rk4": {2.0: 5.8, 1.0: 3.0, 0.5: 0.66, 0.25: 0.11, 0.125: 1.3e-3},
        "euler": {2.0: 0.26, 1.0: 1.0, 0.5: 1.2, 0.25: 0.45, 0.125: 1.9e-2, 0.0625: 2.6e-3, 0.03125: 1.5e-3, 0.015625: 4.9e-4},
    },
}  # fmt: skip

# Motions of our own, recorded when they were made: model -> task -> as ERRORS.
RECORDED: dict[str, dict[str, tuple[str, dict[str, dict[float, float]]]]] = {
    "solo12.urdf, 2.500 kg": {
        "squat": ("mean", {"exact": {40.0: 1.16e-2}, "1/2": {40.0: 1.17e-2}, "midpoint 1/2": {40.0: 3.54e-4}}),
        "jump": ("median", {"exact": {10.0: 6.19e-4}, "1/2": {10.0: 6.79e-4}, "midpoint 1/2": {10.0: 7.05e-5}}),
        "trot": ("median", {"exact": {2.0: 2.21e-3}, "1/2": {2.0: 2.22e-3}, "midpoint 1/2": {2.0: 3.22e-4}}),
    },
    "quadruped_small.urdf, 2.508 kg": {
        "squat": ("mean", {"exact": {40.0: 1.14e-2}, "1/2": {40.0: 1.15e-2}, "midpoint 1/2": {40.0: 3.51e-4}}),
        "jump": ("median", {"exact": {10.0: 6.18e-4}, "1/2": {10.0: 6.65e-4}, "midpoint 1/2": {10.0: 7.17e-5}}),
        "trot": ("median", {"exact": {2.0: 2.50e-3}, "1/2": {2.0: 2.50e-3}, "midpoint 1/2": {2.0: 3.08e-4}}),
    },
}


# Goals that go past the paper.
@dataclass(frozen=True)
class Goal:
    """A bound by task, and what was measured before."""

    bound: dict[str, float]
    measured: dict[str, float] = field(default_factory=dict)


GOALS = {
    "median of [1/2] over exact": Goal(dict.fromkeys(TASKS, 1.2), {"squat": 1.01, "jump": 1.0, "trot": 1.17}),
    "gain of midpoint": Goal({"squat": 25.0, "jump": 8.0, "trot": 8.0}, {"squat": 30.0, "jump": 8.8, "trot": 9.6}),
    "refined mean": Goal({"jump": 1e-2, "trot": 1e-2}, {"jump": 8.4e-3, "trot": 7.4e-3}),
    "refined steps": Goal({"jump": 0.4, "trot": 0.4}, {"jump": 0.29, "trot": 0.36}),
    "automatic order, error": Goal(dict.fromkeys(TASKS, 0.02)),
    "automatic order, share": Goal(dict.fromkeys(TASKS, 0.7), {"squat": 0.99, "jump": 0.74, "trot": 0.78}),
}

# Fault of the published harness, explicit Euler: (task, step [ms]) -> mean error (without, with it) as measured.
HARNESS_FAULT = {
    ("squat", 0.078125): (2.3e-5, 1.6e-4),
    ("trot", 0.0625): (2.6e-3, 2.5e-2),
    ("jump", 0.078125): (2.1e-3, 6.9e-3),
}
HARNESS_CLEAN = 3e-5  # largest error allowed on squat without it
HARNESS_TOLERANCE = 0.25

# Sweeps on the trot: mean error by stiffness (ζ = 0.5) and by damping ratio (K = 1e5).                    [paper, Fig. 4]
SWEEP_STIFFNESS = [10.0 ** (3.0 + 0.5 * i) for i in range(11)]
SWEEP_DAMPING = [0.2, 0.4, 0.6, 0.8, 1.0]
SWEEP_STEPS = {"1/1": 2.0, "1/2": 2.0, "euler": 0.5, "implicit": 2.0}  # [ms]
SWEEP_SPREAD = 4.0  # largest error over smallest, exponential at 2 ms
SWEEP_MEASURED: dict[str, dict[str, list[float | None]]] = {
    "stiffness": {
        "1/1": [0.094, 0.054, 0.059, 0.067, 0.068, 0.075, 0.080, 0.085, 0.092, 0.12, 0.20],
        "euler": [0.022, 0.018, 0.066, 0.37, 1.3, 4.9, 16.0, 43.0, 119.0, None, None],
        "implicit": [0.045, 0.024, 0.026, 0.040, 0.045, 0.056, 0.065, 0.068, 0.18, None, None],
    },
    "damping": {
        "1/1": [0.072, 0.067, 0.073, 0.071, 0.074],
        "euler": [0.18, 0.84, 2.0, 3.5, 5.4],
        "implicit": [0.053, 0.044, 0.045, 0.050, 0.051],
    },
}

# Time of one step of the trot at 2 ms [µs].                                                       [paper, Table III]
TIMES = {"1/1": 39.0, "dense": 94.0, "euler": 9.0}
COST_GOALS = {
    "exponential": 1.5,
    "midpoint": 2.2,
    "default": 1.5,
}  # [1/2] over euler; midpoint and default settings over [1/2]

# Romeo: control period [ms]; control steps until the second foot has landed, until the walk ends with the robot's weight moved onto
# it, and with the standing afterwards; largest stable step [ms] as published, and what is aimed at.          [paper, Table II]
ROMEO_PERIOD, ROMEO_LANDED, ROMEO_WALK, ROMEO_STEPS = 40.0, 90, 120, 157
ROMEO: dict[str, float | None] = {
    "exact": 5.0,
    "1/2": None,
    "midpoint 1/2": None,
    "euler": 1.25,
    "rk4": None,
    "implicit": 10.0,
}
ROMEO_AIM = {"1/2": 5.0}
ROMEO_BOUND = 1e5  # on ‖v‖: what the paper calls stable
