# SPDX-License-Identifier: BSD-2-Clause
"""The robots of the installed Gymnasium package."""

from __future__ import annotations

from pathlib import Path

import gymnasium


def asset(file: str) -> str:
    """The path of a file of gymnasium.envs.mujoco; MuJoCo itself is not needed."""
    path = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets" / file
    if not path.is_file():
        raise FileNotFoundError(f"this version of Gymnasium ({gymnasium.__version__}) has no '{file}'; 1.4 has it")
    return str(path)
