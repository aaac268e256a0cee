# SPDX-License-Identifier: BSD-2-Clause
"""What `stiction check` can find. The ids are stable: scripts and tests may rely on them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

ERROR, WARNING, NOTE = "error", "warning", "note"

# id -> (severity, what it means). An error keeps the robot from being simulated, a warning is most likely a mistake in the
# file, a note says what the engine makes of it. docs/your-robot.md prints this table.
IDS: dict[str, tuple[str, str]] = {
    "refused": (ERROR, "the loader refuses the file"),
    "name-duplicate": (ERROR, "two links, joints or bodies have one name"),
    "joint-type": (ERROR, "a kind of joint that does not exist"),
    "joint-link": (ERROR, "a joint names a link that is not there"),
    "tree-broken": (ERROR, "links and joints are not one tree"),
    "mesh-missing": (ERROR, "the file of a collision mesh is not there"),
    "mesh-package": (ERROR, "a package:// of a collision mesh cannot be found"),
    "mesh-visual-missing": (NOTE, "the file of a visual mesh is not there"),
    "mass-negative": (ERROR, "a mass below zero"),
    "mass-missing": (WARNING, "a moving link without mass"),
    "mass-density": (WARNING, "mass and collision volume do not fit"),
    "inertia-not-positive": (ERROR, "an inertia with a moment that is zero or negative"),
    "inertia-triangle": (WARNING, "an inertia that no solid body has"),
    "inertia-size": (WARNING, "inertia and collision shapes do not fit"),
    "com-outside": (WARNING, "the centre of mass lies far outside of the collision shapes"),
    "limit-missing": (ERROR, "a revolute or prismatic joint without <limit>"),
    "limit-inverted": (ERROR, "a lower limit above the upper one"),
    "limit-zero-range": (WARNING, "limits that leave the joint no room"),
    "limit-degrees": (WARNING, "limits that look like degrees"),
    "limit-start": (NOTE, "zero is outside of the limits: the joint starts at the nearest one"),
    "effort-zero": (WARNING, "an effort limit of zero, taken as unlimited"),
    "effort-missing": (NOTE, "no effort limit: unlimited"),
    "velocity-zero": (WARNING, "a velocity limit of zero"),
    "velocity-unused": (NOTE, "velocity limits are not enforced"),
    "axis-zero": (ERROR, "a joint axis of length zero"),
    "axis-not-unit": (WARNING, "a joint axis that is not a unit vector; it is normalised"),
    "mimic": (NOTE, "a joint that follows another one; it is held there by the solver"),
    "collision-none": (WARNING, "no collision shape: it falls through everything"),
    "collision-missing": (NOTE, "moving links without a collision shape"),
    "collision-mesh-only": (WARNING, "feet that are meshes: they roll on the corners of a hull"),
    "collision-hull": (NOTE, "a mesh that moves is replaced by convex hulls"),
    "collision-left-out": (WARNING, "a mesh without volume is left out"),
    "collision-corners": (NOTE, "a hull with many corners is slow"),
    "collision-overlap": (NOTE, "shapes overlap at the start pose"),
    "loop-open": (WARNING, "a closed loop that is open at the start pose: it snaps shut"),
    "links-merged": (NOTE, "links on fixed joints are merged into what carries them"),
    "left-out": (WARNING, "a part of the file is not simulated"),
    "changed": (NOTE, "the loader changed something"),
}  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """One thing to know: what and where it is, and what to do."""

    id: str  # such as mass-zero
    place: str  # "link 'base'"
    sentence: str  # what is wrong
    fix: str  # what to do
    line: int | None = None  # of the file, if known
    severity: str = ""  # error, warning or note

    def as_dict(self) -> dict[str, Any]:
        """All fields by name, for JSON."""
        return asdict(self)


def finding(
    id_: str, place: str, sentence: str, fix: str, line: int | None = None, severity: str | None = None
) -> Finding:
    """A finding of a known id, with the id's own severity unless another is given."""
    return Finding(id_, place, sentence, fix, line, severity or IDS[id_][0])


def in_order(findings: list[Finding]) -> list[Finding]:
    """Errors first, then by line; the same thing is said once."""
    rank = {ERROR: 0, WARNING: 1, NOTE: 2}
    return sorted(dict.fromkeys(findings), key=lambda f: (rank[f.severity], f.line or 0, f.place, f.id))


def count(findings: list[Finding], severity: str) -> int:
    return sum(f.severity == severity for f in findings)
