# SPDX-License-Identifier: BSD-2-Clause
"""XML whose elements know their line: the loaders' parser does not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from .._core import InvalidInput

DEEPEST, MOST = 1000, 500_000  # elements inside one another and in all, as the loaders read them


@dataclass
class Element:
    """A tag with its attributes, children, text and line."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, tag: str) -> list[Element]:
        """The children of a tag."""
        return [child for child in self.children if child.tag == tag]

    def first(self, tag: str) -> Element | None:
        """The first child of a tag."""
        return next((child for child in self.children if child.tag == tag), None)

    def walk(self) -> Iterator[Element]:
        """This element and everything below it, in the order of the file."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting += reversed(element.children)

    @property
    def name(self) -> str:
        return self.attributes.get("name", "")


def read(path: Path) -> Element:
    """The root element of a file; one sentence if it is missing (FileNotFoundError) or cannot be read (InvalidInput)."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        raise FileNotFoundError(f"{path} does not exist; check the path") from None
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {(error.strerror or str(error)).lower()}; check the path") from None
    stack: list[Element] = []
    roots: list[Element] = []
    count = 0
    parser = expat.ParserCreate()

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(stack) >= DEEPEST:
            raise InvalidInput(f"{path} has elements inside one another more than {DEEPEST} deep at line "
                               f"{parser.CurrentLineNumber}; that is no robot")  # fmt: skip
        nonlocal count
        count += 1
        if count > MOST:
            raise InvalidInput(f"{path} has more than {MOST} elements; that is no robot")
        element = Element(tag, attributes, parser.CurrentLineNumber)
        (stack[-1].children if stack else roots).append(element)
        stack.append(element)

    def end(_: str) -> None:
        stack.pop()

    def data(words: str) -> None:
        if stack:
            stack[-1].text += words

    def declared(*_: object) -> None:  # a few lines of entities can stand for gigabytes
        raise InvalidInput(f"{path} declares entities at line {parser.CurrentLineNumber}, which are not read; "
                           "write out what they stand for")  # fmt: skip

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, data
    parser.EntityDeclHandler, parser.buffer_text = declared, True
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise InvalidInput(
            f"{path} is not well-formed XML: {expat.ErrorString(error.code)} at line {error.lineno}"
        ) from None
    except (LookupError, ValueError) as error:  # an encoding that Python does not know
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(f"{path} is not well-formed XML: {error}") from None
    return roots[0]


def included(root: Element, folder: Path, seen: set[Path] | None = None) -> Iterator[Element]:
    """The root elements of all files that an MJCF file includes, paths relative to the main file."""
    seen = set() if seen is None else seen
    for include in [e for e in root.walk() if e.tag == "include"]:
        path = folder / include.attributes.get("file", "")
        if path.is_file() and path not in seen:
            seen.add(path)
            part = read(path)
            yield part
            yield from included(part, folder, seen)


def numbers(text: str | None, size: int) -> list[float] | None:
    """`size` numbers, or None if the text is something else."""
    try:
        found = [float(word) for word in (text or "").split()]
    except ValueError:
        return None
    return found if len(found) == size else None


def number(text: str | None) -> float | None:
    """One number, or None."""
    found = numbers(text, 1)
    return found[0] if found else None
