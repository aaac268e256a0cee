# SPDX-License-Identifier: BSD-2-Clause
"""What a reproduction is made of: sections with rows, tables, figures and sentences; as text and as one HTML page."""

from __future__ import annotations

import html
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..output.extras import need
from ..output.page import SVG_STYLE, svg_text, write_page
from ..output.tables import text_table
from . import rows as rows_
from .rows import Row

# Statuses of steps that were not made. The state stands still then, and a run that only looks at the state finds it calm.
NOT_MADE = ("numerical_failure", "unphysical")


@dataclass(frozen=True)
class Settings:
    quick: bool = False
    data: Path | None = None
    strict: bool = False
    say: Callable[[str], None] = lambda text: None


@dataclass(frozen=True)
class Table:
    title: str
    header: Sequence[str]
    lines: Sequence[Sequence[str]]


@dataclass
class Section:
    """One table or figure of the paper."""

    title: str
    text: str = ""  # what is done, what differs and why
    rows: list[Row] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    figures: list[Callable[[], Any]] = field(default_factory=list)  # each draws a matplotlib figure

    def as_text(self) -> str:
        parts = [f"## {self.title}"]
        if self.text:
            parts.append(self.text)
        parts += [f"{t.title}\n{text_table(t.header, t.lines)}" for t in self.tables if t.lines]
        if self.rows:
            parts.append(rows_.table(self.rows))
        return "\n\n".join(parts) + "\n"

    def as_html(self) -> str:
        out = f"<h2>{html.escape(self.title)}</h2>"
        out += "".join(f"<p>{html.escape(line)}</p>" for line in self.text.split("\n") if line)
        out += "".join(
            f"<h3>{html.escape(t.title)}</h3>{_html_table(t.header, t.lines)}" for t in self.tables if t.lines
        )
        if self.rows:
            out += _html_table(rows_.HEADER, [rows_.cells(row) for row in self.rows])
        return out + "".join(_svg(draw) for draw in self.figures)


def _html_table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in header)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in line) + "</tr>" for line in lines)
    return f'<div style="overflow-x: auto"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _svg(draw: Callable[[], Any]) -> str:
    matplotlib = need("matplotlib")
    with matplotlib.rc_context(SVG_STYLE):
        return svg_text(draw())


@dataclass
class Study:
    """A finished reproduction."""

    title: str
    settings: Settings
    sections: list[Section] = field(default_factory=list)

    def add(self, section: Section) -> None:
        if self.settings.strict:
            section.rows = rows_.strictly(section.rows)
        self.sections.append(section)
        self.settings.say(section.as_text())

    @property
    def rows(self) -> list[Row]:
        return [row for section in self.sections for row in section.rows]

    @property
    def ok(self) -> bool:
        return all(row.status != "failed" for row in self.rows)

    def write(self, path: str | os.PathLike[str]) -> None:
        """The page: every section, figures inline, nothing fetched."""
        counted = f"<p>{html.escape(rows_.closing(self.rows))}</p>"
        body = counted + "".join(s.as_html() for s in self.sections) + counted
        write_page(path, self.title, body)
