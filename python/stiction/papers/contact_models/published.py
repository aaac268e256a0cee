# SPDX-License-Identifier: BSD-2-Clause
"""Numbers to be met. The paper prints curves without numbers; these are what an independent implementation of it measured, and closed forms.

SI units unless said; forces in the order T1, T2, N.
"""

from __future__ import annotations

from typing import Any

LAWS = ("coulomb", "convex", "pyramid", "raisim")  # NCP, CCP, LCP, RaiSim
GRAVITY, STEP, MASS, MU = 9.81, 1e-3, 1.0, 0.4  # of the two cube experiments
EDGE, CORNER = 0.2, 0.2 / 50  # of the cube, radius of its corner spheres [m]

# RP1, the sliding cube of contactbench: sums (T1, T2, N) with their tolerances [N], angle between friction and -slip [degrees]
RP1_SUMS = {
    "coulomb": ((0.975000, -8.774999, 9.81), (1e-5, 1e-5, 1e-6)),
    "convex": ((65.23662, -587.12959, 656.3808), (1e-3, 1e-3, 1e-3)),
    "pyramid": ((9.298173, -9.298173, 10.331303), (1e-5, 1e-5, 1e-5)),
    "raisim": ((0.91358, -8.21663, 9.81), (1e-3, 1e-3, 1e-3)),
}
RP1_ANGLE = {"coulomb": 0.0, "convex": 0.0, "pyramid": 39.00, "raisim": 20.55}
# of all forces, coulomb: without internal forces (admm, staggered), and pgs
RP1_NORM, RP1_NORM_PGS = 9.038697, 9.039627
RP2_FLOOR = 9810.00981

# Fig. 9: degrees between velocity and pyramid: time to rest [s], way along v0, aside [mm]
SLIDE = {("coulomb", 30): (0.254, 126.9, 0.0), ("pyramid", 0): (0.254, 126.9, 0.0), ("pyramid", 30): (0.220, 98.2, -20.2),
         ("pyramid", 45): (0.180, 89.6, 0.0)}  # fmt: skip
# Fig. 10: peak of the centre [mm]
SLIDE_PEAK = 6.2
NEWTON_PEAKS: dict[str, tuple[float, dict[str, Any]]] = {
    "contactbench": (5.59, {}), "drake": (5.87, {}), "mujoco, d 0.95": (5.48, {"d": 0.95}), "mujoco, d 0.99999": (6.19, {"d": 0.99999}),
}  # fmt: skip
SLIDE_SIGNORINI = 43.0  # [W]
# energy at 0.1 s, largest error against the closed form and its tolerance [J]
SLIDE_ENERGY = {"coulomb": (0.18459, 0.0, 1e-8), "raisim": (0.18752, 3.1e-3, 5e-4), "convex": (0.18736, 0.165, 0.01)}
RAISIM_STOP = 0.257

# Fig. 12: onset of slip [s], x(1) [m], v(1) [m/s]; the convex cube hops there (detection margin fixed at 1 mm)
DRAG = {"coulomb": (0.207, 1.7311, 6.453), "raisim": (0.205, 1.7467, 6.492), "convex": (0.207, 1.715, 6.539)}
ONSET_PUBLISHED = 0.25  # "approximately", read off its curve [s]
DRAG_SIDE_STICK = {("coulomb", "pgs"): 0.88, ("convex", "pgs"): 1.0, ("raisim", "bisection"): 0.89, ("pyramid", "pgs"): 1.2,
                   ("coulomb", "admm"): 0.0, ("coulomb", "staggered"): 0.0, ("convex", "newton"): 0.0}  # fmt: skip
DRAG_SIDE_SLIP = {("coulomb", "pgs"): 0.0, ("raisim", "bisection"): 0.216, ("pyramid", "pgs"): 1.14}
HOP = 43.0  # with a margin of 1 mm [mm]
# Figs. 11, 15: sum of |x - x_ref| dt against the same solver at 2e-5 s [m s]
CONSISTENCY_STEPS = (1e-4, 5e-4, 1e-3, 2e-3, 5e-3)
CONSISTENCY = {"convex": (6.0e-5, 3.6e-4, 7.3e-4, 1.5e-3, 3.7e-3), "coulomb": (7e-9, 7.6e-8, 5.6e-7, 3.2e-6, 1.2e-5)}

# Fig. 13: one static step of the stack by mass ratio
RATIOS = (1.0, 1e2, 1e4, 1e6)
SWEEPS_AT_1 = {("pgs", "coulomb"): 215, ("pgs", "convex"): 236, ("bisection", "raisim"): 562}
# at 1e4, 1e6 [N]
SWEEP_FLOOR = {
    ("pgs", "coulomb"): (521.0, 74.0),
    ("pgs", "convex"): (558.0, 86.0),
    ("bisection", "raisim"): (102.0, 10.8),
}
ADMM_ITERATIONS = (4, 7, 10, 13)
# [N]
NEWTON_FLOOR = {
    "contactbench": (17.12, 9.06, 0.99, 0.10),
    "drake": (18.22, 16.16, 1.92, 0.19),
    "mujoco": (19.62, 98.88, 818.0, 467.0),
}
HIDDEN_DUAL = 5.0e-3  # un-regularised dual residual of newton at 1e6 [m/s]

# Extras
BOUNCE_GAIN = {1e-3: 0.22, 2e-3: 0.44}  # energy of a ball with e = 1 above its start, by step [%]
