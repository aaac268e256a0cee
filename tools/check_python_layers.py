# SPDX-License-Identifier: BSD-2-Clause
"""The document is the check, for Python: reads the table of packages in docs/architecture.md and refuses every import it does not allow.

    | package | holds | may import |

A package is a folder or a module of python/stiction. "may import" is transitive. The compiled module `_core` is open to all, and
`import stiction as st` counts as an import of the packages that the names used, `st.scene`, come from. Imports inside functions and
for type checkers count as well.

usage: check_python_layers.py [REPOSITORY]       exit code 1 and one line per violation
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import check_layers

ROOT = "stiction"
OPEN = {"_core", ROOT}  # what everybody may use; stiction itself: __version__


def read_table(text: str) -> dict[str, check_layers.Module]:
    rows = check_layers.read_rows(text, "package", "may import")
    if not rows:
        raise SystemExit("docs/architecture.md has no table with the columns `package` and `may import`")
    return {name: check_layers.Module(imports, frozenset()) for name, (imports,) in rows.items()}


def absolute(node: ast.ImportFrom, inside: list[str]) -> list[str]:
    """The module of a `from … import`, written in the package `inside`."""
    above = inside[: len(inside) - node.level + 1] if node.level else []
    return [*above, *(node.module or "").split(".")] if node.module else above


def public_names(package: Path) -> dict[str, str]:
    """{name: the package that it comes from} of what stiction/__init__.py offers, lazily or at once."""
    names: dict[str, str] = {}
    for node in ast.walk(ast.parse((package / "__init__.py").read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            for alias in node.names:
                names[alias.asname or alias.name] = node.module.split(".")[0] if node.module else alias.name
    return names


def imports(path: Path, package: Path, public: dict[str, str]) -> Iterator[tuple[int, str]]:
    """(line, package of stiction) of everything that a file imports."""
    tree = ast.parse(path.read_text())
    inside = [ROOT, *path.relative_to(package).parts[:-1]]
    aliases = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == ROOT:
                    aliases.add(alias.asname or ROOT)
                elif alias.name.startswith(f"{ROOT}."):
                    yield node.lineno, alias.name.split(".")[1]
        elif isinstance(node, ast.ImportFrom):
            module = absolute(node, inside)
            if module[:1] == [ROOT]:
                for alias in node.names:
                    yield (
                        node.lineno,
                        module[1]
                        if len(module) > 1
                        else public.get(alias.name, ROOT if alias.name == "__version__" else alias.name),
                    )
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in aliases:
            yield node.lineno, public.get(node.attr, ROOT if node.attr == "__version__" else node.attr)


def check(repository: Path) -> list[str]:
    packages = read_table((repository / "docs" / "architecture.md").read_text())
    allowed = check_layers.close(packages)
    source = repository / "python" / ROOT
    present = {p.stem for p in source.glob("*.py") if p.stem != "__init__"} | {
        p.parent.name for p in source.glob("*/__init__.py")
    }
    problems = [
        f"python/stiction/{name} is not in the table of packages of docs/architecture.md"
        for name in sorted(present - packages.keys())
    ]
    problems += [
        f"docs/architecture.md names the package {name}, which is not there"
        for name in sorted(packages.keys() - present)
    ]
    public = public_names(source)
    for path in sorted(source.rglob("*.py")):
        name = path.relative_to(source).with_suffix("").parts[0]
        if name in packages.keys() & present:
            for line, other in sorted(set(imports(path, source, public))):
                if other not in allowed[name] | OPEN:
                    may = ", ".join(sorted(allowed[name] - {name})) or "no other"
                    problems.append(f"{path.relative_to(repository)}:{line}: imports {other}: {name} may import {may}")
    return problems


def main() -> None:
    repository = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    problems = check(repository)
    for problem in problems:
        print(problem)
    print(f"layers of the Python package: {len(problems)} violations")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
