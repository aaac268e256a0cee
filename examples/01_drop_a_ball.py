# SPDX-License-Identifier: BSD-2-Clause
"""A ball falls one metre, comes to rest on the ground and carries its own weight."""

import stiction as st

world = st.World()
world.add_ground(mu=0.8)
ball = world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 1.1))

sim = st.Simulator(world, dt=1e-3)
while sim.time < 1.0:
    report = sim.step(n=100)
    print(f"t = {sim.time:.1f} s   height of the centre {sim.q[2]:.4f} m   {report.status}")

contact = sim.contacts()[0]
print("force of the ground:", contact["force"], "N, mode", contact["mode"])
assert abs(contact["force"][2] - 9.81) < 1e-6
assert abs(sim.pose(ball)[0][2] - 0.1) < 1e-3
