# SPDX-License-Identifier: BSD-2-Clause
"""Scenes whose outcome is known, in both engines, for comparison.py.

Rigid truth: a box on a slope stays, a pushed box stops where friction says, a robot that stands does not move its feet.
Compliant truth: a ball on a spring-damper ground follows m z̈ = max(0, -k d - c ḋ) - m g while d = z - r < 0: closed forms, below.
Same masses, shapes, friction, gravity, gains, start and step; the contacts are each engine's own.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

import stiction as st
from stiction.bench.peers import mujoco_models

Settings = dict[str, Any]
GRAVITY, EDGE, RADIUS = 9.81, 0.2, 0.1
SLOPE, SLOPE_MU = math.radians(20.0), 0.5
SPEED, SLIDE_MU, HEADING = 1.0, 0.4, math.radians(30.0)
STIFFNESS, DAMPING, DROP = 1.0e4, 20.0, 0.1  # of the ground [N/m, N s/m], and how high above it the ball starts [m]


class Ours:
    """A simulator of ours, stepped n times per call."""

    def __init__(self, sim: st.Simulator, look: Callable[[np.ndarray], np.ndarray]) -> None:
        self.sim, self.place, self.start, self.dt = sim, look, sim.save(), sim.dt

    def restart(self) -> None:
        self.sim.restore(self.start)
        self.lost = False

    def advance(self, steps: int) -> None:
        self.lost = self.lost or self.sim.step(n=steps).steps < steps  # a step was refused

    def look(self) -> np.ndarray:
        return self.place(np.array(self.sim.q))


class Theirs:
    """A model of MuJoCo, stepped n times per call."""

    lost = False

    def __init__(
        self, model: Any, look: Callable[[np.ndarray], np.ndarray], qpos: np.ndarray, qvel: np.ndarray
    ) -> None:
        self.model, self.data, self.place, self.begin, self.dt = (
            model,
            mujoco.MjData(model),
            look,
            (qpos, qvel),
            model.opt.timestep,
        )

    def restart(self) -> None:
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:], self.data.qvel[:] = self.begin
        if self.model.nu:
            self.data.ctrl[:] = [self.data.joint(self.model.actuator(i).name).qpos[0] for i in range(self.model.nu)]

    def advance(self, steps: int) -> None:
        mujoco.mj_step(self.model, self.data, nstep=steps)

    def look(self) -> np.ndarray:
        return self.place(self.data.qpos)


@dataclass(frozen=True)
class Scene:
    """How it is made in both engines, and how far from the truth a run is."""

    name: str
    truth: str
    duration: float  # [s]
    every: float  # time between two looks [s]
    dts: tuple[float, ...]  # steps to be tried [s]
    ours: Callable[[float, Settings], Ours]
    theirs: Callable[[float, Settings], Theirs]
    error: Callable[[np.ndarray, np.ndarray], float]  # (times, places) -> [m]
    compliant: bool = False


def set_model(model: Any, settings: Settings) -> Any:
    """Options of MuJoCo by name; solref and solimp go to every geom."""
    for key, value in settings.items():
        if key in ("solref", "solimp"):
            getattr(model, f"geom_{key}")[:, : len(value)] = value
        else:
            setattr(model.opt, key, value)
    return model


def _body(kind: Any, size: float, mu: float, dt: float, gravity: tuple[float, float, float], settings: Settings) -> Any:
    """A body of 1 kg on a plane; without friction MuJoCo's spring is exact, with it an approximation."""
    spec = mujoco.MjSpec()
    surface = dict(condim=3 if mu > 0.0 else 1, friction=(mu, 0.005, 0.0001))
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], **surface)
    body = spec.worldbody.add_body(pos=[0, 0, size])
    body.add_freejoint()
    body.add_geom(type=kind, size=[size] * 3, mass=1.0, **surface)
    spec.option.timestep, spec.option.gravity = dt, gravity
    return set_model(spec.compile(), settings)


def _box(dt: float, mu: float, slope: float, speed: float, settings: Settings, ours: bool) -> Ours | Theirs:
    gravity = (GRAVITY * math.sin(slope), 0.0, -GRAVITY * math.cos(slope))
    velocity = (speed * math.cos(HEADING), speed * math.sin(HEADING), 0.0)
    if ours:
        world = st.World()
        world.gravity = gravity
        world.add_ground(mu=mu)
        world.add_box(size=(EDGE,) * 3, mass=1.0, position=(0, 0, EDGE / 2), velocity=velocity)
        return Ours(st.Simulator(world, dt=dt, **settings), lambda q: q[:2].copy())
    model = _body(mujoco.mjtGeom.mjGEOM_BOX, EDGE / 2, mu, dt, gravity, settings)
    return Theirs(model, lambda q: q[:2].copy(), model.qpos0.copy(), np.array([*velocity, 0.0, 0.0, 0.0]))


def _ball(dt: float, settings: Settings, ours: bool) -> Ours | Theirs:
    height = RADIUS + DROP
    if ours:
        world = st.World()
        world.add_ground(mu=0.0, stiffness=STIFFNESS, damping=DAMPING)
        world.add_sphere(radius=RADIUS, mass=1.0, position=(0, 0, height))
        return Ours(st.Simulator(world, dt=dt, **settings), lambda q: q[2:3].copy())
    model = _body(mujoco.mjtGeom.mjGEOM_SPHERE, RADIUS, 0.0, dt, (0, 0, -GRAVITY), settings)
    start = model.qpos0.copy()
    start[2] = height
    return Theirs(model, lambda q: q[2:3].copy(), start, np.zeros(6))


def _feet() -> Callable[[np.ndarray], np.ndarray]:
    """Horizontal places of the feet at a qpos, by MuJoCo's kinematics for both; the last row is the height of the trunk."""
    model = mujoco_models.anymal("default", 5e-3, 40.0, 1.0)
    data = mujoco.MjData(model)
    feet = [i for i in range(model.ngeom) if model.geom_type[i] == mujoco.mjtGeom.mjGEOM_SPHERE]

    def look(qpos: np.ndarray) -> np.ndarray:
        data.qpos[:] = qpos
        mujoco.mj_kinematics(model, data)
        return np.vstack([data.geom_xpos[feet, :2], [qpos[2], 0.0]])

    return look


def _anymal(dt: float, settings: Settings, ours: bool) -> Ours | Theirs:
    feet = _feet()
    model = set_model(mujoco_models.anymal("default", dt, 40.0, 1.0), {} if ours else settings)
    if ours:
        sim = st.scene("anymal_stand", dt=dt, **settings)
        return Ours(sim, lambda _: feet(mujoco_models.to_qpos(sim, model)))
    return Theirs(model, feet, mujoco_models.to_qpos(st.scene("anymal_stand"), model), np.zeros(model.nv))


def _flight(z: float, v: float, t: float) -> tuple[float, float]:
    return z + v * t - 0.5 * GRAVITY * t * t, v - GRAVITY * t


def _contact(z: float, v: float, t: float) -> tuple[float, float]:
    """Damped oscillator about its depth at rest, mass 1 kg."""
    half, rest = 0.5 * DAMPING, RADIUS - GRAVITY / STIFFNESS
    omega = math.sqrt(STIFFNESS - half * half)
    x, s = z - rest, math.exp(-half * t)
    b = (v + half * x) / omega
    cos, sin = math.cos(omega * t), math.sin(omega * t)
    return rest + s * (x * cos + b * sin), s * ((b * omega - half * x) * cos - (x * omega + half * b) * sin)


def _pushes(z: float, v: float) -> bool:
    return z < RADIUS and -STIFFNESS * (z - RADIUS) - DAMPING * v > 0.0


@functools.cache
def ball_heights(duration: float, every: float) -> np.ndarray:
    """The truth of the ball, (looks,) [m]: flights and contacts in closed form, their ends by bisection."""
    z, v, time, touching, found = RADIUS + DROP, 0.0, 0.0, False, []
    fine = 1e-4
    for k in range(1, round(duration / fine) + 1):
        while True:
            move, left = (_contact if touching else _flight), k * fine - time
            if _pushes(*move(z, v, left)) == touching:
                z, v = move(z, v, left)
                time = k * fine
                break
            low, high = 0.0, left
            for _ in range(80):
                middle = 0.5 * (low + high)
                low, high = (middle, high) if _pushes(*move(z, v, middle)) == touching else (low, middle)
            z, v = move(z, v, high)
            time, touching = time + high, not touching
        if k % round(every / fine) == 0:
            found.append(z)
    return np.array(found)


def _slope_error(times: np.ndarray, places: np.ndarray) -> float:
    return float(np.linalg.norm(places[-1] - np.zeros(2)))


def _slide_error(times: np.ndarray, places: np.ndarray) -> float:
    path = SPEED**2 / (2.0 * SLIDE_MU * GRAVITY)
    return float(np.linalg.norm(places[-1] - path * np.array([math.cos(HEADING), math.sin(HEADING)])))


def _feet_error(times: np.ndarray, places: np.ndarray) -> float:
    later = places[times >= 30.0 - 1e-9]
    if places[:, -1, 0].min() < 0.3:
        return math.inf  # it fell
    return float(np.linalg.norm((later - later[0])[:, :-1], axis=-1).max())


def _ball_error(times: np.ndarray, places: np.ndarray) -> float:
    return float(np.sqrt(np.mean((places[:, 0] - ball_heights(times[-1], times[0])) ** 2)))


SCENES = (
    Scene("slope", "a box on a slope of 20°, μ 0.5, stays: how far it is after 10 s", 10.0, 10.0, (2e-3,),
          lambda dt, s: _box(dt, SLOPE_MU, SLOPE, 0.0, s, True), lambda dt, s: _box(dt, SLOPE_MU, SLOPE, 0.0, s, False), _slope_error),
    Scene("slide", "a box pushed off at 1 m/s, μ 0.4, stops after v²/2μg: how far from there it is", 0.5, 0.5, (2e-3,),
          lambda dt, s: _box(dt, SLIDE_MU, 0.0, SPEED, s, True), lambda dt, s: _box(dt, SLIDE_MU, 0.0, SPEED, s, False), _slide_error),
    Scene("stand", "ANYmal stands for a minute: how far its feet move in the second half of it", 60.0, 1.0, (5e-3,),
          lambda dt, s: _anymal(dt, s, True), lambda dt, s: _anymal(dt, s, False), _feet_error),
    Scene("ball", "a ball bounces on a spring-damper ground: mean error of its height over 1 s", 1.0, 0.01,
          (5e-4, 1e-3, 2e-3, 5e-3), lambda dt, s: _ball(dt, s, True), lambda dt, s: _ball(dt, s, False), _ball_error, True),
)  # fmt: skip
