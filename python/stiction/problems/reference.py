# SPDX-License-Identifier: BSD-2-Clause
"""Small contact problems with known answers, under any law: for comparing solvers and for the cases in docs/solvers.

For example:

    problem = st.reference.rp1(law="convex")
    impulse, report = st.solve(problem, solver="admm")
    print(impulse.reshape(-1, 3).sum(axis=0) / problem.dt)        # total force (T1, T2, N) [N]
"""

from __future__ import annotations

import numpy as np

from .. import _core
from .._core import ContactProblem


def rp0(law: str = "coulomb", facets: int = 4, angle: float = 0.0) -> ContactProblem:
    """One contact pressed straight: the impulse is (0, 0, 0.00981) N s under every law.

    Parameters
    ----------
    law : str
        Friction law: `coulomb`, `convex`, `pyramid` or `raisim`.
    facets : int
        Facets of the pyramid, for law `pyramid`.
    angle : float
        Turn of the pyramid about the normal [rad].

    Returns
    -------
    ContactProblem
    """
    return _core.reference_rp0().with_law(law, facets, angle)


def rp1(law: str = "coulomb", facets: int = 4, angle: float = 0.0) -> ContactProblem:
    """A sliding cube on four points. Normal forces sum to 9.81 N (coulomb, raisim), 656.3808 (convex), 10.331303 (pyramid).

    Parameters
    ----------
    law : str
        Friction law: `coulomb`, `convex`, `pyramid` or `raisim`.
    facets : int
        Facets of the pyramid, for law `pyramid`.
    angle : float
        Turn of the pyramid about the normal [rad].

    Returns
    -------
    ContactProblem
    """
    return _core.reference_rp1().with_law(law, facets, angle)


def rp2(law: str = "coulomb", facets: int = 4, angle: float = 0.0) -> ContactProblem:
    """A cube of 1000 kg on one of 1 g: the floor's four contacts come first and carry 9810.0098 N.

    Parameters
    ----------
    law : str
        Friction law: `coulomb`, `convex`, `pyramid` or `raisim`.
    facets : int
        Facets of the pyramid, for law `pyramid`.
    angle : float
        Turn of the pyramid about the normal [rad].

    Returns
    -------
    ContactProblem
    """
    return heavy_on_light(1e6, law, facets, angle)


def rp3(
    law: str = "coulomb", facets: int = 4, angle: float = 0.0, *, dt: float = 1e-3, pull: float = 1.0
) -> ContactProblem:
    """A cube at rest on four points, pulled along T1 with `pull` newtons: all points stick.

    Parameters
    ----------
    law : str
        Friction law: `coulomb`, `convex`, `pyramid` or `raisim`.
    facets : int
        Facets of the pyramid, for law `pyramid`.
    angle : float
        Turn of the pyramid about the normal [rad].
    dt : float
        Time step [s].
    pull : float
        Force along T1 [N].

    Returns
    -------
    ContactProblem
    """
    return _core.reference_rp3(dt, pull).with_law(law, facets, angle)


def rp3_minimum_norm() -> np.ndarray:
    """The shortest impulse that solves rp3(): no internal forces."""
    return _core.reference_rp3_minimum_norm()


def heavy_on_light(
    ratio: float,
    law: str = "coulomb",
    facets: int = 4,
    angle: float = 0.0,
    *,
    dt: float = 1e-3,
    floor_mu: float = 0.9,
    between_mu: float = 0.95,
) -> ContactProblem:
    """Masses 1/sqrt(ratio) below and sqrt(ratio) above: the floor carries 9.81 times their sum.

    Parameters
    ----------
    ratio : float
        Mass above over mass below [-].
    law : str
        Friction law: `coulomb`, `convex`, `pyramid` or `raisim`.
    facets : int
        Facets of the pyramid, for law `pyramid`.
    angle : float
        Turn of the pyramid about the normal [rad].
    dt : float
        Time step [s].
    floor_mu : float
        Friction coefficient on the floor [-].
    between_mu : float
        Friction coefficient between the cubes [-].

    Returns
    -------
    ContactProblem
    """
    return _core.reference_heavy_on_light(ratio, dt, floor_mu, between_mu).with_law(law, facets, angle)


def random_six(
    seed: int, mass_ratio: float = 1.0, mu: float = 0.6, law: str = "coulomb", facets: int = 4, angle: float = 0.0
) -> ContactProblem:
    """Six contacts on two bodies, random; the set on which solvers that judge themselves accept errors of 0.9.

    Parameters
    ----------
    seed : int
        Number from which all random numbers are drawn; the same seed gives the same problem.
    mass_ratio : float
        Ratio of the two masses [-].
    mu : float
        Friction coefficient of all contacts [-].
    law : str
        Friction law: `coulomb`, `convex`, `pyramid` or `raisim`.
    facets : int
        Facets of the pyramid, for law `pyramid`.
    angle : float
        Turn of the pyramid about the normal [rad].

    Returns
    -------
    ContactProblem
    """
    return _core.reference_random_six(seed, mass_ratio, mu).with_law(law, facets, angle)


__all__ = ["heavy_on_light", "random_six", "rp0", "rp1", "rp2", "rp3", "rp3_minimum_norm"]
