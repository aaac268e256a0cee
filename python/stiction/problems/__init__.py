# SPDX-License-Identifier: BSD-2-Clause
"""Contact problems outside of simulations: files of every kind behind one `load`, and the rule by which one is called solved.

Modules:

    loading                         `load`: FCLIB, Siconos or LCP, whatever the file holds; the judge's rule
    fclib, siconos, lcp             one module per format; *_write hold their writers, global_form the problems in M, H, f, w
    export                          the problems of a simulation as FCLIB files
    reference                       small problems with known answers
    solve_files                     `stiction solve`
"""

from . import export, fclib, lcp, loading, reference, siconos
from .loading import KINDS, Loaded, b4_factor, is_solved, judge, load, same, sketch

__all__ = [
    "KINDS",
    "Loaded",
    "b4_factor",
    "export",
    "fclib",
    "is_solved",
    "judge",
    "lcp",
    "load",
    "loading",
    "reference",
    "same",
    "siconos",
    "sketch",
]
