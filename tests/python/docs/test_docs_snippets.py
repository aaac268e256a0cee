# SPDX-License-Identifier: BSD-2-Clause
"""Every Python snippet in docs/ runs, and a line `print(…)  # words` prints what its comment says.

A snippet is an indented or fenced block with Python in it; the blocks of a page share their names, in order. Numbers are compared to the
digits that the comment shows, up to a semicolon or "instead of"; a status in it must appear in what was printed.
"""

import ast
import contextlib
import io
import re
import textwrap

import pytest

from repository import ROOT

DOCS = ROOT / "docs"
FENCE = re.compile(r"^ *```python\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
ANY_FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")


def snippets(page):
    text = page.read_text()
    found = [(m.start(), m.group(1)) for m in FENCE.finditer(text)]
    unfenced = ANY_FENCE.sub(lambda m: "x" * len(m[0]), text)  # bodies of functions in a fence are no blocks
    for m in re.finditer(r"(?:^ {4,}.*\n|^\s*\n)+", unfenced, re.MULTILINE):
        block = m.group(0)
        if re.search(r"^ *(import |from \w+ import |.*\bst\.)", block, re.MULTILINE) and "→" not in block:
            found.append((m.start(), block))
    return [textwrap.dedent(block).strip("\n") for _, block in sorted(found)]


PAGES = [page for page in sorted(DOCS.rglob("*.md")) if "import stiction" in page.read_text()]


def agrees(comment, printed):
    """Numbers of the comment appear in what was printed, to the digits shown; words appear literally."""
    comment = re.split(r";| instead of ", comment)[0]  # what follows is explanation
    numbers = [float(x) for x in NUMBER.findall(printed)]
    for word in NUMBER.findall(comment):
        digits = len(word.split("e")[0].split(".")[1]) if "." in word else 0
        scale = 10.0 ** int(word.split("e")[1]) if "e" in word else 1.0
        if not any(
            abs(x - float(word)) <= (0.51 if digits or "e" in word else 0.0) * 10.0**-digits * scale + 1e-12
            for x in numbers
        ):
            return False
    return all(
        w in printed
        for w in re.findall(
            r"\b(?:converged|stalled|max_iterations|infeasible|numerical_failure|True|False)\b", comment
        )
    )


@pytest.mark.parametrize("page", PAGES, ids=[str(p.relative_to(DOCS)) for p in PAGES])
def test_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in snippets(page):
        for statement in _statements(block):
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(statement, str(page), "exec"), names)
            comment = re.search(r"print\(.*\)\s*#\s*(.*)$", statement)
            if comment:
                assert agrees(comment.group(1), out.getvalue()), f"{comment.group(1)!r} but printed {out.getvalue()!r}"


def _statements(block):
    lines = block.splitlines()
    for node in ast.parse(block).body:
        yield "\n".join(lines[node.lineno - 1 : node.end_lineno])
