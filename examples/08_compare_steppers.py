# SPDX-License-Identifier: BSD-2-Clause
"""Stewart and Trinkle's falling rod under two steppers: when its end touches down, and how deep anything sinks in."""

import stiction as st

for stepper in ("semi_implicit", "stewart_trinkle"):
    for dt in (1e-2, 2.5e-3):
        sim = st.scene("rod", law="coulomb", stepper=stepper, dt=dt)
        touched, depth = 0.0, 0.0
        while sim.time < 0.7:
            report = sim.step()
            depth = max(depth, report.penetration)
            if touched == 0.0 and sim.contacts()["force"].any():
                touched = sim.time
        print(
            f"{stepper:15} dt {1e3 * dt:4.1f} ms: touches at {touched:.4f} s   deepest overlap {1e3 * depth:.4f} mm   "
            f"energy left {sim.energy().total:.4f} J"
        )
        assert abs(touched - 0.382) < dt + 1e-3
