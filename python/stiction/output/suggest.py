# SPDX-License-Identifier: BSD-2-Clause
"""Wrong names are answered with close ones."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from .._core import InvalidInput


def hint(name: str, known: Iterable[str]) -> str:
    """Close names, or all that there are."""
    names = list(known)
    close = get_close_matches(name, names, 3, 0.55) or [k for k in names if name and name.lower() in k.lower()][:3]
    return (
        "did you mean " + " or ".join(f"'{c}'" for c in close) + "?" if close else f"known: {' '.join(names) or 'none'}"
    )


def unknown_name(what: str, name: str, known: Iterable[str], more: str = "") -> InvalidInput:
    """The sentence about a name that nobody knows."""
    return InvalidInput(f"unknown {what} '{name}'; {hint(name, known)}{more}")
