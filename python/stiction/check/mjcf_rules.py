# SPDX-License-Identifier: BSD-2-Clause
"""What is wrong with an MJCF file as it is written. Files that it includes are read too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ..output.suggest import hint
from . import xml_lines
from .findings import Finding, finding
from .xml_lines import Element, number, numbers

JOINT_TYPES = ("hinge", "slide", "ball", "free")


def check(mujoco: Element, folder: Path, _: Sequence[Path]) -> list[Finding]:
    """Everything that the text of the file tells."""
    everything = [e for root in [mujoco, *xml_lines.included(mujoco, folder)] for e in root.walk()]
    found = [*_names(everything), *_meshes(everything, folder)]
    for element in everything:
        if element.tag in ("joint", "freejoint"):
            found += _joint(element)
    return found


def _names(everything: Sequence[Element]) -> Iterator[Finding]:
    for tag in ("body", "joint", "geom"):
        seen: dict[str, int] = {}
        for element in everything:
            if element.tag != tag or not element.name:
                continue
            if element.name in seen:
                sentence = f"is called like the {tag} of line {seen[element.name]}"
                yield finding(
                    "name-duplicate", f"{tag} '{element.name}'", sentence, "rename one of the two", element.line
                )
            seen.setdefault(element.name, element.line)


def _joint(joint: Element) -> Iterator[Finding]:
    place, kind = f"joint '{joint.name}'", joint.attributes.get("type", "hinge")
    if kind not in JOINT_TYPES:
        yield finding(
            "joint-type", place, f"is of the type '{kind}', which does not exist", hint(kind, JOINT_TYPES), joint.line
        )
    span = numbers(joint.attributes.get("range"), 2)
    if span is not None and joint.attributes.get("limited") != "false":
        if span[0] > span[1]:
            yield finding(
                "limit-inverted",
                place,
                f"has the lower limit {span[0]:g} above the upper limit {span[1]:g}",
                "exchange the two",
                joint.line,
            )
        elif span[0] == span[1] != 0.0:
            yield finding(
                "limit-zero-range",
                place,
                f"may not move: both limits are {span[0]:g}",
                "take the joint out, or give range",
                joint.line,
            )
    axis = numbers(joint.attributes.get("axis"), 3)
    if axis is not None and not any(axis):
        yield finding("axis-zero", place, "has an axis of length zero", "give a direction such as 0 0 1", joint.line)


def _meshes(everything: Sequence[Element], folder: Path) -> Iterator[Finding]:
    compiler: dict[str, str] = {}
    for element in everything:
        if element.tag == "compiler":
            compiler.update(element.attributes)
    meshdir = compiler.get("meshdir", compiler.get("assetdir", ""))
    for mesh in everything:
        if mesh.tag != "mesh" or "file" not in mesh.attributes:
            continue
        file = Path(mesh.attributes["file"])
        path = folder / meshdir / (file.name if compiler.get("strippath") == "true" else file)
        if not path.is_file():
            name = mesh.name or file.stem
            sentence = f"names the file '{file}', which is not there; looked for {path}"
            yield finding(
                "mesh-missing", f"mesh '{name}'", sentence, "give the file, or set meshdir of <compiler>", mesh.line
            )
    for element in everything:
        value = number(element.attributes.get("mass")) if element.tag in ("geom", "inertial") else None
        if value is not None and value < 0.0:
            yield finding(
                "mass-negative",
                f"{element.tag} '{element.name}'",
                f"has the mass {value:g} kg",
                "give the true mass",
                element.line,
            )
