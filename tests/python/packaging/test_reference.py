# SPDX-License-Identifier: BSD-2-Clause
"""The reference. Oracle: signatures against docstrings: every public name has one, and it speaks of every parameter.

A parameter is described where its docstring names it. Parameters of a constructor may be described in the docstring of the
class; fields of a dataclass beside or above the field, as comments."""

import dataclasses
import importlib
import inspect
import re

import pytest

import stiction as st

MODULES = "control recording render viewer gym learn cluster gradients robots generate problems check convert options siconos fclib lcp"
NO_CONSTRUCTOR = {"args", "kwargs"}  # what inspect says of compiled classes that Python cannot make


def public_names(module):
    """Names that the module offers: its __all__, else what it defines itself."""
    names = getattr(module, "__all__", None) or [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and str(getattr(value, "__module__", "")).startswith(module.__name__)
    ]
    for name in names:
        value = getattr(module, name)
        if not inspect.ismodule(value) and str(getattr(value, "__module__", "")).startswith("stiction"):
            yield name, value


def callables(module):
    """(place, callable, class that holds it or None), constructors among them."""
    for name, value in public_names(module):
        place = f"{module.__name__}.{name}"
        if not inspect.isclass(value):
            if callable(value):
                yield place, value, None
            continue
        for member, held in vars(value).items():
            if (member == "__init__" and not getattr(value, "_is_protocol", False)) or (
                not member.startswith("_") and (callable(held) or isinstance(held, (classmethod, staticmethod)))
            ):
                yield f"{place}.{member}", getattr(value, member), value


def parameters(function):
    """Names of the parameters; compiled functions tell them in the first line of their docstrings."""
    try:
        names = list(inspect.signature(function).parameters)
    except (ValueError, TypeError):
        found = re.match(r"\w+\((.*)\) ->", (inspect.getdoc(function) or "").split("\n")[0])
        parts = re.split(r",(?![^\[(]*[\])])", found.group(1)) if found else []
        names = [re.split("[:=]", part)[0].strip(" *") for part in parts]
    return [name for name in names if name not in ("self", "cls", "", "/") and not name.startswith("_")]


def signature_lines(doc):
    return [line for line in doc.split("\n") if re.match(r"(\d+\. )?``?\w+\(|\w+\(.*\) ->", line)]


def comments_of_fields(owner):
    """Texts that stand beside or above the fields of a dataclass and its bases."""
    texts = {}
    for cls in owner.__mro__:
        if not dataclasses.is_dataclass(cls):
            continue
        above = []
        for line in inspect.getsource(cls).split("\n"):
            field = re.match(r"\s+(\w+)\s*:[^#]*(#.*)?$", line)
            if re.match(r"\s+#", line):
                above.append(line)
                continue
            if field and (field.group(2) or above):
                texts.setdefault(field.group(1), (field.group(2) or "") + " ".join(above))
            above = []
    return texts


def undescribed(function, owner):
    """Parameters of which no text speaks."""
    doc = inspect.getdoc(function) or ""
    told = set()
    if getattr(function, "__name__", "") == "__init__":
        if set(parameters(function)) <= NO_CONSTRUCTOR:
            return []
        doc = (inspect.getdoc(owner) or "") + "\n" + doc
        told = set(comments_of_fields(owner)) if dataclasses.is_dataclass(owner) else set()
    for line in signature_lines(doc):
        doc = doc.replace(line, "")
    return [name for name in parameters(function) if name not in told and not re.search(rf"\b{re.escape(name)}\b", doc)]


def modules():
    return [st] + [importlib.import_module(f"stiction.{name}") for name in MODULES.split() if has(name)]


def has(name):
    try:
        importlib.import_module(f"stiction.{name}")
    except ImportError:
        return False
    return True


def test_every_public_name_has_a_docstring():
    silent = [
        f"{module.__name__}.{name}"
        for module in modules()
        for name, value in public_names(module)
        if callable(value) and not inspect.getdoc(value)
    ]
    silent += [
        place
        for module in modules()
        for place, function, _ in callables(module)
        if not place.endswith("__init__") and not inspect.getdoc(function)
    ]
    assert silent == []


@pytest.mark.parametrize("module", [m.__name__ for m in modules()])
def test_every_parameter_is_described(module):
    lost = {}
    for place, function, owner in callables(importlib.import_module(module)):
        if names := undescribed(function, owner):
            lost[place] = names
    assert lost == {}


def test_a_parameter_without_a_word_is_found():
    def move(speed, height):
        """Moves at a speed [m/s]."""

    assert undescribed(move, None) == ["height"]
