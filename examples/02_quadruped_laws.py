# SPDX-License-Identifier: BSD-2-Clause
"""A quadruped is pushed sideways under four contact laws; the judge says how far each is from exact Coulomb friction."""

import stiction as st

residual = {}
for law in ("coulomb", "convex", "pyramid", "raisim"):
    sim = st.scene("starleth_push", law=law)
    report = sim.step(n=round(sim.duration / sim.dt))  # the scene's push is applied on the way
    residual[law] = report.ncp.natural
    trunk, _ = sim.pose(0)
    print(
        f"{law:8} trunk at ({trunk[0]:+.4f}, {trunk[1]:+.4f}, {trunk[2]:+.4f}) m   "
        f"{report.unaccepted} steps not accepted   {report.ncp.natural:.1e} N from Coulomb"
    )

assert all(residual["coulomb"] < 1e-4 * other for law, other in residual.items() if law != "coulomb")
