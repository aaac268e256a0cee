# SPDX-License-Identifier: BSD-2-Clause
"""Breaks a method while a study runs, from Python: no rebuild. A row that still passes under every mutation of its section says nothing.

A mutation is a function that returns a context manager. Most of them change what reaches the engine or what comes back from it: settings
of simulators and scenes, velocities after a step, contact forces, impulses of a solve, the residuals of the judge.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import stiction as st
from stiction import _core, simulate
from stiction.papers.rows import Row

Mutation = Callable[[], contextlib.AbstractContextManager[Any]]


@contextlib.contextmanager
def attribute(owner: Any, name: str, value: Any) -> Iterator[None]:
    """owner.name is value."""
    kept = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, kept)


@contextlib.contextmanager
def everywhere(original: Any, mutant: Any) -> Iterator[None]:
    """Every name in a module of stiction that holds `original` holds `mutant`."""
    modules = [m for name, m in list(sys.modules.items()) if name.split(".")[0] == "stiction" and m is not None]
    places = [(m, key) for m in modules for key, value in list(vars(m).items()) if value is original]
    assert places, f"nothing in stiction is called {original}"
    for module, key in places:
        setattr(module, key, mutant)
    try:
        yield
    finally:
        for module, key in places:
            setattr(module, key, original)


def constant(module: Any, name: str, value: Any) -> Mutation:
    return lambda: attribute(module, name, value)


def item(table: dict[str, Any], key: str, value: Any) -> Mutation:
    """table[key] is value."""

    @contextlib.contextmanager
    def changed() -> Iterator[None]:
        kept = table[key]
        table[key] = value
        try:
            yield
        finally:
            table[key] = kept

    return changed


def both(*mutations: Mutation) -> Mutation:
    @contextlib.contextmanager
    def together() -> Iterator[None]:
        with contextlib.ExitStack() as stack:
            for mutation in mutations:
                stack.enter_context(mutation())
            yield

    return together


def settings(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Mutation:
    """What simulators and scenes are made with: change(keywords) gives those that are used instead."""

    @contextlib.contextmanager
    def changed() -> Iterator[None]:
        made, scene = _core.Simulator, simulate.scene

        class Kind(type):
            def __instancecheck__(cls, instance: object) -> bool:
                return isinstance(instance, made)

        class Changed(metaclass=Kind):
            def __new__(cls, world: Any, *args: Any, **keywords: Any) -> Any:
                return made(world, *args, **change(keywords))

        with everywhere(made, Changed), everywhere(scene, lambda name, **keywords: scene(name, **change(keywords))):
            yield

    return changed


def options(kind: str, **values: Any) -> Mutation:
    """law_options, solver_options or stepper_options with other values."""
    return settings(lambda keywords: keywords | {kind: {**(keywords.get(kind) or {}), **values}})


def law(name: str, **more: Any) -> Mutation:
    """Another law, with its own solver; options that only a pyramid has are left away."""

    def change(keywords: dict[str, Any]) -> dict[str, Any]:
        kept = {
            k: v
            for k, v in (keywords.get("law_options") or {}).items()
            if name == "pyramid" or k not in ("angle", "facets")
        }
        return keywords | dict(law=name, solver="auto", solver_options={}, law_options=kept) | more

    return settings(change)


def shorter_steps(factor: float) -> Mutation:
    """The engine steps by another dt than the study believes."""
    return settings(lambda keywords: keywords | ({"dt": factor * keywords["dt"]} if keywords.get("dt") else {}))


def after_step(change: Callable[[Any, int], None]) -> Mutation:
    """change(sim, n) after every call of step() with n steps."""

    @contextlib.contextmanager
    def changed() -> Iterator[None]:
        step = _core.Simulator.step

        def stepped(self: Any, *args: Any, **keywords: Any) -> Any:
            report = step(self, *args, **keywords)
            change(self, int(keywords.get("n", 1)))
            return report

        with attribute(_core.Simulator, "step", stepped):
            yield

    return changed


def velocities(factor: float) -> Mutation:
    """A step takes or gives a share of every velocity."""

    def scale(sim: Any, n: int) -> None:
        sim.v[:] *= factor**n

    return after_step(scale)


def push(**by_index: float) -> Mutation:
    """A step adds to single velocities: push(v2=1e-3)."""

    def add(sim: Any, n: int) -> None:
        for name, value in by_index.items():
            sim.v[int(name[1:])] += n * value

    return after_step(add)


def forces(change: Callable[[np.ndarray], np.ndarray]) -> Mutation:
    """What contacts() tells of the forces."""

    @contextlib.contextmanager
    def changed() -> Iterator[None]:
        told = _core.Simulator.contacts

        def contacts(self: Any) -> Any:
            found = np.array(told(self))
            found["force"] = change(found["force"])
            return found

        with attribute(_core.Simulator, "contacts", contacts):
            yield

    return changed


def anchors(change: Callable[[np.ndarray], np.ndarray]) -> Mutation:
    """What anchors() tells of the forces."""

    @contextlib.contextmanager
    def changed() -> Iterator[None]:
        told = _core.Simulator.anchors

        def anchors(self: Any) -> Any:
            found = np.array(told(self))
            found["force"] = change(found["force"])
            return found

        with attribute(_core.Simulator, "anchors", anchors):
            yield

    return changed


def impulses(change: Callable[[np.ndarray], np.ndarray]) -> Mutation:
    """What solve() hands back; the report stays that of the true impulse."""

    @contextlib.contextmanager
    def changed() -> Iterator[None]:
        true = _core.solve

        def solve(*args: Any, **keywords: Any) -> Any:
            impulse, report = true(*args, **keywords)
            return change(np.array(impulse)), report

        with everywhere(true, solve):
            yield

    return changed


def problems(change: Callable[[Any], Any]) -> Mutation:
    """What reaches solve()."""

    @contextlib.contextmanager
    def changed() -> Iterator[None]:
        true = _core.solve
        with everywhere(true, lambda problem, *args, **keywords: true(change(problem), *args, **keywords)):
            yield

    return changed


def heavier_friction(factor: float) -> Mutation:
    """μ of the problems that reach solve()."""

    def change(p: Any) -> Any:
        if p.contacts == 0 or p.law == "lcp":
            return p
        return st.ContactProblem(p.G, p.g, mu=factor * np.asarray(p.mu), law=p.law, dt=p.dt)

    return problems(change)


@dataclass(frozen=True)
class Case:
    """A part of a study, and what it is broken with."""

    name: str
    make: Callable[[], Sequence[Row]]
    mutations: dict[str, Mutation]
    survivors: frozenset[str] = frozenset()  # rows that nothing here breaks


@dataclass(frozen=True)
class Outcome:
    judged: list[str]
    broken: dict[str, str]  # row -> mutation

    @property
    def survivors(self) -> list[str]:
        return [name for name in self.judged if name not in self.broken]


def run(case: Case) -> Outcome:
    """Every judged row of a part, and the first mutation that breaks it. Names may hold counts: rows are told by their place."""
    rows = list(case.make())
    judged = {i: row.name for i, row in enumerate(rows) if row.status in ("ok", "differs")}
    assert not [row for row in rows if row.status == "failed"], [
        (row.name, row.ours) for row in rows if row.status == "failed"
    ]
    broken: dict[str, str] = {}
    for name, mutation in case.mutations.items():
        if len(broken) == len(judged):
            break
        try:
            with mutation():
                mutated = list(case.make())
        except Exception:  # a study that cannot be made says nothing about its rows
            continue
        assert len(mutated) == len(rows), f"{case.name}, {name}: {len(mutated)} rows instead of {len(rows)}"
        for i, row in judged.items():
            if mutated[i].status == "failed":
                broken.setdefault(row, name)
    return Outcome(list(judged.values()), broken)


def every_row(case: Case) -> None:
    """Every judged row of a part fails under one of its mutations, but for the survivors that it names."""
    outcome = run(case)
    print(f"\n{case.name}: {len(outcome.broken)} of {len(outcome.judged)} judged rows broken")
    assert set(outcome.survivors) == set(case.survivors), outcome.survivors
