# SPDX-License-Identifier: BSD-2-Clause
"""Linear complementarity problems: find z with 0 <= z _|_ M z + q >= 0.

They are contact problems of unilateral rows. Where M is symmetric and positive semidefinite every solver of unilateral
rows may be asked; any other M makes a `general` problem: for the pivoting methods, and for sweeps if its diagonal is positive.
Files are NumPy's .npz with arrays M and q.
"""

from __future__ import annotations

import os
import zipfile

import numpy as np

from .._core import Block, ContactProblem, InvalidInput
from ..output.arguments import named
from ..output.damaged import ERRORS, damaged
from ..output.files import whole_file
from .fclib import Path
from .global_form import MOST_ENTRIES


@named
def is_semidefinite(M: np.ndarray) -> bool:
    """Symmetric and without negative eigenvalues, up to what files of few digits do to them."""
    M = np.asarray(M, float)
    if not np.abs(M - M.T).max(initial=0.0) <= 1e-6 * np.abs(M).max(initial=0.0):
        return False
    values = np.linalg.eigvalsh(0.5 * (M + M.T))
    return bool(values.size == 0 or values[0] >= -1e-7 * max(values[-1], 0.0))


@named
def problem(M: np.ndarray, q: np.ndarray, law: str = "pyramid", general: bool | None = None) -> ContactProblem:
    """The contact problem of an LCP.

    Parameters
    ----------
    M, q
        Square matrix and vector.
    law
        Without friction all laws are the same; solvers want one that they know.
    general
        Whether only solvers for any square matrix may be asked; None looks at M.
    """
    if np.iscomplexobj(M) or np.iscomplexobj(q):
        raise InvalidInput("lcp: M or q has complex numbers, expected real ones")
    M, q = np.asarray(M, float), np.atleast_1d(np.asarray(q, float))
    if q.ndim != 1 or M.shape != (q.size, q.size):
        raise InvalidInput(
            f"lcp: M has shape {M.shape} and q {q.shape}, expected a square matrix and a vector of its size"
        )
    if not (np.isfinite(M).all() and np.isfinite(q).all()):
        raise InvalidInput("lcp: M or q has an entry that is not finite")
    if general is None:
        general = not is_semidefinite(M)
    if general:
        return ContactProblem.lcp(M, q).with_law(law)
    return ContactProblem(M, q, blocks=[Block.unilateral() for _ in q], law=law)


@named
def load(path: Path, law: str = "pyramid", general: bool | None = None) -> ContactProblem:
    """Read M and q from an .npz file."""
    name = os.fspath(path)
    if not os.path.isfile(path):
        raise FileNotFoundError(f"lcp: file '{name}' not found; check the path")
    try:
        _require_small(path)
        with np.load(path, allow_pickle=False) as file:
            missing = [key for key in ("M", "q") if key not in file]
            if missing:
                raise InvalidInput(
                    f"lcp: '{name}' has {', '.join(sorted(file)) or 'no arrays'}, expected arrays M and q"
                )
            M, q = file["M"], file["q"]
    except InvalidInput:
        raise
    except (*ERRORS, OSError, SyntaxError, zipfile.BadZipFile) as error:
        raise InvalidInput(f"lcp: '{name}' is not a readable .npz file") from error
    try:
        with damaged(f"lcp: '{name}'"):
            return problem(M, q, law, general)
    except InvalidInput as error:
        raise InvalidInput(f"{error} ('{name}')") from error


def _require_small(path: Path) -> None:
    """Before memory is taken: a packed file of a few bytes can hold terabytes of zeros."""
    with zipfile.ZipFile(path) as file:
        for part in file.infolist():
            if part.file_size > 8 * MOST_ENTRIES:
                raise InvalidInput(
                    f"lcp: '{os.fspath(path)}' unpacks to {part.file_size} bytes, expected at most {8 * MOST_ENTRIES}"
                )


@named
def save(path: Path, M: np.ndarray, q: np.ndarray) -> None:
    """Write M and q to an .npz file, whole or not at all."""
    name = os.fspath(path)
    with whole_file(name if name.endswith(".npz") else name + ".npz") as part:
        np.savez(part, M=np.asarray(M, float), q=np.asarray(q, float))


@named
def error(problem: ContactProblem, z: np.ndarray) -> float:
    """|min(z, w)| / max(1, |q|) with w = M z + q and largest absolute values: the usual measure of an LCP."""
    z = np.asarray(z, float)
    w = problem.multiply(z) + problem.g
    if problem.compliance.size:
        w = w + problem.compliance * z
    return float(np.abs(np.minimum(z, w)).max(initial=0.0) / max(1.0, np.abs(problem.g).max(initial=0.0)))
