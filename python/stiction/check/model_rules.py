# SPDX-License-Identifier: BSD-2-Clause
"""What is odd about a robot as it will be simulated: links on fixed joints merged, meshes turned into hulls. The same rules for
every format. They compare mass and inertia with the collision shapes, so their thresholds are wide: shapes may cover a part."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from . import inertia_rules
from .findings import Finding, finding

HEAVIEST, LIGHTEST = 25_000.0, 1.0  # [kg/m^3]: above osmium, below everything solid
SLACK = 4.0  # by how much inertia may exceed that of all mass at the farthest corner
MANY_CORNERS = 500

Description = Mapping[str, Any]


def check(world: Description, lines: Mapping[str, int]) -> list[Finding]:
    """Findings about every moving body; `lines` says where a link stands in the file."""
    found: list[Finding] = []
    shapes_of: defaultdict[int, list[Any]] = defaultdict(list)
    joints_of: defaultdict[int, list[Any]] = defaultdict(list)
    for geom in world["geoms"]:
        shapes_of[geom["body"]].append(geom)
    for body in world["bodies"]:
        joints_of[body["parent"]].append(body["placement"][0])
    for index, body in enumerate(world["bodies"]):
        shapes = shapes_of[index]
        place, line = f"link '{body['name']}'", lines.get(body["name"])
        found += _masses(body, place, line)
        found += inertia_rules.check(body["inertia"], place, line)
        if shapes and body["mass"] > 0.0:
            found += _against_shapes(body, shapes, joints_of[index], place, line)
    return [*found, *_shapes(world, lines), *_loops(world)]


def _inner(body: Mapping[str, Any]) -> bool:
    """Is it an inner part, link/part, of a joint of several degrees of freedom? These have no mass by design."""
    return body["mass"] == 0.0 and "/" in body["name"]


def _masses(body: Mapping[str, Any], place: str, line: int | None) -> Iterator[Finding]:
    if body["mass"] == 0.0 and not _inner(body):
        sentence = "moves and has no mass; it takes that of what it carries"
        yield finding("mass-missing", place, sentence, "give it an <inertial>, or fix its joint", line)


def _against_shapes(
    body: Mapping[str, Any], shapes: list[Any], joints: list[Any], place: str, line: int | None
) -> Iterator[Finding]:
    """The link is taken to reach over its collision shapes, its own joint and those that it carries."""
    mass, com = body["mass"], body["com"]
    low = np.min([np.zeros(3), *(g["box"][0] for g in shapes), *joints], axis=0)
    high = np.max([np.zeros(3), *(g["box"][1] for g in shapes), *joints], axis=0)
    volume = max(sum(g["volume"] for g in shapes), 0.1 * float(np.prod(high - low)))
    partly = "or the collision shapes cover only a part of it"
    density = mass / volume if volume > 0.0 else np.nan
    if density > HEAVIEST or density < LIGHTEST:
        words = f"has {mass:.4g} kg in {1e3 * volume:.4g} litres of collision shapes, {density:.3g} kg/m^3"
        yield finding(
            "mass-density", place, words, f"check the mass [kg] and the sizes [m] (millimetres?), {partly}", line
        )
    size = float(np.linalg.norm(high - low))
    outside = float(np.linalg.norm(np.maximum(0.0, np.maximum(low - com, com - high))))
    if outside > 0.5 * size + 0.01:
        sentence = f"has its centre of mass {outside:.3g} m away from its collision shapes and joints, which reach over {size:.3g} m"
        yield finding("com-outside", place, sentence, f"check the <origin> of the inertial element, {partly}", line)
        return
    reach = float(np.linalg.norm(np.maximum(high - com, com - low)))
    largest = float(inertia_rules.principal_moments(body["inertia"])[2])
    if largest > SLACK * mass * reach**2:
        sentence = f"has a moment of inertia of {largest:.4g} kg m^2; {mass:.4g} kg of its size have at most {mass * reach**2:.3g}"
        yield finding(
            "inertia-size",
            place,
            sentence,
            f"give the inertia about the centre of mass in kg m^2 (kg mm^2?), {partly}",
            line,
        )


def _shapes(world: Description, lines: Mapping[str, int]) -> Iterator[Finding]:
    bodies, geoms = world["bodies"], [g for g in world["geoms"] if g["body"] >= 0]
    if not geoms:
        yield finding(
            "collision-none",
            "robot",
            "has no collision shape: it falls through everything",
            "give at least the feet or the base a <collision>",
        )
        return
    covered = {g["body"] for g in geoms}
    bare = [b["name"] for i, b in enumerate(bodies) if i not in covered and not _inner(b)]
    if bare:
        names = ", ".join(f"'{n}'" for n in bare[:3]) + (f" and {len(bare) - 3} more" if len(bare) > 3 else "")
        place = f"link {names}" if len(bare) == 1 else f"links {names}"
        sentence = "has no collision shape" if len(bare) == 1 else "have no collision shape"
        yield finding(
            "collision-missing", place, sentence, "add a <collision> to what should touch something", lines.get(bare[0])
        )
    for geom in geoms:
        if geom["corners"] > MANY_CORNERS:
            name = bodies[geom["body"]]["name"]
            sentence = f"has a hull with {geom['corners']} corners, which is slow to collide"
            yield finding(
                "collision-corners",
                f"link '{name}'",
                sentence,
                "use a primitive, or a coarser collision mesh",
                lines.get(name),
            )


def _loops(world: Description) -> Iterator[Finding]:
    """A loop is closed by force: millimetres that are open at the start come together within the first steps."""
    for loop in world["loops"]:
        if loop["gap"] > 1e-3:
            sentence = f"is open by {1e3 * loop['gap']:.3g} mm at the start pose, and the first steps pull it together"
            fix = "start where it is closed (World.set_joint_position); joints that cannot be at 0 start at their limit"
            yield finding("loop-open", f"loop '{loop['name']}'", sentence, fix)
