# SPDX-License-Identifier: BSD-2-Clause
"""Gymnasium's Ant and Humanoid (v5) on this engine: the same files, observation, reward and end.

Names, weights and ranges are those of Gymnasium's documentation. What is observed of links (mujoco_links.py) is that of the present
state; MuJoCo's step leaves it at the state before the last physics step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from .._core import Simulator, World
from .mujoco_links import Links, add_robot, along, turned
from .planar import MujocoTask
from .task import Rows, Which


class Spatial(MujocoTask):
    """A floating base and hinges. self.links: what is seen of links."""

    watched: ClassVar[dict[str, Any]] = {"bodies": True, "sensors": True}
    normal_rates: ClassVar[bool] = False

    def __init__(
        self,
        *,
        contact_cost_weight: float,
        healthy_z_range: Sequence[float],
        include_cfrc_ext_in_observation: bool = True,
        **options: Any,
    ) -> None:
        self.contact_weight, self.z_bounds = contact_cost_weight, tuple(healthy_z_range)
        self.with_forces = bool(include_cfrc_ext_in_observation)
        super().__init__(**options)

    def simulator(self) -> Simulator:
        world = World()
        self._found = add_robot(self.path, world)
        return Simulator(world, law_options={"softness": self.softness} if self.softness == "file" else None)

    def attach(self, batch: Any, streams: Any) -> None:
        super().attach(batch, streams)
        self.links = Links(batch.simulator, self._found)
        self.place = np.zeros((len(batch), 2))

    # ---- MuJoCo's qpos and qvel -------------------------------------------------------------------------------------

    def qpos(self, which: Which) -> Rows:
        q = self.batch.q[which]
        return np.concatenate([q[:, :3], q[:, 6:7], q[:, 3:6], q[:, 7:]], axis=1)

    def qvel(self, which: Which) -> Rows:
        v = self.batch.v[which]
        return np.concatenate([turned(self.batch.q[which, 3:7], v[:, :3]), v[:, 3:]], axis=1)

    def start(self, which: Which) -> None:
        """Noise on qpos and qvel as they are in MuJoCo; the quaternion is normalised afterwards, as there."""
        batch, draw = self.batch, self.streams.uniform
        q, v = batch.q, batch.v
        q[which] += self.noise * draw(which, batch.nq)
        rotation = q[which, 3:7]
        rotation = rotation / np.sqrt(along(rotation * rotation))[:, None]
        q[which, 3:7] = rotation
        rates = self.noise * (self.streams.normal if self.normal_rates else draw)(which, batch.nv)
        back = np.concatenate([-rotation[:, :3], rotation[:, 3:]], axis=1)
        v[which, :3], v[which, 3:] = turned(back, rates[:, :3]), rates[:, 3:]
        batch.measure(which)  # bodies and sensors at the states as they were written

    def position(self, which: Which) -> Rows:
        """(rows, 2): what moves forward."""
        raise NotImplementedError

    def note_place(self) -> None:
        self.place[:] = self.position(np.arange(len(self.place)))

    def start_info(self, which: Which) -> dict[str, Rows]:
        q = self.batch.q[which]
        away = np.sqrt(q[:, 0] ** 2 + q[:, 1] ** 2)
        return {"x_position": q[:, 0], "y_position": q[:, 1], "distance_from_origin": away}

    def contact_forces(self, which: Which) -> Rows:
        """(rows, links, 6)."""
        middle = self.links.of_all(self.links.centres(self.batch, which))
        return self.links.forces(self.batch, which, middle)

    def contact_cost(self) -> Rows:
        raise NotImplementedError

    def control_cost(self, actions: Rows) -> Rows:
        return self.control_weight * along(actions * actions)

    def healthy(self) -> Any:
        raise NotImplementedError

    def outcome(self, actions: Rows) -> tuple[Rows, Any, dict[str, Rows]]:
        every = np.arange(len(actions))
        speed = (self.position(every) - self.place) / self.control_dt
        healthy = self.healthy()
        terms = {
            "reward_forward": self.forward_weight * speed[:, 0],
            "reward_ctrl": -self.control_cost(actions),
            "reward_contact": -self.contact_cost(),
            "reward_survive": self.healthy_reward * healthy,
        }
        info = {**self.start_info(every), "x_velocity": speed[:, 0], "y_velocity": speed[:, 1], **terms}
        return np.asarray(sum(terms.values())), ~healthy & self.ends, info


class Ant(Spatial):
    """Eight motors, four legs."""

    file, skip, normal_rates = "ant.xml", 5, True

    def __init__(
        self,
        *,
        ctrl_cost_weight: float = 0.5,
        contact_cost_weight: float = 5e-4,
        healthy_z_range: Sequence[float] = (0.2, 1.0),
        contact_force_range: Sequence[float] = (-1.0, 1.0),
        reset_noise_scale: float = 0.1,
        **options: Any,
    ) -> None:
        self.force_bounds = tuple(contact_force_range)
        super().__init__(
            ctrl_cost_weight=ctrl_cost_weight,
            contact_cost_weight=contact_cost_weight,
            healthy_z_range=healthy_z_range,
            reset_noise_scale=reset_noise_scale,
            **options,
        )

    def width(self, sim: Simulator) -> int:
        return sim.nq + sim.nv - 2 * self.hide + 6 * len(self._found) * self.with_forces

    def position(self, which: Which) -> Rows:
        return self.batch.q[which, :2]

    def contact_forces(self, which: Which) -> Rows:
        return np.clip(super().contact_forces(which), self.force_bounds[0], self.force_bounds[1])

    def contact_cost(self) -> Rows:
        forces = self.contact_forces(np.arange(len(self.place)))
        return self.contact_weight * along(forces.reshape(len(forces), -1) ** 2)

    def healthy(self) -> Any:
        z = self.batch.q[:, 2]
        return (self.z_bounds[0] <= z) & (z <= self.z_bounds[1])

    def observe(self, which: Which) -> Rows:
        parts = [self.qpos(which)[:, 2 * self.hide :], self.qvel(which)]
        if self.with_forces:
            parts.append(self.contact_forces(which).reshape(len(which), -1))
        return np.concatenate(parts, axis=1)


class Humanoid(Spatial):
    """Seventeen motors."""

    file, skip = "humanoid.xml", 5

    def __init__(
        self,
        *,
        forward_reward_weight: float = 1.25,
        ctrl_cost_weight: float = 0.1,
        contact_cost_weight: float = 5e-7,
        contact_cost_range: Sequence[float] = (-np.inf, 10.0),
        healthy_reward: float = 5.0,
        healthy_z_range: Sequence[float] = (1.0, 2.0),
        reset_noise_scale: float = 1e-2,
        include_cinert_in_observation: bool = True,
        include_cvel_in_observation: bool = True,
        include_qfrc_actuator_in_observation: bool = True,
        **options: Any,
    ) -> None:
        self.cost_bounds = tuple(contact_cost_range)
        self.with_inertia, self.with_velocity = bool(include_cinert_in_observation), bool(include_cvel_in_observation)
        self.with_motors = bool(include_qfrc_actuator_in_observation)
        super().__init__(
            forward_reward_weight=forward_reward_weight,
            ctrl_cost_weight=ctrl_cost_weight,
            contact_cost_weight=contact_cost_weight,
            healthy_reward=healthy_reward,
            healthy_z_range=healthy_z_range,
            reset_noise_scale=reset_noise_scale,
            **options,
        )

    def width(self, sim: Simulator) -> int:
        links = 10 * self.with_inertia + 6 * self.with_velocity + 6 * self.with_forces
        return sim.nq + sim.nv - 2 * self.hide + len(self._found) * links + (sim.nv - 6) * self.with_motors

    def attach(self, batch: Any, streams: Any) -> None:
        super().attach(batch, streams)
        sim = batch.simulator
        self.limits = sim.ctrl_limits.T
        self.driven, self.gear = np.zeros(batch.ctrl.shape[1], np.int64), np.zeros(batch.ctrl.shape[1])
        for i in range(len(self.gear)):  # each motor drives one joint
            sim.ctrl = np.where(np.arange(len(self.gear)) == i, self.limits[1, i], 0.0)
            force = sim.joint_actuation()
            self.driven[i] = int(np.argmax(np.abs(force)))
            self.gear[i] = force[self.driven[i]] / self.limits[1, i]

    def motor_forces(self, which: Which) -> Rows:
        """(rows, nv - 6): qfrc_actuator."""
        out = np.zeros((len(which), self.batch.nv))
        out[:, self.driven] = self.gear * np.clip(self.batch.ctrl[which], *self.limits)
        return out[:, 6:]

    def position(self, which: Which) -> Rows:
        return self.links.of_all(self.links.centres(self.batch, which))[:, :2]

    def contact_cost(self) -> Rows:
        forces = self.contact_forces(np.arange(len(self.place)))
        cost = self.contact_weight * along(forces.reshape(len(forces), -1) ** 2)
        return np.clip(cost, self.cost_bounds[0], self.cost_bounds[1])

    def healthy(self) -> Any:
        z = self.batch.q[:, 2]
        return (self.z_bounds[0] < z) & (z < self.z_bounds[1])

    def observe(self, which: Which) -> Rows:
        centres = self.links.centres(self.batch, which)
        middle = self.links.of_all(centres)
        flat = lambda x: x.reshape(len(which), -1)
        parts = [self.qpos(which)[:, 2 * self.hide :], self.qvel(which)]
        if self.with_inertia:
            parts.append(flat(self.links.inertias(self.batch, which, centres, middle)))
        if self.with_velocity:
            parts.append(flat(self.links.velocities(self.batch, which, middle)))
        if self.with_motors:
            parts.append(self.motor_forces(which))
        if self.with_forces:
            parts.append(flat(self.links.forces(self.batch, which, middle)))
        return np.concatenate(parts, axis=1)
