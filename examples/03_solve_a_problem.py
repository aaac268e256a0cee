# SPDX-License-Identifier: BSD-2-Clause
"""The solvers alone, without any bodies: one contact of a 2 kg particle that falls at 1 m/s and slides at 3 m/s.

Closed form: the normal impulse stops the fall, friction takes mu of it against the slip: 2 kg (-0.5, 0, 1) m/s.
"""

import numpy as np

import stiction as st

problem = st.ContactProblem(np.eye(3) / 2.0, g=[3.0, 0.0, -1.0], mu=0.5, dt=1e-3)  # rows T1, T2, N

for solver in st.catalog()["solvers"]:
    if "coulomb" not in solver.laws:
        continue
    impulse, report = st.solve(problem, solver=solver.name)
    accepted = st.evaluate(problem, impulse, tolerance=1e-7).accepted  # the judge: no solver involved
    print(f"{solver.name:14} impulse ({impulse[0]:.5f}, {impulse[2]:.5f}) N s   {report.status}")
    assert accepted and np.allclose(impulse, [-1.0, 0.0, 2.0], atol=1e-6)
