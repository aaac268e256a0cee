# SPDX-License-Identifier: BSD-2-Clause
"""Gymnasium's Hopper, Walker2d and HalfCheetah (v5) on this engine: the same files, observation, reward and end.

Names, weights and ranges are those of Gymnasium's documentation. The robots live in the plane y = 0 on two slides and a hinge, so q and v
are MuJoCo's qpos and qvel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from .._core import InvalidInput, Simulator, World
from .assets import asset
from .task import Rows, Task, Which, box


class MujocoTask(Task):
    """What the five have in common: a file of Gymnasium's, motors, a reward for going forward."""

    file: ClassVar[str]
    skip: ClassVar[int]  # physics steps per action, Gymnasium's frame_skip

    def __init__(
        self,
        *,
        frame_skip: int | None = None,
        forward_reward_weight: float = 1.0,
        ctrl_cost_weight: float = 1e-3,
        healthy_reward: float = 1.0,
        terminate_when_unhealthy: bool = True,
        reset_noise_scale: float = 5e-3,
        exclude_current_positions_from_observation: bool = True,
        softness: str = "rigid",
        xml_file: str | None = None,
    ) -> None:
        """softness: "rigid" contacts, or "file" for MuJoCo's solref and solimp. xml_file: another robot with the same joints."""
        self.control_steps = self.skip if frame_skip is None else frame_skip
        if self.control_steps < 1:
            raise InvalidInput(f"frame_skip is {frame_skip}, expected at least 1")
        if softness not in ("rigid", "file"):
            raise InvalidInput(f"softness is '{softness}', expected 'rigid' or 'file'")
        self.forward_weight, self.control_weight = forward_reward_weight, ctrl_cost_weight
        self.healthy_reward, self.ends = healthy_reward, terminate_when_unhealthy
        self.noise, self.hide = reset_noise_scale, bool(exclude_current_positions_from_observation)
        self.softness, self.path = softness, asset(self.file) if xml_file is None else xml_file
        sim = self.simulator()
        limits = sim.ctrl_limits
        self.action_space = box(limits[:, 0], limits[:, 1], len(limits), np.float32)
        self.observation_space = box(-np.inf, np.inf, self.width(sim))

    def simulator(self) -> Simulator:
        world = World()
        world.add_mjcf(self.path)
        return Simulator(world, law_options={"softness": self.softness} if self.softness == "file" else None)

    def width(self, sim: Simulator) -> int:
        """Of an observation."""
        raise NotImplementedError

    def control(self, actions: Rows) -> dict[str, Rows]:
        self.note_place()
        return {"ctrl": actions}

    def note_place(self) -> None:
        """Remember where the robot is, for the speed of the step."""
        raise NotImplementedError


class Planar(MujocoTask):
    """In the plane: x, z, pitch, joints."""

    fastest: ClassVar[float] = np.inf  # velocities are clipped to ± this in the observation
    z_range: ClassVar[tuple[float, float]] = (-np.inf, np.inf)
    angle_range: ClassVar[tuple[float, float]] = (-np.inf, np.inf)
    state_range: ClassVar[tuple[float, float]] = (-np.inf, np.inf)
    normal_rates: ClassVar[bool] = False  # velocities of the start are normal numbers, not uniform ones

    def __init__(
        self,
        *,
        healthy_z_range: Sequence[float] | None = None,
        healthy_angle_range: Sequence[float] | None = None,
        healthy_state_range: Sequence[float] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.z_bounds = self.z_range if healthy_z_range is None else tuple(healthy_z_range)
        self.angle_bounds = self.angle_range if healthy_angle_range is None else tuple(healthy_angle_range)
        self.state_bounds = self.state_range if healthy_state_range is None else tuple(healthy_state_range)

    def width(self, sim: Simulator) -> int:
        return sim.nq + sim.nv - self.hide

    def attach(self, batch: Any, streams: Any) -> None:
        super().attach(batch, streams)
        self.x = np.zeros(len(batch))
        self.z0 = float(batch.simulator.q[1])

    def start(self, which: Which) -> None:
        q, v = self.batch.q, self.batch.v
        q[which] += self.noise * self.streams.uniform(which, self.batch.nq)
        draw = self.streams.normal if self.normal_rates else self.streams.uniform
        v[which] += self.noise * draw(which, self.batch.nv)

    def note_place(self) -> None:
        self.x[:] = self.batch.q[:, 0]

    def observe(self, which: Which) -> Rows:
        v = np.clip(self.batch.v[which], -self.fastest, self.fastest)
        return np.concatenate([self.batch.q[which, int(self.hide) :], v], axis=1)

    def healthy(self) -> Any:
        q, state = self.batch.q, np.concatenate([self.batch.q[:, 2:], self.batch.v], axis=1)
        inside = lambda x, bounds: (bounds[0] < x) & (x < bounds[1])
        good = inside(q[:, 1], self.z_bounds) & inside(q[:, 2], self.angle_bounds)
        return good & inside(state, self.state_bounds).all(axis=1)

    def start_info(self, which: Which) -> dict[str, Rows]:
        q = self.batch.q[which]
        return {"x_position": q[:, 0], "z_distance_from_origin": q[:, 1] - self.z0}

    def outcome(self, actions: Rows) -> tuple[Rows, Any, dict[str, Rows]]:
        every = np.arange(len(actions))
        speed = (self.batch.q[:, 0] - self.x) / self.control_dt
        terms = {
            "reward_forward": self.forward_weight * speed,
            "reward_ctrl": -self.control_weight * (actions**2).sum(axis=1),
        }
        ended = np.zeros(len(actions), bool)
        if self.z_range[0] > -np.inf:  # this robot can fall
            healthy = self.healthy()
            terms["reward_survive"] = self.healthy_reward * healthy
            ended = ~healthy & self.ends
        return np.asarray(sum(terms.values())), ended, {**self.start_info(every), "x_velocity": speed, **terms}


class Hopper(Planar):
    """Three motors, one leg."""

    file, skip, fastest = "hopper.xml", 4, 10.0
    z_range, angle_range, state_range = (0.7, np.inf), (-0.2, 0.2), (-100.0, 100.0)


class Walker2d(Planar):
    """Six motors, two legs."""

    file, skip, fastest = "walker2d_v5.xml", 4, 10.0
    z_range, angle_range = (0.8, 2.0), (-1.0, 1.0)


class HalfCheetah(Planar):
    """Six motors, two legs and a long trunk; it never ends early."""

    file, skip, normal_rates = "half_cheetah.xml", 5, True

    def __init__(self, *, ctrl_cost_weight: float = 0.1, reset_noise_scale: float = 0.1, **options: Any) -> None:
        super().__init__(ctrl_cost_weight=ctrl_cost_weight, reset_noise_scale=reset_noise_scale, **options)

    def start_info(self, which: Which) -> dict[str, Rows]:
        return {"x_position": self.batch.q[which, 0]}
