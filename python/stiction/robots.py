# SPDX-License-Identifier: BSD-2-Clause
"""Robots by name: those that come with stiction, and those of example-robot-data if it is installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import _core
from ._core import InvalidInput, Robot, World

_OWN = {"starleth": "starleth.urdf", "anymal_prim": "anymal_prim.urdf"}


def _data_folder() -> Path | None:
    """share/example-robot-data of the prefix that the wheels share."""
    spec = importlib.util.find_spec("cmeel")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent.parent / "cmeel.prefix" / "share" / "example-robot-data"
    return folder if folder.is_dir() else None


def paths() -> dict[str, Path]:
    """The URDF file of every robot that can be loaded now, by name."""
    found: dict[str, Path] = {}
    folder = _data_folder()
    if folder is not None:
        for urdf in sorted(folder.glob("robots/*/**/*.urdf")):
            found.setdefault(urdf.stem, urdf)
    for name, file in _OWN.items():
        try:
            found[name] = Path(_core.model_path(file))
        except InvalidInput:
            continue
    return dict(sorted(found.items()))


def list() -> Sequence[str]:  # noqa: A001  (public name: stiction.robots.list)
    """Names that load() knows."""
    return [*paths()]


def load(name: str, world: World, **options: Any) -> Robot:
    """Add a robot to a world by name.

    Parameters
    ----------
    name
        One of list().
    world
        Where it is added.
    **options
        As for World.add_urdf: position, rotation, fixed, mu, …

    Returns
    -------
    Robot
    """
    known = paths()
    if name not in known:
        hint = "" if _data_folder() else "; more robots come with: pip install 'stiction[robots]'"
        raise InvalidInput(f"unknown robot '{name}'{hint}. Known: {' '.join(known)}")
    folder = _data_folder()
    if folder is not None:
        options.setdefault("package_dirs", [folder.parent])
    options.setdefault("name", name)
    return world.add_urdf(known[name], **options)
