# SPDX-License-Identifier: BSD-2-Clause
"""Generated problems as FCLIB files: what `stiction generate` does."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from .._core import ContactProblem, InvalidInput
from ..output.suggest import hint, unknown_name
from ..problems import fclib
from ..problems.global_form import GlobalForm
from . import boxes, loose, others, random_problems, robots
from .sample import FAMILIES, item, of_size

MAKERS: dict[str, Callable[..., Any]] = {
    **{
        f.__name__: f
        for f in (boxes.stack, boxes.wall, boxes.tower, loose.heap, loose.train, loose.table, boxes.mass_ratio)
    },
    **{f.__name__: f for f in (others.packing, others.wedge, others.arch, others.duplicated)},
    **{f.__name__: f for f in (robots.robot, random_problems.adversarial, random_problems.infeasible)},
}


class Written(NamedTuple):
    """One file."""

    file: str
    contacts: int
    velocities: int | None  # of a global problem
    note: str = ""  # why there is no file


def write(
    family: str, folder: str | os.PathLike[str], *, seed: int = 0, count: int = 1, contacts: int | None = None, form: str = "local",
    settings: Mapping[str, Any] | None = None,
) -> list[Written]:  # fmt: skip
    """Write `count` problems of a family, seeds from `seed` on; `sample` writes the first items of one seed.

    contacts asks for a size and draws everything else; settings are arguments of the family's function.
    """
    known = [*MAKERS, "sample"]
    if family not in known:
        raise unknown_name("family", family, known)
    if contacts is not None and settings:
        raise InvalidInput("give the number of contacts or settings of the family, not both")
    Path(folder).mkdir(parents=True, exist_ok=True)
    out = []
    for index in range(count):
        made, name = _make(
            family, seed, index, contacts, dict(settings or {}), "global" if form == "global" else "sparse"
        )
        path = Path(folder) / f"{name}.hdf5"
        text = f"Written by stiction.generate: family {family}, seed {seed}, number {index}, settings {dict(settings or {})}."
        if isinstance(made, GlobalForm):
            fclib.save_global(path, made, title=name, description=text)
            out.append(Written(path.name, made.mu.size, made.f.size))
            continue
        bodies, file, note = made.bodies, path.name, ""
        try:
            fclib.save(path, made, title=name, description=text, form=form)
        except InvalidInput as error:  # bounds that are not opposite
            file, note = "", f"{name} not written: {error}"
        out.append(Written(file, made.contacts, None if bodies is None else int(bodies[0][-1]), note))
    return out


def _make(
    family: str, seed: int, index: int, contacts: int | None, settings: dict[str, Any], form: str
) -> tuple[ContactProblem | GlobalForm, str]:
    whole = "bodies" if form == "global" else form  # families without M and H of their own
    if family == "sample":
        if settings:
            raise InvalidInput("sample takes no settings, only the number of contacts")
        found = item(seed, index, contacts or 2000, whole)
        return found.problem, found.name
    if contacts is not None and family in FAMILIES:
        return of_size(
            family, contacts, seed=seed + index, form=whole if family == "robot" else form
        ), f"{family}_{contacts}_{seed + index}"
    maker = MAKERS[family]
    if contacts is not None:
        settings["contacts"] = contacts
    allowed = [name for name in inspect.signature(maker).parameters if name not in ("seed", "form")]
    wrong = [name for name in settings if name not in allowed]
    if wrong:
        raise InvalidInput(f"{family} has no parameter '{wrong[0]}'; {hint(wrong[0], allowed)}")
    no_bodies = family in ("robot", "adversarial", "infeasible")
    return maker(seed=seed + index, form=whole if no_bodies else form, **settings), f"{family}_{seed + index}"
