# SPDX-License-Identifier: BSD-2-Clause
"""Arguments of the wrong kind: a sentence that names the argument, not the attribute that it has not.

Types are looked at after a call has failed only. What works may be of any type, and costs nothing."""

from __future__ import annotations

import errno
import functools
import inspect
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from .._core import InvalidInput

P = ParamSpec("P")
T = TypeVar("T")

NO_NAME = (errno.ENAMETOOLONG, errno.ELOOP, errno.ENOTDIR, errno.EISDIR)
# Annotations that say nothing about the class of a value.
OPEN = {"Any", "ArrayLike", "NDArray", "Array", "Rows", "Iterable", "Iterator", "Sequence", "Mapping", "Callable", "Literal", "Path",
        "PathLike", "Vector", "Matrix", "T", "P"}  # fmt: skip
SIMPLE = {"int", "float", "str", "bool", "bytes", "dict", "list", "tuple", "None"}


def named(function: Callable[P, T]) -> Callable[P, T]:
    """A public function whose errors about arguments of another class name the argument."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        except (AttributeError, TypeError, KeyError, IndexError):
            wrong = _wrong(function, args, kwargs)
            if wrong is None:
                raise
        except OSError as error:
            if error.errno not in NO_NAME:
                raise
            raise InvalidInput(
                f"'{str(error.filename)[:80]}' cannot be a file: {(error.strerror or '').lower()}"
            ) from None
        raise TypeError(wrong)

    return call


def _wrong(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
    """What is said of the first argument that is of none of the classes of its annotation."""
    try:
        given = inspect.signature(function).bind(*args, **kwargs).arguments
    except TypeError:
        return None  # their number is wrong: Python says so
    for name, value in given.items():
        annotation = inspect.signature(function).parameters[name].annotation
        text = annotation.__name__ if isinstance(annotation, type) else str(annotation)
        wanted = [word.split("[")[0].strip().split(".")[-1] for word in text.split("|")]
        closed = all(word in SIMPLE or (word[:1].isupper() and word not in OPEN) for word in wanted)
        if name == "self" or not closed or all(word in SIMPLE for word in wanted):
            continue
        own = {c.__name__ for c in type(value).__mro__} | ({"None"} if value is None else set())
        if not own & set(wanted):
            return f"{name} is of the class {type(value).__name__}, expected {' or '.join(wanted)}"
    return None
