# SPDX-License-Identifier: BSD-2-Clause
"""Small files that once took all time or memory, crashed, or meant nothing: a sentence or a simulation, within 10 s and 2 GB."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import hostile


@pytest.mark.parametrize("name", hostile.CASES)
def test_hostile_files(name):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path), OMP_NUM_THREADS="1")
    done = subprocess.run([sys.executable, hostile.__file__, name], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"code {done.returncode}\n{done.stderr[-1500:]}"
    wanted = hostile.CASES[name][2]
    assert re.match("ran" if wanted is None else f"refused .*({wanted})", done.stdout, re.DOTALL), done.stdout[:300]
