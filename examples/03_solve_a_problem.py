# SPDX-License-Identifier: BSD-2-Clause
"""The solver alone: one contact of a 2 kg mass that is pressed down and pushed sideways."""

import numpy as np
import stiction as st

mass, mu = 2.0, 0.5
problem = st.ContactProblem(np.eye(3) / mass, g=[1.0, 0.0, -0.5], mu=mu, dt=1e-3)  # rows T1, T2, N

impulse, report = st.solve(problem, solver="auto", tolerance=1e-10)
print("impulse", impulse, "N s:", report.status, "by", report.path)
print(st.evaluate(problem, impulse))

# It slides: the normal impulse stops the fall, friction takes mu of it against the slip.
expected = np.array([-mu * mass * 0.5, 0.0, mass * 0.5])
assert np.allclose(impulse, expected, atol=1e-9)
assert st.evaluate(problem, impulse, tolerance=1e-10).accepted
