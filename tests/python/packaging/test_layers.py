# SPDX-License-Identifier: BSD-2-Clause
"""Oracles: the table of docs/architecture.md for the tree itself; small trees with a known violation for the check."""

import importlib.util
import sys
from collections import Counter

import pytest

from repository import ROOT


def load(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


check_layers = load("check_layers")
check_docs = load("check_docs")

TABLE = """
| module | holds | may include | third party, in .cpp files only |
|---|---|---|---|
| base | things | - | - |
| shape | things | base | coal |
| top | things | shape | - |
"""


@pytest.fixture
def tree(tmp_path):
    """A repository with three modules; the test adds files."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "architecture.md").write_text(TABLE)
    for module in ("base", "shape", "top"):
        (tmp_path / "src" / "stiction" / module).mkdir(parents=True)
    return tmp_path


def add(tree, name, text):
    (tree / "src" / "stiction" / name).write_text(text)


def test_tree_obeys_its_own_table():
    assert check_layers.check(ROOT) == []


def test_no_file_of_the_engine_is_long_and_no_folder_is_crowded():
    source, tests = (
        [f for f in (ROOT / top).rglob("*") if f.suffix in (".h", ".cpp")] for top in ("src/stiction", "tests/cpp")
    )
    assert [f"{f.relative_to(ROOT)}: {n} lines" for f in source if (n := len(f.read_text().splitlines())) > 300] == []
    sizes = Counter(f.parent for f in (*source, *tests))
    assert {str(folder.relative_to(ROOT)): n for folder, n in sizes.items() if n > 30} == {}


def test_table_lists_the_modules_of_the_design():
    modules = check_layers.read_table((ROOT / "docs" / "architecture.md").read_text())
    assert list(modules) == [
        "base",
        "cone",
        "problem",
        "solver",
        "geometry",
        "model",
        "dynamics",
        "law",
        "step",
        "sim",
        "scene",
    ]


def test_solver_trunk_reaches_no_bodies():
    allowed = check_layers.close(check_layers.read_table((ROOT / "docs" / "architecture.md").read_text()))
    assert allowed["solver"] == {"base", "cone", "problem", "solver"}


def test_includes_are_transitive(tree):
    add(
        tree,
        "top/a.cpp",
        "#include <stiction/base/x.h>\n#include <stiction/top/a.h>\n#include <vector>\n#include <Eigen/Core>\n",
    )
    assert check_layers.check(tree) == []


def test_include_upwards_is_named_with_file_and_line(tree):
    add(tree, "base/a.h", "#pragma once\n#include <stiction/top/b.h>\n")
    (problem,) = check_layers.check(tree)
    assert problem.startswith("src/stiction/base/a.h:2: <stiction/top/b.h>")


def test_third_party_in_cpp_of_its_module_only(tree):
    add(tree, "shape/a.cpp", "#include <coal/shape.h>\n")
    assert check_layers.check(tree) == []
    add(tree, "shape/a.h", "#include <coal/shape.h>\n")
    add(tree, "shape/b.cpp", "#include <stiction/shape/a.h>\n")
    assert check_layers.check(tree) == [], "a header that only its own .cpp files include is private"
    add(tree, "shape/b.h", "#include <stiction/shape/a.h>\n")
    add(tree, "top/b.h", "#include <stiction/shape/b.h>\n")
    add(tree, "top/a.cpp", "#include <coal/shape.h>\n#include <pinocchio/fwd.hpp>\n")
    assert [p.split(": <")[0] for p in check_layers.check(tree)] == [
        "src/stiction/shape/a.h:1",
        "src/stiction/top/a.cpp:1",
        "src/stiction/top/a.cpp:2",
    ]


def test_quoted_include_is_refused(tree):
    add(tree, "top/a.cpp", '#include "a.h"\n')
    assert len(check_layers.check(tree)) == 1


def test_folder_without_row_and_row_without_folder(tree):
    (tree / "src" / "stiction" / "new").mkdir()
    (tree / "src" / "stiction" / "top").rmdir()
    assert len(check_layers.check(tree)) == 2


def test_cycle_in_the_table_is_refused(tree):
    (tree / "docs" / "architecture.md").write_text(TABLE.replace("| base | things | - |", "| base | things | top |"))
    with pytest.raises(SystemExit, match="may include each other"):
        check_layers.check(tree)


def test_documents_name_only_what_exists(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text(
        "[a](docs/a.md) [b](docs/b.md) [h](docs/a.md#two-words) [x](docs/a.md#none) `src/none.h` `src/<m>/`\n"
    )
    (tmp_path / "CHANGELOG.md").write_text("[web](https://example.org) `docs/a.md`\n")
    (tmp_path / "docs" / "a.md").write_text("# Two words\n```\n[no link](in/code)\n```\n")
    problems = check_docs.check(tmp_path)
    assert [p.split(": ", 1)[1] for p in problems] == [
        "link to docs/b.md: there is no such file",
        "link to docs/a.md#none: no such heading",
        "`src/none.h`: there is no such file",
    ]
