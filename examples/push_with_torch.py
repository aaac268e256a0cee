# SPDX-License-Identifier: BSD-2-Clause
"""A rollout inside a PyTorch program: a push-off speed is learnt by gradient descent. pip install torch."""

import numpy as np
import torch

import stiction as st

world = st.World()
world.add_ground(mu=0.5)
world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0.1))
sim = st.Simulator(world, dt=2e-3)
rollout = st.gradients.for_torch(sim)  # (q0, v0, u) -> (q, v), with gradients
q0, u = torch.tensor(np.array(sim.q)), torch.zeros((150, sim.ntau), dtype=torch.float64)
speed = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
one = torch.eye(sim.nv, dtype=torch.float64)[0]
optimiser = torch.optim.SGD([speed], lr=8.0)
for _ in range(30):
    q, _ = rollout(q0, speed * one, u)
    loss = (q[-1, 0] - 0.1) ** 2
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
print(f"speed {speed.item():.6f} m/s, miss {1e3 * loss.item() ** 0.5:.4f} mm")
assert loss.item() < 1e-8
