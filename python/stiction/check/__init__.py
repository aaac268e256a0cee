# SPDX-License-Identifier: BSD-2-Clause
"""`stiction check`: is this robot what you think it is?

    from stiction import check
    checked = check.robot("starleth")          # or the path of a URDF, SDF or MJCF file
    print(checked.text())
    checked.ok, checked.findings, checked.simulated

Every finding has a stable id (`check.IDS`), a severity, a place with its line, a sentence and a suggestion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from .. import robots
from .._core import InvalidInput
from ..output.arguments import named
from . import loading, mjcf_rules, model_rules, sdf_rules, start_pose, urdf_rules, xml_lines
from .findings import ERROR, IDS, NOTE, WARNING, Finding, finding, in_order
from .outcome import Checked, simulated

_RULES = {"urdf": urdf_rules.check, "sdf": sdf_rules.check, "mjcf": mjcf_rules.check}
_ROOTS = {"robot": "urdf", "sdf": "sdf", "mujoco": "mjcf"}


@named
def robot(
    what: str | Path, *, package_dirs: Sequence[str | Path] = (), fixed: bool = False, self_collision: bool = False
) -> Checked:
    """Look a robot over without simulating it.

    Parameters
    ----------
    what
        A URDF, SDF or MJCF file, or the name of a robot (`robots.list()`).
    package_dirs
        Folders in which package:// is looked up.
    fixed
        Weld the base to the world.
    self_collision
        Overlaps of links of one robot at the start pose count as warnings.

    Returns
    -------
    Checked
        With `.ok` (neither errors nor warnings), `.findings`, `.simulated`, `.changed`, `.text()` and `.as_dict()`.
    """
    path, folders = robots.find(what, package_dirs)
    root = xml_lines.read(path)
    kind = _kind(root, path)
    found: list[Finding] = _RULES[kind](root, path.parent, folders)
    loaded = loading.load(path, kind, folders, fixed)
    if loaded.world is None:
        told = any(f.severity == ERROR for f in found)  # then the loader stumbles over one of these
        return Checked(path, kind, in_order(found if told else found + loaded.findings), None, [])
    lines, described = _lines(root), loaded.world.describe()
    # it can be simulated
    found = [replace(f, severity=WARNING) if f.id == "inertia-not-positive" else f for f in found]
    for more in (
        loaded.findings, model_rules.check(described, lines), start_pose.foot_findings(described, lines),
        start_pose.overlaps(loaded.world, self_collision), _merged(root, kind),
    ):  # fmt: skip
        known = {(f.id, f.place) for f in found}
        found += [f for f in more if (f.id, f.place) not in known]
    return Checked(path, kind, in_order(found), simulated(loaded.world, described), loaded.changed)


def _kind(root: xml_lines.Element, path: Path) -> str:
    if root.tag in _ROOTS:
        if any(tag.tag.startswith("xacro:") for tag in root.walk()) or path.suffix == ".xacro":
            raise InvalidInput(
                f"{path} has xacro macros, which are not read; expand it first: xacro {path.name} > robot.urdf"
            )
        return _ROOTS[root.tag]
    raise InvalidInput(f"{path} has <{root.tag}> as its root, expected <robot> (URDF), <sdf> or <mujoco> (MJCF)")


def _lines(root: xml_lines.Element) -> dict[str, int]:
    lines: dict[str, int] = {}
    for element in root.walk():
        if element.tag in ("link", "body") and element.name:
            lines.setdefault(element.name, element.line)
    return lines


def _merged(root: xml_lines.Element, kind: str) -> list[Finding]:
    if kind == "mjcf":
        fixed = [e for e in root.walk() if e.tag == "body" and not (e.all("joint") or e.all("freejoint"))]
    else:
        fixed = [e for e in root.walk() if e.tag == "joint" and e.attributes.get("type") == "fixed"]
    if not fixed:
        return []
    sentence = f"has {len(fixed)} link(s) that cannot move; they are merged into what carries them"
    return [
        finding(
            "links-merged", "robot", sentence, "nothing; their frames keep their names (Robot.frames)", fixed[0].line
        )
    ]


__all__ = ["ERROR", "IDS", "NOTE", "WARNING", "Checked", "Finding", "robot"]
