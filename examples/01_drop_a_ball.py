# SPDX-License-Identifier: BSD-2-Clause
"""A ball falls one metre, comes to rest on the ground and carries its own weight: a world, a simulator, a loop."""

import stiction as st

world = st.World()
world.add_ground(mu=0.8)
ball = world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 1.1))

sim = st.Simulator(world, dt=1e-3)  # law coulomb, solver auto
for _ in range(10):
    report = sim.step(n=100)
    print(f"t = {sim.time:.1f} s   height {sim.pose(ball)[0][2] - 0.1:.6f} m   {report.status}")

force = sim.contacts()["force"][0]
print(f"force of the ground {force[2]:.6f} N")
assert abs(force[2] - 9.81) < 1e-6
