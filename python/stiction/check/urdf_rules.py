# SPDX-License-Identifier: BSD-2-Clause
"""What is wrong with a URDF as it is written. The loader stops at the first error; here all of them are listed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..output.suggest import hint
from . import inertia_rules, meshes
from .findings import Finding, finding
from .xml_lines import Element, number, numbers

JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical")


def check(robot: Element, folder: Path, package_dirs: Sequence[Path]) -> list[Finding]:
    """Everything that the text of the file tells."""
    found = [*_names(robot, "link"), *_names(robot, "joint"), *_tree(robot)]
    for joint in robot.all("joint"):
        found += [*_type(joint), *_axis(joint), *_limits(joint), *_mimic(joint)]
    found += _efforts(robot)
    for link in robot.all("link"):
        found += _meshes(link, folder, package_dirs)
        found += _inertial(link)
    return found


def _names(robot: Element, tag: str) -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for element in robot.all(tag):
        if element.name in seen:
            sentence = f"is called like the {tag} of line {seen[element.name]}"
            yield finding("name-duplicate", f"{tag} '{element.name}'", sentence, "rename one of the two", element.line)
        seen.setdefault(element.name, element.line)


def _tree(robot: Element) -> Iterator[Finding]:
    links = [link.name for link in robot.all("link")]
    known = set(links)
    carried: Counter[str] = Counter()
    for joint in robot.all("joint"):
        for side in ("parent", "child"):
            element = joint.first(side)
            link = element.attributes.get("link", "") if element else ""
            if link not in known:
                sentence = f"names the {side} link '{link}', which is not there" if link else f"has no <{side} link=…>"
                yield finding(
                    "joint-link", f"joint '{joint.name}'", sentence, hint(link, links), (element or joint).line
                )
            elif side == "child":
                carried[link] += 1
                if carried[link] == 2:
                    sentence = f"is the second one that carries link '{link}'; a URDF is a tree"
                    yield finding(
                        "tree-broken",
                        f"joint '{joint.name}'",
                        sentence,
                        "take one out and close the loop with World.add_loop",
                        joint.line,
                    )
    roots = [link for link in robot.all("link") if link.name not in carried]
    if not links:
        yield finding("tree-broken", "robot", "has no <link>", "give at least one", robot.line)
    elif not roots:
        yield finding(
            "tree-broken",
            "robot",
            "has no root: the joints form a loop",
            "let one link be the child of no joint",
            robot.line,
        )
    for root in roots[1:]:
        sentence = f"is a second root beside '{roots[0].name}'"
        yield finding(
            "tree-broken",
            f"link '{root.name}'",
            sentence,
            "join it by a joint (type fixed, if it does not move), or take it out",
            root.line,
        )


def _type(joint: Element) -> Iterator[Finding]:
    kind = joint.attributes.get("type", "")
    if kind not in JOINT_TYPES:
        yield finding(
            "joint-type",
            f"joint '{joint.name}'",
            f"is of the type '{kind}', which does not exist",
            hint(kind, JOINT_TYPES),
            joint.line,
        )


def _axis(joint: Element) -> Iterator[Finding]:
    axis = joint.first("axis")
    if axis is None or joint.attributes.get("type") in ("fixed", "floating", "spherical"):
        return
    xyz = numbers(axis.attributes.get("xyz", "1 0 0"), 3)
    if xyz is None:
        return  # the loader names it
    length = math.hypot(*xyz)
    if length < 1e-9:
        yield finding(
            "axis-zero",
            f"joint '{joint.name}'",
            "has an axis of length zero",
            "give a direction such as 0 0 1",
            axis.line,
        )
    elif abs(length - 1.0) > 1e-3:
        unit = " ".join(f"{x / length:.6g}" for x in xyz)
        yield finding(
            "axis-not-unit",
            f"joint '{joint.name}'",
            f"has an axis of length {length:.4g}; it is normalised",
            f'write xyz="{unit}"',
            axis.line,
        )


def _limits(joint: Element) -> Iterator[Finding]:
    kind, place = joint.attributes.get("type"), f"joint '{joint.name}'"
    if kind not in ("revolute", "prismatic"):
        return
    limit = joint.first("limit")
    if limit is None:
        more = ", or make it continuous" if kind == "revolute" else ""
        yield finding(
            "limit-missing",
            place,
            f"is {kind} and has no <limit>",
            f"give <limit lower=… upper=… effort=… velocity=…/>{more}",
            joint.line,
        )
        return
    lower, upper = (number(limit.attributes.get(side, "0")) for side in ("lower", "upper"))
    if lower is None or upper is None:
        return
    if lower > upper:
        yield finding(
            "limit-inverted",
            place,
            f"has the lower limit {lower:g} above the upper limit {upper:g}",
            "exchange the two",
            limit.line,
        )
    elif lower == upper:
        fix = "make it fixed, or give lower and upper" + (", or make it continuous" if kind == "revolute" else "")
        yield finding("limit-zero-range", place, f"may not move: both limits are {lower:g}", fix, limit.line)
    elif kind == "revolute" and max(abs(lower), abs(upper)) > 4.5 * math.pi and max(abs(lower), abs(upper)) < 1e4:
        yield finding(
            "limit-degrees",
            place,
            f"may turn from {lower:g} to {upper:g} rad, as if these were degrees",
            "give radians, or make it continuous",
            limit.line,
        )
    if lower <= upper and not lower <= 0.0 <= upper:
        start = lower if lower > 0.0 else upper
        yield finding(
            "limit-start",
            place,
            f"cannot be at 0: it starts at {start:g}",
            "set a start with World.set_joint_position",
            limit.line,
        )


def _efforts(robot: Element) -> Iterator[Finding]:
    """One finding for all joints alike: who forgets one forgets all."""
    moving = [j for j in robot.all("joint") if j.attributes.get("type") in ("revolute", "prismatic", "continuous")]
    limits = [(joint, joint.first("limit")) for joint in moving]
    groups = {
        "effort-missing": [j for j, x in limits if x is None or "effort" not in x.attributes],
        "effort-zero": [j for j, x in limits if x is not None and number(x.attributes.get("effort")) == 0.0],
        "velocity-zero": [j for j, x in limits if x is not None and number(x.attributes.get("velocity")) == 0.0],
        "velocity-unused": [
            j for j, x in limits if x is not None and (number(x.attributes.get("velocity")) or 0.0) > 0.0
        ],
    }
    words = {
        "effort-missing": (
            "no effort limit; their motors are unlimited",
            'give effort="…" [N m, N], or World.set_joint(effort_limit=…)',
        ),
        "effort-zero": (
            "an effort limit of 0; their motors are taken as unlimited",
            'give effort="…" [N m, N], or make passive joints by driving them with no torque',
        ),
        "velocity-zero": (
            "a velocity limit of 0, which would lock them; it is not enforced",
            'give velocity="…" [rad/s, m/s]',
        ),
        "velocity-unused": (
            "a velocity limit; it is not enforced",
            "bound the speed in the controller, or give the joint damping",
        ),
    }
    for id_, joints in groups.items():
        if joints:
            yield finding(
                id_,
                _several("joint", joints),
                f"{'has' if len(joints) == 1 else 'have'} {words[id_][0]}",
                words[id_][1],
                joints[0].line,
            )


def _several(tag: str, elements: Sequence[Element]) -> str:
    names = [f"'{e.name}'" for e in elements[:3]]
    more = f" and {len(elements) - 3} more" if len(elements) > 3 else ""
    return f"{tag}{'s' if len(elements) > 1 else ''} {', '.join(names)}{more}"


def _mimic(joint: Element) -> Iterator[Finding]:
    mimic = joint.first("mimic")
    if mimic is not None:
        other = mimic.attributes.get("joint", "")
        yield finding(
            "mimic", f"joint '{joint.name}'", f"follows '{other}' exactly, as if geared",
            "nothing, if it is meant so; leave <mimic> away where the joint has a motor of its own", mimic.line,
        )  # fmt: skip


def _meshes(link: Element, folder: Path, package_dirs: Sequence[Path]) -> Iterator[Finding]:
    for part in (*link.all("collision"), *link.all("visual")):
        for mesh in (e for e in part.walk() if e.tag == "mesh"):
            place = f"link '{link.name}' <{part.tag}>"
            problem = meshes.check(
                mesh.attributes.get("filename", ""), folder, package_dirs, place, mesh.line, part.tag == "visual"
            )
            if problem:
                yield problem


def _inertial(link: Element) -> Iterator[Finding]:
    inertial = link.first("inertial")
    if inertial is None:
        return
    place, mass, inertia = f"link '{link.name}'", inertial.first("mass"), inertial.first("inertia")
    value = number(mass.attributes.get("value")) if mass else None
    if mass and value is not None and value < 0.0:
        yield finding("mass-negative", place, f"has the mass {value:g} kg", "give the true mass", mass.line)
    if inertia is None:
        return
    given = {key: number(inertia.attributes.get(key, "0")) for key in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")}
    if any(x is None for x in given.values()):
        return  # the loader names it
    yield from inertia_rules.check(inertia_rules.matrix(given), place, inertia.line)
