# SPDX-License-Identifier: BSD-2-Clause
"""What a sweep runs: the product of all values, laws, solvers, steppers and seeds, numbered in a fixed order."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .. import _core
from .._core import InvalidInput
from ..catalog import catalog
from ..output.arguments import named
from ..output.suggest import unknown_name

MOST_RUNS = 10_000_000


@dataclass(frozen=True)
class Job:
    """One run of a sweep."""

    number: int  # place in the grid
    what: str  # a scene, or the path of a script
    source: str  # text of the script, "" for a scene
    parameters: dict[str, Any]  # of the scene or script
    settings: dict[str, Any]  # law, solver, stepper, dt: those that were asked for
    seed: int | None  # of the start; None: undisturbed
    duration: float | None  # [s]; None: the scene's own
    noise: float  # of the velocities at the start [m/s, rad/s]


@dataclass(frozen=True)
class Sweep:
    """A grid of runs.

    Parameters
    ----------
    what
        A scene of ``stiction list scenes``, or the path of a script with a function ``run(**parameters)`` that gives a dict of numbers
        and texts. It gets the values, and ``law``, ``solver``, ``stepper``, ``dt`` and ``seed`` where they are asked for.
    values
        Parameter: list of values.
    laws, solvers, steppers
        Those to be tried; empty: the usual one.
    seeds
        How many; 0: none. A scene with a parameter ``seed`` gets it. Others start with velocities disturbed by numbers in ±noise.
    dt, duration
        Step and simulated time [s]; the scene's own by default.
    noise
        Of the velocities at the start [m/s, rad/s].
    """

    what: str
    values: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    laws: Sequence[str] = ()
    solvers: Sequence[str] = ()
    steppers: Sequence[str] = ()
    seeds: int = 0
    dt: float | None = None
    duration: float | None = None
    noise: float = 0.01

    @property
    def is_script(self) -> bool:
        """Whether what is run is a Python file, and not a scene."""
        return self.what.endswith(".py")

    def check(self) -> None:
        """InvalidInput in a sentence if it cannot be run."""
        if self.is_script:
            if not Path(self.what).is_file():
                raise FileNotFoundError(f"sweep: the script '{self.what}' was not found")
        else:
            self._check_scene()
        for kind, names in (("law", self.laws), ("solver", self.solvers), ("stepper", self.steppers)):
            known = [entry.name for entry in catalog()[kind + "s"]]
            for name in names:
                if name not in known and not (kind == "stepper" and name == "auto"):
                    raise unknown_name(kind, name, known)
        if self.seeds < 0 or self.noise < 0.0:
            raise InvalidInput(f"sweep: seeds is {self.seeds} and noise is {self.noise}, expected numbers >= 0")
        for name, numbers in (("dt", self.dt), ("duration", self.duration)):
            if numbers is not None and not numbers > 0.0:
                raise InvalidInput(f"sweep: {name} is {numbers}, expected a number > 0 [s]")
        if not 0 < self.size <= MOST_RUNS:
            raise InvalidInput(f"sweep: the grid has {self.size} runs, expected from 1 to {MOST_RUNS}")

    def _check_scene(self) -> None:
        scenes = {entry.name: entry for entry in catalog()["scenes"]}
        if self.what not in scenes:
            raise unknown_name("scene", self.what, list(scenes), "; or give a script that ends in .py")
        known = [option.name for option in scenes[self.what].options]
        for name in self.values:
            if name not in known:
                raise unknown_name(f"parameter of scene '{self.what}'", name, known)
        if self.seeds and "seed" in self.values:
            raise InvalidInput("sweep: the seed is given twice, as a value and by seeds; leave one out")

    @property
    def size(self) -> int:
        """Number of runs."""
        out = max(1, self.seeds)
        for choices in (*self.values.values(), self.laws or [""], self.solvers or [""], self.steppers or [""]):
            out *= len(choices)
        return out

    def jobs(self) -> Iterator[Job]:
        """All runs, in the order of the grid: the last parameter, then the seed, changes fastest."""
        source = Path(self.what).read_text(encoding="utf-8") if self.is_script else ""
        names = list(self.values)
        kinds = {"law": self.laws, "solver": self.solvers, "stepper": self.steppers}
        asked = {kind: choices for kind, choices in kinds.items() if choices}
        seeds: Sequence[int | None] = range(self.seeds) if self.seeds else [None]
        grid = itertools.product(*self.values.values(), *asked.values(), seeds)
        for number, choice in enumerate(grid):
            settings = dict(zip(asked, choice[len(names) : -1], strict=True))
            if self.dt is not None:
                settings["dt"] = self.dt
            parameters = dict(zip(names, choice, strict=False))
            yield Job(number, self.what, source, parameters, settings, choice[-1], self.duration, self.noise)

    def identity(self) -> dict[str, Any]:
        """What makes two sweeps the same; goes into the table, so that one is resumed with the same grid."""
        out = asdict(self) | {"values": {name: list(choices) for name, choices in self.values.items()}}
        if self.is_script:
            out["what"] = Path(self.what).name
            out["source"] = Path(self.what).read_text(encoding="utf-8")
        out["stiction"] = _core.version
        return json.loads(json.dumps(out))


@named
def values(text: str) -> list[Any]:
    """``0.2:1.0:9`` (nine numbers from .2 to 1), ``0.2,0.5,1`` or ``static,moving``, or one of them.

    Parameters
    ----------
    text
        As on the command line.
    """
    if text.count(":") == 2 and (spread := _spread(text)) is not None:
        return spread
    return [_value(word.strip()) for word in text.split(",") if word.strip()]


def _spread(text: str) -> list[Any] | None:
    try:
        first, last, count = (json.loads(word) for word in text.split(":"))
    except json.JSONDecodeError:
        return None
    if not isinstance(count, int) or count < 1:
        raise InvalidInput(
            f"'{text}': the number of values is {count}, expected a whole number >= 1 (first:last:number)"
        )
    if count == 1:
        return [first]
    return [first + (last - first) * i / (count - 1) for i in range(count - 1)] + [last]


def _value(word: str) -> Any:
    try:
        return json.loads(word)
    except json.JSONDecodeError:
        return word
