# SPDX-License-Identifier: BSD-2-Clause
"""Pages must be easy to read: short sentences, short lines, one kind of spelling.

Checked: README.md, CONTRIBUTING.md and docs/**/*.md. On every page
- a sentence has at most 18 words in the mean and none has more than 40,
- a line has at most 120 characters; a row of a table has at most 180 as a reader sees it, without the addresses of links,
- spelling is British (colour, centre, behaviour, factorisation); `code` and *titles* may be anything.

A sentence is what ends with a full stop, a question mark or the block that it stands in. A formula or a piece of `code` is one
word. Headings and code blocks are no sentences. Cells of tables may have no sentence above 40 words, but do not count in the
mean: columns of numbers would make it look short.

usage: check_prose.py [--table] [PAGE…]      exit code 1 and one line per problem; --table prints the numbers of every page
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

LARGEST_MEAN = 18.0
LONGEST_SENTENCE = 40
LONGEST_LINE = 120
LONGEST_ROW = 180
WIDE = {"architecture.md"}  # its tables are read by other checks, which want a row per module

# American word or stem -> what we write. Stems match the beginning of a word.
AMERICAN = {
    "analyz": "analys", "behavior": "behaviour", "cancell?ing": "", "catalogue": "catalog", "center": "centre",
    "color": "colour", "defense": "defence", "discretiz": "discretis", "factoriz": "factoris", "favor": "favour",
    "fiber": "fibre", "generaliz": "generalis", "gray": "grey", "initializ": "initialis", "labeled": "labelled",
    "labeling": "labelling", "linearis?z": "linearis", "maximiz": "maximis", "minimiz": "minimis", "modeled": "modelled",
    "modeling": "modelling", "neighbor": "neighbour", "normaliz": "normalis", "optimiz": "optimis", "organiz": "organis",
    "parametriz": "parametris", "parameteriz": "parameteris", "randomiz": "randomis", "recogniz": "recognis",
    "regulariz": "regularis", "stabiliz": "stabilis", "summariz": "summaris", "symmetriz": "symmetris",
    "synchroniz": "synchronis", "traveled": "travelled", "visualiz": "visualis",
}  # fmt: skip
del AMERICAN["cancell?ing"]  # both kinds write it so

FENCE = re.compile(r"^ *(```|~~~).*?^ *\1 *$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]+`")
IMAGE_OR_LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\([^)]*\)")
TITLE = re.compile(r"(?<!\*)\*[^*]+\*(?!\*)")  # of papers: they keep their spelling
TAG = re.compile(r"<[^>\n]*>")
BLOCK = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+|^\s*>\s?")
END = re.compile(r"(?<=[.!?])[\"')*_]*\s+(?=[\"'(*_]*(?:[^\W_a-z]|`|[a-z](?![a-z])))|(?<=[.!?])[\"')*_]*$")
SHORT = re.compile(r"\b(e\.g|i\.e|et al|cf|vs|Fig|Eq|Sec|pp|approx|resp|no|St)\.", re.IGNORECASE)
WORD = re.compile(r"[^\W_]")


@dataclass
class Sentence:
    line: int
    text: str
    in_table: bool = False

    @property
    def words(self) -> int:
        return sum(1 for part in re.split(r"[\s/]+|(?<=\w)[–—](?=\w)", self.text) if WORD.search(part))


@dataclass
class Page:
    path: Path
    sentences: list[Sentence] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def mean(self) -> float:
        counted = [s.words for s in self.sentences if not s.in_table and s.words > 0]
        return sum(counted) / len(counted) if counted else 0.0

    @property
    def longest(self) -> int:
        return max((s.words for s in self.sentences), default=0)


def plain(text: str) -> str:
    """Links as their text, code as one word, no tags."""
    text = CODE.sub("Code", text)
    text = TAG.sub("", IMAGE_OR_LINK.sub(r"\1", text))
    return SHORT.sub(lambda m: m[0].replace(".", "·"), text)


def blocks(text: str) -> list[tuple[int, str, bool]]:
    """Paragraphs, list items and cells of tables: (line, text, in a table)."""
    found: list[tuple[int, str, bool]] = []
    paragraph: list[str] = []
    start = 0

    def close() -> None:
        if paragraph:
            found.append((start, " ".join(paragraph), False))
            paragraph.clear()

    blank_before = True
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        indented = line.startswith("    ") and blank_before and not BLOCK.match(line)
        if not stripped or indented or stripped.startswith(("#", ":::")) or re.fullmatch(r"[-=|: ]+", stripped):
            close()
            blank_before = True
            continue
        blank_before = False
        if stripped.startswith("|"):
            close()
            cells = re.split(r"(?<!\\)\|", CODE.sub("Code", stripped.strip("|")))
            found += [(number, cell.strip(), True) for cell in cells if cell.strip()]
            continue
        if BLOCK.match(line):
            close()
            stripped = BLOCK.sub("", line, count=1).strip()
        if not paragraph:
            start = number
        paragraph.append(stripped)
    close()
    return found


def american_words(text: str) -> list[str]:
    bare = TITLE.sub("", IMAGE_OR_LINK.sub(r"\1", CODE.sub("", text)))
    return [m[0] for stem in AMERICAN for m in re.finditer(rf"\b{stem}\w*", bare, re.IGNORECASE)]


def read(path: Path) -> Page:
    page = Page(path)
    text = FENCE.sub(lambda m: "\n" * m[0].count("\n"), path.read_text(encoding="utf-8"))
    for line, block, in_table in blocks(text):
        page.sentences += [Sentence(line, part, in_table) for part in END.split(plain(block)) if part.strip()]
    for number, line in enumerate(text.splitlines(), 1):
        row = line.lstrip().startswith("|")
        seen = IMAGE_OR_LINK.sub(r"\1", line) if row else line
        allowed = LONGEST_ROW if row else LONGEST_LINE
        wide = row and path.name in WIDE
        if len(seen) > allowed and not wide and " " in seen.strip():
            page.problems.append(f"{number}: {len(seen)} characters, at most {allowed}")
        page.problems += [f"{number}: American spelling: {word}" for word in american_words(line)]
    for sentence in page.sentences:
        if sentence.words > LONGEST_SENTENCE:
            page.problems.append(
                f"{sentence.line}: a sentence of {sentence.words} words, at most {LONGEST_SENTENCE}: {sentence.text[:70]}…"
            )
    if page.mean > LARGEST_MEAN:
        page.problems.append(f"1: {page.mean:.1f} words per sentence in the mean, at most {LARGEST_MEAN:g}")
    return page


def pages_of(repository: Path) -> list[Path]:
    front = [repository / name for name in ("README.md", "CONTRIBUTING.md")]
    return [path for path in front if path.is_file()] + sorted((repository / "docs").rglob("*.md"))


def main(arguments: list[str]) -> None:
    repository = Path(__file__).resolve().parent.parent
    named = [Path(a).resolve() for a in arguments if not a.startswith("--")]
    pages = [read(path) for path in (named or pages_of(repository))]
    for page in pages:
        name = page.path.relative_to(repository) if page.path.is_relative_to(repository) else page.path
        for problem in page.problems:
            print(f"{name}:{problem}")
        if "--table" in arguments:
            print(
                f"{name}: {page.mean:.1f} words in the mean, {page.longest} the longest, {len(page.problems)} problems"
            )
    count = sum(len(page.problems) for page in pages)
    print(f"prose: {len(pages)} pages, {count} problems")
    sys.exit(1 if count else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
