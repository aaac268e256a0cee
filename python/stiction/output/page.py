# SPDX-License-Identifier: BSD-2-Clause
"""Pages of one HTML file with tables and plots. They open offline: plots are inline SVG, nothing is fetched. Same input, same bytes."""

from __future__ import annotations

import html
import io
import os
import re
from collections.abc import Sequence
from typing import Any

from .files import write_text

_STYLE = """
body { font: 16px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { padding: .3em .8em; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; }
dt { font-weight: bold; } dd { margin: 0 0 .4em 1.5em; } svg { max-width: 100%; height: auto; }
.strip { margin: 0 0 1em; } .strip figcaption { font-weight: bold; } .strip div { display: flex; gap: 2px; overflow-x: auto; }
.strip img { width: 19.6%; min-width: 9em; height: auto; }
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  body { background: #16181d; color: #dcdfe4; } th, td { border-color: #3a3f4a; }
}
"""

# a name with dollar signs is no formula
SVG_STYLE: Any = {"svg.hashsalt": "stiction", "svg.fonttype": "path", "font.size": 9, "text.parse_math": False}


def html_table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in header)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in line) + "</tr>" for line in lines)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def plain_text(text: str, most: int = 400) -> str:
    """Foreign text (names of a robot, words of a recording) for Markdown that may hold HTML or expressions: it says itself.

    Everything but letters, digits and spaces becomes a character reference, and so means nothing to a parser.
    """
    return "".join(c if c.isalnum() or c == " " else f"&#{ord(c)};" for c in text[:most])


def svg_text(figure: Any, alone: bool = False) -> str:
    """A figure as SVG inside of HTML, or as a file that stands `alone`; the same figure gives the same bytes within SVG_STYLE."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Type": None, "Format": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    return text if alone else re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", text)  # HTML knows these namespaces by itself


# Matplotlib writes colours into every element: rules that win over them, for paper, ink and lines between.
_DARK = """
@media (prefers-color-scheme: dark) {
 [style*="fill: #ffffff"] { fill: #16181d !important; }
 [style*="stroke: #000000"] { stroke: #dcdfe4 !important; }
 [style*="fill: #000000"] { fill: #dcdfe4 !important; }
 [style*="stroke: #b0b0b0"] { stroke: #565b66 !important; }
 [style*="stroke: #0072b2"] { stroke: #3b93d9 !important; }
 [style*="fill: #0072b2"] { fill: #3b93d9 !important; }
 text, g[id^="text_"] use, g[id^="text_"] path { fill: #dcdfe4; }
}
"""


def both_modes(svg: str) -> str:
    """A figure of Matplotlib that follows the colour mode of who looks at it: dark paper and light ink where that is asked for."""
    return svg.replace("</style>", f"</style><style>{_DARK}</style>", 1)


def write_page(path: str | os.PathLike[str], title: str, body: str) -> None:
    """One HTML file around `body`; nothing in it is fetched."""
    page = (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{html.escape(title)}</title><style>{_STYLE}{_DARK}</style></head><body><h1>{html.escape(title)}</h1>"
        f"{body}</body></html>\n"
    )
    write_text(path, page)
