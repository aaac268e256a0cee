# SPDX-License-Identifier: BSD-2-Clause
"""Packages that are not installed with stiction: which extra brings them, and the sentence that says so."""

from __future__ import annotations

import importlib
import importlib.util
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
