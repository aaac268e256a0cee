# SPDX-License-Identifier: BSD-2-Clause
"""A mixed set of physical problems: every family, 1 to thousands of contacts, new at every seed.

The number of contacts is drawn evenly in the logarithm, then a family that has problems of that size. Item i of seed s is
always the same problem, so that a failure can be looked at again: `item(s, i)`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from .._core import ContactProblem, InvalidInput
from ..output.suggest import unknown_name
from . import boxes, loose, others, robots

Random = np.random.Generator
DENSE_CONTACTS = 24  # up to here a simulation forms G


class Item(NamedTuple):
    """A generated problem."""

    name: str  # family, seed and index
    family: str
    problem: ContactProblem


class Family(NamedTuple):
    """Makes problems of about `contacts` contacts, if least <= contacts <= most.

    make(random, contacts, form); the family `robot` has none: it takes steps of episodes.
    """

    least: int
    most: int
    weight: float
    make: Callable[[Random, int, str], Any] | None


def _seed(random: Random) -> int:
    return int(random.integers(1 << 30))


def _speed(random: Random) -> float:
    """At rest in one of three cases, else up to 1."""
    return 0.0 if random.random() < 1 / 3 else float(10.0 ** random.uniform(-3.0, 0.0))


def _noise(random: Random) -> float:
    """None in three of four cases, else 1e-7 to 1e-4 m."""
    return 0.0 if random.random() < 0.75 else float(10.0 ** random.uniform(-7.0, -4.0))


def _mu(random: Random) -> float:
    return float(random.uniform(0.1, 1.2))


def _stack(random: Random, n: int, form: str) -> Any:
    lean = 0.0 if random.random() < 0.5 else float(random.uniform(0.0, 0.04))
    gap = 0.0 if random.random() < 0.7 else float(random.uniform(0.0, 1e-3))
    return boxes.stack(
        max(1, n // 4), seed=_seed(random), speed=_speed(random), lean=lean, gap=gap, mu=_mu(random), form=form
    )


def _mass_ratio(random: Random, n: int, form: str) -> Any:
    ratio = float(10.0 ** random.uniform(-6.0, 6.0))
    return boxes.mass_ratio(ratio, max(2, n // 4), seed=_seed(random), speed=_speed(random), mu=_mu(random), form=form)


def _wall(random: Random, n: int, form: str) -> Any:
    columns = max(2, round(np.sqrt(n / 8) * random.uniform(0.6, 1.4)))
    rows = max(2, round(n / (8 * columns)))
    return boxes.wall(
        columns, rows, seed=_seed(random), speed=_speed(random), noise=_noise(random), mu=_mu(random), form=form
    )


def _tower(random: Random, n: int, form: str) -> Any:
    push = 0.0 if random.random() < 0.5 else float(random.uniform(0.1, 1.0))
    return boxes.tower(
        max(1, n // 148), seed=_seed(random), push=push, speed=_speed(random) / 10, noise=_noise(random), form=form
    )


def _heap(random: Random, n: int, form: str) -> Any:
    return loose.heap(max(1, n // 5), seed=_seed(random), speed=_speed(random), form=form)


def _train(random: Random, n: int, form: str) -> Any:
    return loose.train(max(1, (n + 4) // 8), seed=_seed(random), push=_speed(random) + 0.01, mu=_mu(random), form=form)


def _table(random: Random, n: int, form: str) -> Any:
    uneven = 0.0 if random.random() < 0.7 else 1e-4
    return loose.table(n, seed=_seed(random), push=_speed(random), uneven=uneven, form=form)


def _packing(random: Random, n: int, form: str) -> Any:
    flat = random.uniform(0.4, 1.2)  # height over width; 2.7 contacts per site, more for few
    shapes = [(side, side, max(1, round(flat * side))) for side in range(2, 20)]
    sites = [shape for shape in shapes if 2.7 * np.prod(shape) <= max(n, 22)][-1]
    return others.packing(sites, seed=_seed(random), speed=_speed(random), mu=_mu(random), form=form)


def _wedge(random: Random, n: int, form: str) -> Any:
    angle, walled = float(random.uniform(0.05, 0.7)), bool(random.random() < 0.5)
    count = max(1, round((n - 4 - 8 * walled) / 12))
    return others.wedge(
        count, seed=_seed(random), angle=angle, push=_speed(random), walled=walled, mu=_mu(random), form=form
    )


def _arch(random: Random, n: int, form: str) -> Any:
    return others.arch(
        max(1, n // 4 - 1), seed=_seed(random), speed=_speed(random) / 10, mu=float(random.uniform(0.4, 1.0)), form=form
    )


def _duplicated(random: Random, n: int, form: str) -> Any:
    copies = int(random.integers(2, 5))
    return others.duplicated(
        copies, max(1, n // (4 * copies)), seed=_seed(random), speed=_speed(random), mu=_mu(random), form=form
    )


def _robot(random: Random, seed: int, form: str) -> ContactProblem:
    """The size is what it is: feet, or feet and belly. Four episodes per robot and behaviour belong to a seed."""
    for _ in range(20):
        name, behaviour = str(random.choice(robots.available())), str(random.choice(robots.BEHAVIOURS))
        problems = robots.episode(name, behaviour, 4 * seed + int(random.integers(4)), form=form)
        if problems:
            return problems[int(random.integers(len(problems)))]
    raise InvalidInput(f"sample of seed {seed}: no robot touched the ground")


def _make(family: str, random: Random, contacts: int, form: str, seed: int) -> Any:
    make, shape = FAMILIES[family].make, form if form != "auto" else "dense" if contacts <= DENSE_CONTACTS else "bodies"
    return _robot(random, seed, "auto" if form == "global" else form) if make is None else make(random, contacts, shape)


FAMILIES: dict[str, Family] = {
    "stack": Family(4, 120, 1.0, _stack),
    "wall": Family(24, 5000, 1.0, _wall),
    "tower": Family(120, 2000, 0.7, _tower),
    "heap": Family(4, 3000, 1.0, _heap),
    "train": Family(4, 300, 0.6, _train),
    "table": Family(1, 60, 0.6, _table),
    "packing": Family(8, 5000, 1.0, _packing),
    "wedge": Family(16, 300, 1.0, _wedge),
    "arch": Family(8, 120, 0.6, _arch),
    "duplicated": Family(8, 160, 0.8, _duplicated),
    "mass_ratio": Family(8, 60, 0.8, _mass_ratio),
    "robot": Family(1, 40, 2.5, None),
}


def of_size(family: str, contacts: int, *, seed: int = 0, form: str = "auto") -> Any:
    """A problem of a family of about this size, everything else drawn at random.

    Parameters
    ----------
    family
        Its name.
    contacts
        About how many.
    seed
        Of what is drawn at random.
    form
        As for sample().
    """
    if not isinstance(family, str) or family not in FAMILIES:
        raise unknown_name("family", str(family), FAMILIES)
    return _make(family, np.random.default_rng(seed), contacts, form, seed)


def item(seed: int, index: int, max_contacts: int = 2000, form: str = "auto") -> Item:
    """Item `index` of sample(seed).

    Parameters
    ----------
    seed
        Of the sample.
    index
        Number of the problem in it.
    max_contacts
        As for sample().
    form
        As for sample().
    """
    random = np.random.default_rng([seed, index])
    contacts = min(max_contacts, int(np.floor(np.exp(random.uniform(0.0, np.log(max_contacts + 1.0))))))
    known = {name: f for name, f in FAMILIES.items() if f.least <= contacts <= f.most}
    weight = np.array([f.weight for f in known.values()])
    family = str(random.choice(list(known), p=weight / weight.sum()))
    return Item(f"{family}_{seed}_{index}", family, _make(family, random, contacts, form, seed))


def sample(seed: int | None = None, count: int = 2000, max_contacts: int = 2000, form: str = "auto") -> Iterator[Item]:
    """Named physical problems of 1 to about `max_contacts` contacts.

    Parameters
    ----------
    seed
        None takes a new one; it is part of every name.
    form
        `auto` forms a dense G up to 24 contacts and keeps larger problems in body space, as simulations do; or `bodies`,
        `sparse`, `dense`.
    count
        How many problems.
    max_contacts
        About the largest.
    """
    chosen = secrets.randbits(31) if seed is None else seed
    for index in range(count):
        yield item(chosen, index, max_contacts, form)
