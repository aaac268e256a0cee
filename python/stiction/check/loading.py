# SPDX-License-Identifier: BSD-2-Clause
"""Loading the robot as a simulation would, and what the loader has to say about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .._core import InvalidInput, World
from .findings import ERROR, Finding, finding

# What a refusal or a warning of the loaders is about; the first that matches counts.
_REFUSALS = [
    (
        r"moves no mass|mass without inertia",
        "mass-missing",
        "give the links it carries an <inertial>, or make the joint fixed",
    ),
    (
        r"positive definite",
        "inertia-not-positive",
        "take the values from the CAD model, or use those of its bounding box",
    ),
    (r"", "refused", "change the file as the sentence says"),
]
_WARNINGS = [
    (r"<mimic>", "mimic", "drive it with the same target, hold it with a stiff PD, or make it fixed"),
    (
        r"principal moments .* negative",
        "inertia-not-positive",
        "take the values from the CAD model, or use those of its bounding box",
    ),
    (r"principal moments", "inertia-triangle", "take the values from the CAD model, or use those of its bounding box"),
    (
        r"no convex hull and is left out",
        "collision-left-out",
        "repair the mesh, or use a box, sphere, cylinder or capsule",
    ),
    (
        r"the mesh moves and is replaced by",
        "collision-hull",
        "nothing, if the shape is convex; else split it, or use primitives",
    ),
    (r"left out", "left-out", "nothing, if the motion does not depend on it; else do it in Python"),
    (r"", "changed", "nothing, if it is meant so"),
]


@dataclass(frozen=True)
class Loaded:
    """A world with this robot alone, or the sentence of the refusal."""

    world: World | None
    findings: list[Finding]
    changed: list[str]  # in the loader's words


def load(path: Path, kind: str, package_dirs: Sequence[Path], fixed: bool) -> Loaded:
    """Load as a simulation would, with links that may collide."""
    world = World()
    add = {"urdf": world.add_urdf, "sdf": world.add_sdf, "mjcf": world.add_mjcf}[kind]
    try:
        add(path, package_dirs=[str(d) for d in package_dirs], fixed=fixed, self_collision=True)
    except (InvalidInput, FileNotFoundError) as error:
        return Loaded(None, _classify(_plain(str(error), path), _REFUSALS, ERROR), [])
    sentences = [_plain(text, path) for text in world.warnings]
    return Loaded(world, [f for text in sentences for f in _classify(text, _WARNINGS, None)], sentences)


def _plain(text: str, path: Path) -> str:
    """Without the names of robot and file in front."""
    return re.sub(rf"^(?:.*?: )?{re.escape(path.name)}:? ", "", text)


def _classify(text: str, table: list[tuple[str, str, str]], severity: str | None) -> list[Finding]:
    """The finding that a sentence of the loader stands for."""
    id_, fix = next((id_, fix) for pattern, id_, fix in table if re.search(pattern, text))
    return [finding(id_, *_split(text), fix, None, severity)]


def _split(text: str) -> tuple[str, str]:
    """`link 'base' <collision>: the mesh moves` → place and sentence."""
    match = re.match(
        r"((?:link|joint|body|geom|mesh|worldbody)[^:]*?'[^']*'(?: geom '[^']*')?(?: <\w+>)?):? (.*)", text, re.DOTALL
    )
    return (match[1], match[2]) if match else ("file", text)
