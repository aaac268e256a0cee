# SPDX-License-Identifier: BSD-2-Clause
"""Oracles: the table of docs/architecture.md for the package itself; small packages with a known violation for the check."""

import importlib.util
import sys

import pytest

from repository import ROOT

spec = importlib.util.spec_from_file_location("check_python_layers", ROOT / "tools" / "check_python_layers.py")
check_python_layers = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = check_python_layers
spec.loader.exec_module(check_python_layers)

TABLE = """
| package | holds | may import |
|---|---|---|
| base | things | - |
| shape | things | base |
| top | things | shape |
"""
FACE = """
from ._core import World
from .base import round_off
from .shape.box import Box
from . import shape
if TYPE_CHECKING:
    from .top import view
__version__ = "1"
"""


@pytest.fixture
def tree(tmp_path):
    """A package with a module, two packages and a face; the test adds files."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "architecture.md").write_text(TABLE)
    for name in ("shape", "top"):
        (tmp_path / "python" / "stiction" / name).mkdir(parents=True)
        add(tmp_path, f"{name}/__init__.py", "")
    add(tmp_path, "base.py", "")
    add(tmp_path, "__init__.py", FACE)
    return tmp_path


def add(tree, name, text):
    (tree / "python" / "stiction" / name).write_text(text)


def test_package_obeys_its_own_table():
    assert check_python_layers.check(ROOT) == []


def test_imports_downwards_are_fine(tree):
    add(
        tree,
        "shape/a.py",
        "import math\nimport numpy as np\nfrom .._core import World\nfrom ..base import x\nfrom . import b\nfrom .b import y\n",
    )
    add(
        tree,
        "top/a.py",
        "import stiction as st\nfrom ..shape.a import z\nfrom .. import base\nst.World, st.Box, st.__version__, st.round_off\n",
    )
    assert check_python_layers.check(tree) == []


@pytest.mark.parametrize("line", [
    "from .top import view", "from . import top", "import stiction.top", "from stiction.top import view", "from stiction import top",
    "from stiction import view", "def f():\n    from .top.deep import view", "if TYPE_CHECKING:\n    from .top import View",
    "import stiction as st\nst.view()", "import stiction\nstiction.top.view()", "from .shape import Box",
])  # fmt: skip
def test_import_upwards_is_named_with_file_and_line(tree, line):
    add(tree, "base.py", line + "\n")
    (problem,) = check_python_layers.check(tree)
    assert problem.startswith(
        f"python/stiction/base.py:{1 + line.count(chr(10))}: imports {'shape' if 'shape' in line else 'top'}:"
    )


def test_dots_count_from_where_they_are_written(tree):
    add(tree, "shape/__init__.py", "from ..top import view\n")
    add(tree, "shape/a.py", "from .top import mine\n")  # shape/top.py
    (problem,) = check_python_layers.check(tree)
    assert problem.startswith("python/stiction/shape/__init__.py:1: imports top")


def test_package_without_row_and_row_without_package(tree):
    add(tree, "new.py", "")
    (tree / "python" / "stiction" / "base.py").unlink()
    assert len(check_python_layers.check(tree)) == 2


def test_cycle_in_the_table_is_refused(tree):
    (tree / "docs" / "architecture.md").write_text(TABLE.replace("| base | things | - |", "| base | things | top |"))
    with pytest.raises(SystemExit, match="may include each other"):
        check_python_layers.check(tree)


def test_no_file_is_long_and_no_folder_is_crowded():
    package = ROOT / "python" / "stiction"
    files = [*package.rglob("*.py")]
    assert [f"{f.relative_to(ROOT)}: {n} lines" for f in files if (n := len(f.read_text().splitlines())) > 300] == []
    folders = {f.parent for f in files} | {f.parent for f in (ROOT / "tests" / "python").rglob("*.py")}
    assert [str(d.relative_to(ROOT)) for d in folders if len([*d.glob("*.py")]) > 30] == []
