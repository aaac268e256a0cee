# SPDX-License-Identifier: BSD-2-Clause
"""The command `stiction` as a process."""

import subprocess
import sys


def stiction(*arguments, cwd=None, code=0):
    """Runs it and insists on the exit code."""
    done = subprocess.run(
        [sys.executable, "-m", "stiction.cli", *arguments], cwd=cwd, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == code, f"{done.stdout}\n{done.stderr}"
    return done
