# SPDX-License-Identifier: BSD-2-Clause
"""<visual> shapes of URDF files, which the engine itself has no use for. A shape that cannot be read is left out: the
collision shapes of its link are drawn then."""

from __future__ import annotations

import xml.etree.ElementTree as xml
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from stiction import InvalidInput, load_mesh, robots

from ..rotations import rotation_of_rpy
from . import solids
from .items import Colour, Drawing, Item

if TYPE_CHECKING:
    from stiction import Robot, Simulator

PALE: Colour = (205, 208, 214)


def drawing_of(sim: Simulator) -> Drawing:
    """Visual shapes of robots that are known by name, collision shapes of everything else."""
    return Drawing.of(sim, visuals_of(sim, None))


def visuals_of(sim: Simulator, file: str | Path | None = None) -> list[Item]:
    """Items of all robots whose URDF file is known: `file`, or by the name under which `robots` lists it."""
    known = robots.paths() if sim.robots else {}
    out: list[Item] = []
    for robot in sim.robots:
        path = Path(file) if file is not None else known.get(robot.name)
        if path is not None and path.suffix == ".urdf":
            out += _robot_items(sim, robot, path)
    return out


def _read(path: Path) -> xml.Element | None:
    """None if it cannot be read. Entities are for the loader to refuse: nothing is unfolded here."""
    text = path.read_bytes()
    try:
        return None if b"<!ENTITY" in text or "<!ENTITY".encode("utf-16-le") in text else xml.fromstring(text)
    except (xml.ParseError, LookupError, ValueError):
        return None


def _robot_items(sim: Simulator, robot: Robot, path: Path) -> Iterator[Item]:
    root = _read(path)
    if root is None:
        return
    palette = {material.get("name", ""): _colour(material) for material in root.findall("material")}
    links = {link.get("name", ""): link for link in root.findall("link")}
    if not links.keys() <= set(robot.frames):
        return  # another robot of the same name
    for name, link in links.items():
        body, (position, rotation) = sim.frame(f"{robot.name}/{name}")
        for visual in link.findall("visual"):
            mesh = _mesh(visual.find("geometry"), path)
            if mesh is not None:
                vertices = solids.place(_with_origin(mesh[0], visual.find("origin")), position, rotation)
                yield Item(
                    -1 if body is None else body.id, vertices, mesh[1], _colour_of(visual, palette), layer="visual"
                )


def _colour(material: xml.Element) -> Colour | None:
    element = material.find("color")
    if element is None:
        return None
    r, g, b = (round(255 * min(max(x, 0.0), 1.0)) for x in _numbers(element.get("rgba", ""), 4)[:3])
    return r, g, b


def _colour_of(visual: xml.Element, palette: dict[str, Colour | None]) -> Colour:
    material = visual.find("material")
    if material is None:
        return PALE
    return _colour(material) or palette.get(material.get("name", "")) or PALE


def _numbers(text: str, count: int) -> list[float]:
    try:
        found = [float(word) for word in text.split()]
    except ValueError:
        found = []
    return found if len(found) == count else [0.0] * count


def _with_origin(vertices: np.ndarray, origin: xml.Element | None) -> np.ndarray:
    if origin is None:
        return vertices
    turn = rotation_of_rpy(*_numbers(origin.get("rpy", ""), 3))
    placed: np.ndarray = vertices @ turn.T + _numbers(origin.get("xyz", ""), 3)
    return placed


def _mesh(geometry: xml.Element | None, path: Path) -> solids.Mesh | None:
    for element in geometry if geometry is not None else ():
        nothing = np.zeros((0, 3))
        if element.tag == "box":
            return solids.mesh("box", np.array(_numbers(element.get("size", ""), 3)), nothing, nothing)
        if element.tag == "sphere":
            return solids.mesh("sphere", np.array([*_numbers(element.get("radius", ""), 1), 0.0]), nothing, nothing)
        if element.tag in ("cylinder", "capsule"):
            size = np.array([x for key in ("radius", "length") for x in _numbers(element.get(key, ""), 1)])
            return solids.mesh(element.tag, size, nothing, nothing)
        if element.tag == "mesh":
            return _file_mesh(element, path)
    return None


def _file_mesh(element: xml.Element, path: Path) -> solids.Mesh | None:
    found = _find(element.get("filename", ""), path)
    try:
        scale = _numbers(element.get("scale", ""), 3) if element.get("scale") else (1.0, 1.0, 1.0)
        return load_mesh(found, scale) if found is not None else None
    except (InvalidInput, FileNotFoundError):
        return None


def _find(name: str, path: Path) -> Path | None:
    """package://name/rest is looked up above the file and in the folder of the robots; others beside the file."""
    if not name.startswith("package://"):
        here = path.parent / name.removeprefix("file://")
        return here if here.is_file() else None
    inside = name.removeprefix("package://")
    roots = [*path.resolve().parents]
    folder = robots._data_folder()
    if folder is not None:
        roots.append(folder.parent)
    package, _, rest = inside.partition("/")
    for root in roots:
        for candidate in (root / inside, root / rest if root.name == package else root / inside):
            if candidate.is_file():
                return candidate
    return None
