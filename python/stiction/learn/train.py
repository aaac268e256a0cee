# SPDX-License-Identifier: BSD-2-Clause
"""A search from start to end: progress bar, checkpoints, the best policy so far, the learning curve."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .._core import InvalidInput
from ..output.arguments import named
from ..output.extras import need
from ..output.files import whole_file
from ..output.progress import Progress
from .ars import ARS, Settings
from .evaluate import vector_env_in
from .mixed import MixedEnv
from .policy import Policy
from .ppo import PPO, PPOSettings


@named
def train(
    environment: str,
    folder: str | os.PathLike[str],
    *,
    iterations: int = 600,
    minutes: float | None = None,
    settings: Settings | PPOSettings | None = None,
    engine: str = "stiction",
    threads: int | None = None,
    options: dict[str, Any] | None = None,
    trial: dict[str, Any] | Sequence[dict[str, Any]] | None = None,
    resume: bool = False,
) -> Policy:
    """Search for a policy; what was found is in `folder`: policy.json, curve.json and a checkpoint.

    Parameters
    ----------
    environment, options
        The environment and its options; they are noted in the policy.
    iterations, minutes
        When to stop: after so many iterations, or so much CPU time of this process, whichever comes first.
    settings
        `Settings` of the random search that finds linear policies (the default), or `PPOSettings` for small networks.
    engine
        "mujoco" trains the quadruped in MuJoCo instead, "mujoco noslip" with its accurate contacts (learn.evaluate).
    trial
        More options of the environment for the search alone, such as pushes. With a list of them every entry is that of an equal
        share of the environments.
    resume
        Go on from the checkpoint in `folder`, with the bits of a search that was not interrupted.
    threads
        That step the environments; all cores unless given.
    """
    settings, options = settings or Settings(), options or {}
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    trials = [trial or {}] if trial is None or isinstance(trial, dict) else list(trial)
    search = _search(environment, settings, engine, threads, options, trials)
    checkpoint = home / ("checkpoint.npz" if isinstance(search, PPO) else "checkpoint.json")
    curve: list[dict[str, float]] = []
    if resume:
        search.restore(checkpoint)
        curve = json.loads((home / "curve.json").read_text(encoding="utf-8"))[: search.iteration]
    begin, earlier = time.process_time(), curve[-1].get("seconds", 0.0) if curve else 0.0
    with Progress("search", iterations, "iteration") as bar:
        while search.iteration < iterations:
            curve.append(search.iterate())
            curve[-1]["seconds"] = earlier + time.process_time() - begin
            bar.at(search.iteration, f"return {curve[-1]['mean']:.1f}")
            out_of_time = minutes is not None and time.process_time() - begin > 60.0 * minutes
            if search.iteration % search.fresh == 0 or search.iteration == iterations or out_of_time:
                _write(home, search, curve, checkpoint)
            if out_of_time:
                break
    return search.policy


def _search(
    environment: str,
    settings: Settings | PPOSettings,
    engine: str,
    threads: int | None,
    options: dict[str, Any],
    trials: Sequence[dict[str, Any]],
) -> ARS | PPO:
    n = settings.environments if isinstance(settings, PPOSettings) else 2 * settings.directions
    if not trials or n % len(trials) != 0:
        raise InvalidInput(f"{n} environments cannot be shared equally by {len(trials)} entries of trial")
    share = n // len(trials)
    parts = [vector_env_in(engine, environment, share, threads=threads, **{**options, **trial}) for trial in trials]
    env = parts[0] if len(parts) == 1 else MixedEnv(parts)
    if isinstance(settings, PPOSettings):
        return PPO(env, settings, environment, options)
    return ARS(env, settings, environment, options)


def _write(home: Path, search: ARS | PPO, curve: list[dict[str, float]], checkpoint: Path) -> None:
    search.policy.save(home / "policy.json")
    with whole_file(home / "curve.json") as part:
        part.write_text(json.dumps(curve), encoding="utf-8")
    search.save(checkpoint)


@named
def plot_curve(folder: str | os.PathLike[str], path: str | os.PathLike[str]) -> None:
    """The learning curve as a picture: returns over control steps, of the trials of a random search or of the last episodes of PPO.

    Parameters
    ----------
    folder
        Of train().
    path
        Of the picture.
    """
    need("matplotlib").use("Agg")
    import matplotlib.pyplot as plt

    curve = json.loads((Path(folder) / "curve.json").read_text(encoding="utf-8"))
    figure, axes = plt.subplots(figsize=(6.0, 3.5))
    steps = [row["control_steps"] / 1e6 for row in curve]
    of = "trials" if "best" in curve[0] else "last hundred episodes"
    for name in ("mean", "best") if "best" in curve[0] else ("mean",):
        axes.plot(steps, [row[name] for row in curve], label=f"{name} of the {of}")
    axes.set_xlabel("control steps [million]")
    axes.set_ylabel("return")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)
