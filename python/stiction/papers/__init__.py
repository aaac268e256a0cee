# SPDX-License-Identifier: BSD-2-Clause
"""Reproductions of papers: `stiction reproduce PAPER`. One package per paper with a function run(settings)."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from pathlib import Path

from .._core import InvalidInput
from ..output.suggest import unknown_name
from .study import Section, Settings, Study

PAPERS = {
    "contact-models": "Le Lidec et al. 2024: contact models in robotics, a comparative analysis",
    "exponential": "Hammoud et al. 2022: exponential integration of stiff visco-elastic contacts",
    "moreau": "Gehring et al. 2014: Moreau's time stepping on StarlETH, eleven configurations",
    "relaxed-contact": "Wakisaka, Sugihara 2014: relaxed macroscopic contact with penetration compensation",
    "stewart-trinkle": "Stewart, Trinkle 2000: implicit time stepping with Coulomb friction",
    "tosses": "Pfrommer, Halm, Posa 2020: recordings of a tossed cube, fitted and predicted",
}


def find_data(data: str | os.PathLike[str] | None) -> Path | None:
    """The folder of third-party data: the one given, else that of STICTION_DATA, else none."""
    given = data if data is not None else os.environ.get("STICTION_DATA")
    if given is None:
        return None
    folder = Path(given)
    if not folder.is_dir():
        raise InvalidInput(f"data is '{folder}', expected a folder")
    return folder


def reproduce(
    paper: str, *, quick: bool = False, data: str | os.PathLike[str] | None = None, strict: bool = False,
    say: Callable[[str], None] | None = None,
) -> Study:  # fmt: skip
    """Redo the tables and figures of a paper.

    Parameters
    ----------
    paper
        One of PAPERS.
    quick
        Fewer and coarser runs: seconds instead of minutes.
    data
        Folder of third-party data (default: STICTION_DATA). Rows that need it are skipped without it.
    strict
        Skipped rows count as failed.
    say
        Is given every section as text when it is finished.

    Returns
    -------
    Study
        Its sections have rows, tables, figures and what there is to say about them.
    """
    if paper not in PAPERS:
        raise unknown_name("paper", paper, PAPERS)
    settings = Settings(quick=quick, data=find_data(data), strict=strict, say=say or (lambda text: None))
    study: Study = importlib.import_module(f".{paper.replace('-', '_')}", __name__).run(settings)
    return study


__all__ = ["PAPERS", "Section", "Settings", "Study", "find_data", "reproduce"]
