# SPDX-License-Identifier: BSD-2-Clause
"""Python files are formatted and linted as pyproject.toml says. Oracle: ruff, in the version of requirements/test.txt."""

import subprocess
import sys

import pytest

from repository import ROOT

pytest.importorskip("ruff")


@pytest.mark.parametrize("command", [["check"], ["format", "--check"]], ids=["lint", "format"])
def test_ruff_finds_nothing(command):
    folders = ["python", "tests", "tools", "bench", "examples", "docs"]
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *command, "--no-cache", *folders], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
