# SPDX-License-Identifier: BSD-2-Clause
"""Oracle: an example checks its own result and exits with 0. Each runs in an empty folder, as a user's script would.

Both languages drive one engine: their examples of one number print the same lines.
"""

import functools
import os
import subprocess
import sys
import tempfile

import pytest

from repository import ROOT

EXAMPLES = sorted(path for suffix in ("py", "cpp") for path in (ROOT / "examples").glob(f"[0-9]*.{suffix}"))
NAMES = sorted({path.stem for path in EXAMPLES})


@functools.cache
def output(example):
    command = [sys.executable, str(example)]
    if example.suffix == ".cpp":
        program = ROOT / "build" / "examples" / example.stem
        if not program.is_file():
            pytest.skip(f"{program} is not built; ./test builds it when GoogleTest is there")
        command = [str(program)]
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, MPLBACKEND="Agg")
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_example_runs(example):
    assert output(example).strip(), "an example shows something"


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_print_the_same(name):
    assert output(ROOT / "examples" / f"{name}.py") == output(ROOT / "examples" / f"{name}.cpp")


def test_eight_examples_in_two_languages():
    assert [name[:2] for name in NAMES] == [f"{k:02}" for k in range(1, 9)]
    assert len(EXAMPLES) == 16
    page = (ROOT / "docs" / "examples.md").read_text()
    assert all(f"../examples/{path.name}" in page for path in EXAMPLES)
