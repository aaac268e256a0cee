# SPDX-License-Identifier: BSD-2-Clause
"""Packages that are not installed with stiction: which extra brings them, and the sentence that says so."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import re
from typing import Any

# module -> extra of pyproject.toml
EXTRA = {
    "matplotlib": "report",
    "PIL": "report",
    "mcap": "record",
    "lz4": "record",
    "zstandard": "record",
}


def need(module: str) -> Any:
    """A module of an extra.

    Parameters
    ----------
    module
        Its name; EXTRA knows its package.

    Returns
    -------
    module

    Raises
    ------
    ImportError
        If it is not installed; the message names the extra.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        name = module.split(".")[0]
        if error.name is None or error.name.split(".")[0] != name:
            raise  # it is there, and something that it needs is not
        raise ImportError(f"this needs {name}: pip install 'stiction[{EXTRA[name]}]'", name=name) from None


def has(module: str) -> bool:
    """Whether a module is installed."""
    return importlib.util.find_spec(module) is not None


def packages() -> dict[str, list[tuple[str, bool]]]:
    """Extras of the installed stiction, each with its packages as pip takes them, and whether they are installed."""
    found: dict[str, list[tuple[str, bool]]] = {}
    for line in importlib.metadata.requires("stiction") or []:
        wanted, _, marker = (part.strip() for part in line.partition(";"))
        extra = re.search(r"""extra == ["'](\w+)["']""", marker)
        if extra is not None and not wanted.startswith("stiction["):
            name = re.match(r"[\w.-]+", wanted)
            found.setdefault(extra.group(1), []).append((wanted, name is not None and _is_installed(name.group())))
    return found


def _is_installed(package: str) -> bool:
    try:
        importlib.metadata.distribution(package)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True
