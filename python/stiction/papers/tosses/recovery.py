# SPDX-License-Identifier: BSD-2-Clause
"""Friction, mass, centre of mass and inertia found again from two simulated seconds with a millimetre of noise.

A box slides on the floor under known forces at its middle. Seen are four markers on its top, 148 times a second. The motion is smooth in
what is unknown while the box slides, so Gauss and Newton's method with differenced rollouts works here, where tosses need a search
without derivatives.
"""

from __future__ import annotations

import numpy as np

from ..._core import Simulator, World
from .. import rows
from ..rows import closed_form
from ..study import Section, Table
from .recordings import matrices

DT, HOLD, PERIODS = 1.0 / 1480.0, 10, 296  # step [s], steps between samples, samples: two seconds
SIZE = (0.24, 0.18, 0.12)  # [m]
GAP = 0.01  # radius of its feet [m]
NAMES = ("friction", "mass [kg]", "centre of mass x [m]", "centre of mass y [m]", "moment of inertia about z [kg m²]")
TRUTH = np.array([0.37, 1.7, 0.025, -0.017, 0.014])
GUESS = np.array([0.5, 1.2, 0.0, 0.0, 0.01])
SCALE = np.array([0.1, 0.5, 0.01, 0.01, 0.005])
NOISE = 1e-3  # of each coordinate of a marker [m]
BAR = 0.01
KNOWN = closed_form("the values of the simulation")
HORIZONS = (37, 74, 148, PERIODS)
ROUNDS = 12  # at most, per horizon

BALL = '<collision><origin xyz="{} {} {}"/><geometry><sphere radius="{}"/></geometry></collision>'


def robot(x: np.ndarray) -> str:
    _, mass, cx, cy, inertia = (float(y) for y in x)
    feet = "".join(
        BALL.format(sx * SIZE[0] / 2, sy * SIZE[1] / 2, GAP - SIZE[2] / 2, GAP) for sx in (-1, 1) for sy in (-1, 1)
    )
    return (f'<robot name="box"><link name="box"><inertial><origin xyz="{cx!r} {cy!r} 0"/><mass value="{mass!r}"/>'
            f'<inertia ixx="{inertia!r}" iyy="{inertia!r}" izz="{inertia!r}" ixy="0" ixz="0" iyz="0"/></inertial>{feet}</link></robot>')  # fmt: skip


def push(t: float) -> np.ndarray:
    """Known force at the middle [N]: strong enough that the box keeps sliding, and it turns because its mass is off the middle."""
    return np.array([9.0 * np.cos(3.1 * t), 9.0 * np.sin(3.1 * t) + 3.0 * np.cos(7.0 * t), 0.0])


def markers(x: np.ndarray, samples: int = PERIODS) -> np.ndarray:
    """(samples, 4, 3): what a camera would see if the values were x."""
    world = World()
    world.add_ground(mu=float(x[0]))
    box = world.add_urdf_text(robot(x), position=(0.0, 0.0, SIZE[2] / 2))
    sim = Simulator(world, dt=DT, solver_options=dict(tolerance=1e-10))
    sim.v[:2] = 0.4, 0.1
    poses = np.empty((samples, 7))
    for k in range(samples):
        sim.apply_wrench(box, push(k * HOLD * DT), point=sim.q[:3].copy())
        sim.step(n=HOLD)
        poses[k] = sim.q
    at = 0.5 * np.array(SIZE) * np.array([[1, 1, 1], [1, -1, 1], [-1, 1, 1], [-1, -1, 1]])
    return np.asarray(poses[:, None, :3] + np.einsum("tij,mj->tmi", matrices(poses[:, 3:]), at))


def identify(seen: np.ndarray, guess: np.ndarray = GUESS) -> np.ndarray:
    """The first quarter of a second alone, then longer and longer: from a poor guess the whole motion has other minima."""
    x = guess.copy()
    for samples in HORIZONS:
        x = _least_squares(seen[:samples], x)
    return x


def _least_squares(seen: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Levenberg and Marquardt's method; columns of the Jacobian are central differences of the whole rollout."""
    samples, damping = len(seen), 1e-2
    residual = (markers(x, samples) - seen).ravel()
    for _ in range(ROUNDS):
        J = np.stack([_column(x, i, samples) for i in range(len(x))], axis=1)
        before = residual @ residual
        for _ in range(6):
            step = SCALE * np.linalg.solve(J.T @ J + damping * np.diag(np.diag(J.T @ J)), -J.T @ residual)
            sound = bool((x + step)[[0, 1, 4]].min() > 0.0)
            there = (markers(x + step, samples) - seen).ravel() if sound else np.full_like(residual, np.inf)
            if there @ there < before:
                x, residual, damping = x + step, there, 0.1 * damping
                break
            damping *= 10.0
        if residual @ residual > (1.0 - 1e-6) * before:
            break
    return x


def _column(x: np.ndarray, i: int, samples: int) -> np.ndarray:
    e = 1e-4 * SCALE[i] * np.eye(len(x))[i]
    return np.asarray((markers(x + e, samples) - markers(x - e, samples)).ravel() / 2e-4)


def measurement(seed: int) -> np.ndarray:
    exact = markers(TRUTH)
    return np.asarray(exact + NOISE * np.random.default_rng(seed).standard_normal(exact.shape))


def section(quick: bool) -> Section:
    text = (
        "A box slides two seconds under known forces; four markers, each coordinate with 1 mm of noise. Gauss and Newton's method from a guess "
        "that is off by a third and more finds what the box was made of."
    )
    seeds = (1,) if quick else (1, 2, 3)
    found = np.array([identify(measurement(seed)) for seed in seeds])
    lines = [
        [name, f"{g:g}", f"{t:g}", f"{x:.5g}"] for name, g, t, x in zip(NAMES, GUESS, TRUTH, found[0], strict=True)
    ]
    made = Section(
        "Found again from simulated data", text, tables=[Table("Values", ["", "guess", "truth", "found"], lines)]
    )
    worst = np.abs(found / TRUTH - 1.0).max(axis=0)
    made.rows = [
        rows.at_most(f"{name.split(' [')[0]}: relative error, worst of {len(seeds)}", float(e), BAR, against=KNOWN)
        for name, e in zip(NAMES, worst, strict=True)
    ]  # fmt: skip
    return made
