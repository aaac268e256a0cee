# SPDX-License-Identifier: BSD-2-Clause
"""Named scenes and batches of simulations."""

from __future__ import annotations

import copyreg
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from . import _core
from .gradients.trajectory import rollout_gradients

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from .options import LawOptions, SolverOptions, StepperOptions


def scene(
    name: str,
    *,
    law: str | LawOptions = "coulomb",
    solver: str | SolverOptions = "auto",
    stepper: str | StepperOptions = "auto",
    dt: float | None = None,
    law_options: Mapping[str, object] | None = None,
    solver_options: Mapping[str, object] | None = None,
    stepper_options: Mapping[str, object] | None = None,
    coordinates: str = "minimal",
    cut: Sequence[str] = (),
    **parameters: Any,
) -> _core.Simulator:
    """A simulator of a named scene.

    Parameters
    ----------
    name
        One of ``stiction list scenes``.
    law, solver, stepper, dt, law_options, solver_options, stepper_options, coordinates, cut
        As for Simulator; ``dt=None`` takes the scene's usual step [s].
    **parameters
        Physical parameters of the scene, e.g. ``angle=0.5``.

    Returns
    -------
    Simulator
        Its step() also applies what drives the scene (a push, moving targets). ``.duration`` is the usual length [s].
    """
    return _core.scene(
        name, parameters, law, solver, stepper, dt,
        law_options, solver_options, stepper_options, coordinates, list(cut),
    )  # fmt: skip


@overload
def rollout(
    sim: _core.Simulator,
    states0: ArrayLike | Sequence[bytes],
    controls: ArrayLike | None = None,
    targets: ArrayLike | None = None,
    threads: int = 2,
    *,
    steps: int | None = None,
    return_unaccepted: Literal[False] = False,
    vjp: None = None,
) -> NDArray[np.float64]: ...
@overload
def rollout(
    sim: _core.Simulator,
    states0: ArrayLike | Sequence[bytes],
    controls: ArrayLike | None = None,
    targets: ArrayLike | None = None,
    threads: int = 2,
    *,
    steps: int | None = None,
    return_unaccepted: Literal[True],
    vjp: None = None,
) -> tuple[NDArray[np.float64], list[int]]: ...
@overload
def rollout(
    sim: _core.Simulator,
    states0: ArrayLike | Sequence[bytes],
    controls: ArrayLike | None = None,
    targets: ArrayLike | None = None,
    threads: int = 2,
    *,
    steps: int | None = None,
    return_unaccepted: bool = False,
    vjp: ArrayLike,
) -> Any: ...
def rollout(
    sim: _core.Simulator,
    states0: ArrayLike | Sequence[bytes],
    controls: ArrayLike | None = None,
    targets: ArrayLike | None = None,
    threads: int = 2,
    *,
    steps: int | None = None,
    return_unaccepted: bool = False,
    vjp: ArrayLike | None = None,
) -> Any:
    """Run many simulations of one world over threads; the same bits for any thread count and place in the batch.

    Parameters
    ----------
    sim
        Gives world, settings and PD gains; its own state is not changed. A scene's drive is not applied.
    states0
        (batch, nq + nv) start states with cold contact memory, or a list of blobs of ``sim.save()``.
    controls
        (batch, steps, ntau) joint efforts, or None for zero.
    targets
        (batch, steps, ntau) PD targets, or None.
    threads
        Number of threads.
    steps
        Number of steps, if neither controls nor targets say it.
    return_unaccepted
        Also return how many steps of each entry the judge did not accept.
    vjp
        (batch, steps, 2 nv) cotangents of the states, or (batch, 2 nv) of the last ones, in the tangents of ``sim.difference``: also
        return the gradients, in reverse mode with checkpoints. Laws and steppers that have ``step_derivatives``.

    Returns
    -------
    states
        (batch, steps, nq + nv): the state after each step.
    unaccepted
        With return_unaccepted.
    gradients
        With vjp: a ``Gradient`` per entry: by its start (x0) and by its controls or targets (u).
    """
    states, unaccepted = _core.rollout(sim, states0, controls, targets, threads, steps)
    answer: list[Any] = [states]
    if return_unaccepted:
        answer.append(unaccepted)
    if vjp is not None:
        answer.append(rollout_gradients(sim, states0, controls, targets, states.shape[1], vjp))
    return tuple(answer) if len(answer) > 1 else states


def _made_again(
    name: str, parameters: dict[str, Any], settings: dict[str, Any], world: bytes, state: bytes
) -> _core.Simulator:
    sim = scene(name, **settings, **parameters) if name else _core.simulator_of_world(world, **settings)
    sim.restore(state)
    return sim


def _parts(sim: _core.Simulator) -> tuple[Any, tuple[Any, ...]]:
    """What pickle and copy keep of a simulator: its world, its settings and its state, not who records it."""
    world = b"" if sim.scene else sim.save_world()
    return _made_again, (sim.scene, sim.parameters, sim.settings, world, sim.save())


copyreg.pickle(_core.Simulator, _parts)


def _batch_again(
    sim: _core.Simulator, n: int, threads: int, state: bytes, watched: dict[str, Any]
) -> _core.BatchSimulator:
    batch = _core.BatchSimulator(sim, n, threads)
    batch.restore(state)
    batch.watch(**watched)
    return batch


def _batch_parts(batch: _core.BatchSimulator) -> tuple[Any, tuple[Any, ...]]:
    return _batch_again, (batch.simulator, len(batch), batch.threads, batch.save(), batch.watched)


copyreg.pickle(_core.BatchSimulator, _batch_parts)
