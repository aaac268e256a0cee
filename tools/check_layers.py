# SPDX-License-Identifier: BSD-2-Clause
"""The document is the check: reads the module table of docs/architecture.md and refuses every include it does not allow.

    | module | holds | may include | third party, in .cpp files only |

"may include" is transitive. A third-party library other than Eigen (Pinocchio, Coal, …) may be included only by .cpp
files of modules that name it: a header that shows it would bring it to every user. The one exception is a private
header: nothing but .cpp files (and private headers) of its own module include it, and it is not installed.

usage: check_layers.py [REPOSITORY]       exit code 1 and one line per violation
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

EVERYWHERE = {"stiction", "Eigen", "sys"}  # first folders of includes that need no entry
INCLUDE = re.compile(r'^\s*#\s*include\s*(?P<mark>[<"])(?P<path>[^>"]+)[>"]', re.MULTILINE)
TABLE_ROW = re.compile(r"^\|(.+)\|\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Module:
    includes: frozenset[str]     # modules named in the table
    third_party: frozenset[str]  # folders of libraries that its .cpp files may include


def read_table(text: str) -> dict[str, Module]:
    """The first table whose header is `module | … | may include | third party…`."""
    rows = [[cell.strip() for cell in match.split("|")] for match in TABLE_ROW.findall(text)]
    try:
        start = next(i for i, row in enumerate(rows) if row[0].startswith("module") and "may include" in row)
    except StopIteration:
        raise SystemExit("docs/architecture.md has no table with the columns `module` and `may include`") from None
    include_column = rows[start].index("may include")
    party_column = next(i for i, cell in enumerate(rows[start]) if cell.startswith("third party"))
    modules = {}
    for row in rows[start + 2:]:
        if len(row) != len(rows[start]):
            break
        words = [frozenset(re.findall(r"\w+", row[column])) for column in (include_column, party_column)]
        modules[row[0].strip("`")] = Module(words[0], words[1])
    return modules


def close(modules: dict[str, Module]) -> dict[str, set[str]]:
    """Everything that each module may include: itself, what the table names, and what those may include."""
    for name, module in modules.items():
        if unknown := module.includes - modules.keys():
            raise SystemExit(f"docs/architecture.md: module {name} may include {', '.join(sorted(unknown))}, which is no module")
    allowed = {name: {name} | set(module.includes) for name, module in modules.items()}
    while any(grown := [name for name in allowed if not set().union(*(allowed[m] for m in allowed[name])) <= allowed[name]]):
        for name in grown:
            allowed[name] |= set().union(*(allowed[m] for m in allowed[name]))
    for a in allowed:
        if cycle := [b for b in allowed[a] if b != a and a in allowed[b]]:
            raise SystemExit(f"docs/architecture.md: {a} and {cycle[0]} may include each other")
    return allowed


def find_includers(repository: Path) -> dict[str, list[Path]]:
    """{"stiction/model/xml.h": [files that include it]} over everything that is compiled."""
    includers: dict[str, list[Path]] = {}
    for folder in ("src", "python/src", "tests", "examples", "bench"):
        for path in sorted((repository / folder).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                for match in INCLUDE.finditer(path.read_text()):
                    includers.setdefault(match["path"], []).append(path)
    return includers


def is_private(header: Path, source: Path, includers: dict[str, list[Path]]) -> bool:
    users = includers.get(str(header.relative_to(source.parent)), [])
    return all(user.parent == header.parent and (user.suffix == ".cpp" or is_private(user, source, includers)) for user in users)


def violations_of(path: Path, modules: dict[str, Module], allowed: dict[str, set[str]], private: bool) -> list[str]:
    name, text, found = path.parent.name, path.read_text(), []
    for match in INCLUDE.finditer(text):
        target, line = match["path"], text.count("\n", 0, match.start("path")) + 1
        first, *rest = target.split("/")
        if match["mark"] == '"':
            found.append(f'{line}: "{target}": write #include <stiction/…>, so that the layers can be read')
        elif first == "stiction" and (len(rest) < 2 or rest[0] not in allowed[name]):
            found.append(f"{line}: <{target}>: module {name} may include {', '.join(sorted(allowed[name] - {name})) or 'no other'}")
        elif rest and first not in EVERYWHERE and (not private or first not in modules[name].third_party):
            where = "a .cpp file or private header" if first in modules[name].third_party else "no file"
            found.append(f"{line}: <{target}>: {first} belongs in {where} of module {name}")
    return found


def check(repository: Path) -> list[str]:
    modules = read_table((repository / "docs" / "architecture.md").read_text())
    allowed = close(modules)
    source = repository / "src" / "stiction"
    folders = {p.name for p in source.iterdir() if p.is_dir()}
    problems = [f"src/stiction/{name} is not in the table of docs/architecture.md" for name in sorted(folders - modules.keys())]
    problems += [f"docs/architecture.md names the module {name}, which has no folder" for name in sorted(modules.keys() - folders)]
    includers = find_includers(repository)
    for path in sorted(path for name in folders & modules.keys() for path in (source / name).glob("*.*")):
        if path.suffix in (".h", ".cpp"):
            private = path.suffix == ".cpp" or is_private(path, source, includers)
            problems += [f"{path.relative_to(repository)}:{v}" for v in violations_of(path, modules, allowed, private)]
    return problems


def main() -> None:
    repository = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    problems = check(repository)
    for problem in problems:
        print(problem)
    print(f"layers: {len(problems)} violations")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
