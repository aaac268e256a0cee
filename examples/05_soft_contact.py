# SPDX-License-Identifier: BSD-2-Clause
"""A small quadruped stands on stiff soft ground (1e5 N/m): exponential integration at 10 ms beside explicit Euler at 0.1 ms."""

import stiction as st

for stepper, dt in (("exponential", 1e-2), ("exponential_midpoint", 1e-2), ("euler", 1e-4)):
    world = st.World()
    world.add_ground(mu=0.8)
    robot = st.robots.load("quadruped_small", world, position=(0, 0, 0.2309), stiffness=1e5, damping=300.0)
    for leg in ("FL", "FR", "HL", "HR"):
        world.set_joint_position(robot, f"{leg}_HFE", -0.8)
        world.set_joint_position(robot, f"{leg}_KFE", 1.6)

    sim = st.Simulator(world, law="anchored", stepper=stepper, dt=dt)
    sim.set_pd(kp=20.0, kd=1.0, implicit=True)  # joints of light legs are stiff at 10 ms
    report = sim.step(n=round(2.0 / dt))
    load = sim.contacts()["force"][:, 2].sum()
    print(f"{stepper:20} {1e3 * dt:4.1f} ms: height {sim.q[2]:.5f} m   load on the feet {load:.4f} N   {report.status}")
    assert abs(load - 9.81 * sim.mass) < 1e-3
