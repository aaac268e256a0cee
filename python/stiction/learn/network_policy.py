# SPDX-License-Identifier: BSD-2-Clause
"""Policies that are small networks, a = W_m tanh(… tanh(W_1 x + b_1) …) + b_m with x = (o − mean) / deviation within ±10."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import InvalidInput
from ..output.files import whole_file

Rows = NDArray[np.float64]
FORMAT = "stiction network policy 1"


@dataclass
class NetworkPolicy:
    """What acts, and in which environment it was trained."""

    layers: list[tuple[Rows, Rows]]  # (weights (out, in), offsets (out)), first to last; numbers that float32 has
    mean: Rows  # (observations,) of what was seen in training
    deviation: Rows  # (observations,) of what was seen in training
    environment: str = ""
    options: dict[str, Any] = field(default_factory=dict)  # of the environment
    notes: dict[str, Any] = field(default_factory=dict)  # how it was trained

    def __call__(self, observation: NDArray[Any]) -> Rows:
        """Actions of one observation, or of rows of them; the bits of a row do not depend on the others."""
        out = np.clip((np.asarray(observation, float) - self.mean) / self.deviation, -10.0, 10.0)
        for k, (weights, offsets) in enumerate(self.layers):
            out = (weights * out[..., None, :]).sum(axis=-1) + offsets
            out = out if k == len(self.layers) - 1 else np.tanh(out)
        return np.asarray(out)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Numbers of the layers are written with nine digits, enough for those of a trainer in float32.

        Parameters
        ----------
        path
            Of the file.
        """
        layers = [[np.vectorize(_short)(x).tolist() for x in layer] for layer in self.layers]
        found = {
            "format": FORMAT,
            "environment": self.environment,
            "options": self.options,
            "notes": self.notes,
            "mean": self.mean.tolist(),
            "deviation": self.deviation.tolist(),
            "layers": layers,
        }
        with whole_file(Path(path)) as part:
            part.write_text(json.dumps(found, separators=(",", ":")), encoding="utf-8")

    @classmethod
    def read(cls, found: dict[str, Any]) -> NetworkPolicy:
        """From what stands in a file; KeyError, ValueError and TypeError where something is missing or no number.

        Parameters
        ----------
        found
            The file's content.
        """
        layers = [(_single(w), _single(b)) for w, b in found["layers"]]
        return cls(layers, np.array(found["mean"], float), np.array(found["deviation"], float),
                   str(found["environment"]), dict(found["options"]), dict(found["notes"]))  # fmt: skip

    def check(self, path: Any) -> None:
        """InvalidInput unless shapes fit and numbers are finite.

        Parameters
        ----------
        path
            Of the file, for the sentence.
        """
        wide = self.mean.shape
        fits = len(wide) == 1 and self.deviation.shape == wide and len(self.layers) > 0
        for weights, offsets in self.layers:
            fits = fits and weights.ndim == 2 and weights.shape[1:] == wide and offsets.shape == weights.shape[:1]
            wide = offsets.shape
        if not fits:
            raise InvalidInput(f"policy '{path}': mean, deviation and layers do not fit each other")
        numbers = [self.mean, self.deviation, *(x for layer in self.layers for x in layer)]
        if not all(np.isfinite(x).all() for x in numbers) or self.deviation.min() <= 0:
            raise InvalidInput(f"policy '{path}' has numbers that are not finite, or a deviation that is not positive")


def _single(numbers: Any) -> Rows:
    """As the trainer had them: float32, kept in float64."""
    with np.errstate(over="ignore"):  # too large ones are infinite, and refused as such
        return np.array(numbers, np.float32).astype(float)


def _short(x: float) -> float:
    return float(f"{x:.9g}")
