# SPDX-License-Identifier: BSD-2-Clause
"""Linear feedback along a reference motion.

    u = u_ref[i] + K[i] (x_ref(t) ⊖ x),    x_ref ⊖ x = [q_ref ⊖ q ; v_ref − v]

States are interpolated on the manifold (sim.interpolate; velocities linearly) from the period of the file to that of the
control; controls and gains are held. The published jump and trot of Solo-12 were made for its model v3.2.0 (2.978 kg); with
a lighter one the jump goes too high and no integrator lands it, so another mass is refused.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .._core import InvalidInput, Simulator
from ..output.arguments import named
from .worlds import SOLO_MASS

Array = NDArray[np.float64]

PERIOD = 0.01  # of the published files [s]
BASE_DROP = {"jump": 1e-6, "trot": 15.37e-3}  # by which the published states are lowered onto the floor [m]


@dataclass(frozen=True)
class Reference:
    """A motion and the gains that hold it. states[i] and the controls from it on, one row per period."""

    states: Array  # (n + 1, nq + nv)
    controls: Array  # (n, ntau)
    gains: Array  # (n, ntau, 2 nv)
    period: float = PERIOD  # [s]
    name: str = "reference"  # for messages
    mass: float | None = None  # of the robot that it was made for [kg]; None: not checked

    def __post_init__(self) -> None:
        n = len(self.controls)
        if (
            self.states.ndim != 2
            or self.controls.ndim != 2
            or self.gains.ndim != 3
            or len(self.states) < n + 1
            or len(self.gains) != n
        ):
            raise InvalidInput(
                f"{self.name}: states {self.states.shape}, controls {self.controls.shape} and gains {self.gains.shape} "
                "do not fit, expected (n + 1, nq + nv), (n, ntau) and (n, ntau, 2 nv)"
            )
        if not all(np.isfinite(a).all() for a in (self.states, self.controls, self.gains)):
            raise InvalidInput(f"{self.name}: states, controls and gains must be finite")
        if not (math.isfinite(self.period) and self.period > 0.0):
            raise InvalidInput(f"{self.name}: period is {self.period}, expected a time > 0 s")

    @property
    def duration(self) -> float:
        """Time that the controls last [s]."""
        return len(self.controls) * self.period

    def lowered(self, drop: float) -> Reference:
        """The same motion with the base lower by `drop` [m]."""
        states = self.states.copy()
        states[:, 2] -= drop
        return Reference(states, self.controls, self.gains, self.period, self.name, self.mass)

    def check(self, sim: Simulator) -> None:
        """Refuses a robot of other sizes or, where the reference names one, another mass.

        Parameters
        ----------
        sim
            The robot that is to follow.
        """
        wanted = ((sim.nq + sim.nv), sim.ntau, (sim.ntau, 2 * sim.nv))
        found = (self.states.shape[1], self.controls.shape[1], self.gains.shape[1:])
        if wanted != found:
            raise InvalidInput(
                f"{self.name}: rows of states, controls and gains have sizes {found}, expected {wanted} for this robot"
            )
        if self.mass is not None and not abs(sim.mass - self.mass) <= 1e-3:
            raise InvalidInput(
                f"{self.name} was made for a robot of {self.mass:.3f} kg (Solo-12 of example-robot-data up to v3.2.0), "
                f"this one weighs {sim.mass:.3f} kg: give the urdf of that version, or use stiction.control's own motions"
            )


@named
def load_reference(folder: str | Path, name: str, *, mass: float | None = None, drop: float = 0.0) -> Reference:
    """Reads NAME_reference_states.npy, NAME_reference_controls.npy and NAME_feedback.npy of a folder.

    Parameters
    ----------
    folder
        Where the files are.
    name
        NAME of the motion.
    mass
        Of the robot it was made for [kg]; None: not checked.
    drop
        How far the motion is lowered [m].
    """
    arrays = []
    for kind in ("reference_states", "reference_controls", "feedback"):
        file = Path(folder) / f"{name}_{kind}.npy"
        if not file.is_file():
            raise FileNotFoundError(f"reference '{name}' needs {file}, which does not exist")
        arrays.append(np.load(file, allow_pickle=False).astype(float))
    states, controls, gains = arrays
    # the files hold columns
    columns = [a[..., 0] if a.ndim == 3 and a.shape[2] == 1 else a for a in (states, controls)]
    return Reference(columns[0], columns[1], gains, name=name, mass=mass).lowered(drop)


@named
def published_reference(folder: str | Path, name: str) -> Reference:
    """The published jump or trot of Solo-12, lowered onto the floor, for the model that it was made for and no other.

    Parameters
    ----------
    folder
        Where the published files are.
    name
        `jump` or `trot`.
    """
    if name not in BASE_DROP:
        raise InvalidInput(f"published reference '{name}', expected one of {' '.join(BASE_DROP)}")
    return load_reference(folder, name, mass=SOLO_MASS, drop=BASE_DROP[name])


class LinearFeedback:
    """Torques along a reference, at control instants k · period.

    Parameters
    ----------
    sim
        For its model; the state is not changed. Use start() to go to the first reference state.
    reference
        The motion; refused where sizes or mass do not fit.
    period
        Of the control [s]; that of the reference must be a multiple of it.
    """

    @named
    def __init__(self, sim: Simulator, reference: Reference, period: float) -> None:
        reference.check(sim)
        self.hold = round(reference.period / period) if period > 0.0 else 0
        if self.hold < 1 or abs(self.hold * period - reference.period) > 1e-9:
            raise InvalidInput(f"control period is {period} s, expected a part of the reference's {reference.period} s")
        self.reference, self.period, self.nq = reference, period, sim.nq
        self.steps = len(reference.controls) * self.hold
        self.states = np.array([self._state(sim, k) for k in range(self.steps + 1)])

    def _state(self, sim: Simulator, k: int) -> Array:
        i, part = k // self.hold, (k % self.hold) / self.hold
        a = self.reference.states[i]
        if part == 0.0:
            return a
        b = self.reference.states[i + 1]
        q = sim.interpolate(a[: sim.nq], b[: sim.nq], part)
        return np.concatenate([q, (1.0 - part) * a[sim.nq :] + part * b[sim.nq :]])

    def start(self, sim: Simulator) -> None:
        """Puts the robot at the first reference state.

        Parameters
        ----------
        sim
            Where the robot is put.
        """
        sim.q[:], sim.v[:] = self.states[0][: self.nq], self.states[0][self.nq :]

    def error(self, sim: Simulator, k: int) -> Array:
        """x_ref ⊖ x at control instant k, (2 nv,).

        Parameters
        ----------
        sim
            The simulator that is controlled.
        k
            Number of the control instant.
        """
        wanted = self.states[k]
        return np.concatenate([sim.difference(sim.q, wanted[: self.nq]), wanted[self.nq :] - sim.v])

    def torque(self, sim: Simulator, k: int) -> Array:
        """Joint torques from control instant k on, held over one period [N m]; the last ones stay after the end.

        Parameters
        ----------
        sim
            The simulator that is controlled.
        k
            Number of the control instant.
        """
        k = min(max(k, 0), self.steps - 1)
        i = k // self.hold
        return np.asarray(self.reference.controls[i] + self.reference.gains[i] @ self.error(sim, k))
