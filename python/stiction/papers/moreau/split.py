# SPDX-License-Identifier: BSD-2-Clause
"""Where the time of a step goes, by differences: single steps from states of the last stride, all of them from cold impulses.

    air        the robot lifted out of reach, joint rows iterated once: M, τ, M⁻¹, detection, rows and G of the joints
    contacts   on the ground with one iteration, less `air`: rows and G of the contacts, the judge
    joints     the same with direct joint rows, less that with iterated ones: factor of G_B
    iterations the step as it is, less that with one iteration

Every time is the least of three processor times of a batch of equal steps made in one call, so that neither Python nor the controller is in it.
Differences of nearly equal times can come out a little below zero; they are shown as they are.
"""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

import stiction as st

from .configurations import Configuration, world
from .runs import TrotRun

PARTS = ("air", "contacts", "joints", "iterations")
Split = dict[str, tuple[float, float]]  # part: mean and deviation over the stride [s]


def step_time(sim: st.Simulator, state: np.ndarray, tau: np.ndarray, repeats: int = 3) -> float:
    """Processor time of one step from a state with cold memory [s]; batches last about two milliseconds."""
    best, batch = math.inf, 2
    for k in range(repeats + 1):
        start = time.process_time()
        st.rollout(sim, np.tile(state, (batch, 1)), np.tile(tau, (batch, 1, 1)), threads=1)
        spent = (time.process_time() - start) / batch
        if k == 0:
            batch = min(max(2, round(2e-3 / max(spent, 1e-6))), 100)
        else:
            best = min(best, spent)
    return best


def replayed(run: TrotRun, warm: bool, repeats: int = 5) -> float:
    """Times faster than real time of a recorded trot, made again from its torques in one call."""
    sim = run.configuration.simulator(world(), warm=warm)
    start, controls = np.concatenate([sim.q, sim.v])[None], np.repeat(run.torques, run.steps, axis=0)[None]
    best = math.inf
    for _ in range(repeats):
        before = time.process_time()
        st.rollout(sim, start, controls, threads=1)
        best = min(best, time.process_time() - before)
    return run.duration / best


def _with(configuration: Configuration, run: TrotRun, **options: Any) -> st.Simulator:
    settings = configuration.settings(dt=run.dt)
    settings["solver_options"] |= options
    return world().simulator(**settings)


def _lifted(state: np.ndarray, coordinates: str, nq: int) -> np.ndarray:
    out = state.copy()
    heights = (
        [2] if coordinates == "minimal" else range(2, nq, 7) if coordinates == "maximal" else [2, *range(9, nq, 9)]
    )
    for i in heights:  # q of extended coordinates: a trunk of 7, then legs of 7 + 2
        out[i] += 1.0
    return out


def split(run: TrotRun) -> Split:
    """Mean and deviation of the parts and of the whole step."""
    c = run.configuration
    full = world().simulator(**c.settings(dt=run.dt))
    once = _with(c, run, max_iterations=1) if c.hard else full
    iterated = _with(c, run, max_iterations=1, eliminate_bilateral=False) if c.hard else full
    times = []
    for state, tau in run.samples:
        air = step_time(iterated, _lifted(state, c.coordinates, full.nq), tau)
        prox = step_time(iterated, state, tau)
        one = step_time(once, state, tau) if c.hard and c.direct else prox
        whole = step_time(full, state, tau) if c.hard else prox
        times.append((air, prox - air, one - prox, whole - one, whole))
    table = np.array(times)
    return {part: (float(table[:, i].mean()), float(table[:, i].std())) for i, part in enumerate((*PARTS, "step"))}
