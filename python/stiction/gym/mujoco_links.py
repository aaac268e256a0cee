# SPDX-License-Identifier: BSD-2-Clause
"""Links as MuJoCo counts them, and what Gymnasium's Ant and Humanoid observe of each: cinert, cvel, cfrc_ext.

MuJoCo keeps a link without a joint apart from the one that carries it; here they are one body. So masses of such links are computed from
their shapes, spheres and capsules of one density, and a contact sensor for each tells what touches it.
All is about the centre of mass c of the whole robot, in world axes, at the present state:

    cinert    inertia of the link about c (xx yy zz xy xz yz), m (p − c), m
    cvel      angular velocity, velocity of the link's material at c
    cfrc_ext  torque about c and force of the contacts on the link
"""

from __future__ import annotations

import tempfile
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .._core import BatchSimulator, Geom, InvalidInput, Simulator, World
from ..rotations import rotation_matrix
from .task import Rows, Which


@dataclass(frozen=True)
class _Link:
    name: str
    carrier: str  # the body of ours
    geoms: tuple[str, ...]
    apart: bool  # shares its carrier


def _links(root: ElementTree.Element) -> list[_Link]:
    """Links in the order of the file; one without a name is called as we call it."""
    found: list[tuple[str, str, tuple[str, ...]]] = []

    def walk(parent: ElementTree.Element, carrier: str) -> None:
        for body in parent.findall("body"):
            joints = body.findall("joint") + body.findall("freejoint")
            name = body.get("name", f"body_{len(found) + 1}")
            geoms = tuple(geom.get("name", "") for geom in body.findall("geom"))
            mine = name if joints else carrier
            found.append((name, mine, geoms))
            walk(body, mine)

    world = root.find("worldbody")
    assert world is not None
    walk(world, "")
    carriers = [carrier for _, carrier, _ in found]
    return [_Link(name, carrier, geoms, carriers.count(carrier) > 1) for name, carrier, geoms in found]


def add_robot(path: str, world: World) -> list[_Link]:
    """The robot of a file, with a contact sensor on every link that shares its body."""
    tree = ElementTree.parse(path)
    links = _links(tree.getroot())
    sensors = ElementTree.SubElement(tree.getroot(), "sensor")
    for link in links:
        if _is_passenger(link):
            for geom in link.geoms:
                ElementTree.SubElement(
                    sensors, "contact", name=geom, geom2=geom, data="force torque pos", reduce="netforce"
                )
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / Path(path).name
        tree.write(copy)
        world.add_mjcf(copy)
    return links


def _inertia(kind: str, size: Any, mass: float) -> tuple[float, float]:
    """(about an axis across, about its own axis) of a solid sphere or capsule."""
    r = float(size[0])
    if kind == "sphere":
        return 0.4 * mass * r * r, 0.4 * mass * r * r
    length = float(size[1])
    ball, rod = 4.0 / 3.0 * r, length  # volumes over pi r²
    m_ball, m_rod = mass * ball / (ball + rod), mass * rod / (ball + rod)
    own = 0.4 * m_ball * r * r + 0.5 * m_rod * r * r
    across = m_rod * (r * r / 4.0 + length**2 / 12.0)
    across += m_ball * (0.4 * r * r + length**2 / 4.0 + 0.375 * length * r)
    return across, own


class Links:
    """Of a batch that watches bodies and sensors."""

    def __init__(self, sim: Simulator, links: list[_Link]) -> None:
        names = [body.name for body in sim.bodies]
        geoms = {geom.name: geom for geom in sim.geoms}
        density = sim.mass / sum(_volume(geoms[name]) for link in links for name in link.geoms)
        self.names = [link.name for link in links]
        self.carrier = np.array([names.index(link.carrier) for link in links])
        self.mass = np.zeros(len(links))
        self.centre = np.zeros((len(links), 3))  # in the axes of the carrier
        self.inertia = np.zeros((len(links), 3, 3))
        self.felt = [(i, name) for i, link in enumerate(links) if _is_passenger(link) for name in link.geoms]
        self.driver = [next(k for k, x in enumerate(links) if x.name == link.carrier) for link in links]
        for i, link in enumerate(links):
            parts = [_part(geoms[name], density) for name in link.geoms]
            self.mass[i] = sum(m for m, _, _ in parts)
            self.centre[i] = sum(m * c for m, c, _ in parts) / self.mass[i]
            self.inertia[i] = sum(inertia + _moved(m, c - self.centre[i]) for m, c, inertia in parts)
        self.total = float(self.mass.sum())

    def centres(self, batch: BatchSimulator, which: Which) -> Rows:
        """(rows, links, 3) centres of mass in the world."""
        poses = batch.body_poses[which][:, self.carrier]
        return poses[..., :3] + turned(poses[..., 3:], self.centre)

    def of_all(self, centres: Rows) -> Rows:
        """(rows, 3) centre of mass of the robot."""
        return along((self.mass[:, None] * centres).transpose(0, 2, 1)) / self.total

    def inertias(self, batch: BatchSimulator, which: Which, centres: Rows, middle: Rows) -> Rows:
        """(rows, links, 10): cinert."""
        turn = _matrices(batch.body_poses[which][:, self.carrier, 3:])
        away = centres - middle[:, None]
        half = along(turn[..., :, None, :] * self.inertia[:, None])  # R I, I being symmetric
        full = along(half[..., :, None, :] * turn[..., None, :, :])
        full = full + _moved_rows(self.mass, away)
        six = [full[..., i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        mass = np.broadcast_to(self.mass[:, None], (*away.shape[:2], 1))
        return np.concatenate([np.stack(six, axis=-1), self.mass[:, None] * away, mass], axis=-1)

    def velocities(self, batch: BatchSimulator, which: Which, middle: Rows) -> Rows:
        """(rows, links, 6): cvel."""
        moving = batch.body_velocities[which][:, self.carrier]
        at = batch.body_centres[which][:, self.carrier]
        spin = moving[..., 3:]
        return np.concatenate([spin, moving[..., :3] + _cross(spin, middle[:, None] - at)], axis=-1)

    def forces(self, batch: BatchSimulator, which: Which, middle: Rows) -> Rows:
        """(rows, links, 6): cfrc_ext."""
        felt = batch.contact_wrenches[which]
        force, arm = felt[..., :3], batch.body_centres[which] - middle[:, None]
        body = np.concatenate([felt[..., 3:] + _cross(arm, force), force], axis=-1)
        drivers = np.array([self.driver[i] == i for i in range(len(self.mass))])
        out = np.where(drivers[:, None], body[:, self.carrier], 0.0)
        sensors = batch.sensors() if self.felt else {}
        for i, name in self.felt:
            force, torque, at = np.split(sensors[name][which], 3, axis=1)
            wrench = np.concatenate([torque + _cross(at - middle, force), force], axis=1)
            out[:, i] += wrench
            out[:, self.driver[i]] -= wrench
        return out


def _is_passenger(link: _Link) -> bool:
    return link.apart and link.name != link.carrier


def _volume(geom: Geom) -> float:
    r = float(geom.size[0])
    if geom.kind not in ("sphere", "capsule"):
        raise InvalidInput(f"geom '{geom.name}' is a {geom.kind}; links of this task are spheres and capsules")
    return np.pi * r * r * (4.0 / 3.0 * r + (float(geom.size[1]) if geom.kind == "capsule" else 0.0))


def _part(geom: Geom, density: float) -> tuple[float, Rows, Rows]:
    """Mass, centre and inertia about it, in the axes of the body."""
    mass = density * _volume(geom)
    across, own = _inertia(geom.kind, geom.size, mass)
    position, rotation = geom.pose
    turn = rotation_matrix(rotation)
    return mass, np.asarray(position), turn @ np.diag([across, across, own]) @ turn.T


def _moved(mass: float, d: Rows) -> Rows:
    return mass * (np.dot(d, d) * np.eye(3) - np.outer(d, d))


def _moved_rows(mass: Rows, d: Rows) -> Rows:
    square = along(d * d)[..., None, None] * np.eye(3)
    return mass[:, None, None] * (square - d[..., :, None] * d[..., None, :])


def along(x: Rows) -> Rows:
    """Sum over the last axis, in one order for any number of rows."""
    total = x[..., 0]
    for k in range(1, x.shape[-1]):
        total = total + x[..., k]
    return total


def _cross(a: Rows, b: Rows) -> Rows:
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    u, v, w = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=-1)


def turned(quaternion: Rows, vector: Rows) -> Rows:
    axis, w = quaternion[..., :3], quaternion[..., 3:]
    vector = np.broadcast_to(vector, axis.shape)
    twice = 2.0 * _cross(axis, vector)
    return vector + w * twice + _cross(axis, twice)


def _matrices(quaternion: Rows) -> Rows:
    """(…, 3, 3), columns are the turned axes."""
    return np.stack([turned(quaternion, axis) for axis in np.eye(3)], axis=-1)
