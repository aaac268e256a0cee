# SPDX-License-Identifier: BSD-2-Clause
"""Robots by name: those that come with stiction, and those of example-robot-data if it is installed.

For example:

    import stiction as st
    st.robots.list()                       # names
    st.robots.info("starleth")             # mass, degrees of freedom, where it comes from
    st.robots.load("starleth", world)      # add it to a World
"""

from __future__ import annotations

import importlib.util
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _core
from ._core import InvalidInput, Robot, World
from .output.suggest import unknown_name

_OWN = {"starleth": "starleth.urdf", "anymal_prim": "anymal_prim.urdf", "quadruped_small": "quadruped_small.urdf"}
_ENDINGS = (".urdf", ".sdf", ".xml", ".mjcf")


@dataclass(frozen=True)
class Info:
    """What a robot is, as it would be loaded."""

    name: str  # by which it is loaded
    path: Path  # of its file
    format: str  # urdf, sdf, mjcf
    source: str  # "stiction" or "example-robot-data"
    mass: float  # [kg]
    dof: int  # velocities, the six of a floating base included
    joints: tuple[str, ...]  # driven ones, in the order of tau


def _data_folder() -> Path | None:
    """share/example-robot-data of the prefix that the wheels share."""
    spec = importlib.util.find_spec("cmeel")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent.parent / "cmeel.prefix" / "share" / "example-robot-data"
    return folder if folder.is_dir() else None


def _of_data_package(folder: Path) -> dict[str, Path]:
    """By the name of the file. Where two folders have one name in common (anymal), also by that of the folder (anymal_c)."""
    files = [
        p
        for ending in ("urdf", "sdf", "xml")
        for p in sorted(folder.glob(f"robots/*/**/*.{ending}"))
        if p.name != "package.xml"
    ]
    homes = {p: p.relative_to(folder).parts[1] for p in files}
    shared = Counter(p.stem for p in files)
    found: dict[str, Path] = {}
    for path in files:
        found.setdefault(path.stem, path)
        if shared[path.stem] > 1:
            short = homes[path].removesuffix("_description").removesuffix("_simple")
            found.setdefault(
                short
                if sum(h == homes[path] for h in homes.values()) == 1 or path.stem in short
                else f"{short}_{path.suffix[1:]}",
                path,
            )
    return found


def paths() -> dict[str, Path]:
    """The URDF, SDF or MJCF file of every robot that can be loaded now, by name."""
    folder = _data_folder()
    found = _of_data_package(folder) if folder is not None else {}
    for name, file in _OWN.items():
        try:
            found[name] = Path(_core.model_path(file))
        except FileNotFoundError:
            continue
    return dict(sorted(found.items()))


def list() -> Sequence[str]:  # public name: stiction.robots.list
    """Names that load() knows."""
    return [*paths()]


def is_file(what: str | Path) -> bool:
    """Does this look like the file of a robot (by its ending), and not like a name?

    Parameters
    ----------
    what
        A name or a path.
    """
    return str(what).lower().endswith(_ENDINGS)


def unknown(name: str) -> InvalidInput:
    """The sentence about a name that is not known, with close ones."""
    more = "" if _data_folder() else "; more robots come with: pip install 'stiction[robots]'"
    return unknown_name("robot", name, list(), more)


def find(what: str | Path, package_dirs: Sequence[str | Path] = ()) -> tuple[Path, Sequence[Path]]:
    """The file of a robot, given by name or path, and the folders in which its package:// is looked up.

    Parameters
    ----------
    what
        A name of `stiction list robots`, or a path.
    package_dirs
        More folders in which package:// is looked up.
    """
    folders = [Path(d) for d in package_dirs]
    if is_file(what) or os.sep in str(what) or Path(what).exists():
        return Path(what), folders
    known = paths()
    if str(what) not in known:
        raise unknown(str(what))
    folder = _data_folder()
    return known[str(what)], [*folders, *([folder.parent] if folder is not None else [])]


def add(what: str | Path, world: World, **options: Any) -> Robot:
    """Add a robot, given by name or file, to a world. Options as for World.add_urdf.

    Parameters
    ----------
    what
        A name of `stiction list robots`, or a path.
    world
        That it is added to.
    options
        As for World.add_urdf.
    """
    path, folders = find(what, options.pop("package_dirs", ()))
    method = {".urdf": world.add_urdf, ".sdf": world.add_sdf}.get(path.suffix.lower(), world.add_mjcf)
    return method(path, package_dirs=[str(f) for f in folders], **options)


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
    if name not in paths():
        raise unknown(name)
    options.setdefault("name", name)
    return add(name, world, **options)


def info(name: str) -> Info:
    """Mass, degrees of freedom and source of a robot. It is loaded for this, meshes and all.

    Parameters
    ----------
    name
        Of `stiction list robots`.
    """
    world = World()
    robot = load(name, world)
    path = paths()[name]
    kind = {".urdf": "urdf", ".sdf": "sdf"}.get(path.suffix, "mjcf")
    described = world.describe()
    mass = float(sum(body["mass"] for body in described["bodies"]))
    source = "stiction" if name in _OWN else "example-robot-data"
    return Info(name, path, kind, source, mass, described["nv"], tuple(robot.joint_names))
