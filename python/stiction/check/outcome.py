# SPDX-License-Identifier: BSD-2-Clause
"""What `stiction check` hands back and prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._core import World
from . import start_pose
from .findings import ERROR, NOTE, WARNING, Finding, count

_SHOWN = 3  # findings of one id that the short text shows


@dataclass(frozen=True)
class Checked:
    """The outcome of `check.robot`."""

    path: Path  # of the file
    format: str  # urdf, sdf or mjcf
    findings: list[Finding]  # the worst first
    simulated: dict[str, Any] | None  # None: it cannot be loaded
    changed: list[str]  # what the loader changed, in its own words

    @property
    def ok(self) -> bool:
        """Neither errors nor warnings."""
        return all(f.severity == NOTE for f in self.findings)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "file": str(self.path), "format": self.format, "ok": self.ok,
            "errors": count(self.findings, ERROR), "warnings": count(self.findings, WARNING), "notes": count(self.findings, NOTE),
            "findings": [f.as_dict() for f in self.findings], "simulated": self.simulated, "changed": self.changed,
        }  # fmt: skip

    def text(self, everything: bool = False) -> str:
        """What the command prints; without `everything` only the first few findings of a kind."""
        lines = [_headline(self), ""]
        shown: Counter[str] = Counter()
        for f in self.findings:
            shown[f.id] += 1
            if everything or shown[f.id] <= _SHOWN:
                where = f"{self.path.name}:{f.line}: " if f.line else f"{self.path.name}: "
                lines += [f"{f.severity:8}{where}{f.place} {f.sentence}  [{f.id}]", f"        fix: {f.fix}"]
        more = {id_: n - _SHOWN for id_, n in shown.items() if n > _SHOWN and not everything}
        if more:
            lines.append(
                "        and " + ", ".join(f"{n} more of {id_}" for id_, n in more.items()) + " (--all shows them)"
            )
        lines += ["", *_simulated_text(self.simulated)]
        return "\n".join(lines)


def _headline(checked: Checked) -> str:
    def some(severity: str) -> str:
        n = count(checked.findings, severity)
        return f"{n} {severity}{'' if n == 1 else 's'}"

    verdict = "cannot be simulated" if checked.simulated is None else "can be simulated"
    return f"{checked.path.name} ({checked.format.upper()}) {verdict}: {some(ERROR)}, {some(WARNING)}, {some(NOTE)}"


def simulated(world: World, described: Mapping[str, Any]) -> dict[str, Any]:
    """What a simulator would be given."""
    bodies, geoms = described["bodies"], described["geoms"]
    joints = Counter(b["joint"] for b in bodies)
    feet = start_pose.feet(described)
    return {
        "robot": world.robots[0].name, "bodies": len(bodies), "joints": dict(joints), "dof": described["nv"],
        "actuated": described["ntau"], "floating": joints["free"] > 0, "mass_kg": float(sum(b["mass"] for b in bodies)),
        "shapes": dict(Counter(g["kind"] for g in geoms)), "loops": len(described["loops"]),
        "limited_joints": int(sum(x < float("inf") for x in described["upper"])), "lowest_point_m": start_pose.lowest(described),
        "feet": [{"link": bodies[g["body"]]["name"], "shape": g["name"], "kind": g["kind"]} for g in feet],
        "ground_contacts": start_pose.ground_contacts(world),
    }  # fmt: skip


def _simulated_text(s: Mapping[str, Any] | None) -> list[str]:
    if s is None:
        return ["Nothing will be simulated until the errors are repaired."]

    def some(counts: Mapping[str, int]) -> str:
        return ", ".join(f"{n} {kind}" for kind, n in counts.items()) or "none"

    base = "floating base" if s["floating"] else "fixed base"
    lines = [
        "What will be simulated:",
        f"  robot     {s['robot']}, {base}, {s['mass_kg']:.6g} kg in {s['bodies']} moving bodies",
        f"  joints    {some(s['joints'])}; {s['dof']} degrees of freedom, {s['actuated']} of them driven, {s['limited_joints']} with limits",
        f"  shapes    {some(s['shapes'])}; friction 0.8 and no restitution unless given",
    ]
    if s["loops"]:
        lines.append(f"  loops     {s['loops']} closed")
    if s["feet"]:
        lines.append("  feet      probably " + ", ".join(f"{f['link']} ({f['kind']})" for f in s["feet"]))
    if s["ground_contacts"] is not None:
        lines.append(
            f"  contacts  {s['ground_contacts']} if it stands on flat ground at its start pose, {-s['lowest_point_m']:.4g} m high"
        )
    return lines
