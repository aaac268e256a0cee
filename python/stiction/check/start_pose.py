# SPDX-License-Identifier: BSD-2-Clause
"""What touches what at the start pose: feet, overlaps, and contacts of a robot that stands on the ground."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .._core import InvalidInput, Simulator, World
from .findings import WARNING, Finding, finding

TOUCH = 2e-3  # [m]
DEEP = 1e-4  # overlaps below this are round-off of the file


def lowest(world: Mapping[str, Any]) -> float | None:
    """Height of the lowest point of all that moves [m]."""
    heights = [g["start_box"][0][2] for g in world["geoms"] if g["body"] >= 0]
    return float(min(heights)) if heights else None


def feet(world: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """A guess: shapes of links at the ends of the tree whose lowest point is about as low as the robot's."""
    floor = lowest(world)
    floating = any(b["joint"] == "free" for b in world["bodies"])
    if floor is None or not floating:
        return []
    parents = {b["parent"] for b in world["bodies"]}
    tops = [g["start_box"][1][2] for g in world["geoms"] if g["body"] >= 0]
    near = floor + 0.02 + 0.03 * (max(tops) - floor)
    ends = [g for g in world["geoms"] if g["body"] >= 0 and g["body"] not in parents and g["start_box"][0][2] <= near]
    best: dict[int, Mapping[str, Any]] = {}
    for geom in ends:  # one shape per link: the lowest
        if geom["body"] not in best or geom["start_box"][0][2] < best[geom["body"]]["start_box"][0][2]:
            best[geom["body"]] = geom
    return list(best.values())


def foot_findings(world: Mapping[str, Any], lines: Mapping[str, int]) -> list[Finding]:
    """Feet that are hulls of meshes."""
    hulls = [f for f in feet(world) if f["kind"] == "convex"]
    if not hulls:
        return []
    names = [world["bodies"][f["body"]]["name"] for f in hulls]
    words = ", ".join(f"'{n}'" for n in names[:4])
    sentence = f"{'stand' if len(names) > 1 else 'stands'} on the convex hull of a mesh: contact points jump from corner to corner"
    fix = "give the feet a sphere, box or capsule as <collision>, or World.add_contact_point at the sole"
    return [
        finding(
            "collision-mesh-only", f"link{'s' if len(names) > 1 else ''} {words}", sentence, fix, lines.get(names[0])
        )
    ]


def _contacts(world: World, lift: float | None = None) -> Any:
    """Contacts at the start; one very short step finds them."""
    sim = Simulator(world, solver="pgs", dt=1e-7, solver_options=dict(max_iterations=1))
    if lift is not None:
        for body in sim.bodies:
            if body.q_slice.stop - body.q_slice.start == 7:
                sim.q[body.q_slice.start + 2] += lift
    sim.step()
    return sim.contacts()


def overlaps(world: World, self_collision: bool) -> list[Finding]:
    """Pairs of links, not joined by a joint, that overlap before anything moves."""
    bodies = world.describe()["bodies"]
    worst: dict[tuple[int, int], float] = {}
    try:
        contacts = _contacts(world)
    except InvalidInput:
        return []
    for c in contacts:
        if c["gap"] < -DEEP:
            pair = (int(c["body_a"]), int(c["body_b"]))
            worst[pair] = min(worst.get(pair, 0.0), float(c["gap"]))
    found = []
    for (a, b), gap in sorted(worst.items(), key=lambda item: item[1]):
        names = [bodies[i]["name"] if i >= 0 else "the world" for i in (a, b)]
        own = a >= 0 and b >= 0 and bodies[a]["tree"] == bodies[b]["tree"]
        quiet = own and not self_collision
        sentence = f"overlap by {-1e3 * gap:.3g} mm at the start pose" + (
            "; links of one robot do not collide unless self_collision=True" if quiet else ""
        )
        fix = "World.exclude the two, make the shapes smaller, or start elsewhere (World.set_joint_position)"
        found.append(
            finding(
                "collision-overlap",
                f"links '{names[0]}' and '{names[1]}'",
                sentence,
                fix,
                None,
                None if quiet else WARNING,
            )
        )
    return found


def ground_contacts(world: World) -> int | None:
    """Contact points of a floating robot that stands at its start pose on the plane z = 0; None if it has a fixed base."""
    described = world.describe()
    floor = lowest(described)
    if floor is None or not any(b["joint"] == "free" for b in described["bodies"]):
        return None
    standing = world.copy()
    ground = len(described["geoms"])
    standing.add_ground()
    try:
        contacts = _contacts(standing, lift=-floor)
    except InvalidInput:
        return None
    touching = (contacts["gap"] < TOUCH) & ((contacts["geom_a"] == ground) | (contacts["geom_b"] == ground))
    return int(np.count_nonzero(touching))
