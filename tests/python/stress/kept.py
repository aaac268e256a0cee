# SPDX-License-Identifier: BSD-2-Clause
"""Worlds of bench/stress that failed once, and what was wrong."""

WORLDS = {
    17: "anchored, rk4 at 4 ms: 3.6e30 J in a step, converged",
    62: "anchored, a soft loop at 50 ms: 100 J became 3.7e5 J, converged",
    68: "anchored, euler at 14 ms: 2.4e12 J in a step, converged",
    76: "compliant, moreau at 70 ms: 5 J became 1e12 J, converged",
    84: "anchored, rigid_euler: 3e12 J in a step, converged",
    166: "relaxed (micro), rk_gill at 18 ms: 5e35 J in a step, converged",
    29: "raisim: 350 000 sweeps in a step",
    140: "pyramid: 200 000 sweeps in a step",
    561: "coulomb: 500 000 iterations in a step",
    1176: "raisim, a soft loop, bisection: refused impulses gave 5e4 J, max_iterations",
    1334: "convex, a soft loop, sor: refused impulses gave 3e5 J, max_iterations",
    58: "coulomb: friction of a light body beside a heavy one wrong, converged",
    248: "coulomb: likewise, 14 000 times the tolerance",
    1027: "raisim: 5900 times the tolerance in the power of friction, converged",
    2061: "anchored, a soft loop, rigid_euler: kinetic energy five times as large after a step, again and again, converged",
    101: "raisim: slip within the cone called converged",
    4530: "raisim, a robot with joints beyond their limits at 750 rad/s: 5.9e4 J became 5.3e5 J in a step, converged",
}

# Not mended yet.
OPEN = {
    6144: "anchored, euler, stiff springs under a robot: 106 J became 2.2e3 J in a step, converged",
    302255: "anchored, rigid_euler, one contact of a robot: 77 J became 3.8e3 J in a step, converged",
    303772: "anchored, exponential_midpoint, fast thin bodies: 2.6e5 J became 4.4e6 J in a step, converged",
    300562: "anchored, rigid_euler, redundant contacts: forces of 1e14 N that cancel, round-off of momentum 5e-6, converged",
    302193: "anchored, rigid_euler: likewise, 4e-6",
    300977: "raisim, 110 contacts, masses over twelve decades: 406 000 iterations in a step, 3 s",
    302996: "anchored, rigid_euler: likewise, 5e-6",
    306177: "anchored, rigid_euler: likewise, 2e-5",
    302260: "pyramid, pgs: numerical_failure, and the state moved",
    304357: "coulomb, stewart_trinkle: 1.3e3 J became 6.1e4 J in a step, converged",
    305900: "convex, fast bodies and a robot: 1.0e5 J became 5.6e5 J in a step, converged",
    306354: "pyramid, masses and loops: 464 000 iterations in a step, 11 s",
    305352: "convex, two bodies at 135 m/s: overlap grew by a tenth of the way",
}
