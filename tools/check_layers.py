# SPDX-License-Identifier: BSD-2-Clause
"""The document is the check: reads the two tables of docs/architecture.md and refuses every include they do not allow.

    | module | holds | may include | third party, in .cpp files only |
    | room | holds | may include |

A room is a folder of a module (`solver/sweep`); a module without rooms keeps its files in its own folder. "may
include" is transitive. Rooms order the files within a module: a room may include the rooms that its row names, files
in the module's own folder (its entrance) may include every room, and no room includes the entrance. A third-party
library other than Eigen (Pinocchio, Coal, …) may be included only by .cpp files of modules that name it: a header
that shows it would bring it to every user. The one exception is a private header: nothing but .cpp files (and private
headers) of its own module include it, and it is not installed.

usage: check_layers.py [REPOSITORY]       exit code 1 and one line per violation
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

EVERYWHERE = {"stiction", "Eigen", "sys"}  # first folders of includes that need no entry
INCLUDE = re.compile(r'^\s*#\s*include\s*(?P<mark>[<"])(?P<path>[^>"]+)[>"]', re.MULTILINE)


@dataclass(frozen=True)
class Module:
    includes: frozenset[str]  # modules named in the table
    third_party: frozenset[str]  # folders of libraries that its .cpp files may include


def read_rows(text: str, first: str, *columns: str) -> dict[str, tuple[frozenset[str], ...]]:
    """{name: the words of each column} of the first table whose header starts with `first` and has these columns."""
    for table in re.findall(r"(?:^\|.+\|[ ]*\n)+", text, re.MULTILINE):
        header, _, *rows = [
            [cell.strip() for cell in line.strip().strip("|").split("|")] for line in table.splitlines()
        ]
        places = [next((i for i, cell in enumerate(header) if cell.startswith(column)), None) for column in columns]
        if header[0] == first and None not in places:
            return {row[0].strip("`"): tuple(frozenset(re.findall(r"[\w/]+", row[i])) for i in places) for row in rows}
    return {}


def read_table(text: str) -> dict[str, Module]:
    """The modules, from the first table whose header is `module | … | may include | third party…`."""
    rows = read_rows(text, "module", "may include", "third party")
    if not rows:
        raise SystemExit("docs/architecture.md has no table with the columns `module` and `may include`")
    return {name: Module(includes, third_party) for name, (includes, third_party) in rows.items()}


def read_rooms(text: str) -> dict[str, Module]:
    """The rooms `module/room`, from the first table whose header is `room | … | may include`; what they include is of the same module."""
    return {
        name: Module(frozenset(f"{name.split('/')[0]}/{room}" for room in includes), frozenset())
        for name, (includes,) in read_rows(text, "room", "may include").items()
    }


def close(modules: dict[str, Module]) -> dict[str, set[str]]:
    """Everything that each module may include: itself, what the table names, and what those may include."""
    for name, module in modules.items():
        if unknown := module.includes - modules.keys():
            raise SystemExit(
                f"docs/architecture.md: {name} may include {', '.join(sorted(unknown))}, which is not in the table"
            )
    allowed = {name: {name} | set(module.includes) for name, module in modules.items()}
    while any(
        grown := [name for name in allowed if not set().union(*(allowed[m] for m in allowed[name])) <= allowed[name]]
    ):
        for name in grown:
            allowed[name] |= set().union(*(allowed[m] for m in allowed[name]))
    for a in allowed:
        if cycle := [b for b in allowed[a] if b != a and a in allowed[b]]:
            raise SystemExit(f"docs/architecture.md: {a} and {cycle[0]} may include each other")
    return allowed


def find_includers(repository: Path) -> dict[str, list[Path]]:
    """{"stiction/model/files/xml.h": [files that include it]} over everything that is compiled."""
    includers: dict[str, list[Path]] = {}
    for folder in ("src", "python/src", "tests", "examples", "bench"):
        for path in sorted((repository / folder).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                for match in INCLUDE.finditer(path.read_text()):
                    includers.setdefault(match["path"], []).append(path)
    return includers


def is_private(header: Path, source: Path, includers: dict[str, list[Path]]) -> bool:
    users = includers.get(str(header.relative_to(source.parent)), [])
    module = source / header.relative_to(source).parts[0]
    return all(
        user.is_relative_to(module) and (user.suffix == ".cpp" or is_private(user, source, includers)) for user in users
    )


def room_of(path: Path) -> str:
    """`solver/sweep` of `solver/sweep/pgs.h`; the module itself of a file in its own folder."""
    return "/".join(path.parts[:-1])


def room_violation(room: str, target: str, rooms: dict[str, set[str]]) -> str | None:
    other = room_of(Path(target))
    if other == room or room.split("/")[0] != other.split("/")[0] or "/" not in room or other in rooms.get(room, ()):
        return None
    return f"room {room} may include {', '.join(sorted(rooms.get(room, set()) - {room})) or 'no other'} of its module"


def violations_of(
    path: Path,
    source: Path,
    modules: dict[str, Module],
    allowed: dict[str, set[str]],
    rooms: dict[str, set[str]],
    private: bool,
) -> list[str]:
    place, text, found = path.relative_to(source), path.read_text(), []
    name = place.parts[0]
    for match in INCLUDE.finditer(text):
        target, line = match["path"], text.count("\n", 0, match.start("path")) + 1
        first, *rest = target.split("/")
        if match["mark"] == '"':
            found.append(f'{line}: "{target}": write #include <stiction/…>, so that the layers can be read')
        elif first == "stiction" and (len(rest) < 2 or rest[0] not in allowed[name]):
            found.append(
                f"{line}: <{target}>: module {name} may include {', '.join(sorted(allowed[name] - {name})) or 'no other'}"
            )
        elif first == "stiction" and (problem := room_violation(room_of(place), "/".join(rest), rooms)):
            found.append(f"{line}: <{target}>: {problem}")
        elif rest and first not in EVERYWHERE and (not private or first not in modules[name].third_party):
            where = "a .cpp file or private header" if first in modules[name].third_party else "no file"
            found.append(f"{line}: <{target}>: {first} belongs in {where} of module {name}")
    return found


def check(repository: Path) -> list[str]:
    text = (repository / "docs" / "architecture.md").read_text()
    modules, rooms = read_table(text), read_rooms(text)
    allowed, allowed_rooms = close(modules), close(rooms)
    source = repository / "src" / "stiction"
    folders = {p.name for p in source.iterdir() if p.is_dir()}
    room_folders = {str(p.relative_to(source)) for p in source.glob("*/**/") if p.parent != source}
    problems = [
        f"src/stiction/{name} is not in the table of rooms of docs/architecture.md"
        for name in sorted(room_folders - rooms.keys())
    ]
    problems += [
        f"docs/architecture.md names the room {name}, which has no folder"
        for name in sorted(rooms.keys() - room_folders)
    ]
    problems += [
        f"src/stiction/{name} is not in the table of docs/architecture.md" for name in sorted(folders - modules.keys())
    ]
    problems += [
        f"docs/architecture.md names the module {name}, which has no folder"
        for name in sorted(modules.keys() - folders)
    ]
    includers = find_includers(repository)
    for path in sorted(path for name in folders & modules.keys() for path in (source / name).rglob("*.*")):
        if path.suffix in (".h", ".cpp"):
            private = path.suffix == ".cpp" or is_private(path, source, includers)
            problems += [
                f"{path.relative_to(repository)}:{v}"
                for v in violations_of(path, source, modules, allowed, allowed_rooms, private)
            ]
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
