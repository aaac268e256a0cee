# SPDX-License-Identifier: BSD-2-Clause
"""A run as a file of Universal Scene Description: `.usda`, text that Blender, Omniverse, Houdini and usdview open.

Every body is an `Xform` with its place and orientation over time, its shapes are meshes below it. Arrows of contact forces are not
written. Positions are in metres, z is up. Time codes count pictures of `fps` per second and may lie between whole numbers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core import InvalidInput
from ..output.files import whole_file

if TYPE_CHECKING:
    from ..drawing import Drawing, Item, Source
    from ..drawing.items import Colour, Plane

GROUND: Colour = (210, 214, 220)


def usd(
    source: Source, path: str | os.PathLike[str], fps: float = 30.0, progress: Callable[[int], None] | None = None
) -> Path:
    """Write frames that exist already, such as those of a recording, to a USD file.

    Parameters
    ----------
    source : Source
        what is written: st.recording.source("run.mcap"), or any other frames
    path : str or path
        the file, which ends in .usda
    fps : float
        time codes per second; every frame is written at its own time
    progress : function, optional
        is called with the number of frames done

    Returns
    -------
    Path
        the file
    """
    target = Path(path)
    if target.suffix != ".usda":
        raise InvalidInput(f"usd.path is '{path}', expected a name that ends in .usda")
    if not 0.0 < fps < float("inf"):
        raise InvalidInput(f"usd.fps is {fps}, expected a number > 0")
    drawing = source.drawing
    times, poses = _motion(source, progress)
    codes = fps * times
    with whole_file(target) as part, open(part, "w", encoding="utf-8") as out:
        out.writelines(line + "\n" for line in _header(source.title, codes, fps))
        out.write('def Xform "World"\n{\n')
        for k, plane in enumerate(drawing.planes):
            out.writelines(f"    {line}\n" for line in _ground(k, plane, drawing))
        for body, name in enumerate([*drawing.bodies, "static"]):
            mine = [item for item in drawing.items if item.body % (len(drawing.bodies) + 1) == body]
            if mine and body == len(drawing.bodies):  # what stands still
                out.writelines(f"    {line}\n" for line in _xform(name, (), _shapes(mine)))
            elif body < len(drawing.bodies):
                moves = _moves(codes, poses[:, body])
                out.writelines(f"    {line}\n" for line in _xform(_name(name, body), moves, _shapes(mine)))
        out.write("}\n")
    return target


def _motion(source: Source, progress: Callable[[int], None] | None) -> tuple[np.ndarray, np.ndarray]:
    """Times (n) and poses (n, bodies, 7)."""
    times: list[float] = []
    poses: list[np.ndarray] = []
    for i in range(len(source)):
        frame = source.frame(i)
        if not times or frame.time > times[-1]:
            times.append(frame.time)
            poses.append(np.array(frame.poses))
        if progress is not None:
            progress(i + 1)
    return np.array(times), np.array(poses)


def _name(text: str, body: int) -> str:
    """A name that USD takes: letters, digits and underscores; the number keeps it from meeting another."""
    return f"{re.sub('[^A-Za-z0-9]', '_', text)}_{body}" if text[:1].isalpha() else f"body_{body}"


def _header(title: str, codes: np.ndarray, fps: float) -> list[str]:
    told = re.sub(r'[\\"\n\r]', " ", title)
    return ["#usda 1.0", "(", f'    doc = "stiction: {told}"', '    defaultPrim = "World"', "    metersPerUnit = 1", '    upAxis = "Z"',
            f"    startTimeCode = {codes[0]:.9g}", f"    endTimeCode = {codes[-1]:.9g}", f"    timeCodesPerSecond = {fps:.9g}",
            f"    framesPerSecond = {fps:.9g}", ")", ""]  # fmt: skip


def _xform(name: str, moves: Iterable[str], below: Iterable[str]) -> Iterator[str]:
    yield f'def Xform "{name}"'
    yield "{"
    yield from (f"    {line}" for line in moves)
    yield from (f"    {line}" for line in below)
    yield "}"


def _moves(codes: np.ndarray, poses: np.ndarray) -> Iterator[str]:
    """Place and orientation over time; quaternions are (w, x, y, z)."""
    yield "double3 xformOp:translate.timeSamples = {"
    yield from (f"    {t:.9g}: {_tuple(p[:3])}," for t, p in zip(codes, poses, strict=True))
    yield "}"
    yield "quatd xformOp:orient.timeSamples = {"
    yield from (f"    {t:.9g}: {_tuple(p[[6, 3, 4, 5]])}," for t, p in zip(codes, poses, strict=True))
    yield "}"
    yield 'uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]'


def _shapes(items: list[Item]) -> Iterator[str]:
    """Collision shapes of a body that has visual ones as well are guides: viewers hide them."""
    for k, item in enumerate(items):
        yield from _mesh(f"shape_{k}", item.vertices, item.triangles, item.colour, guide=item.layer == "collision")


def _ground(k: int, plane: Plane, drawing: Drawing) -> Iterator[str]:
    """A half-space as a square below what moves."""
    half = 3.0 * drawing.spread
    corners = np.array([[-half, -half, 0.0], [half, -half, 0.0], [half, half, 0.0], [-half, half, 0.0]])
    still = [f"double3 xformOp:translate = {_tuple(plane.position)}",
             f"quatd xformOp:orient = {_tuple(np.asarray(plane.rotation)[[3, 0, 1, 2]])}",
             'uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]']  # fmt: skip
    yield from _xform(f"ground_{k}", still, _mesh("shape_0", corners, np.array([[0, 1, 2], [0, 2, 3]]), GROUND))


def _mesh(name: str, vertices: np.ndarray, triangles: np.ndarray, colour: Colour, guide: bool = False) -> Iterator[str]:
    yield f'def Mesh "{name}"'
    yield "{"
    yield f"    int[] faceVertexCounts = [{', '.join(['3'] * len(triangles))}]"
    yield f"    int[] faceVertexIndices = [{', '.join(map(str, np.ravel(triangles)))}]"
    yield f"    point3f[] points = [{', '.join(_tuple(v) for v in vertices)}]"
    yield f"    color3f[] primvars:displayColor = [{_tuple((np.array(colour) / 255.0) ** 2.2)}]"  # USD's colours are linear
    yield '    uniform token subdivisionScheme = "none"'
    yield from ['    uniform token purpose = "guide"'] if guide else []
    yield "}"


def _tuple(numbers: Any) -> str:
    return f"({', '.join(f'{x:.9g}' for x in numbers)})"
