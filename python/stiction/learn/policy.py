# SPDX-License-Identifier: BSD-2-Clause
"""Linear policies, a = W (o − mean) / deviation, and the JSON files that policies of both kinds live in."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import InvalidInput
from ..output.arguments import named
from ..output.files import whole_file
from .network_policy import FORMAT as NETWORK
from .network_policy import NetworkPolicy

FORMAT = "stiction linear policy 1"


@dataclass
class LinearPolicy:
    """What acts, and in which environment it was trained."""

    weights: NDArray[np.float64]  # (actions, observations)
    mean: NDArray[np.float64]  # (observations,) of what was seen in training
    deviation: NDArray[np.float64]  # (observations,) of what was seen in training
    environment: str = ""
    options: dict[str, Any] = field(default_factory=dict)  # of the environment
    notes: dict[str, Any] = field(default_factory=dict)  # how it was trained

    def __call__(self, observation: NDArray[Any]) -> NDArray[np.float64]:
        """Actions of one observation, or of rows of them; the bits of a row do not depend on the others."""
        seen = (np.asarray(observation, float) - self.mean) / self.deviation
        return np.asarray((self.weights * seen[..., None, :]).sum(axis=-1))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Numbers are written in full: what is read back is the same policy.

        Parameters
        ----------
        path
            Of the file.
        """
        found = {
            "format": FORMAT,
            "environment": self.environment,
            "options": self.options,
            "notes": self.notes,
            "mean": self.mean.tolist(),
            "deviation": self.deviation.tolist(),
            "weights": self.weights.tolist(),
        }
        with whole_file(Path(path)) as part:
            part.write_text(json.dumps(found, indent=0), encoding="utf-8")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> LinearPolicy:
        """From a file; a policy of another kind is refused.

        Parameters
        ----------
        path
            Of the file.
        """
        made = load(path)
        if not isinstance(made, LinearPolicy):
            raise InvalidInput(f"policy '{path}' is a network, expected a linear one: learn.load reads both")
        return made

    @classmethod
    def read(cls, found: dict[str, Any]) -> LinearPolicy:
        """From what stands in a file; KeyError, ValueError and TypeError where something is missing or no number.

        Parameters
        ----------
        found
            The file's content.
        """
        weights, mean, deviation = (np.array(found[name], float) for name in ("weights", "mean", "deviation"))
        return cls(weights, mean, deviation, str(found["environment"]), dict(found["options"]), dict(found["notes"]))

    def check(self, path: Any) -> None:
        """InvalidInput unless shapes fit and numbers are finite.

        Parameters
        ----------
        path
            Of the file, for the sentence.
        """
        wide = self.mean.shape
        if self.weights.ndim != 2 or len(wide) != 1 or self.deviation.shape != wide or self.weights.shape[1:] != wide:
            raise InvalidInput(
                f"policy '{path}': weights {self.weights.shape}, mean {wide} and deviation {self.deviation.shape} "
                "do not fit each other"
            )
        if (
            not all(np.isfinite(x).all() for x in (self.weights, self.mean, self.deviation))
            or self.deviation.min() <= 0
        ):
            raise InvalidInput(f"policy '{path}' has numbers that are not finite, or a deviation that is not positive")


Policy = LinearPolicy | NetworkPolicy
KINDS: dict[str, type[LinearPolicy] | type[NetworkPolicy]] = {FORMAT: LinearPolicy, NETWORK: NetworkPolicy}


@named
def load(path: str | os.PathLike[str]) -> Policy:
    """The policy in a file, of either kind.

    Parameters
    ----------
    path
        Of the file.
    """
    if not Path(path).is_file():
        raise FileNotFoundError(f"policy '{path}' does not exist")
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
        if found["format"] not in KINDS:
            wanted = " or ".join(f"'{name}'" for name in KINDS)
            raise InvalidInput(f"policy '{path}' has the format '{found['format']}', expected {wanted}")
        made = KINDS[found["format"]].read(found)
    except InvalidInput:
        raise
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise InvalidInput(f"policy '{path}' cannot be read: {error!r}") from None
    made.check(path)
    return made
