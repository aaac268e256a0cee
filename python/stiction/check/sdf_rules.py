# SPDX-License-Identifier: BSD-2-Clause
"""What is wrong with an SDF file as it is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ..output.suggest import hint
from . import inertia_rules, meshes
from .findings import Finding, finding
from .xml_lines import Element, number

JOINT_TYPES = ("revolute", "continuous", "prismatic", "ball", "fixed")


def check(sdf: Element, folder: Path, package_dirs: Sequence[Path]) -> list[Finding]:
    """Everything that the text of the file tells."""
    found: list[Finding] = []
    for model in (e for e in sdf.walk() if e.tag == "model"):
        links = [link.name for link in model.all("link")]
        for tag in ("link", "joint"):
            names = [e.name for e in model.all(tag)]
            for i, element in enumerate(model.all(tag)):
                if element.name in names[:i]:
                    found.append(
                        finding(
                            "name-duplicate",
                            f"{tag} '{element.name}'",
                            "is called like another one",
                            "rename one of the two",
                            element.line,
                        )
                    )
        for joint in model.all("joint"):
            found += _joint(joint, links)
        for link in model.all("link"):
            found += [*_inertial(link), *_meshes(link, folder, package_dirs)]
    return found


def _joint(joint: Element, links: Sequence[str]) -> Iterator[Finding]:
    place, kind = f"joint '{joint.name}'", joint.attributes.get("type", "")
    if kind not in JOINT_TYPES:
        yield finding(
            "joint-type", place, f"is of the type '{kind}', which is not read", hint(kind, JOINT_TYPES), joint.line
        )
    for side in ("parent", "child"):
        element = joint.first(side)
        link = element.text.strip() if element else ""
        if link not in links and link != "world":
            yield finding(
                "joint-link",
                place,
                f"names the {side} link '{link}', which is not there",
                hint(link, links),
                (element or joint).line,
            )
    axis = joint.first("axis")
    limit = axis.first("limit") if axis else None
    if limit is None:
        return
    values = {e.tag: number(e.text) for e in limit.children}
    lower, upper = values.get("lower"), values.get("upper")
    if lower is not None and upper is not None and lower > upper:
        yield finding(
            "limit-inverted",
            place,
            f"has the lower limit {lower:g} above the upper limit {upper:g}",
            "exchange the two",
            limit.line,
        )
    elif lower is not None and lower == upper:
        yield finding(
            "limit-zero-range",
            place,
            f"may not move: both limits are {lower:g}",
            "make it fixed, or give lower and upper",
            limit.line,
        )
    if values.get("effort") == 0.0:
        yield finding(
            "effort-zero",
            place,
            "has an effort limit of 0; its motor is taken as unlimited",
            "give <effort> [N m, N]",
            limit.line,
        )


def _inertial(link: Element) -> Iterator[Finding]:
    inertial = link.first("inertial")
    if inertial is None:
        return
    mass, inertia = inertial.first("mass"), inertial.first("inertia")
    value = number(mass.text) if mass else None
    if mass and value is not None and value < 0.0:
        yield finding(
            "mass-negative", f"link '{link.name}'", f"has the mass {value:g} kg", "give the true mass", mass.line
        )
    if inertia is not None:
        given = {
            key: number(e.text) if (e := inertia.first(key)) else 0.0
            for key in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
        }
        yield from inertia_rules.check(inertia_rules.matrix(given), f"link '{link.name}'", inertia.line)


def _meshes(link: Element, folder: Path, package_dirs: Sequence[Path]) -> Iterator[Finding]:
    for part in (*link.all("collision"), *link.all("visual")):
        for uri in (e for e in part.walk() if e.tag == "uri"):
            problem = meshes.check(
                uri.text.strip(),
                folder,
                package_dirs,
                f"link '{link.name}' <{part.tag}>",
                uri.line,
                part.tag == "visual",
            )
            if problem:
                yield problem
