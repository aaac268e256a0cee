# SPDX-License-Identifier: BSD-2-Clause
"""Docstrings of stiction are plain text that reads well in help(); this turns them into markup for the site.

What is turned into what:

    Parameters, Returns    sections underlined with dashes; entries `name : meaning` or `name`, meaning indented below
    name : meaning         anywhere else: a list
    indented, | tables |   code
    | * `code`             as they stand; `code` is set as code
"""

from __future__ import annotations

import re
from typing import Any

ENTRY = re.compile(r"^([\w*][\w*, \[\]'\"]{0,60}?)\s+: (.+)$")


def escape(text: str) -> str:
    """Characters that mean something in reStructuredText, outside of `code`."""
    parts = re.split(r"(``[^`]+``|`[^`]+`)", text)
    for i, part in enumerate(parts):
        if i % 2:
            parts[i] = f"``{part.strip('`')}``"
        else:
            parts[i] = re.sub(r"([|*\\])|(_)(?!\w)", r"\\\1\2", part).replace("`", "\\`")
    return "".join(parts)


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())


def read_entries(lines: list[str]) -> list[tuple[str, list[str]]]:
    """(name, lines of its meaning) of a section."""
    entries: list[tuple[str, list[str]]] = []
    base = min((indent_of(line) for line in lines if line.strip()), default=0)
    for line in lines:
        if not line.strip():
            continue
        match = ENTRY.match(line.strip())
        if indent_of(line) == base and match:
            entries.append((match[1], [match[2]]))
        elif indent_of(line) == base:
            entries.append((line.strip(), []))
        elif entries:
            entries[-1][1].append(line.strip())
    return entries


def convert_section(title: str, lines: list[str]) -> list[str]:
    """A heading in bold and a list; `law, solver` may share a meaning."""
    entries = read_entries(lines)
    if title == "Parameters":
        items = [f"- ``{name}``: {escape(' '.join(text))}" if text else f"- {escape(name)}" for name, text in entries]
    else:
        items = [f"- {escape(name)}{': ' if text else ''}{escape(' '.join(text))}" for name, text in entries]
    return ["", f"**{title}**", "", *items, ""]


def convert_text(lines: list[str]) -> list[str]:
    """Paragraphs, lists of `name : meaning`, and code."""
    out: list[str] = []
    state = ""
    for line in lines:
        match = ENTRY.match(line)
        if not line.strip():
            state = "code blank" if state.startswith("code") else ""
            out.append("")
        elif state == "list" and indent_of(line):
            out.append(f"  {escape(line.strip())}")
        elif match:
            out += ([] if state == "list" else [""]) + [f"- ``{match[1]}``: {escape(match[2])}"]
            state = "list"
        elif indent_of(line) or line.startswith("| "):
            out += ([] if state.startswith("code") else ["", "::", ""]) + ["    " + line]
            state = "code"
        else:
            out += ([""] if state in ("list", "code") else []) + [escape(line)]
            state = "text"
    return [*out, ""]


def convert(lines: list[str]) -> list[str]:
    """A whole docstring."""
    out: list[str] = []
    text: list[str] = []
    titles = {
        i: lines[i].strip()
        for i in range(len(lines) - 1)
        if re.fullmatch(r"\s*-{4,}", lines[i + 1]) and lines[i].strip()
    }
    i = 0
    while i < len(lines):
        if i not in titles:
            text.append(lines[i])
            i += 1
            continue
        end = min((j for j in titles if j > i), default=len(lines))
        out += convert_text(text) + convert_section(titles[i], lines[i + 2 : end])
        text, i = [], end
    return out + convert_text(text)


def process(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    lines[:] = convert(list(lines))


def setup(app: Any) -> dict[str, Any]:
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True}
