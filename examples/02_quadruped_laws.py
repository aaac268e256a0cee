# SPDX-License-Identifier: BSD-2-Clause
"""A quadruped is pushed under three contact laws; the judge says how far each is from exact Coulomb friction."""

import stiction as st

residual = {}
for law in ("coulomb", "convex", "pyramid"):
    sim = st.scene("starleth_push", law=law)
    report = sim.step(n=round(sim.duration / sim.dt))
    residual[law] = report.ncp.natural
    print(f"{law:8}  {report.status}, {report.unaccepted} of {report.steps} steps unaccepted, "
          f"NCP residual {report.ncp.natural:.3g} N, base at {sim.q[2]:.3f} m")

assert residual["coulomb"] < residual["convex"]
assert residual["coulomb"] < residual["pyramid"]
