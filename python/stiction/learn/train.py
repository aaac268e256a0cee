# SPDX-License-Identifier: BSD-2-Clause
"""A search from start to end: progress bar, checkpoints, the best policy so far, the learning curve."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from ..gym import make_vector_env
from ..output.extras import need
from ..output.files import whole_file
from ..output.progress import Progress
from .ars import ARS, Settings
from .policy import LinearPolicy


def train(
    environment: str,
    folder: str | os.PathLike[str],
    *,
    iterations: int = 600,
    minutes: float | None = None,
    settings: Settings | None = None,
    threads: int | None = None,
    options: dict[str, Any] | None = None,
    trial: dict[str, Any] | None = None,
    resume: bool = False,
) -> LinearPolicy:
    """Search for a linear policy; what was found is in `folder`: policy.json, checkpoint.json, curve.json.

    Parameters
    ----------
    environment, options
        The environment and its options; they are noted in the policy.
    iterations, minutes
        When to stop: after so many iterations, or so much CPU time of this process, whichever comes first.
    trial
        More options of the environment for the search alone, such as pushes.
    resume
        Go on from the checkpoint in `folder`, with the bits of a search that was not interrupted.
    """
    settings, options = settings or Settings(), options or {}
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    env = make_vector_env(environment, 2 * settings.directions, threads=threads, **{**options, **(trial or {})})
    search = ARS(env, settings, environment, options)
    curve: list[dict[str, float]] = []
    if resume:
        search.restore(home / "checkpoint.json")
        curve = json.loads((home / "curve.json").read_text(encoding="utf-8"))[: search.iteration]
    begin = time.process_time()
    with Progress("search", iterations, "iteration") as bar:
        while search.iteration < iterations:
            curve.append(search.iterate())
            bar.at(search.iteration, f"return {curve[-1]['mean']:.1f}")
            out_of_time = minutes is not None and time.process_time() - begin > 60.0 * minutes
            if search.iteration % 10 == 0 or search.iteration == iterations or out_of_time:
                _write(home, search, curve)
            if out_of_time:
                break
    return search.policy


def _write(home: Path, search: ARS, curve: list[dict[str, float]]) -> None:
    search.policy.save(home / "policy.json")
    with whole_file(home / "curve.json") as part:
        part.write_text(json.dumps(curve), encoding="utf-8")
    search.save(home / "checkpoint.json")


def plot_curve(folder: str | os.PathLike[str], path: str | os.PathLike[str]) -> None:
    """The learning curve as a picture: returns of the trials over control steps."""
    need("matplotlib").use("Agg")
    import matplotlib.pyplot as plt

    curve = json.loads((Path(folder) / "curve.json").read_text(encoding="utf-8"))
    figure, axes = plt.subplots(figsize=(6.0, 3.5))
    steps = [row["control_steps"] / 1e6 for row in curve]
    for name in ("mean", "best"):
        axes.plot(steps, [row[name] for row in curve], label=f"{name} of the trials")
    axes.set_xlabel("control steps [million]")
    axes.set_ylabel("return")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)
