# SPDX-License-Identifier: BSD-2-Clause
"""The set of `real_robots.py --set`: every MJCF file with joints that MuJoCo loads, of the Python packages below as far as they are
installed, and the scenes of MuJoCo Menagerie in the folder that STICTION_DATA names.

    pip install --no-deps gymnasium dm_control robosuite gymnasium-robotics mjlab
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("gymnasium", "dm_control", "robosuite", "gymnasium_robotics", "mjlab")


def folders() -> Iterator[tuple[str, Path, str]]:
    """(name, folder, pattern of files)"""
    data = os.environ.get("STICTION_DATA")
    if data and (Path(data) / "menagerie").is_dir():
        yield "menagerie", Path(data) / "menagerie", "*/scene*.xml"
    for package in PACKAGES:
        found = importlib.util.find_spec(package)
        if found is not None and found.submodule_search_locations:
            yield package, Path(found.submodule_search_locations[0]), "**/*.xml"


def moves(path: Path) -> bool:
    """MuJoCo loads it, and something in it can move."""
    import mujoco

    try:
        return bool(mujoco.MjModel.from_xml_path(str(path)).nv)
    except ValueError:
        return False


def name_of(path: Path) -> str:
    """Package and path inside of it; of files that are in no package, folder and name."""
    for name, folder, _ in folders():
        if path.is_relative_to(folder):
            return f"{name}/{path.relative_to(folder).as_posix()}"
    return "/".join(path.parts[-2:])


def the_set() -> list[Path]:
    return [path for _, folder, pattern in folders() for path in sorted(folder.glob(pattern)) if moves(path)]
