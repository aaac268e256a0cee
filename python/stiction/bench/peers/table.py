# SPDX-License-Identifier: BSD-2-Clause
"""Runs the race and prints it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import stiction as st

from ...output.progress import each
from ...output.suggest import unknown_name
from ...output.tables import number, text_table
from . import mujoco_models as mj
from .scenes import SCENES

Echo = Callable[[str], None] | None


def _cells(row: dict[str, Any]) -> list[str]:
    low, high = row["ratio_quartiles"]
    return [
        row["scene"], row["engine"], number(row["us_per_step"]),
        f"{row['ratio']:.2f}" if row["engine"] != "stiction" else "1",
        f"{low:.2f} .. {high:.2f}" if row["engine"] != "stiction" else "",
        number(1e3 * row["slip_m"]) if "slip_m" in row else "-",
        number(row["overlap_m2"]) if "overlap_m2" in row else "-",
        f"{row['unaccepted']} of {row.get('made', row['steps'])}" if "unaccepted" in row else "-",
        number(row["ncp_residual_N"]) if "ncp_residual_N" in row else "-",
        number(row["us_999"]) if "us_999" in row else "-",
    ]  # fmt: skip


_HEADER = [
    "scene", "engine", "us/step", "ratio", "quartiles", "slip [mm]", "overlap [m2]", "unaccepted", "NCP residual [N]", "99.9 % [us]",
]  # fmt: skip

_NOTES = """
  us/step           CPU time of one step, median of all alternations; n steps per call, no Python in between
  ratio, quartiles  time of the peer over ours in the same alternation (above 1: we are faster), median and middle half
  slip              largest horizontal displacement of a foot from 50 s to 250 s (standing only)
  overlap           mean over time of the sum of squared overlaps of all pairs and the floor
  unaccepted        steps that the judge did not accept; peers have no judge
  NCP residual      largest distance of our forces from exact Coulomb friction
  99.9 %            of single steps called from Python, about 1 us of it the call
  Simulator.step(n) and mj_step(nstep=n); moving: Simulator.step(target=array) and mujoco.rollout, the same ready-made targets"""


def run(scene: str | None = None, quick: bool = False, echo: Echo = None) -> list[dict[str, Any]]:
    """Race all scenes, or one of static, moving, hopping, fallen, pile, pile_1ms."""
    if scene is not None and scene not in SCENES:
        raise unknown_name("peers scene", scene, SCENES)
    version = mj.load().__version__
    rows: list[dict[str, Any]] = []
    for name in each([scene] if scene else list(SCENES), "bench --peers", unit="scene", ticking=True):
        rows += SCENES[name](quick)
    if echo is not None:
        echo(f"stiction {st.__version__} beside MuJoCo {version}, one thread, alternating in one process\n")
        echo(text_table(_HEADER, [_cells(row) for row in rows]))
        echo(_NOTES)
    return rows
