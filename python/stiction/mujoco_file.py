# SPDX-License-Identifier: BSD-2-Clause
"""An MJCF file as MuJoCo compiles it: composite bodies, replicates and attached models written out, masses as it finds them.

`World.add_mjcf(path, compile="mujoco")` reads what this writes. Our own reader needs no MuJoCo and stays the default."""

from __future__ import annotations

import tempfile
import warnings
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

from ._core import InvalidInput


def _mujoco() -> Any:
    try:
        import mujoco
    except ImportError as error:
        raise ImportError("add_mjcf(compile=\"mujoco\") needs MuJoCo: pip install 'stiction[bench]'") from error
    return mujoco


class Compiled:
    """The file that MuJoCo makes of another one, in a folder that is gone with this object."""

    def __init__(self, source: Path) -> None:
        mujoco, source = _mujoco(), Path(source)
        if not source.is_file():
            raise FileNotFoundError(f"MJCF file '{source}' was not found")
        try:
            spec = mujoco.MjSpec.from_file(str(source))
            spec.compiler.saveinertial = True
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what is old in a file: the reader says what matters
                model = spec.compile()
                text = spec.to_xml()
        except ValueError as error:
            raise InvalidInput(f"{source.name} is refused by MuJoCo: {' '.join(str(error).split())}") from error
        self._folder = tempfile.TemporaryDirectory(prefix="stiction-")
        target = Path(self._folder.name) / source.name
        root = ElementTree.fromstring(text)
        _restore_digits(root, model)
        _sign(root, source.parent, f"MuJoCo {mujoco.__version__}")
        target.write_text(ElementTree.tostring(root, encoding="unicode"), encoding="utf-8")
        self.path = str(target)


def _restore_digits(root: ElementTree.Element, model: Any) -> None:
    """MuJoCo writes six digits: bodies, masses and joints get those of its model back. They stand in the order of their numbers."""
    for element in [e for world in root.iter("worldbody") for e in world.iter() if e.tag != "frame"]:
        _dissolve_frames(element)
    bodies = [body for world in root.iter("worldbody") for body in world.iter("body")]
    if any(frame.find("body") is not None for frame in root.iter("frame")):
        return  # with shapes in it: poses in there are relative to it
    joint = 0
    if len(bodies) != model.nbody - 1:
        return
    for i, body in enumerate(bodies, start=1):
        _place(body, model.body_pos[i], model.body_quat[i])
        inertial = body.find("inertial")
        if inertial is not None:
            inertial.attrib.pop("fullinertia", None)
            _place(inertial, model.body_ipos[i], model.body_iquat[i])
            inertial.set("mass", repr(float(model.body_mass[i])))
            inertial.set("diaginertia", _numbers(model.body_inertia[i]))
        for element in body:
            if element.tag in ("joint", "freejoint"):
                if element.tag == "joint":
                    _set_joint(element, model, joint)
                joint += 1


def _dissolve_frames(element: ElementTree.Element) -> None:
    """Frames that hold bodies alone: the poses of these follow from the model."""
    while (
        frames := [f for f in element if f.tag == "frame" and all(part.tag in ("body", "frame") for part in f)]
    ) != []:
        at = list(element).index(frames[0])
        element.remove(frames[0])
        for part in reversed(list(frames[0])):
            if "childclass" in frames[0].attrib:
                part.attrib.setdefault("childclass", frames[0].attrib["childclass"])
            element.insert(at, part)


def _place(element: ElementTree.Element, position: Any, quaternion: Any) -> None:
    for key in ("axisangle", "xyaxes", "zaxis", "euler"):
        element.attrib.pop(key, None)
    element.set("pos", _numbers(position))
    element.set("quat", _numbers(quaternion))


def _set_joint(element: ElementTree.Element, model: Any, joint: int) -> None:
    element.set("pos", _numbers(model.jnt_pos[joint]))
    element.set("axis", _numbers(model.jnt_axis[joint]))
    element.set("armature", repr(float(model.dof_armature[model.jnt_dofadr[joint]])))
    if model.jnt_type[joint] in (2, 3):  # slide, hinge
        element.set("ref", repr(float(model.qpos0[model.jnt_qposadr[joint]])))
        if model.jnt_limited[joint]:
            element.set("range", _numbers(model.jnt_range[joint]))


def _numbers(values: Any) -> str:
    return " ".join(repr(float(x)) for x in values)


def _sign(root: ElementTree.Element, folder: Path, compiler_name: str) -> None:
    """Meshes are looked for where the file was, angles are radians, and the reader is told who wrote it."""
    compiler = root.find("compiler")
    if compiler is None:
        compiler = ElementTree.SubElement(root, "compiler")
    inner = compiler.get("meshdir", compiler.get("assetdir", ""))
    compiler.set("meshdir", str((folder / inner).resolve()))
    ElementTree.SubElement(ElementTree.SubElement(root, "custom"), "text", name="compiled_by", data=compiler_name)
