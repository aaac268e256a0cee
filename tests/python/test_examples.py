# SPDX-License-Identifier: BSD-2-Clause
"""Oracle: an example checks its own result and exits with 0. Each runs in an empty folder, as a user's script would."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted(path for suffix in ("py", "cpp") for path in (ROOT / "examples").glob(f"[0-9]*.{suffix}"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_example_runs(example, tmp_path):
    command = [sys.executable, str(example)]
    if example.suffix == ".cpp":
        program = ROOT / "build" / "examples" / example.stem
        if not program.is_file():
            pytest.skip(f"{program} is not built; ./test builds it when GoogleTest is there")
        command = [str(program)]
    environment = dict(os.environ, MPLBACKEND="Agg")
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert done.stdout.strip(), "an example shows something"
