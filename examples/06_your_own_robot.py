# SPDX-License-Identifier: BSD-2-Clause
"""A robot from a URDF file under joint PD: an arm swings and pushes a box over the floor."""

from pathlib import Path

import stiction as st

world = st.World()
world.add_ground(mu=0.5)
arm = world.add_urdf(Path(__file__).parent / "arm.urdf", fixed=True, mu=0.3)
box = world.add_box(size=(0.1, 0.1, 0.1), mass=0.5, position=(0.45, 0.15, 0.05), mu=0.5)
print("joints:", *arm.joint_names)

sim = st.Simulator(world, dt=1e-3)
sim.set_pd(kp=60.0, kd=6.0)
for k in range(1, 11):
    report = sim.step(target=[0.1 * k, 0.0], n=100)  # the shoulder is asked to turn at 1 rad/s
    place, _ = sim.pose(box)
    tip, _ = sim.frame_pose("tip")
    push = sum(float(c["force"] @ c["normal"]) for c in sim.contacts() if c["body_a"] >= 0)  # between arm and box
    print(
        f"t = {sim.time:.1f} s   tip ({tip[0]:.4f}, {tip[1]:.4f}) m   box ({place[0]:.4f}, {place[1]:.4f}) m   "
        f"push {push:.3f} N   {report.status}"
    )

assert place[1] > 0.2
