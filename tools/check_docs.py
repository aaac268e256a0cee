# SPDX-License-Identifier: BSD-2-Clause
"""Documents must not lie about the tree: every relative link resolves, every file that is named exists.

Checked: README.md, CHANGELOG.md, docs/**/*.md. A link is [text](target), with #anchor of an existing heading. A named
file is `code` that looks like a path of this repository: it starts with one of its folders and a slash.

usage: check_docs.py [REPOSITORY]       exit code 1 and one line per problem
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+\s+(.*?)\s*$", re.MULTILINE)
FOLDERS = ("src", "python", "tests", "bench", "examples", "docs", "cmake", "tools", "requirements", "models", ".ci")
MODULES = ("base", "cone", "problem", "solver", "geometry", "model", "dynamics", "law", "step", "sim", "scene")


def anchors(text: str) -> set[str]:
    """Anchors as GitHub makes them."""
    plain = (re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in HEADING.findall(FENCE.sub("", text)))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain}


def link_problem(target: str, page: Path, repository: Path) -> str | None:
    if re.match(r"[a-z]+:", target):
        return None  # another site
    name, _, anchor = target.partition("#")
    path = (page.parent / name).resolve() if name else page
    if not path.exists():
        return f"link to {target}: there is no such file"
    if not path.is_relative_to(repository):
        return f"link to {target}: outside of the repository"
    if anchor and path.suffix == ".md" and anchor not in anchors(path.read_text()):
        return f"link to {target}: no such heading"
    return None


def name_problem(code: str, repository: Path) -> str | None:
    """`src/stiction/solver/sweep/pgs.h`, or short `solver/sweep/pgs.h`; placeholders and patterns are no names."""
    word = code.split()[0] if code.split() else ""
    first, slash, rest = word.partition("/")
    if not slash or not rest or re.search(r"[<>*…{}$()=:|]|NNN", word):
        return None
    if first in FOLDERS and not (repository / word).exists():
        return f"`{word}`: there is no such file"
    if first in MODULES and "." in rest and not (repository / "src" / "stiction" / word).exists():
        return f"`{word}`: there is no such file in src/stiction"
    return None


def check(repository: Path) -> list[str]:
    pages = [repository / "README.md", repository / "CHANGELOG.md", *sorted((repository / "docs").rglob("*.md"))]
    problems = []
    for page in pages:
        if not page.is_file():
            problems.append(f"{page.relative_to(repository)} is missing")
            continue
        text = FENCE.sub(lambda m: "\n" * m[0].count("\n"), page.read_text())
        for number, line in enumerate(text.splitlines(), 1):
            found = [link_problem(t, page, repository) for t in LINK.findall(CODE.sub("", line))]
            found += [name_problem(c, repository) for c in CODE.findall(line)]
            problems += [f"{page.relative_to(repository)}:{number}: {problem}" for problem in found if problem]
    return problems


def main() -> None:
    repository = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent).resolve()
    problems = check(repository)
    for problem in problems:
        print(problem)
    print(f"documents: {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
