# SPDX-License-Identifier: BSD-2-Clause
"""The one list of laws, solvers, steppers and scenes, as the engine itself keeps it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from . import _core


@dataclass(frozen=True)
class Option:
    """A parameter: its name, default, meaning and unit."""

    name: str
    default: bool | int | float | str
    doc: str  # what it means
    unit: str


@dataclass(frozen=True)
class Entry:
    """A law, solver, stepper or scene."""

    name: str  # by which it is chosen
    summary: str  # one sentence
    options: tuple[Option, ...]  # what can be set
    references: str = ""  # where it was published
    failure_modes: str = ""  # when it does badly
    laws: tuple[str, ...] = ()  # solvers: the friction laws it solves
    truth: str = ""  # scenes: the closed form or known outcome

    @property
    def defaults(self) -> dict[str, Any]:
        """Default of every option by name."""
        return {option.name: option.default for option in self.options}

    @property
    def units(self) -> dict[str, str]:
        """Unit of every option by name."""
        return {option.name: option.unit for option in self.options}


def _option(raw: tuple[str, Any, str]) -> Option:
    name, default, doc = raw
    found = re.search(r"\[([^\]]*)\]\s*$", doc)  # docs end in their unit
    return Option(name, default, doc, found.group(1) if found else "-")


def _entry(raw: dict[str, Any]) -> Entry:
    return Entry(
        name=raw["name"],
        summary=raw["summary"],
        options=tuple(_option(o) for o in raw["options"]),
        references=raw.get("references", ""),
        failure_modes=raw.get("failure_modes", ""),
        laws=tuple(raw.get("laws", ())),
        truth=raw.get("truth", ""),
    )


def catalog() -> dict[str, list[Entry]]:
    """All laws, solvers, steppers and scenes.

    Returns
    -------
    dict
        ``{"laws": [...], "solvers": [...], "steppers": [...], "scenes": [...]}``; each entry has ``.name``,
        ``.options``, ``.defaults``, ``.units`` and ``.references``.
    """
    return {kind: [_entry(e) for e in entries] for kind, entries in _core.catalog().items()}
