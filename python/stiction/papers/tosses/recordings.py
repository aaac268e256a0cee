# SPDX-License-Identifier: BSD-2-Clause
"""The recordings: 456 tosses of an acrylic cube at 148 Hz, which of them are fitted to, and how far a prediction is off.

A file `tosses.npz` with arrays `toss_N` of 13 columns: position of the centre [m], quaternion (w, x, y, z), velocity in world axes [m/s],
angular velocity in body axes [rad/s]. From the public data of Pfrommer, Halm, Posa, "ContactNets" (CoRL 2020, BSD-3-Clause).

The velocities of a sample are *backward* differences: the mean over the interval before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..._core import InvalidInput

RATE = 148.0  # samples per second
INTERVAL = 1.0 / RATE
WIDTH = 0.1048  # edge of the cube as its authors give it; errors are told in it [m]
FILE = Path("tosses") / "tosses.npz"


@dataclass(frozen=True)
class Toss:
    name: str
    position: np.ndarray  # (n, 3) of the point that was tracked, the middle of the cube
    rotation: np.ndarray  # (n, 4) x, y, z, w
    velocity: np.ndarray  # (n, 3) world axes
    spin: np.ndarray  # (n, 3) body axes

    def __len__(self) -> int:
        return len(self.position)

    @property
    def turned(self) -> np.ndarray:
        """Rotation matrices (n, 3, 3), body to world."""
        return matrices(self.rotation)

    def until(self, end: int) -> Toss:
        return Toss(self.name, self.position[:end], self.rotation[:end], self.velocity[:end], self.spin[:end])


def matrices(quaternions: np.ndarray) -> np.ndarray:
    """(n, 3, 3) from unit quaternions (n, 4), x, y, z, w."""
    x, y, z, w = np.moveaxis(quaternions, -1, 0)
    rows = (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z),
            2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))  # fmt: skip
    return np.asarray(np.stack(rows, axis=-1).reshape(*np.shape(x), 3, 3))


def toss(name: str, table: np.ndarray) -> Toss:
    """From the 13 columns of the file."""
    table = np.asarray(table, dtype=float)
    if table.ndim != 2 or table.shape[1] != 13 or len(table) < 2:
        raise InvalidInput(f"{name} has the shape {table.shape}, expected (samples, 13) with two samples or more")
    if not np.isfinite(table).all():
        raise InvalidInput(f"{name} has entries that are not finite")
    return Toss(name, table[:, :3], table[:, [4, 5, 6, 3]], table[:, 7:10], table[:, 10:])


def find_file(data: Path | None) -> Path | None:
    """In the folder of third-party data, or in its folder `tosses`."""
    if data is None:
        return None
    return next((p for p in (data / FILE, data / FILE.name) if p.is_file()), None)


def load(path: Path) -> list[Toss]:
    """In the order of the file."""
    with np.load(path) as found:
        return [toss(name, found[name]) for name in found.files]


def split(tosses: Sequence[Toss]) -> tuple[list[Toss], list[Toss]]:
    """Those at even places of the file are fitted to (228), those at odd places are held out (228)."""
    return list(tosses[::2]), list(tosses[1::2])


@dataclass(frozen=True)
class Errors:
    """One entry per toss: means over its samples."""

    position: np.ndarray  # [% of the cube's width]
    rotation: np.ndarray  # [degrees]

    @property
    def mean(self) -> tuple[float, float]:
        return float(self.position.mean()), float(self.rotation.mean())

    @property
    def score(self) -> float:
        """What is minimised: percent and degrees count alike."""
        return sum(self.mean)

    @property
    def uncertainty(self) -> tuple[float, float]:
        """Standard errors of the two means."""
        n = np.sqrt(len(self.position))
        return float(self.position.std() / n), float(self.rotation.std() / n)


@dataclass(frozen=True)
class Motion:
    """A predicted toss, sample by sample."""

    position: np.ndarray  # (n, 3)
    rotation: np.ndarray  # (n, 4) x, y, z, w


def compare(tosses: Sequence[Toss], motions: Sequence[Motion]) -> Errors:
    """A prediction that is not finite counts as a metre and half a turn."""
    position, rotation = [], []
    for seen, made in zip(tosses, motions, strict=True):
        away = np.linalg.norm(made.position - seen.position, axis=1)
        length = np.linalg.norm(made.rotation, axis=1) * np.linalg.norm(
            seen.rotation, axis=1
        )  # some engines let it drift
        cosine = np.abs(np.sum(made.rotation * seen.rotation, axis=1)) / length
        turn = np.degrees(2.0 * np.arccos(np.clip(cosine, 0.0, 1.0)))
        position.append(100.0 / WIDTH * np.where(np.isfinite(away), away, 1.0).mean())
        rotation.append(np.where(np.isfinite(turn), turn, 180.0).mean())
    return Errors(np.array(position), np.array(rotation))
