# SPDX-License-Identifier: BSD-2-Clause
"""Problem files of every kind behind one `load`, and the rule by which an outside judge calls one solved."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import PurePath

import numpy as np

from .._core import ContactProblem, InvalidInput, Residual, evaluate
from ..catalog import catalog
from ..output.arguments import named
from . import fclib, lcp, siconos

KINDS = "FCLIB (.hdf5), Siconos (.dat) or LCP (.npz)"
_HDF5, _ZIP = b"\x89HDF\r\n\x1a\n", b"PK"


@dataclass(frozen=True)
class Loaded:
    """A problem and where it came from."""

    path: str  # of the file
    format: str  # "FCLIB", "Siconos local", "Siconos global", "Siconos LCP", "LCP"
    problem: ContactProblem

    @property
    def name(self) -> str:
        """The file's name without folder and ending."""
        return PurePath(self.path).stem

    @property
    def is_lcp(self) -> bool:
        """Whether there is no friction in it: all laws are then the same."""
        return self.format.endswith("LCP")

    @property
    def contacts(self) -> int:
        """Contacts, or rows of an LCP."""
        return self.problem.rows if self.is_lcp else self.problem.contacts

    def lcp_error(self, impulse: np.ndarray) -> float | None:
        """The usual error of an LCP, None for other problems.

        Parameters
        ----------
        impulse
            (rows,) a candidate.
        """
        return lcp.error(self.problem, impulse) if self.is_lcp else None


@named
def load(
    path: fclib.Path,
    law: str | None = None,
    solver: str = "auto",
    facets: int = 4,
    angle: float = 0.0,
    condense: bool = False,
) -> Loaded:
    """Read a problem of any kind; the content decides which, then the ending of the name.

    Parameters
    ----------
    path
        FCLIB .hdf5, Siconos .dat (local, global, LCP) or LCP .npz.
    law
        Friction law; None is coulomb. An LCP has no friction: it takes one that `solver` knows.
    facets, angle
        Of the pyramid law.
    condense
        True forms W of a global problem; False keeps its M and H.
    """
    name = os.fspath(path)
    if not os.path.isfile(path):
        raise FileNotFoundError(f"problem file '{name}' not found; check the path")
    with open(path, "rb") as file:
        head = file.read(8)
    ending = name.lower().rsplit(".", 1)[-1]
    known = law or "coulomb"
    if head == _HDF5 or ending in ("hdf5", "h5"):
        kind, problem = "FCLIB", fclib.load(path, law=known, condense=condense)
    elif head[:2] == _ZIP or ending == "npz":
        kind, problem = "LCP", lcp.load(path)
    elif ending == "dat" or head[:1].isdigit():
        problem, form = siconos.load_form(path, law=known, condense=condense)
        kind = f"Siconos {'LCP' if form == 'lcp' else form}"
    else:
        raise InvalidInput(f"'{name}' is not a problem file; expected {KINDS}")
    if kind.endswith("LCP"):
        known = _law_of(solver, law)
    return Loaded(name, kind, problem.with_law(known, facets=facets, angle=angle))


def _law_of(solver: str, law: str | None) -> str:
    laws = next((entry.laws for entry in catalog()["solvers"] if entry.name == solver), ())
    return law if law in laws or (law and not laws) else (laws or ("coulomb",))[0]


def b4_factor(name: str) -> float:
    """How much larger than the tolerance B4 may be: 30, and 200 for the generated gen_* files, whose tall structures
    amplify the velocity part.

    Parameters
    ----------
    name
        Of the problem's file.
    """
    return 200.0 if PurePath(name).name.startswith("gen_") else 30.0


def is_solved(name: str, residual: Residual, tolerance: float) -> bool:
    """B3 <= tolerance and B4 <= 30 (200) tolerances; NaN is not solved.

    Parameters
    ----------
    name
        Of the problem's file.
    residual
        Of judge().
    tolerance
        Relative, of B3.
    """
    return bool(residual.b3 <= tolerance and residual.b4 <= b4_factor(name) * tolerance)


def judge(loaded: Loaded, impulse: np.ndarray) -> Residual:
    """What the outside judge finds under the problem's own law; no solver is involved.

    Parameters
    ----------
    loaded
        The problem.
    impulse
        (rows,) a candidate [N s].
    """
    return evaluate(loaded.problem, impulse)


def sketch(problem: ContactProblem) -> np.ndarray:
    """Numbers that two files of the same problem share: G times fixed vectors, g and the friction coefficients."""
    n = np.arange(problem.rows, dtype=float)
    products = [problem.multiply(np.sin(1.0 + k * n)) for k in (0.7, 1.3)]
    return np.concatenate([*products, problem.g, np.nan_to_num(problem.mu)])


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two sketches are of one problem, up to the digits of a file.

    Parameters
    ----------
    a, b
        Of sketch().
    """
    return a.shape == b.shape and bool(np.abs(a - b).max(initial=0.0) <= 1e-10 * np.abs(a).max(initial=0.0))
