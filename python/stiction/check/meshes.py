# SPDX-License-Identifier: BSD-2-Clause
"""Where the files of meshes are looked for: as the loaders do, see model/files/mesh_files.cpp."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from .findings import Finding, finding


def candidates(uri: str, folder: Path, package_dirs: Sequence[Path]) -> Iterator[Path]:
    """Every place in which the loaders look for a mesh."""
    if uri.startswith("file://"):
        yield Path(uri[7:])
        return
    if not uri.startswith(("package://", "model://")):
        yield folder / uri
        return
    package, _, rest = uri.split("://", 1)[1].partition("/")
    ros = [Path(word) for word in os.environ.get("ROS_PACKAGE_PATH", "").split(":") if word]
    here = folder.absolute()
    for root in [*package_dirs, *ros, here, *here.parents]:
        yield root / package / rest
        if root.name == package:
            yield root / rest


def is_file(path: Path) -> bool:
    """False too for names that no file can have."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def check(uri: str, folder: Path, package_dirs: Sequence[Path], place: str, line: int, visual: bool) -> Finding | None:
    """None if the mesh is there."""
    tried = list(candidates(uri, folder, package_dirs))
    if any(is_file(path) for path in tried):
        return None
    sentence = f"names the mesh '{uri}', which is not there"
    if visual:
        return finding(
            "mesh-visual-missing",
            place,
            sentence + "; the motion does not need it, pictures do",
            "give the file, or take out the <visual>",
            line,
        )
    if uri.startswith(("package://", "model://")):
        package = uri.split("://", 1)[1].partition("/")[0]
        if not any(
            (path / package).is_dir() or path.name == package
            for path in [*package_dirs, folder.absolute(), *folder.absolute().parents]
        ):
            return finding(
                "mesh-package", place, f"{sentence}: no folder '{package}' above the file or in the package folders",
                f"say --package-dir DIR (package_dirs=[DIR] in Python) with the folder that holds '{package}'", line,
            )  # fmt: skip
    return finding(
        "mesh-missing",
        place,
        f"{sentence}; looked for {tried[0]}",
        "give the file, or use a box, sphere, cylinder or capsule",
        line,
    )
