# SPDX-License-Identifier: BSD-2-Clause
"""A rollout inside a JAX program: how fast must a box be pushed off to come to rest at a mark? pip install "stiction[autodiff]"."""

import jax
import jax.numpy as jnp
import numpy as np

import stiction as st

jax.config.update("jax_enable_x64", True)
world = st.World()
world.add_ground(mu=0.5)
world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0.1))
sim = st.Simulator(world, dt=2e-3)
rollout = st.gradients.for_jax(sim)  # (q0, v0, u) -> (q, v), with gradients
q0, u = jnp.array(np.array(sim.q)), jnp.zeros((150, sim.ntau))


@jax.jit
def miss(speed: jax.Array) -> jax.Array:
    """The square of the distance to the mark [m^2]."""
    q, _ = rollout(q0, jnp.zeros(sim.nv).at[0].set(speed), u)
    return (q[-1, 0] - 0.1) ** 2


speed = jnp.array(0.5)
for _ in range(6):
    value, slope = jax.value_and_grad(miss)(speed)
    if value < 1e-18:
        break
    print(f"speed {speed:.6f} m/s, miss {1e3 * jnp.sqrt(value):.4f} mm")
    speed = speed - 2.0 * value / slope  # Newton's method on the distance itself
assert float(miss(speed)) < 1e-12
