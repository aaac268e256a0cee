# SPDX-License-Identifier: BSD-2-Clause
"""Rollouts of a policy in all environments of a batch, over processes or a cluster.

Environments go to workers in chunks of a fixed size: the policy sees arrays of the same shape, and so gives the same bits, for any number
of workers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import BatchSimulator, InvalidInput
from ..output.arguments import named
from .local import Lost
from .sweeping import pool_for

CHUNK = 64  # environments per task
Array = NDArray[np.float64]
Policy = Callable[[Array], Array]
Observe = Callable[[BatchSimulator], Array]


def state_of(batch: BatchSimulator) -> Array:
    """The usual observation: q and v."""
    return np.hstack([batch.q, batch.v])


@dataclass(frozen=True)
class _Rollout:
    """What a worker does with a chunk."""

    policy: Policy
    observe: Observe
    steps: int
    repeat: int
    drive: str  # ctrl, target or tau

    def __call__(self, batch: BatchSimulator) -> dict[str, Any]:
        seen, done, failed = [], [], np.zeros(len(batch), bool)
        for _ in range(self.steps):
            observation = np.array(self.observe(batch), float)
            action = np.asarray(self.policy(observation), float)
            report = batch.step(**{self.drive: action}, n=self.repeat)
            failed |= np.asarray(report.failed)
            seen.append(observation)
            done.append(np.array(action))
        last = np.array(self.observe(batch), float)
        return {
            "observations": np.stack([*seen, last], axis=1),
            "actions": np.stack(done, axis=1),
            "failed": failed,
            "hashes": np.array([batch[i].hash() for i in range(len(batch))], np.uint64),
        }


@named
def collect(
    policy: Policy,
    batch: BatchSimulator,
    workers: int = 2,
    *,
    steps: int = 100,
    repeat: int = 1,
    observe: Observe = state_of,
    drive: str = "auto",
    ray: str | None = None,
) -> dict[str, Any]:
    """Let a policy act in every environment of a batch, from the states that they are in; the batch itself stays as it is.

    Parameters
    ----------
    policy
        Observations (n, size) to actions (n, number). Sent to the workers: a function of a module, or any if cloudpickle is installed.
    batch
        The environments.
    workers
        Processes, or processors of the cluster.
    steps
        Actions per environment.
    repeat
        Steps of the simulator per action.
    observe
        What the policy sees of a batch; q and v by default.
    drive
        What an action is: "ctrl" (actuators), "target" (of PD) or "tau" (efforts); "auto": ctrl if there are actuators, else target.
    ray
        Address of a Ray cluster or "local"; processes of our own by default.

    Returns
    -------
    dict
        observations (n, steps + 1, size), actions (n, steps, number), failed (n), hashes (n): of the final states. The same bits for any
        number of workers.
    """
    for name, number in (("steps", steps), ("repeat", repeat), ("workers", workers)):
        if number < 1:
            raise InvalidInput(f"collect: {name} is {number}, expected a whole number >= 1")
    if drive == "auto":
        drive = "ctrl" if batch.ctrl.shape[1] else "target"
    if drive not in ("ctrl", "target", "tau"):
        raise InvalidInput(f"collect: drive is '{drive}', expected ctrl, target, tau or auto")
    parts = [range(first, min(first + CHUNK, len(batch))) for first in range(0, len(batch), CHUNK)]
    pool = pool_for(_Rollout(policy, observe, steps, repeat, drive), workers, ray)
    found: dict[int, dict[str, Any]] = {}
    for number, result in pool.run((i, _part(batch, part)) for i, part in enumerate(parts)):
        if isinstance(result, Lost):
            raise RuntimeError(f"environments {parts[number][0]} to {parts[number][-1]}: {result}")
        found[number] = result
    return {key: np.concatenate([found[i][key] for i in range(len(parts))]) for key in found[0]}


def _part(batch: BatchSimulator, rows: range) -> BatchSimulator:
    """A batch of these environments alone."""
    part = BatchSimulator(batch.simulator, len(rows), 1)
    for place, row in enumerate(rows):
        part.restore(batch[row].save(), [place])
    if batch.watched:
        part.watch(**batch.watched)
    return part
