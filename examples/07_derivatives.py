# SPDX-License-Identifier: BSD-2-Clause
"""Derivatives of a step: which torques make a standing quadruped rise at 20 mm/s after one step? One linear solve tells."""

import stiction as st

world = st.World()
world.add_ground(mu=0.8)
robot = st.robots.load("quadruped_small", world, position=(0, 0, 0.24), stiffness=1e5, damping=300.0)
for leg in ("FL", "FR", "HL", "HR"):
    world.set_joint_position(robot, f"{leg}_HFE", -0.8)
    world.set_joint_position(robot, f"{leg}_KFE", 1.6)
sim = st.Simulator(world, law="anchored", stepper="exponential", dt=5e-3)
sim.set_pd(kp=8.0, kd=0.2)
sim.step(n=400)  # it stands

d = sim.step_derivatives()  # of the step from here, tau = 0; the state is not changed
rise = d.du[sim.nv + 2]  # d(vertical speed of the base) / d tau
wanted = 0.02
tau = rise * (wanted / (rise @ rise))  # the smallest torques that the linear model asks for

before = sim.v[2]
sim.step(tau)
print(f"modes {d.mode[0]}, exact: {d.exact}")
print(f"largest torque {abs(tau).max():.4f} N m   wanted {wanted:.4f} m/s   reached {sim.v[2] - before:.4f} m/s")
assert abs(sim.v[2] - before - wanted) < 1e-3
