# SPDX-License-Identifier: BSD-2-Clause
"""Planning through contact: how must a finger push so that a cube slides 0.3 m and lies still? Friction stops it, nothing pulls."""

import numpy as np

import stiction as st
from stiction import control

FINGER = """<robot name="pusher"><link name="rail"/>
<joint name="x" type="prismatic"><parent link="rail"/><child link="finger"/><axis xyz="1 0 0"/>
<limit lower="-5" upper="5" effort="100" velocity="10"/></joint>
<link name="finger"><inertial><mass value="0.5"/><inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><sphere radius="0.02"/></geometry></collision></link></robot>"""

world = st.World()
world.add_ground(mu=0.5)
world.add_box(size=(0.1, 0.1, 0.1), mass=0.5, position=(0, 0, 0.05))
world.add_urdf_text(FINGER, position=(-0.07, 0, 0.05), fixed=True, mu=0.5)
sim = st.Simulator(world, dt=5e-3, solver_options={"tolerance": 1e-10})

goal, weights = sim.q.copy(), np.zeros(2 * sim.nv)
goal[0] = 0.3
weights[:6] = 1e6, 1e4, 0, 0, 0, 1e2  # where the cube lies
weights[[7, 13]] = 1e3, 1e2  # and that cube and finger are at rest
knots = 60
end = control.StateCost(weights, goal, np.zeros(sim.nv))
cost = control.Quadratic(sim, control=1e-3, at={knots: end})
plan = control.Plan(sim, knots, cost, hold=2, lower=-40, upper=40)
planned = control.ilqr(plan, np.full((knots, 1), 5.0), iterations=30)

for u in planned.u:
    sim.step(u, n=2)
print(f"{planned.iterations} iterations; the cube lies {1e3 * abs(sim.q[0] - 0.3):.3f} mm from its target")
print(f"forces from {planned.u.min():.1f} to {planned.u.max():.1f} N")
assert abs(sim.q[0] - 0.3) < 1e-3
