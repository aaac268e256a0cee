# SPDX-License-Identifier: BSD-2-Clause
"""Problem sets of `python bench/solvers`: FCLIB files of others in $STICTION_DATA/fclib, and problems that are generated anew for every run."""

from __future__ import annotations

import os
import secrets
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import stiction as st
from stiction import problems
from stiction.bench import machine as where

ROOT = Path(__file__).resolve().parents[2]


def new_seed() -> int:
    """Fresh problems at every run; the seed is printed and stored, so that they can be made again."""
    return secrets.randbits(31)


def machine() -> dict[str, Any]:
    """What a number depends on; the commit is that of this repository, wherever the package is installed."""
    found = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=ROOT, check=False
    )
    return {**where.machine(), "commit": found.stdout.strip() or None}


def fclib_folder() -> Path:
    """$STICTION_DATA/fclib."""
    data = os.environ.get("STICTION_DATA")
    if not data:
        raise SystemExit("STICTION_DATA is not set; expected a folder with FCLIB files in its folder fclib")
    return Path(data) / "fclib"


def fclib() -> list[str]:
    """The files of that folder, by name."""
    found = sorted(fclib_folder().glob("*.hdf5"))
    if not found:
        raise SystemExit(f"no FCLIB files in {fclib_folder()}")
    return [str(path) for path in found]


def save(path: Path, problem: st.ContactProblem, title: str) -> None:
    """As it was solved: problems in body space with their (M, H), others with W."""
    form = "global" if problem.storage == "body_space" else "local"
    st.fclib.save(path, problem, title=title, form=form)


def generated(folder: Path, count: int, seed: int, largest: int = 2000) -> list[str]:
    """Items 0 to count - 1 of stiction.generate.sample(seed) as files in `folder`. Those without contacts alone (joint limits) stay out."""
    folder.mkdir(parents=True, exist_ok=True)
    out: list[str] = []
    index = 0
    while len(out) < count and index < 3 * count:
        item = st.generate.item(seed, index, largest)
        index += 1
        path = folder / f"{item.name}.hdf5"
        try:
            save(path, item.problem, item.name)
        except st.InvalidInput:
            continue
        out.append(str(path))
    return out


def large(folder: Path, seed: int) -> list[str]:
    """A wall and a packing of about 4500 contacts each, kept as (M, H)."""
    folder.mkdir(parents=True, exist_ok=True)
    makers = {
        "gen_wall_20x30_bodies": st.generate.wall(20, 30, seed=seed),
        "gen_packing_12": st.generate.packing((12, 12, 12), seed=seed),
    }
    for name, problem in makers.items():
        save(folder / f"{name}.hdf5", problem, name)
    return [str(folder / f"{name}.hdf5") for name in makers]


def within(files: Sequence[str], largest: int) -> list[str]:
    """Files of at most so many contacts; 0 keeps all."""
    return [f for f in files if not largest or problems.load(f).contacts <= largest]
